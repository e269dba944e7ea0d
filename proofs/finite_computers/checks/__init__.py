"""Checks by exact computation, a module for each section or subject."""
