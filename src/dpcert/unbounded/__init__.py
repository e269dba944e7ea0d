"""Claims on inputs without end: a theorem, its finite premises, and the bundle of their certificates."""
