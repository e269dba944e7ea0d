"""The programs of "Histogram estimation under user-level privacy with heterogeneous data", with their laws and
bounds.
"""
