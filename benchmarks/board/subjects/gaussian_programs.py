"""The programs of approximate-dp's examples, written anew in Python: noise as real numbers, epsilon = 1/2.

`gauss(eps / k, m)` of the examples is normal noise of mean m and standard deviation k / eps.
"""

import dpcert

EPSILON = 0.5
CLAIM = dpcert.ApproxDP(epsilon="1/2", delta="1/100")
CLOSE = [(0, 0, 0), (1, 1, 1), (1, 0, 1), (0, 1, 0)]


def claimed(program):
    return dpcert.target(guarantee=CLAIM, inputs=CLOSE, neighbours="linf", noise="ideal")(program)


def noisy(mean, scale, rng):
    return rng.normal(mean, scale / EPSILON)


@claimed
def sparse_vector(queries, rng):
    """Say which query is first below a noisy threshold."""
    threshold = noisy(0, 2, rng)
    for place, query in enumerate(queries):
        if noisy(query, 4, rng) < threshold:
            return place
    return None


@claimed
def sparse_vector_without_noise(queries, rng):
    """Say which query is first below a noisy threshold; the queries have no noise."""
    threshold = noisy(0, 1, rng)
    for place, query in enumerate(queries):
        if query < threshold:
            return place
    return None


@claimed
def noisy_max(queries, rng):
    values = [noisy(query, 2, rng) for query in queries]
    return max(range(len(values)), key=values.__getitem__)


@claimed
def noisy_min(queries, rng):
    values = [noisy(query, 2, rng) for query in queries]
    return min(range(len(values)), key=values.__getitem__)


@claimed
def ranges(queries, rng):
    """Say of each query whether it lies between two noisy bounds, until the first that does not."""
    high, low = noisy(1, 4, rng), noisy(0, 4, rng)
    inside = 0
    for query in queries:
        if not low < noisy(query, 2, rng) < high:
            break
        inside += 1
    return inside


@dpcert.target(guarantee=CLAIM, inputs=[(0,), (1,), (-1,)], neighbours="linf", noise="ideal")
def range_of_one(queries, rng):
    return ranges.function(queries, rng)


@claimed
def between_extremes(queries, rng):
    """Say whether the last query lies between the least and the greatest of the others."""
    first, second, last = (noisy(query, 2, rng) for query in queries)
    return min(first, second) < last < max(first, second)
