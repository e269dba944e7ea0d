"""Mechanisms with a fault: a module for each correct mechanism that they are one edit away from. Nothing lists them."""
