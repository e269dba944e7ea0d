"""Whole-valued noise: its parameters as they are written, its exact probabilities, and releases cut into values."""
