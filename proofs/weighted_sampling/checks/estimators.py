"""Checks of the estimates from sanitized frequencies: Section 7.1 and Appendices E and F of weighted-sampling."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_estimators import (
    biased_down,
    linear_statistic,
    maximum_likelihood,
    moments,
    unbiased,
)
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.proofs.check import check, checks, smallest
from dpcert.proofs.weighted_sampling.checks.frequencies import DELTAS as GRID_DELTAS
from dpcert.proofs.weighted_sampling.checks.frequencies import RATIOS, SAMPLINGS, integral_delta, rows_grid

ZERO = Fraction(0)
ONE = Fraction(1)
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


@check("pws-unbiased")
def pws_unbiased() -> Iterator[str]:
    """The recursion solves the triangular system: every mean is g(i)."""
    return (
        f"e^epsilon = {ratio}, delta = {delta}, g = {name}, i = {i}"
        for ratio, delta, rows in _unsampled()
        for name, g in STATISTICS
        for i, row in enumerate(rows)
        if moments(row=row, estimates=unbiased(rows=rows, g=g), meant=g(i)).bias
    )


@smallest
def _negative(holds: Callable[[Fraction, Fraction], bool]) -> Iterator[tuple[Fraction, Fraction, str]]:
    """Whether an estimate is negative, at every e^epsilon and delta of the grid for which the condition holds."""
    for ratio, delta, rows in _unsampled():
        estimates = unbiased(rows=rows, g=lambda i: i)
        if holds(ratio, delta) and min(estimates) >= 0:
            some = ", ".join(map(str, estimates[1:7]))
            yield ratio, -delta, f"e^epsilon = {ratio}, delta = {delta}, i <= {LENGTH}: values count {some}, ..."


@check("pws-no-unbiased-printed")
def pws_no_unbiased_printed() -> Iterator[str]:
    """Lemma F.1 as printed: for every epsilon and delta."""
    return _negative(lambda ratio, delta: True)


@check("pws-no-unbiased-corrected")
def pws_no_unbiased_corrected() -> Iterator[str]:
    """Lemma F.1 where e^(epsilon (h-1)) > h for some h <= L + 1."""

    def early(ratio: Fraction, delta: Fraction) -> bool:
        h, pi = 1, delta
        while pi <= (1 - delta) / (1 + ratio):  # as long as h <= L
            h, pi = h + 1, ratio * pi + delta
            if ratio ** (h - 1) > h:
                return True
        return False

    return _negative(early)


@check("pws-early-tokens")
def pws_early_tokens() -> Iterator[str]:
    """Values that frequency 1 reports are reported e^(epsilon (h-1)) times as often on h <= L + 1."""
    for ratio in RATIOS:
        for length in range(5):
            delta = integral_delta(ratio, length)
            rows = discrete_rows(q=[Fraction(1)] * (length + 1), ratio=ratio, delta=delta)
            estimate = unbiased(rows=rows, g=lambda i: i)[1]
            for h in range(1, length + 2):
                grown = ratio ** (h - 1)
                if rows[h][1] != grown * rows[1][1] or rows[h][1] * estimate != grown:
                    yield f"e^epsilon = {ratio}, L = {length}, h = {h}"


@check("pws-overshoot")
def pws_overshoot() -> Iterator[str]:
    """At epsilon = 1 and L >= 1: values of frequency 1 add over 2 on frequency 2, and another value counts below 0."""
    ratio = Epsilon.of("1").exp_bounds(64)[0]  # just below e, and above 2
    return (
        f"delta = {delta}"
        for delta in (Fraction(1, 5), Fraction(1, 10), Fraction(1, 100))
        for rows in [discrete_rows(q=[Fraction(1)] * 2, ratio=ratio, delta=delta)]
        for estimates in [unbiased(rows=rows, g=lambda i: i)]
        if rows[2][1] * estimates[1] != ratio or ratio <= 2 or estimates[2] >= 0
    )


@checks({"pws-variance-printed": lambda delta: 1 / delta, "pws-variance-corrected": lambda delta: 1 / delta - 1})
@smallest
def _variance(least: Callable[[Fraction], Fraction]) -> Iterator[tuple[Fraction, Fraction, str]]:
    """A key of frequency 1 has variance at least 1/delta; corrected, 1/delta - 1."""
    for ratio, delta, rows in _unsampled():
        found = moments(row=rows[1], estimates=unbiased(rows=rows, g=lambda i: i), meant=1).variance
        if found < least(delta):
            yield ratio, -delta, f"e^epsilon = {ratio}, delta = {delta}: a key of frequency 1 has variance {found}"


@checks({"pws-mean-at-one-printed": lambda delta: 1 / delta, "pws-mean-at-one-corrected": lambda delta: Fraction(1)})
@smallest
def _mean_at_one(meant: Callable[[Fraction], Fraction]) -> Iterator[tuple[Fraction, Fraction, str]]:
    """The mean of an unbiased estimate on frequency 1 is 1/delta; corrected, it is 1, and 1/delta given a report."""
    for ratio, delta, rows in _unsampled():
        found = moments(row=rows[1], estimates=unbiased(rows=rows, g=lambda i: i), meant=1).mean
        if found != meant(delta):
            yield ratio, -delta, f"e^epsilon = {ratio}, delta = {delta}: the mean on frequency 1 is {found}"


@check("pws-biased-down")
def pws_biased_down() -> Iterator[str]:
    """The estimates (41) are >= 0 and their means at most g; (42) for a frequency grows with the value."""
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


@check("pws-biased-down-increases-printed")
@smallest
def pws_biased_down_increases_printed() -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """The estimates (41) do not decrease with the value."""
    for ratio, delta, text in product(RATIOS, DELTAS, ("1", "1/10, 1/2", "priority:1/4")):
        rows = discrete_rows(q=sampling_probabilities(text, 4), ratio=ratio, delta=delta)
        estimates = biased_down(rows=rows, g=lambda i: i)
        for j, (a, b) in enumerate(pairwise(estimates)):
            if b < a:
                where = f"e^epsilon = {ratio}, delta = {delta}, q = {text}, m = 4, g = i"
                yield j, ratio, -delta, f"{where}: values {j} and {j + 1} count {a} and {b}"


@check("pws-biased-down-increases-corrected")
def pws_biased_down_increases_corrected() -> Iterator[str]:
    """Without sampling, the estimates (41) of g = i do not decrease with the value."""
    return (
        f"e^epsilon = {ratio}, delta = {delta}"
        for ratio, delta, rows in _unsampled()
        for a, b in pairwise(biased_down(rows=rows, g=lambda i: i))
        if b < a
    )


@checks({"pws-terms-printed": lambda length: 2 * length, "pws-terms-corrected": lambda length: 2 * length + 1})
@smallest
def _terms(most: Callable[[int], int]) -> Iterator[tuple[int, Fraction, str]]:
    """Without sampling and for integral L, at most 2L frequencies report a value; corrected, 2L + 1."""
    for ratio in RATIOS:
        for length in range(1, 5):
            rows = discrete_rows(q=[Fraction(1)] * (4 * length + 3), ratio=ratio, delta=integral_delta(ratio, length))
            found = max(sum(1 for row in rows[j:] if row[j]) for j in range(1, len(rows)))
            if found > most(length):
                yield length, ratio, f"e^epsilon = {ratio}, L = {length}: {found} frequencies report a value"


@check("pws-likelihood-errs")
def pws_likelihood_errs() -> Iterator[str]:
    """At every e^epsilon of the grid the estimate (11) of g = i is too great in the mean somewhere, or too small."""

    def biases(ratio: Fraction) -> Iterator[Fraction]:
        for text in ("1", "1/10, 1/5, 1/2"):
            rows = discrete_rows(q=sampling_probabilities(text, LENGTH), ratio=ratio, delta=Fraction(1, 10))
            estimates = maximum_likelihood(rows=rows, g=lambda i: i)
            for i, row in enumerate(rows):
                yield moments(row=row, estimates=estimates, meant=i).bias

    return (f"e^epsilon = {ratio}" for ratio in RATIOS if not min(biases(ratio)) < 0 < max(biases(ratio)))


@check("pws-moments")
def pws_moments() -> Iterator[str]:
    """The moments of one key, and of a sum over keys, are those of the law of the reports."""
    for where, _, _, _, rows in rows_grid(4, 3):
        estimates = maximum_likelihood(rows=rows, g=lambda i: i)
        law = Dist.of(((x, y), p * q) for (x, p), (y, q) in product(enumerate(rows[2]), enumerate(rows[3])) if p * q)

        def estimate(values: tuple[int, int], estimates: tuple[Fraction, ...] = estimates) -> Fraction:
            pairs = [(key, value) for key, value in zip("ab", values, strict=True) if value]
            return linear_statistic(sanitized=pairs, estimates=estimates, selects=lambda key: 3 if key == "a" else -1)

        one, two = (moments(row=rows[i], estimates=estimates, meant=i) for i in (2, 3))
        mean, meant = law.expectation(estimate), 3 * 2 - 3
        variance = sum(p * (estimate(values) - mean) ** 2 for values, p in law.items())
        error = sum(p * (estimate(values) - meant) ** 2 for values, p in law.items())
        if (mean - meant, variance) != (3 * one.bias - two.bias, 9 * one.variance + two.variance):
            yield where
        if error != variance + (mean - meant) ** 2:
            yield where


@check("pws-sampled-no-unbiased")
def sampled_no_unbiased() -> Iterator[str]:
    """With pi_i = pi*_i for i <= h, E^(h-1) > h and h <= L + 1: values of frequency 1 overshoot at h, whatever q."""
    for ratio, delta, text in product((*RATIOS, Fraction(11, 10)), (*GRID_DELTAS, Fraction(1, 10**4)), SAMPLINGS):
        q = sampling_probabilities(text, 12)
        best = reporting_probabilities(q=[ONE] * 12, ratio=ratio, delta=delta)
        rows = discrete_rows(q=q, ratio=ratio, delta=delta)
        h = next((h for h in range(2, 13) if ratio ** (h - 1) > h), 13)
        if h > 12 or any(1 - rows[i][0] != best[i - 1] for i in range(1, h + 1)):
            continue
        if best[h - 2] > (1 - delta) / (1 + ratio):  # h > L + 1
            continue
        estimates = unbiased(rows=rows[: h + 1], g=lambda i: i)
        if rows[h][1] != ratio ** (h - 1) * rows[1][1] or rows[h][1] * estimates[1] <= h or min(estimates) >= 0:
            yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, h = {h}"
