"""The programs on which CheckDP was measured, in Python with numpy's noise.

Queries are real numbers of a list that differ by at most 1 between neighbours, each of them, or one of them for sums.
"""

import numpy as np


def sparsevector(queries, rng, epsilon, stop=1, threshold=0):
    """Which queries reach a noisy threshold, until `stop` of them do."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(0, 4 * stop / epsilon) >= noisy_threshold:
            answers.append(True)
            found += 1
            if found == stop:
                break
        else:
            answers.append(False)
    return answers


def svt_monotone(queries, rng, epsilon, stop=1, threshold=0):
    """The same with half of the noise on queries, for queries that all move the same way."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(0, 2 * stop / epsilon) >= noisy_threshold:
            answers.append(True)
            found += 1
            if found == stop:
                break
        else:
            answers.append(False)
    return answers


def numsparsevector(queries, rng, epsilon, stop=1, threshold=0):
    """The queries above with fresh noise, and 0 for the others."""
    noisy_threshold = threshold + rng.laplace(0, 3 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(0, 6 * stop / epsilon) >= noisy_threshold:
            answers.append(query + rng.laplace(0, 3 * stop / epsilon))
            found += 1
            if found == stop:
                break
        else:
            answers.append(0)
    return answers


def gapsparsevector(queries, rng, epsilon, stop=1, threshold=0):
    """By how much the noisy queries are above the noisy threshold, and 0 for those below."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        gap = query + rng.laplace(0, 4 * stop / epsilon) - noisy_threshold
        if gap >= 0:
            answers.append(gap)
            found += 1
            if found == stop:
                break
        else:
            answers.append(0)
    return answers


def adaptivesparsevector(queries, rng, epsilon, stop=1, threshold=0, margin=16):
    """Gaps, found with more noise where they are large, at half of the cost of the others."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, spent = [], 0  # in units of epsilon / (8 stop)
    for query in queries:
        gap = query + rng.laplace(0, 8 * stop / epsilon) - noisy_threshold
        if gap >= margin:
            answers.append(gap)
            spent += 2
        else:
            gap = query + rng.laplace(0, 4 * stop / epsilon) - noisy_threshold
            if gap >= 0:
                answers.append(gap)
                spent += 4
            else:
                answers.append(0)
        if spent + 4 > 4 * stop:
            break
    return answers


def noisymax(queries, rng, epsilon):
    """The index of the greatest noisy query."""
    return int(np.argmax(np.array(queries) + rng.laplace(0, 2 / epsilon, size=len(queries))))


def partialsum(queries, rng, epsilon):
    """The sum of all queries with noise."""
    return sum(queries) + rng.laplace(0, 1 / epsilon)


def smartsum(queries, rng, epsilon, block=2):
    """All sums of the first queries, from noisy sums of blocks."""
    answers, total, start, inside = [], 0, 0, 0
    for i, query in enumerate(queries):
        inside = inside + query
        if (i + 1) % block == 0:
            start = start + inside + rng.laplace(0, 1 / epsilon)
            total, inside = start, 0
        else:
            total = total + query + rng.laplace(0, 1 / epsilon)
        answers.append(total)
    return answers


def badsparsevector1(queries, rng, epsilon, stop=1, threshold=0):
    """No noise on queries."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query >= noisy_threshold:
            answers.append(True)
            found += 1
            if found == stop:
                break
        else:
            answers.append(False)
    return answers


def badsparsevector2(queries, rng, epsilon, threshold=0):
    """No stop."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    return [query + rng.laplace(0, 2 / epsilon) >= noisy_threshold for query in queries]


def badsparsevector3(queries, rng, epsilon, stop=1, threshold=0):
    """Noise that does not grow with the number of answers above, and too little of it."""
    noisy_threshold = threshold + rng.laplace(0, 4 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(0, 4 / (3 * epsilon)) >= noisy_threshold:
            answers.append(True)
            found += 1
            if found == stop:
                break
        else:
            answers.append(False)
    return answers


def badgap(queries, rng, epsilon, stop=1, threshold=0):
    """The noisy query itself in place of the gap."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        noisy = query + rng.laplace(0, 4 * stop / epsilon)
        if noisy >= noisy_threshold:
            answers.append(noisy)
            found += 1
            if found == stop:
                break
        else:
            answers.append(0)
    return answers


def badadaptive(queries, rng, epsilon, stop=1, threshold=0, margin=16):
    """The noisy query itself in place of the gap, in the adaptive sparse vector."""
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, spent = [], 0
    for query in queries:
        noisy = query + rng.laplace(0, 8 * stop / epsilon)
        if noisy - noisy_threshold >= margin:
            answers.append(noisy)
            spent += 2
        else:
            noisy = query + rng.laplace(0, 4 * stop / epsilon)
            if noisy - noisy_threshold >= 0:
                answers.append(noisy)
                spent += 4
            else:
                answers.append(0)
        if spent + 4 > 4 * stop:
            break
    return answers


def badnoisymax(queries, rng, epsilon):
    """The greatest noisy query itself."""
    return np.max(np.array(queries) + rng.laplace(0, 2 / epsilon, size=len(queries)))


def badpartialsum(queries, rng, epsilon):
    """Half of the noise."""
    return sum(queries) + rng.laplace(0, 1 / (2 * epsilon))


def badsmartsum(queries, rng, epsilon, block=2):
    """No noise at the end of a block."""
    answers, total, start, inside = [], 0, 0, 0
    for i, query in enumerate(queries):
        inside = inside + query
        if (i + 1) % block == 0:
            start = start + inside
            total, inside = start, 0
        else:
            total = total + query + rng.laplace(0, 1 / epsilon)
        answers.append(total)
    return answers
