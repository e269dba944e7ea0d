"""Searches for verdicts on finite privacy claims; every result goes through the kernel."""
