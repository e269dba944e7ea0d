"""Loops over lists of any length, private and not, for the tests."""


def redrawn(queries, rng, epsilon):
    """A fresh threshold after each of three answers above."""
    threshold = rng.laplace(0, 6 / epsilon)
    answers, found = [], 0
    for query in queries:
        above = query + rng.laplace(0, 12 / epsilon) >= threshold
        answers.append(above)
        if above:
            found += 1
            if found == 3:
                break
            threshold = rng.laplace(0, 6 / epsilon)
    return answers


def index_of_first(queries, rng, epsilon):
    """The index of the first query above."""
    threshold = rng.laplace(0, 2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.laplace(0, 4 / epsilon) >= threshold:
            return i
    return None


def noisy_total(queries, rng, epsilon):
    """A sum by a loop, kept in a function's own variable."""
    total = 0.0

    def add(query):
        nonlocal total
        total = total + query

    for query in queries:
        add(query)
    return total + rng.laplace(0, 1 / epsilon)


def one_sided(queries, rng, epsilon):
    """Exponential noise on the queries, for which a shift upwards alone has a price."""
    threshold = rng.laplace(0, 2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.exponential(4 / epsilon) >= threshold:
            return i
    return None


def coins_beside(queries, rng, epsilon):
    """Each count with noise, or its place alone, by a coin."""
    return [query + rng.laplace(0, 1 / epsilon) if rng.integers(0, 2) else None for query in queries]


def every_other(queries, rng, epsilon):
    """Noise on the first of every three counts alone, and nothing of the others."""
    answers = []
    for i, query in enumerate(queries):
        if i % 3 == 0:
            answers.append(query + rng.laplace(0, 1 / epsilon))
    return answers


PRIVATE = [  # with the relation and the bound
    (redrawn, "linf", "1"),
    (index_of_first, "linf", "1"),
    (noisy_total, "l1", "1"),
    (coins_beside, "l1", "1"),
    (every_other, "l1", "1"),
    (one_sided, "linf", "1"),
]


def threshold_each_turn(queries, rng, epsilon):
    """A threshold that is drawn anew for each query."""
    answers = []
    for query in queries:
        answers.append(query + rng.laplace(0, 4 / epsilon) >= rng.laplace(0, 2 / epsilon))
    return answers


def noise_once(queries, rng, epsilon):
    """The noise of all queries drawn once."""
    threshold, noise = rng.laplace(0, 2 / epsilon), rng.laplace(0, 4 / epsilon)
    for i, query in enumerate(queries):
        if query + noise + rng.laplace(0, 1 / epsilon) - noise >= threshold - noise:
            return i
    return None


def stops_too_late(queries, rng, epsilon):
    """One answer above more than the noise is for, after the first."""
    threshold = rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(0, 4 / epsilon) >= threshold:
            answers.append(True)
            found += 1
            if found > 1:
                break
        else:
            answers.append(False)
    return answers


def tells_last(queries, rng, epsilon):
    """The last query itself, kept from turn to turn."""
    last = 0.0
    for query in queries:
        last = query
    return last


def tells_sum_of_noise(queries, rng, epsilon):
    """The noise beside each noisy count."""
    answers = []
    for query in queries:
        noise = rng.laplace(0, 1 / epsilon)
        answers.append((query + noise, noise))
    return answers


def counts_above(queries, rng, epsilon):
    """How many are above: one more with each."""
    threshold = rng.laplace(0, 2 / epsilon)
    count = 0
    for query in queries:
        if query + rng.laplace(0, 4 / epsilon) >= threshold:
            count += 1
    return count


def sums_all(queries, rng, epsilon):
    """A sum of counts all of which may differ."""
    return sum(queries) + rng.laplace(0, 1 / epsilon)


def twice_told(queries, rng, epsilon):
    """Each noisy count twice, with noise of its own."""
    answers = []
    for query in queries:
        answers.append(query + rng.laplace(0, 1 / epsilon))
        answers.append(query + rng.laplace(0, 1 / epsilon))
    return answers


NOT_PRIVATE = [  # at (1, 0), with the relation
    (threshold_each_turn, "linf"),
    (noise_once, "linf"),
    (stops_too_late, "linf"),
    (tells_last, "linf"),
    (tells_last, "l1"),
    (tells_sum_of_noise, "l1"),
    (counts_above, "linf"),
    (sums_all, "linf"),
    (twice_told, "l1"),
    (coins_beside, "linf"),
]
