"""Composition: what many independent observations of pairs of laws disclose together, in certified bounds.

Independent observations of fixed pairs bound adaptive composition too, where each pair is one to which every pair of
neighbouring laws of its mechanism is at most as different: `Canonical` is that of all (epsilon, delta)-private ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, gcd, lcm, log

from dpcert.audit.answer import Answer
from dpcert.audit.enclosure import Curve, EnclosedProfile, RefinedProfile
from dpcert.audit.losses import LossLaw, gathered, on_lattice, outcomes_of, split
from dpcert.audit.multiplicative import lattice
from dpcert.audit.profile import BITS, Profile
from dpcert.audit.recurrence import binomial
from dpcert.audit.sums import ObservedSum, Sum, find_tilt, power_bounds
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["Canonical", "Composition", "Pair", "composed"]

EXACT_BITS = 1 << 23
"""The size, in bits, up to which the weights of a composition are exact where the choice is free."""
GRID = 8
"""Ratios that are on no lattice are put on one of base 1 + 2**-GRID where nothing else is said."""
_DIGITS, _COARSE = 32, 20
_REACH = 1100
_SHARP = 256


@dataclass(frozen=True, slots=True)
class Canonical:
    """The pair of laws that every (epsilon, delta)-private mechanism's neighbouring pairs are post-processings of.

    With probability delta the outcome is one that only p, or only q, can have; else it is randomized response at
    ratio e^epsilon.
    Source: Kairouz, Oh, Viswanath 2015, Section 6 (their Theorems 2.4 and 3.3 are its delta, composed).
    """

    epsilon: Epsilon
    delta: Fraction

    def __post_init__(self) -> None:
        if type(self.delta) is not Fraction or not 0 <= self.delta < 1:
            raise InputError(given=f"delta = {self.delta}", needed="a Fraction in [0, 1)", remedy="write Fraction(1, 10)")

    def at(self, ratio: Fraction) -> Profile:
        """Return the pair's profile with this ratio >= 1 in the place of e^epsilon."""
        kept = 1 - self.delta
        if ratio == 1:
            return Profile.from_ratios([(ratio, kept)], self.delta, self.delta)
        rows = [(ratio, kept / (1 + ratio)), (1 / ratio, kept * ratio / (1 + ratio))]
        return Profile.from_ratios(rows, self.delta, self.delta)

    def sides(self) -> tuple[Profile, Profile]:
        """Return profiles nowhere less and nowhere more private, in this order swapped: the lower, then the upper one.

        Randomized response at a smaller ratio is a post-processing of it at a greater one.
        """
        below, above = self.epsilon.exp_bounds(_SHARP)
        return self.at(below), self.at(above)


Pair = Profile | EnclosedProfile | RefinedProfile | Canonical
Parts = Sequence[tuple[Pair, int]]


class _Searched:
    """What answers `ratio_at` by search on `delta_between`."""

    __slots__ = ()

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        raise NotImplementedError

    def delta_at(self, epsilon: Epsilon, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon."""
        lo, hi = self.delta_between(*epsilon.exp_bounds(bits))
        return Answer(lo, hi, "enclosed")

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta, to about 30 bits, as far as the bounds of delta allow.

        lo is a ratio at which delta is too little, hi one at which it is enough; hi is None where none is found
        below e^700.
        """
        target = Fraction(delta)
        lo, _ = _crossing(lambda ratio: self.delta_between(ratio, ratio)[0], target)
        _, hi = _crossing(lambda ratio: self.delta_between(ratio, ratio)[1], target)
        return Answer(lo, hi, "enclosed")


@dataclass(frozen=True, slots=True)
class Composition(_Searched):
    """Independent observations, by their losses on a grid of ratios: bounds of delta from above and from below.

    Without a `lower` sum, `upper` is exact but for its rounding, and bounds both sides.
    """

    upper: Sum
    lower: Sum | ObservedSum | None

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        found = self.upper.delta_between(below, above)
        if self.lower is None:
            return found.lo, found.hi
        if isinstance(self.lower, Sum):
            return self.lower.delta_between(below, above).lo, found.hi
        tilt = find_tilt(self.upper.parts, self.upper.start(below))
        return self.lower.delta_lo(above, tilt), found.hi


@dataclass(frozen=True, slots=True)
class BinomialPower(_Searched):
    """So many independent observations of a pair of two outcomes: how often the first came is all that counts.

    `finite` is the pair of binomial laws, given that no observation is one that only p, or only q, can have;
    `p_kept` and `q_kept` are the probabilities of one such observation.
    """

    finite: RefinedProfile
    p_kept: Fraction
    q_kept: Fraction
    times: int

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        if self.p_kept == self.q_kept == 1:
            return self.finite.delta_between(below, above)
        p, q = power_bounds(self.p_kept, self.times), power_bounds(self.q_kept, self.times)
        lo, hi = self.finite.delta_between(below * q.below / p.above, above * q.above / p.below)
        return max(Fraction(0), 1 - p.above + lo * p.below), min(Fraction(1), 1 - p.below + hi * p.above)


@dataclass(frozen=True, slots=True)
class Between(_Searched):
    """A curve nowhere above one and nowhere below another."""

    lower: BinomialPower
    upper: BinomialPower

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        return self.lower.delta_between(below, above)[0], self.upper.delta_between(below, above)[1]


def composed(parts: Iterable[tuple[Pair, int]], *, grid: int | None = None) -> Curve:
    """Return the curve of independent observations: of each pair, so many. Answers say if they are exact.

    Exact where all pairs are and the weights take at most EXACT_BITS; for a grid given, never. Beyond, ratios that
    are powers of one rational, or of e^(p/q), stay exact and only weights are rounded; other ratios are put on a grid
    of base 1 + 2**-grid from both sides, at the cost of a width of second order in 2**-grid.

    Raises: InputError unless there is a pair, and each number of times is an int >= 1.
    """
    given = [(pair.at(pair.epsilon.ratio) if _rational(pair) else pair, times) for pair, times in parts]
    for _, times in given:
        if type(times) is not int or times < 1:
            raise InputError(given=f"{times} compositions", needed="an int >= 1", remedy="give how many there are")
    if not given:
        raise InputError(given="no pair", needed="at least one to compose", remedy="give pairs and their numbers")
    exact = [(pair, times) for pair, times in given if isinstance(pair, Profile)]
    if grid is None and len(exact) == len(given):
        if _exact_size(exact) <= EXACT_BITS:
            return _exactly(exact)
        if len(exact) == 1 and len(exact[0][0].rows()) == 2:
            return _binomial_power(*exact[0])
        on_one = _on_one_lattice(exact)
        if on_one is not None:
            return Composition(on_one, None)
    canonical = [(pair, times) for pair, times in given if isinstance(pair, Canonical)]
    if grid is None and len(canonical) == len(given):
        if len(canonical) == 1:
            (pair, times), = canonical
            lower, upper = (_binomial_power(side, times) for side in pair.sides())
            return Between(lower, upper)
        if all(pair.epsilon.ratio == 1 for pair, _ in canonical):
            return _of_canonical(canonical)
    return _on_grid(given, GRID if grid is None else grid)


def _rational(pair: Pair) -> bool:
    return isinstance(pair, Canonical) and pair.epsilon.rational == 0
