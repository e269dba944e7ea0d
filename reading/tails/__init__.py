"""Geometric tails: laws of loops that end only by chance, summed as series."""
