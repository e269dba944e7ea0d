"""The search for events: floats rank sets of labels by likelihood ratio; nothing here decides anything.

One half of the search's samples, `fit`, orders the labels of each feature and trains the scores. The other, `pick`,
decides how far down the order an event reaches, and which event is best.

Where scikit-learn is installed, one score is gradient-boosted trees. They see patterns that naive Bayes cannot: entries
that betray the input only together.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from math import exp, log, sqrt
from typing import Any

from dpcert.audit.sampling.columns import One, few_valued, view_features, whole_of
from dpcert.audit.sampling.events import Event, Identity, Intervals, features_of
from dpcert.audit.sampling.limits import EventCounts
from dpcert.audit.sampling.samples import Rows, Samples, Tally, Wrapped
from dpcert.audit.sampling.scores import UNIT, ScoreCells, cells_of, scores_of
from dpcert.audit.sampling.views import Array, Cache, View

ROWS = 60_000
"""The greatest number of outcomes of each input that trees are learned from."""
ROUNDS = 60
LEAVES = 15
LEAF = 200


def can_boost() -> bool:
    """Whether scikit-learn, of the extra `sampling`, is installed."""
    return importlib.util.find_spec("sklearn") is not None


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """The score of an outcome by trees: its log-odds."""

    trees: Any

    def of(self, rows: Array, cache: Cache) -> Array:
        """Return the scores in UNITs."""
        import numpy as np

        found: Array = np.rint(UNIT * self.trees.decision_function(_numbers(rows, cache))).astype(np.int64)
        return found

    def words(self) -> str:
        return "gradient-boosted trees over the entries, their differences, order and sum"


def _numbers(rows: Array, cache: Cache) -> Array:
    import numpy as np

    entries = View("entries").of(rows, cache)
    parts = [entries]
    if entries.shape[1] > 1:
        kinds = ("differences", "sorted", "sum") if entries.dtype.kind == "f" else ("sum",)
        parts += [View(kind).of(rows, cache) for kind in kinds]
    return np.concatenate([part.astype(np.float32) for part in parts], axis=1)


def boosted_score(a: Array, b: Array) -> Boosted:
    """Return trees learned from outcomes on a and on b.

    Requires: `can_boost()`.
    """
    import numpy as np

    ensemble = import_module("sklearn.ensemble")
    a, b = a[:ROWS], b[:ROWS]
    numbers = np.concatenate([_numbers(a, {}), _numbers(b, {})])
    sides = np.concatenate([np.ones(len(a), dtype=np.int8), np.zeros(len(b), dtype=np.int8)])
    trees = ensemble.HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=min(LEAF, max(20, len(a) // 50)),
        early_stopping=False,
        random_state=0,
    )
    return Boosted(trees.fit(numbers, sides))


ATOMS = 4096
"""Beyond this many labels, the rarer ones are left out of every event."""
SEEN = 4
"""The least count of a label: a label seen once does not predict well."""
EXAMPLES = 5
"""The number of example outcomes shown for an event that is not a list of outcomes."""
POOLED = 4000
"""The number of outcomes of each input from which features of Python values take their cuts."""
CELLS = 64
CAUTION = 1.5
"""The number of its own standard errors by which the best of many estimates is lowered."""
FEW = 64
"""No scores are learned where at most this many distinct outcomes were seen: their histogram says everything."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The samples of one input that the search may see."""

    fit: Samples
    pick: Samples

    def merge(self, other: Halves) -> None:
        """Take over the samples of others."""
        self.fit.merge(other.fit)
        self.pick.merge(other.pick)


