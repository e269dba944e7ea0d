"""The search for events: floats rank sets of labels by likelihood ratio; nothing here decides anything."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from math import sqrt
from typing import Any

from dpcert.audit.sampling.events import Event, Feature, Whole, features_of
from dpcert.mechanisms.exact.outcome import key

__all__ = ["Candidate", "Tally", "candidates", "propose"]

ATOMS = 4096
"""Beyond so many labels, the rarer ones are left out of every event."""
SEEN = 4
"""How often a label must have been seen: what was seen once is no guide to what will be."""
EXAMPLES = 5
"""How many outcomes stand for an event that is no list of them."""
POOLED = 4000
"""From how many outcomes of each input the features take their cuts."""


@dataclass(slots=True)
class Tally:
    """The outcomes seen on one input, equal ones counted together."""

    seen: dict[Hashable, tuple[Any, int]] = field(default_factory=dict)
    runs: int = 0

    def add(self, outcome: Any) -> None:
        """Count one run."""
        name = key(outcome)
        kept, count = self.seen.get(name, (outcome, 0))
        self.seen[name] = (kept, count + 1)
        self.runs += 1

    def merge(self, other: Tally) -> None:
        """Count the runs of another tally as well."""
        for name, (outcome, count) in other.seen.items():
            kept, before = self.seen.get(name, (outcome, 0))
            self.seen[name] = (kept, before + count)
        self.runs += other.runs

    def outcomes(self) -> Iterator[Any]:
        """Yield the outcomes, each as often as it was seen."""
        return chain.from_iterable([outcome] * count for outcome, count in self.seen.values())

    def by_label(self, feature: Feature) -> dict[Hashable, int]:
        """Return how often each label was seen."""
        found: dict[Hashable, int] = {}
        for outcome, count in self.seen.values():
            label = feature.label(outcome)
            found[label] = found.get(label, 0) + count
        return found

    def hits(self, event: Event) -> int:
        """Return how many runs were in the event."""
        return sum(count for outcome, count in self.seen.values() if outcome in event)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event proposed for the ordered pair of inputs at positions a and b, with how promising it looks.

    `excess` is how many standard errors the event is over the claim, `ratio` a cautious guess of e^epsilon.
    """

    a: int
    b: int
    event: Event
    excess: float
    ratio: float


def _spread(seen: Tally, want: int) -> list[Any]:
    """Return about `want` outcomes, spread evenly over those seen."""
    return list(islice(seen.outcomes(), 0, None, max(1, seen.runs // want)))


def propose(a: int, b: int, first: Tally, second: Tally, ratio: float, delta: float) -> list[Candidate]:
    """Return the best events of each feature for a against b and for b against a."""
    found: list[Candidate] = []
    for feature in features_of([*_spread(first, POOLED), *_spread(second, POOLED)]):
        p, q = first.by_label(feature), second.by_label(feature)
        found += _events(a, b, feature, (p, q), (first, second), ratio, delta)
        found += _events(b, a, feature, (q, p), (second, first), ratio, delta)
    return found


def _events(
    a: int,
    b: int,
    feature: Feature,
    counts: tuple[Mapping[Hashable, int], Mapping[Hashable, int]],
    tallies: tuple[Tally, Tally],
    ratio: float,
    delta: float,
) -> Iterator[Candidate]:
    """Yield the set of labels of highest likelihood ratio that is most over the claim, and that of greatest epsilon."""
    (p, q), (n, m) = counts, (tallies[0].runs, tallies[1].runs)
    labels = sorted((label for label in p if p[label] >= SEEN), key=lambda label: -p[label])[:ATOMS]
    labels.sort(key=lambda label: ((q.get(label, 0) + 0.5) / (p[label] + 0.5), -p[label]))
    hits = misses = 0
    best: list[tuple[float, int, float, float]] = [(float("-inf"), 0, 0.0, 0.0)] * 2
    for size, label in enumerate(labels, 1):
        hits, misses = hits + p[label], misses + q.get(label, 0)
        excess, likely = _excess(hits / n, misses / m, n, m, ratio, delta), _cautious(hits, misses, n, m, delta)
        for place, score in enumerate((excess, likely)):
            if score > best[place][0]:
                best[place] = (score, size, excess, likely)
    for size in sorted({entry[1] for entry in best} - {0}):
        _, _, excess, likely = next(entry for entry in best if entry[1] == size)
        chosen = frozenset(labels[:size])
        yield Candidate(a, b, Event(feature, chosen, _members(feature, chosen, tallies[0])), excess, likely)


def _members(feature: Feature, labels: frozenset[Hashable], seen: Tally) -> tuple[Any, ...]:
    """Return the outcomes of an event that is a list of them, and of another the first few that were seen."""
    if isinstance(feature, Whole):
        return tuple(outcome for label, (outcome, _) in seen.seen.items() if label in labels)
    inside = (outcome for outcome, _ in seen.seen.values() if feature.label(outcome) in labels)
    return tuple(islice(inside, EXAMPLES))


def _excess(p: float, q: float, n: int, m: int, ratio: float, delta: float) -> float:
    """Return by how many standard errors p is over ratio q + delta, the errors not below those of one hit."""
    p_wide, q_wide = (p * n + 1) / (n + 2), (q * m + 1) / (m + 2)
    error = sqrt(p_wide * (1 - p_wide) / n + ratio * ratio * q_wide * (1 - q_wide) / m)
    return (p - ratio * q - delta) / error


def _cautious(hits: int, misses: int, n: int, m: int, delta: float) -> float:
    """Return a guess of the e^epsilon that would be confirmed at delta."""
    low = max(0.0, hits - 3.5 * sqrt(hits)) / n
    high = (misses + 3.5 * sqrt(misses) + 9) / m
    return (low - delta) / high


def candidates(found: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return at most `most` of the proposals: the most over the claim, but for a quarter of greatest epsilon.

    Of those with the same counts on the same pair, which are one event in several features, the first is taken.
    """
    by_excess = sorted(found, key=lambda candidate: -candidate.excess)
    by_ratio = sorted(found, key=lambda candidate: -candidate.ratio)
    quarter = max(1, most // 4)
    chosen: dict[tuple[int, int, float, float], Candidate] = {}
    for ranked, room in ((by_excess, most - quarter), (by_ratio, most)):
        for candidate in ranked:
            if len(chosen) < room:
                chosen.setdefault((candidate.a, candidate.b, candidate.excess, candidate.ratio), candidate)
    return list(chosen.values())
