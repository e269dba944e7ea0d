"""Checks of sample-and-threshold, one bin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta, sample_threshold_law
from dpcert.proofs.checks.evidence import first, ordered_pairs
from dpcert.proofs.ledger import Finding

__all__ = ["SAMPLE_THRESHOLD"]


def sample_threshold_theorem2() -> Finding:
    """The printed delta of Theorem 2 bounds the exact one, for one bin and counts that differ by one."""

    def witnesses() -> Iterator[str]:
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

    return first(witnesses())


def sample_threshold_moved() -> Finding:
    """The printed delta of Theorem 2 is enough for one person who moves: from 833 to 832 people, and 1364 to 1365."""
    rate, ratio, threshold, left, entered = Fraction(1, 2), Fraction(2), 600, 833, 1365
    delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    needed = _moved([law(left), law(left - 1)], [law(entered - 1), law(entered)], ratio)
    if needed <= delta:
        return Finding(True)
    where = f"p = 1/2, e^epsilon = 2, tau = {threshold}"
    times = needed / delta
    return Finding(
        False, f"{where}, bins ({left}, {entered - 1}) and ({left - 1}, {entered}): {_short(times)} times delta"
    )


def _moved(first: list[Dist], second: list[Dist], ratio: Fraction) -> Fraction:
    """Return the delta at e^epsilon = ratio of two independent bins, each given with its law before and after."""
    (p, q), (u, v) = ([dict(law.items()) for law in pair] for pair in (first, second))
    below, above = (q.get(shown, Fraction(0)) for shown in p), (v.get(shown, Fraction(0)) for shown in u)
    x = _integers([*p.values(), *below])
    y = _integers([*u.values(), *above])
    size, other = len(p), len(u)
    total = 0
    for i in range(size):
        a, b = x[0][i] * ratio.denominator, x[0][size + i] * ratio.numerator
        total += sum(max(0, a * y[0][j] - b * y[0][other + j]) for j in range(other))
    return Fraction(total, x[1] * y[1] * ratio.denominator)


def _integers(values: list[Fraction]) -> tuple[list[int], int]:
    common = lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values], common


def _short(x: Fraction) -> str:
    """Return x rounded down to a tenth."""
    return f"{x.numerator * 10 // x.denominator // 10}.{x.numerator * 10 // x.denominator % 10}"


SAMPLE_THRESHOLD: dict[str, Callable[[], Finding]] = {
    "sample-threshold-moved": sample_threshold_moved,
    "sample-threshold-theorem2": sample_threshold_theorem2,
}
