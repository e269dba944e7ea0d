"""Checks of sample-and-threshold, Theorem 2: one bin, and two where a person moves."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate
from math import lcm

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta, sample_threshold_law
from dpcert.proofs.check import check
from dpcert.proofs.evidence import ordered_pairs

Pair = tuple[Dist, Dist]
"""The release of one bin before and after a person moves."""


@check("sample-threshold-theorem2")
def sample_threshold_theorem2() -> Iterator[str]:
    """The printed delta of Theorem 2 bounds the exact one, for one bin and counts that differ by one."""
    for rate in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4)):
        for threshold in range(1, 9):
            law = sample_threshold_law(rate=rate, threshold=threshold)
            laws = [law(count) for count in range(41)]
            for factor in (1, 2, 4):
                ratio = factor / (1 - rate)
                delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
                for count, (p, q) in enumerate(ordered_pairs(laws)):
                    if decide_pair(p, q, Epsilon.ln(ratio), delta)[0] is not True:
                        yield f"p = {rate}, tau = {threshold}, e^epsilon = {ratio}, k = {count // 2 + 1}"


@check("sample-threshold-moved")
def sample_threshold_moved() -> Iterator[str]:
    """The printed delta of Theorem 2 is enough for one person who moves: from 849 to 848 people, and 1548 to 1549."""
    rate, ratio, threshold, left, entered = Fraction(1, 3), Fraction(3, 2), 445, 849, 1549
    delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    needed = two_bins_delta((law(left), law(left - 1)), (law(entered - 1), law(entered)), ratio)
    if needed > delta:
        where = f"p = {rate}, e^epsilon = {ratio}, tau = {threshold}"
        bins = f"bins ({left}, {entered - 1}) and ({left - 1}, {entered})"
        yield f"{where}, {bins}: {_short(needed / delta)} times delta"


def two_bins_delta(first: Pair, second: Pair, ratio: Fraction) -> Fraction:
    """Return the delta at e^epsilon = ratio of two independent bins, each given with its law before and after.

    For each outcome of the second bin it is a sum over outcomes of the first, by falling ratio, up to some place.
    Bisection finds the place, and the sums are precomputed.
    """
    (p, q), (u, v) = (_weights(pair) for pair in (first, second))
    rows = sorted(zip(p, q, strict=True), key=cmp_to_key(_by_falling_ratio))
    sums = [0, *accumulate(row[0] for row in rows)], [0, *accumulate(row[1] for row in rows)]
    total = 0
    for before, after in zip(u, v, strict=True):
        a, b = before * ratio.denominator, after * ratio.numerator
        cut = _first_within(rows, a, b)
        total += sums[0][cut] * a - sums[1][cut] * b
    whole = lcm(*(law.denominator for law in first)) * lcm(*(law.denominator for law in second))
    return Fraction(total, whole * ratio.denominator)


def _by_falling_ratio(row: tuple[int, int], other: tuple[int, int]) -> int:
    """Compare p/q of two rows (p, q), the greater one first."""
    return other[0] * row[1] - row[0] * other[1]


def _first_within(rows: Sequence[tuple[int, int]], a: int, b: int) -> int:
    """Return the first place, of rows by falling ratio, at which p a <= q b."""
    return least(0, len(rows), lambda place: rows[place][0] * a <= rows[place][1] * b)


def _weights(pair: Pair) -> tuple[list[int], list[int]]:
    """Return the weights of two laws over one denominator, outcome by outcome."""
    common = lcm(*(law.denominator for law in pair))
    p, q = (law.scaled(common // law.denominator) for law in pair)
    outcomes = list(dict.fromkeys([*p, *q]))
    return [p.get(name, 0) for name in outcomes], [q.get(name, 0) for name in outcomes]


def _short(x: Fraction) -> str:
    """Return x >= 1 rounded down to a thousandth."""
    return f"{x.numerator * 1000 // x.denominator // 1000}.{x.numerator * 1000 // x.denominator % 1000:03}"
