"""The theorems in Rocq: definitions, facts with their proofs, and the statements that rows of the ledger name."""
