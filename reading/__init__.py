"""How a program becomes a law: a machine whose whole state is data, and domains of undecided values over it."""
