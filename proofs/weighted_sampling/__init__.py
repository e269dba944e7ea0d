"""Cohen, Geri, Sarlos and Stemmer, Differentially Private Weighted Sampling: items, ledger and checks."""
