"""What functions that can be entered again call: entering, followed calls, the next item, and loop heads."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpcert.mechanisms.states.boxes import Box
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.reenter import Points, Rewriter

LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "joblib", "pandas"})
HEAP_TYPE, GENERATES = 1 << 9, 0x20
OURS = tuple(f"dpcert.mechanisms.{name}" for name in ("exact", "floating", "watch", "entropy", "coins"))


CLOSED = (
    "`yield from` hands on a generator that others may hold, or that does something when it is closed; "
    "yield its items in a `for` loop"
)


class _Mark:
    """A value that a program never has."""


END, UNSET, PRIME = _Mark(), _Mark(), _Mark()


def follow(*called: Any) -> None:
    """Let a call be followed."""


class Reading:
    """The reading that is going on: what functions are entered again with, and what happens at a loop head."""

    def __init__(self) -> None:
        self.pending: tuple[Any, ...] | None = None  # what the next function that is entered restores
        self.resume: list[tuple[Any, tuple[Any, ...]]] = []  # callee or generator, and its record; innermost first
        self.again: dict[int, tuple[Any, types.FunctionType | None]] = {}
        self.moved = False  # a draw was made or decided since the last state
        self.arrive: Any = None  # called at a head, with its frame and point, once something moved
        self.refuse: Any = follow  # called with the reason for which the reading is given up
        self.summarised: Any = follow  # gives what a call returns that is asked as one question, in a box, or None
        self.outermost = False  # the next call is the one that the reading is of
        self.active = False

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Keep all this for a reading within a reading."""
        kept = dict(vars(self))
        try:
            yield
        finally:
            vars(self).update(kept)


NOW = Reading()


def enter() -> tuple[Any, ...] | None:
    """Return the record with which the function is entered again; None for a call as any other."""
    record = NOW.pending
    if record is not None:
        NOW.pending = None
    return record


def followed(function: types.FunctionType) -> types.FunctionType | None:
    """Return the function to enter in place of one, or None where it is called as it is."""
    if function.__code__ in INFOS:
        return function
    known = NOW.again.get(id(function))
    if known is not None:
        return known[1]
    name = str(function.__globals__.get("__name__", ""))
    theirs = name.partition(".")[0] in LIBRARIES or name.startswith(OURS)
    found = None if theirs else REWRITER.again(function)
    NOW.again[id(function)] = (function, found)
    return found


def go(function: Any, /, *args: Any, **kwds: Any) -> Any:
    """Call a function, by the one that can be entered again where there is one."""
    kind, outermost = type(function), NOW.outermost
    NOW.outermost = False
    if kind is types.FunctionType and function not in TWINS:
        g = followed(function)
    elif kind is types.MethodType and type(function.__func__) is types.FunctionType:
        g = followed(function.__func__)
        if g is not None:
            function, args = function.__func__, (function.__self__, *args)
    elif kind is functools.partial:
        args = (*function.args, *args)
        kwds = {**function.keywords, **kwds}
        g = followed(function.func) if type(function.func) is types.FunctionType else None
        function = function.func
    else:
        g, function, args = _twin(function, kind, args, kwds)
    if g is None or not NOW.active:
        return function(*args, **kwds)
    if not outermost and type(function) is types.FunctionType and function not in TWINS and INFOS[g.__code__].loops:
        box = NOW.summarised(function, args, kwds)
        if box is not None:
            return box[0]
    return g(*args, **kwds)


def _twin(
    function: Any, kind: type, args: tuple[Any, ...], kwds: dict[str, Any]
) -> tuple[types.FunctionType | None, Any, tuple[Any, ...]]:
    """Return the function to enter in place of what is no function in Python, if any; and what is called, with what."""
    if kind is types.BuiltinFunctionType and type(function.__self__) in METHODS:
        owner = type(function.__self__)
        twin: Any = TWINS.get((owner, function.__name__))
        if twin is not None:
            function, args = getattr(owner, function.__name__), (function.__self__, *args)
    elif isinstance(function, type) and followed_method(function, "__init__"):
        twin = None
        if kind.__call__ is type.__call__ and function.__new__ in NEW:
            twin, function, args = TWINS[type], type.__call__, (function, *args)
    elif kind in BUILT_IN:
        twin = TWINS.get(function)
    else:
        called = None if isinstance(function, type) else followed_method(kind, "__call__")
        return (called[1], called[0], (function, *args)) if called else (None, function, args)
    return followed(twin[1]) if twin is not None and twin[0](args, kwds) else None, function, args


def followed_method(kind: type, name: str) -> tuple[types.FunctionType, types.FunctionType] | None:
    """Return the function in Python that a class has by a name, and the one to enter in its place, if any."""
    found: Any = next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)
    if type(found) is not types.FunctionType:
        return None
    known = followed(found)
    return (found, known) if known is not None else None


def advance(it: Any) -> Any:
    """Return the next item of an iterator, or END."""
    return next(it, END)


