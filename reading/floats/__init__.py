"""Floats on the machine: functions that are followed, and what may be released where several undecided ones meet."""
