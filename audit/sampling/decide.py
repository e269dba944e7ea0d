"""The sampling audit: a search on some runs proposes events on one pair of inputs, and fresh runs decide.

Why it is valid: before the first run that decides, the pair, the events, their parts of alpha, the planned size and the
sizes at which counts are looked at depend on earlier runs and the clock alone. Each run that decides is on a or on b by
a fair coin. Of each event there are limits that hold at all times, by confidence sequences, and limits at the planned
end, by Clopper and Pearson; their parts of alpha add up to alpha. So all limits that are ever stated are right at once
with a chance of at least 1 - alpha, wherever the run stops.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.budget import Budget
from dpcert.audit.sampling.hunt import FIRST, Hunt, Search
from dpcert.audit.sampling.limits import KNOW_NOTHING, Counts, at_all_times, at_the_end
from dpcert.audit.sampling.patterns import MOST_PAIRS, chosen_pairs
from dpcert.audit.sampling.power import needed
from dpcert.audit.sampling.sampled import Confirmed, Power, Sampled
from dpcert.audit.sampling.sampler import OneByOne, Sampler, Source
from dpcert.audit.sampling.search import Candidate, candidates
from dpcert.audit.sampling.spending import Spending
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["DEFAULT_RUNS", "LEAST_RUNS", "Confirmed", "Power", "Sampled", "Search", "sample_claim"]

DEFAULT_RUNS = 400_000
LEAST_RUNS = 1_000
LATE = "no violation found: time ran out before the first look"
CUT = "no violation found: time ran out before the planned end"
STEEP = 64
"""An e^epsilon of at least 2^STEEP counts as 2^STEEP: no limit is below 2^-GRID, so that no counts break either."""
BITS = 64


def sample_claim(
    claim: Claim,
    sampler: Sampler | Source,
    *,
    confidence: object = "0.999",
    most_runs: int = DEFAULT_RUNS,
    seconds: float = float("inf"),
    seed: int | None = None,
    search: Search | None = None,
) -> Sampled:
    """Return what samples show of a claim: refuted at a confidence, or no violation found and the power.

    `sampler(position)` runs the mechanism once on the input at that position of the claim, a `Source` many times; runs
    are taken to be independent, and of one law on each input. At most `most_runs` of them in all, in about `seconds`.
    `seed` is of the coins that say on which input a run is; by default they are the system's.

    Claims: where the claim is true the answer is `refuted` with a chance of at most 1 - confidence; with a chance of at
            least the confidence, `delta_lo` and `epsilon_lo` are no more than the claim's least delta and epsilon.
    Raises: InputError for a confidence outside [1/2, 1) or fewer than 1000 runs; Unauditable for what is no outcome.
    """
    budget = Budget.at_confidence(confidence)
    if most_runs < LEAST_RUNS:
        raise InputError(given=f"{most_runs} samples", needed=f"at least {LEAST_RUNS}", remedy="ask for more")
    all_pairs = tuple(claim.pairs())
    source = OneByOne(sampler) if callable(sampler) else sampler
    coins = random.SystemRandom() if seed is None else random.Random(f"{seed} on which input")
    spending = Spending(most_runs, time.monotonic() + seconds)
    audit = _Audit(claim, budget, source, spending, coins, search or Search(), len(all_pairs))
    return audit.answer(chosen_pairs(claim.inputs, all_pairs, max(1, min(MOST_PAIRS, most_runs // (6 * FIRST)))))


def _ratio_hi(epsilon: Epsilon) -> Fraction:
    """Return a number of at least e^epsilon, or 2^STEEP where that is less."""
    steep = Fraction(1 << STEEP)
    return steep if epsilon.power_of_two_lo() >= STEEP else min(steep, epsilon.exp_bounds(BITS)[1])


@dataclass(slots=True)
class _Audit:
    """One run of a sampling audit."""

    claim: Claim
    budget: Budget
    source: Source
    spending: Spending
    coins: random.Random
    search: Search
    all_pairs: int
    pairs: int = 0
    looks: int = 0
    ended: bool = False

    @property
    def ratio(self) -> Fraction:
        """A number of at least e^epsilon of the claim."""
        return _ratio_hi(self.claim.guarantee.epsilon)

    @property
    def delta(self) -> Fraction:
        """The delta of the claim."""
        return self.claim.guarantee.delta

    def answer(self, pairs: list[tuple[int, int]]) -> Sampled:
        """Search, then confirm on fresh runs, until a violation or the end of what may be spent."""
        if not pairs:
            return self._sampled([], "there is nothing to sample: no two of the inputs are neighbours")
        hunt = Hunt(self.ratio, self.delta, self.budget.alpha, self.source, self.spending, self.search)
        chosen = candidates(hunt.events(pairs), self.search.events, to_measure=not self.search.stop)
        self.pairs = hunt.pairs
        confirmed = self._confirm(chosen) if chosen else []
        refuted = any(one.limits.refutes(self.ratio, self.delta) for one in confirmed)
        if refuted:
            return self._sampled(confirmed, None)
        if self.ended or not (chosen or self.spending.late()):
            return self._sampled(confirmed, "no violation found")
        return self._sampled(confirmed, CUT if self.looks else LATE)

    def _confirm(self, chosen: Sequence[Candidate]) -> list[Confirmed]:
        """Count fresh runs on the candidates' pair, looked at when they have doubled and at the planned end."""
        a, b = chosen[0].a, chosen[0].b
        events = [candidate.event for candidate in chosen]
        shares = self.budget.shares(len(chosen))
        planned = self.spending.left()
        seen = {a: [0] * len(events), b: [0] * len(events)}
        runs = {a: 0, b: 0}
        limits = [KNOW_NOTHING] * len(events)
        done, step = 0, max(FIRST, chosen[0].before.n + chosen[0].before.m)
        confirmed: list[Confirmed] = []
        while done < planned:
            stretch = step if planned - done >= 2 * step else planned - done
            on_a = self.coins.getrandbits(stretch).bit_count()
            sizes, start = {a: on_a, b: stretch - on_a}, time.monotonic()
            counted = self.source.count(sizes, events, self.spending.deadline)
            if counted is None:
                break
            self.spending.spent(stretch, start)
            done, step = done + stretch, done + stretch
            for position, size in sizes.items():
                runs[position] += size
                seen[position] = [x + y for x, y in zip(seen[position], counted[position], strict=True)]
            self.looks += 1
            self.ended = done == planned
            confirmed = []
            for i, candidate in enumerate(chosen):
                first, second = candidate.a, candidate.b
                counts = Counts(seen[first][i], runs[first], seen[second][i], runs[second])
                early, end = shares[i]
                limits[i] = limits[i].meet(at_all_times(counts, early, candidate.before))
                if self.ended:
                    limits[i] = limits[i].meet(at_the_end(counts, end))
                inputs = self.claim.inputs
                confirmed.append(Confirmed(inputs[first], inputs[second], candidate.event, counts, limits[i]))
            if self.search.stop and any(one.limits.refutes(self.ratio, self.delta) for one in confirmed):
                break
        return confirmed

    def _sampled(self, confirmed: Sequence[Confirmed], reason: str | None) -> Sampled:
        """Return the report; every limit of every event bears on the bounds."""
        top = max(confirmed, key=lambda one: one.limits.ratio_at(self.delta), default=None)
        ratio = Fraction(1) if top is None else top.limits.ratio_at(self.delta)
        broken = [one for one in confirmed if one.limits.refutes(self.ratio, self.delta)]
        worst = min(broken, key=lambda one: (len(one.event.labels), -one.limits.delta_at(self.ratio)), default=None)
        notes = []
        if self.pairs < self.all_pairs:
            notes.append(f"{self.pairs} of {self.all_pairs} pairs were sampled")
        return Sampled(
            claim=self.claim,
            refuted=worst is not None,
            reason=reason,
            confidence=self.budget.confidence,
            pairs=self.pairs,
            all_pairs=self.all_pairs,
            looks=self.looks,
            runs=self.spending.runs,
            delta_lo=max((one.limits.delta_at(self.ratio) for one in confirmed), default=Fraction(0)),
            epsilon_lo=Epsilon.ln(_shortened(ratio)),
            worst=worst if self.search.stop and worst is not None else top,
            power=self._power(confirmed) if worst is None else (),
            notes=tuple(notes),
        )

    def _power(self, confirmed: Sequence[Confirmed]) -> tuple[Power, ...]:
        """Return what the end would have found: of events impossible on b, and where the bound on p is 1/2."""
        if not self.ended or not confirmed:
            return ()
        runs = confirmed[0].counts.n, confirmed[0].counts.m
        rule = partial(at_the_end, alpha=self.budget.shares(len(confirmed))[0][1])
        half = max(Fraction(0), (Fraction(1, 2) - self.delta) / self.ratio)
        found = []
        for q in sorted({Fraction(0), half}):
            p = needed(q, runs, rule, self.ratio, self.delta)
            if p is not None:
                found.append(Power(p, q, p - self.ratio * q - self.delta))
        return tuple(found)


def _shortened(ratio: Fraction) -> Fraction:
    """Return a ratio rounded down to a multiple of 2^-20, at least 1."""
    return max(Fraction(1), Fraction((ratio.numerator << 20) // ratio.denominator, 1 << 20))
