"""Checks of sample-and-threshold, one bin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_threshold import kl_delta, sample_threshold_law
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


SAMPLE_THRESHOLD: dict[str, Callable[[], Finding]] = {
    "sample-threshold-theorem2": sample_threshold_theorem2,
}
