"""Symmetric properties from prevalences: linear estimators, their private forms, and bounds of the effect of noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import ln_bounds

Prevalences = Iterable[tuple[int, int]]
"""Pairs (r, how many counts equal r), for r >= 1, each r at most once."""


@dataclass(frozen=True, slots=True)
class LinearEstimator:
    """The estimate constant + sum of coefficient(r, n) phi_r from the prevalences phi of n samples.

    `coefficient(0, n)` counts as 0. `constant` is 0 in the source, whose form does not cover the distance to
    uniformity, to which unseen labels contribute.
    """

    name: str
    coefficient: Callable[[int, int], Fraction]
    constant: Fraction = Fraction(0)

    def estimate(self, prevalences: Prevalences, n: int) -> Fraction:
        """Return the estimate from prevalences, for n >= 1 samples.

        Raises: InputError for n < 1.
        """
        if n < 1:
            raise InputError(given=f"n={n}", needed="at least one sample", remedy="use private_estimate for N = 0")
        return self.constant + sum((self.coefficient(r, n) * many for r, many in prevalences), Fraction(0))

    def lipschitz(self, n: int, *, largest: int) -> Fraction:
        """Return the greatest step |f(r + 1, n) - f(r, n)| for 0 <= r < largest, with f(0, n) = 0.

        Claims: the estimates from two histograms with counts up to `largest` differ by at most this times their
                sorted distance; no smaller factor will do.
        Source: anonymized-histograms, Section 3.2, with |f(1, n)| where the text has f(1, n).
        """
        steps, before = [Fraction(0)], Fraction(0)
        for r in range(1, largest + 1):
            value = self.coefficient(r, n)
            steps.append(abs(value - before))
            before = value
        return max(steps)


def private_estimate(estimator: LinearEstimator, released: Prevalences, total: int) -> Fraction:
    """Return the estimate from a released histogram and its released total; 0 where the total is 0.

    Claims: as private as the release: it is post-processing.
    Source: anonymized-histograms, Section 3.2, the modified estimator.
    Raises: InputError for a negative total.
    """
    if total < 0:
        raise InputError(given=f"a total of {total}", needed="a total >= 0", remedy="pass the N that was released")
    return estimator.estimate(released, total) if total else Fraction(0)


def entropy_lo(*, bits: int = 64) -> LinearEstimator:
    """Estimate the entropy, in nats, by that of the sample: (r/n) ln(n/r) for each label seen, a little below it.

    Claims: at most the entropy of the sample's frequencies, and below it by at most (2 + log2 n) 2^-bits.
    """

    def coefficient(r: int, n: int) -> Fraction:
        return Fraction(r, n) * ln_bounds(Fraction(n, r), bits)[0] if r else Fraction(0)

    return LinearEstimator("entropy", coefficient)


def support_share(*, labels: int) -> LinearEstimator:
    """Estimate the support size as a share of `labels` by the labels seen: 1/labels for each."""
    return LinearEstimator("support size", lambda r, n: Fraction(int(r > 0), labels))


def distance_to_uniformity(*, labels: int) -> LinearEstimator:
    """Estimate the l1 distance to the uniform distribution on `labels` labels by that of the sample.

    The sum over all labels of |n_x/n - 1/labels|; a label not seen adds 1/labels, which gives the constant 1.
    """
    even = Fraction(1, labels)
    return LinearEstimator("distance to uniformity", lambda r, n: abs(Fraction(r, n) - even) - even, Fraction(1))


def rarefied_coverage(*, size: int) -> LinearEstimator:
    """Estimate the support coverage S_m / m for m = `size` <= n: how many labels m samples are expected to show.

    Claims: without bias, since m of the n samples at random are m samples.
    """

    def coefficient(r: int, n: int) -> Fraction:
        return (1 - Fraction(comb(n - r, size), comb(n, size)) if r <= n else Fraction(1)) / size

    return LinearEstimator(f"support coverage of {size}", coefficient)


def smoothed_coverage(*, factor: Fraction, cut: int) -> LinearEstimator:
    """Estimate the support coverage S_m / m for m = (1 + factor) n, beyond the sample, by smoothed Good-Toulmin.

    A label seen r times stands for 1 - (-factor)^r Pr[Bin(cut, 1/(1 + factor)) >= r] labels.

    Requires: factor > 0, cut >= 1.
    Source:   Orlitsky, Suresh and Wu 2016, the estimator that anonymized-histograms, Section 3.2 cites.
    """
    p = 1 / (1 + factor)
    masses = [comb(cut, j) * p**j * (1 - p) ** (cut - j) for j in range(cut + 1)]
    upper_sums = [sum(masses[r:], Fraction(0)) for r in range(cut + 2)]

    def coefficient(r: int, n: int) -> Fraction:
        seen = 1 - (-factor) ** r * upper_sums[r] if r <= cut else Fraction(1)
        return seen / ((1 + factor) * n) if r else Fraction(0)

    return LinearEstimator(f"support coverage of {1 + factor} n", coefficient)


def accounts_exposed(prevalences: Prevalences, guesses: int) -> int:
    """Return the sum of the `guesses` largest counts: the accounts open to an attacker who tries that many labels each.

    Source: anonymized-histograms, Section 1.
    """
    total = 0
    for r, many in sorted(prevalences, reverse=True):
        taken = min(many, guesses)
        total, guesses = total + r * taken, guesses - taken
    return total
