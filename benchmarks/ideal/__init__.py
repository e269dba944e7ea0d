"""The benchmark of verdicts on ideal noise: programs of the literature, and what other verifiers publish of them."""
