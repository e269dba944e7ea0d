"""The check of the least delta where Gaussian noise is released, by itself: mixtures of normal laws.

This file imports the standard library, python-flint and `checker.py` alone. It searches nothing.

The released numbers of an outcome are normal of one covariance C, with a mean for each leaf. For a form u of them let
v = C u and s^2 = u(v). Leaves whose means differ by multiples of v are a *group*: u is sufficient for it. In a group,
density p less e^epsilon times density q is a sum of A_k f(y - t_k), f the density of N(0, s^2). It has at most as many
real zeros, with multiplicity, as its coefficients have changes of sign in the order of the t_k: times a positive factor
it is a sum of exponentials, and Descartes' rule holds for these. So where the signs at some cuts change as often, each
change has one zero, and no other gap between cuts has any. Else balls show the sign on a gap between two cuts, and
partial sums that beyond a cut: there a sum of exponentials has the sign that all partial sums have at the cut, from the
steepest exponential on.

The positive part of a sum is at most the sum of positive parts, so groups bound delta from above; and u alone is a
post-processing, which bounds it from below. With one group both are the same. Means that floats computed are on one
line but for roundings: a leaf may be moved into a group, and the bound from above counts how far.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import flint

from dpcert.audit.ideal.certificates import checker
from dpcert.audit.ideal.certificates.checker import ONE, UNIT, ZERO, Number, Sum, ball, combined, excess, need, sign

BITS = 256
"""The precision of balls."""
Vector = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Mixture:
    """The released numbers of one outcome: their covariance, and the weight and the mean of each leaf."""

    covariance: tuple[Vector, ...]
    leaves: list[tuple[Sum, Vector]]


def mixtures(regions: Iterable[checker.Region], integrals: checker.Integrals) -> dict[str, Mixture]:
    """Return the law on an input: a mixture for each outcome.

    Raises: NotShown for released noise that is not normal, or compared, or rounded; for two covariances in one outcome.
    """
    found: dict[str, Mixture] = {}
    for region in regions:
        noise = {name for part in region.parts for name in part.row if name != UNIT}
        laws = [region.laws.get(name, ("open", ONE, 0)) for name in noise]
        need(all((kind, power) == ("normal", 0) for kind, _, power in laws), "released noise that is not normal")
        need(noise.isdisjoint(name for row in region.rows for name in row), "released noise that is compared")
        need(all(part.rounding is None for part in region.parts), "a released number that is rounded")
        low, high = integrals.enclosed(region)
        need(low == high, "a leaf whose probability is not integrated")
        forms = [{name: c / region.laws[name][1] for name, c in p.row.items() if name != UNIT} for p in region.parts]
        covariance = tuple(tuple(_dot(a, b) for b in forms) for a in forms)
        mixture = found.setdefault(region.outcome, Mixture(covariance, []))
        need(mixture.covariance == covariance, "released noise of two covariances")
        mixture.leaves.append((low, tuple(part.row.get(UNIT, ZERO) for part in region.parts)))
    whole = combined(*((ONE, weight_of(mixture)) for mixture in found.values()))
    need(whole == {ZERO: ONE}, "probabilities that do not sum to 1")
    return found


def _dot(a: Mapping[Any, Number], b: Mapping[Any, Number]) -> Number:
    return sum((c * b[name] for name, c in a.items() if name in b), ZERO)


@dataclass(frozen=True, slots=True)
class Line:
    """A sum of A f(y - t): rows (t, A, the sign of A) by t, and the variance of f; A as a ball."""

    rows: tuple[tuple[Number, Any, int], ...]
    variance: Number

    @classmethod
    def of(cls, terms: Iterable[tuple[Number, Sum]], variance: Number) -> Line:
        """Return the sum of terms (t, A), without those that cancel."""
        parts: dict[Number, list[Any]] = defaultdict(list)
        for t, weight in terms:
            parts[t].append((ONE, weight))
        sums = {t: combined(*parts[t]) for t in sorted(parts)}
        return cls(tuple((t, ball(each, BITS), sign(each)) for t, each in sums.items() if each), variance)

    def parts(self, y: Any) -> list[Any]:
        """Return the terms at y, times one positive factor."""
        return [a * (-((y - flint.arb(t)) ** 2) / flint.arb(2 * self.variance)).exp() for t, a, _ in self.rows]

    def sign(self, y: Number) -> int:
        """Return the sign at y; 0 where it is not seen."""
        return _sign(sum(self.parts(flint.arb(y)), flint.arb(0)))

    def sign_on(self, low: Number, high: Number) -> int:
        """Return the sign between two numbers; 0 where it is not seen: by the value in the middle, and the slope of the
        sum over that of one of its exponentials."""
        middle, reach = (low + high) / 2, flint.arb(0, flint.arb((high - low) / 2).upper())
        parts = self.parts(flint.arb(middle))
        place = max(range(len(parts)), key=lambda k: abs(parts[k]).upper())
        slopes = [flint.arb((t - self.rows[place][0]) / self.variance) for t, _, _ in self.rows]
        slope = sum((a * b * (b * reach).exp() for a, b in zip(parts, slopes, strict=True)), flint.arb(0))
        return _sign(sum(parts, flint.arb(0)) + slope * reach)

    def sign_beyond(self, y: Number, side: int) -> int:
        """Return the sign above y (side 1) or below (side -1); 0 where it is not seen."""
        signs = {_sign(total) for total in accumulate(self.parts(flint.arb(y))[::-side])}
        return signs.pop() if len(signs) == 1 else 0

    def signs(self, cuts: Sequence[Number]) -> list[int]:
        """Return the signs below the first cut, between cuts, and above the last; 0 where one is not shown."""
        if not self.rows:
            return [-1] * (len(cuts) + 1)
        own = [each for _, _, each in self.rows]
        at = [own[0], *map(self.sign, cuts), own[-1]]
        changes = sum(a != b for a, b in pairwise(own))
        if all(at) and sum(a != b for a, b in pairwise(at)) == changes:
            return [a if a == b else 0 for a, b in pairwise(at)]
        if not cuts:
            return [0]
        inner = [self.sign_on(low, high) for low, high in pairwise(cuts)]
        return [self.sign_beyond(cuts[0], -1), *inner, self.sign_beyond(cuts[-1], 1)]

    def masses(self, low: Number | None, high: Number | None) -> list[Any]:
        """Return the integrals of the terms between two numbers, relatively precise in the tails."""
        size = flint.arb(2 * self.variance).sqrt()

        def above(x: Number) -> Any:
            return (flint.arb(x) / size).erfc() / 2

        def between(t: Number) -> Any:
            if low is None or high is None:
                return above(t - high) if low is None else above(low - t)
            return above(low - t) - above(high - t) if low > t else above(t - high) - above(t - low)

        if low is None and high is None:
            return [a for _, a, _ in self.rows]
        return [a * between(t) for t, a, _ in self.rows]


def _sign(x: Any) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def positive(line: Line, cuts: Sequence[Number]) -> tuple[Any, Any]:
    """Return balls below which and above which the positive part's integral is not."""
    need(all(a < b for a, b in pairwise(cuts)), "cuts that do not ascend")
    low = high = flint.arb(0)
    for each, start, end in zip(line.signs(cuts), [None, *cuts], [*cuts, None], strict=True):
        if each >= 0:
            masses = line.masses(start, end)
            low += sum(masses, flint.arb(0)) if each else 0
            high += sum((m for m, (_, _, own) in zip(masses, line.rows, strict=True) if each or own > 0), flint.arb(0))
    return low, high


