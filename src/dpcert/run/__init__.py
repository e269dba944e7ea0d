"""Many audits: in child processes here or elsewhere, in order, and kept in a lock."""
