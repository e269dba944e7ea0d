"""Evidence to hand on: a folder of verdicts with their laws, which a file of its own recomputes."""
