"""Runs of a program that record the calls of its primitives, and replays, whose calls return the recorded results."""

from __future__ import annotations

import copy
import inspect
import os
import random
import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from mmap import mmap
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.pipelines.primitive import Entries, Primitive, entries

OUTSIDE = "it draws from a generator outside of its primitives"
PAGE = 1024
EVENTS = 100_000
"""The most lines of a run that the search for the drawing line reads."""
REPEATS = 20
"""The number of replays that are compared to find a difference."""
LIBRARY = (str(random.__file__), str(secrets.__file__), str(threading.__file__))
"""Files whose calls count as calls of their callers; numpy's files do, too."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a primitive: its private and its public values, its result, and the line that made it."""

    primitive: Primitive
    private: Any
    public: dict[str, Any]
    place: str
    outcome: Any = None
    raised: Exception | None = None


class Unimported(Exception):
    """A library that does not import: its name, the error, and the line that failed."""

    def __init__(self, library: str, error: Exception | None) -> None:
        why, place = f"there is no module {library}: install it", ""
        if error is not None:
            *_, last = traceback.extract_tb(error.__traceback__)
            file, line = getattr(error, "filename", None) or last.filename, getattr(error, "lineno", last.lineno)
            why, place = f"{type(error).__name__}: {error}", f", at {file.rpartition('/')[2]}:{line}"
        super().__init__(f"{library} does not import, {why}{place}")


class Diverged(BaseException):
    """A replay does something that the recorded run did not do."""


@dataclass(slots=True)
class Tape:
    """The calls of one run and the program's outcome; for a replay of the calls `past`, also how it diverged."""

    file: str
    past: Sequence[Call] | None = None
    calls: list[Call] = field(default_factory=list)
    left: Any = None
    diverged: tuple[str, str] | None = None
    trouble: str | None = None
    within: bool = False
    thread: int = field(default_factory=threading.get_ident)
    process: int = field(default_factory=os.getpid)
    elsewhere: mmap = field(default_factory=lambda: mmap(-1, PAGE))
    """Memory that child processes share: the place where one of them calls a primitive."""

    def values(self) -> list[Entries]:
        """Return the private values of the calls.

        Raises: InputError for values that are no numbers.
        """
        return [entries(call.private) for call in self.calls]

    def alike(self, other: Tape) -> bool:
        ends = [(tape.diverged, tape.left, tape.values()) for tape in (self, other)]
        return ends[0] == ends[1]

    def call(self, primitive: Primitive, function: Callable[..., Any], arguments: Any, named: Any) -> Any:
        """Record a call, or answer it from the past. Calls inside a primitive are part of that primitive."""
        if self.within:
            return function(*arguments, **named)
        place = self._place(function)
        if os.getpid() != self.process:
            words = f"{primitive.where} is called in another process, at {place}".encode()
            self.elsewhere[:] = words[:PAGE].ljust(PAGE)  # the memory is of this size, and takes no other
            return function(*arguments, **named)
        if threading.get_ident() != self.thread:
            self.trouble = self.trouble or f"{primitive.where} is called in another thread, at {place}"
            return function(*arguments, **named)
        try:
            private, public = primitive.read(function, arguments, named)
            # Copies: the program may change its arguments later, and the tape must keep what the call was given.
            made = Call(primitive, copy.deepcopy(private), copy.deepcopy(public), place)
            then = None if self.past is None else self._again(made, self.past)
        except (InputError, Unauditable, TypeError, ValueError) as error:
            self.trouble = self.trouble or f"{error}, at {place}"
            raise Diverged from error
        if then is not None:
            if then.raised is not None:
                raise then.raised
            return copy.deepcopy(then.outcome)
        self.within = True
        try:
            outcome = function(*arguments, **named)
        except Exception as error:
            self.calls.append(Call(primitive, made.private, made.public, place, raised=error))
            raise
        finally:
            self.within = False
        self.calls.append(Call(primitive, made.private, made.public, place, copy.deepcopy(outcome)))
        return outcome

    def _again(self, made: Call, past: Sequence[Call]) -> Call:
        """Return the next call of the past, if the new call differs from it in the private value alone."""
        if len(self.calls) >= len(past):
            self._diverge(f"calls {made.primitive.name} once more", made.place)
        then = past[len(self.calls)]
        if then.primitive != made.primitive:
            self._diverge(f"calls {made.primitive.name}, where it called {then.primitive.name}", made.place)
        for name, value in made.public.items():
            if key(value) != key(then.public[name]):
                gave = f"gives {made.primitive.name} the {name} {_short(value)}"
                self._diverge(f"{gave}, where it gave {_short(then.public[name])}", made.place)
        self.calls.append(made)
        return then

    def _place(self, function: Callable[..., Any]) -> str:
        """Return the file and line of the nearest caller outside of the primitive's file and this one."""
        own = function.__code__.co_filename
        within = {__file__} if own == self.file else {__file__, own}
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename in within:
            frame = frame.f_back
        return _named(frame)

    def _diverge(self, words: str, place: str) -> NoReturn:
        self.diverged = self.diverged or (words, place)
        raise Diverged


def _named(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno} ({frame.f_code.co_qualname})"


