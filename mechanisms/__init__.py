"""Randomized programs over coins, and the exact laws they induce."""
