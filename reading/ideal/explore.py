"""All ways of a program on ideal noise: each is a leaf, with the inequalities and draws that lead to it.

A comparison that the way does not answer is a question. The machine goes on from the state that asks, once for each
answer that has a chance: made anew from its bytes, with a copy of what is known. The instruction that asks runs again,
and finds its answer. A way that comes back to a state ends there, as `loops.py` says.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import class_name, fresh
from dpcert.mechanisms.ideal.known import MOST_DECISIONS
from dpcert.mechanisms.ideal.meant import Open, Program, on_ideal_noise, shown
from dpcert.mechanisms.ideal.path import Loop, Path
from dpcert.reading.calls import resolve
from dpcert.reading.domains import parameter
from dpcert.reading.domains.forms import Fork, Form, GivenWay, Meaning, StoppedWay, Way, Written, data_of, number
from dpcert.reading.domains.kinds import FLOAT, type_of
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.entry import MADE
from dpcert.reading.errors import Ask, NotPlain, Raises, Refused, Thrown
from dpcert.reading.explore import RULES
from dpcert.reading.floats.held import Holder
from dpcert.reading.foreign import Tables
from dpcert.reading.ideal.draws import rules_of_python
from dpcert.reading.ideal.functions import elements_on_noise, methods_on_noise, rules_of_functions
from dpcert.reading.ideal.libraries import rules_of_libraries
from dpcert.reading.ideal.loops import Asked, Counting, Counts, Loops, Name, Places, name_of
from dpcert.reading.ideal.numpys import rules_of_numpy
from dpcert.reading.ideal.reductions import followed_on_noise
from dpcert.reading.keys import encode, thaw
from dpcert.reading.led.names import NOWHERE, words_of
from dpcert.reading.machine import Machine, Pinned
from dpcert.reading.numpy.memory import elements, is_plain, laid, look, row_of
from dpcert.reading.numpy.records import Array
from dpcert.reading.outcomes import outcome_of
from dpcert.reading.pandas.joining import join
from dpcert.reading.values import Dict, Error, Instance, List, Named, Value, World

MOST_PATHS = 100_000
REMEDY = "write it with noise and operations that are followed"
MACHINE = "or read machine noise with --noise machine"
LOADED = RULES  # the tables, which join when they are imported
Leaf = tuple[Path, dict[Any, Any]]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most ways of one input; the processor time at which to stop; the most decisions of a way."""

    paths: int = MOST_PATHS
    until: float = inf
    decisions: int = MOST_DECISIONS


class IdealMachine(Machine):
    """A machine on ideal noise; `world` is what its noisy numbers have for their draw."""

    def __init__(self, pins: Pinned, tables: Tables, known: Way) -> None:
        super().__init__(pins)
        self.tables = tables
        self.world = World(known)
        known.world = self.world


def all_tables() -> Tables:
    """The rules of ideal noise."""
    rules = {**rules_of_python(), **rules_of_functions(), **rules_of_numpy(), **rules_of_libraries()}
    if "scipy.stats" in sys.modules:
        from dpcert.reading.ideal.scipys import rules_of_scipy

        rules |= rules_of_scipy()
    return Tables(*map(MappingProxyType, (rules, elements_on_noise(), methods_on_noise(), followed_on_noise())))


