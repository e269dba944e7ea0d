"""Theorems for inputs without end: each says which finite claims are enough for all inputs of one mechanism."""
