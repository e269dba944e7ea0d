"""What ShadowDP and StatDP were measured on beyond the programs of DiPC and CheckDP."""

import numpy as np


def prefixsum(queries, rng, epsilon):
    """All sums of the first queries, each query with its own noise."""
    answers, total = [], 0
    for query in queries:
        total = total + query + rng.laplace(0, 1 / epsilon)
        answers.append(total)
    return answers


def noisymax2(queries, rng, epsilon):
    """StatDP's noisy maximum 2: the index of the greatest query with exponential noise."""
    return int(np.argmax(np.array(queries) + rng.exponential(2 / epsilon, size=len(queries))))


def noisymax3(queries, rng, epsilon):
    """StatDP's noisy maximum 3, wrong: the greatest query with Laplace noise itself."""
    return np.max(np.array(queries) + rng.laplace(0, 2 / epsilon, size=len(queries)))


def noisymax4(queries, rng, epsilon):
    """StatDP's noisy maximum 4, wrong: the greatest query with exponential noise itself."""
    return np.max(np.array(queries) + rng.exponential(2 / epsilon, size=len(queries)))


def histogram(queries, rng, epsilon):
    """StatDP's histogram: each count with noise."""
    return [query + rng.laplace(0, 1 / epsilon) for query in queries]


def badhistogram(queries, rng, epsilon):
    """StatDP's histogram, wrong: the scale is epsilon in place of its inverse."""
    return [query + rng.laplace(0, epsilon) for query in queries]
