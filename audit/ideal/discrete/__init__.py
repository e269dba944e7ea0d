"""Noise that takes integers alone: its parameters, its sums, its chances and its values."""
