"""Laws too long to be held exactly: mantissas of fixed length with exponents, every step rounded down.

A probability is mantissa * 2**exponent times a number in one `unit`, which bounds the effect of rounding and
normalization on the whole law. Relative precision is the same at 1/2 and at 2**-60000. No law is computed on more
outcomes than a question needs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress, count, repeat, zip_longest
from math import comb, prod
from operator import mul, ne, rshift

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

MANTISSA = 160
"""The least number of bits of a mantissa; a mantissa that is not a sum has at most 65 more."""
_SHIFT = 64

Linear = tuple[int, int]
Run = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scaled:
    """Numbers between lo * 2**exponent and hi * 2**exponent, for integers 0 <= lo <= hi."""

    lo: int
    hi: int
    exponent: int

    @classmethod
    def of(cls, lo: Fraction, hi: Fraction) -> Scaled:
        """Return bounds of all numbers between two rationals, in integers of about 224 bits."""
        exponent = hi.numerator.bit_length() - hi.denominator.bit_length() - MANTISSA - _SHIFT
        return cls(_floor(lo, exponent), -_floor(-hi, exponent), exponent)

    def __mul__(self, other: Scaled) -> Scaled:
        """Return bounds of the products."""
        return Scaled(self.lo * other.lo, self.hi * other.hi, self.exponent + other.exponent)

    def __pow__(self, n: int) -> Scaled:
        """Return bounds of the n-th powers, n >= 0, by repeated squaring rounded outwards."""
        found, square = Scaled(1, 1, 0), self
        while n:
            if n & 1:
                found = (found * square).rounded()
            square, n = (square * square).rounded(), n >> 1
        return found

    def at(self, exponent: int) -> tuple[int, int]:
        """Return lo and hi as multiples of 2**exponent, rounded down and up."""
        shift = self.exponent - exponent
        return (self.lo << shift, self.hi << shift) if shift >= 0 else (self.lo >> -shift, -(-self.hi >> -shift))

    def rounded(self) -> Scaled:
        """Return wider bounds in integers of about 224 bits."""
        excess = self.hi.bit_length() - MANTISSA - _SHIFT
        return self if excess <= 0 else Scaled(*self.at(self.exponent + excess), self.exponent + excess)

    @property
    def below(self) -> Fraction:
        """The lower bound."""
        return scaled(self.lo, self.exponent)

    @property
    def above(self) -> Fraction:
        """The upper bound."""
        return scaled(self.hi, self.exponent)


@dataclass(frozen=True, slots=True, repr=False)
class EnclosedLaw:
    """A law in enclosures: outcome i has mantissas[i] * 2**(its exponent) times a number in `unit`.

    `runs` gives the exponents: (start, exponent) for all i from start to the next start. Unlisted outcomes have at most
    `elsewhere` in all.

    Claims: mantissas have 160 bits or more; outcomes, a range or the keys of outcomes, are distinct.
    """

    outcomes: Sequence[Hashable]
    mantissas: Sequence[int]
    runs: Sequence[Run]
    unit: Scaled
    elsewhere: Fraction

    @classmethod
    def of(cls, law: Dist) -> EnclosedLaw:
        """Return the law in enclosures; its tail is in `elsewhere`.

        A weight loses the last s of its n bits where n - s >= 160: less than a part in 2**159.
        """
        rows = law.scaled(1)
        weights = list(rows.values())
        shifts = [(size - MANTISSA) // _SHIFT * _SHIFT for size in map(int.bit_length, weights)]
        if shifts and min(shifts) >= 0:
            mantissas = list(map(rshift, weights, shifts))
        else:
            mantissas = [w >> s if s >= 0 else w << -s for w, s in zip(weights, shifts, strict=True)]
        unit = Fraction(1, law.denominator)
        tail = Fraction(law.tail_weight, law.denominator) if law.tail_weight else Fraction(0)
        return cls(list(rows), mantissas, runs(shifts), Scaled.of(unit, unit * _slack(1)), tail)

    def names(self) -> Sequence[Hashable]:
        """Return the outcomes' keys."""
        return [(int, k) for k in self.outcomes] if isinstance(self.outcomes, range) else self.outcomes

    def merge(self, post: Callable[[int], int]) -> EnclosedLaw:
        """Return the law of post(outcome), for a law on a range; the mass elsewhere stays elsewhere.

        Each of the n additions loses less than a part in 2**159 of its sum.
        """
        merged: dict[int, tuple[int, int]] = {}
        first = self.outcomes.start if isinstance(self.outcomes, range) else 0
        for i, (m, e) in enumerate(zip(self.mantissas, spread(self.runs, len(self.mantissas)), strict=True)):
            to = post(first + i)
            if to in merged:
                other, at = merged[to]
                m, e = (m + (other >> e - at), e) if e >= at else (other + (m >> at - e), at)
            merged[to] = m, e
        slack = _slack(2 * len(self.mantissas))
        unit = Scaled.of(self.unit.below, self.unit.above * slack)
        names = [(int, to) for to in merged]
        columns = [m for m, _ in merged.values()], runs([e for _, e in merged.values()])
        return EnclosedLaw(names, *columns, unit, self.elsewhere)


