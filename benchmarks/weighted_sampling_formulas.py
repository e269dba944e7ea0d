"""Private weighted sampling and stability-based histograms in floats: what the figures of weighted-sampling plot.

Closed forms, in arrays. `agree` holds them against the exact code at small parameters.
"""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dpcert.mechanisms.weighted_sampling.gains import laplace_reporting
from dpcert.mechanisms.weighted_sampling.pws_estimators import maximum_likelihood
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows

Array = np.ndarray[Any, np.dtype[np.float64]]


def threshold(epsilon: float, delta: float) -> float:
    """Return the printed threshold."""
    return 1 + math.log(1 / delta) / epsilon


def reporting(q: Array, epsilon: float, delta: float) -> Array:
    """Return pi_i for frequencies 0, 1, ..., by Algorithm 3; q has the same places."""
    found, ratio = np.zeros(q.size), math.exp(epsilon)
    for i in range(1, q.size):
        before = found[i - 1]
        found[i] = min(q[i], ratio * before + delta, 1 + (before + delta - 1) / ratio)
    return found


def rows(q: Array, epsilon: float, delta: float) -> Array:
    """Return the matrix of Algorithm 4: row i has the probabilities of no report and of values 1, 2, ..."""
    imax, ratio, pi = q.size - 1, math.exp(epsilon), reporting(q, epsilon, delta)
    matrix = np.zeros((imax + 1, imax + 1))
    matrix[0, 0] = 1
    for i in range(1, imax + 1):
        before = matrix[i - 1, 1:i]
        silent = max(matrix[i - 1, 0] / ratio - (1 - pi[i]), 0)
        least = np.maximum.accumulate(np.maximum((np.cumsum(before) - delta) / ratio + silent, 0))
        above = np.append(np.cumsum(before[::-1])[::-1], 0)
        suffix = np.minimum(ratio * above + delta, pi[i] - np.insert(least, 0, 0))
        matrix[i, 0], matrix[i, 1 : i + 1] = 1 - pi[i], suffix - np.append(suffix[1:], 0)
    return matrix


def likeliest(matrix: Array) -> Array:
    """Return what each value counts for by maximum likelihood, g(i) = i; of equal columns the least frequency."""
    columns = matrix[:, 1:]
    frequency = np.argmax(columns >= columns.max(axis=0) * (1 - 1e-12), axis=0)
    reported = 1 - matrix[frequency, 0]
    return np.insert(np.where(reported > 0, frequency / np.where(reported > 0, reported, 1), 0), 0, 0)


def moments(q: Array, epsilon: float, delta: float) -> tuple[Array, Array]:
    """Return bias and variance of PWS's estimate of frequencies 0, 1, ..."""
    matrix = rows(q, epsilon, delta)
    counts, i = likeliest(matrix), np.arange(matrix.shape[0])
    mean, square = matrix @ counts, matrix @ counts**2
    return mean - i, square - mean**2


def part(power: int, lo: float, hi: float, i: float, epsilon: float) -> float:
    """Return the integral of j^power epsilon e^(-epsilon |j - i|)/2 from lo to hi, which lie on one side of i."""
    sign = -1 if lo >= i else 1

    def at(x: float) -> float:
        if math.isinf(x):
            return 0.0
        powers = (sign, sign * x - 1 / epsilon, sign * x * x - 2 * x / epsilon + 2 * sign / epsilon**2)
        return powers[power] * math.exp(sign * epsilon * (x - i)) / 2

    return at(hi) - at(lo)


def whole(i: float, epsilon: float, least: float, knee: float, before: tuple[int, float], power: int) -> float:
    """Return the integral against Laplace's density from `least`: before the knee of c j^n, beyond it of j^power."""
    ends = [*sorted({least, *(x for x in (i, knee) if x > least)}), math.inf]
    found = 0.0
    for lo, hi in pairwise(ends):
        found += before[1] * part(before[0], lo, hi, i, epsilon) if hi <= knee else part(power, lo, hi, i, epsilon)
    return found


def baseline_priority(imax: int, epsilon: float, delta: float, tau: float) -> tuple[Array, Array, Array]:
    """Return reporting probability, bias and variance of sampled-SbH for frequencies 0, 1, ..., priority sampling."""
    least, knee, found = threshold(epsilon, delta), 1 / tau, [(0.0, 0.0, 0.0)]
    for i in range(1, imax + 1):
        mean = whole(i, epsilon, least, 0, (0, 0.0), 1)
        square = whole(i, epsilon, least, knee, (1, 1 / tau), 2)
        found.append((whole(i, epsilon, least, knee, (1, tau), 0), mean - i, square - mean**2))
    reported, bias, variance = np.array(found).T
    return reported, bias, variance


def baseline_ppswor(frequencies: Array, epsilon: float, delta: float, tau: float) -> Array:
    """Return how often sampled-SbH reports keys of these frequencies under ppswor sampling: equation (51)."""
    i, least = frequencies, threshold(epsilon, delta)
    rest, far = epsilon / (epsilon + tau), np.exp(-epsilon * np.abs(i - least))
    early = far / 2 * (1 - rest * math.exp(-least * tau))
    if math.isclose(epsilon, tau):
        mixed = -epsilon / 2 * (i - least) * np.exp(-epsilon * i)
    else:
        mixed = epsilon / (2 * (epsilon - tau)) * (far * math.exp(-tau * least) - np.exp(-tau * i))
    return np.where(i >= least, 1 - far / 2 - rest / 2 * np.exp(-tau * i) + mixed, early)


def baseline(frequencies: Array, epsilon: float, delta: float, *, slack: float = 1) -> Array:
    """Return how often SbH reports keys of these frequencies: equation (49); with slack 2, at the least threshold."""
    grown = np.exp(np.minimum(math.log(min(slack * delta, 1)) + epsilon * (frequencies - 1), 700))
    return np.where(grown <= 1, grown / 2, 1 - 1 / (2 * np.maximum(grown, 1)))


def agree() -> None:
    """Hold the floats against exact arithmetic at small parameters.

    Raises: ArithmeticError where they are further apart than rounding.
    """
    ratio, delta = Fraction(3, 2), Fraction(1, 100)
    q = [min(Fraction(1), Fraction(i, 9)) for i in range(1, 21)]
    exact = discrete_rows(q=q, ratio=ratio, delta=delta)
    epsilon, rates = math.log(1.5), np.array([0.0, *map(float, q)])
    found = rows(rates, epsilon, 0.01)
    pairs = [(float(p), found[i, j]) for i, row in enumerate(exact) for j, p in enumerate(row)]
    pairs += zip(map(float, maximum_likelihood(rows=exact, g=lambda i: i)), likeliest(found), strict=True)
    phi = baseline(np.arange(1.0, 21), epsilon, 0.01)
    pairs += zip(map(float, laplace_reporting(imax=20, ratio=ratio, delta=delta)), phi, strict=True)
    pairs += zip(phi, baseline_priority(20, epsilon, 0.01, 1.0)[0][1:], strict=True)
    pairs += zip(phi, baseline_ppswor(np.arange(1.0, 21), epsilon, 0.01, 50.0), strict=True)
    if max(abs(a - b) for a, b in pairs) > 1e-9:
        raise ArithmeticError("floats and exact arithmetic disagree")