@dataclass(frozen=True, slots=True)
class Goal:
    """The bound that an event is to break, by the claim's e^epsilon and delta, and the number of runs on each input
    that will count.

    `errors` is about the number of standard errors that limits will be off. `caution` is the number of its own standard
    errors by which an estimate is lowered. `bits` and `learned` say which features to try.
    """

    ratio: float
    delta: float
    runs: int
    errors: float
    bits: bool = True
    learned: bool = True
    boosted: bool = False
    caution: float = CAUTION


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event proposed for the ordered pair of inputs at positions a and b, with estimates.

    `excess` is the number of standard errors that the event is above the claim, `ratio` a cautious guess of the
    e^epsilon that will be confirmed; `before` are its counts.
    """

    a: int
    b: int
    event: Event
    excess: float
    ratio: float
    before: EventCounts


def propose(a: int, b: int, first: Halves, second: Halves, goal: Goal) -> list[Candidate]:
    """Return the best events of each feature for a against b and for b against a."""
    found: list[Candidate] = []
    caches: list[Cache] = [{}, {}, {}, {}]
    halves = (first.fit, second.fit, first.pick, second.pick)
    runs = first.pick.runs, second.pick.runs
    for feature in _features(first.fit, second.fit, goal):
        p, q, x, y = (half.by_label(feature, cache) for half, cache in zip(halves, caches, strict=True))
        for labels in _orders(feature, p, q):
            found += _events(a, b, feature, labels, x, y, runs, goal)
        for labels in _orders(feature, q, p):
            found += _events(b, a, feature, labels, y, x, runs[::-1], goal)
    return found


def _orders(feature: Any, p: Mapping[Hashable, int], q: Mapping[Hashable, int]) -> Iterator[list[Hashable]]:
    """Yield the labels in the orders in which events take them: by likelihood ratio, and along a number both ways.

    Of a score, only from the top.
    """
    bare = feature.feature if isinstance(feature, Wrapped) else feature
    labels = sorted((label for label in p if p[label] >= SEEN), key=lambda label: -p[label])[:ATOMS]
    if isinstance(bare, ScoreCells):
        yield sorted(labels, key=_down)
        return
    yield sorted(labels, key=lambda label: ((q.get(label, 0) + 0.5) / (p[label] + 0.5), -p[label]))
    if isinstance(bare, (One, Intervals)) and len(labels) > 2:
        yield sorted(labels, key=_down)
        yield sorted(labels, key=_down, reverse=True)


def _down(label: Hashable) -> int:
    return -label if isinstance(label, int) else 0


def _features(first: Samples, second: Samples, goal: Goal) -> Iterator[Any]:
    """Yield the features of Python values, or of rows."""
    if isinstance(first, Rows) and isinstance(second, Rows):
        import numpy as np

        a, b = first.whole(), second.whole()
        both = np.concatenate([a, b])
        if few_valued(a) and few_valued(b) and (whole := whole_of(both)) is not None:
            yield whole
            return
        yield from view_features(both, CELLS, bits=goal.bits)
        yield from _learned(a, b, goal)
    elif isinstance(first, Tally) and isinstance(second, Tally):
        yield from features_of([*_spread(first, POOLED), *_spread(second, POOLED)], bits=goal.bits)
        width = max(first.width(), second.width())
        many = max(len(first.seen), len(second.seen)) > FEW and min(first.runs, second.runs) > FEW
        if goal.learned and width > 1 and many:
            for score in _learned(first.matrix(width), second.matrix(width), goal):
                yield Wrapped(score, width)


def _learned(a: Any, b: Any, goal: Goal) -> Iterator[ScoreCells]:
    if not goal.learned:
        return
    yield from scores_of(a, b)
    if goal.boosted and can_boost() and a.shape[1] > 1:
        score = boosted_score(a, b)
        yield cells_of(score, score.of(a, {}))


def _spread(seen: Tally, want: int) -> list[Any]:
    """Return about `want` outcomes, spread evenly over those seen."""
    return list(islice(seen.outcomes(), 0, None, max(1, seen.runs // want)))


def _events(
    a: int,
    b: int,
    feature: Any,
    labels: Sequence[Hashable],
    x: Mapping[Hashable, int],
    y: Mapping[Hashable, int],
    runs: tuple[int, int],
    goal: Goal,
) -> Iterator[Candidate]:
    """Yield sets of first labels: the one most above the claim and, for each size, that of greatest epsilon."""
    hits = misses = 0
    best: dict[int, tuple[float, int, Candidate]] = {}
    event = Event(feature, frozenset())
    for size, label in enumerate(labels, 1):
        hits, misses = hits + x.get(label, 0), misses + y.get(label, 0)
        counts = EventCounts(hits, runs[0], misses, runs[1])
        excess, likely = _excess(counts, goal), likely_ratio(counts, goal)
        for place, score in ((-1, excess), (hits.bit_length(), likely)):
            if place not in best or score > best[place][0]:
                best[place] = score, size, Candidate(a, b, event, excess, likely, counts)
    for _, size, candidate in best.values():
        yield replace(candidate, event=Event(feature, frozenset(labels[:size])))


def described(event: Event, seen: Samples) -> Event:
    """Return an event with its members: all of them where the event is a list of outcomes, else the first few seen."""
    feature, labels = event.feature, event.labels
    if isinstance(seen, Rows):
        return replace(event, members=seen.examples(feature, labels, EXAMPLES))
    if isinstance(feature, Identity):
        return replace(event, members=tuple(outcome for name, (outcome, _) in seen.seen.items() if name in labels))
    return replace(event, members=tuple(islice(_inside(event, seen), EXAMPLES)))


def _inside(event: Event, seen: Tally) -> Iterator[Any]:
    """Yield the outcomes that are in an event, in the order in which they were first seen."""
    outcomes = (outcome for outcome, _ in seen.seen.values())
    while some := list(islice(outcomes, POOLED)):
        wrapped = isinstance(event.feature, Wrapped)
        own = event.feature.labels(some) if wrapped else map(event.feature.label, some)
        yield from (outcome for outcome, label in zip(some, own, strict=True) if label in event.labels)


def _excess(counts: EventCounts, goal: Goal) -> float:
    """Return by how many standard errors p is over ratio q + delta, the errors not below those of one hit."""
    x, n, y, m = counts.x, counts.n, counts.y, counts.m
    p_wide, q_wide = (x + 1) / (n + 2), (y + 1) / (m + 2)
    error = sqrt(p_wide * (1 - p_wide) / n + goal.ratio * goal.ratio * q_wide * (1 - q_wide) / m)
    return (x / n - goal.ratio * y / m - goal.delta) / error


def likely_ratio(counts: EventCounts, goal: Goal) -> float:
    """Return a guess of the e^epsilon that will be confirmed at delta, lowered by the errors of both samples."""
    x, n, y, m = counts.x, counts.n, counts.y + 0.5, counts.m
    over = x / n - goal.delta
    if over <= 0:
        return 0.0
    relative = sqrt(x) / n / over
    square = relative * relative + 1 / y
    now, then = goal.caution * sqrt(square), goal.errors * sqrt(square * n / max(1, goal.runs))
    return exp(max(-50.0, log(over / (y / m)) - now - then))


def again(candidate: Candidate, counts: EventCounts, goal: Goal) -> Candidate:
    """Return a candidate with estimates from counts of runs that had no part in proposing it."""
    return replace(candidate, before=counts, excess=_excess(counts, goal), ratio=likely_ratio(counts, goal))


def ranked(proposals: Sequence[Candidate], *, to_measure: bool) -> list[Candidate]:
    """Return the proposals with distinct counts, in falling order of their excess over the claim, or of epsilon."""
    chosen: dict[tuple[int, int, EventCounts], Candidate] = {}
    for candidate in sorted(proposals, key=lambda candidate: -(candidate.ratio if to_measure else candidate.excess)):
        chosen.setdefault((candidate.a, candidate.b, candidate.before), candidate)
    return list(chosen.values())


def finalists(proposals: Sequence[Candidate], most: int, *, to_measure: bool) -> list[Candidate]:
    """Return at most `most` proposals: the best, and the best of each size, as few runs make rare events look worse."""
    best = ranked(proposals, to_measure=to_measure)
    sizes: dict[int, Candidate] = {}
    for candidate in best[most // 2 :]:
        sizes.setdefault(candidate.before.x.bit_length(), candidate)
    return best[: most // 2] + list(sizes.values())[: most - most // 2]


def candidates(proposals: Sequence[Candidate], most: int, *, to_measure: bool) -> list[Candidate]:
    """Return at most `most` proposals about one pair; the first gets the greatest part of the error probability.

    The first is the most above the claim, or with `to_measure` the one of greatest epsilon; then comes the best by the
    other order. Proposals with the same counts are one event in several features; the first of them is taken.
    """
    orders = [ranked(proposals, to_measure=measured) for measured in (to_measure, not to_measure)]
    chosen: list[Candidate] = []
    for place in range(most if proposals else 0):
        pair = {orders[0][0].a, orders[0][0].b}
        fitting = (one for one in orders[place % 2] if {one.a, one.b} == pair and one not in chosen)
        chosen += islice(fitting, 1)
    return chosen
