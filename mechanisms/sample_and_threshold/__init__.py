"""The programs of "Sample-and-threshold differential privacy: Histograms and applications", with their laws and
deltas.
"""
