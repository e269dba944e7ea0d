"""Liu et al., Histogram Estimation under User-level Privacy: items, ledger, checks and theorems."""
