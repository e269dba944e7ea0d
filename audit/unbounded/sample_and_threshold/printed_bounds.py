"""The printed bounds of sample-and-threshold, compared with the least delta for all counts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, comb, floor
from types import MappingProxyType

from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta

_BITS = 128
Bounds = tuple[Fraction, Fraction]
"""A number between two rationals, which are equal where it is rational and known."""


@dataclass(frozen=True, slots=True, order=True)
class ParameterPoint:
    """Parameters of sample-and-threshold, ordered by threshold, then rate, then e^epsilon."""

    threshold: int
    rate: Fraction
    ratio: Fraction

    @property
    def quota(self) -> Fraction:
        """The paper's q = 1 - (1 - p) e^-epsilon."""
        return 1 - (1 - self.rate) / self.ratio


def theorem_2(point: ParameterPoint) -> Bounds | None:
    """Return bounds of exp(-(tau/q) D(q||p)); None where e^-epsilon > 1 - p.

    Source: sample-and-threshold, Theorem 2.
    """
    if point.ratio * (1 - point.rate) < 1:
        return None
    q = point.quota
    first, second = ln_bounds(q / point.rate, _BITS), ln_bounds(point.ratio, _BITS)
    part = (1 - q) / q
    return _exp(point.threshold * (part * second[0] - first[1]), point.threshold * (part * second[1] - first[0]))


def lemma_3(point: ParameterPoint) -> Bounds | None:
    """Return bounds of exp(-tau C), C = ln(1/alpha) - 1/(1 + alpha), for p = alpha (1 - e^-epsilon).

    None where alpha > 1 or epsilon > 1.
    Source: sample-and-threshold, Lemma 3.
    """
    alpha = point.rate / (1 - 1 / point.ratio) if point.ratio > 1 else Fraction(2)
    if alpha > 1 or point.ratio > Epsilon.of(1).exp_bounds(_BITS)[0]:
        return None
    lo, hi = ln_bounds(alpha, _BITS)
    return _exp(point.threshold * (lo + 1 / (1 + alpha)), point.threshold * (hi + 1 / (1 + alpha)))


def exact_upper_sum(point: ParameterPoint, *, up: bool, above: bool) -> Bounds | None:
    """Return Pr[Bin(k, p) >= tau], or of > tau with `above`, at k = tau/q rounded down, or up with `up`.

    Source: sample-and-threshold, Section 3.1, after the proof of Theorem 2.
    """
    if point.ratio * (1 - point.rate) < 1:
        return None
    people = (ceil if up else floor)(point.threshold / point.quota)
    p = point.rate
    successes = range(point.threshold + above, people + 1)
    found = sum((comb(people, v) * p**v * (1 - p) ** (people - v) for v in successes), Fraction(0))
    return found, found


BOUNDS: Mapping[str, Callable[[ParameterPoint], Bounds | None]] = MappingProxyType(
    {
        "Theorem 2": theorem_2,
        "Lemma 3": lemma_3,
        "at least tau of tau/q, rounded down": partial(exact_upper_sum, up=False, above=False),
        "at least tau of tau/q, rounded up": partial(exact_upper_sum, up=True, above=False),
        "more than tau of tau/q, rounded down": partial(exact_upper_sum, up=False, above=True),
        "more than tau of tau/q, rounded up": partial(exact_upper_sum, up=True, above=True),
    }
)
"""The printed bounds by name."""


def needed(point: ParameterPoint, *, moves: bool) -> Bounds:
    """Return bounds of the least delta for counts of any size: exact for one bin, two-sided for people who move."""
    if not moves:
        found = greatest_delta(rate=point.rate, threshold=point.threshold, ratio=point.ratio).delta
        return found, found
    bounds = move_bounds(rate=point.rate, threshold=point.threshold, epsilon=Epsilon.ln(point.ratio))
    return bounds.lo, bounds.hi


def compared(points: Iterable[ParameterPoint], *, moves: bool) -> Mapping[str, dict[str, list[ParameterPoint]]]:
    """Return for each printed bound the points at which it "holds", "fails", or is "open", in order.

    A bound holds where it is at least a delta that is surely enough, and fails where it is less than one that is surely
    needed.
    """
    found: dict[str, dict[str, list[ParameterPoint]]] = {
        name: {"holds": [], "fails": [], "open": []} for name in BOUNDS
    }
    for point in sorted(points):
        lo, hi = needed(point, moves=moves)
        for name, bound in BOUNDS.items():
            printed = bound(point)
            if printed is not None:
                answer = "holds" if hi <= printed[0] else "fails" if lo > printed[1] else "open"
                found[name][answer].append(point)
    return found


def _exp(lo: Fraction, hi: Fraction) -> Bounds:
    """Return bounds of e^x for x between two rationals."""
    low = Epsilon.of(lo).exp_bounds(_BITS)[0] if lo >= 0 else 1 / Epsilon.of(-lo).exp_bounds(_BITS)[1]
    high = Epsilon.of(hi).exp_bounds(_BITS)[1] if hi >= 0 else 1 / Epsilon.of(-hi).exp_bounds(_BITS)[0]
    return low, high
