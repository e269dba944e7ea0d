"""Suresh, Differentially Private Anonymized Histograms: items, ledger and checks."""
