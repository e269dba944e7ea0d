"""The sampling audit: looks of growing size, each confirming on fresh samples what the search on earlier ones proposed.

Why it is valid: before look k is sampled, its events and its size depend on earlier samples and the clock alone. Given
these, its counts are binomial, and each of its limits is wrong with a chance of at most its part of the budget. The
parts of all looks add up to alpha, so all limits of the run are right at once with a chance of at least 1 - alpha,
wherever it stops. A look that is not sampled to its end is thrown away.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.binomial import lower_limit, upper_limit
from dpcert.audit.sampling.budget import Budget
from dpcert.audit.sampling.events import Event
from dpcert.audit.sampling.patterns import MOST_PAIRS, chosen_pairs
from dpcert.audit.sampling.power import exceeds, needed
from dpcert.audit.sampling.sampler import Sampler
from dpcert.audit.sampling.search import Candidate, Tally, candidates, propose
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["DEFAULT_RUNS", "LEAST_RUNS", "Confirmed", "Power", "Sampled", "sample_claim"]

DEFAULT_RUNS = 400_000
LEAST_RUNS = 1_000
FIRST = 1_000
"""Runs on each input before the first look, where there are enough."""
EVENTS = 8
"""Events confirmed at a look."""
LEAST_PAIRS = 4
KEPT = 4
"""One pair in so many is kept after a look, but LEAST_PAIRS."""
PILOT = 20
"""Runs that measure how long one takes."""
CHECKED = 20
SPARE = 0.7
LATE = "no violation found: time ran out before the first look"
STEEP = 64
"""An e^epsilon of at least 2^STEEP counts as 2^STEEP: no limit is below 2^-GRID, so that no counts break either."""
BITS = 64


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An event at a look: its counts on two inputs, and what they show.

    At the confidence of the run, its probability is at least p_lo on a and at most q_hi on b; `alpha` is of each limit.
    """

    a: Any
    b: Any
    event: Event
    hits_a: int
    hits_b: int
    runs: int
    alpha: Fraction
    p_lo: Fraction
    q_hi: Fraction

    def ratio_lo(self, delta: Fraction) -> Fraction:
        """Return a lower bound of the e^epsilon that this event needs at delta, at least 1."""
        return max(Fraction(1), (self.p_lo - delta) / self.q_hi)

    def delta_lo(self, ratio: Fraction) -> Fraction:
        """Return a lower bound of the delta that this event needs at an e^epsilon of at most `ratio`."""
        return max(Fraction(0), self.p_lo - ratio * self.q_hi)


@dataclass(frozen=True, slots=True)
class Power:
    """An event of probability >= p on a and <= q on b, once proposed, would have refuted with a chance of 9/10."""

    p: Fraction
    q: Fraction
    excess: Fraction


