"""What is audited: a decorated function with its claim, found in a file, or a mechanism that ships."""
