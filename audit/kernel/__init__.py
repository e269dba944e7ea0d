"""The kernel: the code that must be trusted to believe a verdict. It re-computes and never searches."""
