"""Balcer and Vadhan, Differential Privacy on Finite Computers: items, ledger and checks."""
