"""The knowledge that laws of one program on several inputs share: numbers of pinned objects, and facts about states.

The bytes of a state and the objects that its pins name determine all that may follow. So one table of pins serves all
inputs of a program, and what was found from a state's bytes on one input holds on the others. It holds only while the
objects themselves are as they were: CPython runs the program between two laws, and may change them. So their content is
noted after each law and compared before the next one. Where anything differs, nothing is kept.
"""

import decimal
import functools
import sys
import types
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import numpy

from dpcert.reading.foreign import foreign_import
from dpcert.reading.machine import Pinned

MOST_KEPT = 200_000  # what is kept of so many states at most
ROWS: tuple[Any, ...] = (list, tuple, set, frozenset, deque)
MADE = 1 << 9  # the flag of a class that is not built in, which may be changed
F = TypeVar("F")


class Question(NamedTuple):
    """A state that asks: its bytes, the numbers of its draws, where an interval is cut, and ratios of geometric draws.

    Where there is no draw, the state asks which value the call returns that is about to begin.
    """

    key: bytes
    draws: tuple[int, ...]
    cuts: tuple[int, ...]
    ratios: tuple[Any, ...] = ()


class End(NamedTuple):
    """An outcome, and its name, which no other outcome has."""

    name: Hashable
    outcome: Any


class Known:
    """The knowledge of one program, read within one limit of states.

    `moves` are the ways of a state, by its question; `returning` those of a state of a call that is read by itself;
    `runs` are those of states that are followed together; `calls` is what calls return. Each entry is determined by its
    name, as long as the pinned objects stay as they are. It is not `whole` once a run left something behind.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Keep nothing."""
        self.pins: Pinned | None = None
        self.most, self.whole = 0, True
        self.contents: list[Content] = []
        self.moves: dict[Hashable, Any] = {}
        self.returning: dict[Hashable, Any] = {}
        self.runs: dict[Hashable, Any] = {}
        self.calls: dict[Any, Any] = {}

    def begin(self, program: Any, most: int) -> Pinned:
        """The pins for a law of a program: those of its other laws, if all is as it was; else new ones."""
        if self.pins is None or self.pins.objects[0] is not program or self.most != most or not self.unchanged():
            self.forget()
            self.pins, self.most = Pinned(program, None), most
        self.pins.drawn, self.pins.draws = set(), False
        return self.pins

    def end(self) -> None:
        """Note the content of what was pinned in a law; keep nothing of a program that leaves something behind."""
        if self.pins is None or not self.whole or len(self.moves) + len(self.returning) + len(self.runs) > MOST_KEPT:
            self.forget()
            return
        if not self.contents:
            self.contents = [Content(_surroundings)]
        known = len(self.contents) - 1
        for thing, row in zip(self.pins.objects[known:], self.pins.rows[known:], strict=True):
            self.contents.append(Content(functools.partial(_content, thing, row[2] if row[1] == "module" else None)))

    def unchanged(self) -> bool:
        """Whether all pinned objects are as they were in the laws until now."""
        return all(each.unchanged() for each in self.contents)


def remembered(explorer: Any, table: dict[Hashable, Any], name: Hashable, find: Callable[[], F]) -> F:
    """The result of `find`, which depends on the name alone: as it was found before, or found now.

    It is not kept where a call was asked about, or where a run left something behind. What runs rest on, as the
    generators that they draw from, is noted, in a law that takes it over as well.
    """
    pins = explorer.pins
    if name in table:
        known, drawn = table[name]
        found: F = known
        pins.drawn = drawn.union(pins.drawn)
        return found
    left, asked, drawn = explorer.left, explorer.asked, pins.drawn
    explorer.left, explorer.asked, pins.drawn = {}, False, set()
    try:
        found = find()
        if not explorer.left and not explorer.asked:
            table[name] = found, pins.drawn
    finally:
        explorer.left, explorer.asked = left | explorer.left, asked or explorer.asked
        pins.drawn = drawn | pins.drawn
    return found


class Content:
    """The content of an object, each part as the very object that it is."""

    __slots__ = ("names", "parts", "read")

    def __init__(self, read: Callable[[], list[Any]]) -> None:
        self.read = read
        self.parts = read()  # kept, so that no other object gets one of their addresses
        self.names = [*map(_name, self.parts)]

    def unchanged(self) -> bool:
        """Whether it holds the same objects in the same order."""
        return [*map(_name, self.read())] == self.names


def _surroundings() -> list[Any]:
    """The settings of the interpreter by which functions of the host compute."""
    context = decimal.getcontext()
    traps = sorted(signal.__name__ for signal, on in context.traps.items() if on)
    decimals = (context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp, traps)
    numpys = numpy.geterr(), numpy.get_printoptions()
    return [repr((decimals, sys.get_int_max_str_digits(), numpys)).encode()]


def _name(part: Any) -> Any:
    """The identity of a part: bytes as they are, since they are made anew each time, and all else by its address."""
    return part if type(part) is bytes else id(part)


def _content(thing: Any, module: str | None) -> list[Any]:
    """The content of an object; of a module, whether it still has its name."""
    kind = type(thing)
    parts = [kind] if module is None else [kind, sys.modules.get(module)]
    if issubclass(kind, dict):
        return [*parts, *dict.keys(thing), *dict.values(thing), getattr(thing, "default_factory", None)]
    for base in ROWS:
        if issubclass(kind, base):
            return [*parts, *base.__iter__(thing)]
    if issubclass(kind, numpy.ndarray):
        form = repr((thing.shape, thing.strides, thing.dtype.str, thing.flags.writeable)).encode()
        return [*parts, thing.base, form, *(thing.ravel().tolist() if thing.dtype.hasobject else [thing.tobytes()])]
    if kind is types.CellType:
        return [*parts, *([thing.cell_contents] if thing != types.CellType() else [])]
    if kind is types.FunctionType:
        keywords = thing.__kwdefaults__ or {}
        return [*parts, thing.__code__, thing.__defaults__, *keywords, *keywords.values(), *_attributes(thing)]
    if kind is functools.partial:
        return [*parts, thing.func, thing.args, *thing.keywords, *thing.keywords.values(), *_attributes(thing)]
    if issubclass(kind, type):
        made = [base for base in thing.__mro__ if base.__flags__ & MADE]
        return [*parts, *thing.__mro__, *[each for base in made for each in _attributes(base)]]
    if (other := foreign_import(kind)) is not None and (told := other.content(thing)) is not None:
        return [*parts, *told]
    return [*parts, *_attributes(thing), *_slots(thing)]


def _attributes(thing: Any) -> list[Any]:
    stored = getattr(thing, "__dict__", {})
    return [*stored, *stored.values()]


def _slots(thing: Any) -> list[Any]:
    found: list[Any] = [thing.args] if isinstance(thing, BaseException) else []
    for base in type(thing).__mro__:
        for member in vars(base).values() if base.__flags__ & MADE else ():
            if type(member) is types.MemberDescriptorType:
                with suppress(AttributeError):
                    found.append(member.__get__(thing))
    return found
