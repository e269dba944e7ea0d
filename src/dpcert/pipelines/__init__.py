"""Programs whose randomness comes from primitives: a run on one data set is recorded, and replayed on a neighbour."""
