"""numpy on the machine: its scalars, its generators, and what they draw."""
