"""The sampling audit: a search proposes events on one pair of inputs, and two confirmations on fresh runs decide.

A confirmation is fresh runs on one pair of inputs, which count a few events fixed before. The pair, the events, their
parts of the level, the planned size and the sizes of the looks are fixed before the first run; they depend only on
earlier runs and the clock. Each run is on a or on b by a fair coin. Each event has limits that hold at all times, by
confidence sequences, and limits at the planned end, by Clopper and Pearson. Their parts add up to the level (`budget`).
So all limits ever stated at a level are right together with a chance of at least 1 - level, wherever the confirmation
stops.

The second confirmation repeats the first on the events that refuted there. A claim is refuted where the weaker of both
limits breaks it; for a true claim both confirmations must then be wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.binomial import upper_limit, upper_sum_at_most
from dpcert.audit.sampling.budget import (
    DEFAULT_CONFIDENCE,
    DEFAULT_RUNS,
    LEAST_RUNS,
    ErrorBudget,
    Spending,
    ratio_hi,
    shares,
)
from dpcert.audit.sampling.events import Event
from dpcert.audit.sampling.hunt import FIRST, Hunt, Search
from dpcert.audit.sampling.limits import ConfidenceLimits, EventCounts, Rule, at_all_times, at_the_end
from dpcert.audit.sampling.patterns import MOST_PAIRS, chosen_pairs
from dpcert.audit.sampling.sampler import OneByOne, Sampler, Source
from dpcert.audit.sampling.search import Candidate, candidates
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

CHANCE = Fraction(9, 10)
"""The chance with which a violation of the stated size is found."""


def needed(
    q: Fraction, runs: tuple[int, int], rule: Rule, ratio: Fraction, delta: Fraction, *, times: int = 1
) -> Fraction | None:
    """Return a p such that an event of probability >= p on a and <= q on b is found with a chance of at least 9/10.

    `runs` are the numbers of runs on a and on b, in each of `times` confirmations; all of these must find it. None
    where no p <= 1 is enough.

    Claims: with m = 1/(20 times), Pr[Bin(runs[1], q) > y] <= m; x hits on a and y on b refute by the rule; and
            Pr[Bin(runs[0], p) < x] <= m. More hits on a or fewer on b refute too; so a miss has a chance of at most
            2m each time.
    """
    miss = (1 - CHANCE) / (2 * times)
    on_a, on_b = runs
    y = least(lambda count: upper_sum_at_most(on_b, count + 1, q, miss), on_b)

    def refuted(x: int) -> bool:
        return rule(EventCounts(x, on_a, y, on_b)).refutes(ratio, delta)

    if not refuted(on_a):
        return None
    x = least(refuted, on_a)
    return upper_limit(x - 1, on_a, miss)


def least(holds: Callable[[int], bool], greatest: int) -> int:
    """Return the least count from 0 to `greatest` at which a monotone predicate holds, or `greatest`."""
    low, high = 0, greatest
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An event, its counts on two inputs, and their limits at the confidence of the run.

    `again` are the counts of the second confirmation, where there was one; then the limits are the weaker of both.
    """

    a: Any
    b: Any
    event: Event
    counts: EventCounts
    limits: ConfidenceLimits
    again: EventCounts | None


@dataclass(frozen=True, slots=True)
class Power:
    """An event of probability >= p on a and <= q on b, had it been proposed first, would have refuted with chance 9/10.

    This is for two confirmations, each with as many runs on a and on b as the one that was made.
    """

    p: Fraction
    q: Fraction
    excess: Fraction


