"""What a program and its callers see of ideal noise: types, errors, and the outcomes of runs on floats."""
