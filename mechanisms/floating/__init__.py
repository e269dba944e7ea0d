"""Float code, followed further: functions of libm and numpy by enclosure, and randomness that is routed to coins.

Outside the trusted base: a verdict on code that was followed here trusts this package as well, and says so.
"""
