"""Adapters: each module here is the only one that imports its library, and imports it when it first computes."""
