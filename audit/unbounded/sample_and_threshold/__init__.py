"""Sample-and-threshold on counts of any size: two theorems, and the search for what they need."""
