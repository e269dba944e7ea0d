"""Programs of "Histogram estimation under user-level privacy with heterogeneous data", and what holds of them."""
