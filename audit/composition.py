"""Composition: certified bounds on the privacy of many independent observations of pairs of laws together.

These bounds hold for adaptive composition, too, if each pair dominates the neighbouring laws of its mechanism: every
neighbouring pair is a post-processing of it. `Canonical` dominates those of all (epsilon, delta)-private mechanisms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor, gcd, lcm
from typing import Any

from dpcert.audit.answer import Answer
from dpcert.audit.between import Between
from dpcert.audit.enclosure import Curve, EnclosedProfile, RefinedProfile
from dpcert.audit.grids import WIDTH, Composition, Held, OnGrids
from dpcert.audit.losses import LossLaw, on_lattice
from dpcert.audit.multiplicative import lattice
from dpcert.audit.profile import Profile
from dpcert.audit.recurrence import binomial
from dpcert.audit.searched import Searched
from dpcert.audit.sums import LossSum, power_bounds
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

EXACT_BITS = 1 << 23
"""The size, in bits, up to which the weights of a composition are exact where the choice is free."""
_SIZE, _FINE = 16, 12
_FINEST = 24
_REACH = 1100
_SHARP = 192
_MERGED, _FACTORED = 2048, 1 << 26
_LONGEST, _LONG = 1 << 20, 1 << 18


@dataclass(frozen=True, slots=True)
class Canonical:
    """The dominating pair of (epsilon, delta)-privacy: all neighbouring pairs of laws are post-processings of it.

    With probability delta the outcome shows which of the laws p and q it is from; else it is randomized response at
    ratio e^epsilon.
    Source: Kairouz, Oh, Viswanath 2015, Section 6 (their Theorems 2.4 and 3.3 are its delta, composed).
    """

    epsilon: Epsilon
    delta: Fraction

    def __post_init__(self) -> None:
        if type(self.delta) is not Fraction or not 0 <= self.delta < 1:
            given = f"delta = {self.delta}"
            raise InputError(given=given, needed="a Fraction in [0, 1)", remedy="write Fraction(1, 10)")

    def at(self, ratio: Fraction) -> Profile:
        """Return the pair's profile with this ratio >= 1 in the place of e^epsilon."""
        kept = 1 - self.delta
        if ratio == 1:
            return Profile.from_ratios([(ratio, kept)], self.delta, self.delta)
        rows = [(ratio, kept / (1 + ratio)), (1 / ratio, kept * ratio / (1 + ratio))]
        return Profile.from_ratios(rows, self.delta, self.delta)

    def sides(self) -> tuple[Profile, Profile]:
        """Return a profile that is nowhere above this pair's and one that is nowhere below it, both rational.

        Randomized response at a smaller ratio is a post-processing of it at a greater one.
        """
        below, above = _sharp(self.epsilon)
        return self.at(below), self.at(above)


Pair = Profile | EnclosedProfile | RefinedProfile | Canonical | Between[Any]
"""A pair of laws; or one between two of these, the first of which is nowhere above it, and the second nowhere below."""
Parts = Sequence[tuple[Pair, int]]


@dataclass(frozen=True, slots=True)
class BinomialPower(Searched):
    """Many independent observations of a pair with two outcomes: only the number of first outcomes counts.

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

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta: from that of the binomial laws, to 64 bits, where it is above 1.

        delta is 1 - p + p d, for p the chance that p keeps to both laws' outcomes and d the binomial laws' delta at
        e^epsilon q / p.
        """
        p, q = power_bounds(self.p_kept, self.times), power_bounds(self.q_kept, self.times)
        less, more = (1 - (1 - delta) / kept for kept in (p.below, p.above))
        if less > 0:
            lo, hi = self.finite.ratio_at(more).lo, self.finite.ratio_at(less).hi
            if lo and hi and lo * p.below > q.above and lo > 1:
                return Answer(lo * p.below / q.above, hi * p.above / q.below, "enclosed")
        return Searched.ratio_at(self, delta)


