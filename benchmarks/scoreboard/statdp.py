"""A re-implementation of StatDP from its paper, as an auditor of the scoreboard. It is ours, not the authors' code.

Ding, Wang, Wang, Zhang and Kifer: Detecting Violations of Differential Privacy, CCS 2018, Sections 4 and 5. A part of
the runs chooses a pair of inputs and an event, the one with the least p-value; fresh runs test it. Let the event occur
c1 and c2 times in n runs each. Of c1, a binomial part with rate e^-epsilon is kept; where the claim holds, what is kept
is at most as likely as c2, and Fisher's exact test says how surprising the counts are. The p-value is the mean over
KEPT such parts, as in the authors' program; the claim is rejected below ALPHA.

Differences: the events are our list of features, each one's frequent values, or its quantiles on either side; the
budget is the scoreboard's and not 100,000 runs for the choice and 500,000 for the test. It tests delta = 0 alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoreboard.outcomes import Array, features
from scoreboard.problem import NOT_PRIVATE, UNDECIDED, Answer, Problem

ALPHA = 0.05
KEPT = 100
CHOICE = 1 / 3
"""The part of the runs that chooses."""
PAIRS = 10
"""How many pairs of inputs are tried, spread over all."""
VALUES, CUTS = 30, 20
"""A feature with at most so many values has one event for each, and else so many quantiles with one on either side."""
SEEN = 0.001
"""An event that is rarer than this on both inputs is not tried."""


@dataclass(frozen=True, slots=True)
class Event:
    """The runs whose feature at a place equals a value, or is below or above it."""

    place: int
    kind: str
    value: float

    def holds(self, table: Array) -> Array:
        """Return of each row of features whether it is in the event."""
        column = table[:, self.place]
        if self.kind == "equal":
            return column == self.value
        return column <= self.value if self.kind == "below" else column > self.value


def events(tables: list[Array]) -> Iterator[Event]:
    """Yield the events that are tried on two inputs."""
    both = np.vstack(tables)
    for place in range(both.shape[1]):
        column = both[:, place]
        column = column[np.isfinite(column)]
        values, counts = np.unique(column, return_counts=True)
        if len(values) <= VALUES or place == 0:
            often = values[np.argsort(-counts, kind="stable")][:VALUES]
            yield from (Event(place, "equal", float(value)) for value in often)
        if len(values) > 2 and place > 0:
            for value in np.unique(np.quantile(column, np.linspace(0.02, 0.98, CUTS), method="nearest")):
                yield Event(place, "below", float(value))
                yield Event(place, "above", float(value))


def p_value(c1: int, c2: int, n: int, epsilon: float, rng: np.random.Generator) -> float:
    """Return the mean p-value of c1 and c2 hits in n runs each, under a chance p1 <= e^epsilon p2."""
    kept = rng.binomial(c1, math.exp(-epsilon), size=KEPT)
    values, counts = np.unique(kept, return_counts=True)
    chances = [at_least(int(value), int(value) + c2, n) for value in values]
    return float(np.dot(chances, counts) / KEPT)


def at_least(hits: int, total: int, n: int) -> float:
    """Return the chance that of `total` hits in 2n runs at least `hits` fall among n of them."""
    top = np.arange(max(hits, total - n), min(total, n) + 1)
    if not len(top):
        return 0.0
    table = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, 2 * n + 1)))])

    def ways(whole: int, part: Array) -> Array:
        found: Array = table[whole] - table[part] - table[whole - part]
        return found

    logs = ways(n, top) + ways(n, total - top) - ways(2 * n, np.array([total]))
    return float(min(1.0, np.exp(logs).sum()))


def excess(c1: Array, c2: Array, n: int, epsilon: float) -> Array:
    """Return by how many standard errors c1 exceeds e^epsilon c2: the order in which p-values are computed."""
    ratio = math.exp(min(epsilon, 50))
    spread = np.sqrt(c1 + ratio * ratio * np.maximum(c2, 0.5))
    found: Array = (c1 - ratio * c2) / spread
    return found


def statdp(problem: Problem, seed: int = 1) -> Answer:
    """Answer by hypothesis tests: rejected at ALPHA, or nothing."""
    if problem.delta:
        return Answer(UNDECIDED, "the test is for delta = 0")
    epsilon = math.log(float(problem.epsilon.exp_bounds(64)[1]))
    pairs = [(i, j) for i, j in problem.claim.pairs() if i < j]
    pairs = [pairs[k * len(pairs) // PAIRS] for k in range(PAIRS)] if len(pairs) > PAIRS else pairs
    positions = sorted({position for pair in pairs for position in pair})
    size = int(problem.budget * CHOICE / len(positions))
    known: dict[object, int] = {}
    tables = {position: features(problem.sample(position, size, seed), known) for position in positions}
    best, chosen = -math.inf, None
    for i, j in pairs:
        tried = list(events([tables[i], tables[j]]))
        hits = np.array([[event.holds(tables[at]).sum() for event in tried] for at in (i, j)], dtype=float)
        enough = hits.max(0) >= SEEN * size
        for first, second, pair in ((0, 1, (i, j)), (1, 0, (j, i))):
            scores = np.where(enough, excess(hits[first], hits[second], size, epsilon), -math.inf)
            place = int(np.argmax(scores))
            if scores[place] > best:
                best, chosen = float(scores[place]), (pair, tried[place])
    if chosen is None:
        return Answer(UNDECIDED, "no event")
    (i, j), event = chosen
    n = int(problem.budget * (1 - CHOICE) / 2)
    c1, c2 = (int(event.holds(features(problem.sample(at, n, seed + 1), known)).sum()) for at in (i, j))
    p = p_value(c1, c2, n, epsilon, np.random.default_rng(seed))
    words = f"p-value {p:.3g}: {event.kind} {event.value:g} at {event.place}, {c1} and {c2} of {n} runs"
    return Answer(NOT_PRIVATE if p < ALPHA else UNDECIDED, words)