@dataclass(frozen=True, slots=True)
class RecurrentLaw:
    """A law on integers first..last, by the ratios of neighbouring probabilities; `last` may be None, for no end.

    law(k + 1) / law(k) is the product of the c + d k in `tops` over the product of those in `bottoms`, pairs (c, d).
    Requires: these are positive for first <= k < last, and the ratio does not rise with k: the law is log-concave.
              `scale`, if given, is a weight of the first outcome that makes all weights integers.
    Raises:   InputError unless the factors are positive, and each factor in `tops` grows at no greater rate than the
              factor (or 1) in its place in `bottoms`: then the ratio does not rise.
    """

    first: int
    last: int | None
    tops: tuple[Linear, ...]
    bottoms: tuple[Linear, ...]
    scale: Callable[[], int] | None = None
    post: Callable[[int], int] | None = None

    def __post_init__(self) -> None:
        first, last = self.first, self.last
        if last == first:
            return
        for c, d in (*self.tops, *self.bottoms):
            holds = c + d * first > 0 and (d >= 0 if last is None else c + d * (last - 1) > 0)
            _need(holds, f"the factor {c} + {d} k from k = {first}", "a positive one at every step")
        for (c, d), (a, b) in zip_longest(self.tops, self.bottoms, fillvalue=(1, 0)):
            given = f"ratios that go as ({c} + {d} k)/({a} + {b} k)"
            _need(d * (a + b * first) <= b * (c + d * first), given, "ratios that do not rise with k")

    def then(self, post: Callable[[int], int]) -> RecurrentLaw:
        """Return the law of post(outcome), applied after the post-processing that the law already has."""
        before = self.post
        return replace(self, post=post if before is None else lambda k: post(before(k)))

    def __len__(self) -> int:
        """The number of outcomes, before post-processing; for a law with no end or a longer one, 2**62."""
        return 1 << 62 if self.last is None else min(1 << 62, self.last - self.first + 1)

    def exact(self) -> Dist:
        """Return the law exactly.

        Raises: InputError for a law with no end.
        """
        weights = self.weights()
        rows = zip(range(self.first, self.first + len(weights)), weights, strict=True)
        whole = Dist.from_weights(rows, sum(weights))
        return whole if self.post is None else whole.map(self.post)

    def weights(self) -> list[int]:
        """Return integers in the proportion of the probabilities of first, ..., last, before post-processing.

        Raises: InputError for a law with no end.
        """
        if self.last is None:
            raise InputError(given="a law with no end", needed="a last outcome", remedy="ask for its enclosure")
        tops, bottoms = self._products(self.tops, True), self._products(self.bottoms, True)
        weight = self.scale() if self.scale else prod(self._products(self.bottoms, True))
        found = [weight]
        for top, bottom in zip(tops, bottoms, strict=False):
            weight = weight * top // bottom
            found.append(weight)
        return found

    def enclose(self, reach: int) -> EnclosedLaw:
        """Return the law in enclosures on all outcomes of more than about 2**-reach of the mode's probability.

        Starting from 1 at a mode, each step loses less than a part in 2**160, so that the loss after n steps is below a
        part n 2**-159. As ratios fall, the mass beyond the last step is at most that of a geometric series.
        """
        mode = self._mode()
        up = _walk(self._products(self.tops, True, mode), self._products(self.bottoms, True, mode), reach)
        down = _walk(self._products(self.bottoms, False, mode), self._products(self.tops, False, mode), reach)
        turn = len(down.mantissas)
        mantissas = [*reversed(down.mantissas), 1 << MANTISSA + _SHIFT, *up.mantissas]
        ends = [*(start for start, _ in down.runs[1:]), turn]
        below = [(turn - end, e) for end, (_, e) in zip(ends, down.runs, strict=True) if end]
        places = [*reversed(below), (turn, 0), *((turn + 1 + start, e) for start, e in up.runs)]
        total, slack = add_up(mantissas, places, len(mantissas)), _slack(len(mantissas))
        beyond = (up.beyond + down.beyond) * slack
        found = EnclosedLaw(
            range(mode - turn, mode - turn + len(mantissas)),
            mantissas,
            places,
            Scaled.of(1 / (total.above * slack + beyond), slack / total.below),
            Scaled.of(Fraction(0), beyond / total.below).above if beyond else beyond,
        )
        return found if self.post is None else found.merge(self.post)

    def _at(self, factors: tuple[Linear, ...], k: int) -> int:
        value = 1
        for c, d in factors:
            value *= c + d * k
        return value

    def _mode(self) -> int:
        """Return the least k from which the next ratio is at most 1, by bisection."""
        low = self.first
        if self.last is None:
            size = 1
            while self._at(self.tops, low + size) > self._at(self.bottoms, low + size):
                size *= 2
            high = low + size
        else:
            high = self.last
        while low < high:
            k = (low + high) // 2
            if self._at(self.tops, k) > self._at(self.bottoms, k):
                low = k + 1
            else:
                high = k
        return low

    def _products(self, factors: tuple[Linear, ...], ascending: bool, start: int | None = None) -> Iterable[int]:
        """Return the products of the factors at k = start, start + 1, ..., last - 1, or start - 1, ..., first."""
        start = self.first if start is None else start
        columns: list[Iterable[int]] = []
        for c, d in factors:
            if not ascending:
                columns.append(range(c + d * (start - 1), c + d * (self.first - 1), -d) if d else repeat(c))
            elif self.last is None:
                columns.append(count(c + d * start, d))
            else:
                columns.append(range(c + d * start, c + d * self.last, d) if d else repeat(c))
        bounded = (
            range(start, self.last if self.last is not None else 1 << 62) if ascending else range(self.first, start)
        )
        product = columns[0]
        for column in columns[1:]:
            product = map(mul, product, column)
        return product if any(d for _, d in factors) else (c for c, _ in zip(product, bounded, strict=False))


