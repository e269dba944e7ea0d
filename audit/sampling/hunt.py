"""The search of a sampling audit: it proposes events, from more and more runs on fewer and fewer pairs of inputs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import NormalDist

from dpcert.audit.sampling.budget import Spending
from dpcert.audit.sampling.columns import few_valued
from dpcert.audit.sampling.limits import EventCounts
from dpcert.audit.sampling.sampler import Source
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

FIRST = 1_000
"""The number of runs on each input before the first search, where the budget is large enough."""
LEAST = 20
"""The number of runs on each input before the first search, where the budget is small."""
FEWER = 10
"""A pilot on an input takes at most one in this many of all runs, so the pilots on two inputs take a fifth of them."""
RAREST = 1e-300
"""The search treats a smaller error probability as if it were this one."""
GROSS = 8.0
"""An event this many standard errors above the claim ends the search."""
LAST_PAIRS = 2
"""The number of pairs that the search keeps to its end."""
FINALISTS = 24
"""The number of events that are compared on runs that did not propose them."""
LAST_EVENTS = 6
"""The number of these events that are compared again."""
CALM, SURE = 0.5, 2.0
"""The number of standard errors by which estimates are lowered, in the first comparison and in the last."""


@dataclass(frozen=True, slots=True)
class Search:
    """The settings of the search for events, and whether it stops at the first violation.

    `share` is the part of the runs that the search may use, `entries` about the number of entries it may hold at once,
    `events` the number of events that are confirmed. `bits` tries the last bits of floats, `learned` the learned
    scores, with those of scikit-learn where it is installed.
    """

    share: float = 0.3
    entries: int = 2_000_000
    events: int = 3
    bits: bool = True
    learned: bool = True
    stop: bool = True


@dataclass(slots=True)
class Hunt:
    """A search for events against a claim of (ln ratio, delta), to be confirmed at the level alpha.

    `source` makes the runs, `spending` counts how many are left, and `search` says which part of them the hunt may use.
    `pairs` counts the ordered pairs that were searched.
    """

    ratio: Fraction
    delta: Fraction
    alpha: Fraction
    source: Source
    spending: Spending
    search: Search
    pairs: int = 0

    @property
    def to_measure(self) -> bool:
        """Whether the hunt looks for the greatest epsilon, not for the surest violation."""
        return not self.search.stop

    def _take(self, inputs: Iterable[int], size: int) -> dict[int, Halves] | None:
        """Return 2 `size` new runs on each of these inputs, in two halves, or None where time ran out."""
        sizes, start = dict.fromkeys(inputs, size), self.spending.elapsed()
        fit = self.source.take(sizes, self.spending.late)
        pick = None if fit is None else self.source.take(sizes, self.spending.late)
        if fit is None or pick is None:
            return None
        self.spending.spent(2 * size * len(sizes), start)
        return {position: Halves(fit[position], pick[position]) for position in sizes}

    def events(self, pairs: list[tuple[int, int]]) -> list[Candidate]:
        """Return the events of the last search, after more and more runs on fewer and fewer pairs."""
        pilot = min(self.source.pilot, self.spending.most_runs // FEWER)
        if self._take(_inputs(pairs[:1]), pilot // 2) is None:
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

    def _described(self, proposals: list[Candidate], samples: dict[int, Halves]) -> list[Candidate]:
        """Return the best of the candidates for the pair that will be confirmed, their events with members."""
        few = candidates(proposals, self.search.events, to_measure=self.to_measure)
        return [replace(one, event=described(one.event, samples[one.a].fit)) for one in few]

    def _final(self, proposals: list[Candidate], most: int) -> list[Candidate]:
        """Return the best candidates by counts in runs that proposed none of them, in two comparisons."""
        chosen = finalists(proposals, FINALISTS, to_measure=self.to_measure)
        for part, keep, caution in ((4, LAST_EVENTS, CALM), (1, LAST_EVENTS, SURE)):
            inputs = _inputs([(one.a, one.b) for one in chosen])
            size = min(most - self.spending.runs, self.spending.left()) // part // max(1, len(inputs))
            if not chosen or size < FIRST:
                return chosen
            start, events = self.spending.elapsed(), [one.event for one in chosen]
            hits = self.source.count(dict.fromkeys(inputs, size), events, self.spending.late)
            if hits is None:
                return chosen
            self.spending.spent(size * len(inputs), start)
            goal = replace(self._goal(boosted=False), caution=caution)
            seen = [EventCounts(hits[one.a][i], size, hits[one.b][i], size) for i, one in enumerate(chosen)]
            chosen = [again(one, counts, goal) for one, counts in zip(chosen, seen, strict=True)]
            chosen = ranked(chosen, to_measure=self.to_measure)[:keep]
        return chosen

    def _more(
        self, pairs: list[tuple[int, int]], found: Sequence[Candidate], have: int, width: int, most: int
    ) -> tuple[list[tuple[int, int]], int] | None:
        """Return the pairs to search further, and the further runs in each half; None where no more may be made.

        The least promising pairs are given up until each pair left can have four times its runs.
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
        sets = 2 if self.search.stop else 1
        runs = max(FIRST, int((1 - self.search.share) * self.spending.left() / (2 * sets)))
        errors = -NormalDist().inv_cdf(max(float(self.alpha), RAREST) / 2)
        plan = self.search
        ratio, delta = float(self.ratio), float(self.delta)
        return Goal(ratio, delta, runs, errors, bits=plan.bits, learned=plan.learned, boosted=boosted)

    def _proposals(
        self, pairs: Sequence[tuple[int, int]], samples: dict[int, Halves], *, last: bool
    ) -> tuple[list[Candidate], int]:
        """Return the proposals of each pair, and how many pairs there was time for: half of the time left is kept."""
        now, found, searched = self.spending.elapsed(), list[Candidate](), 0
        goal = self._goal(boosted=last)
        for a, b in pairs:
            if not searched or self.spending.elapsed() < (now + self.spending.most_seconds) / 2:
                found += propose(a, b, samples[a], samples[b], goal)
                searched += 1
        return found, searched

    def _gross(self, proposals: Sequence[Candidate]) -> bool:
        return self.search.stop and any(candidate.excess >= GROSS for candidate in proposals)


def _inputs(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return sorted({position for pair in pairs for position in pair})


def _width(samples: dict[int, Halves]) -> int:
    """Return the number of entries of an outcome, or 1 where outcomes are few."""
    first = next(iter(samples.values())).fit
    if not isinstance(first, Rows):
        return first.width()
    rows = first.whole()
    return 1 if few_valued(rows) else int(rows.shape[1])


def _best(pairs: Sequence[tuple[int, int]], proposals: Iterable[Candidate], to_measure: bool) -> list[tuple[int, int]]:
    """Return the pairs, the most promising first."""
    best = dict.fromkeys(pairs, float("-inf"))
    for candidate in proposals:
        pair = (min(candidate.a, candidate.b), max(candidate.a, candidate.b))
        score = candidate.ratio if to_measure else candidate.excess
        best[pair] = max(best.get(pair, score), score)
    return sorted(pairs, key=lambda pair: -best[pair])
