"""Guarding a repository: locks of verdicts, what changed, defaults from pyproject.toml, reports for other tools."""
