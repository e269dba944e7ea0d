"""Verdicts that are kept for as long as nothing that they rest on changes."""
