"""All paths of a program on undecided draws, level by level, each leaf replayed on plain numbers.

A level explores every path down to a given amount of decided information (4 bits, 8 bits, ...); what lies deeper
waits for the next level. The set of explored paths therefore depends on the program alone, not on the order in
which paths are taken, so that another process in another order must find the same law even where a tail is left.
"""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.exact.outcome import fresh, key, show
from dpcert.mechanisms.exact.raised import told
from dpcert.mechanisms.exact.run import ONE_BIT, OTHER_DECISIONS, Cut, Entry, Poisoned, Run, Signal, Stale

LEVEL = 4 * ONE_BIT
Call = Callable[..., Any]
Given = tuple[Any, ...]
Around = Callable[[], AbstractContextManager[object]]
TELLS = "the program can tell lazy coins from real ones"
KEPT = "the program kept a draw from an earlier run"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far an enumeration goes: runs for one input, the tail at which loops that draw are cut, draws in a run."""

    max_runs: int = 100_000
    max_tail: Fraction = Fraction(1, 10**30)
    max_draws: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Watch:
    """The contexts around the runs of a level on undecided draws, around each of these runs, around the replays of the
    level's leaves, and around the first replay of each leaf.
    """

    runs: Around = nullcontext
    run: Around = nullcontext
    replay: Around = nullcontext
    first: Around = nullcontext


@dataclass(slots=True)
class Settings:
    """The settings that all runs of one enumeration share: the class of runs, the limits, and the notes.

    `reverse` takes branches in the other order; `draws` asks for the joint law of (outcome, bounds drawn), which an
    adversary who counts coins sees; `watch` is entered around runs and replays. `share` is given the function that
    finds the paths of a step, with its arguments, and returns these paths.
    """

    run: Callable[[Entry, int, "Settings", Run | None], Any]
    limits: Limits = Limits()
    reverse: bool = False
    draws: bool = False
    replay: bool = True
    watch: Watch = Watch()
    share: Callable[..., Any] = lambda find, *called: find(*called)
    stale: bool = field(default=False, init=False)
    notes: dict[str, None] = field(default_factory=dict, init=False)


# Numbers drawn, each after the bound it was drawn below.
Record = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A finished path: outcome, probability, two records that lead to it; `error` where it raised."""

    outcome: Any
    numerator: int
    denominator: int
    record: Record
    last: Record
    error: Exception | None


def _decide(value: Any, depth: int = 0) -> Any:
    return value._decide() if issubclass(type(value), Lazy) else value


def settle(value: Any) -> Any:
    """Return a copy of an outcome with every undecided number in it decided."""
    return fresh(value, replace=_decide)


def call(function: Call, *given: Any, read: Call = lambda outcome: outcome) -> tuple[Any, Exception | None]:
    """Return `read` of a function's value, or `Raised`, with all numbers decided, and the exception that escapes it.

    Raises: Unauditable for exceptions that are never outcomes (RecursionError, MemoryError, SystemExit, ...), and for
            an exception that holds a value that is no outcome; its cause is then that exception.
    """
    around = sys.exception()
    try:
        return read(function(*given)), None
    except (Signal, Unauditable, KeyboardInterrupt):
        raise
    except (RecursionError, MemoryError, GeneratorExit, SystemExit) as error:
        raise Unauditable(f"the program ended with {type(error).__name__}, which is no outcome") from None
    except Exception as error:
        escaped = error
    except BaseException as error:
        raise Unauditable(f"the program ended with {type(error).__name__}, which is no Exception") from None
    try:
        return told(escaped, _decide, around), escaped
    except Unauditable as refusal:
        raise refusal from escaped
    except Exception as error:
        words = f"{type(escaped).__name__} cannot be told whole: {type(error).__name__}"
        raise Unauditable(f"{words}; raise an exception whose args and text can be read") from escaped