@dataclass(frozen=True, slots=True)
class BinomialBetween(Searched):
    """A curve nowhere above one and nowhere below another."""

    lower: BinomialPower
    upper: BinomialPower

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        return self.lower.delta_between(below, above)[0], self.upper.delta_between(below, above)[1]

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta."""
        return Answer(self.lower.ratio_at(delta).lo, self.upper.ratio_at(delta).hi, "enclosed")


def composed(parts: Iterable[tuple[Pair, int]], *, grid: int | None = None, width: Fraction = WIDTH) -> Curve:
    """Return the curve of independent observations, a number of each pair. Answers say if they are exact.

    It is exact where all pairs are, the weights take at most EXACT_BITS and no grid is given. Beyond, ratios that are
    powers of one rational, or of e^(p/q), stay exact and only weights are rounded; other ratios are put on a grid of
    base 1 + 2**-grid from both sides, at the cost of a width of second order in 2**-grid. Where no grid is given, they
    get finer until the bounds of a delta are within a factor of `width`, as far as that is worth its time.

    Raises: InputError unless there is a pair, each number of times is an int >= 1, and the grid, if any, is one too,
            of at most 24.
    """
    if grid is not None and (type(grid) is not int or not 1 <= grid <= _FINEST):
        raise InputError(given=f"grid {grid}", needed=f"an int from 1 to {_FINEST}", remedy="write grid=12")
    asked = list(parts)
    for _, times in asked:
        if type(times) is not int or times < 1:
            raise InputError(given=f"{times} compositions", needed="an int >= 1", remedy="give how many there are")
    if not asked:
        raise InputError(given="no pair", needed="at least one to compose", remedy="give pairs and their numbers")
    canonical = [(pair, times) for pair, times in asked if isinstance(pair, Canonical)]
    given = [(_resolved(pair), times) for pair, times in asked]
    exact = [(pair, times) for pair, times in given if isinstance(pair, Profile)]
    if grid is None and len(exact) == len(given):
        # From the narrowest bounds to the widest: exact weights, then binomials, then one lattice, and grids at the
        # end.
        if _exact_size(exact) <= EXACT_BITS:
            return _exactly(exact)
        if len(exact) == 1 and _has_two_ratios(exact[0][0]):
            return _binomial_power(*exact[0])
        on_one = _on_one_lattice(exact)
        if on_one is not None:
            return Composition(on_one, None)
    elif grid is None and len(canonical) == len(given):
        if len(canonical) == 1:
            sides, times = canonical[0][0].sides(), canonical[0][1]
            if all(map(_has_two_ratios, sides)):
                lower, upper = (_binomial_power(side, times) for side in sides)
                return BinomialBetween(lower, upper)
        on_step = _on_one_step(canonical)
        if on_step is not None:
            return on_step
    grids = OnGrids.of(((*_around(pair), times) for pair, times in given), width)
    return grids if grid is None else grids.on(1 << grid, _FINE)


def _resolved(pair: Pair) -> Pair:
    """Return the exact profile of a canonical pair of rational e^epsilon; any other pair as it is."""
    if isinstance(pair, Canonical) and pair.epsilon.rational == 0:
        return pair.at(pair.epsilon.ratio)
    return pair


def _exact_size(parts: Sequence[tuple[Profile, int]]) -> int:
    """Return about how many bits the weights of the composition take; more where ratios on no lattice take long."""
    if any(pair.bits > _FACTORED for pair, _ in parts):
        return EXACT_BITS + 1
    bits = sum(times * (pair.p_denominator.bit_length() + pair.q_denominator.bit_length()) for pair, times in parts)
    least = bits * (1 + max(times * (_apart(pair) - 1) for pair, times in parts))
    if least > EXACT_BITS:
        return least
    ratios = [pair.ratios for pair, _ in parts]
    found = lattice([ratio for each in ratios for ratio in each]) if len(parts) == 1 else None
    if found is not None:
        return bits * (1 + parts[0][1] * (max(found[1]) - min(found[1])))
    outcomes = 1
    for each, (_, times) in zip(ratios, parts, strict=True):
        outcomes *= comb(times + len(each) - 1, times) if each else 1
    return bits * outcomes * (1 if outcomes <= _MERGED else EXACT_BITS)


def _apart(pair: Profile) -> int:
    """Return a number of ratios that a profile has at least, from its keys: those of one ratio have two quarters."""
    return -(-len({key >> 2 for key in pair.keys}) // 2)


def _exactly(parts: Sequence[tuple[Profile, int]]) -> Profile:
    whole: Profile | None = None
    for pair, times in parts:
        power = pair.power(times)
        whole = power if whole is None else whole.compose(power)
    return whole or Profile.from_ratios([(Fraction(1), Fraction(1))], Fraction(0), Fraction(0))


def _sharp(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return bounds of e^epsilon, both above 1 for an epsilon above 0, however small."""
    least = epsilon.rational.denominator.bit_length() - epsilon.rational.numerator.bit_length()
    return epsilon.exp_bounds(_SHARP + max(0, least))


