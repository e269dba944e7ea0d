"""The search for a verdict on every epsilon of a range: an epsilon that refutes it, or the reason why none is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.alignment import Alignment
from dpcert.audit.ideal.compare import Exponentials, added, at
from dpcert.audit.ideal.corners import failing
from dpcert.audit.ideal.decide import Probabilities, rounded
from dpcert.audit.ideal.discrete.values import without_loss
from dpcert.audit.ideal.every import EVERYWHERE, Case, Every, Range
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.orders import in_closed_form
from dpcert.audit.ideal.outcomes import has_posts, is_noisy
from dpcert.audit.ideal.post import HIDDEN
from dpcert.audit.ideal.release import best_alignment
from dpcert.audit.ideal.report import IdealReport, Seen, added_up
from dpcert.audit.ideal.verdict import decide_ideal, held_by, left_by
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.terms import Number


@dataclass(frozen=True, slots=True)
class EveryReport:
    """A verdict about every epsilon of a range.

    Refuted at `epsilon`, by the event in `worst`. `delta` are bounds of the greatest least delta over the range, and
    `followed` are the paths on each input, where the program is followed for an open epsilon; `within` is the range;
    `held`, `left`, `method`, `alignments`, `opened` and `lengths` are as of an `IdealReport`.
    """

    verdict: str
    reason: str | None
    pairs: int
    paths: int
    epsilon: Fraction | None = None
    worst: Seen | None = None
    delta: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1))
    held: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    method: str = "integration"
    alignments: tuple[Alignment, ...] = ()
    followed: tuple[tuple[Path, ...], ...] = ()
    opened: tuple[Path, ...] = ()
    within: Range = EVERYWHERE
    lengths: dict[str, Any] | None = None


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

    A program that is not followed for an open epsilon is tried at some epsilons, first on one pair of inputs: it may be
    refuted there.

    Raises: Unauditable naming an operation that is not followed.
    """

    def claim(epsilon: Fraction, some: Sequence[Any], factor: Number = factor) -> Claim:
        return Claim("program", (), tuple(some), neighbours, ApproxDP(factor * epsilon, Fraction(delta)))

    try:
        return _decided(claim(Fraction(1), inputs, 1), program, Fraction(factor), within)
    except Unauditable as error:
        reason = str(error)

    def at(epsilon: Fraction, some: Sequence[Any]) -> IdealReport:
        return decide_ideal(claim(epsilon, some), program, epsilon=epsilon)

    tried = within.tried()
    pair = [inputs[place] for place in next(iter(claim(Fraction(1), inputs).pairs()), ())]
    broken = next((epsilon for epsilon in tried if pair and at(epsilon, pair).verdict == "refuted"), None)
    pairs = paths = 0
    for epsilon in tried if broken is None else [broken]:
        report = at(epsilon, inputs)
        pairs, paths = report.pairs, report.paths
        if report.verdict == "refuted":
            return EveryReport("refuted", None, pairs, paths, epsilon, report.worst, held=report.held, left=report.left)
    return EveryReport("undecided", reason, pairs, paths)


def _decided(claim: Claim, program: Callable[..., Any], factor: Fraction, within: Range) -> EveryReport:
    pairs = list(claim.pairs())
    paths = laws_of(program, claim.inputs, epsilon=OPEN)
    outcomes = [path.outcome for row in paths for path in row]
    if not pairs or all(type(outcome) is Raised for outcome in outcomes):
        return EveryReport("undecided", "it has no neighbours, or never returns an outcome", len(pairs), len(outcomes))
    if any(map(is_noisy, outcomes)):
        report = _released(claim, program, paths, factor, within)
        if report.verdict == "refuted" and has_posts(paths):
            raise Unauditable(f"on ideal noise, {HIDDEN}; release its arguments, or claim what these need")
    else:
        report = EverySearch(claim, in_closed_form(paths), factor, within).report()
    return replace(report, held=held_by(paths), left=left_by(paths), followed=tuple(map(tuple, paths)), within=within)


