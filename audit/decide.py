"""The auditor: it measures every ordered pair of a claim exactly, and finds a smallest witness.

It searches and measures. The kernel alone says whether a claim holds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

from dpcert.audit.certificates import MAX_EMBEDDED, MAX_KEPT, NEVER, Embedding, embedded
from dpcert.audit.coverage import Unreached
from dpcert.audit.kernel.certificate import SCHEMA, Certificate
from dpcert.audit.kernel.check import claim_of, in_order
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.divergence import Table, decide_table, event_bounds
from dpcert.audit.kernel.examine import (
    CHANGED,
    OPEN,
    Examination,
    Refuted,
    Undecided,
    Verdict,
    Verified,
    Witness,
    name_outcome,
)
from dpcert.audit.measure import greatest_ratio, rounded_ratio, table_ratio_bounds, violating_event, worst_event
from dpcert.audit.passes import PairBounds, examined
from dpcert.audit.reasons import NOTHING_DRAWN, changed_reason, coinless, doubt_of, rounded_reason, tail_reason, twins
from dpcert.audit.relations import unpaired
from dpcert.audit.subject import Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.forms import order_key
from dpcert.mechanisms.rounding import Rounding
from dpcert.reading.floats.held import DREW
from dpcert.reading.paths.shared import Shared

SHORT = 10_000
"""Two laws with at most so many outcomes together are kept for the report."""


@dataclass(frozen=True, slots=True)
class Worst:
    """The pair and event that come closest to breaking the bound, or break it: p on input a, q on input b.

    Where a law has a tail, p is a lower and q an upper bound.
    """

    a: Any
    b: Any
    event: tuple[Any, ...]
    p: Fraction
    q: Fraction


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict and its measurements: delta at the claimed epsilon, epsilon at the claimed delta.

    `epsilon_hi` is None where no finite epsilon is known to be enough. `worst` is None where there is no pair. `laws`
    holds the laws behind the verdict by position, as a certificate embeds them, if the caller asked for them: all laws,
    or the two of a refutation, or none where they are too long. `law_source` names the sources of the laws.
    """

    verdict: Verdict
    claim: Claim
    law_source: tuple[str, ...]
    pairs: int
    tail: Fraction
    delta_lo: Fraction
    delta_hi: Fraction
    epsilon_lo: Epsilon
    epsilon_hi: Epsilon | None
    worst: Worst | None
    notes: tuple[str, ...]
    unreached: Unreached | None
    assumptions: tuple[str, ...]
    certificate: Certificate | None
    laws: Mapping[int, Any] = field(default_factory=dict)


_Pair = tuple[int, int, tuple[Dist, Dist] | None]
"""An ordered pair of positions, with its laws where these are short; long ones are not kept in memory."""


def _pair(answer: PairBounds, p: Law, q: Law) -> _Pair:
    laws = Dist.like(p), Dist.like(q)
    return answer.a, answer.b, laws if sum(map(len, laws)) <= SHORT else None


class _Tally:
    """The greatest delta and epsilon over the pairs seen so far, and the smallest pair that violates the claim."""

    def __init__(self, claim: Claim) -> None:
        self.inputs = claim.inputs
        self.claimed = claim.guarantee.delta
        self.pairs = 0
        self.violated: tuple[tuple[Any, ...], tuple[int, int]] | None = None
        self.delta_lo = Fraction(0)
        self.delta_hi = Fraction(0)
        self.ratio_lo: Fraction | None = Fraction(1)
        self.finite_lo = Fraction(1)
        self.ratio_hi: Fraction | None = Fraction(1)
        self.worst_delta: tuple[Fraction, _Pair] | None = None
        self.worst_ratio: tuple[Fraction | None, _Pair] | None = None

    def pair(self, answer: PairBounds, p: Law, q: Law) -> None:
        self.pairs += 1
        if answer.within is False:
            first, second = order_key(self.inputs[answer.a]), order_key(self.inputs[answer.b])
            size = (max(first, second), first, second)
            if self.violated is None or size < self.violated[0]:
                self.violated = size, (answer.a, answer.b)
        if self.worst_delta is None or answer.delta_lo > self.worst_delta[0]:
            self.worst_delta = answer.delta_lo, _pair(answer, p, q)
        self.delta_lo = max(self.delta_lo, answer.delta_lo)
        self.delta_hi = max(self.delta_hi, answer.delta_hi)
        # A pair that needs no greater ratio than the pairs before costs no search: `floor` comes back as it is.
        floor = self.ratio_lo
        lo, hi = table_ratio_bounds(answer.table, self.claimed, floor)
        if self.worst_ratio is None or (floor is not None and (lo is None or lo > floor)):
            self.worst_ratio = lo, _pair(answer, p, q)
        self.ratio_lo = lo if lo is None or floor is None else max(floor, rounded_ratio(lo)[0])
        self.finite_lo = self.ratio_lo or self.finite_lo
        if hi is None or self.ratio_hi is None:
            self.ratio_hi = None
        else:
            self.ratio_hi = max(self.ratio_hi, rounded_ratio(hi)[1])

    def epsilons(self) -> tuple[Epsilon, Epsilon | None]:
        return Epsilon.ln(self.finite_lo), None if self.ratio_hi is None else Epsilon.ln(self.ratio_hi)


