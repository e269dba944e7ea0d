"""Undecided vectors: numpy's arrays of draws, of which a reduction is one decision with an exact law.

This package is outside the trusted base. A verdict on code that it followed trusts it as well, and says so.
"""
