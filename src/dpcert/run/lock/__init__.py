"""Verdicts that a file keeps until something changes that they rest on."""