@dataclass(frozen=True, slots=True)
class _Walk:
    """Values that fall from 2**224 by given ratios, in mantissas and runs, and a bound on the sum of the rest."""

    mantissas: list[int]
    runs: list[Run]
    beyond: Fraction


def _walk(tops: Iterable[int], bottoms: Iterable[int], reach: int) -> _Walk:
    """Return lower bounds of the running products of top/bottom, which fall, until they fall below 2**-reach.

    A mantissa is renewed before it has fewer than 160 bits: each step's floor takes less than a part in 2**160.
    """
    mantissas: list[int] = []
    places: list[Run] = [(0, 0)]
    m, e, low = 1 << MANTISSA + _SHIFT, 0, 1 << MANTISSA
    for top, bottom in zip(tops, bottoms, strict=False):
        fallen = m * top // bottom
        if fallen < low:
            if e < -reach:
                # Ratios fall, so that the rest is at most a geometric series of the next ratio.
                return _Walk(mantissas, places, scaled(m * top, e) / (bottom - top))
            while fallen < low:
                m, e = m << _SHIFT, e - _SHIFT
                fallen = m * top // bottom
            places.append((len(mantissas), e))
        m = fallen
        mantissas.append(m)
    return _Walk(mantissas, places, Fraction(0))


def runs(exponents: Sequence[int]) -> list[Run]:
    """Return (start, exponent) for each run of equal exponents."""
    starts = [0, *compress(count(1), map(ne, exponents, exponents[1:]))] if exponents else []
    return [(start, exponents[start]) for start in starts]


