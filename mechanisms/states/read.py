"""The law of a program by its states, with every way between states replayed on plain numbers."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings, Watch, call, settle
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh, key, show
from dpcert.mechanisms.exact.run import Stale
from dpcert.mechanisms.states import twins
from dpcert.mechanisms.states.cover import Path, paths, record
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.runtime import NOW
from dpcert.mechanisms.states.segment import Reader, internal
from dpcert.mechanisms.states.solve import Graph, solved
from dpcert.mechanisms.states.world import Surroundings

MOST_STATES = 1_000_000
TELLS = "followed by its states it ends otherwise than run again on the same coins"


@dataclass(frozen=True, slots=True)
class MergedLaw:
    """A law by states, the number of runs that it took, and its notes."""

    law: Dist
    runs: int
    states: int
    replays: int
    notes: tuple[str, ...]


def merged_law(
    program: Callable[[Any, Coins], Any],
    value: Any,
    *,
    limits: Limits | None = None,
    reverse: bool = False,
    watch: Watch | None = None,
    replay: bool = True,
    most: int = MOST_STATES,
) -> MergedLaw:
    """Return the law of `program(value, coins)` with equal states merged.

    The law is exact where finitely many states are reached; else its probabilities are lower bounds, and the missing
    mass is its tail.

    Raises: NotRead where states cannot be told whole, or replays contradict them; the line says where and why.
    """
    limits, watch = limits or Limits(), watch or Watch()
    settings = Settings(LazyRun, limits, reverse=reverse, watch=watch)
    try:
        world = Surroundings(program, fresh(value))
        reader = Reader(program, value, settings, world, _bits(limits) + 64)

        def weight(kind: int) -> tuple[int, int]:
            known = reader.kind_of[kind]
            return known.numerator, known.denominator

        with _reading(), watch.run():
            graph = Graph(reader.expand, reader.outcomes.__contains__, weight, most)
            masses = solved(graph, limits.max_tail)
        count = 0
        if replay:
            for path in paths(graph):
                _replayed(program, value, watch, reader, graph, path, count)
                count += 1
        world.conclude()
    except (NotRead, Unauditable) as error:
        raise NotRead(str(error)) from None
    except Exception as error:
        raise NotRead(internal(error)) from error
    finally:
        NOW.again.clear()
    numbers = sorted(masses, key=lambda end: repr(reader.outcomes[end]))
    weights, total = on_one_denominator([masses[end] for end in numbers])
    law = Dist.from_weights([(reader.outcomes[end], w) for end, w in zip(numbers, weights, strict=True)], total)
    notes = (*settings.notes, *([*reader.reasons][:2] if law.tail_weight else ()))
    return MergedLaw(law, reader.runs, len(graph.ways), count, notes)


def _bits(limits: Limits) -> int:
    return limits.max_tail.denominator.bit_length()


@contextmanager
def _reading() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.disable()  # its callbacks are not the program's, and what a run leaves is freed by its counts
    NOW.active = True
    try:
        yield
    finally:
        NOW.active, NOW.moved, NOW.arrive, NOW.pending, NOW.resume = False, False, None, None, []
        if collecting:
            gc.enable()


def _replayed(program: Any, value: Any, watch: Watch, reader: Reader, graph: Graph, path: Path, pick: int) -> None:
    """Run the program itself on plain numbers along a path, watched, and compare where it ends.

    Raises: NotRead where it goes elsewhere.
    """
    state, place = path[-1]
    expected = reader.outcomes[graph.ways[state][place][0]]
    source = Recorded(record(path, graph, reader.kind_of, pick))
    try:
        with watch.first(), watch.replay(), reader.world.examining():
            outcome, _ = call(lambda coins: settle(program(fresh(value), coins)), Coins(source))
    except Stale:
        raise NotRead("the program kept a draw from an earlier run") from None
    except Unauditable:
        if source.fault is None:
            raise
    if source.fault is not None:
        raise NotRead(source.fault)
    if key(outcome) != key(expected):
        raise NotRead(f"{TELLS}: {show(expected)} and {show(outcome)}")
    if not source.exhausted():
        raise NotRead("run again on the same coins it draws fewer")
    reader.world.unchanged()


twins.register()
