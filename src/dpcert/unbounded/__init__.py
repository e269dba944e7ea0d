"""Claims on infinitely many inputs: a theorem, its finite premises, and the bundle of their certificates."""
