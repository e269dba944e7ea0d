"""Claims about programs that release Gaussian noise, at a delta: mixtures of normal laws of one covariance.

Floats and Newton's method propose where densities cross; `certificates/gauss.py` bounds delta from that.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint

from dpcert.audit.ideal.brackets import Brackets
from dpcert.audit.ideal.certificates import checker, gauss
from dpcert.audit.ideal.certificates.checker import ONE, ZERO, Number, ball, combined
from dpcert.audit.ideal.certificates.gauss import BITS, Mixture, Vector, groups
from dpcert.audit.ideal.certificates.leaves import fmpq, fraction, is_exact, is_plain, region_of
from dpcert.audit.ideal.decide import TOO_NEAR, rounded
from dpcert.audit.ideal.normal import Bounds, bounds
from dpcert.audit.ideal.opening import is_at_least
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.audit.ideal.report import IdealReport, Seen
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.path import Path

LIKELIEST, DIRECTIONS = 48, 12
"""How many leaves give directions, and how many of these are compared."""
AGREE = 30
"""In how many places, of a deviation, leaves of a group agree: floats that were added in another order do in more."""


def direction(p: Mixture, q: Mixture | None) -> tuple[Vector, int]:
    """Return a form of released numbers, and in how many places groups agree: of the forms that distinguish two leaves,
    one whose groups weigh about the same on both sides.

    Raises: Unauditable where no form has noise.
    """
    size = len(p.covariance)
    forms = _forms(p, q) if size > 1 and q is not None else []
    plain = [tuple(ONE if i == j else ZERO for j in range(size)) for i in range(size)]
    kept = [form for form in [*forms, *plain] if _variance(p, form) > 0]
    if not kept:
        raise Unauditable("released numbers without noise")
    widest = max(row[place] for place, row in enumerate(p.covariance))
    places = max(0, AGREE - math.frexp(math.sqrt(float(ball({ZERO: widest}, BITS))))[1])
    best = min(kept, key=lambda form: _apart(p, q, form, places)) if len(kept) > 1 else kept[0]
    return best, places


def _forms(p: Mixture, q: Mixture) -> list[Vector]:
    """Return the forms that are sufficient for the commonest differences of a leaf of p and one of q."""
    likely: dict[Vector, float] = defaultdict(float)
    shown: dict[Vector, Vector] = {}
    first, second = (_likeliest(each) for each in (p, q))
    for weight, mean in first:
        for other, its in second:
            apart = [x - y for x, y in zip(mean, its, strict=True)]
            lead = next((x for x in apart if x), None)
            if lead is not None:
                exact = tuple(x / lead for x in apart)
                about = tuple((x * 2**AGREE).round() for x in exact)
                shown.setdefault(about, exact)
                likely[about] += weight * other
    best = [shown[about] for about in sorted(likely, key=lambda each: -likely[each])[:DIRECTIONS]]
    covariance = flint.fmpq_mat([list(row) for row in p.covariance])
    if covariance.det() == 0:
        return best
    return [tuple(covariance.solve(flint.fmpq_mat([[x] for x in each])).entries()) for each in best]


def _likeliest(mixture: Mixture) -> list[tuple[float, Vector]]:
    leaves = [(float(ball(weight, BITS)), mean) for weight, mean in mixture.leaves]
    return sorted(leaves, key=lambda leaf: -leaf[0])[:LIKELIEST]


def _variance(mixture: Mixture, form: Sequence[Number]) -> Number:
    rows = zip(form, mixture.covariance, strict=True)
    return sum((u * v * c for u, row in rows for v, c in zip(form, row, strict=True)), ZERO)


def _apart(p: Mixture, q: Mixture | None, form: Vector, places: int) -> tuple[float, int]:
    """Return about how much likelier the groups of a form are by themselves, and how many they are."""
    _, found, _ = groups(p, q, (ZERO, ONE), form, places)
    sums = [float(ball(combined(*((ONE, weight) for _, weight in group)), BITS)) for group in found]
    return round(sum(max(0.0, each) for each in sums), 12), len(sums)


Law = Mapping[str, gauss.Mixture]
Proof = dict[str, Any]
APART = Fraction(1, 10**6)
"""Bounds that are this far apart, relatively, are of means that lie on no line."""
OFF_A_LINE = "the means of what is released lie on no line"
MOST_EPSILON, HALVINGS = 1 << 12, 60
MARGIN = Fraction(1, 10**10)
"""How far from the least epsilon, as floats find it, it is bounded."""


def releases_normal(paths: Sequence[Sequence[Path]]) -> bool:
    """Whether normal noise is released, and no whole noise drawn."""
    normal = any(path.laws[name].kind == "normal" for row in paths for path in row for name in _released(path))
    return normal and all(map(is_plain, paths))


def by_mixtures(claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]]) -> IdealReport:
    """Return the report where all released numbers besides tags have normal noise of one covariance.

    Raises: Unauditable for anything else.
    """
    laws = laws_of(paths)
    epsilon, delta = claim.guarantee.epsilon, claim.guarantee.delta
    search = Mixtures(laws)
    found = {pair: search.bounds(*pair, epsilon) for pair in pairs}
    worst = max(found, key=lambda pair: found[pair][0])
    low, high = found[worst][0], max(bounds[1] for bounds in found.values())
    verdict = "verified" if high <= delta else "refuted" if low > delta else "undecided"
    apart = high - low > APART * high
    notes = (f"{OFF_A_LINE}: the least delta is at least {decimal_lo(low)}",) if apart and verdict == "verified" else ()
    ends = search.least_epsilon(worst, pairs, delta)
    if verdict == "verified" and (ends[1] is None or is_at_least(ends[1], epsilon)):
        ends = ends[0], epsilon
    return IdealReport(
        claim=claim,
        verdict=verdict,
        reason=None if verdict != "undecided" else _why(low, high) if apart else TOO_NEAR,
        pairs=len(pairs),
        paths=sum(map(len, paths)),
        outcomes=len({name for law in laws for name in law}),
        delta=(rounded(low, up=False), rounded(high, up=True)),
        epsilon=ends,
        worst=_seen(claim, search, worst) if verdict == "refuted" else None,
        notes=notes,
        method="normal release",
    )


def _why(low: Fraction, high: Fraction) -> str:
    return (
        f"{OFF_A_LINE}: the least delta is at least {decimal_lo(low)}, as one direction shows, and at most "
        f"{decimal_hi(high)}, as parallel lines do"
    )


def laws_of(paths: Sequence[Sequence[Path]]) -> list[Law]:
    """Return the law of each input.

    Raises: Unauditable where released noise is not normal, or more than mixtures of one covariance.
    """
    if any(map(is_exact, paths)):
        raise Unauditable("weights of draws that are no rational numbers, beside released normal noise")
    integrals = checker.Integrals(_no_bounds)
    try:
        return [gauss.mixtures(map(region_of, row), integrals) for row in paths]
    except checker.NotShown as error:
        raise Unauditable(str(error)) from None


def _released(path: Path) -> Iterator[int]:
    return (name for part in noisy_parts(path.outcome) for name, _ in part.terms)


def _no_bounds(region: checker.Region) -> checker.Bounds:
    raise checker.NotShown("a leaf whose probability is not integrated")


def _seen(claim: Claim, search: Mixtures, pair: tuple[int, int]) -> Seen:
    """Return the event on which the first density is likelier by more than e^epsilon, as far as it is shown."""
    a, b = pair
    p, q = search.event(a, b, claim.guarantee.epsilon)
    words = f"a density more than e^({claim.guarantee.epsilon}) times that on the other"
    return Seen(claim.inputs[a], claim.inputs[b], (words,), p, q)


@dataclass(slots=True)
class Mixtures:
    """The laws of all inputs, and the search for proofs about pairs of them."""

    laws: Sequence[Law]
    brackets: Brackets = field(default_factory=Brackets)
    directions: dict[tuple[int, int, str], tuple[gauss.Vector, int]] = field(default_factory=dict)

    def proof(self, a: int, b: int, epsilon: Epsilon) -> Proof:
        """Return the data that shows bounds of the least delta of a pair."""
        found: Proof = {}
        for name, mixture in self.laws[a].items():
            if mixture.covariance:
                along, places, lines = self._lines(a, b, name, epsilon)
                cuts = [list(map(text_of, self.brackets.cuts(line))) for line in lines]
                found[name] = [list(map(text_of, along)), places, cuts]
        return found

    def bounds(self, a: int, b: int, epsilon: Epsilon) -> Bounds:
        """Return bounds of the least delta of a pair.

        Raises: Unauditable where they are not shown.
        """
        try:
            low, high = gauss.delta_bounds(self.laws[a], self.laws[b], pair_of(epsilon), self.proof(a, b, epsilon))
        except checker.NotShown as error:
            raise Unauditable(str(error)) from None
        return fraction(low), min(fraction(high), Fraction(1))

    def event(self, a: int, b: int, epsilon: Epsilon) -> tuple[Bounds, Bounds]:
        """Return bounds of the two probabilities of the event that breaks a bound most, as far as it is shown."""
        totals = [flint.arb(0), flint.arb(0)]
        other = self.laws[b]
        with flint.ctx.workprec(gauss.BITS):
            for name, p in self.laws[a].items():
                q = other.get(name)
                if not p.covariance:
                    weights = gauss.weight_of(p), gauss.weight_of(q)
                    if checker.sign(checker.excess(*weights, pair_of(epsilon))) > 0:
                        totals = [t + checker.ball(w, gauss.BITS) for t, w in zip(totals, weights, strict=True)]
                    continue
                along, places, lines = self._lines(a, b, name, epsilon)
                cuts = self.brackets.cuts(lines[0])
                signs = lines[0].signs(cuts)
                gaps = [gap for sign, *gap in zip(signs, [None, *cuts], [*cuts, None], strict=True) if sign > 0]
                for side, mixture in enumerate((p, q)):
                    if mixture is not None:
                        own = gauss.lines(mixture, None, pair_of(epsilon), along, places)[0][0]
                        totals[side] += sum((m for gap in gaps for m in own.masses(*gap)), flint.arb(0))
            return bounds(totals[0]), bounds(totals[1])

    def about(self, a: int, b: int, epsilon: Epsilon, *, above: bool) -> float:
        """Return about a bound of the least delta of a pair."""
        total = 0.0
        for name, p in self.laws[a].items():
            q = self.laws[b].get(name)
            if not p.covariance:
                lost = checker.excess(gauss.weight_of(p), gauss.weight_of(q), pair_of(epsilon))
                total += max(0.0, float(checker.ball(lost, gauss.BITS)))
                continue
            _, _, lines = self._lines(a, b, name, epsilon)
            total += sum(map(self.brackets.about, lines[len(lines) > 1 :] if above else lines[:1]))
        return total

    def least_epsilon(
        self, worst: tuple[int, int], pairs: Sequence[tuple[int, int]], delta: Fraction
    ) -> tuple[Epsilon, Epsilon | None]:
        """Return bounds of the least epsilon at a delta; None where no bound is found."""
        goal = float(delta)

        def end(above: bool) -> Fraction | None:
            near = crossing(lambda epsilon: self.about(*worst, Epsilon.of(epsilon), above=above) <= goal)
            return None if near is None else near * (1 + MARGIN if above else 1 - MARGIN)

        low, high = (None if found is None else Epsilon.of(found) for found in map(end, (False, True)))
        if low is None or self.bounds(*worst, low)[0] <= delta:
            low = Epsilon.of(0)
        return low, high if high is not None and all(self.bounds(*pair, high)[1] <= delta for pair in pairs) else None

    def _lines(self, a: int, b: int, name: str, epsilon: Epsilon) -> tuple[gauss.Vector, int, list[gauss.Line]]:
        """Return the form of an outcome that shows most, in how many places its groups agree, and its lines."""
        p, q = self.laws[a][name], self.laws[b].get(name)
        with flint.ctx.workprec(gauss.BITS):
            if (a, b, name) not in self.directions:
                self.directions[a, b, name] = direction(p, q)
            along, places = self.directions[a, b, name]
            return along, places, gauss.lines(p, q, pair_of(epsilon), along, places)[0]


def crossing(enough: Callable[[Fraction], bool]) -> Fraction | None:
    """Return about the least epsilon that is enough, a short number; None where none is that is looked at."""
    if enough(Fraction(0)):
        return Fraction(0)
    high = Fraction(1)
    while not enough(high):
        high *= 2
        if high > MOST_EPSILON:
            return None
    low = high / 2 if high > 1 else Fraction(0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
        if high - low <= MARGIN * high / 4:
            break
    return high


def pair_of(epsilon: Epsilon) -> checker.Epsilon:
    """Return an epsilon as the checker has it."""
    return fmpq(epsilon.rational), fmpq(epsilon.ratio)


def text_of(x: checker.Number) -> str:
    """Return a number of the checker as a text."""
    return f"{x.p}/{x.q}"
