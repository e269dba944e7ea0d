"""Suresh, Differentially Private Anonymized Histograms: items, ledger, checks and theorems."""
