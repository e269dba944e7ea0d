"""Undecided floats: functions of libm and numpy, followed by enclosure or between bounds, and what may be released.

This package is outside the trusted base. A verdict on code that it followed trusts it as well, and says so.
"""
