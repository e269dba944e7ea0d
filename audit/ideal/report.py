"""The report on a claim about finitely many outcomes: the search for the worst pair, and for the least epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.alignment import Alignment
from dpcert.audit.ideal.compare import BITS, minus
from dpcert.audit.ideal.cutting import Box
from dpcert.audit.ideal.decide import Decision, rounded
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.logarithm import epsilon_bounds

NEAR = 1e-9
"""Ratios nearer than this to the greatest one are compared exactly."""
LARGEST = Fraction(10) ** 300
"""Ratios above this are compared exactly, too."""
GREATEST = 1 << 1024
"""The greatest e^epsilon that is looked at in the search for the least one at a delta."""
TRIED = 10_000
"""The greatest denominator of an epsilon or a ratio that is tried as the closed form of the least one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A pair of inputs and an event, with bounds of its probability p on the first and q on the second."""

    a: Any
    b: Any
    event: tuple[Any, ...]
    p: tuple[Fraction, Fraction]
    q: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class IdealReport:
    """A verdict with ideal noise: "verified", "refuted" or "undecided", with its measurements.

    `followed` are the paths on each input, `opened` those on open inputs, and `digests` those of `followed`, where they
    were asked for. `alignments` are the evidence of an alignment's verdict; `event` is the event of `worst` where
    released numbers are cut: outcomes, each with a box. `noise` are the laws of the real numbers that are drawn, and
    `held` in words the generators from which it draws that outlive a run: that nothing seeds them is assumed. `left`
    are in words the objects that runs leave changed: that this does not change the runs after them is assumed. The
    least delta is at the claimed epsilon, the least epsilon at the claimed delta; None where no finite epsilon does.
    `worst` breaks the claim where it is refuted, and else comes nearest to that. `lengths` is the evidence of a verdict
    on lists of any length.
    """

    claim: Claim
    verdict: str
    reason: str | None
    pairs: int
    paths: int
    outcomes: int
    delta: tuple[Fraction, Fraction]
    epsilon: tuple[Epsilon, Epsilon | None]
    worst: Seen | None
    notes: tuple[str, ...] = ()
    method: str = "integration"
    digests: tuple[str, ...] = ()
    alignments: tuple[Alignment, ...] = ()
    noise: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    followed: tuple[tuple[Path, ...], ...] = ()
    opened: tuple[Path, ...] = ()
    event: tuple[tuple[Any, Box], ...] = ()
    lengths: dict[str, Any] | None = None


def unknown_report(claim: Claim, reason: str | None, pairs: int = 0, paths: int = 0) -> IdealReport:
    """Return the report of which no bound is known."""
    nothing = (Fraction(0), Fraction(1))
    return IdealReport(claim, "undecided", reason, pairs, paths, 0, nothing, (Epsilon.of(0), None), None)


class Search(Decision):
    """The search of a claim's worst pair and least epsilon, among laws that decide it."""

    def report(self, pairs: Sequence[tuple[int, int]]) -> IdealReport:
        low = high = Fraction(0)
        worst: tuple[int, int] | None = None
        broken: tuple[int, int] | None = None
        near: Unauditable | None = None
        seen: dict[Any, tuple[Fraction, Fraction]] = {}
        for a, b in pairs:
            mark = self.kind(a, b)
            if mark in seen:
                continue
            bounds = seen[mark] = self.divergence(a, b, self.ratio)
            if broken is None:
                try:
                    broken = (a, b) if self.violated(a, b, bounds) else None
                except Unauditable as error:
                    near = error
            if bounds[0] > low or worst is None:
                worst = (a, b)
            low, high = max(low, bounds[0]), max(high, bounds[1])
        if self.delta == 0 and broken is None:
            low = high = Fraction(0)
        epsilon = self.least_epsilon(pairs) if self.delta == 0 else self.least_epsilon_at_delta(pairs, worst)
        chosen = broken or (self.greatest[1:3] if self.delta == 0 and self.greatest is not None else worst)
        return IdealReport(
            claim=self.claim,
            verdict="refuted" if broken is not None else "verified" if near is None else "undecided",
            reason=None if broken is not None or near is None else str(near),
            pairs=len(pairs),
            paths=self.paths,
            outcomes=len({name for law in self.laws for name in law}),
            delta=(rounded(low, up=False), rounded(high, up=True)),
            epsilon=epsilon,
            worst=None if chosen is None else self.seen(*chosen),
        )

    def seen(self, a: int, b: int) -> Seen:
        """Return an event of a pair: all that break the bound together, or of the greatest ratio."""
        rows = self.faced(a, b)
        above = [row for row in rows if self._certainly_above(*row[1:])]
        if self.delta == 0 and above:
            above = [max(above, key=lambda row: self.known.bounds[row[1]][0])]
        above = above or [max(rows, key=lambda row: self._ratio(*row[1:]))]
        p, q = ([self.known.bounds[row[place]] for row in above] for place in (1, 2))
        inputs = self.claim.inputs
        return Seen(inputs[a], inputs[b], tuple(row[0] for row in above), added_up(p), added_up(q))

    def _certainly_above(self, p: int, q: int) -> bool:
        if self.enclosed:
            return self.part(p, q, self.ratio)[0] > 0
        return self.sign(p, q) > 0

    def _ratio(self, p: int, q: int) -> float:
        if q == 0:
            return float("inf") if p else 0.0
        return float(min(self.known.bounds[p][0] / self.known.bounds[q][1], LARGEST))

    greatest: tuple[float, int, int, int, int] | None = None

    def least_epsilon(self, pairs: Sequence[tuple[int, int]]) -> tuple[Epsilon, Epsilon | None]:
        """Return bounds of the least epsilon at delta = 0; equal ones where it has a closed form that is known."""
        found: dict[tuple[int, int], tuple[float, int, int]] = {}
        for a, b in pairs:
            for _, p, q in self.faced(a, b):
                if p != q and (p, q) not in found:
                    found[p, q] = self._ratio(p, q), a, b
        if not found:
            return Epsilon.of(0), Epsilon.of(0)
        best = max(found, key=lambda pair: found[pair][0])
        top, a, b = found[best]
        self.greatest = (top, a, b, *best)
        if best[1] == 0:
            return Epsilon.of(0), None
        near = [pair for pair in found if found[pair][0] >= top * (1 - NEAR)]
        ratios = [self._ratios(*pair) for pair in near]
        ends = [r[1] for r in ratios if r[1] is not None]
        low, high = max(r[0] for r in ratios), max(ends) if len(ends) == len(ratios) else None
        if high is not None and high < 1:
            return Epsilon.of(0), Epsilon.of(0)
        closed = None if high is None else self._closed(near, low, high)
        if closed is not None:
            return closed, closed
        least = Epsilon.ln(max(Fraction(1), rounded(low, up=False)))
        return least, None if high is None else Epsilon.ln(rounded(high, up=True))

    def _ratios(self, p: int, q: int) -> tuple[Fraction, Fraction | None]:
        (p_lo, p_hi), (q_lo, q_hi) = self.known.bounds[p], self.known.bounds[q]
        return p_lo / q_hi, p_hi / q_lo if q_lo else None

    def _closed(self, near: Sequence[tuple[int, int]], low: Fraction, high: Fraction) -> Epsilon | None:
        """Return the greatest ratio's logarithm where it is rational, or the ratio is; None for anything else."""
        if low < 1 or self.enclosed:
            return None
        middle = sum(epsilon_bounds(Epsilon.ln(rounded((low + high) / 2, up=True)), 64), Fraction(0)) / 2
        tried = [
            self.epsilon,
            Epsilon.of(middle.limit_denominator(TRIED)),
            Epsilon.ln(max(Fraction(1), low.limit_denominator(TRIED))),
        ]
        for epsilon in tried:
            lo, hi = epsilon.exp_bounds(BITS)
            if hi < low * (1 - Fraction(1, 10**6)) or lo > high * (1 + Fraction(1, 10**6)):
                continue
            over = (minus(self.known.sums[p], self.known.sums[q], epsilon) for p, q in near)
            if max(map(self.known.exponentials.sign, over)) == 0:
                return epsilon
        return None

    def least_epsilon_at_delta(
        self, pairs: Sequence[tuple[int, int]], worst: tuple[int, int] | None
    ) -> tuple[Epsilon, Epsilon | None]:
        """Return bounds of the least epsilon at the claimed delta."""
        kinds = {self.kind(a, b): (a, b) for a, b in pairs}
        distinct = list(kinds.values())
        for a, b in distinct:
            lost = sum((self.known.bounds[p][0] for _, p, q in self.faced(a, b) if q == 0), Fraction(0))
            if lost > self.delta:
                return Epsilon.of(0), None
        low, high = Fraction(1), Fraction(1)
        current = worst or distinct[0]
        while True:
            pair_low, pair_high = self._bisected(current, low)
            low = max(low, pair_low)
            if pair_high is None:
                return Epsilon.ln(low), None
            high = max(high, pair_high)
            worse = [(a, b) for a, b in distinct if self.divergence(a, b, (high, high))[1] > self.delta]
            if not worse:
                break
            current = worse[0]
        return Epsilon.ln(low), Epsilon.ln(high)

    def _bisected(self, pair: tuple[int, int], start: Fraction) -> tuple[Fraction, Fraction | None]:
        """Return bounds of the least e^epsilon of a pair at the claimed delta, of those from `start` on."""
        low, high = start, start
        if self.divergence(*pair, (start, start))[1] <= self.delta:
            return start, start
        while self.divergence(*pair, (high, high))[1] > self.delta:
            high *= 2
            if high > GREATEST:
                return low, None
        for _ in range(64):
            middle = (low + high) / 2
            lo, hi = self.divergence(*pair, (middle, middle))
            if hi <= self.delta:
                high = middle
            elif lo > self.delta:
                low = middle
            else:
                break
        return low, high


def added_up(bounds: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return bounds of the sum of numbers of which bounds are known."""
    return sum((low for low, _ in bounds), Fraction(0)), sum((high for _, high in bounds), Fraction(0))
