"""The least delta of a release: outcomes without noise have probabilities, a released number has a density.

For each form of an outcome, the density on one input less e^epsilon times that on the other is an exponential
polynomial between cuts. Its positive part is integrated where balls show its sign; the rest is counted from above.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import flint

from dpcert.audit.ideal.compare import BITS, Exponentials, at, minus
from dpcert.audit.ideal.measure import Measure, Units
from dpcert.audit.ideal.normal import ball
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.parts import HOLE, Noisy
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.terms import (
    ONE,
    Number,
    Piecewise,
    Terms,
    Value,
    antiderivative,
    constant,
    divided,
    gathered,
    inner_points,
    limit,
    scaled,
    times,
    total,
)
from dpcert.mechanisms.ideal.terms import at as value_at

Bounds = tuple[Fraction, Fraction]
DEPTH, MOST_CELLS = 80, 2000
"""How often an interval is halved where a sign is not seen, and the most intervals of one piece."""
FAR = Fraction(1, 1 << 90)
"""Tails of a smaller probability are counted from above."""
PRECISION = 256
"""Of the balls that show signs."""


@dataclass(slots=True)
class Mixture:
    """The law of a release: probabilities by outcome, and densities by outcome with a hole for the number."""

    atoms: dict[Hashable, tuple[Any, Value]] = field(default_factory=dict)
    densities: dict[Hashable, tuple[Any, Piecewise]] = field(default_factory=dict)

    def add(self, path: Path, measure: Measure) -> None:
        """Add the outcome of a path.

        Raises: Unauditable where more than one variable is released.
        """
        parts = list(dict.fromkeys(noisy_parts(path.outcome)))
        if not parts:
            name = key(path.outcome)
            before: Value = self.atoms[name][1] if name in self.atoms else {}
            self.atoms[name] = path.outcome, total([before, measure.probability(path)])
            return
        (part, *more) = parts
        if more or not isinstance(part, Noisy) or len(part.terms) != 1:
            raise Unauditable("at a delta, what is released must be one noise variable")
        ((variable, c),) = part.terms
        unit = measure.units.lengths
        slope, offset = divided(1, c), divided(-part.offset * unit, c)
        size = slope if slope > 0 else -slope
        density, factor = measure.density(path, variable)
        found = density.along(slope, offset)
        found = Piecewise(found.cuts, tuple(times(terms, constant(scaled(factor, size))) for terms in found.pieces))
        outcome = with_parts(path.outcome, lambda part: HOLE)
        name = key(outcome)
        if name in self.densities:
            found = plus(self.densities[name][1], found)
        self.densities[name] = outcome, found

    def mass(self) -> Value:
        return total(
            [*(value for _, value in self.atoms.values()), *(f.integral()[1] for _, f in self.densities.values())]
        )


def plus(x: Piecewise, y: Piecewise) -> Piecewise:
    """Return the sum of two functions."""
    cuts = tuple(sorted({*x.cuts, *y.cuts}))
    pieces = [gathered([*x.piece_at(t).items(), *y.piece_at(t).items()]) for t in inner_points(cuts)]
    return Piecewise.joined(cuts, pieces)


def mixtures_of(paths: Sequence[Sequence[Path]]) -> tuple[Units, list[Mixture]]:
    """Return the law of each input, and their units.

    Raises: Unauditable for noise that is not integrated; ArithmeticError where probabilities do not sum to 1.
    """
    units = Units.of(path for row in paths for path in row)
    measure = Measure(units)
    found: list[Mixture] = []
    for row in paths:
        mixture = Mixture()
        for path in row:
            mixture.add(path, measure)
        if mixture.mass() != ONE:
            raise ArithmeticError("the probabilities of all paths do not sum to 1")
        found.append(mixture)
    return units, found


class Divergence:
    """The least delta of two mixtures at an epsilon, between bounds, and the event that breaks a bound most."""

    def __init__(self, units: Units, at_epsilon: Fraction, epsilon: Epsilon) -> None:
        self.h, self.unit = units.h(at_epsilon), units.lengths
        self.epsilon = epsilon
        self.exponentials = Exponentials()

    def of(self, first: Mixture, other: Mixture) -> Bounds:
        """Return bounds of the least delta."""
        low = high = Fraction(0)
        for name, (_, p) in first.atoms.items():
            q = other.atoms[name][1] if name in other.atoms else {}
            excess = minus(at(p, self.h), at(q, self.h), self.epsilon)
            if self.exponentials.sign(excess) > 0:
                lo, hi = self.exponentials.enclose(excess, BITS)
                low, high = low + lo, high + hi
        for name, (_, f) in first.densities.items():
            for start, end, terms, most in self.parts(f, other.densities.get(name)):
                if terms is None:
                    high += most
                else:
                    lo, hi = self.integral(terms, start, end)
                    low, high = low + max(lo, Fraction(0)), high + hi
        return low, high

    def event(self, first: Mixture, other: Mixture) -> tuple[tuple[Any, ...], Bounds, Bounds]:
        """Return the outcomes that are likelier on the first by more than e^epsilon, with bounds of their two
        probabilities."""
        names: list[Any] = []
        p_sum: list[Value] = []
        q_sum: list[Value] = []
        for name, (outcome, p) in first.atoms.items():
            q = other.atoms[name][1] if name in other.atoms else {}
            if self.exponentials.sign(minus(at(p, self.h), at(q, self.h), self.epsilon)) > 0:
                names.append(outcome)
                p_sum.append(p)
                q_sum.append(q)
        for name, (outcome, f) in first.densities.items():
            g = other.densities[name][1] if name in other.densities else None
            seen = [(u, v) for u, v, sign, _ in self.parts(f, None if g is None else (None, g)) if sign is not None]
            for u, v in _merged(seen):
                names.append(with_parts(outcome, partial(_in_words, u, v, self.unit)))
                p_sum.append(_mass(f, u, v))
                q_sum.append({} if g is None else _mass(g, u, v))
        p_bounds, q_bounds = (self.exponentials.enclose(at(total(values), self.h), BITS) for values in (p_sum, q_sum))
        return tuple(names), p_bounds, q_bounds

    def parts(
        self, f: Piecewise, other: tuple[Any, Piecewise] | None
    ) -> Iterator[tuple[Number, Number, Terms | None, Fraction]]:
        """Yield intervals on which f less e^epsilon times the other is positive, with its terms; and those on which its
        sign is not seen, with None and a bound of the positive part's integral."""
        g = Piecewise((), ({},)) if other is None else other[1]
        cuts = tuple(sorted({*f.cuts, *g.cuts}))
        shift = divided(self.epsilon.rational, self.h)
        for place, t in enumerate(inner_points(cuts)):
            mine = f.piece_at(t)
            theirs = {(i, k, a, b + shift): -c * self.epsilon.ratio for (i, k, a, b), c in g.piece_at(t).items()}
            terms = gathered([*mine.items(), *theirs.items()])
            start = cuts[place - 1] if place else None
            end = cuts[place] if place < len(cuts) else None
            if terms:
                yield from self._signed(terms, mine, start, end)

    def _signed(
        self, terms: Terms, mine: Terms, start: Number | None, end: Number | None
    ) -> Iterator[tuple[Number, Number, Terms | None, Fraction]]:
        if start is None and end is None:
            raise Unauditable("a density without cuts")
        if start is None or end is None:
            side, near = (-1, end) if start is None else (1, start)
            far, mass = self._far(mine, Fraction(near or 0), side)
            yield (far, far, None, mass)
            start, end = (far, near) if side < 0 else (near, far)
        curve = _Sign(terms, self.h)
        pending = [(Fraction(start or 0), Fraction(end or 0), 0)]
        positive: list[tuple[Number, Number]] = []
        seen = 0
        while pending:
            low, high, depth = pending.pop()
            seen += 1
            sign = curve.on(low, high)
            if sign > 0:
                positive.append((low, high))
            elif sign == 0:
                if depth >= DEPTH or seen > MOST_CELLS:
                    yield low, high, None, curve.most(low, high) * (high - low)
                else:
                    middle = (low + high) / 2
                    pending += [(low, middle, depth + 1), (middle, high, depth + 1)]
        for first, last in _merged(positive):
            yield first, last, terms, Fraction(0)

    def _far(self, mine: Terms, near: Fraction, side: int) -> tuple[Fraction, Fraction]:
        """Return a place beyond which a density has little mass, and a bound of that."""
        primitive = antiderivative(mine)
        end = limit(primitive, side) if mine else {}
        step = Fraction(self.unit)
        while True:
            far = near + side * step
            mass = total([end, scaled(value_at(primitive, far), -1)])
            bound = self.exponentials.enclose(at(scaled(mass, side), self.h), BITS)[1]
            if bound <= FAR:
                return far, max(bound, Fraction(0))
            step *= 2

    def integral(self, terms: Terms, start: Number, end: Number) -> Bounds:
        primitive = antiderivative(terms)
        value = total([value_at(primitive, end), scaled(value_at(primitive, start), -1)])
        return self.exponentials.enclose(at(value, self.h), 2 * BITS)