class Ways:
    """The ways of one program on one input."""

    def __init__(
        self,
        program: Program,
        value: Any,
        *,
        parameters: Sequence[Fraction | None] = (),
        limits: Limits | None = None,
        holders: Iterable[Holder] = (),
        reverse: bool = False,
        meaning: Meaning | None = None,
    ) -> None:
        join()
        self.program, self.value, self.parameters = program, value, parameters
        self.limits, self.reverse, self.holders = limits or Limits(), reverse, tuple(holders)
        self.meant = on_ideal_noise(program)
        self.pins = Pinned(self.meant.function, value)
        self.pins.draws = True
        self.tables = all_tables()
        self.pending: list[tuple[bytes, Way]] = []
        self.steps = 0
        self.meaning = meaning or Meaning()

    def begin(self, known: Way) -> IdealMachine:
        """A machine before the first instruction of the program."""
        m = IdealMachine(self.pins, self.tables, known)
        try:
            program = m.heap.take(self.meant.function, -1, "program")
            epsilons = [parameter.of_epsilon(m.world, each) for each in self.parameters]
            settings = {name: m.heap.own(fresh(part)) for name, part in self.meant.settings.items()}
            if self.meant.named is not None and epsilons:
                settings[self.meant.named] = epsilons.pop()
            takes = self.meant.takes
            made = () if takes == "nothing" else (MADE.get(takes, MADE["rng"])(),)  # one of numpy for coins
            m.perform(resolve(m, program, (self._input(m), *made, *epsilons), settings))
        except (Thrown, Raises):
            raise Refused("the program does not take an input and a generator") from None
        except NotPlain:
            raise Refused("the program is a function of the host") from None
        return m

    def _input(self, m: IdealMachine) -> Value:
        if not isinstance(self.value, Open):
            return m.heap.own(fresh(self.value))
        names = iter(range(-1, -1_000_000, -1))

        def filled(part: Any) -> Value:
            if isinstance(part, (list, tuple)):
                items = [filled(each) for each in part]
                return List(items) if isinstance(part, list) else tuple(items)
            if type(part).__module__ == "numpy" and hasattr(part, "shape"):
                return laid([number(m.world, Form(("d",), ((next(names), 1),), 0)) for _ in range(part.size)], part)
            return number(m.world, Form(FLOAT, ((next(names), 1),), 0))

        return filled(self.value.form)

    def again(self, key: bytes, known: Way) -> IdealMachine:
        """A machine made from bytes alone, and what is known on its way."""
        m = IdealMachine(self.pins, self.tables, known)
        for record in thaw(m, key, {}):
            if type(record) is World:
                m.world = record
        m.world.known = known
        known.world = m.world
        return m

    def leaves(self, first: Way | None = None) -> list[Leaf]:
        """Return each way that ends, and the types of the numbers that it releases, by their places.

        Raises: Refused.
        """
        counters: dict[Places, Counts] = {}
        barred: set[Places] = set()
        while True:
            loops = Loops(counters, barred)
            try:
                return loops.closed(self._ends(first, loops))
            except Counting as found:
                counters[found.places] = found.steps
            except Refused:
                if not loops.counted:
                    raise
                barred |= set(counters)
                counters = {}

    def _ends(self, first: Way | None, loops: Loops) -> list[tuple[Path, dict[Any, Any], Asked | None]]:
        """Each way that ends, the types of what it releases, and its last question."""
        m: IdealMachine | None = self.begin(first or Way(self.limits.decisions, self.meaning))
        ends: list[tuple[Path, dict[Any, Any], Asked | None]] = []
        self.pending, count = [], 0
        while m is not None or self.pending:
            if m is None:
                m = self.again(*self.pending.pop())
            try:
                m.run()
            except Fork as asked:
                back = loops.came_back(m)
                if back is None:
                    self._fork(m, asked)
                else:
                    loops.note(back[0], self._path(m, None), m.world.known.asked, counts=back[1])
                    m, count = None, count + 1
            except Ask:
                raise Refused("internal: a draw of bits is asked about on ideal noise", m.where()) from None
            else:
                self.steps += m.steps
                count += 1
                outcome = outcome_of(m)
                types = dict(types_in(m.result[1] if m.result is not None else None))
                ends.append((self._path(m, outcome), types, m.world.known.asked))
                m = None
            if count + len(self.pending) > self.limits.paths:
                raise Refused(f"the program has more than {self.limits.paths} paths")
            if time.process_time() > self.limits.until:
                raise Refused("the program has more paths than are followed in the time there is")
        if not ends:
            raise Refused("no run of the program ends")
        return ends

    def _fork(self, m: IdealMachine, asked: Fork) -> None:
        """Go on with one answer, and leave the others for later."""
        self.steps, m.steps = self.steps + m.steps, 0
        known: Way = m.world.known
        choices = asked.choices[::-1] if self.reverse else asked.choices
        key, _ = encode(m)
        for choice in choices[:0:-1]:
            other = known.copy()
            other.answer = asked.mark, choice
            self.pending.append((key, other))
        known.answer = asked.mark, choices[0]

    def _path(self, m: IdealMachine, outcome: Any) -> Path:
        """The way of a machine, with its outcome, and with all that the next run would see of it."""
        known: Way = m.world.known
        held = {words_of(self.pins.objects[int(number)], self.holders) for number in known.held}
        if None in held:
            raise Refused(NOWHERE)
        return Path(
            tuple(known.laws),
            tuple(known.inequalities),
            known.weight,
            outcome,
            tuple(known.drawn),
            known.integers,
            held=tuple(sorted(map(str, held))),
            derived=tuple(derived for derived, _, _ in known.derived.values()),
            draws=tuple(known.draws),
            narrowed=tuple(known.narrowed.values()),
            left=tuple(sorted({self.pins.words(*each) for each in m.left()})),
        )

    def stopped(self, path: Path) -> tuple[Name, Counts]:
        """What tells the state from others in which a path that is given leaves a question open.

        Raises: Refused where it leaves none open, or is more than the way to that.
        """
        known = StoppedWay(path, self.meaning)
        m = self.begin(known)
        try:
            m.run()
        except Fork:
            drawn = len(known.laws)
            if known.drawn == list(path.drawn) and all(n < drawn for item in path.inequalities for n, _ in item.form):
                return name_of(m)
        raise Refused("a way back to a state leads elsewhere")


