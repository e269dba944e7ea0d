"""numpy on the machine: its scalars, arrays and generators, and numpy itself on plain copies of them."""