@dataclass(frozen=True, slots=True)
class Sampled:
    """The result of a sampling audit: a refutation at a confidence, or none, with the power; never a verification.

    `worst` refutes the claim where `refuted`; else it is the event that needs the greatest epsilon. `pairs` counts the
    ordered pairs that were sampled, of `all_pairs`; `looks` counts the looks. `delta_lo` and `epsilon_lo` are lower
    bounds; with the confidence, they and those of all other `claims` of the invocation are right together. `seed` is
    the seed of the audit's coins, None where the system drew.
    """

    claim: Claim
    refuted: bool
    reason: str | None
    confidence: Fraction
    pairs: int
    all_pairs: int
    looks: int
    runs: int
    delta_lo: Fraction
    epsilon_lo: Epsilon
    worst: Confirmed | None
    power: tuple[Power, ...]
    notes: tuple[str, ...]
    claims: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """The counts of each event at one look at a confirmation, and whether that look was at its planned end."""

    chosen: tuple[Candidate, ...]
    counts: tuple[EventCounts, ...]
    ended: bool

    def limits(self, level: Fraction) -> list[ConfidenceLimits]:
        """Return the limits of each event; all looks together spend a chance of `level`."""
        found = []
        for candidate, counts, (early, end) in zip(
            self.chosen, self.counts, shares(level, len(self.chosen)), strict=True
        ):
            limits = at_all_times(counts, early, candidate.before)
            found.append(limits.meet(at_the_end(counts, end)) if self.ended else limits)
        return found


def looks(
    chosen: Sequence[Candidate], planned: int, source: Source, spending: Spending, coins: random.Random
) -> Iterator[Look]:
    """Yield looks at `planned` fresh runs for the candidates, all on one pair: at doublings, and at the end.

    The first look is after as many runs as the candidates' own counts come from. Time may end the confirmation before.
    """
    a, b = chosen[0].a, chosen[0].b
    events = [candidate.event for candidate in chosen]
    seen = {a: [0] * len(events), b: [0] * len(events)}
    runs = {a: 0, b: 0}
    done, step = 0, max(FIRST, chosen[0].before.n + chosen[0].before.m)
    while done < planned:
        stretch = step if planned - done >= 2 * step else planned - done
        # As many runs on a as heads: each run is on a or on b by a fair coin, which no earlier count has influenced.
        on_a = coins.getrandbits(stretch).bit_count()
        sizes, start = {a: on_a, b: stretch - on_a}, spending.elapsed()
        counted = source.count(sizes, events, spending.late)
        if counted is None:
            return
        spending.spent(stretch, start)
        done, step = done + stretch, done + stretch
        for position, size in sizes.items():
            runs[position] += size
            seen[position] = [x + y for x, y in zip(seen[position], counted[position], strict=True)]
        counts = tuple(
            EventCounts(seen[one.a][i], runs[one.a], seen[one.b][i], runs[one.b]) for i, one in enumerate(chosen)
        )
        yield Look(tuple(chosen), counts, done == planned)


NOTHING = "no violation found; more --samples see smaller ones"
LATE = "no violation found: time ran out before the first look; raise --time-limit"
CUT = "no violation found: time ran out before the planned end; raise --time-limit"
ONCE = (
    "a violation was seen in a first set of runs, and not confirmed by a second; "
    "audit again with more --samples and another --seed"
)
HURRIED = "the time limit set how many runs there were: the seed alone does not replay them; raise --time-limit"


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
    Raises: InputError for a confidence outside [1/2, 1) or fewer than 1000 runs; Unauditable for an object that is no
            outcome.
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
        return ratio_hi(self.claim.guarantee.epsilon)

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
        """Confirm on fresh runs that the events of a first look refute."""
        broken, level = self._broken(limits), self.budget.confirming

        def weaker(look: Look) -> list[ConfidenceLimits]:
            return [limits[i].weaker(other) for i, other in zip(broken, look.limits(level), strict=True)]

        # The second confirmation has a level of its own, on fresh runs: luck in the first one is no luck in this.
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
        """Return the power of two such confirmations: for events impossible on b, and for events up to 1/2 there."""
        runs = look.counts[0].n, look.counts[0].m
        rule = partial(at_the_end, alpha=shares(self.budget.confirming, len(look.chosen))[0][1])
        half = max(Fraction(0), (Fraction(1, 2) - self.delta) / self.ratio)
        found = []
        for q in sorted({Fraction(0), half}):
            p = needed(q, runs, rule, self.ratio, self.delta, times=2)
            if p is not None:
                found.append(Power(p, q, p - self.ratio * q - self.delta))
        return tuple(found)