def _has_two_ratios(pair: Profile) -> bool:
    """Whether a profile has two ratios, and weights of moderate size."""
    size = max(pair.p_denominator.bit_length(), pair.q_denominator.bit_length())
    return size <= _LONG and len(pair.keys) <= _MERGED and _apart(pair) <= 2 and len(pair.rows()) == 2


def _binomial_power(pair: Profile, times: int) -> BinomialPower:
    """Return the composition of a profile of two ratios."""
    (ratio, weight), (other, less) = pair.rows()
    p, q = ratio * weight / (ratio * weight + other * less), weight / (weight + less)
    finite = RefinedProfile(binomial(times, p), binomial(times, q))
    return BinomialPower(finite, 1 - pair.infinite, 1 - pair.zero, times)


def _on_one_lattice(parts: Sequence[tuple[Profile, int]]) -> LossSum | None:
    """Return the composition of profiles of which all ratios are powers of one rational; None where they are not."""
    if any(pair.bits > _FACTORED or pair.looks_scattered() for pair, _ in parts):
        return None
    ratios = [pair.ratios for pair, _ in parts]
    found = lattice([ratio for each in ratios for ratio in each])
    if found is None or not all(ratios):
        return None
    base, exponents = found
    laws, start = [], 0
    for (pair, times), each in zip(parts, ratios, strict=True):
        laws.append((on_lattice(pair, exponents[start : start + len(each)]), times))
        start += len(each)
    return LossSum(base, laws, _SIZE) if _width(laws) <= _LONGEST else None


def _on_one_step(parts: Sequence[tuple[Canonical, int]]) -> Composition | None:
    """Return the composition of canonical pairs of rational epsilons; None where they have no common step.

    With b a bound of e^step, randomized response at ratio b^k is on the lattice of b, and its masses are rounded to
    the same side.
    """
    if any(pair.epsilon.ratio != 1 for pair, _ in parts):
        return None
    epsilons = [pair.epsilon.rational for pair, _ in parts]
    common = lcm(*(epsilon.denominator for epsilon in epsilons))
    step = Fraction(gcd(*(int(epsilon * common) for epsilon in epsilons)), common)
    if sum(times * (2 * int(pair.epsilon.rational / step) + 1) for pair, times in parts) > _LONGEST:
        return None
    sums = []
    for above, base in enumerate(_sharp(Epsilon(step, Fraction(1)))):
        laws = []
        for pair, times in parts:
            k = int(pair.epsilon.rational / step)
            power = power_bounds(base, k)
            high = 1 - 1 / (1 + (power.above if above else power.below))
            low = 1 / (1 + (power.below if above else power.above))
            masses = [0] * (2 * k + 1)
            for i, share in ((2 * k, high), (0, low)):
                mass = share * (1 - pair.delta) * (1 << _SHARP)
                masses[i] += ceil(mass) if above else floor(mass)
            laws.append((LossLaw(-k, masses, 1 << _SHARP, pair.delta), times))
        sums.append(LossSum(base, laws, _SIZE))
    return Composition(sums[1], sums[0])


def _around(pair: Pair) -> tuple[Held, Held]:
    """Return profiles of which the first is nowhere above this pair's, and the second nowhere below it."""
    if isinstance(pair, Canonical):
        return pair.sides()
    if isinstance(pair, Between):
        return _around(pair.lower)[0], _around(pair.upper)[1]
    if isinstance(pair, RefinedProfile):
        pair = pair.enclosed(_REACH)
    return pair, pair


def _width(parts: Sequence[tuple[LossLaw, int]]) -> int:
    return sum(times * len(law.masses) for law, times in parts)
