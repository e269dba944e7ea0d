"""Programs of "Differentially Private Weighted Sampling", and what holds of them."""
