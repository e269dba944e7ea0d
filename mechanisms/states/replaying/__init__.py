"""Replays: programs that were read by their states are run again on plain numbers."""
