"""Anonymized histograms (PrivHist): the multiset of counts, released without labels."""
