"""Audits from samples: a violation confirmed at a stated confidence, or undecided with the power; never verified."""
