"""Programs of every kind that people write, generated and held against the real libraries."""
