"""Domains of undecided values: what the machine may compute with a value that is not known yet."""