def read_ways(program: Program, value: Any, given: Path | None = None, **settings: Any) -> list[Leaf]:
    """Return the ways of a program on one input, or the one that follows a path that is given.

    Raises: Unauditable naming what is not followed, and its line.
    """
    with _following(value):
        ways = Ways(program, value, **settings)
        return ways.leaves(None if given is None else GivenWay(given, ways.meaning))


def need_loop(program: Program, value: Any, loop: Loop, **settings: Any) -> None:
    """Raises: Unauditable, unless all ways of a loop lead to one state, with noise of one law."""
    if loop.counter is not None:
        raise Unauditable("a loop that counts its turns is not followed on paths that are given")
    ways = Ways(program, value, **settings)
    with _following(value):
        names = [ways.stopped(path) for path in (loop.head, *loop.repeats)]
    if any(name != names[0] for name in names):
        raise Unauditable(f"a way comes back to another state than that of the loop (on {shown(value)})")


@contextmanager
def _following(value: Any) -> Iterator[None]:
    """Name the input on which the body refuses to go on."""
    try:
        yield
    except Refused as refused:
        reason, _, step = refused.reason.partition("; ")
        places = "".join(f" ({place})" for place in (refused.place, f"on {shown(value)}") if place)
        raise Unauditable(f"on ideal noise, {reason}{places}; {step or REMEDY}, {MACHINE}") from None


# -- the types of the noisy numbers that a program returns, which a caller sees

Place = tuple[Any, ...]
Kind = tuple[str, Any]
"""The type of a number in words, and all that a caller sees of it: the dtype of an array, its width and its order."""


def types_in(value: Value) -> Iterator[tuple[Place, Kind]]:
    """Yield the place and the type of each noisy number, and array of them, in what a program returns or raises."""
    if is_ideal(value) and isinstance(data_of(value), Written):
        return  # a plain number, which has its type
    if is_ideal(value):
        yield (), (class_name(type_of(data_of(value).kinds)), None)
    elif value.__class__ is Array:
        kind = array_kind(value)
        yield from () if kind is None else (((), kind),)
    else:
        for place, part in _parts(value):
            yield from (((place, *rest), kind) for rest, kind in types_in(part))


def _parts(value: Value) -> Iterator[tuple[Any, Value]]:
    if value.__class__ in (tuple, List, Named):
        yield from enumerate(value if isinstance(value, tuple) else value.items)
    elif value.__class__ is Dict:
        yield from value.pairs()
    elif isinstance(value, Instance):
        yield from value.items.items()
    if isinstance(value, Error):
        yield from ((("args", place), part) for place, part in enumerate(value.args))


def array_kind(value: Array) -> Kind | None:
    """The type of an array that holds noisy numbers, or None."""
    if is_plain(value.base) or not any(map(is_ideal, elements(value))):
        return None
    pattern = look(value, row_of(value.base)).copy("K")
    order = "F" if pattern.flags.fnc else "C"
    return f"an array of {pattern.dtype} in order {order}", (pattern.dtype.str, pattern.dtype.char, order)
