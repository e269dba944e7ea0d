"""Goodness of fit: whether samples could have come from an exact law, with p-values that hold for every sample size.

This says nothing about privacy, and no verdict uses it. It is for a sampler that runs elsewhere than the audit did: our
own on system coins, or a port of one to another language. Logarithms are taken in floats; every p-value is raised by a
millionth of itself, more than their rounding.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, fsum, inf, lgamma, log, log1p

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import key, show

EXPECTED = 10
"""Outcomes that are expected less often are pooled."""
VECTORS = 200_001
"""The most count vectors for which the multinomial test is exact."""
RAISED = 1 + 1e-6
SLACK = 1e-9
SMALL_BITS = 1000


@dataclass(frozen=True, slots=True)
class Classes:
    """The outcomes of a law in classes, which the law and the number of samples fix before there is a sample.

    `probabilities` sum to 1; `names` are the outcomes as text, and "rare" for all those expected less than EXPECTED
    times, if there are any. `exact` says that the test goes through all count vectors; then nothing is pooled.
    """

    places: dict[Hashable, int]
    names: tuple[str, ...]
    probabilities: tuple[Fraction, ...]
    samples: int
    exact: bool

    @classmethod
    def of(cls, law: Dist, samples: int) -> Classes:
        """Return the classes for `samples` samples of a law.

        Raises: InputError for a law with a tail, or samples < 1.
        """
        if type(samples) is not int or samples < 1:
            raise InputError(given=f"{samples} samples", needed="an int >= 1", remedy="draw some")
        if law.tail:
            remedy = "clamp or bin the outcomes so that their law is exact"
            raise InputError(given=f"a law with a tail of {law.tail}", needed="a law without", remedy=remedy)
        rows = list(law.weights())
        exact = comb(samples + len(rows) - 1, len(rows) - 1) <= VECTORS
        places: dict[Hashable, int] = {}
        names: list[str] = []
        weights: list[int] = []
        rare: list[tuple[Hashable, int]] = []
        for name, outcome, weight in rows:
            if exact or weight * samples >= EXPECTED * law.denominator:
                places[name] = len(names)
                names.append(show(outcome))
                weights.append(weight)
            else:
                rare.append((name, weight))
        if rare:
            places.update((name, len(names)) for name, _ in rare)
            names.append("rare")
            weights.append(sum(weight for _, weight in rare))
        found = tuple(Fraction(weight, law.denominator) for weight in weights)
        return cls(places, tuple(names), found, samples, exact)

    def judge(self, counts: Sequence[int]) -> Fit:
        """Return the fit of a count of each class.

        Requires: counts >= 0 that sum to the number of samples.
        Claims:   where they are counts of independent samples of the law, p <= a with probability at most a, for every
                  a: see `fit`.
        """
        divergence = _divergence(counts, self.samples, self.probabilities)
        cells = [_cell(self.samples, p, x) for p, x in zip(self.probabilities, counts, strict=True)]
        worst = self.names[min(range(len(cells)), key=lambda place: cells[place])]
        if len(counts) == 1:
            return Fit("no choice", self.samples, 1, 0.0, 1.0, worst)
        if self.exact:
            p = _multinomial(divergence, self.samples, self.probabilities)
        else:
            p = 2 * min(_gamma(divergence, len(counts) - 1), len(cells) * min(cells))
        test = "exact multinomial" if self.exact else "G and cells"
        return Fit(test, self.samples, len(counts), 2 * divergence, min(1.0, p * RAISED), worst)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well samples fit a law: the test, its size, G = 2 n KL(found, law), the p-value, and the worst class."""

    test: str
    samples: int
    classes: int
    g: float
    p: float
    worst: str


