"""The sampling audit: a search proposes events on one pair of inputs, and two confirmations on fresh runs decide.

`confirm` and `budget` say why this is valid. The second confirmation repeats the first on the events that refuted
there. A claim is refuted where the weaker of both limits breaks it; for a true claim both confirmations must then be
wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.budget import DEFAULT_CONFIDENCE, DEFAULT_RUNS, LEAST_RUNS, ErrorBudget, shares
from dpcert.audit.sampling.confirm import Look, looks
from dpcert.audit.sampling.hunt import FIRST, Hunt, Search
from dpcert.audit.sampling.limits import ConfidenceLimits, EventCounts, at_the_end
from dpcert.audit.sampling.patterns import MOST_PAIRS, chosen_pairs
from dpcert.audit.sampling.power import needed
from dpcert.audit.sampling.sampled import Confirmed, Power, Sampled
from dpcert.audit.sampling.sampler import OneByOne, Sampler, Source
from dpcert.audit.sampling.search import Candidate, candidates
from dpcert.audit.sampling.spending import Spending
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["Confirmed", "Power", "Sampled", "Search", "sample_claim"]

NOTHING = "no violation found; more --samples see smaller ones"
LATE = "no violation found: time ran out before the first look; raise --time-limit"
CUT = "no violation found: time ran out before the planned end; raise --time-limit"
ONCE = (
    "a violation was seen in a first set of runs, and not confirmed by a second; "
    "audit again with more --samples and another --seed"
)
HURRIED = "the time limit set how many runs there were: the seed alone does not replay them; raise --time-limit"
STEEP = 64
"""An e^epsilon of at least 2^STEEP counts as 2^STEEP: no limit is below 2^-GRID, so that no counts break either."""
BITS = 64


def sample_claim(
    claim: Claim,
    sampler: Sampler | Source,
    *,
    confidence: object = DEFAULT_CONFIDENCE,
    claims: int = 1,
    most_runs: int = DEFAULT_RUNS,
    seconds: float = float("inf"),
    seed: int | None = None,
    search: Search | None = None,
) -> Sampled:
    """Audit a claim from samples: refuted at a confidence, or no violation found, with the power.

    `sampler(position)` runs the mechanism once on the input at that position of the claim, a `Source` many times; runs
    are taken to be independent, and of one law on each input. At most `most_runs` of them in all, in about `seconds` of
    processor time for each thread, and ten times as many where they wait.
    `seed` is of the coins that say on which input a run is; by default they are the system's. The claim is one of
    `claims` of which the confidence is asked for together.

    Claims: where the claim is true the answer is `refuted` with a chance of at most (1 - confidence) / claims; with at
            most that chance, `delta_lo` or `epsilon_lo` exceeds the claim's least delta or epsilon.
    Raises: InputError for a confidence outside [1/2, 1) or fewer than 1000 runs; Unauditable for what is no outcome.
    """
    budget = ErrorBudget.at_confidence(confidence, claims)
    if most_runs < LEAST_RUNS:
        raise InputError(given=f"{most_runs} samples", needed=f"at least {LEAST_RUNS}", remedy="ask for more")
    all_pairs = tuple(claim.pairs())
    source = OneByOne(sampler) if callable(sampler) else sampler
    coins = random.SystemRandom() if seed is None else random.Random(f"{seed} on which input")
    spending = Spending(most_runs, seconds, aside=lambda: source.aside)
    audit = _SamplingAudit(claim, budget, source, spending, coins, search or Search(), len(all_pairs), seed)
    return audit.answer(chosen_pairs(claim.inputs, all_pairs, max(1, min(MOST_PAIRS, most_runs // (6 * FIRST)))))


def _ratio_hi(epsilon: Epsilon) -> Fraction:
    """Return an upper bound of min(e^epsilon, 2^STEEP)."""
    steep = Fraction(1 << STEEP)
    return steep if epsilon.power_of_two_lo() >= STEEP else min(steep, epsilon.exp_bounds(BITS)[1])


@dataclass(slots=True)
class _SamplingAudit:
    """One run of a sampling audit."""

    claim: Claim
    budget: ErrorBudget
    source: Source
    spending: Spending
    coins: random.Random
    search: Search
    all_pairs: int
    seed: int | None
    pairs: int = 0
    looks: int = 0

    @property
    def ratio(self) -> Fraction:
        """An upper bound of the claim's e^epsilon, up to 2^STEEP."""
        return _ratio_hi(self.claim.guarantee.epsilon)

    @property
    def delta(self) -> Fraction:
        return self.claim.guarantee.delta

    def answer(self, pairs: list[tuple[int, int]]) -> Sampled:
        """Search, then confirm twice on fresh runs, until a violation is found or the runs or the time are spent."""
        if not pairs:
            return self._sampled([], "there is nothing to sample: no two of the inputs are neighbours")
        hunt = Hunt(self.ratio, self.delta, self.budget.confirming, self.source, self.spending, self.search)
        chosen = candidates(hunt.events(pairs), self.search.events, to_measure=not self.search.stop)
        self.pairs = hunt.pairs
        if not chosen:
            return self._sampled([], LATE if self.spending.late() else NOTHING)
        if not self.search.stop:
            return self._measured(self._confirm(chosen, self.spending.left(), lambda look: []), self.budget.each)
        level = self.budget.confirming
        first = self._confirm(chosen, self.spending.left() // 2, lambda look: look.limits(level))
        if first is None or not self._broken(first.limits(level)):
            return self._measured(first, self.budget.stated)
        return self._again(first, first.limits(level))

    def _confirm(
        self, chosen: Sequence[Candidate], planned: int, limits: Callable[[Look], list[ConfidenceLimits]]
    ) -> Look | None:
        """Return the first look at which some of the `limits` break the claim, else the last; None without looks."""
        look = None
        for look in looks(chosen, planned, self.source, self.spending, self.coins):
            self.looks += 1
            if self._broken(limits(look)):
                break
        return look

    def _broken(self, limits: Sequence[ConfidenceLimits]) -> list[int]:
        """Return the places of the limits that break the claim."""
        return [i for i, each in enumerate(limits) if each.refutes(self.ratio, self.delta)]

    def _again(self, first: Look, limits: Sequence[ConfidenceLimits]) -> Sampled:
        """Confirm on fresh runs what a first look refuted."""
        broken, level = self._broken(limits), self.budget.confirming

        def weaker(look: Look) -> list[ConfidenceLimits]:
            return [limits[i].weaker(other) for i, other in zip(broken, look.limits(level), strict=True)]

        chosen = [replace(first.chosen[i], before=first.counts[i]) for i in broken]
        second = self._confirm(chosen, self.spending.left(), weaker)
        both = [] if second is None else weaker(second)
        if second is None or not self._broken(both):
            return self._measured(first, self.budget.stated, ONCE)
        found = zip(chosen, second.counts, both, strict=True)
        confirmed = [self._confirmed(one, one.before, limits, again) for one, again, limits in found]
        return self._sampled([confirmed[i] for i in self._broken(both)], None)

    def _measured(self, look: Look | None, level: Fraction, reason: str | None = None) -> Sampled:
        """Return the report of a claim that is not refuted; its bounds come from one confirmation, at a level."""
        if look is None:
            return self._sampled([], LATE)
        found = zip(look.chosen, look.counts, look.limits(level), strict=True)
        confirmed = [self._confirmed(one, counts, limits, None) for one, counts, limits in found]
        reason = reason or (NOTHING if look.ended else CUT)
        return self._sampled(confirmed, reason, self._power(look) if look.ended and self.search.stop else ())

    def _confirmed(
        self, one: Candidate, counts: EventCounts, limits: ConfidenceLimits, again: EventCounts | None
    ) -> Confirmed:
        inputs = self.claim.inputs
        return Confirmed(inputs[one.a], inputs[one.b], one.event, counts, limits, again)

    def _sampled(self, confirmed: Sequence[Confirmed], reason: str | None, power: tuple[Power, ...] = ()) -> Sampled:
        """Return the report, refuted where there is no reason. The bounds use every limit of every event."""
        top = max(confirmed, key=lambda one: one.limits.ratio_at(self.delta), default=None)
        ratio = Fraction(1) if top is None else top.limits.ratio_at(self.delta)
        simplest = min(
            confirmed, key=lambda one: (len(one.event.labels), -one.limits.delta_at(self.ratio)), default=None
        )
        notes = [f"{self.pairs} of {self.all_pairs} pairs were sampled"] if self.pairs < self.all_pairs else []
        if self.spending.hurried:
            notes.append(HURRIED)
        least = max(Fraction(1), Fraction((ratio.numerator << 20) // ratio.denominator, 1 << 20))  # rounded down
        return Sampled(
            claim=self.claim,
            refuted=reason is None,
            reason=reason,
            confidence=self.budget.confidence,
            claims=self.budget.claims,
            pairs=self.pairs,
            all_pairs=self.all_pairs,
            looks=self.looks,
            runs=self.spending.runs,
            delta_lo=max((one.limits.delta_at(self.ratio) for one in confirmed), default=Fraction(0)),
            epsilon_lo=Epsilon.ln(least),
            worst=simplest if reason is None else top,
            power=power,
            notes=tuple(notes),
            seed=self.seed,
        )

    def _power(self, look: Look) -> tuple[Power, ...]:
        """Return the power of two such confirmations: for events impossible on b, and for those up to 1/2 there."""
        runs = look.counts[0].n, look.counts[0].m
        rule = partial(at_the_end, alpha=shares(self.budget.confirming, len(look.chosen))[0][1])
        half = max(Fraction(0), (Fraction(1, 2) - self.delta) / self.ratio)
        found = []
        for q in sorted({Fraction(0), half}):
            p = needed(q, runs, rule, self.ratio, self.delta, times=2)
            if p is not None:
                found.append(Power(p, q, p - self.ratio * q - self.delta))
        return tuple(found)
