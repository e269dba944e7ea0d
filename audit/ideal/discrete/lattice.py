"""Probabilities of discrete noise: sums over integers, as integrals are for real noise.

With x = e^-h, a geometric variable has the weights (1 - q) q^(k - 1) for k >= 1, where q = c x^n with rational c and an
integer n. Sums of such weights are quotients of polynomials. Inequalities lie halfway between the values of their
forms, so that equality never holds in them.

Rates that are small multiples of one number g share a variable e^-g, and others have variables of their own: every
identity between such quotients holds for the numbers, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb, factorial, floor, gcd
from typing import Any

import flint

from dpcert.audit.ideal.measure import Measure, Units, indicator, linked
from dpcert.audit.ideal.merge import needed
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import exact_of, over_one_denominator
from dpcert.mechanisms.ideal.noise import WHOLE_VALUED, Law, is_whole
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.terms import Number, Piecewise, Value, gathered, inner_points, product

VARIABLES = 4
HIGHEST = 1000
"""The most times that a rate is the number g of its variable."""
RING = flint.fmpz_mpoly_ctx.get([f"x{j}" for j in range(VARIABLES)], "lex")
Base = tuple[Fraction, tuple[int, ...]]
"""The number c times a power of each variable, as (c, exponents)."""
ONE: Base = (Fraction(1), (0,) * VARIABLES)


def product_of(x: Base, y: Base) -> Base:
    """Return x y."""
    return x[0] * y[0], tuple(m + n for m, n in zip(x[1], y[1], strict=True))


def inverse(x: Base) -> Base:
    """Return 1 / x."""
    return 1 / x[0], tuple(-n for n in x[1])


class Quotient:
    """A quotient of polynomials with integer coefficients, in lowest terms; the last coefficient of the denominator is
    positive, so that a denominator without a zero where all variables are between 0 and 1 is positive there."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any) -> None:
        common = numerator.gcd(denominator)
        common *= _last_sign(denominator // common)
        self.numerator, self.denominator = numerator // common, denominator // common

    @classmethod
    def of(cls, value: Number) -> Quotient:
        return cls(RING.constant(value.numerator), RING.constant(value.denominator))

    def __add__(self, other: Any) -> Quotient:
        if other == 0:
            return self
        if self.denominator == other.denominator:
            return Quotient(self.numerator + other.numerator, self.denominator)
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return Quotient(numerator, self.denominator * other.denominator)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Any) -> Quotient:
        """Return the product with a quotient or a rational number."""
        numerator, denominator = self.numerator, self.denominator
        factor, divisor = (
            (other.numerator, other.denominator)
            if isinstance(other, Quotient)
            else (RING.constant(other.numerator), RING.constant(other.denominator))
        )
        return Quotient(numerator * factor, denominator * divisor)

    def __truediv__(self, other: Quotient) -> Quotient:
        return Quotient(self.numerator * other.denominator, self.denominator * other.numerator)

    def __bool__(self) -> bool:
        return bool(self.numerator != 0)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quotient):
            return bool(self.numerator == other.numerator and self.denominator == other.denominator)
        return other == 0 and not self


def _last_sign(polynomial: Any) -> int:
    return 1 if polynomial.coeffs()[-1] > 0 else -1


NOTHING, WHOLE = Quotient.of(0), Quotient.of(1)


def power(base: Base, m: int) -> Quotient:
    """Return a base to the power m."""
    c, degrees = base[0] ** m, [n * m for n in base[1]]
    up = RING.from_dict({tuple(max(n, 0) for n in degrees): c.numerator})
    return Quotient(up, RING.from_dict({tuple(max(-n, 0) for n in degrees): c.denominator}))