def explore(program: Call, given: Given, settings: Settings, read: Call, parent: Run | None = None) -> list[Leaf]:
    """Return every finished path of a program, down to the limits of `settings`; [] if a run around it had to decide.

    Each run gets a fresh copy of the first of the arguments `given`, the others as they are, and coins. Its outcome is
    `read`, which settles it.

    Raises: Unauditable when the program cannot be followed; the message names the operation.
    """
    leaves: list[Leaf] = []
    stack: list[Entry] = [([], 0, 0, 0)]
    memo: dict[Any, Any] = {}
    limit = dead = complete = most = 0  # the last two: the leaves of the finished levels, the draws of the longest run
    decided = parent.decided() if parent is not None else 0
    # Level by level: of a program without end the tail falls with each level, and deep paths do not starve others.
    while stack:
        limit += LEVEL
        waiting: list[Entry] = []
        drawn = most
        paths: list[tuple[Leaf, Record]] = []
        with settings.watch.runs():
            while stack:
                run = settings.run(stack.pop(), limit, settings, parent)
                run.memo = memo
                outcome = error = signal = None
                try:
                    with settings.watch.run():
                        outcome, error = call(program, fresh(given[0]), *given[1:], Coins(run), read=read)
                        run.check()  # the program may have caught the signal
                except (Cut, Poisoned, Stale, Unauditable) as ended:
                    signal = ended
                leaf = _leaf(run, outcome, error, signal)
                if run.decided() - len(run.path) > decided:
                    return []
                most = max(most, len(run.tape))
                for entry in run.open:
                    (waiting if entry[-1] > limit else stack).append(entry)
                if leaf is not None:
                    leaves.append(leaf)
                    paths += [(leaf, record_of(run, min))] if settings.replay else []
                elif run.cut is not None:
                    waiting.append(run.cut)
                else:
                    dead += 1
                run.tape.clear()  # its nodes hold the run
                if len(leaves) + len(waiting) + dead > settings.limits.max_runs:
                    settings.notes[f"more than {settings.limits.max_runs} runs are needed"] = None
                    return leaves[:complete]
        replay(program, given, settings, read, paths)
        complete = len(leaves)
        weights, denominator = on_one_denominator(leaves)
        tail = 1 - Fraction(sum(weights), denominator)
        rare = dead and len(waiting) <= settings.limits.max_tail * 2 ** (limit // ONE_BIT)  # lost mass stays
        if not 0 < drawn < most or (tail > settings.limits.max_tail and not rare):  # runs that draw no more will end
            stack = waiting
    return leaves


def _leaf(run: Any, outcome: Any, error: Exception | None, signal: BaseException | None) -> Leaf | None:
    """Return the leaf at the end of a run, which a signal may have ended; None where the path was cut."""
    if isinstance(signal, Cut):
        if run.ended is None:  # the signal of a run around
            raise signal
        signal.__traceback__ = None  # its frames hold the run
    for ended in (signal, run.ended):  # the program may have caught the signal
        if isinstance(ended, Poisoned):
            raise Unauditable(str(ended)) from None
    run.settings.stale |= isinstance(signal, Stale)
    for above in run.around():
        if above.ended is not None:
            raise above.ended
    if run.settings.stale:
        raise Unauditable(KEPT)
    run.finish()
    if ended is not None:
        return None
    if isinstance(signal, Unauditable):
        raise signal
    if len(run.path) < len(run.forced):
        raise Unauditable(OTHER_DECISIONS)
    if error is not None:  # it may be raised again
        error.args = tuple(map(_decide, error.args))
        vars(error).update({name: _decide(part) for name, part in vars(error).items()})
    nodes = [(item.count(), bound) for bound, item in run.tape if type(item) is Node]
    numerator, denominator = map(prod, zip((run.numerator, run.denominator), *nodes, strict=True))
    return Leaf(outcome, numerator, denominator, record_of(run, interior), record_of(run, max), error)


def record_of(run: Run, choose: Callable[[int, int], int]) -> Record:
    """Return concrete numbers that lead along the path of a run."""
    record: list[tuple[int, int]] = []
    for bound, item in run.tape:
        value: Any = item.pick(choose) if type(item) is Node else item
        if bound:
            record.append((bound, value))
        else:
            record += value[choose is max] if type(value) is tuple else value.record(choose)
    return tuple(record)


def bounds_of(record: Record) -> tuple[int, ...]:
    """Return the bounds below which the numbers of a record were drawn."""
    return tuple(bound for bound, _ in record)


def interior(lo: int, hi: int) -> int:
    """Return a value in [lo, hi] that looks arbitrary and depends on lo and hi alone."""
    # A program that treats the ends apart from the rest may treat the middle apart, too, but hardly this value.
    return lo + (0x9E3779B97F4A7C15F39CC0605CEDC835 * (lo + hi + 1) >> 7) % (hi - lo + 1)


def replay(program: Call, given: Given, settings: Settings, read: Call, paths: list[tuple[Leaf, Record]]) -> None:
    """Run paths again on plain numbers at both ends and inside of each undecided draw, and compare."""
    replays = [(leaf, record) for leaf, least in paths for record in dict.fromkeys((leaf.record, least, leaf.last))]
    with settings.watch.replay():
        for leaf, record in replays:
            coins = Coins(source := Recorded(record))
            try:
                with settings.watch.first() if record is leaf.record else nullcontext():
                    outcome, _ = call(program, fresh(given[0]), *given[1:], coins, read=read)
            except (Stale, Unauditable) as trouble:
                settings.stale |= isinstance(trouble, Stale)
                if not settings.stale:
                    raise
            if fault := KEPT if settings.stale else source.fault:
                raise Unauditable(fault)
            if key(outcome) != key(leaf.outcome):
                both = f"{show(leaf.outcome)} when followed, {show(outcome)} when run again on the same coins"
                raise Unauditable(f"{TELLS}, or is no function of its input and coins: {both}")
            if not source.exhausted():
                raise Unauditable("the program is no function of its input and coins: run again, it drew fewer coins")
