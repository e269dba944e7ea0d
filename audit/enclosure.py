"""The privacy profile of a pair of laws too long to be held exactly: certified bounds, lo <= value <= hi.

It answers the same questions as an exact `Profile`. This module also chooses between the two.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter, le, lt, neg
from typing import Protocol

from dpcert.audit.answer import Answer
from dpcert.audit.profile import BITS, Profile, profile
from dpcert.audit.recurrence import MANTISSA, EnclosedLaw, RecurrentLaw, Run, Scaled, add_up, runs, scaled, spread
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

EXACT_BITS = 1 << 23
"""The size, in bits, of the weights of two laws up to which their profile is exact where the choice is free."""
EXACT_OUTCOMES = 512
"""The number of outcomes of a recurrent law up to which its profile is exact where the choice is free."""
MAX_REACH = 1 << 22
"""The reach, in bits, at which a pair of recurrent laws is refined no further."""
_ENOUGH = 64
_BITS = 30
_CAP = 1 << 4096


class Curve(Protocol):
    """Anything that answers the two questions about a pair of laws."""

    def delta_at(self, epsilon: Epsilon, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon."""

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta."""


@dataclass(frozen=True, slots=True, repr=False)
class EnclosedProfile:
    """A pair of laws in enclosures, outcome by outcome, ratios descending.

    For outcome i, p is p_mantissas[i] * 2**(its exponent in p_runs) times a number in p_unit, and q likewise.
    `p_only` is the mass of p on outcomes that q does not list; p and q have at most `p_rest` and `q_rest` on outcomes
    that they do not list themselves.

    Claims: keys descend. For R the ratio of outcome i as mantissas and exponents give it, 2**(30 - skew) R is above
            keys[i] - 1 - (keys[i] >> 29), and below keys[i] + 1 unless the key is 2**4096.
    """

    p_mantissas: Sequence[int]
    q_mantissas: Sequence[int]
    p_runs: Sequence[Run]
    q_runs: Sequence[Run]
    keys: Sequence[int]
    skew: int
    p_unit: Scaled
    q_unit: Scaled
    p_only: Scaled
    p_rest: Fraction
    q_rest: Fraction

    def delta_at(self, epsilon: Epsilon, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon."""
        if epsilon.power_of_two_lo() >= 4096:
            lo = Fraction(0) if self.q_rest else self.p_only.below
            return Answer(lo, self.delta_between(Fraction(_CAP), Fraction(_CAP))[1], "enclosed")
        return Answer(*self.delta_between(*epsilon.exp_bounds(bits)), "enclosed")

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 0 < below.

        Let S be the outcomes whose ratio is surely above e^epsilon. lo starts as p(S) - e^epsilon q(S), rounded down,
        and hi as the same, rounded up. Each outcome whose ratio may be above adds its gain to both, if positive.
        Unlisted outcomes take at most e^epsilon q_rest from lo and add at most p_rest to hi.
        """
        first, last = self._cut(below, above)
        p, q = self._event(first)
        at = min(p.exponent, q.exponent)
        (p_lo, p_hi), (q_lo, q_hi) = p.at(at), q.at(at)
        lo = _dyadic(p_lo * above.denominator - above.numerator * q_hi, at, above.denominator)
        hi = _dyadic(p_hi * below.denominator - below.numerator * q_lo, at, below.denominator)
        for i in range(first, last):
            p, q = self.p_at(i), self.q_at(i)
            lo += max(Fraction(0), p.below - above * q.above)
            hi += max(Fraction(0), p.above - below * q.below)
        lo, hi = lo - above * self.q_rest if self.q_rest else lo, hi + self.p_rest if self.p_rest else hi
        return max(Fraction(0), lo), min(Fraction(1), hi)

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta.

        lo is the ratio that an event needs, found by bisection: the event has p > lo q + delta. Newton's method on the
        upper bound of delta proposes hi, and `delta_between` must accept it.
        """
        lo: Fraction | None = Fraction(1)
        index = bisect_left(range(len(self.keys)), True, key=lambda i: self._demanding(i, delta))
        for stop in {0, index - 1, index, index + 1} & set(range(len(self.keys) + 1)):
            p, q = self._event(stop)
            excess, demand = p.below - delta, q.above + self.q_rest
            if excess > 0 and lo is not None:
                lo = max(lo, _floor(excess / demand)) if demand else None
        return Answer(lo, None if lo is None else self._accepted(lo, delta), "enclosed")

    def _accepted(self, start: Fraction, delta: Fraction | int) -> Fraction | None:
        """Return an e^epsilon >= start at which delta is enough, close to the least; None where none is found."""
        ratio = start
        for _ in range(100):
            excess = self.delta_between(ratio, ratio)[1] - delta
            if excess <= 0:
                return ratio
            q_lo = self._event(self._cut(ratio, ratio)[1])[1].below
            if q_lo == 0:
                return None
            step = excess / q_lo
            ratio = _floor(ratio + step + step / (1 << BITS)) + scaled(1, -MANTISSA)
        return None

    def _demanding(self, i: int, delta: Fraction | int) -> bool:
        """Guess whether the least delta at the ratio of outcome i is above this delta, or that ratio is below 1."""
        at = self._ratio(i)
        if at < 1:
            return True
        p, q = self._event(i + 1)
        return p.below - at * q.below > delta

    def _ratio(self, i: int) -> Fraction:
        """Return about the ratio of outcome i."""
        return scaled(self.keys[i], self.skew - _BITS) * self.p_unit.below / self.q_unit.below

    def _cut(self, below: Fraction, above: Fraction) -> tuple[int, int]:
        """Return (i, j): outcomes before i have a ratio above `above`, those from j on have none above `below`."""
        unit = scaled(1, _BITS - self.skew)
        high = above * self.q_unit.above / self.p_unit.below * unit
        low = below * self.q_unit.below / self.p_unit.above * unit
        sure = -(-high.numerator // high.denominator)
        # By the claim of this class, outcomes whose key is as great as this have a ratio above `above`.
        sure += 3 + (sure >> _BITS - 2)
        never = min(low.numerator // low.denominator, _CAP)
        return bisect_right(self.keys, -sure, key=neg), bisect_right(self.keys, -never, key=neg)

    def _event(self, stop: int) -> tuple[Scaled, Scaled]:
        """Return the probabilities of the first outcomes under p, `p_only` included, and under q."""
        p = add_up(self.p_mantissas, self.p_runs, stop) * self.p_unit
        q = add_up(self.q_mantissas, self.q_runs, stop) * self.q_unit
        if self.p_only.hi:
            at = max(p.exponent, self.p_only.exponent) if p.hi else self.p_only.exponent
            (lo, hi), (more_lo, more_hi) = p.at(at), self.p_only.at(at)
            p = Scaled(lo + more_lo, hi + more_hi, at)
        return p, q

    def p_at(self, i: int) -> Scaled:
        """Return the probability under p of outcome i."""
        return _row(self.p_mantissas, self.p_runs, i) * self.p_unit

    def q_at(self, i: int) -> Scaled:
        """Return the probability under q of outcome i."""
        return _row(self.q_mantissas, self.q_runs, i) * self.q_unit


def _row(mantissas: Sequence[int], places: Sequence[Run], i: int) -> Scaled:
    """Return value i without its unit."""
    return Scaled(mantissas[i], mantissas[i], places[bisect_right(places, i, key=itemgetter(0)) - 1][1])


def enclosed_profile(p: EnclosedLaw, q: EnclosedLaw) -> EnclosedProfile:
    """Return the enclosed profile of p against q."""
    p_rows, q_rows, alone = _aligned(p, q)
    x, y = p_rows.mantissas, q_rows.mantissas
    skew = q.unit.exponent + q.unit.lo.bit_length() - p.unit.exponent - p.unit.lo.bit_length()
    keys, x_runs, y_runs = _keys(p_rows, q_rows, skew), p_rows.runs, q_rows.runs
    if any(map(lt, keys, keys[1:])):
        size = len(keys)
        if all(map(le, keys, keys[1:])):
            x, y, keys = x[::-1], y[::-1], keys[::-1]
            x_runs, y_runs = _turned(x_runs, size), _turned(y_runs, size)
        else:
            order = sorted(range(size), key=keys.__getitem__, reverse=True)
            columns = x, y, keys, spread(x_runs, size), spread(y_runs, size)
            x, y, keys, p_at, q_at = (list(map(column.__getitem__, order)) for column in columns)
            x_runs, y_runs = runs(p_at), runs(q_at)
    only = add_up(alone.mantissas, alone.runs, len(alone.mantissas)) * p.unit
    return EnclosedProfile(x, y, x_runs, y_runs, keys, skew, p.unit, q.unit, only, p.elsewhere, q.elsewhere)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Mantissas with the runs of their exponents."""

    mantissas: Sequence[int]
    runs: Sequence[Run]


def _aligned(p: EnclosedLaw, q: EnclosedLaw) -> tuple[_Rows, _Rows, _Rows]:
    """Return the rows of p and of q on the outcomes that both list, and those of p that q does not list."""
    if isinstance(p.outcomes, range) and isinstance(q.outcomes, range):
        first = max(p.outcomes.start, q.outcomes.start)
        stop = max(first, min(p.outcomes.stop, q.outcomes.stop))
        p_first, p_stop = first - p.outcomes.start, stop - p.outcomes.start
        here, there = (
            _cropped(law, first - at.start, stop - at.start) for law, at in ((p, p.outcomes), (q, q.outcomes))
        )
        before, after = _cropped(p, 0, min(p_first, len(p.mantissas))), _cropped(p, p_stop, len(p.mantissas))
        count = len(before.mantissas)
        places = [*before.runs, *((start + count, e) for start, e in after.runs)]
        return here, there, _Rows([*before.mantissas, *after.mantissas], places)
    names, theirs = p.names(), q.names()
    size = min(len(names), len(theirs))
    if names[:size] == theirs[:size]:
        return _cropped(p, 0, size), _cropped(q, 0, size), _cropped(p, size, len(names))
    at = {name: i for i, name in enumerate(theirs)}
    others = [at.get(name, -1) for name in names]
    here = _picked(p, [i for i, other in enumerate(others) if other >= 0])
    there = _picked(q, [other for other in others if other >= 0])
    return here, there, _picked(p, [i for i, other in enumerate(others) if other < 0])


def _cropped(law: EnclosedLaw, first: int, stop: int) -> _Rows:
    """Return the rows first..stop - 1; the last run that begins at or before `first` gives the first exponent."""
    places = [(max(0, start - first), e) for start, e in law.runs if start < stop]
    while len(places) > 1 and places[1][0] == 0:
        del places[0]
    return _Rows(law.mantissas[first:stop], places)


def _picked(law: EnclosedLaw, rows: Sequence[int]) -> _Rows:
    """Return these rows."""
    exponents = spread(law.runs, len(law.mantissas))
    return _Rows(list(map(law.mantissas.__getitem__, rows)), runs(list(map(exponents.__getitem__, rows))))


def _turned(places: Sequence[Run], size: int) -> list[Run]:
    """Return the runs of the values in reverse."""
    ends = [*(start for start, _ in places[1:]), size]
    return [(size - end, e) for (start, e), end in zip(places, ends, strict=True) if start < end][::-1]


def _keys(p: _Rows, q: _Rows, skew: int) -> list[int]:
    """Return about 2**(30 - skew) p/q for each row, at most 2**4096.

    For d the difference of exponents, less the skew, let A = floor(x 2**(d - 100)) and B = floor(y / 2**130), of 30
    bits or more. The key is k = floor(A/B): 2**30 (x/y) 2**d < (A + 1)/B <= k + 1, and it is above
    A/(B + 1) >= k - k/(B + 1).
    """
    shift, cut, size = MANTISSA - 2 * _BITS, MANTISSA - _BITS, len(p.mantissas)
    found: list[int] = []
    starts = sorted({start for start, _ in (*p.runs, *q.runs) if start < size})
    for start, stop in pairwise([*starts, size]):
        d = _row(p.mantissas, p.runs, start).exponent - _row(q.mantissas, q.runs, start).exponent - skew
        rows = zip(p.mantissas[start:stop], q.mantissas[start:stop], strict=True)
        if d <= shift:
            found += [(a >> shift - d) // (b >> cut) for a, b in rows]
        else:
            found += [min(_CAP, (a << min(d, 5000) - shift) // (b >> cut)) for a, b in rows]
    return found


@dataclass(frozen=True, slots=True)
class RefinedProfile:
    """A pair of laws, at least one of them recurrent. Each question is answered on as many outcomes as it needs."""

    p: RecurrentLaw | EnclosedLaw
    q: RecurrentLaw | EnclosedLaw

    def delta_at(self, epsilon: Epsilon, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon, to 64 bits unless it is below 2**-MAX_REACH or 0."""
        huge = epsilon.power_of_two_lo() >= 4096
        excess = Fraction(_CAP) if huge else epsilon.exp_bounds(64)[0] - 1
        return self._refined(lambda pair: pair.delta_at(epsilon, bits=bits), excess)

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 0 < below."""
        found = self._refined(lambda pair: Answer(*pair.delta_between(below, above), "enclosed"), below - 1)
        return found.lo or Fraction(0), Fraction(1) if found.hi is None else found.hi

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta, to 64 bits unless delta is below 2**-MAX_REACH."""
        size = delta.denominator.bit_length() - delta.numerator.bit_length()
        return self._refined(lambda pair: pair.ratio_at(delta), Fraction(0), 256 + size)

    def enclosed(self, reach: int) -> EnclosedProfile:
        """Return the pair on the outcomes whose probability is above about 2**-reach times the mode's."""
        p, q = (law if isinstance(law, EnclosedLaw) else law.enclose(reach) for law in (self.p, self.q))
        return enclosed_profile(p, q)

    def _refined(self, ask: Callable[[EnclosedProfile], Answer], excess: Fraction, reach: int = 256) -> Answer:
        """Ask with more and more reach. The distance of the best ratio from e^epsilon suggests the next reach."""
        while True:
            pair = self.enclosed(min(reach, MAX_REACH))
            found = ask(pair)
            precise = found.bits is None or found.bits >= _ENOUGH
            if precise or pair.p_rest == pair.q_rest == 0 or reach >= MAX_REACH:
                return found
            best = pair._ratio(0) - 1 if pair.keys else Fraction(0)
            away = excess / best if 0 < best < excess else Fraction(1)
            reach = max(4 * reach, min(MAX_REACH, reach * (away.numerator // away.denominator + 1) ** 2))


def profile_at_size(p: Dist | RecurrentLaw, q: Dist | RecurrentLaw) -> Profile | EnclosedProfile | RefinedProfile:
    """Return the profile of p against q: exact where the laws are short, else in enclosures; answers say which.

    The profile is exact for laws of at most EXACT_BITS bits together, where a recurrent law has at most EXACT_OUTCOMES.

    Raises: InputError where a law has a tail.
    """
    if isinstance(p, RecurrentLaw) and isinstance(q, RecurrentLaw) and max(len(p), len(q)) <= EXACT_OUTCOMES:
        return _exactly(p, q)
    laws = [law.exact() if isinstance(law, RecurrentLaw) and len(law) <= EXACT_OUTCOMES else law for law in (p, q)]
    whole = [law for law in laws if isinstance(law, Dist)]
    if any(law.tail_weight for law in whole):
        raise InputError(given="a law with a tail", needed="whole laws", remedy="write its loop with coins.loop")
    if len(whole) == 2 and sum(len(law) * law.denominator.bit_length() for law in whole) <= EXACT_BITS:
        return profile(*whole)
    first, second = (EnclosedLaw.of(law) if isinstance(law, Dist) else law for law in laws)
    if isinstance(first, EnclosedLaw) and isinstance(second, EnclosedLaw):
        return enclosed_profile(first, second)
    return RefinedProfile(first, second)


def _exactly(p: RecurrentLaw, q: RecurrentLaw) -> Profile:
    """Return the exact profile of two recurrent laws with ends; on one range, directly from their weights."""
    if p.post or q.post:
        return profile(p.exact(), q.exact())
    x, y = p.weights(), q.weights()
    first, stop = max(p.first, q.first), min(p.first + len(x), q.first + len(y))
    if first >= stop:
        return profile(p.exact(), q.exact())
    a, b = slice(first - p.first, stop - p.first), slice(first - q.first, stop - q.first)
    p_only, q_only = (sum(law[: part.start]) + sum(law[part.stop :]) for law, part in ((x, a), (y, b)))
    return Profile.from_weights(x[a], y[b], sum(x), sum(y), p_only, q_only)


def _floor(x: Fraction) -> Fraction:
    """Return x rounded down to a multiple of 2**-160."""
    return Fraction((x.numerator << MANTISSA) // x.denominator, 1 << MANTISSA)


def _dyadic(numerator: int, exponent: int, denominator: int) -> Fraction:
    """Return numerator * 2**exponent / denominator."""
    return (
        Fraction(numerator << exponent, denominator) if exponent >= 0 else Fraction(numerator, denominator << -exponent)
    )
