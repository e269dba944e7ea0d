"""What was there before a program ran, and that it stays as it was."""

from __future__ import annotations

import dis
import functools
import gc
import sys
import types
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from operator import is_
from typing import Any

from dpcert.mechanisms.floating.stand_ins import is_stand_in
from dpcert.mechanisms.handled import Looked
from dpcert.mechanisms.held import identity
from dpcert.mechanisms.states.bytecode import Item
from dpcert.mechanisms.states.containers import table_of, unshared
from dpcert.mechanisms.states.errors import Changed, NotRead, internal
from dpcert.mechanisms.states.home import Home
from dpcert.mechanisms.states.library import (
    ANY,
    Shelves,
    class_of_library,
    found_by_name,
    is_constant,
    is_library,
    of_library,
)
from dpcert.mechanisms.states.meanings import MISSING
from dpcert.mechanisms.states.methods import by_value, held, owners
from dpcert.mechanisms.states.names import SETTERS, nested, stored
from dpcert.mechanisms.states.refused import examine, is_single, meet, place_of
from dpcert.mechanisms.states.runtime import NOW
from dpcert.mechanisms.states.tokens import Ref
from dpcert.mechanisms.states.walk import Walk
from dpcert.mechanisms.watch import Observer

Look = Callable[[], Any]
NEVER = None, None
LEFT = "two such methods are equal only if they are of one object, which a state leaves out"
CHANGED = "is changed by the program, and keeps it beyond its run"


class Watched:
    """Objects, each with what shows whether it was changed."""

    def __init__(self, objects: Iterable[Any]) -> None:
        self.looks: list[tuple[Look, Any, str]] = []
        self.lives: list[Collection[Any]] = []
        self.names: list[str] = []  # of the objects that hold these
        for each in objects:
            named = each if isinstance(each, (type, types.FunctionType)) else type(each)
            name = named.__qualname__
            held = _held(each)
            self.lives += held
            self.names += [name] * len(held)
            self.looks += [(look, look(), name) for look in _looks(each)]
        self.lengths = [*map(len, self.lives)]
        self.held = [*chain.from_iterable(self.lives)]

    def unchanged(self) -> None:
        """Return if all are as they were.

        Raises: NotRead naming what is not.
        """
        same = [*map(len, self.lives)] == self.lengths
        if not same or not all(map(is_, chain.from_iterable(self.lives), self.held)):
            raise Changed(f"{self._changed()!r} {CHANGED}")
        for look, before, name in self.looks:
            if look() != before:
                raise Changed(f"{name!r} {CHANGED}")

    def _changed(self) -> str:
        """Return the name of the first object that no longer holds what it held."""
        rest = iter(self.held)
        return next(
            name
            for name, live, length in zip(self.names, self.lives, self.lengths, strict=True)
            if len(live) != len(held := [*islice(rest, length)]) or not all(map(is_, live, held))
        )