@dataclass(frozen=True, slots=True)
class Sampled:
    """What came of a sampling audit: a refutation at a confidence, or none and the power; never a verification.

    `worst` refutes the claim where `refuted`; else it is the event that needs the greatest epsilon. `pairs` counts the
    ordered pairs that were sampled, of `all_pairs`. `delta_lo` and `epsilon_lo` are lower bounds at the confidence.
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


@dataclass(slots=True)
class _Run:
    """The samples so far, and what is left to spend."""

    sampler: Sampler
    most_runs: int
    deadline: float
    tallies: dict[int, Tally] = field(default_factory=dict)
    runs: int = 0
    seconds: float = 0.0

    def affordable(self, inputs: Sequence[int]) -> int:
        """Return how many runs on each of these inputs are left, by number and, as far as can be told, by time."""
        left = max(0, self.most_runs - self.runs)
        if self.runs and self.deadline < float("inf"):
            rate = max(self.seconds, 1e-9) / self.runs
            left = min(left, int(SPARE * max(0.0, self.deadline - time.monotonic()) / rate))
        return left // len(inputs)

    def batch(self, inputs: Iterable[int], size: int) -> dict[int, Tally] | None:
        """Return `size` new runs on each of these inputs, or None where time ran out before the end."""
        found = {position: Tally() for position in inputs}
        start = time.monotonic()
        for position, tally in found.items():
            for i in range(size):
                if i % CHECKED == 0 and time.monotonic() > self.deadline:
                    return None
                tally.add(self.sampler(position))
                self.runs += 1
        self.seconds += time.monotonic() - start
        return found

    def keep(self, batch: dict[int, Tally]) -> None:
        """Hand samples on to the searches to come."""
        for position, tally in batch.items():
            self.tallies.setdefault(position, Tally()).merge(tally)


def sample_claim(
    claim: Claim,
    sampler: Sampler,
    *,
    confidence: object = "0.999",
    most_runs: int = DEFAULT_RUNS,
    seconds: float = float("inf"),
) -> Sampled:
    """Return what samples show of a claim: refuted at a confidence, or no violation found and the power.

    `sampler(position)` runs the mechanism once on the input at that position of the claim; its runs are taken to be
    independent, and of one law on each input. At most `most_runs` of them in all, in about `seconds`.

    Claims: where the claim is true the answer is `refuted` with a chance of at most 1 - confidence; with a chance of at
            least the confidence, `delta_lo` and `epsilon_lo` are no more than the claim's least delta and epsilon.
    Raises: InputError for a confidence outside [1/2, 1) or fewer than 1000 runs; Unauditable for what is no outcome.
    """
    budget = Budget.at_confidence(confidence)
    if most_runs < LEAST_RUNS:
        raise InputError(given=f"{most_runs} samples", needed=f"at least {LEAST_RUNS}", remedy="ask for more")
    all_pairs = claim.pairs()
    run = _Run(sampler, most_runs, time.monotonic() + seconds)
    return _Audit(claim, budget, run, len(all_pairs)).answer(_first_pairs(claim, all_pairs, most_runs))


def _first_pairs(claim: Claim, pairs: Sequence[tuple[int, int]], most_runs: int) -> list[tuple[int, int]]:
    return chosen_pairs(claim.inputs, pairs, max(1, min(MOST_PAIRS, most_runs // (6 * FIRST))))


def _ratio_hi(epsilon: Epsilon) -> Fraction:
    """Return a number of at least e^epsilon, or 2^STEEP where that is less."""
    steep = Fraction(1 << STEEP)
    return steep if epsilon.power_of_two_lo() >= STEEP else min(steep, epsilon.exp_bounds(BITS)[1])


class _Audit:
    """One run of a sampling audit."""

    def __init__(self, claim: Claim, budget: Budget, run: _Run, all_pairs: int) -> None:
        self.claim = claim
        self.budget = budget
        self.run = run
        self.all_pairs = all_pairs
        self.ratio = _ratio_hi(claim.guarantee.epsilon)
        self.delta = claim.guarantee.delta
        self.looks = 0
        self.pairs = 0
        self.seen: list[Confirmed] = []
        self.last: tuple[int, Fraction] | None = None

    def answer(self, pairs: list[tuple[int, int]]) -> Sampled:
        """Look at ever more samples of ever fewer pairs, until a violation or the end of what may be spent."""
        if not pairs:
            return self._sampled(None, "there is nothing to sample: no two of the inputs are neighbours")
        pilot = self.run.batch(_inputs(pairs[:1]), PILOT)
        while len(pairs) > 1 and self.run.affordable(_inputs(pairs)) < 4 * FIRST:
            pairs = pairs[: len(pairs) // 2]
        inputs = _inputs(pairs)
        size = min(FIRST, self.run.affordable(inputs) // 3)
        first = self.run.batch(inputs, size) if pilot is not None and size >= PILOT else None
        if first is None:
            return self._sampled(None, LATE)
        self.run.keep(first)
        while (found := self._look(pairs)) is not None:
            pairs, worst = found
            if worst is not None:
                return self._sampled(worst, None)
        return self._sampled(None, "no violation found" if self.looks else LATE)

    def _look(self, pairs: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], Confirmed | None] | None:
        """Return the pairs worth another look, and a violation if there is one; None where nothing is left to spend."""
        tallies, ratio, delta = self.run.tallies, float(self.ratio), float(self.delta)
        now, proposals, searched = time.monotonic(), list[Candidate](), 0
        for a, b in pairs:
            if time.monotonic() < (now + self.run.deadline) / 2:
                proposals += propose(a, b, tallies[a], tallies[b], ratio, delta)
                searched += 1
        if not self.looks:
            self.pairs = 2 * searched
            pairs = pairs[: max(1, searched)]
        chosen = candidates(proposals, EVENTS)
        pairs = _kept(pairs, proposals) if self.looks else pairs
        chosen = [c for c in chosen if (min(c.a, c.b), max(c.a, c.b)) in set(pairs)]
        inputs = _inputs(pairs)
        want, left = tallies[inputs[0]].runs, self.run.affordable(inputs)
        size = want if left >= 3 * want else left
        if not chosen or 4 * size < want:
            return None
        batch = self.run.batch(inputs, size)
        if batch is None:
            return None
        self.looks += 1
        alpha = self.budget.limit(self.looks, len(chosen))
        self.last = (size, alpha)
        confirmed = [self._confirmed(candidate, batch, alpha) for candidate in chosen]
        self.seen += confirmed
        self.run.keep(batch)
        broken = [c for c in confirmed if exceeds(c.p_lo, c.q_hi, self.ratio, self.delta)]
        return pairs, min(broken, key=lambda c: (len(c.event.labels), -c.delta_lo(self.ratio))) if broken else None

    def _confirmed(self, candidate: Candidate, batch: dict[int, Tally], alpha: Fraction) -> Confirmed:
        on_a, on_b, event = batch[candidate.a], batch[candidate.b], candidate.event
        hits_a, hits_b = on_a.hits(event), on_b.hits(event)
        return Confirmed(
            a=self.claim.inputs[candidate.a],
            b=self.claim.inputs[candidate.b],
            event=event,
            hits_a=hits_a,
            hits_b=hits_b,
            runs=on_a.runs,
            alpha=alpha,
            p_lo=lower_limit(hits_a, on_a.runs, alpha),
            q_hi=upper_limit(hits_b, on_b.runs, alpha),
        )

    def _sampled(self, worst: Confirmed | None, reason: str | None) -> Sampled:
        """Return the report; every limit of every look bears on the bounds."""
        top = max(self.seen, key=lambda c: c.ratio_lo(self.delta), default=None)
        ratio = Fraction(1) if top is None else top.ratio_lo(self.delta)
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
            runs=self.run.runs,
            delta_lo=max((c.delta_lo(self.ratio) for c in self.seen), default=Fraction(0)),
            epsilon_lo=Epsilon.ln(_shortened(ratio)),
            worst=worst or top,
            power=self._power() if worst is None else (),
            notes=tuple(notes),
        )

    def _power(self) -> tuple[Power, ...]:
        """Return what the last look would have found: of events impossible on b, and where the bound on p is 1/2."""
        if self.last is None:
            return ()
        runs, alpha = self.last
        half = max(Fraction(0), (Fraction(1, 2) - self.delta) / self.ratio)
        found = []
        for q in sorted({Fraction(0), half}):
            p = needed(q, runs, alpha, self.ratio, self.delta)
            if p is not None:
                found.append(Power(p, q, p - self.ratio * q - self.delta))
        return tuple(found)


def _shortened(ratio: Fraction) -> Fraction:
    """Return a ratio rounded down to a multiple of 2^-20, at least 1."""
    return max(Fraction(1), Fraction((ratio.numerator << 20) // ratio.denominator, 1 << 20))


def _inputs(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return sorted({position for pair in pairs for position in pair})


def _kept(pairs: Sequence[tuple[int, int]], proposals: Iterable[Candidate]) -> list[tuple[int, int]]:
    """Return the quarter of the pairs whose events look worst, but at least LEAST_PAIRS of them."""
    best = dict.fromkeys(pairs, float("-inf"))
    for candidate in proposals:
        pair = (min(candidate.a, candidate.b), max(candidate.a, candidate.b))
        best[pair] = max(best[pair], candidate.excess)
    order = sorted(pairs, key=lambda pair: -best[pair])
    return order[: max(LEAST_PAIRS, len(order) // KEPT)]
