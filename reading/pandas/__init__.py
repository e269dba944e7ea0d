"""pandas on the machine: plain data is pandas' own, and noise in a Series is followed as in its array."""