Terms = list[tuple[Number, Sum]]


def groups(
    p: Mixture, q: Mixture | None, epsilon: checker.Epsilon, along: Vector, places: int
) -> tuple[Number, list[Terms], Any]:
    """Return the variance of a form; of each group of leaves the terms of p less e^epsilon q; and the loss by groups.

    Leaves are in one group where the rests of their means agree to so many places: all but the first are moved there.
    """
    need(q is None or q.covariance == p.covariance, "released noise of two covariances")
    form = dict(enumerate(along))
    towards = [_dot(dict(enumerate(row)), form) for row in p.covariance]
    variance = sum((u * v for u, v in zip(along, towards, strict=True)), ZERO)
    need(variance > 0 and type(places) is int and 0 <= places < BITS, "a form without noise, or a number of no places")
    found: dict[Vector, tuple[Vector, Terms]] = {}
    lost = flint.arb(0)
    for weight, mean in [*p.leaves, *((excess({}, w, epsilon), mean) for w, mean in (q.leaves if q else ()))]:
        t = sum((u * m for u, m in zip(along, mean, strict=True)), ZERO)
        rest = tuple(m - t / variance * v for m, v in zip(mean, towards, strict=True))
        place, terms = found.setdefault(tuple((x * 2**places + ONE / 2).floor() for x in rest), (rest, []))
        terms.append((t, weight))
        lost += abs(ball(weight, BITS)) * _moved(p.covariance, [x - y for x, y in zip(rest, place, strict=True)])
    return variance, [found[name][1] for name in sorted(found)], lost