Curve = list[tuple[Any, int, Any, Any]]
"""A sum of C t^k e^(a t + b), as balls (C, k, a, b)."""


class _Sign:
    """The sign of terms on intervals: that of the terms divided by one of their exponentials, which are flatter."""

    def __init__(self, terms: Terms, h: Fraction) -> None:
        plain = [(Fraction(c) * h**i, k, h * Fraction(a), h * Fraction(b)) for (i, k, a, b), c in terms.items()]
        steepest = max(a for _, _, a, _ in plain)
        flat = [(c, k, a - steepest, b) for c, k, a, b in plain]
        slope = [(c * a, k, a, b) for c, k, a, b in flat if a] + [(c * k, k - 1, a, b) for c, k, a, b in flat if k]
        with flint.ctx.workprec(PRECISION):
            self.plain, self.flat, self.slope = _balls(plain), _balls(flat), _balls(slope)

    def on(self, low: Fraction, high: Fraction) -> int:
        """Return the sign between two numbers; 0 where it is not seen."""
        with flint.ctx.workprec(PRECISION):
            middle, reach = _interval(low, high)
            found = _sum(self.flat, middle) + _sum(self.slope, middle + reach) * reach
            return 1 if found > 0 else -1 if found < 0 else 0

    def most(self, low: Fraction, high: Fraction) -> Fraction:
        """Return a bound of the greatest value between two numbers.

        Raises: Unauditable where none is found.
        """
        with flint.ctx.workprec(PRECISION):
            end = _sum(self.plain, sum(_interval(low, high))).upper()
            if not end.is_finite():
                raise Unauditable("a density that is not bounded")
            mantissa, exponent = (int(part) for part in end.man_exp())
            return max(Fraction(0), Fraction(mantissa) * Fraction(2) ** exponent)


