"""Exact laws of programs that loop plainly: the state at each draw is captured whole, and equal states are merged."""
