"""Generators of the libraries that are led: their classes are the real ones, and their draws come from elsewhere."""
