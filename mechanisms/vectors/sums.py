"""The law of a sum of independent elements of which many are alike.

Its generating function is a product of powers of polynomials, P = p1^m1 p2^m2 ... With Q = p1 p2 ... and R = m1 p1' p2
p3 ... + m2 p1 p2' p3 ... + ..., it holds that Q P' = R P, which gives each coefficient of P from those before it, as
many as Q's degree. All is in integers: each division is exact, and the sum of all coefficients is P(1).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

Polynomial = dict[int, int]


class Batch:
    """So many elements that are alike: each is `least` + `step` times a place from 0 to `top`.

    It is `whole` where each of these places has a weight; then so has each from 0 to `most` for the sum of all.
    """

    def __init__(self, row: Sequence[tuple[int, int]], count: int) -> None:
        values = [value for value, _ in row]
        self.count, self.least = count, min(values)
        self.step = gcd(*(value - self.least for value in values))
        self.places = [(value - self.least) // self.step if self.step else 0 for value in values]
        self.top = max(self.places)
        self.most = self.top * count
        self.weights: Polynomial = {}
        for place, (_, weight) in zip(self.places, row, strict=True):
            self.weights[place] = self.weights.get(place, 0) + weight
        self.whole = len(self.weights) == self.top + 1

    def spread(self, sums: int) -> int:
        """Return the sums of these elements and others, as bits, where bit k is for the sum k above the least."""
        done = 0
        while done < self.most:
            more = min(done + 1, self.most - done)
            sums |= sums << more * self.step
            done += more
        return sums

    def counts(self, place: int, *, last: bool) -> list[int]:
        """Return how many elements have each value on a way to a place of their sum.

        On the first way as many as can be have the greatest value; on the last way all differ by one place at most.
        """
        each = place // self.count if last else self.top
        rest = place - each * self.count if last else place
        shares = {each + 1: rest, each: self.count - rest} if last else {0: self.count}
        if not last and each:
            full, one = divmod(place, each)
            shares = {each: full, 0: self.count - full - (one > 0)}
            shares[one] = shares.get(one, 0) + (one > 0)
        found = [0] * len(self.places)
        for at, many in shares.items():
            if many:
                found[max(i for i, p in enumerate(self.places) if p == at) if last else self.places.index(at)] = many
        return found


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return the product of two polynomials."""
    found: Polynomial = {}
    for i, a in first.items():
        for j, b in second.items():
            found[i + j] = found.get(i + j, 0) + a * b
    return found


def coefficients(powers: Sequence[tuple[Polynomial, int]]) -> list[int]:
    """Return the coefficients of a product of powers of polynomials, none of which is 0 at 0."""
    q: Polynomial = {0: 1}
    r: Polynomial = {}
    for p, count in powers:
        left, right = times(r, p), times({i - 1: count * i * a for i, a in p.items() if i}, q)
        r = {i: left.get(i, 0) + right.get(i, 0) for i in {*left, *right}}
        q = times(q, p)
    terms = [(j, r.get(j - 1, 0), q.get(j, 0)) for j in range(1, max(q) + 1)]
    found = [prod(p[0] ** count for p, count in powers)]
    for k in range(1, sum(max(p) * count for p, count in powers) + 1):
        whole = sum((b - a * (k - j)) * found[k - j] for j, b, a in terms if j <= k)
        weight, rest = divmod(whole, k * q[0])
        if rest:
            raise AssertionError("a coefficient of a product of polynomials is no integer")
        found.append(weight)
    if sum(found) != prod(sum(p.values()) ** count for p, count in powers):
        raise AssertionError("the coefficients of a product of polynomials do not sum to its value at 1")
    return found


class Sums:
    """The sums of batches, each with its weight, and ways to it."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches
        base, step = sum(each.least * each.count for each in batches), gcd(*(each.step for each in batches)) or 1
        powers = [({p * each.step // step: w for p, w in each.weights.items()}, each.count) for each in batches]
        self.base = base
        self.weights = {base + k * step: weight for k, weight in enumerate(coefficients(powers)) if weight}
        self.before = [1]
        for each in batches[:-1]:
            self.before.append(each.spread(self.before[-1]))

    def way(self, total: int, *, last: bool) -> list[list[int]]:
        """Return for each batch how many elements have each value on a way to a sum."""
        above, found = total - self.base, []
        for each, before in zip(self.batches[::-1], self.before[::-1], strict=True):
            places = range(min(each.most, above // each.step) + 1 if each.step else 1)
            if before == 1:
                places = places[-1:]  # the others add nothing
            place = next(p for p in (reversed(places) if last else places) if before >> (above - p * each.step) & 1)
            found.append(each.counts(place, last=last))
            above -= place * each.step
        return found[::-1]
