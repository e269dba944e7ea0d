"""Theorems for all parameters, a module for each subject."""