@dataclass(frozen=True, slots=True)
class _Settled:
    """A verdict, with the pair and event behind it and its certificate."""

    verdict: Verdict
    worst: Worst | None = None
    certificate: Certificate | None = None
    laws: Mapping[int, Dist] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def decide(
    subject: Subject,
    guarantee: ApproxDP,
    *,
    again: Callable[[], Sequence[str] | None],
    early: Callable[[Report], None] | None = None,
    keep_laws: bool = False,
    certifies: bool = True,
) -> Report:
    """Decide the claim that a subject has a guarantee, over all ordered pairs of neighbouring inputs.

    `again()` returns the digests of the laws from another process, or None. Without these digests nothing is verified,
    and two laws of a single outcome each, as of a program that draws no coins, refute nothing. `early` gets a report at
    the first violating pair, if more laws are left to compare; its measurements cover the pairs so far. The last report
    is the valid one: it may name a smaller pair, or find that the program has changed. With `keep_laws`, reports have
    the laws behind their verdicts, up to MAX_KEPT bytes. A verified claim has a certificate only with `certifies` or
    `keep_laws`. Laws share steps (`reading/paths/shared.py`), except the laws of `again()` and of refutations. Where
    this sharing may make a verdict fail, all is decided once more without it.
    """
    again, shared = cache(again), None if subject.keeps else Shared()
    while True:
        subject.reader.shared = shared
        decision = _Decision(subject, guarantee, keep_laws, certifies)
        tell, trouble = early, None
        try:
            for answer in examined(decision.examination):
                if isinstance(answer, int):  # the position of a law; the kernel itself asks the program for it
                    decision.embedding.add(answer, decision.examination.hold(answer))
                    continue
                decision.pair(answer)
                if tell is not None and answer.within is False and decision.left():
                    decision.refuted_by(answer, tell)
                    tell = None
        except Unauditable as error:
            trouble = str(error)
        report = decision.end(trouble, again)
        subject.reader.shared = None
        reason = report.verdict.reason if isinstance(report.verdict, Undecided) else None
        # Steps that laws share may themselves make a second law differ, or leave all mass in the tail. Only laws that
        # share nothing show that the program did it.
        if reason is None or (reason != CHANGED and report.tail != 1) or not (shared and shared.used):
            break
        subject.forget()
        shared = None
    return replace(report, verdict=Undecided(report.claim, changed_reason(subject))) if reason == CHANGED else report