def _short(value: Any) -> str:
    text = show(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _found(where: str) -> tuple[Any, str, Any]:
    """Return the owner of a dotted name, its last part, and its value.

    Raises: InputError where nothing has this name; Unimported where its library does not import.
    """
    parts = where.split(".")
    for size in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = import_module(".".join(parts[:size]))
        except ModuleNotFoundError as error:
            if error.name is not None and f"{where}.".startswith(f"{error.name}."):
                continue
            raise Unimported(parts[0], error) from error
        except Exception as error:  # a library may raise anything when it is imported
            raise Unimported(parts[0], error) from error
        try:
            for part in parts[size:-1]:
                owner = getattr(owner, part)
            function = owner.__dict__[parts[-1]] if isinstance(owner, type) else getattr(owner, parts[-1])
        except (AttributeError, KeyError) as error:
            raise InputError(given=f"primitive {where}", needed=f"a {error} there", remedy="spell it whole") from error
        return owner, parts[-1], function
    raise Unimported(parts[0], None)


@contextmanager
def watched(primitives: Sequence[Primitive]) -> Iterator[list[Tape]]:
    """Replace the primitives by wrappers in every module that has them, and put the originals back at the end.

    Yield a list of tapes: the wrappers call its last one.
    """
    tapes: list[Tape] = []
    replaced: list[tuple[Any, str, Any]] = []

    def wrapped(primitive: Primitive, function: Any) -> Any:
        @wraps(function)
        def called(*arguments: Any, **named: Any) -> Any:
            return tapes[-1].call(primitive, function, arguments, named) if tapes else function(*arguments, **named)

        return called

    try:
        for primitive in primitives:
            owner, name, original = _found(primitive.where)
            function = original.__func__ if type(original) is staticmethod else original
            kind = f"a {type(function).__name__}"
            need(inspect.isfunction(function), f"{primitive.where}, {kind}", "a Python function", "name its caller")
            wrapper: Any = wrapped(primitive, function)
            wrapper = wrapper if original is function else staticmethod(wrapper)
            # Other modules may have imported the function by name; a method has its class alone.
            holders = [] if isinstance(owner, type) else list(sys.modules.values())
            for holder in (owner, *holders):
                for called, value in list(getattr(holder, "__dict__", {}).items()):
                    if value is original and (holder is not owner or called == name):
                        replaced.append((holder, called, original))
                        setattr(holder, called, wrapper)
        yield tapes
    finally:
        for holder, name, original in reversed(replaced):
            setattr(holder, name, original)


def run(program: Callable[[Any], Any], data: Any, tapes: list[Tape], past: Sequence[Call] | None = None) -> Tape:
    """Return the tape of a run of the program on a copy of the data.

    A replay must draw nothing: a global generator that moved during it is a trouble.
    """
    code = getattr(program, "__code__", None)
    tape = Tape("" if code is None else code.co_filename, past)
    before = _states() if past is not None else None
    tapes.append(tape)
    try:
        tape.left = ("returns", key(left := program(copy.deepcopy(data))), _short(left))
    except Diverged:
        pass
    except Unauditable as error:
        tape.trouble = tape.trouble or f"what it returns is not told apart: {error}"
    except (Exception, SystemExit) as error:
        tape.left = ("raises", (type(error).__qualname__, str(error)), f"{type(error).__name__}: {error}")
    finally:
        tapes.pop()
    tape.trouble = tape.trouble or tape.elsewhere[:].rstrip(b"\0 ").decode(errors="replace") or None
    if before is not None and before != _states():
        tape.trouble = tape.trouble or OUTSIDE
    return tape


def drawing(program: Callable[[Any], Any], data: Any, tapes: list[Tape], past: Sequence[Call]) -> str:
    """Return ", at " and the line of a program that draws outside of its primitives; an empty text if none shows.

    It is the last line of replays before a shared generator moves, or before they differ in a line, in a variable, or
    in the outcome.
    """
    first = _lines(program, data, tapes, past)
    for _ in range(REPEATS):
        before = ""
        for (place, *seen), (other, *then) in zip(first, _lines(program, data, tapes, past), strict=False):
            if seen[0] or (place, seen) != (other, then):
                return before
            before = f", at {place}"
    return ""


def _lines(
    program: Callable[[Any], Any], data: Any, tapes: list[Tape], past: Sequence[Call]
) -> list[tuple[str, bool, Any]]:
    """Return each line that a replay reaches: the place, whether a shared generator moved, and the variables."""
    import numpy

    seen: list[tuple[str, bool, Any]] = []
    shipped = (*LIBRARY, str(Path(numpy.__file__).parent))
    state, own = [_states()], str(Path(__file__).parents[1])

    def note(place: str, variables: Any) -> None:
        was, state[0] = state[0], _states()
        seen.append((place, was != state[0], variables))

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if len(seen) >= EVENTS or frame.f_code.co_filename.startswith(shipped):
            return None
        caller: FrameType | None = frame
        while caller is not None and caller.f_code is not traced.__code__:
            if caller.f_code.co_filename.startswith(own):  # the recording's own call, as to copy a value
                return None
            caller = caller.f_back
        if event == "line":
            # The keys of those variables that have one.
            found = {}
            for name, value in frame.f_locals.items():
                with suppress(Exception):  # what has no key is not compared
                    found[name] = key(value)
            note(_named(frame), found)
        return trace

    def traced(given: Any) -> Any:
        outer = sys.gettrace()
        sys.settrace(trace)
        try:
            return program(given)
        finally:
            sys.settrace(outer)

    tape = run(traced, data, tapes, past)
    note("the end", (tape.left, tape.diverged))
    return seen


def _states() -> tuple[Any, ...]:
    numpy = sys.modules.get("numpy.random")
    shared = () if numpy is None else numpy.get_state(legacy=True)
    return (random.getstate(), *(part.tobytes() if hasattr(part, "tobytes") else part for part in shared))
