"""Releases beside tags: their laws, and what the corners of these decide."""
