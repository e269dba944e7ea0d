"""Adapters: each module here stands alone before a library, which it imports when it is first asked to compute."""
