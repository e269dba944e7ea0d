"""Integrals over any polyhedron: cells in which one lower and one upper bound of each variable are the nearest ones.

This is the general method, for constraints in a circle or between more than two variables; `measure.py` is faster where
constraints make a tree. Terms of several variables are {(i, k, a, b): c} with tuples k and a: c h^i times, over the
variables x_j, x_j^k_j, times e^(h (sum of a_j x_j + b)).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product as choices
from typing import Any

from dpcert.mechanisms.ideal.linear import possible
from dpcert.mechanisms.ideal.noise import density
from dpcert.mechanisms.ideal.terms import Number, Value, divided, gathered, rational, total

Linear = dict[int, Fraction]
Row = tuple[Linear, Fraction]
"""The inequality form(x) + offset > 0."""
Terms = dict[tuple[int, tuple[int, ...], tuple[Number, ...], Number], Number]


def integral(kinds: Sequence[tuple[str, int]], rows: Sequence[tuple[Any, Number]], unit: int) -> Value:
    """Return the probability that variables of these kinds and rates satisfy all rows, in the units of `measure`."""
    found: list[Value] = []
    plain = [({name: Fraction(c) for name, c in form}, Fraction(offset)) for form, offset in rows]
    pieces = [list(_pieces(name, kind, rate, unit)) for name, (kind, rate) in enumerate(kinds)]
    for chosen in choices(*pieces):
        cell = [*plain, *(row for part, _ in chosen for row in part)]
        terms: Terms = {(0, (), (), 0): 1}
        for _, own in chosen:
            terms = {
                (i + j, (*ks, k), (*slopes, a), b + d): c * f
                for (i, ks, slopes, b), c in terms.items()
                for (j, k, a, d), f in own.items()
            }
        found.append(_integrated(terms, cell, frozenset(range(len(kinds)))))
    return total(found)


def _pieces(name: int, kind: str, rate: int, unit: int) -> Iterator[tuple[list[Row], Any]]:
    """Yield each interval on which a density is one formula: its rows, and the formula."""
    whole = density(kind, rate, unit)
    for j, terms in enumerate(whole.pieces):
        if not terms:
            continue
        rows: list[Row] = []
        if j > 0:
            rows.append(({name: Fraction(1)}, -Fraction(whole.cuts[j - 1])))
        if j < len(whole.cuts):
            rows.append(({name: Fraction(-1)}, Fraction(whole.cuts[j])))
        yield rows, terms


def _integrated(terms: Terms, rows: Sequence[Row], names: frozenset[int]) -> Value:
    """Integrate terms over the points of some variables that satisfy all rows."""
    if not terms or not possible(rows):
        return {}
    if not names:
        return gathered(((i, b), c) for (i, _, _, b), c in terms.items())
    name = min(names, key=lambda n: _sides(rows, n))
    rest: list[Row] = []
    lowers: dict[Any, Row] = {}
    uppers: dict[Any, Row] = {}
    for form, offset in rows:
        own = form.get(name, Fraction(0))
        if own == 0:
            rest.append((form, offset))
            continue
        line = {n: -c / own for n, c in form.items() if n != name and c}, -offset / own
        (lowers if own > 0 else uppers)[tuple(sorted(line[0].items())), line[1]] = line
    primitive = _antiderivative(terms, name)
    parts: list[Value] = []
    for low in lowers.values() or [None]:
        for high in uppers.values() or [None]:
            cell = list(rest)
            if low is not None:
                cell += [_difference(low, other) for other in lowers.values() if other is not low]
            if high is not None:
                cell += [_difference(other, high) for other in uppers.values() if other is not high]
            if low is not None and high is not None:
                cell.append(_difference(high, low))
            end, start = _end(primitive, name, high, 1), _end(primitive, name, low, -1)
            between = gathered([*end.items(), *((key, -c) for key, c in start.items())])
            parts.append(_integrated(between, cell, names - {name}))
    return total(parts)


def _sides(rows: Sequence[Row], name: int) -> int:
    lowers = sum(1 for form, _ in rows if form.get(name, 0) > 0)
    uppers = sum(1 for form, _ in rows if form.get(name, 0) < 0)
    return max(lowers, 1) * max(uppers, 1)


def _difference(x: Row, y: Row) -> Row:
    """Return the row x - y > 0."""
    form = dict(x[0])
    for name, c in y[0].items():
        form[name] = form.get(name, Fraction(0)) - c
    return {name: c for name, c in form.items() if c}, x[1] - y[1]


def _antiderivative(terms: Terms, name: int) -> Terms:
    parts: list[tuple[Any, Number]] = []
    for (i, ks, slopes, b), c in terms.items():
        k, a = ks[name], slopes[name]
        if a == 0:
            parts.append(((i, _put(ks, name, k + 1), slopes, b), divided(c, k + 1)))
            continue
        factor: Number = c
        for j in range(k + 1):
            factor = divided(factor, a)
            parts.append(((i - 1 - j, _put(ks, name, k - j), slopes, b), factor))
            factor = -factor * (k - j)
    return gathered(parts)


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _end(terms: Terms, name: int, line: Row | None, side: int) -> Terms:
    """Return terms with a line in the place of a variable; with no line, their limit on that side."""
    if line is None:
        if any(slopes[name] * side > 0 or (slopes[name] == 0 and ks[name]) for _, ks, slopes, _ in terms):
            raise ArithmeticError("an integral without end")
        return {key: c for key, c in terms.items() if key[2][name] == 0}
    form, offset = line
    parts: list[tuple[Any, Number]] = []
    for (i, ks, slopes, b), c in terms.items():
        a = slopes[name]
        moved = tuple(rational(slope + a * form.get(n, 0)) if n != name else 0 for n, slope in enumerate(slopes))
        for powers, d in _power(form, offset, ks[name], len(ks)).items():
            degrees = tuple(0 if n == name else k + powers[n] for n, k in enumerate(ks))
            parts.append(((i, degrees, moved, rational(b + a * offset)), c * d))
    return gathered(parts)


def _power(form: Linear, offset: Fraction, k: int, width: int) -> dict[tuple[int, ...], Fraction]:
    """Return (form(x) + offset)^k as a polynomial."""
    found = {(0,) * width: Fraction(1)}
    for _ in range(k):
        parts: list[tuple[Any, Any]] = []
        for powers, c in found.items():
            parts.append((powers, c * offset))
            parts += [(_put(powers, n, powers[n] + 1), c * d) for n, d in form.items()]
        found = gathered(parts)
    return found
