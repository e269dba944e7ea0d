"""Exact numbers, outcomes, laws and coins: the part of the trusted base that knows nothing of privacy."""
