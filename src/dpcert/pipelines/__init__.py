"""Programs whose randomness is that of primitives: recorded on one data set, and replayed on its neighbours."""