class _Decision:
    """A claim on the way to its report: the examination, which asks for laws, measurements, and embedded laws."""

    def __init__(self, subject: Subject, guarantee: ApproxDP, keep_laws: bool, certifies: bool) -> None:
        self.subject, self.keep_laws = subject, keep_laws
        claim = claim_of(subject, guarantee)
        self.examination = Examination(claim, subject)
        self.tally = _Tally(claim)
        self.embedding = Embedding(MAX_KEPT if keep_laws else MAX_EMBEDDED if certifies else 0)

    def pair(self, answer: PairBounds) -> None:
        """Measure a pair, whose laws are held."""
        held = self.examination.held
        self.tally.pair(answer, held[answer.a], held[answer.b])

    def left(self) -> bool:
        """Whether pairs are left, and laws to compare that are not held."""
        return len(self.examination.held) < len(self.examination.claim.inputs) and self.examination.left() > 0

    def refuted_by(self, answer: PairBounds, early: Callable[[Report], None]) -> None:
        """Hand on the report that a violating pair refutes the claim, if the kernel confirms it now."""
        subject, pair = self.subject, (answer.a, answer.b)
        with suppress(Unauditable, MemoryError):  # tried again at the end, with no other laws held
            laws = _laws_at(subject, self.examination, pair)
            settled = _refute(subject, self.examination, pair, laws)
            if isinstance(settled.verdict, Refuted) and not coinless(subject, laws):
                early(self._report(settled, whole=False))

    def end(self, trouble: str | None, again: Callable[[], Sequence[str] | None]) -> Report:
        """Return the report of the verdict; `trouble` says why not every pair could be examined."""
        try:
            settled = self._settled(trouble, again)
        except Unauditable as error:
            settled = _Settled(Undecided(self.examination.claim, str(error)))
        return self._report(settled, whole=trouble is None and self.examination.pairs > 0)

    def _settled(self, trouble: str | None, again: Callable[[], Sequence[str] | None]) -> _Settled:
        subject, examination, tally = self.subject, self.examination, self.tally
        claim = examination.claim
        if tally.violated is not None:
            pair = tally.violated[1]
            laws = _laws_at(subject, examination, pair)
            if coinless(subject, laws) and (doubt := doubt_of(pair, laws, again)) is not None:
                return _Settled(Undecided(claim, doubt))
            return _refute(subject, examination, pair, laws)
        if trouble is not None:
            return _Settled(Undecided(claim, trouble))
        try:
            digests = again() if examination.pairs and not examination.answers[None] else None
        except Unauditable as error:
            return _Settled(Undecided(claim, f"computed a second time: {error}"))
        verdict = examination.verdict(digests, subject.assumptions())
        worst = _worst(subject, examination, tally)
        form = subject.closed_form if subject.law_source == "closed-form" else None
        if isinstance(verdict, Undecided) and isinstance(form, Rounding) and examination.tail:
            verdict = Undecided(claim, rounded_reason(form, claim))
        elif isinstance(verdict, Undecided) and verdict.reason == OPEN:
            verdict = Undecided(claim, tail_reason(claim, examination.tail, subject.limits.max_tail))
        # A program that only raises, or that draws from a source that nobody routes, has equal laws on all inputs,
        # which say nothing of its privacy.
        if isinstance(verdict, Verified) and subject.law_source == "program" and not subject.returns:
            verdict = Undecided(claim, f"{NEVER}: {next(iter(subject.notes), 'it only raises')}")
        if isinstance(verdict, Verified) and subject.plain is not None and DREW not in subject.assumptions():
            verdict = Undecided(claim, NOTHING_DRAWN)
        if not isinstance(verdict, Verified):
            return _Settled(verdict, worst)
        kept = self.embedding
        certificate = _certificate(subject, verdict, examination.pairs, kept.whole()) if kept.most else None
        return _Settled(verdict, worst, certificate)

    def _report(self, settled: _Settled, *, whole: bool) -> Report:
        examination, embedding = self.examination, self.embedding
        found = _report(self.subject, settled, self.tally, examination.tail if whole else None)
        found = replace(found, notes=(*found.notes, *unpaired(examination.claim, {a for a, _ in examination.whole})))
        if not self.keep_laws or settled.certificate is None:
            return found
        every = embedding.laws if whole and len(embedding.laws or ()) == len(examination.claim.inputs) else None
        return replace(found, laws=every or embedded(settled.laws))


def _report(subject: Subject, settled: _Settled, tally: _Tally, tail: Fraction | None) -> Report:
    """Return the report of a verdict and its measurements; `tail` is None where not every pair was measured."""
    lo, hi = tally.epsilons()
    return Report(
        verdict=settled.verdict,
        claim=settled.verdict.claim,
        law_source=(*in_order([subject.used]),),
        pairs=tally.pairs,
        tail=Fraction(1) if tail is None else tail,
        delta_lo=tally.delta_lo,
        delta_hi=Fraction(1) if tail is None else tally.delta_hi,
        epsilon_lo=lo,
        epsilon_hi=None if tail is None else hi,
        worst=settled.worst,
        notes=(*settled.notes, *subject.notes),
        unreached=subject.coverage.unreached() if subject.law_source == "program" else None,
        assumptions=subject.assumptions(),
        certificate=settled.certificate,
    )


def refuted_at(
    subject: Subject, guarantee: ApproxDP, pair: tuple[int, int], *, keep_laws: bool = False
) -> Report | None:
    """Return the report that refutes the claim at one ordered pair of positions; None where the kernel does not.

    It looks at no other pair. With `keep_laws` the report has the two laws.
    """
    examination = Examination(claim_of(subject, guarantee), subject)
    p, q = _laws_at(subject, examination, pair)
    settled = _refute(subject, examination, pair, (p, q))
    if not isinstance(settled.verdict, Refuted):
        return None
    table = Table.of(p, q)
    within, lo, hi = decide_table(table, guarantee.epsilon, guarantee.delta)
    tally = _Tally(examination.claim)
    tally.pair(PairBounds(*pair, within, lo, hi, table), p, q)
    report = _report(subject, settled, tally, None)
    laws = embedded(settled.laws) if keep_laws else {}
    return replace(report, tail=max(p.tail, q.tail), unreached=None, laws=laws)


