"""Programs with numpy's noise, as their authors write them."""

import math

import numpy as np


def sparse_vector(queries, rng, eps=1, stop=1):
    threshold = rng.laplace(0, 2 / eps)
    answers, found = [], 0
    for query in queries:
        if found < stop and query + rng.laplace(0, 4 * stop / eps) >= threshold:
            answers.append(True)
            found += 1
        else:
            answers.append(False)
    return answers


def without_query_noise(queries, rng, eps=1):
    threshold = rng.laplace(0, 2 / eps)
    return [query >= threshold for query in queries]


def noisy_max(counts, rng, eps=1):
    noisy = np.array(counts) + rng.laplace(scale=2 / eps, size=len(counts))
    return int(np.argmax(noisy))


def order(counts, rng):
    return tuple(int(i) for i in np.argsort(np.array(counts) + rng.laplace(0, 2, size=len(counts))))


def threshold(count, rng):
    return bool(count + rng.laplace(0, 1) > 1)


def two_sided(rng, epsilon=1):
    p = 1 - math.exp(-epsilon)
    return rng.geometric(p) - rng.geometric(p)
