"""One call that was read: its states with the ways between them, its ends, and what leads to these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.states.cover import Recorder, Way, shortest
from dpcert.mechanisms.states.reader import Reader
from dpcert.mechanisms.states.solve import Graph
from dpcert.mechanisms.states.summarise import Ended


@dataclass(frozen=True, slots=True)
class Read:
    """One call that was read: its states and ways, and the probabilities of its ends."""

    reader: Reader
    graph: Graph
    weights: dict[int, int]
    total: int

    def numbers(self) -> list[int]:
        """Return the numbers of the ends, in an order that depends on the outcomes alone."""
        return sorted(self.weights, key=lambda end: repr(self.reader.outcomes[end]))

    def told(self, way: Way) -> Any:
        """Return what tells a way from others, also from those of other readings."""
        state, place = way
        to, kind = self.graph.ways[state][place]
        reader = self.reader
        after = key(reader.outcomes[to]) if to in reader.outcomes else reader.keys[to]
        return reader.keys[state] if state else reader.name, reader.kind_of[kind], after

    def known(self, taken: set[Any]) -> Callable[[Way], bool]:
        """Return what tells whether a way is among those that were taken."""
        return lambda way: self.told(way) in taken

    def draws(self) -> bool:
        """Whether anything is drawn on some way."""
        kinds = {kind for out in self.graph.ways.values() for _, kind in out}
        return any(self.reader.kind_of[kind].draws or self.reader.kind_of[kind].carried for kind in kinds)

    def ended(self) -> list[Ended]:
        """Return the ends: each outcome, its probability, and the draws of two paths to it."""
        recorder, path = self.recorder(), shortest(self.graph)
        return [
            (
                self.reader.outcomes[end],
                Fraction(self.weights[end], self.total),
                (recorder.record(path[end], 0), recorder.record(path[end], 1)),
            )
            for end in self.numbers()
        ]

    def recorder(self) -> Recorder:
        """Return what makes draws that lead along a path."""
        return Recorder(self.graph, self.reader.kind_of)
