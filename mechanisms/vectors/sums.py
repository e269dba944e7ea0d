"""The law of a sum of independent elements of which many are alike.

Its generating function is a product of powers of polynomials, P = p1^m1 p2^m2 ... With Q = p1 p2 ... and R = m1 p1' p2
p3 ... + m2 p1 p2' p3 ... + ..., it holds that Q P' = R P, which gives each coefficient of P from those before it, as
many as Q's degree. All is in integers: each division is exact, and the sum of all coefficients is P(1).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

Row = list[tuple[int, int]]
"""The values of an element, each with its weight."""


def shifted(row: Row) -> tuple[int, dict[int, int]]:
    """Return the least value, and the weight of each value above it, as a polynomial."""
    least = min(value for value, _ in row)
    found: dict[int, int] = {}
    for value, weight in row:
        found[value - least] = found.get(value - least, 0) + weight
    return least, found


def times(first: dict[int, int], second: dict[int, int]) -> dict[int, int]:
    """Return the product of two polynomials."""
    found: dict[int, int] = {}
    for i, a in first.items():
        for j, b in second.items():
            found[i + j] = found.get(i + j, 0) + a * b
    return found


def power_law(rows: Sequence[tuple[Row, int]], most: int) -> dict[int, int] | None:
    """Return the weight of each sum of so many elements of each row; None where taking in one by one is as quick.

    `most` is the greatest number of sums.
    """
    known = [(*shifted(row), count) for row, count in rows]
    base = sum(least * count for least, _, count in known)
    step = gcd(*(value for _, p, _ in known for value in p)) or 1
    powers = [({value // step: weight for value, weight in p.items()}, count) for _, p, count in known]
    degree = sum(max(p) for p, _ in powers)
    end = sum(max(p) * count for p, count in powers)
    if degree * len(powers) > sum(count for _, count in powers) or end >= most:
        return None
    q, r = {0: 1}, {}
    for p, count in powers:
        slope = {i - 1: count * i * a for i, a in p.items() if i}
        left, right = times(r, p), times(slope, q)
        r = {i: left.get(i, 0) + right.get(i, 0) for i in {*left, *right}}
        q = times(q, p)
    terms = [(j, r.get(j - 1, 0), q.get(j, 0)) for j in range(1, degree + 1)]
    found = [prod(p[0] ** count for p, count in powers)]
    for k in range(1, end + 1):
        whole = sum((b - a * (k - j)) * found[k - j] for j, b, a in terms if j <= k)
        weight, rest = divmod(whole, k * q[0])
        if rest:
            raise AssertionError("a coefficient of a product of polynomials is no integer")
        found.append(weight)
    if sum(found) != prod(sum(p.values()) ** count for p, count in powers):
        raise AssertionError("the coefficients of a product of polynomials do not sum to its value at 1")
    return {base + step * k: weight for k, weight in enumerate(found) if weight}


class Sums:
    """The sums of the first elements, for each number of elements: ways to a sum of all are found backwards."""

    def __init__(self, rows: Sequence[tuple[Row, int]]) -> None:
        self.rows = [row for row, count in rows for _ in range(count)]
        self.leasts = [min(value for value, _ in row) for row in self.rows]
        self.reached = [1]
        for row, least in zip(self.rows, self.leasts, strict=True):
            after = 0
            for value, _ in row:
                after |= self.reached[-1] << (value - least)
            self.reached.append(after)

    def way(self, total: int, *, last: bool) -> list[int]:
        """Return which value each element has on a way to a sum, the first or last that can be from the end on."""
        above = total - sum(self.leasts)
        found = []
        for row, least, before in zip(self.rows[::-1], self.leasts[::-1], self.reached[-2::-1], strict=True):
            places = range(len(row))
            for place in reversed(places) if last else places:
                left = above - (row[place][0] - least)
                if left >= 0 and before >> left & 1:
                    break
            found.append(place)
            above = left
        return found[::-1]
