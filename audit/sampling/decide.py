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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from statistics import NormalDist
from typing import Any

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.sampling.budget import Budget
from dpcert.audit.sampling.columns import few_valued
from dpcert.audit.sampling.events import Event
from dpcert.audit.sampling.limits import KNOW_NOTHING, Counts, Limits, at_all_times, at_the_end
from dpcert.audit.sampling.patterns import MOST_PAIRS, chosen_pairs
from dpcert.audit.sampling.power import needed
from dpcert.audit.sampling.sampler import OneByOne, Sampler, Source
from dpcert.audit.sampling.samples import Rows
from dpcert.audit.sampling.search import (
    Candidate,
    Goal,
    Halves,
    again,
    candidates,
    described,
    finalists,
    propose,
    ranked,
)
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["DEFAULT_RUNS", "LEAST_RUNS", "Confirmed", "Power", "Sampled", "Search", "sample_claim"]

DEFAULT_RUNS = 400_000
LEAST_RUNS = 1_000
FIRST = 1_000
"""Runs on each input before the first search, where there are enough."""
LEAST = 20
"""Runs on each input before the first search, where there are hardly enough."""
SPARE = 0.7
"""Which part of the time left is planned for."""
GROSS = 8.0
"""An event so many standard errors over the claim ends the search."""
LAST_PAIRS = 2
"""How many pairs the search keeps to its end."""
FINALISTS = 24
"""How many events are compared on runs that they were not proposed from."""
LAST_EVENTS = 6
"""How many of them are compared again."""
CALM, SURE = 0.5, 2.0
"""How many standard errors guesses are lowered by in the first comparison and in the last."""
LATE = "no violation found: time ran out before the first look"
CUT = "no violation found: time ran out before the planned end"
STEEP = 64
"""An e^epsilon of at least 2^STEEP counts as 2^STEEP: no limit is below 2^-GRID, so that no counts break either."""
BITS = 64


