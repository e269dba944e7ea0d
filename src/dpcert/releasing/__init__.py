"""Releases of real data: rows of files in, mechanisms that are ready to run on them, rows of files out."""
