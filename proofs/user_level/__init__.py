"""Liu et al., Histogram Estimation under User-level Privacy: items, ledger and checks."""
