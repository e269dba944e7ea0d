"""Checks of the estimates from sanitized frequencies: Section 7.1 and Appendices E and F of weighted-sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_estimators import (
    biased_down,
    linear_statistic,
    maximum_likelihood,
    moments,
    unbiased,
)
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.frequencies import RATIOS, integral_delta, rows_grid

__all__ = ["ESTIMATORS"]

ZERO = Fraction(0)
DELTAS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5), Fraction(1, 10))
LENGTH = 12
STATISTICS: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("i", lambda i: i),
    ("1", lambda i: min(i, 1)),
    ("i^2", lambda i: i * i),
    ("min(i, 2)", lambda i: min(i, 2)),
)


def _unsampled() -> Iterator[tuple[Fraction, Fraction, list[Row]]]:
    for ratio, delta in product(RATIOS, DELTAS):
        yield ratio, delta, discrete_rows(q=[Fraction(1)] * LENGTH, ratio=ratio, delta=delta)


def pws_unbiased() -> Finding:
    """The recursion solves the triangular system: every mean is g(i)."""
    return first(
        f"e^epsilon = {ratio}, delta = {delta}, g = {name}, i = {i}"
        for ratio, delta, rows in _unsampled()
        for name, g in STATISTICS
        for i, row in enumerate(rows)
        if moments(row=row, estimates=unbiased(rows=rows, g=g), meant=g(i)).bias
    )


def _negative(holds: Callable[[Fraction, Fraction], bool]) -> Finding:
    """Whether an estimate is negative, at every e^epsilon and delta of the grid for which the condition holds."""

    def witnesses() -> Iterator[tuple[Fraction, Fraction, str]]:
        for ratio, delta, rows in _unsampled():
            estimates = unbiased(rows=rows, g=lambda i: i)
            if holds(ratio, delta) and min(estimates) >= 0:
                some = ", ".join(map(str, estimates[1:7]))
                yield ratio, -delta, f"e^epsilon = {ratio}, delta = {delta}, i <= {LENGTH}: values count {some}, ..."

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[2])


def pws_no_unbiased_printed() -> Finding:
    """Lemma F.1 as printed: for every epsilon and delta."""
    return _negative(lambda ratio, delta: True)


def pws_no_unbiased_corrected() -> Finding:
    """Lemma F.1 where e^(epsilon (h-1)) > h for some h <= L + 1."""

    def early(ratio: Fraction, delta: Fraction) -> bool:
        h, pi = 1, delta
        while pi <= (1 - delta) / (1 + ratio):  # as long as h <= L
            h, pi = h + 1, ratio * pi + delta
            if ratio ** (h - 1) > h:
                return True
        return False

    return _negative(early)


def pws_early_tokens() -> Finding:
    """Values that frequency 1 reports are reported e^(epsilon (h-1)) times as often on h <= L + 1."""

    def witnesses() -> Iterator[str]:
        for ratio in RATIOS:
            for length in range(5):
                delta = integral_delta(ratio, length)
                rows = discrete_rows(q=[Fraction(1)] * (length + 1), ratio=ratio, delta=delta)
                estimate = unbiased(rows=rows, g=lambda i: i)[1]
                for h in range(1, length + 2):
                    grown = ratio ** (h - 1)
                    if rows[h][1] != grown * rows[1][1] or rows[h][1] * estimate != grown:
                        yield f"e^epsilon = {ratio}, L = {length}, h = {h}"

    return first(witnesses())


def pws_overshoot() -> Finding:
    """At epsilon = 1 and L >= 1: values of frequency 1 add over 2 on frequency 2, and another value counts below 0."""
    ratio = Epsilon.of("1").exp_bounds(64)[0]  # just below e, and above 2
    return first(
        f"delta = {delta}"
        for delta in (Fraction(1, 5), Fraction(1, 10), Fraction(1, 100))
        for rows in [discrete_rows(q=[Fraction(1)] * 2, ratio=ratio, delta=delta)]
        for estimates in [unbiased(rows=rows, g=lambda i: i)]
        if rows[2][1] * estimates[1] != ratio or ratio <= 2 or estimates[2] >= 0
    )


def _variance(least: Callable[[Fraction], Fraction]) -> Finding:
    def witnesses() -> Iterator[tuple[Fraction, Fraction, str]]:
        for ratio, delta, rows in _unsampled():
            found = moments(row=rows[1], estimates=unbiased(rows=rows, g=lambda i: i), meant=1).variance
            if found < least(delta):
                yield ratio, -delta, f"e^epsilon = {ratio}, delta = {delta}: a key of frequency 1 has variance {found}"

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[2])


def pws_variance_printed() -> Finding:
    """A key of frequency 1 has variance at least 1/delta."""
    return _variance(lambda delta: 1 / delta)


def pws_variance_corrected() -> Finding:
    """A key of frequency 1 has variance at least 1/delta - 1."""
    return _variance(lambda delta: 1 / delta - 1)


def _mean_at_one(meant: Callable[[Fraction], Fraction]) -> Finding:
    def witnesses() -> Iterator[tuple[Fraction, Fraction, str]]:
        for ratio, delta, rows in _unsampled():
            found = moments(row=rows[1], estimates=unbiased(rows=rows, g=lambda i: i), meant=1).mean
            if found != meant(delta):
                yield ratio, -delta, f"e^epsilon = {ratio}, delta = {delta}: the mean on frequency 1 is {found}"

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[2])


def pws_mean_at_one_printed() -> Finding:
    """The mean of an unbiased estimate on frequency 1 is 1/delta."""
    return _mean_at_one(lambda delta: 1 / delta)


def pws_mean_at_one_corrected() -> Finding:
    """The mean of an unbiased estimate on frequency 1 is 1; given a report, it is 1/delta."""
    return _mean_at_one(lambda delta: Fraction(1))


def pws_biased_down() -> Finding:
    """The estimates (41) are >= 0 and their means at most g; (42) for a frequency grows with the value."""

    def witnesses() -> Iterator[str]:
        for algorithm in (4, 5):
            for where, _, _, _, rows in rows_grid(algorithm, 5):
                for name, g in STATISTICS:
                    estimates = biased_down(rows=rows, g=g)
                    for i, row in enumerate(rows):
                        if moments(row=row, estimates=estimates, meant=g(i)).bias > 0 or min(estimates) < 0:
                            yield f"Algorithm {algorithm}, {where}, g = {name}, i = {i}"
                        rest, mass, before = Fraction(g(i)), 1 - row[0], ZERO
                        for a, entry in zip(estimates[1:], row[1:], strict=False):
                            if entry:
                                if rest / mass < before:
                                    yield f"Algorithm {algorithm}, {where}, g = {name}, i = {i}: (42)"
                                before = rest / mass
                            rest, mass = rest - a * entry, mass - entry

    return first(witnesses())


def pws_biased_down_increases_printed() -> Finding:
    """The estimates (41) do not decrease with the value."""

    def witnesses() -> Iterator[tuple[int, Fraction, Fraction, str]]:
        for ratio, delta, text in product(RATIOS, DELTAS, ("1", "1/10, 1/2", "priority:1/4")):
            rows = discrete_rows(q=sampling_probabilities(text, 4), ratio=ratio, delta=delta)
            estimates = biased_down(rows=rows, g=lambda i: i)
            for j, (a, b) in enumerate(pairwise(estimates)):
                if b < a:
                    where = f"e^epsilon = {ratio}, delta = {delta}, q = {text}, m = 4, g = i"
                    yield j, ratio, -delta, f"{where}: values {j} and {j + 1} count {a} and {b}"

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[3])


def pws_biased_down_increases_corrected() -> Finding:
    """Without sampling, the estimates (41) of g = i do not decrease with the value."""
    return first(
        f"e^epsilon = {ratio}, delta = {delta}"
        for ratio, delta, rows in _unsampled()
        for a, b in pairwise(biased_down(rows=rows, g=lambda i: i))
        if b < a
    )


def _terms(most: Callable[[int], int]) -> Finding:
    def witnesses() -> Iterator[tuple[int, Fraction, str]]:
        for ratio in RATIOS:
            for length in range(1, 5):
                rows = discrete_rows(
                    q=[Fraction(1)] * (4 * length + 3), ratio=ratio, delta=integral_delta(ratio, length)
                )
                found = max(sum(1 for row in rows[j:] if row[j]) for j in range(1, len(rows)))
                if found > most(length):
                    yield length, ratio, f"e^epsilon = {ratio}, L = {length}: {found} frequencies report a value"

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[2])


def pws_terms_printed() -> Finding:
    """Without sampling and for integral L, at most 2L frequencies report a value."""
    return _terms(lambda length: 2 * length)


def pws_terms_corrected() -> Finding:
    """Without sampling and for integral L, at most 2L + 1 frequencies report a value."""
    return _terms(lambda length: 2 * length + 1)


def pws_likelihood_errs() -> Finding:
    """At every e^epsilon of the grid the estimate (11) of g = i is too great in the mean somewhere, or too small."""

    def biases(ratio: Fraction) -> Iterator[Fraction]:
        for text in ("1", "1/10, 1/5, 1/2"):
            rows = discrete_rows(q=sampling_probabilities(text, LENGTH), ratio=ratio, delta=Fraction(1, 10))
            estimates = maximum_likelihood(rows=rows, g=lambda i: i)
            for i, row in enumerate(rows):
                yield moments(row=row, estimates=estimates, meant=i).bias

    return first(f"e^epsilon = {ratio}" for ratio in RATIOS if not min(biases(ratio)) < 0 < max(biases(ratio)))


def pws_moments() -> Finding:
    """The moments of one key, and of a sum over keys, are those of the law of what is reported."""

    def witnesses() -> Iterator[str]:
        for where, _, _, _, rows in rows_grid(4, 3):
            estimates = maximum_likelihood(rows=rows, g=lambda i: i)
            law = Dist.of(
                ((x, y), p * q) for (x, p), (y, q) in product(enumerate(rows[2]), enumerate(rows[3])) if p * q
            )

            def estimate(values: tuple[int, int], estimates: tuple[Fraction, ...] = estimates) -> Fraction:
                pairs = [(key, value) for key, value in zip("ab", values, strict=True) if value]
                return linear_statistic(
                    sanitized=pairs, estimates=estimates, selects=lambda key: 3 if key == "a" else -1
                )

            one, two = (moments(row=rows[i], estimates=estimates, meant=i) for i in (2, 3))
            mean, meant = law.expectation(estimate), 3 * 2 - 3
            variance = sum(p * (estimate(values) - mean) ** 2 for values, p in law.items())
            error = sum(p * (estimate(values) - meant) ** 2 for values, p in law.items())
            if (mean - meant, variance) != (3 * one.bias - two.bias, 9 * one.variance + two.variance):
                yield where
            if error != variance + (mean - meant) ** 2:
                yield where

    return first(witnesses())


def pws_inverse_probability() -> Finding:
    """g(i)/q_i for a sampled key has mean g(i) and variance g(i)^2 (1/q_i - 1); sums over keys add both up."""

    def witnesses() -> Iterator[str]:
        for name, g in STATISTICS:
            for q in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
                rates = (q, min(2 * q, Fraction(1)))
                found = [
                    moments(row=(1 - rate, rate), estimates=(ZERO, g(i) / rate), meant=g(i))
                    for i, rate in enumerate(rates, 1)
                ]
                variances = [g(i) ** 2 * (1 / rate - 1) for i, rate in enumerate(rates, 1)]
                sums = [
                    (3 * a * g(1) / rates[0] + b * g(2) / rates[1], p * r)
                    for (a, p), (b, r) in product(*([(0, 1 - rate), (1, rate)] for rate in rates))
                ]
                mean = sum((value * p for value, p in sums), ZERO)
                variance = sum(((value - mean) ** 2 * p for value, p in sums), ZERO)
                if [moment.bias for moment in found] != [0, 0] or [moment.variance for moment in found] != variances:
                    yield f"g = {name}, q = {q}"
                if mean != 3 * g(1) + g(2) or variance != 9 * variances[0] + variances[1]:
                    yield f"g = {name}, q = {q}, two keys"

    return first(witnesses())


ESTIMATORS: dict[str, Callable[[], Finding]] = {
    "pws-biased-down": pws_biased_down,
    "pws-biased-down-increases-corrected": pws_biased_down_increases_corrected,
    "pws-biased-down-increases-printed": pws_biased_down_increases_printed,
    "pws-early-tokens": pws_early_tokens,
    "pws-inverse-probability": pws_inverse_probability,
    "pws-likelihood-errs": pws_likelihood_errs,
    "pws-mean-at-one-corrected": pws_mean_at_one_corrected,
    "pws-mean-at-one-printed": pws_mean_at_one_printed,
    "pws-moments": pws_moments,
    "pws-no-unbiased-corrected": pws_no_unbiased_corrected,
    "pws-no-unbiased-printed": pws_no_unbiased_printed,
    "pws-overshoot": pws_overshoot,
    "pws-terms-corrected": pws_terms_corrected,
    "pws-terms-printed": pws_terms_printed,
    "pws-unbiased": pws_unbiased,
    "pws-variance-corrected": pws_variance_corrected,
    "pws-variance-printed": pws_variance_printed,
}