def turns(iterable: Any) -> Any:
    """Return how often a loop that reads none of its items goes round, for a range; an iterator for all else."""
    if type(iterable) is range:
        return max(0, (iterable.stop - iterable.start + iterable.step - (iterable.step > 0 or -1)) // iterable.step)
    it = iterator(iterable)
    if isinstance(it, int):
        NOW.refuse(NotRead("an iterator that is an integer"))
    return it


class Returned:
    """What a generator returned to the one that hands on its items."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Thrown:
    """An error that a generator was thrown while it waited, for the one whose items it hands on."""

    def __init__(self) -> None:
        self.error = sys.exc_info()[1]


def handed(value: Any, made_by: Any) -> Any:
    """Return the iterator of a value, whose items are handed on; `made_by` is the function that was called for it.

    What hands them on closes it, at a time that no state tells. That is refused unless it is nothing: the iterator is
    a generator that a generator function has just made, and that does nothing when it is closed.
    """
    it = iterator(value)
    if it is not value and type(value).__flags__ & HEAP_TYPE:
        made_by = getattr(type(value), "__iter__", None)
    made_by = getattr(made_by, "__func__", made_by)
    fresh = made_by is True or (type(made_by) is types.FunctionType and made_by.__code__.co_flags & GENERATES)
    if NOW.active and hasattr(it, "close"):
        info = INFOS.get(it.gi_code) if fresh and type(it) is types.GeneratorType else None
        if info is None or info.finishes:
            frame = sys._getframe(1)
            place = f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}"
            NOW.refuse(NotRead(f"{place}: {CLOSED}"))
    return it


def delegated(it: Any, sent: Any) -> Any:
    """Return the next item of an iterator, which is handed on, or what it returned."""
    thrown = sent.error if type(sent) is Thrown else None
    if isinstance(thrown, GeneratorExit):
        getattr(it, "close", follow)()
    if thrown is not None and (isinstance(thrown, GeneratorExit) or not hasattr(it, "throw")):
        raise thrown
    try:
        if thrown is not None:
            return it.throw(thrown)
        return next(it) if sent is None else it.send(sent)
    except StopIteration as over:
        return Returned(over.value)


def delegated_again() -> Any:
    """Go on with the generator in progress, whose items are handed on."""
    it, NOW.pending = NOW.resume.pop()
    try:
        return next(it)
    except StopIteration as over:
        return Returned(over.value)


def iterator(iterable: Any) -> Any:
    """Return `iter` of a value; by the function that can be entered again where its `__iter__` is a generator's."""
    kind = type(iterable)
    made = followed_method(kind, "__iter__") if kind.__flags__ & HEAP_TYPE and NOW.active else None
    return made[1](iterable) if made and made[0].__code__.co_flags & GENERATES else iter(iterable)


def again() -> Any:
    """Go on with the call, or the generator, that was in progress when the state was told."""
    g, NOW.pending = NOW.resume.pop()
    if type(g) is types.GeneratorType:
        return next(g, END)
    args, words = _blanks(g.__code__)
    return g(*args, **words)


def _blanks(code: types.CodeType) -> tuple[tuple[None, ...], dict[str, None]]:
    count, words = code.co_argcount, code.co_kwonlyargcount
    return (None,) * count, dict.fromkeys(code.co_varnames[count : count + words]) if words else {}


def blank(g: types.FunctionType) -> Any:
    """Call a function that is entered again, so that its arguments do not matter."""
    args, words = _blanks(g.__code__)
    return g(*args, **words)


def alike(function: types.FunctionType, cells: tuple[types.CellType, ...] | None) -> types.FunctionType:
    """Return a function that does the same, without attributes and defaults."""
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__, None, cells)
    made.__qualname__ = function.__qualname__
    return made


def _called(function: Any, variables: dict[str, Any]) -> Any:
    """Return the result of calling a function with the arguments that its variables are."""
    code = function.__code__
    names, count, words = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
    args = [variables[name] for name in names[:count]]
    more = count + words
    if code.co_flags & 4:
        args += variables[names[more]]
        more += 1
    keywords = {name: variables[name] for name in names[count : count + words]}
    if code.co_flags & 8:
        keywords |= variables[names[more]]
    return function(*args, **keywords)


def waiting(function: types.FunctionType, record: tuple[Any, ...]) -> Any:
    """Return a generator that waits where a record is of: at a `yield`, or at its beginning."""
    if not record[0]:
        return _called(function, dict(zip(INFOS[function.__code__].names, record[1:], strict=True)))
    made = blank(function)
    NOW.pending = record
    if next(made) is not PRIME:
        raise NotRead("a generator did not come back to where it was")
    return made


def root(function: Any, args: tuple[Any, ...], kwds: dict[str, Any]) -> Any:
    """Call the outermost function; a state consists of its frame and those above it."""
    if function is None:
        return again()
    NOW.outermost = True
    return go(function, *args, **kwds)


def head(point: int) -> tuple[Any, ...] | None:
    """Come to the head of a loop; return what the function restores there, where another run goes on from it."""
    record: tuple[Any, ...] | None = NOW.arrive(sys._getframe(1), point) if NOW.moved and NOW.active else None
    return record


TWINS: dict[Any, tuple[Any, Any]] = {}
"""When a function stands for a built-in one, and that function."""
BUILT_IN = (types.BuiltinFunctionType, types.FunctionType, type)  # one in Python that stands for one in C
METHODS = (str, list)
NEW = (object.__new__, dict.__new__)
CALLING = frozenset({types.GeneratorType, map, filter, zip, enumerate})
PYTHON = frozenset({types.FunctionType, types.MethodType, functools.partial})
HELPERS = {
    "_dp_enter": enter,
    "_dp_go": go,
    "_dp_iter": iterator,
    "_dp_next": advance,
    "_dp_turns": turns,
    "_dp_counts": isinstance,
    "_dp_int": int,
    "_dp_again": again,
    "_dp_handed": handed,
    "_dp_from": delegated,
    "_dp_from_again": delegated_again,
    "_dp_returned": Returned,
    "_dp_thrown": Thrown,
    "_dp_type": type,
    "_dp_head": head,
    "_dp_box": Box,
    "_dp_end": END,
    "_dp_unset": UNSET,
    "_dp_prime": PRIME,
    "_dp_exc_info": sys.exc_info,
    "_dp_caught": sys.exception,
    "_dp_base": BaseException,
}
REWRITER = Rewriter(HELPERS)
CELLS = (*REWRITER.cells.values(),)
INFOS: dict[types.CodeType, Points] = REWRITER.infos
