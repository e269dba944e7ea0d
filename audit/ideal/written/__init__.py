"""What numbers written with exponentials, and guarded logarithms, are beside noise."""
