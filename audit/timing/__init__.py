"""Timing audits: how long runs take on neighbouring inputs, as a bet against the claim; never verified."""
