"""Runs of a program on floats from inside a path: what its generators draw there, and how it ends."""
