"""Whether a program can release a float: a run shows that it can, all paths show that it cannot.

An expression of several undecided floats has no law to enumerate. But a superset of the possible outcomes can be
computed: each such expression is taken for any double between bounds (`floating/hulls.py`), and all paths are followed.
A float that no path releases has probability 0.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from dpcert.mechanisms import entropy, held, outside, traced, watch
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.enumerator import Program
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import TELLS, Leaf, Limits, Record, Settings, Watch, call, explore, settle
from dpcert.mechanisms.exact.outcome import Raised, fresh, key, show
from dpcert.mechanisms.exact.run import Run, Signal
from dpcert.mechanisms.floating.assumed import assumption, without_assumptions
from dpcert.mechanisms.floating.combined import COMBINED
from dpcert.mechanisms.floating.following import following, swaps
from dpcert.mechanisms.floating.hulls import RARE, Actual, Count, Dropped
from dpcert.mechanisms.traced import Traced
from dpcert.mechanisms.watch import (
    guarded,
    own_modules,
    refuse_hidden_randomness,
    refuse_hidden_sources,
)

MOST_RUNS = 400
"""The greatest number of runs that follow the paths."""
MOST_DEPTH = 20
MOST_DRAWN = 120
"""The greatest number of draws and of expressions of several undecided floats on a path."""
RUNS = 40
"""How many runs of their own are followed with all values known, besides those that the paths lead to."""
MORE_RUNS = 4000
"""How many plain runs are made at most to execute what the paths executed."""
MOST_GUIDED = 150
SEED = 20250213
OPEN = "a float is on no path that was followed to its end, but not all were"
BOUNDS = (
    "several undecided floats in one expression are within bounds that IEEE 754 gives; dpcert/mechanisms/reach.py and "
    "dpcert/mechanisms/floating are trusted"
)
TRUSTED = frozenset(str(module.__file__) for module in (entropy, held, outside, traced, watch)) | {__file__}


@dataclass(frozen=True, slots=True)
class Impossible:
    """A program does not release a float on an input, except on draws of probability at most `left`.

    `paths` show it; `files` were executed.
    """

    paths: int
    left: Fraction
    assumptions: tuple[str, ...]
    files: frozenset[str]


class _Reached(Signal):
    """Ends an exploration: the float may be released."""


def releases(outcome: Any, point: float, depth: int = 0) -> bool:
    """Whether the outcome, or a float in its tuples, lists and values of dicts, equals `point`."""
    kind = type(outcome)
    if kind in (tuple, list, dict) and depth < MOST_DEPTH:
        parts = outcome.values() if kind is dict else outcome
        found = [releases(part, point, depth + 1) for part in parts]
        return any(found)
    return bool(isinstance(outcome, float) and outcome == point)


def plain_run(program: Program, value: Any, record: Record = (), *, seed: int = 0) -> tuple[Any, Record]:
    """Return the outcome of a run on plain coins, and its draws: those of `record` as long as they fit, then a seed's.

    An exception that escapes is an outcome.

    Raises: Unauditable for what is no outcome.
    """
    waiting, drawn, source = iter(record), [], random.Random(seed)

    def draw(bound: int) -> int:
        recorded, number = next(waiting, (0, 0))
        if recorded != bound:
            for _ in waiting:
                pass
            number = source.randrange(bound)
        drawn.append((bound, number))
        return number

    outcome, _ = call(lambda coins: settle(program(fresh(value), coins)), Coins(Plain(draw)))
    return outcome, tuple(drawn)


def probability_of(program: Program, value: Any, point: float, record: Record) -> Fraction | None:
    """Return the probability of a sequence of draws, if on them the program releases the float; else None.

    Raises: Unauditable where it is seen to be no function of its input and coins.
    """
    with refuse_hidden_sources(program):
        with refuse_hidden_randomness():
            first, drawn = plain_run(program, value, record)
        again, _ = plain_run(program, value, record)
    if key(first) != key(again):
        raise Unauditable(f"the program is no function of its input and coins: {show(first)}, then {show(again)}")
    if drawn != record or not releases(first, point):
        return None
    return Fraction(1, prod(bound for bound, _ in record))


def never_releases(
    program: Program, value: Any, point: float, *, rare: Fraction = Fraction(0), max_draws: int = 100_000
) -> Impossible | None:
    """Return why a program cannot release a float on an input; None where, by the bounds, it may. Paths whose draws so
    far have a probability below `rare` are left before they draw again, as where 0 is drawn again until it is another
    number; the sum of these probabilities is `left`.

    Claims: except on draws of probability `left`, the float is no outcome, nor in one, if the program is a function of
            its input and coins, and the functions named in the assumptions keep to their error.
    Raises:   Unauditable where a path cannot be followed to its end, or is seen not to be the program's.
    """
    search = _Search(program, value, point, Limits(MOST_RUNS, Fraction(0), min(max_draws, MOST_DRAWN)), rare)
    with refuse_hidden_sources(program):
        with search.first.tracing():  # what is done once alone, as filling caches, is done here
            outcome, _ = plain_run(program, value, seed=SEED)
        if releases(outcome, point):
            return None
        found = search.paths(reverse=False)
        if found is None:
            return None
        search.replay(found[0])
        again = search.paths(reverse=True)
    if again is None or (len(again[0]), again[1]) != (len(found[0]), found[1]):
        raise Unauditable("the program is no function of its input and coins: followed again, it had other paths")
    assumed = (BOUNDS, *assumption(search.notes))
    return Impossible(len(found[0]), found[1], assumed, search.followed.files | search.run.files | TRUSTED)


class _Search:
    def __init__(self, program: Program, value: Any, point: float, limits: Limits, rare: Fraction) -> None:
        self.program, self.value, self.point, self.limits, self.rare = program, value, point, limits, rare
        spaces = own_modules(program)
        self.names = [*guarded(spaces), *swaps([*spaces, vars(random)])]
        self.notes: dict[str, None] = {}
        self.first, self.followed, self.run = Traced(), Traced(), Traced()
        self.raised: set[Any] = set()
        self.runs = 0

    @contextmanager
    def undecided(self) -> Iterator[None]:
        """Run the program on undecided numbers."""
        with warnings.catch_warnings(), following(self.names, COMBINED):
            warnings.filterwarnings("error", "NotImplemented should not be used in a boolean context")
            yield

    @contextmanager
    def path(self) -> Iterator[None]:
        """Run the program on undecided numbers, traced."""
        self.runs += 1
        if self.runs > MOST_RUNS:
            raise Unauditable(f"several undecided floats leave more paths than {MOST_RUNS} runs follow")
        with self.undecided(), self.followed.tracing():
            yield

    def paths(self, *, reverse: bool) -> tuple[list[Leaf], Fraction] | None:
        """Return all paths but those that are rare, and the probability of these; None where one may release."""

        def thunk(coins: Coins) -> bool:
            if releases(self.program(fresh(self.value), coins), self.point):
                raise _Reached(_run_of(coins), "")
            return False

        dropped = Dropped(self.rare)
        around = Watch(run=self.path)
        settings = Settings(dropped.run, self.limits, reverse=reverse, replay=False, watch=around)
        try:
            leaves = explore(thunk, settings)
        except _Reached:
            return None
        found = sum((Fraction(leaf.numerator, leaf.denominator) for leaf in leaves), dropped.weight)
        if found != 1:
            raise Unauditable(next((note for note in without_assumptions(settings.notes) if note != RARE), OPEN))
        self.notes.update(dict.fromkeys(note for note in settings.notes if note != RARE))
        return leaves, dropped.mass

    def plain(self, record: Record, seed: int) -> tuple[Any, Record]:
        """Run on plain coins, watched and traced."""
        with refuse_hidden_randomness(), self.run.tracing():
            outcome, drawn = plain_run(self.program, self.value, record, seed=seed)
        if isinstance(outcome, Raised):
            self.raised.add(key(outcome))
        return outcome, drawn

    def replay(self, paths: list[Leaf]) -> None:
        """Compare the paths with plain runs: on the draws of each path and on random draws, by outcome and by
        instruction.

        Raises: Unauditable where an outcome differs, or the paths led where no plain run did.
        """
        records = (record for leaf in paths for record in (leaf.record, leaf.last))
        drawn = dict.fromkeys(tuple(item for item in record if type(item[0]) is not Count) for record in records)
        for number, record in enumerate([*drawn][:MOST_GUIDED]):
            self.actual(*self.plain(record, SEED + number))
        for number in range(RUNS):
            self.actual(*self.plain((), SEED + MOST_GUIDED + number))
        expected = {key(leaf.outcome): leaf.outcome for leaf in paths if leaf.error is not None}
        for number in range(MORE_RUNS):
            if self.followed.evaded or self.run.evaded:
                raise Unauditable("the program sets a tracer of its own, so that what it executes is not known")
            missing = self.followed.beyond(self.run, self.first)
            if missing is None and expected.keys() <= self.raised:
                if (where := self.run.beyond(self.followed)) is not None:
                    raise Unauditable(f"{TELLS}: plain runs led to {where}, to which no path did that was followed")
                return
            before = self.run.count()
            found = self.plain((), SEED - 1 - number)
            if self.run.count() > before:
                self.actual(*found)
        where = missing or show(next(outcome for name, outcome in expected.items() if name not in self.raised))
        raise Unauditable(
            f"several undecided floats were followed to {where}, to which no plain run of {MORE_RUNS} led"
        )

    def actual(self, outcome: Any, record: Record) -> None:
        """Follow the program on the draws of a plain run, each value known, and compare the outcomes.

        Raises: Unauditable where that differs, or the run releases the float after all.
        """
        if releases(outcome, self.point):
            raise Unauditable(f"{TELLS}: run plainly, it releases {self.point!r}")
        settings = Settings(Dropped(Fraction(0)).run, Limits(1 << 70, Fraction(0), self.limits.max_draws))
        run = Actual(record, settings)
        try:
            with self.undecided():
                found, _ = call(lambda coins: settle(self.program(fresh(self.value), coins)), Coins(run))
        except Signal as signal:
            raise Unauditable(str(signal)) from None
        if run.ended is not None:
            raise Unauditable(str(run.ended))
        run.finish()
        if key(found) != key(outcome) or not run.exhausted():
            both = f"{show(found)} when followed, {show(outcome)} when run on the same coins"
            raise Unauditable(f"{TELLS}, or is no function of its input and coins: {both}")


def _run_of(coins: Coins) -> Run:
    source: Any = coins._source
    run: Run = source
    return run
