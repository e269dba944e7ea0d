"""Linear programs over the rationals, by the simplex method with Bland's rule: always ends, never rounds.

Within it, numbers are those of FLINT, `flint.fmpq`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.late import flint
from dpcert.mechanisms.ideal.terms import Number

Row = list[Any]
Linear = Mapping[int, Number]
"""The coefficients of a linear form, by variable."""


@dataclass(frozen=True, slots=True)
class Solution:
    """An optimum: where it is, and its value."""

    point: dict[int, Fraction]
    value: Fraction


class Unbounded(ArithmeticError):
    """The objective has no greatest value."""


def maximize(objective: Linear, rows: Sequence[tuple[Linear, Number]]) -> Solution | None:
    """Maximize a linear form over all points x with a(x) <= b for each row (a, b); None where there is none.

    Variables are free. Raises: Unbounded.
    """
    names = sorted({name for form, _ in rows for name in form} | set(objective))
    place = {name: j for j, name in enumerate(names)}
    n, m = len(names), len(rows)
    width = 2 * n + m + 2  # x+, x-, slacks, one artificial, and the right-hand side
    tableau: list[Row] = []
    zero, one = flint.fmpq(0), flint.fmpq(1)
    for r, (form, bound) in enumerate(rows):
        row = [zero] * width
        for name, c in form.items():
            row[place[name]], row[n + place[name]] = _fmpq(c), -_fmpq(c)
        row[2 * n + r], row[-2], row[-1] = one, -one, _fmpq(bound)
        tableau.append(row)
    basis = [2 * n + r for r in range(m)]
    worst = min(range(m), key=lambda r: tableau[r][-1], default=None)
    if worst is not None and tableau[worst][-1] < 0:
        # The artificial variable enters in the row that lacks most: then no right-hand side is below 0.
        _pivot(tableau, basis, worst, width - 2)
        cost = [zero] * width
        cost[-2] = -one
        if _solve(tableau, basis, cost, width - 1) != 0:
            return None
        if width - 2 in basis:
            r = basis.index(width - 2)
            entering = next((j for j in range(width - 2) if tableau[r][j] != 0), None)
            if entering is None:
                del tableau[r], basis[r]
            else:
                _pivot(tableau, basis, r, entering)
    for row in tableau:
        row[-2] = zero
    cost = [zero] * width
    for name, c in objective.items():
        cost[place[name]], cost[n + place[name]] = _fmpq(c), -_fmpq(c)
    value = _solve(tableau, basis, cost, width - 2)
    found = dict.fromkeys(range(width), zero)
    for r, j in enumerate(basis):
        found[j] = tableau[r][-1]
    point = {name: _fraction(found[place[name]] - found[n + place[name]]) for name in names}
    return Solution(point, _fraction(value))


def _fmpq(x: Number) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def _solve(tableau: list[Row], basis: list[int], cost: Row, columns: int) -> Any:
    """Move the basis to an optimum of the cost; return the optimal value."""
    reduced = list(cost)
    for r, j in enumerate(basis):
        _subtract(reduced, tableau[r], reduced[j])
    while True:
        entering = next((j for j in range(columns) if reduced[j] > 0), None)
        if entering is None:
            return -reduced[-1]
        ratios = [(row[-1] / row[entering], basis[r], r) for r, row in enumerate(tableau) if row[entering] > 0]
        if not ratios:
            raise Unbounded("a linear program without a greatest value")
        leaving = min(ratios)[2]
        _pivot(tableau, basis, leaving, entering)
        _subtract(reduced, tableau[leaving], reduced[entering])


def _pivot(tableau: list[Row], basis: list[int], r: int, j: int) -> None:
    pivot = tableau[r][j]
    tableau[r] = [x / pivot for x in tableau[r]]
    for other, row in enumerate(tableau):
        if other != r:
            _subtract(row, tableau[r], row[j])
    basis[r] = j


def _subtract(row: Row, other: Row, factor: Any) -> None:
    if factor:
        for k, x in enumerate(other):
            if x:
                row[k] -= factor * x


MARGIN = -1
"""The name of the variable that says how far inside a point is."""


def inside(forms: Sequence[tuple[Linear, Number]]) -> dict[int, Fraction] | None:
    """Return a point where each a(x) + b is positive, for all (a, b), as far inside as 1; None where there is none."""
    rows: list[tuple[Linear, Number]] = [({MARGIN: Fraction(1)}, Fraction(1))]
    for form, offset in forms:
        rows.append(({**{name: -c for name, c in form.items()}, MARGIN: Fraction(1)}, offset))
    found = maximize({MARGIN: Fraction(1)}, rows)
    if found is None or found.value <= 0:
        return None
    return {name: x for name, x in found.point.items() if name != MARGIN}


def possible(forms: Sequence[tuple[Linear, Number]]) -> bool:
    """Whether there is a point where each a(x) + b is positive, for all (a, b)."""
    longest = _differences(forms)
    return inside(forms) is not None if longest is None else longest


ORIGIN = -(1 << 60)
"""The name of a variable that is 0."""


def _differences(forms: Sequence[tuple[Linear, Number]]) -> bool | None:
    """Return the same where each form is a difference x - y, or x or -x alone; None for anything else.

    Each says x > y - b. There is a point if and only if no circle of these sums to 0 or more.
    """
    above: dict[int, dict[int, Number]] = {}
    for form, b in forms:
        signs = sorted((c, name) for name, c in form.items() if c)
        if len(signs) == 1 and signs[0][0] in (1, -1):
            signs = [(-1, ORIGIN), signs[0]] if signs[0][0] == 1 else [signs[0], (1, ORIGIN)]
        if len(signs) != 2 or signs[0][0] != -1 or signs[1][0] != 1:
            return None
        (_, low), (_, high) = signs
        row = above.setdefault(high, {})
        row[low] = max(row.get(low, -b), -b)
        above.setdefault(low, {})
    # Floyd and Warshall: the greatest sum from each variable to each other one by way of more and more variables.
    for middle in above:
        through = above[middle]
        if through.get(middle, -1) >= 0:
            return False
        for row in above.values():
            if middle not in row:
                continue
            start = row[middle]
            for low, c in through.items():
                if low not in row or row[low] < start + c:
                    row[low] = start + c
    return all(row.get(name, -1) < 0 for name, row in above.items())
