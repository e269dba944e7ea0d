"""Calls of functions and methods with what they hold."""
