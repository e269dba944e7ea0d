"""What functions that can be entered again call: entering, followed calls, the next item, and loop heads."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.reenter import Points, Rewriter

LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "joblib", "pandas"})
OURS = tuple(f"dpcert.mechanisms.{name}" for name in ("exact", "floating", "frames", "watch", "entropy", "coins"))


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
    if kind is types.FunctionType:
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
        if kind is types.BuiltinFunctionType and function.__name__ == "join" and type(function.__self__) is str:
            args = (function.__self__, *args)
            twin: Any = TWINS["join"]
            function = str.join
        else:
            twin = TWINS.get(function) if kind in BUILT_IN else None
        g = followed(twin[1]) if twin is not None and twin[0](args, kwds) else None
    if g is None or not NOW.active:
        return function(*args, **kwds)
    if not outermost and type(function) is types.FunctionType and INFOS[g.__code__].loops:
        box = NOW.summarised(function, args, kwds)
        if box is not None:
            return box[0]
    return g(*args, **kwds)


def advance(it: Any) -> Any:
    """Return the next item of an iterator, or END."""
    return next(it, END)


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
BUILT_IN = (types.BuiltinFunctionType, type)
CALLING = (types.GeneratorType, map, filter, zip, enumerate)
HELPERS = {
    "_dp_enter": enter,
    "_dp_go": go,
    "_dp_next": advance,
    "_dp_again": again,
    "_dp_head": head,
    "_dp_end": END,
    "_dp_unset": UNSET,
    "_dp_prime": PRIME,
    "_dp_exc_info": sys.exc_info,
    "_dp_base": BaseException,
}
REWRITER = Rewriter(HELPERS)
CELLS = (*REWRITER.cells.values(),)
INFOS: dict[types.CodeType, Points] = REWRITER.infos
