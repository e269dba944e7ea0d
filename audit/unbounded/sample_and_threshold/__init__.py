"""Sample-and-threshold on counts of any size: two theorems, and the search for their premises."""
