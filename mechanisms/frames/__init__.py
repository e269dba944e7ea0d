"""Exact laws of programs that loop plainly: the state at a draw is captured whole, and equal states are merged."""