class Surroundings:
    """The objects that a program reached before it ran, each with what shows whether it was changed."""

    def __init__(self, *values: Any) -> None:
        self.home = Home()
        walk = Walk(self.home)
        for each in values:
            walk.visit(each)
        self.objects = walk.objects
        self.watched = Watched(walk.objects.values())
        told = [inner for code, _ in self.home.told for inner in nested(code)]
        stores = {name for code in told for name in stores_of(code)}
        self.deletes = any(each.opname == "DELETE_ATTR" for code in told for each in dis.get_instructions(code))
        everything = ANY in stores
        self.places = [place for place in walk.places if everything or place[1] in stores]
        self.shelves = Shelves.now() if stores else None
        if self.shelves is not None:
            self.shelves.watch(stores)
        self.examined: dict[int, tuple[Any, types.CodeType]] = {}  # by its identity, code with its last globals
        self.asked: dict[types.CodeType, dict[int, Item]] = {}  # of what executed code asks for methods, by place
        self.unread: list[tuple[types.CodeType, dict[str, Any]]] = []
        self.looked: Looked = {}  # code that was looked at for methods of numbers
        self.known: dict[int, bool] = {}
        self.written: dict[int, tuple[types.CodeType, types.CodeType]] = {}  # by identity, codes in place of others
        self.kept: list[Any] = []
        self.examining = Examining(self)

    def holds(self, value: Any) -> bool:
        """Whether an object was reachable then, and is watched."""
        return id(value) in self.objects

    def constant(self, value: Any) -> bool:
        """Whether a function, class or module is kept by reference."""
        found = self.known.get(id(value))
        if found is None:
            self.kept.append(value)
            found = self.known[id(value)] = self._constant(value)
        return found

    def _constant(self, value: Any) -> bool:
        if id(value) in self.objects:
            return True
        for function, made in NOW.again.values():
            if made is value:  # as constant as what it stands for, as they share a closure
                return self.constant(function)
        if isinstance(value, types.ModuleType):
            return is_library(value.__name__)
        if isinstance(value, type):
            return class_of_library(value) or is_stand_in(value)
        return is_constant(value) or (
            type(value) is types.FunctionType and of_library(value.__globals__) and found_by_name(value)
        )

    def meet(self, frame: types.FrameType) -> None:
        """Take note of a function that a replay executes."""
        made, space = frame.f_code, frame.f_globals
        self.examined[identity(made)] = space, made
        code = self.written.get(identity(made), (made, made))[1]
        if code.co_freevars:
            self.home.singles[code] = self._singles(code)
        if meet(self.home, code, space):
            self.asked[made] = owners(self.home.analysis(made), self.home.of_tuples)
            self.unread.append((code, space))

    def _singles(self, code: types.CodeType) -> set[str]:
        """Return the shared variables of code that hold single objects, as all its functions were there before."""
        if any(code in [*nested(each.__code__)][1:] for each in self.functions):
            return set()
        cells = [each.__closure__ or () for each in self.functions if each.__code__ == code]
        each = zip(code.co_freevars, zip(*cells, strict=True), strict=True) if cells else ()
        return {name for name, held in each if all(is_single(getattr(_content(cell), "value", None)) for cell in held)}

    @functools.cached_property
    def functions(self) -> list[types.FunctionType]:
        """The functions that were there before."""
        return [each for each in self.objects.values() if type(each) is types.FunctionType]

    def makes(self, code: types.CodeType) -> bool:
        """Whether one of the functions that were there before makes functions of a code."""
        return any(code in nested(each.__code__) for each in self.functions)

    def ours(self, code: types.CodeType, space: dict[str, Any]) -> types.CodeType:
        """Return a code that is executed for a replay, and is none of the program's."""
        self.examined[identity(code)] = space, code
        return code

    @contextmanager
    def unexamined(self) -> Iterator[None]:
        """Let the body, which is none of the program's, be executed at its own speed."""
        before = sys.gettrace()
        sys.settrace(None)
        try:
            yield
        finally:
            sys.settrace(before)

    def conclude(self) -> None:
        """Look back on all that was executed.

        Raises: NotRead where some of it may have kept state that no state tells.
        """
        if self.shelves is not None:
            self._kept_no_state(self.shelves, added=True)
        self.home.conclude()

    def unchanged(self) -> None:
        """Return if all is as it was.

        Raises: NotRead naming what is not.
        """
        self.watched.unchanged()
        for space, name, value in self.places:
            if space.get(name, MISSING) is not value:
                raise NotRead(f"{name!r} is assigned to, and means another thing beyond the program's run")
        if self.shelves is not None:
            self._kept_no_state(self.shelves, added=self.deletes)

    @staticmethod
    def _kept_no_state(shelves: Shelves, *, added: bool) -> None:
        words = shelves.changed(added=added)
        if words is not None:
            raise NotRead(words)


