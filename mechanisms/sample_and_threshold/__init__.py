"""Programs of "Sample-and-threshold differential privacy: Histograms and applications", and what holds of them."""
