"""Linear programs in exact rationals: the greatest value, with a dual vector that proves it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

ZERO = Fraction(0)
Vector = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Solution:
    """A point, its value, and a dual vector, one entry for each constraint."""

    point: tuple[Fraction, ...]
    dual: tuple[Fraction, ...]
    value: Fraction


def greatest(matrix: Sequence[Vector], bounds: Vector, objective: Vector) -> Solution:
    """Return a point at which objective . x is greatest over x >= 0 with matrix x <= bounds.

    Requires: bounds >= 0, so that x = 0 is feasible; the objective is bounded on feasible points.
    Claims:   `proves` accepts the solution. Pivots by Bland's rule, which never cycles.
    Raises:   ValueError where the bounds are negative or the objective has no greatest value.
    """
    if any(bound < 0 for bound in bounds):
        raise ValueError("a bound below 0: x = 0 must be allowed")
    rows, columns = len(matrix), len(objective)
    table = [{**{j: a for j, a in enumerate(line) if a}, columns + i: Fraction(1)} for i, line in enumerate(matrix)]
    right = list(bounds)
    costs = {j: c for j, c in enumerate(objective) if c}
    basis = [columns + i for i in range(rows)]
    value = ZERO
    # Bland's rule takes the least index here and, among equal ratios, below: other choices may cycle for ever.
    while (entering := min((j for j, c in costs.items() if c > 0), default=None)) is not None:
        ratios = [(right[i] / table[i][entering], basis[i], i) for i in range(rows) if table[i].get(entering, ZERO) > 0]
        if not ratios:
            raise ValueError("the objective has no greatest value")
        _, _, leaving = min(ratios)
        pivot = table[leaving][entering]
        line = {j: a / pivot for j, a in table[leaving].items()}
        table[leaving], right[leaving] = line, right[leaving] / pivot
        for i in range(rows):
            factor = table[i].get(entering)
            if i != leaving and factor:
                _subtract(table[i], factor, line)
                right[i] -= factor * right[leaving]
        factor = costs[entering]
        _subtract(costs, factor, line)
        value += factor * right[leaving]
        basis[leaving] = entering
    point = [ZERO] * columns
    for i, j in enumerate(basis):
        if j < columns:
            point[j] = right[i]
    return Solution(tuple(point), tuple(-costs.get(columns + i, ZERO) for i in range(rows)), value)


def _subtract(target: dict[int, Fraction], factor: Fraction, line: dict[int, Fraction]) -> None:
    for j, a in line.items():
        rest = target.get(j, ZERO) - factor * a
        if rest:
            target[j] = rest
        else:
            target.pop(j, None)


def proves(solution: Solution, matrix: Sequence[Vector], bounds: Vector, objective: Vector) -> bool:
    """Whether the solution is feasible, and its dual vector shows that no feasible point has a greater value.

    Claims: x >= 0, matrix x <= bounds, y >= 0, y matrix >= objective and objective . x = y . bounds = value.
    """
    x, y = solution.point, solution.dual
    return (
        min(*x, *y) >= 0
        and all(_dot(line, x) <= bound for line, bound in zip(matrix, bounds, strict=True))
        and all(_dot(y, column) >= c for column, c in zip(zip(*matrix, strict=True), objective, strict=True))
        and _dot(objective, x) == _dot(y, bounds) == solution.value
    )


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True) if p and q), ZERO)