def _moved(covariance: Sequence[Vector], by: Sequence[Number]) -> Any:
    """Return at least the total variation distance of a normal law from itself, moved: its size over sqrt(2 pi)."""
    if not any(by):
        return flint.arb(0)
    matrix, column = flint.fmpq_mat([list(row) for row in covariance]), flint.fmpq_mat([[x] for x in by])
    need(matrix.det() != 0, "a law that is moved where it has no noise")
    return flint.arb((column.transpose() * matrix.solve(column))[0, 0]).sqrt() * 2 / 5


def lines(
    p: Mixture, q: Mixture | None, epsilon: checker.Epsilon, along: Vector, places: int
) -> tuple[list[Line], Any]:
    """Return the sum that the form shows, and that of each group where there are several; and the loss by groups."""
    variance, parts, lost = groups(p, q, epsilon, along, places)
    whole = [[term for part in parts for term in part]] if len(parts) > 1 else []
    return [Line.of(terms, variance) for terms in [*whole, *parts]], lost


def weight_of(mixture: Mixture | None) -> Sum:
    """Return the probability of an outcome."""
    return combined(*((ONE, weight) for weight, _ in (mixture.leaves if mixture else ())))


Released = Mapping[str, Mixture]
"""The law on an input: a mixture for each outcome."""


def delta_bounds(p: Released, q: Released, epsilon: checker.Epsilon, proof: Mapping[str, Any]) -> checker.Bounds:
    """Return bounds of the least delta of two laws at an epsilon. The proof has, for each outcome with noise, [along,
    places, cuts]: a form, in how many places its groups agree, and the cuts of each of its lines.

    Raises: NotShown for a proof of another form.
    """
    need(set(proof) == {name for name, mixture in p.items() if mixture.covariance}, "a proof of other outcomes")
    total = [flint.arb(0), flint.arb(0)]
    with flint.ctx.workprec(BITS):
        for name, mixture in p.items():
            if not mixture.covariance:
                lost = excess(weight_of(mixture), weight_of(q.get(name)), epsilon)
                total = [side + ball(lost, BITS) for side in total] if sign(lost) > 0 else total
                continue
            along, places, cuts = proof[name]
            known, lost = lines(mixture, q.get(name), epsilon, tuple(map(checker.number, along)), places)
            found = [positive(each, [*map(checker.number, own)]) for each, own in zip(known, cuts, strict=True)]
            total[0] += found[0][0]
            total[1] += sum((high for _, high in found[len(found) > 1 :]), lost)
        low, high = total[0].lower(), total[1].upper()
        need(bool(low.is_finite() and high.is_finite()), "bounds that are not finite")
        return max(low.fmpq(), ZERO), high.fmpq()