def fit(law: Dist, outcomes: Iterable[object]) -> Fit:
    """Return how well independent samples fit a law.

    The test is the exact multinomial one, ordered by G, where there are at most VECTORS count vectors. Else it is the
    G-test and the exact two-sided binomial test of each class, p twice the lesser of the first and of the least of the
    second times the number of classes. The p-value of the G-test is bounded by E exp(s G/2) <= (1 - s)^(1 - classes)
    for 0 <= s < 1, which holds for every law and number of samples. It is not asymptotic and needs no least expected
    count.

    Claims: under the law p <= a with probability at most a, for every a. An outcome that the law does not have gives
            p = 0.
    Source: Agrawal 2020, Finite-sample concentration of the multinomial in relative entropy.
    Raises: InputError for no samples, or a law with a tail.
    """
    found = list(outcomes)
    classes = Classes.of(law, len(found))
    counts = [0] * len(classes.names)
    for outcome in found:
        place = classes.places.get(key(outcome))
        if place is None:
            return Fit("outside the law", len(found), len(counts), inf, 0.0, show(outcome))
        counts[place] += 1
    return classes.judge(counts)


def holm(p_values: Sequence[float], alpha: float) -> list[int]:
    """Return the places of the rejected hypotheses, least p first.

    Claims: if the p-values of the true hypotheses are valid, then one of these is rejected with probability at most
            alpha, however dependent they are.
    Source: Holm 1979.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for rank, place in enumerate(order):
        if p_values[place] > alpha / (len(order) - rank):
            return order[:rank]
    return order


def at_least(n: int, p: Fraction, k: int) -> float:
    """Return Pr[X >= k] for X binomial, the number of successes in n trials of probability p."""
    a, b = p.numerator, p.denominator
    if k <= 0 or a == b:
        return 1.0 if k <= n else 0.0
    if k > n or a == 0:
        return 0.0
    rest = Fraction(b - a, b)
    if k * b <= n * a:
        return max(0.0, 1 - at_least(n, rest, n - k + 1))
    logs = _log(p), _log(rest)
    odds = exp(logs[0] - logs[1])
    term = exp(_log_pmf((k, n - k), n, logs))
    total = 0.0
    for x in range(k, n + 1):
        total += term
        if term < total * 1e-17:
            break
        term *= (n - x) / (x + 1) * odds
    return total


def _cell(n: int, p: Fraction, x: int) -> float:
    """Return the two-sided binomial p-value: twice the probability of x or further from the mean on its side."""
    one_side = at_least(n, p, x) if x * p.denominator > n * p.numerator else at_least(n, 1 - p, n - x)
    return min(1.0, 2 * one_side)


def _gamma(divergence: float, degrees: int) -> float:
    """Return the least bound on Pr[G >= divergence] from the moments of a gamma variable G of that shape."""
    if divergence <= degrees:
        return 1.0
    return exp(degrees - divergence + degrees * log(divergence / degrees))


def _multinomial(divergence: float, n: int, probabilities: Sequence[Fraction]) -> float:
    """Return the probability of all count vectors whose divergence is at least this one."""
    logs = [_log(p) for p in probabilities]
    least = divergence - SLACK * (1 + divergence)
    return fsum(
        exp(_log_pmf(counts, n, logs))
        for counts in _vectors(n, len(logs))
        if _divergence(counts, n, probabilities, logs) >= least
    )


def _vectors(n: int, classes: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to spread n samples over the classes."""
    if classes == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _vectors(n - first, classes - 1):
            yield (first, *rest)


def _divergence(
    counts: Sequence[int], n: int, probabilities: Sequence[Fraction], logs: Sequence[float] | None = None
) -> float:
    """Return n KL(counts / n, probabilities)."""
    logs = [_log(p) for p in probabilities] if logs is None else logs
    return max(0.0, fsum(x * (log(x / n) - each) for x, each in zip(counts, logs, strict=True) if x))


def _log_pmf(counts: Sequence[int], n: int, logs: Sequence[float]) -> float:
    parts = (x * each - lgamma(x + 1) for x, each in zip(counts, logs, strict=True) if x)
    return lgamma(n + 1) + fsum(parts)


def _log(p: Fraction) -> float:
    """Return ln p for 0 < p <= 1, also where p is near 1 or too small for a float."""
    a, b = p.numerator, p.denominator
    if 2 * a > b:
        return log1p((a - b) / b)
    return log(a) - log(b) if b.bit_length() - a.bit_length() > SMALL_BITS else log(a / b)