def spread(places: Sequence[Run], size: int) -> list[int]:
    """Return the exponent of each of `size` values, from their runs."""
    ends = [*(start for start, _ in places[1:]), size]
    return [e for (start, e), end in zip(places, ends, strict=True) for _ in range(start, end)] if places else []


def add_up(mantissas: Sequence[int], places: Sequence[Run], stop: int) -> Scaled:
    """Return bounds of the sum of the first `stop` values.

    Runs of one exponent are summed exactly, and then rounded to 320 bits below the greatest.
    """
    parts = []
    for place, (start, exponent) in enumerate(places):
        if start >= stop:
            break
        end = places[place + 1][0] if place + 1 < len(places) else stop
        parts.append((sum(mantissas[start : min(end, stop)]), exponent))
    last = max((part.bit_length() + exponent for part, exponent in parts), default=0) - 2 * MANTISSA
    low = sum(part << exponent - last if exponent >= last else part >> last - exponent for part, exponent in parts)
    return Scaled(low, low + sum(exponent < last for _, exponent in parts), last)


def scaled(mantissa: int, exponent: int) -> Fraction:
    """Return mantissa * 2**exponent."""
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _floor(x: Fraction, exponent: int) -> int:
    """Return the greatest n with n * 2**exponent <= x."""
    if exponent >= 0:
        return x.numerator // (x.denominator << exponent)
    return (x.numerator << -exponent) // x.denominator


def _slack(steps: int) -> Fraction:
    """Return 1 + steps * 2**-159, an upper bound of (1 - 2**-160)**-steps for steps <= 2**100."""
    return 1 + Fraction(steps, 1 << MANTISSA - 1)


def binomial(n: int, p: object) -> RecurrentLaw:
    """The law of the number of successes in n independent trials of probability p, as `exact` takes it.

    Raises: InputError unless n >= 1 and 0 < p < 1.
    """
    chance = exact(p, "the probability of success")
    _need(n >= 1 and 0 < chance < 1, f"n = {n} trials at p = {chance}", "n >= 1 and 0 < p < 1")
    up, down = chance.numerator, chance.denominator - chance.numerator
    return RecurrentLaw(0, n, ((n * up, -up),), ((down, down),), lambda: down**n)


def hypergeometric(population: int, marked: int, draws: int) -> RecurrentLaw:
    """The law of the number of marked among `draws` taken from the population without replacement.

    Raises: InputError unless 0 < marked < population and 0 < draws < population.
    """
    holds = 0 < marked < population and 0 < draws < population
    _need(holds, f"{draws} draws, {marked} marked of {population}", "both strictly between 0 and the population")
    first, last = max(0, draws + marked - population), min(draws, marked)
    tops, bottoms = ((marked, -1), (draws, -1)), ((1, 1), (population - marked - draws + 1, 1))
    return RecurrentLaw(
        first, last, tops, bottoms, lambda: comb(marked, first) * comb(population - marked, draws - first)
    )


def poisson(rate: object) -> RecurrentLaw:
    """The Poisson law of this rate, as `exact` takes it; it has no last outcome.

    Raises: InputError unless the rate is positive.
    """
    mean = exact(rate, "the rate")
    _need(mean > 0, f"a rate of {mean}", "a positive one")
    return RecurrentLaw(0, None, ((mean.numerator, 0),), ((mean.denominator, mean.denominator),))


def geometric(ratio: object, last: int | None = None) -> RecurrentLaw:
    """The law on 0, 1, ..., up to `last` if any, that falls by this ratio at each step, as `exact` takes it.

    Raises: InputError unless 0 < ratio < 1, and last >= 1 where there is one.
    """
    step = exact(ratio, "the ratio")
    _need(0 < step < 1 and (last is None or last >= 1), f"ratio {step}, last {last}", "0 < ratio < 1, last >= 1")
    scale = None if last is None else lambda: step.denominator**last
    return RecurrentLaw(0, last, ((step.numerator, 0),), ((step.denominator, 0),), scale)


def _need(holds: bool, given: str, needed: str) -> None:
    if not holds:
        raise InputError(given=given, needed=needed, remedy="correct the parameters")