def _released(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], factor: Fraction, within: Range
) -> EveryReport:
    """Return the report on noisy numbers: alignments bound releases, for every epsilon; else their values decide.

    Raises: Unauditable where neither does.
    """
    aligned, reason = best_alignment(claim, program, paths, list(claim.pairs()), OPEN)
    if aligned is None or aligned.power != 1 or aligned.bound > factor:
        with suppress(Unauditable):
            cut = without_loss(paths)
            report = EverySearch(claim, cut.rows, factor, within).report()
            if report.verdict == "verified" or not cut.tells_constants():
                return replace(report, method="intervals")
        cornered = _cornered(claim, program, paths, factor, within)
        if cornered is not None:
            return cornered
        why = reason if aligned is None else f"alignments give no bound below {aligned.bound} epsilon"
        raise Unauditable(f"on ideal noise, it releases a real number with noise: {why}")
    return EveryReport(
        "verified",
        None,
        len(list(claim.pairs())),
        sum(map(len, paths)),
        delta=(Fraction(0), claim.guarantee.delta),
        method="pairs" if aligned.scope is None else "alignment",
        alignments=aligned.alignments,
        opened=aligned.opened,
    )


def _cornered(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], factor: Fraction, within: Range
) -> EveryReport | None:
    """Return the report by the corners of released numbers; None where corners do not decide."""
    delta = claim.guarantee.delta
    if delta:
        return None
    pairs, count = list(claim.pairs()), sum(map(len, paths))
    try:
        epsilons = list(failing(in_closed_form(paths), pairs, factor, within))
    except Unauditable:
        return None
    simple = [epsilon.limit_denominator(most) for epsilon in epsilons for most in (1, 10, 1000)]
    for epsilon in (each for each in [*simple, *epsilons] if each > 0 and each in within):
        own = replace(claim, guarantee=ApproxDP(factor * epsilon, delta))
        report = decide_ideal(own, program, epsilon=epsilon)
        if report.verdict == "refuted":
            return EveryReport("refuted", None, len(pairs), count, epsilon, report.worst)
    if epsilons:
        return None
    return EveryReport("verified", None, len(pairs), count, delta=(Fraction(0), delta), method="corners")


class EverySearch(Every):
    """The search for an epsilon that refutes a claim of every epsilon."""

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
            if place is not None:
                epsilon = place * self.units.rates * self.units.lengths
                if (found := self._refuted(epsilon, {case: (a, b)})) is not None:
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

    def greatest_delta(self, cases: Iterable[Case]) -> Fraction:
        """Return a bound from below of the greatest least delta over the range: that at the epsilons that are tried."""
        if not self.delta:
            return Fraction(0)
        exponentials = Exponentials()
        found = Fraction(0)
        for epsilon in self.within.tried():
            h = self.units.h(epsilon)
            whole = exponentials.enclose(at(self.whole, h))[1]
            for case in cases:
                parts = (exponentials.enclose(at(self.excess(p, q), h))[0] for p, q in case)
                found = max(found, sum((part for part in parts if part > 0), Fraction(0)) / whole)
        return rounded(found, up=False)

    def broken_at(self, epsilon: Fraction, cases: dict[Case, tuple[int, int]]) -> Seen | None:
        """Return an event that breaks the claim at one epsilon."""
        exponentials = Exponentials()
        h = self.units.h(epsilon)
        whole = at(self.whole, h)
        known = Probabilities(h, whole)
        bounds = [known.bounds[known.number(value)] for value in self.values]
        low, _ = Epsilon.of(self.factor * epsilon).exp_bounds(128)
        for case, (a, b) in cases.items():
            over = [(p, q) for p, q in case if bounds[p][1] > low * bounds[q][0]]
            if sum((bounds[p][1] - low * bounds[q][0] for p, q in over), Fraction(0)) <= self.delta:
                continue
            above = [(p, q) for p, q in over if exponentials.sign(at(self.excess(p, q), h)) > 0]
            most = {s: -self.delta * c for s, c in whole.items()}
            if exponentials.sign(added([at(self.excess(p, q), h) for p, q in above] + [most])) > 0:
                event = [row for row in self.faced(a, b) if (row[1], row[2]) in above]
                sums = [added_up([bounds[row[place]] for row in event]) for place in (1, 2)]
                p_bounds, q_bounds = ((rounded(lo, up=False), rounded(hi, up=True)) for lo, hi in sums)
                return Seen(self.inputs[a], self.inputs[b], tuple(row[0] for row in event), p_bounds, q_bounds)
        return None
