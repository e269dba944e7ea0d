"""The programs on which DiPC was measured, in Python with numpy's noise.

Queries are integers of a list. `epsilon` is a number, or left open for a verdict about all of them.
"""

import numpy as np


def svt1(queries, rng, epsilon, c=1):
    """Sparse vector: which of the queries reach a noisy threshold, the first c of them."""
    threshold = rng.laplace(0, 2 / epsilon)
    answers = []
    for query in queries:
        above = answers.count(True) < c and query + rng.laplace(0, 4 * c / epsilon) >= threshold
        answers.append(above)
    return answers


def svt2(queries, rng, epsilon, c=1):
    """The same with a fresh threshold after each answer above."""
    threshold = rng.laplace(0, 2 * c / epsilon)
    answers = []
    for query in queries:
        above = answers.count(True) < c and query + rng.laplace(0, 4 * c / epsilon) >= threshold
        if above:
            threshold = rng.laplace(0, 2 * c / epsilon)
        answers.append(above)
    return answers


def cut(noisy):
    """Return a noisy number cut to -1, 0 or 1."""
    if noisy <= -1:
        return -1
    return 0 if noisy <= 0 else 1


def svt3(queries, rng, epsilon, c=1):
    """The noisy answers themselves, cut, of the first c above; -2 for the others."""
    threshold = rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        answer = -2
        if found < c:
            noisy = query + rng.laplace(0, 4 * c / epsilon)
            if noisy >= threshold:
                answer = cut(noisy)
                found += 1
        answers.append(answer)
    return answers


def svt3_binary(queries, rng, epsilon, c=1):
    """The same, cut at 0 only; -1 for the others."""
    threshold = rng.laplace(0, 2 / epsilon)
    answers, found = [], 0
    for query in queries:
        answer = -1
        if found < c:
            noisy = query + rng.laplace(0, 4 * c / epsilon)
            if noisy >= threshold:
                answer = 0 if noisy <= 0 else 1
                found += 1
        answers.append(answer)
    return answers


def svt4(queries, rng, epsilon):
    """Too little noise on the queries."""
    threshold = rng.laplace(0, 4 / epsilon)
    answers = []
    for query in queries:
        answers.append(True not in answers and query + rng.laplace(0, 4 / (3 * epsilon)) >= threshold)
    return answers


def svt5(queries, rng, epsilon):
    """No noise on the queries, and no stop."""
    threshold = rng.laplace(0, 2 / epsilon)
    return [query >= threshold for query in queries]


def svt6(queries, rng, epsilon):
    """No stop."""
    threshold = rng.laplace(0, 2 / epsilon)
    return [query + rng.laplace(0, 2 / epsilon) >= threshold for query in queries]


def sparse(queries, rng, epsilon, c=1):
    """Sparse vector with a fresh threshold after each answer above."""
    threshold = rng.laplace(0, 2 * c / epsilon)
    answers = []
    for query in queries:
        above = answers.count(True) < c and query + rng.laplace(0, 4 / epsilon) >= threshold
        if above:
            threshold = rng.laplace(0, 2 / epsilon)
        answers.append(above)
    return answers


def nmax1(queries, rng, epsilon):
    """The index of the greatest of the queries with Laplace noise."""
    return int(np.argmax(np.array(queries) + rng.laplace(0, 2 / epsilon, size=len(queries))))


def nmax2(queries, rng, epsilon):
    """The index of the greatest of the queries with exponential noise."""
    return int(np.argmax(np.array(queries) + rng.exponential(2 / epsilon, size=len(queries))))


def nmax3(queries, rng, epsilon):
    """The greatest of the queries with Laplace noise itself, cut."""
    return cut(np.max(np.array(queries) + rng.laplace(0, 2 / epsilon, size=len(queries))))


def nmax4(queries, rng, epsilon):
    """The greatest of the queries with exponential noise itself, cut."""
    return cut(np.max(np.array(queries) + rng.exponential(2 / epsilon, size=len(queries))))


def randomized_response(bits, rng, epsilon):
    """Each bit, flipped with probability (1 - epsilon) / 2."""
    return [1 - bit if rng.random() < (1 - epsilon) / 2 else bit for bit in bits]


def histogram1(counts, rng, epsilon):
    """Each count with Laplace noise, cut."""
    return [cut(count + rng.laplace(0, 1 / epsilon)) for count in counts]


def histogram2(counts, rng, epsilon):
    """The same with epsilon for the scale in place of its inverse."""
    return [cut(count + rng.laplace(0, epsilon)) for count in counts]