def _laws_at(subject: Subject, examination: Examination, pair: tuple[int, int]) -> tuple[Dist, Dist]:
    """Return the laws of a pair, computed anew; the subject then has only these two laws' coverage and assumptions."""
    subject.forget(but=pair)
    try:
        return Dist.like(examination.hold(pair[0])), Dist.like(examination.hold(pair[1]))
    finally:
        subject.reader.replays = True  # for the laws that follow


def _refute(subject: Subject, examination: Examination, pair: tuple[int, int], laws: tuple[Dist, Dist]) -> _Settled:
    """Find the smallest event at a violating pair, and have the kernel confirm it.

    Raises: Unauditable where the law has a single outcome and the program shows another.
    """
    claim, (a, b), (p, q) = examination.claim, pair, laws
    for position, law in zip(pair, laws, strict=True):
        subject.hold_to(position, law)
    guarantee = claim.guarantee
    names = violating_event(p, q, guarantee.epsilon, guarantee.delta)
    if names is None:
        return _Settled(Undecided(claim, "a pair violates the bound, but no event was found that shows it"))
    witness = Witness(a, b, tuple(name_outcome(outcome) for outcome in _outcomes(p, names)))
    verdict = examination.refute(witness)
    if isinstance(verdict, Undecided):
        return _Settled(Undecided(claim, "a pair seemed to break the bound, but the kernel did not confirm it"))
    worst = Worst(verdict.a, verdict.b, verdict.event, verdict.p_lo, verdict.q_hi)
    certificate = _certificate(subject, verdict, examination.pairs, [p, q])
    return _Settled(verdict, worst, certificate, {a: p, b: q}, twins(worst.event, worst.b, q))


def _outcomes(law: Dist, names: Sequence[Hashable]) -> list[Any]:
    found = {name: outcome for name, outcome, _ in law.weights()}
    return [found[name] for name in names]


def _worst(subject: Subject, examination: Examination, tally: _Tally) -> Worst | None:
    """Return the pair of greatest delta, with its event; where all deltas are 0, the pair of greatest ratio."""
    chosen = tally.worst_delta if tally.delta_lo > 0 else tally.worst_ratio
    if chosen is None:
        return None
    a, b, laws = chosen[1]
    p, q = laws or (subject.law(a), subject.law(b))
    names = worst_event(p, q, examination.claim.guarantee.epsilon)
    if not names:
        _, name = greatest_ratio(p, q)
        names = [name] if name is not None else []
    p_lo, q_hi = event_bounds(p, q, names)
    inputs = examination.claim.inputs
    return Worst(inputs[a], inputs[b], tuple(_outcomes(p, names)), p_lo, q_hi)


def _certificate(subject: Subject, verdict: Verified | Refuted, pairs: int, laws: list[Any] | None) -> Certificate:
    """Return the certificate; `laws` are the laws to embed or, for a refutation, the two laws behind it."""
    claim = verdict.claim
    witness: dict[str, Any] | None = None
    assumptions = subject.assumptions()
    if isinstance(verdict, Refuted):
        both = laws or []
        witness = {"a": verdict.witness.a, "b": verdict.witness.b, "event": list(verdict.witness.event)}
        digests, tail, laws = [law.digest() for law in both], max(law.tail for law in both), None
    else:
        digests, tail, assumptions = list(verdict.laws), verdict.tail, verdict.assumptions
    return Certificate(
        schema=SCHEMA,
        target=claim.mechanism,
        parameters=dict(claim.parameters),
        epsilon=str(claim.guarantee.epsilon),
        delta=claim.guarantee.delta,
        neighbours=claim.neighbours.name,
        inputs=len(claim.inputs),
        inputs_digest=claim.inputs_digest(),
        observes=claim.observes,
        law_source=in_order([subject.used]),
        max_runs=subject.limits.max_runs,
        max_tail=subject.limits.max_tail,
        max_draws=subject.limits.max_draws,
        verdict="refuted" if isinstance(verdict, Refuted) else "verified",
        sentence=claim.sentence(),
        pairs=pairs,
        tail=tail,
        laws=digests,
        embedded=laws,
        witness=witness,
        assumptions=list(assumptions),
        sources=subject.sources(),
        versions=subject.versions(),
    )