@dataclass(frozen=True, slots=True)
class Search:
    """How events are searched for, and whether to stop at the first violation.

    `share` is the part of the runs that the search may use, `entries` about how many numbers it may look at at once;
    `events` is how many events are confirmed. `bits` tries the last bits of floats and `learned` the learned scores,
    those of scikit-learn among them where it is installed.
    """

    share: float = 0.3
    entries: int = 2_000_000
    events: int = 3
    bits: bool = True
    learned: bool = True
    stop: bool = True


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An event, its counts on two inputs, and what they show at the confidence of the run."""

    a: Any
    b: Any
    event: Event
    counts: Counts
    limits: Limits


@dataclass(frozen=True, slots=True)
class Power:
    """An event of probability >= p on a and <= q on b, proposed as the first, would have refuted with chance 9/10."""

    p: Fraction
    q: Fraction
    excess: Fraction


@dataclass(frozen=True, slots=True)
class Sampled:
    """What came of a sampling audit: a refutation at a confidence, or none and the power; never a verification.

    `worst` refutes the claim where `refuted`; else it is the event that needs the greatest epsilon. `pairs` counts the
    ordered pairs that were sampled, of `all_pairs`; `looks` how often counts were looked at. `delta_lo` and
    `epsilon_lo` are lower bounds, both right at once at the confidence.
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
    all_pairs = claim.pairs()
    source = OneByOne(sampler) if callable(sampler) else sampler
    coins = random.SystemRandom() if seed is None else random.Random(f"{seed} on which input")
    spending = _Spending(most_runs, time.monotonic() + seconds)
    audit = _Audit(claim, budget, source, spending, coins, search or Search(), len(all_pairs))
    return audit.answer(chosen_pairs(claim.inputs, all_pairs, max(1, min(MOST_PAIRS, most_runs // (6 * FIRST)))))


def _ratio_hi(epsilon: Epsilon) -> Fraction:
    """Return a number of at least e^epsilon, or 2^STEEP where that is less."""
    steep = Fraction(1 << STEEP)
    return steep if epsilon.power_of_two_lo() >= STEEP else min(steep, epsilon.exp_bounds(BITS)[1])


@dataclass(slots=True)
class _Spending:
    """What may be spent, and how long runs took."""

    most_runs: int
    deadline: float
    runs: int = 0
    seconds: float = 0.0

    def left(self) -> int:
        """Return how many runs are left, by number and, as far as can be told, by time."""
        left = max(0, self.most_runs - self.runs)
        if self.runs and self.deadline < float("inf"):
            rate = max(self.seconds, 1e-9) / self.runs
            left = min(left, int(SPARE * max(0.0, self.deadline - time.monotonic()) / rate))
        return left

    def late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.deadline

    def spent(self, runs: int, start: float) -> None:
        """Note that so many runs were made since `start`."""
        self.runs += runs
        self.seconds += time.monotonic() - start


@dataclass(slots=True)
class _Audit:
    """One run of a sampling audit."""

    claim: Claim
    budget: Budget
    source: Source
    spending: _Spending
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
    def to_measure(self) -> bool:
        """Whether the greatest epsilon is looked for, and not the surest violation."""
        return not self.search.stop

    @property
    def delta(self) -> Fraction:
        """The delta of the claim."""
        return self.claim.guarantee.delta

    def answer(self, pairs: list[tuple[int, int]]) -> Sampled:
        """Search, then confirm on fresh runs, until a violation or the end of what may be spent."""
        if not pairs:
            return self._sampled([], "there is nothing to sample: no two of the inputs are neighbours")
        found = self._search(pairs)
        chosen = candidates(found, self.search.events, to_measure=self.to_measure)
        confirmed = self._confirm(chosen) if chosen else []
        refuted = any(one.limits.refutes(self.ratio, self.delta) for one in confirmed)
        if refuted:
            return self._sampled(confirmed, None)
        if self.ended or not (chosen or self.spending.late()):
            return self._sampled(confirmed, "no violation found")
        return self._sampled(confirmed, CUT if self.looks else LATE)

    def _take(self, inputs: Iterable[int], size: int) -> dict[int, Halves] | None:
        """Return 2 `size` new runs on each of these inputs, in two halves, or None where time ran out."""
        sizes, start = dict.fromkeys(inputs, size), time.monotonic()
        fit = self.source.take(sizes, self.spending.deadline)
        pick = None if fit is None else self.source.take(sizes, self.spending.deadline)
        if fit is None or pick is None:
            return None
        self.spending.spent(2 * size * len(sizes), start)
        return {position: Halves(fit[position], pick[position]) for position in sizes}

    def _search(self, pairs: list[tuple[int, int]]) -> list[Candidate]:
        """Return events, from ever more runs on ever fewer pairs, the last search's only."""
        if self._take(_inputs(pairs[:1]), self.source.pilot // 2) is None:
            return []
        most = self.spending.runs + int(self.search.share * self.spending.left())
        while len(pairs) > 1 and FIRST * len(_inputs(pairs)) > most:
            pairs = pairs[: len(pairs) // 2]
        size = max(LEAST, min(FIRST, (most - self.spending.runs) // len(_inputs(pairs)))) // 2
        samples = self._take(_inputs(pairs), size)
        if samples is None:
            return []
        while True:
            found, searched = self._proposals(pairs, samples, last=False)
            self.pairs = max(self.pairs, 2 * searched)
            if self._gross(found) or self.spending.late():
                return self._described(found, samples)
            have = samples[pairs[0][0]].fit.runs
            more = self._more(pairs, found, have, _width(samples), most)
            if more is None:
                found += self._proposals(_best(pairs, found, self.to_measure)[:1], samples, last=True)[0]
                return self._described(self._final(found, most), samples)
            pairs, size = more
            fresh = self._take(_inputs(pairs), size)
            if fresh is None:
                return self._described(found, samples)
            for position, halves in fresh.items():
                samples[position].merge(halves)

    def _described(self, found: list[Candidate], samples: dict[int, Halves]) -> list[Candidate]:
        """Return the best of the candidates for the pair that will be confirmed, their events with members."""
        few = candidates(found, self.search.events, to_measure=self.to_measure)
        return [replace(one, event=described(one.event, samples[one.a].fit)) for one in few]

    def _final(self, found: list[Candidate], most: int) -> list[Candidate]:
        """Return the best candidates by counts of runs that none was proposed from: few of many, then of these few."""
        chosen = finalists(found, FINALISTS, to_measure=self.to_measure)
        for part, keep, caution in ((4, LAST_EVENTS, CALM), (1, LAST_EVENTS, SURE)):
            inputs = _inputs([(one.a, one.b) for one in chosen])
            size = min(most - self.spending.runs, self.spending.left()) // part // max(1, len(inputs))
            if not chosen or size < FIRST:
                return chosen
            start, events = time.monotonic(), [one.event for one in chosen]
            hits = self.source.count(dict.fromkeys(inputs, size), events, self.spending.deadline)
            if hits is None:
                return chosen
            self.spending.spent(size * len(inputs), start)
            goal = replace(self._goal(boosted=False), caution=caution)
            seen = [Counts(hits[one.a][i], size, hits[one.b][i], size) for i, one in enumerate(chosen)]
            chosen = [again(one, counts, goal) for one, counts in zip(chosen, seen, strict=True)]
            chosen = ranked(chosen, to_measure=self.to_measure)[:keep]
        return chosen

    def _more(
        self, pairs: list[tuple[int, int]], found: Sequence[Candidate], have: int, width: int, most: int
    ) -> tuple[list[tuple[int, int]], int] | None:
        """Return on which pairs to search further, and with how many more runs in each half; None where no more may be.

        Pairs are given up, the least promising first, where so many cannot have four times what there is.
        """
        ordered = _best(pairs, found, self.to_measure)
        left = min((most - self.spending.runs) // 3, self.spending.left())
        while True:
            size = 3 * have
            afford = left // (2 * len(_inputs(ordered)))
            look = self.search.entries // (width * len(ordered)) // 2 - have
            if min(afford, look) >= size:
                return ordered, size
            if len(ordered) <= LAST_PAIRS:
                size = min(afford, look, size)
                return (ordered, size) if 2 * size >= have else None
            ordered = ordered[: max(LAST_PAIRS, len(ordered) // 2)]

    def _goal(self, *, boosted: bool) -> Goal:
        runs = max(FIRST, int((1 - self.search.share) * self.spending.left() / 2))
        errors = NormalDist().inv_cdf(1 - float(self.budget.alpha) / 2)
        plan = self.search
        ratio, delta = float(self.ratio), float(self.delta)
        return Goal(ratio, delta, runs, errors, bits=plan.bits, learned=plan.learned, boosted=boosted)

    def _proposals(
        self, pairs: Sequence[tuple[int, int]], samples: dict[int, Halves], *, last: bool
    ) -> tuple[list[Candidate], int]:
        """Return what each pair proposes, and how many there was time for: half of what is left is kept."""
        now, found, searched = time.monotonic(), list[Candidate](), 0
        goal = self._goal(boosted=last)
        for a, b in pairs:
            if not searched or time.monotonic() < (now + self.spending.deadline) / 2:
                found += propose(a, b, samples[a], samples[b], goal)
                searched += 1
        return found, searched

    def _gross(self, found: Sequence[Candidate]) -> bool:
        return self.search.stop and any(candidate.excess >= GROSS for candidate in found)

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


def _inputs(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return sorted({position for pair in pairs for position in pair})


def _width(samples: dict[int, Halves]) -> int:
    """Return how many numbers an outcome has, or 1 where outcomes are few."""
    first = next(iter(samples.values())).fit
    if not isinstance(first, Rows):
        return first.width()
    rows = first.whole()
    return 1 if few_valued(rows) else int(rows.shape[1])


def _best(pairs: Sequence[tuple[int, int]], found: Iterable[Candidate], to_measure: bool) -> list[tuple[int, int]]:
    """Return the pairs, the most promising first."""
    best = dict.fromkeys(pairs, float("-inf"))
    for candidate in found:
        pair = (min(candidate.a, candidate.b), max(candidate.a, candidate.b))
        score = candidate.ratio if to_measure else candidate.excess
        best[pair] = max(best.get(pair, score), score)
    return sorted(pairs, key=lambda pair: -best[pair])