class Examining:
    """Examines every function that a body executes; it may be entered for one body after another.

    Raises: NotRead where one asks for, or does, what a state does not show.
    """

    def __init__(self, world: Surroundings) -> None:
        self.world = world
        self.faults: list[Exception] = []
        self.before: Any = None
        self.collecting = False
        known = world.examined.get

        def tracer(frame: types.FrameType, event: str, argument: Any) -> Any:
            if known(identity(frame.f_code), NEVER)[0] is not frame.f_globals:
                try:
                    world.meet(frame)
                except Exception as error:  # it is none of the program's
                    self.faults.append(error)
            before = self.before
            inner = before(frame, event, argument) if before is not None else None
            asked = world.asked.get(frame.f_code)
            return self._asking(frame, asked, inner) if asked else inner

        self.tracer = tracer

    def _asking(self, frame: types.FrameType, asked: dict[int, Item], inner: Any) -> Any:
        """Return what looks, before some instructions of a frame, at what they ask for a method."""

        def look(frame: types.FrameType, event: str, argument: Any) -> Any:
            nonlocal inner
            item = asked.get(frame.f_lasti) or asked.get(frame.f_lasti + 2)  # from what extends its argument on
            if event == "opcode" and item is not None and (kind := by_value(held(frame, item))):
                words = f"it asks a value of type {kind} for a method without calling it: {LEFT}"
                self.faults.append(NotRead(f"{place_of(frame.f_code)}: {words}"))
            if event != "opcode" and inner is not None:
                inner = inner(frame, event, argument)
            return look

        frame.f_trace_opcodes = True
        sys.settrace(sys.gettrace())  # which tells CPython 3.12 of it
        return look

    def __enter__(self) -> None:
        self.before = sys.gettrace()
        self.collecting = gc.isenabled()
        gc.disable()  # its callbacks are not the program's
        sys.settrace(self.tracer)
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:  # those that were called before, and met on an earlier path
            asked = self.world.asked.get(frame.f_code)
            if asked:
                frame.f_trace = self._asking(frame, asked, frame.f_trace)
            frame = frame.f_back

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        sys.settrace(self.before)
        if self.collecting:
            gc.enable()
        if kind is not None:
            return
        if self.faults:
            words = str(self.faults[0]) if isinstance(self.faults[0], NotRead) else internal(self.faults[0])
            raise NotRead(words) from self.faults[0]
        while self.world.unread:
            examine(self.world.home, *self.world.unread.pop(0))


def stores_of(code: types.CodeType) -> set[str]:
    """Return the names of attributes and globals that a code object assigns to; ANY where it may be any name."""
    found = stored(code) | {
        each.argval for each in dis.get_instructions(code) if each.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")
    }
    return found | {ANY} if SETTERS.intersection(code.co_names) else found


def _held(value: Any) -> list[Collection[Any]]:
    """Return what an object holds, as it is at any time: what is in it, or its attributes."""
    kind = type(value)
    if kind in (list, deque, set):
        return [value]
    if kind is dict:
        own = value
    elif kind is types.FunctionType:
        own = value.__dict__
    elif isinstance(value, type):
        own = vars(value)
    elif _is_instance(kind) and kind.__dictoffset__:
        own = object.__getattribute__(value, "__dict__")
    else:
        return []
    return [own.keys(), own.values()] if own else [own.keys()]


def _is_instance(kind: type) -> bool:
    """Whether instances of a type may have attributes of their own, and are neither classes nor numpy's."""
    known = issubclass(kind, type) or kind is object or (kind.__module__ == "numpy" and class_of_library(kind))
    return not known and bool(kind.__flags__ & 1 << 9)


def _looks(value: Any) -> list[Look]:
    """Return what else shows whether an object is changed in place."""
    found: list[Look] = []
    kind = type(value)
    if kind is bytearray:
        found.append(lambda: unshared(value))
    elif kind is set:
        found.append(lambda: table_of(value))
    elif kind is types.CellType:
        found.append(lambda: _content(value))
    elif kind is functools.partial:
        found.append(lambda: [*map(Ref, (value.func, value.args, value.keywords))])
    elif kind.__module__ == "numpy" and class_of_library(kind):
        found.append(functools.partial(_numbers, value))
    elif _is_instance(kind):
        for base in kind.__mro__[:-1]:
            for member in vars(base).values():
                if type(member) is types.MemberDescriptorType:
                    found.append(functools.partial(_slot, member, value))
    return found


def _numbers(value: Any) -> Any:
    """Return what an array or a scalar of numpy holds, and in which form."""
    if not hasattr(value, "tobytes"):
        return None
    return value.shape, value.strides, value.dtype.char, value.dtype.str, value.flags.num, value.tobytes()


def _content(cell: Any) -> Any:
    try:
        return Ref(cell.cell_contents)  # which keeps it alive, so that nothing gets its address
    except ValueError:
        return None


def _slot(member: Any, value: Any) -> Any:
    try:
        return Ref(member.__get__(value))
    except AttributeError:
        return None


def trace_from(outside: types.FrameType, observer: Observer | None) -> None:
    """Let an observer, or else the active tracer, see what goes on in the functions that were called in a frame before
    it was active."""
    tracer: Any = sys.gettrace()
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not outside:
        if observer is not None:
            if identity(frame.f_globals) not in observer.known and identity(frame.f_code) not in observer.known:
                observer.enter(frame)
        elif tracer is not None:
            frame.f_trace = tracer(frame, "call", None)
        frame = frame.f_back
