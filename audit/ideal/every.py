"""Claims for every epsilon at once, of programs whose scales are c/epsilon.

With h = epsilon in a unit, a claim is that functions f(h) = sum of c h^i e^(h b) are nowhere negative for h > 0. That
holds where all coefficients of the Taylor series of e^(-m h) f are at least 0, m the least exponent: finitely many are
computed, and from there on the greatest exponent outweighs the others. Elsewhere `ranges.py` finds signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product as choices
from math import lcm
from typing import Any

from dpcert.audit.ideal.alignment import Alignment
from dpcert.audit.ideal.compare import Exponentials, added, at
from dpcert.audit.ideal.decide import Seen, laws_in, rounded
from dpcert.audit.ideal.explore import OPEN, laws_of
from dpcert.audit.ideal.measure import Measure, Units
from dpcert.audit.ideal.outcomes import is_noisy
from dpcert.audit.ideal.ranges import Sign, sign_on
from dpcert.audit.ideal.release import best_alignment
from dpcert.audit.ideal.run import Path
from dpcert.audit.ideal.terms import Number, Value, rational, scaled, total
from dpcert.audit.ideal.verdict import decide_ideal, digests_of, held_by
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised

FURTHEST = 1 << 14
"""The most Taylor coefficients that are computed."""
SHIFTS = (0, 1, 2, 4, 8, 16, 32)
"""The factors e^(s h) that are tried."""
TRIED = (
    *map(Fraction, (1, 4, 2, 16, 3, 8, 27, 64)),
    *(1 / Fraction(n) for n in (4, 16, 2, 8, 100)),
    Fraction(3, 4),
)
"""The epsilons at which a claim is tried first."""
MIXED = 10
"""The most outcomes whose part of delta may be of either sign."""


@dataclass(frozen=True, slots=True)
class EveryReport:
    """A verdict about every epsilon of a range.

    Refuted at `epsilon`, by the event in `worst`. `delta` are bounds of the greatest least delta over the range, and
    `digests` those of the paths on each input, where the program is followed for an open epsilon; `held`,
    `method` and `alignments` are as of an `IdealReport`.
    """

    verdict: str
    reason: str | None
    pairs: int
    paths: int
    epsilon: Fraction | None = None
    worst: Seen | None = None
    delta: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1))
    digests: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    method: str = "integration"
    alignments: tuple[Alignment, ...] = ()


def nowhere_negative(value: Value) -> bool:
    """Return True only where a value is at least 0 for every h > 0; False says nothing."""
    if not value:
        return True
    low = min(i for i, _ in value)
    least = min(b for _, b in value)
    unit = lcm(*(Fraction(c).denominator for c in value.values()))
    whole = {(i - low, b - least): rational(Fraction(c) * unit) for (i, b), c in value.items()}
    return any(_all_coefficients({(i, b + shift): c for (i, b), c in whole.items()}) for shift in SHIFTS)


@cache
def _falling(n: int, i: int) -> int:
    """Return n (n - 1) ... (n - i + 1)."""
    found = 1
    for j in range(i):
        found *= n - j
    return found


def _all_coefficients(value: Value) -> bool:
    """Whether all Taylor coefficients of a value with exponents i >= 0 and b >= 0 are at least 0.

    The n-th one times n! is the sum of c n(n-1)...(n-i+1) b^(n-i).
    """
    top = max(b for _, b in value)
    if top == 0:
        return all(c >= 0 for c in value.values())
    most = max(i for i, b in value if b == top)
    if value[most, top] < 0:
        return False
    known = 0
    count = 2 * max(i for i, _ in value) + 4
    while count <= FURTHEST:
        if any(coefficient < 0 for coefficient in _coefficients(value, known, count)):
            return False
        known = count
        if _outweighs(value, top, most, count):
            return True
        count *= 2
    return False


def _coefficients(value: Value, start: int, stop: int) -> Iterator[Number]:
    """Yield the Taylor coefficients from one place up to another, times a factorial each."""
    powers = [(i, b, c * (b ** (start - i) if start >= i else 1)) for (i, b), c in value.items()]
    for n in range(start, stop):
        yield sum(_falling(n, i) * c for i, _, c in powers if i <= n)
        powers = [(i, b, c * b if n >= i else c) for i, b, c in powers]


def _outweighs(value: Value, top: Number, most: int, n: int) -> bool:
    """Whether from the n-th coefficient on the leading term outweighs all others together.

    Divided by the leading power top^(m - most) m(m-1)...(m-most+1), every other term's size only decreases from m = n
    on: its ratio of one step is (b/top) (m + 1 - most)/(m + 1 - i) <= 1 at n, and decreases itself.
    """
    rest = Fraction(0)
    for (i, b), c in value.items():
        if (i, b) == (most, top):
            continue
        if i > n or most > n:
            return False
        if b == 0:
            continue  # as i < n, it adds nothing from here on
        if b * (n + 1 - most) > top * (n + 1 - i):
            return False
        size = abs(Fraction(c)) * _falling(n, i) / _falling(n, most)
        rest += size * Fraction(b) ** (n - i) / Fraction(top) ** (n - most)
    return all(i < n for i, b in value if b == 0) and rest <= value[most, top]


@dataclass(frozen=True, slots=True)
class Range:
    """The epsilons > 0 from `low` to `high`; None for no greatest."""

    low: Fraction = Fraction(0)
    high: Fraction | None = None

    def __contains__(self, epsilon: Fraction) -> bool:
        return self.low <= epsilon and (self.high is None or epsilon <= self.high)

    def tried(self) -> list[Fraction]:
        """Return the epsilons at which a claim is tried first."""
        ends = [end for end in (self.low, self.high) if end]
        return [epsilon for epsilon in dict.fromkeys([*TRIED, *ends]) if epsilon in self]


EVERYWHERE = Range()


def decide_every(
    program: Callable[..., Any],
    inputs: Sequence[Any],
    neighbours: Neighbours,
    *,
    factor: Number = 1,
    delta: Number = 0,
    within: Range = EVERYWHERE,
) -> EveryReport:
    """Decide whether program(input, generator, epsilon) is (factor epsilon, delta)-private for every epsilon > 0 of a
    range.

    A program that is not followed for an open epsilon is tried at some epsilons: it may be refuted there.

    Raises: Unauditable naming what is not followed.
    """
    try:
        return _decided(program, inputs, neighbours, Fraction(factor), Fraction(delta), within)
    except Unauditable as error:
        reason = str(error)
    pairs = paths = 0
    for epsilon in within.tried():
        claim = Claim("program", (), tuple(inputs), neighbours, ApproxDP(factor * epsilon, Fraction(delta)))
        report = decide_ideal(claim, program, epsilon=epsilon)
        pairs, paths = report.pairs, report.paths
        if report.verdict == "refuted":
            return EveryReport("refuted", None, pairs, paths, epsilon, report.worst, held=report.held)
    return EveryReport("undecided", reason, pairs, paths)


def _decided(
    program: Callable[..., Any],
    inputs: Sequence[Any],
    neighbours: Neighbours,
    factor: Fraction,
    delta: Fraction,
    within: Range,
) -> EveryReport:
    claim = Claim("program", (), tuple(inputs), neighbours, ApproxDP("1", delta))
    pairs = list(claim.pairs())
    paths = laws_of(program, claim.inputs, epsilon=OPEN)
    outcomes = [path.outcome for row in paths for path in row]
    if not pairs or all(type(outcome) is Raised for outcome in outcomes):
        return EveryReport("undecided", "it has no neighbours, or never returns an outcome", len(pairs), len(outcomes))
    if any(map(is_noisy, outcomes)):
        report = _released(claim, program, paths, factor, delta)
    else:
        report = Every(claim.inputs, pairs, paths, factor, delta, within).report()
    return replace(report, digests=digests_of(paths), held=held_by(paths))


def _released(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], factor: Fraction, delta: Fraction
) -> EveryReport:
    """Return the report on noisy numbers: alignments bound what is released, for every epsilon.

    Raises: Unauditable where they give no bound within the claim.
    """
    aligned, reason = best_alignment(claim, program, paths, list(claim.pairs()), OPEN)
    if aligned is None or aligned.power != 1 or aligned.bound > factor:
        why = reason if aligned is None else f"alignments give no bound below {aligned.bound} epsilon"
        raise Unauditable(f"on ideal noise, it releases a real number with noise: {why}")
    count = sum(map(len, paths))
    bounds = Fraction(0), Fraction(delta)
    method = "pairs" if aligned.scope is None else "alignment"
    return EveryReport(
        "verified",
        None,
        len(list(claim.pairs())),
        count,
        delta=bounds,
        method=method,
        alignments=aligned.alignments,
    )


Case = tuple[tuple[int, int], ...]
"""Which probabilities, by number, face which others, each as often as it does."""


class Every:
    """A claim for every epsilon and the laws that decide it."""

    def __init__(
        self,
        inputs: Sequence[Any],
        pairs: Sequence[tuple[int, int]],
        paths: Sequence[Sequence[Path]],
        factor: Fraction,
        delta: Fraction,
        within: Range = EVERYWHERE,
    ) -> None:
        self.inputs, self.pairs, self.factor, self.delta, self.within = inputs, pairs, factor, delta, within
        self.units = Units.of((path for row in paths for path in row), factor.denominator)
        if self.units.power != 1:
            raise Unauditable("no scale that decides the outcome is of the form c/epsilon")
        self.step = factor * self.units.rates * self.units.lengths
        self.values: list[Value] = [{}]
        self.numbers: dict[frozenset[Any], int] = {frozenset(): 0}
        self.laws = laws_in(paths, Measure(self.units), self._number)
        self.paths = sum(map(len, paths))

    def _number(self, value: Value) -> int:
        name = frozenset(value.items())
        if name not in self.numbers:
            self.numbers[name] = len(self.values)
            self.values.append(value)
        return self.numbers[name]

    def faced(self, a: int, b: int) -> list[tuple[Any, int, int]]:
        """Return the outcomes of input a with their probabilities, by number, on a and on b."""
        other = self.laws[b]
        return [(outcome, p, other[name][1] if name in other else 0) for name, (outcome, p) in self.laws[a].items()]

    def excess(self, p: int, q: int) -> Value:
        """Return p - e^(factor epsilon) q."""
        return total([self.values[p], scaled(self.values[q], -1, self.step)])

    def cases(self) -> dict[Case, tuple[int, int]]:
        """Return the kinds of pairs: of which probabilities face which others, with one pair of each kind."""
        if self.delta:
            return {tuple(sorted((p, q) for _, p, q in self.faced(a, b) if p != q)): (a, b) for a, b in self.pairs}
        found: dict[Case, tuple[int, int]] = {}
        for a, b in self.pairs:
            for _, p, q in self.faced(a, b):
                if p != q:
                    found.setdefault(((p, q),), (a, b))
        return found

    def report(self) -> EveryReport:
        """Decide the claim: first at some epsilons, then for all."""
        cases = self.cases()
        for epsilon in self.within.tried():
            if (found := self._refuted(epsilon, cases)) is not None:
                return found
        for case, (a, b) in cases.items():
            place = self.judged(case)
            if place is True:
                continue
            if place is not None and (found := self._refuted(self._epsilon(place), {case: (a, b)})) is not None:
                return found
            reason = f"for the inputs {self.inputs[a]} and {self.inputs[b]}, no sign is known for every epsilon"
            return EveryReport("undecided", reason, len(self.pairs), self.paths)
        bounds = self.greatest_delta(cases), self.delta
        return EveryReport("verified", None, len(self.pairs), self.paths, delta=bounds)

    def _refuted(self, epsilon: Fraction, cases: dict[Case, tuple[int, int]]) -> EveryReport | None:
        broken = self.broken_at(epsilon, cases)
        if broken is None:
            return None
        return EveryReport("refuted", None, len(self.pairs), self.paths, epsilon, broken)

    def _epsilon(self, h: Fraction) -> Fraction:
        return h * self.units.rates * self.units.lengths

    def sign(self, value: Value) -> Sign:
        """Return True where a value is at least 0 for every epsilon of the range, a place where it is not, or None."""
        if nowhere_negative(value):
            return True
        low, high = self.within.low, self.within.high
        return sign_on(value, self.units.h(low), None if high is None else self.units.h(high))

    def judged(self, case: Iterable[tuple[int, int]]) -> Sign:
        """Return True where a kind of pair is within the claim for every epsilon, a place where it is not, or None."""
        parts = [self.excess(p, q) for p, q in case]
        if not self.delta:
            return _worst(self.sign(scaled(part, -1)) for part in parts)
        open_ = [part for part in parts if self.sign(scaled(part, -1)) is not True]
        always = [part for part in open_ if self.sign(part) is True]
        mixed = [part for part in open_ if part not in always]
        if len(mixed) > MIXED:
            return None
        return _worst(
            self.sign(total([{(0, 0): self.delta}, *(scaled(part, -1) for part in [*always, *chosen])]))
            for chosen in _subsets(mixed)
        )

    def holds(self) -> bool:
        """Whether every kind of pair is shown to be within the claim for every epsilon of the range."""
        return all(self.judged(case) is True for case in self.cases())

    def greatest_delta(self, cases: Iterable[Case]) -> Fraction:
        """Return a bound from below of the greatest least delta over the range: that at the epsilons that are tried."""
        if not self.delta:
            return Fraction(0)
        exponentials = Exponentials()
        found = Fraction(0)
        for epsilon in self.within.tried():
            h = self.units.h(epsilon)
            for case in cases:
                parts = (exponentials.enclose(at(self.excess(p, q), h))[0] for p, q in case)
                found = max(found, sum((part for part in parts if part > 0), Fraction(0)))
        return rounded(found, up=False)

    def broken_at(self, epsilon: Fraction, cases: dict[Case, tuple[int, int]]) -> Seen | None:
        """Return an event that breaks the claim at one epsilon."""
        exponentials = Exponentials()
        h = self.units.h(epsilon)
        sums = [at(value, h) for value in self.values]
        bounds = [exponentials.enclose(item) for item in sums]
        low, _ = Epsilon.of(self.factor * epsilon).exp_bounds(128)
        for case, (a, b) in cases.items():
            over = [(p, q) for p, q in case if bounds[p][1] > low * bounds[q][0]]
            if sum((bounds[p][1] - low * bounds[q][0] for p, q in over), Fraction(0)) <= self.delta:
                continue
            above = [(p, q) for p, q in over if exponentials.sign(at(self.excess(p, q), h)) > 0]
            if exponentials.sign(added([at(self.excess(p, q), h) for p, q in above], -self.delta)) > 0:
                event = [row for row in self.faced(a, b) if (row[1], row[2]) in above]
                p_lo = sum((bounds[p][0] for _, p, _ in event), Fraction(0))
                p_hi = sum((bounds[p][1] for _, p, _ in event), Fraction(0))
                q_lo = sum((bounds[q][0] for _, _, q in event), Fraction(0))
                q_hi = sum((bounds[q][1] for _, _, q in event), Fraction(0))
                p_bounds = rounded(p_lo, up=False), rounded(p_hi, up=True)
                q_bounds = rounded(q_lo, up=False), rounded(q_hi, up=True)
                names = tuple(row[0] for row in event)
                return Seen(self.inputs[a], self.inputs[b], names, p_bounds, q_bounds)
        return None


def _worst(signs: Iterable[Sign]) -> Sign:
    """Return a place where a sign is wrong, else None where one is not known, else True."""
    worst: Sign = True
    for sign in signs:
        if sign is None:
            worst = None
        elif sign is not True:
            return sign
    return worst


def _subsets(parts: Sequence[Value]) -> Iterator[list[Value]]:
    for kept in choices((False, True), repeat=len(parts)):
        yield [part for part, keep in zip(parts, kept, strict=True) if keep]
