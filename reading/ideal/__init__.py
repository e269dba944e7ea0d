"""Programs on ideal noise, read by the machine: draws are real random variables, and each comparison is a question."""
