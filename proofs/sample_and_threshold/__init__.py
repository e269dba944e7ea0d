"""Bharadwaj and Cormode, Sample-and-threshold differential privacy: items, ledger and checks."""
