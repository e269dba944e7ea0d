"""Pipelines of other people's libraries, from data to release, against what the library says it spends."""