def _balls(rows: Sequence[tuple[Fraction, int, Fraction, Fraction]]) -> Curve:
    return [(ball(c), k, ball(a), ball(b)) for c, k, a, b in rows]


def _interval(low: Fraction, high: Fraction) -> tuple[Any, Any]:
    """Return the middle of an interval, and a ball around 0 that reaches to its ends."""
    return ball((low + high) / 2), flint.arb(0, ball((high - low) / 2).upper())


def _sum(terms: Curve, t: Any) -> Any:
    found = flint.arb(0)
    for c, k, a, b in terms:
        found += c * t**k * (a * t + b).exp()
    return found


def _mass(f: Piecewise, start: Number, end: Number) -> Value:
    integral, _ = f.integral()
    return total([integral.at(end), scaled(integral.at(start), -1)])


def _merged(intervals: Sequence[tuple[Number, Number]]) -> list[tuple[Number, Number]]:
    found: list[tuple[Number, Number]] = []
    for low, high in sorted(intervals):
        if found and found[-1][1] == low:
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def _in_words(start: Number, end: Number, unit: int, hole: Any) -> str:
    """Return an interval in words, its ends cut to few digits: they say where to look, and decide nothing."""
    low, high = (float(Fraction(x) / unit) for x in (start, end))
    return f"between {low:.6g} and {high:.6g}"