def least_multiple(x: Any, y: Any) -> Any:
    """Return the least common multiple of two polynomials, with a positive last coefficient."""
    found = x * (y // x.gcd(y))
    return found * _last_sign(found)


@dataclass(frozen=True, slots=True)
class Variables:
    """The numbers g in units of h, of which each variable is e^(-h g)."""

    sizes: tuple[int, ...]

    @classmethod
    def of(cls, rates: Iterable[int]) -> Variables:
        """Return variables for these rates.

        Raises: Unauditable for too many.
        """
        groups: list[list[int]] = []
        for rate in sorted({rate for rate in rates if rate}):
            near = (group for group in groups if max(*group, rate) <= HIGHEST * gcd(*group, rate))
            group = next(near, None)
            if group is None:
                groups.append([rate])
            else:
                group.append(rate)
        if len(groups) > VARIABLES:
            raise Unauditable(f"discrete noise of more than {VARIABLES} rates that are no multiples of each other")
        return cls(tuple(gcd(*group) for group in groups))

    def exponents(self, rate: int) -> tuple[int, ...]:
        """Return the exponents of e^(-h rate)."""
        place = next((j for j, size in enumerate(self.sizes) if rate % size == 0 and rate <= HIGHEST * size), None)
        if place is None and rate:
            raise ArithmeticError("a rate without a variable")
        return tuple(rate // self.sizes[j] if j == place else 0 for j in range(VARIABLES))

    def value(self, polynomial: Any) -> Value:
        rows = zip(polynomial.monoms(), polynomial.coeffs(), strict=True)
        return gathered(
            ((0, -sum(int(n) * size for n, size in zip(degrees, self.sizes, strict=False))), int(c))
            for degrees, c in rows
        )


Terms = dict[tuple[int, Base], Quotient]
"""The function sum of c t^k y^t of an integer t, as {(k, y): c}."""
MOST_TERMS = 5_000
"""The most values of a Poisson variable that are summed."""


def constant(value: Quotient) -> Terms:
    """Return a number as a function."""
    return {(0, ONE): value} if value else {}


def _times(x: Terms, y: Terms) -> Terms:
    return gathered(((j + k, product_of(a, b)), c * d) for (j, a), c in x.items() for (k, b), d in y.items())


def _at(terms: Terms, t: int) -> Quotient:
    return sum((c * power(base, t) * t**k for (k, base), c in terms.items()), NOTHING)


def _summed(terms: Terms) -> Terms:
    """Return a function A with A(t) - A(t - 1) equal to the given one at every integer t.

    For t^k y^t it is p(t) y^t with p(t) - p(t - 1)/y = t^k, whose coefficients follow from the highest on.
    """
    parts: list[tuple[Any, Quotient]] = []
    for (k, base), c in terms.items():
        z = power(base, -1)
        lead = WHOLE - z
        found: dict[int, Quotient] = {}
        for j in range(k, -1, -1):
            missing = WHOLE if j == k else NOTHING
            for i, d in found.items():
                if i > j:
                    missing = missing + z * d * (comb(i, j) * (-1) ** (i - j))
            if lead:
                found[j] = missing / lead
            else:
                found[j + 1] = missing / Quotient.of(j + 1)
        parts += [((j, base), c * d) for j, d in found.items()]
    return gathered(parts)


def _limit(terms: Terms, side: int) -> Quotient:
    """Return the limit at +infinity (side 1) or -infinity (side -1).

    Raises: Unauditable where it depends on epsilon.
    """
    found = NOTHING
    for (k, base), c in terms.items():
        if (k, base) == (0, ONE):
            found = found + c
        elif not falls(base, side):
            raise Unauditable("a sum of geometric weights of which some have a rational p and others one of epsilon")
    return found


def falls(base: Base, side: int) -> bool:
    """Whether y^(side t) falls to 0 as t grows, where all variables are between 0 and 1."""
    c, exponents = base if side > 0 else inverse(base)
    return base != ONE and c <= 1 and all(n >= 0 for n in exponents)


@dataclass(frozen=True, slots=True)
class OnIntegers(Piecewise):
    """A function of an integer, with `pieces[j]` between two cuts; at a cut that is an integer both pieces agree."""

    pieces: tuple[Any, ...]

    def __mul__(self, other: Piecewise) -> OnIntegers:
        cuts = tuple(sorted({*self.cuts, *other.cuts}))
        both: list[tuple[Any, Any]] = [(self.piece_at(t), other.piece_at(t)) for t in inner_points(cuts)]
        pieces = [_times(x, y) for x, y in both]
        return OnIntegers.joined(cuts, pieces)

    def integral(self) -> tuple[Any, Any]:
        """Return the function's sum up to t, and that over all integers."""
        pieces: list[Terms] = []
        start = NOTHING
        for j, terms in enumerate(self.pieces):
            sums = _summed(terms)
            before = _limit(sums, -1) if j == 0 else _at(sums, floor(self.cuts[j - 1]))
            pieces.append(gathered([*sums.items(), *constant(start - before).items()]))
            start = _limit(pieces[-1], 1) if j == len(self.cuts) else _at(pieces[-1], floor(self.cuts[j]))
        return OnIntegers(self.cuts, tuple(pieces)), start

    def along(self, slope: Number, offset: Number) -> OnIntegers:
        """Return the function of t that this one has at the greatest integer up to slope t + offset."""
        start, side = floor(offset), int(slope)
        if side == 0:
            return OnIntegers((), (constant(self.at(start)),))
        cuts = [(cut - start) * side for cut in self.cuts]
        pieces = [_along(terms, side, start) for terms in self.pieces]
        return OnIntegers(tuple(cuts[::side]), tuple(pieces[::side]))

    def at(self, t: Number) -> Any:
        """Return the value at the greatest integer up to a number."""
        terms: Any = self.piece_at(floor(t))
        return _at(terms, floor(t))


def _along(terms: Terms, slope: int, start: int) -> Terms:
    parts: list[tuple[Any, Quotient]] = []
    for (k, base), c in terms.items():
        turned = base if slope > 0 else inverse(base)
        moved = c * power(base, start)
        parts += [((j, turned), moved * (comb(k, j) * slope**j * start ** (k - j))) for j in range(k + 1)]
    return gathered(parts)


def paired(path: Path) -> Path:
    """Return a path with two geometric variables of one law as one two-sided variable, where only their difference
    occurs, and with two Poisson variables as one, where only their sum does."""
    if not any(law.kind in WHOLE_VALUED for law in path.laws):
        return path
    parts = tuple(dict.fromkeys(noisy_parts(path.outcome)))
    forms: list[dict[int, Number]] = [dict(item.form) for item in path.inequalities]
    forms += [dict(part.terms) for part in parts]
    columns: dict[int, tuple[Number, ...]] = {}
    for name in sorted({name for form in forms for name in form}):
        if name >= 0 and path.laws[name].kind in ("geometric", "poisson"):
            columns[name] = tuple(form.get(name, 0) for form in forms)
    laws, gone = list(path.laws), set()
    known: dict[Any, int] = {}
    for name, column in columns.items():
        law = path.laws[name]
        if law.kind == "geometric":
            other = known.pop((law, tuple(-c for c in column)), None)
            changed = replace(law, kind="two-sided")
        else:
            other = known.pop(column, None)
            sum_ = law.rate.factor + (0 if other is None else laws[other].rate.factor)
            changed = replace(law, rate=replace(law.rate, factor=sum_))
        if other is None:
            known[(law, column) if law.kind == "geometric" else column] = name
        else:
            laws[other] = changed
            gone.add(name)
            if law.kind == "poisson":
                known[column] = other
    if not gone:
        return path

    def kept(terms: Any) -> Any:
        return tuple((name, c) for name, c in terms if name not in gone)

    items = tuple(replace(item, form=kept(item.form)) for item in path.inequalities)
    outcome = with_parts(path.outcome, lambda part: replace(part, terms=kept(part.terms)))
    return replace(path, laws=tuple(laws), inequalities=items, outcome=outcome)


def _series(mean: Fraction, low: int, high: int) -> Fraction:
    """Return the sum of mean^k / k! for k from one number up to another."""
    if low > high:
        return Fraction(0)
    found, whole = 1, 1
    for k in range(high, low, -1):  # 1 + mean/k (1 + mean/(k + 1) (...)), over one denominator
        whole *= mean.denominator * k
        found = whole + mean.numerator * found
    return Fraction(found, whole) * mean**low / factorial(low)


@dataclass(slots=True)
class LatticeMeasure(Measure):
    """Chances of inequalities between whole-valued variables, as quotients."""

    variables: Variables = field(default_factory=lambda: Variables(()))

    @classmethod
    def of(cls, units: Units, paths: Iterable[Path]) -> LatticeMeasure:
        laws = {law for path in paths for law in path.laws if law.kind in WHOLE_VALUED}
        return cls(units, variables=Variables.of(units.rate(law) * units.lengths for law in laws))

    def _base(self, law: Law) -> Base:
        """Return e^-rate."""
        return 1 / law.rate.ratio, self.variables.exponents(self.units.rate(law) * self.units.lengths)

    def chance(self, laws: Sequence[Law], items: Sequence[Inequality]) -> Quotient:
        """Return the probability of linked inequalities.

        Raises: Unauditable for noise that is not summed.
        """
        mark = tuple((name, laws[name]) for name in sorted(_names(items))), frozenset(items)
        if any(abs(c) != 1 for item in items for _, c in item.form):
            raise Unauditable("a comparison of multiples of discrete noise is not summed")
        if mark not in self.components:
            alone = [laws[name] for name in _names(items)]
            whole = items if len(alone) < 3 else needed(items, laws)
            self.components[mark] = (
                self._poisson(alone[0], items)
                if alone[0].kind == "poisson" and len(alone) == 1
                else self._component(laws, whole)
            )
        found: Quotient = self.components[mark]
        return found

    def _poisson(self, law: Law, items: Sequence[Inequality]) -> Quotient:
        """Return the probability that a Poisson variable lies between numbers, by the finite side."""
        least, most = self._ends(items, items[0].form[0][0])
        low = 0 if least is None else max(0, floor(least) + 1)
        high = None if most is None else floor(most)
        last = low - 1 if high is None else high
        if last > MOST_TERMS:
            raise Unauditable(f"a Poisson variable above {MOST_TERMS} is not summed")
        chance = power(self._base(law), 1) * _series(law.rate.factor, low if high is not None else 0, last)
        return WHOLE - chance if high is None else chance

    def _scaled(self, threshold: Number) -> Number:
        if threshold.denominator != 2:
            raise ArithmeticError("a threshold that discrete noise may meet")
        return threshold

    def _density(self, law: Law) -> Piecewise:
        q = self._base(law)
        size = WHOLE - power(q, 1)
        match law.kind:
            case "geometric":
                return OnIntegers((Fraction(1, 2),), ({}, {(0, q): size / power(q, 1)}))
            case "two-sided":
                both = size / (WHOLE + power(q, 1))
                return OnIntegers((Fraction(-1, 2),), ({(0, inverse(q)): both}, {(0, q): both}))
        raise Unauditable(f"{law.kind} noise in a comparison with other noise is not summed")

    def _constant(self, value: Any) -> Any:
        return constant(value)

    def _indicator(self, low: Number | None, high: Number | None) -> Piecewise:
        found = indicator(low, high)
        return OnIntegers(found.cuts, tuple(constant(WHOLE) if piece else {} for piece in found.pieces))

    def _minus(self, end: Any, start: Any) -> Any:
        return end - start

    def _nothing(self) -> Any:
        return NOTHING

    def _cells(self, laws: Sequence[Law], items: Sequence[Inequality]) -> Any:
        raise Unauditable("comparisons of discrete noise that make no tree are not summed")


def weights_of(path: Path, part: Noisy | Rounded, lattice: LatticeMeasure) -> Piecewise:
    """Return weights in proportion to the chances that a paired path is taken, as a function of the whole number z for
    which a released number is a multiple of z, plus a number; other released ones do not depend on z.

    Raises: Unauditable where z is not one variable, where others depend on it, or where it is not summed.
    """
    ((name, c), *more) = part.terms
    if more or not is_whole(path.laws, [name]):
        raise Unauditable("what is released is no single whole variable")
    released = [other for each in set(noisy_parts(path.outcome)) for other, _ in each.terms]
    own = [group for group in linked(path.inequalities) if name in _names(group)]
    if released.count(name) > 1 or len(set().union(*map(_names, own)).intersection(released)) > 1:
        raise Unauditable("discrete noise that is released depends on other noise that is")
    alone = replace(path, inequalities=tuple(needed([item for group in own for item in group], path.laws)))
    found, _ = lattice.density(alone, name)
    return found.along(1 if c > 0 else -1, 0)


@dataclass(frozen=True, slots=True)
class Chances:
    """The probabilities of paths, row by row, as values that are all multiplied by one value `whole`."""

    rows: list[list[Value]]
    whole: Value


def chances_of(paths: Sequence[Sequence[Path]], units: Units) -> Chances:
    """Return the probabilities of paths.

    Raises: Unauditable for noise that is neither integrated nor summed.
    """
    plain = [[paired(path) for path in row] for row in paths]
    measure, lattice = Measure(units), LatticeMeasure.of(units, (path for row in plain for path in row))
    found: list[list[tuple[Value, list[Quotient]]]] = []
    whole = RING.constant(1)
    for row in plain:
        found.append([])
        for path in row:
            groups = linked(path.inequalities)
            whole_ones = [group for group in groups if is_whole(path.laws, _names(group))]
            parts = [lattice.chance(path.laws, group) for group in whole_ones]
            rest = [item for group in groups if group not in whole_ones for item in group]
            real = replace(path, inequalities=tuple(rest), weight=Fraction(1))
            found[-1].append((measure.probability(real), parts))
            own = RING.constant(1)
            for part in parts:
                own *= part.denominator
            whole = least_multiple(whole, own)

    weights, common = over_one_denominator([exact_of(path.weight) for row in plain for path in row])
    own_weights = iter(weights)

    def times_whole(value: Value, parts: Sequence[Quotient]) -> Value:
        both = whole
        for part in parts:
            both = both * part.numerator
        for part in parts:
            both = both // part.denominator
        own = units.value(next(own_weights))
        return product(product(value, own), lattice.variables.value(both))

    rows = [[times_whole(*each) for each in row] for row in found]
    return Chances(rows, product(units.value(common), lattice.variables.value(whole)))


def _names(items: Sequence[Inequality]) -> set[int]:
    return {name for item in items for name, _ in item.form}
