"""Functions that a program made while it ran, told by their code and what their variables hold, and made anew.

In a state such a function is told as it is. In the key of a call it is told as the program wrote it, whether or not its
code can be entered again: so a replay, which executes the program's own code, tells the same call by the same key.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Protocol

from dpcert.mechanisms.states.boxes import CONTENT, PREFIX, Box
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.runtime import CELLS, REWRITER, UNSET, alike
from dpcert.mechanisms.states.tokens import CELL, FUNCTION, INNER, REF, Freezing, Ref

CONSTANT_CELLS = frozenset(map(id, CELLS))
CONTENT_OF: Any = vars(Box)[CONTENT]
Called = tuple[Any, tuple[Any, ...], dict[str, Any]]
"""A function, and its arguments by position and by name."""
Exchange = Callable[[types.CodeType, dict[str, Any]], types.CodeType]
"""Gives what is executed in place of a code, with some globals."""


class Telling(Freezing, Protocol):
    """What this asks of a freeze."""

    shared: list[tuple[int, bool, str]]


class Thawing(Protocol):
    """What this asks of a thaw."""

    take: Callable[[], Any]
    made: list[Any]
    exchange: Exchange | None  # where functions are made as the program wrote them

    def value(self) -> Any:
        """Return the next value of the key."""
        ...

    def keep(self, value: Any) -> Any:
        """Number an object that may be met again."""
        ...


def add_function(freezer: Telling, value: types.FunctionType) -> None:
    """Add a function that the program made, as it is, to a state."""
    if freezer.seen(value):
        return
    freezer.tokens += (FUNCTION, Ref(value.__code__), Ref(value.__globals__), value.__name__, value.__qualname__)
    freezer.parts((value.__defaults__, value.__kwdefaults__, value.__dict__))
    new = []
    for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
        if id(cell) in CONSTANT_CELLS:
            freezer.tokens += (REF, Ref(cell))
        elif not freezer.seen(cell):
            freezer.tokens.append(CELL)
            new.append((name, cell))
    for name, cell in new:
        content = _content(cell)
        freezer.shared.append((id(cell), content is UNSET, name))
        freezer.add(content)


def add_as_written(freezer: Telling, value: types.FunctionType) -> None:
    """Add a function that the program made, as it wrote it, to the key of a call.

    Raises: NotRead where that is not known.
    """
    if freezer.seen(value):
        return
    made = value.__code__
    code = REWRITER.originals.get(made, made)
    named = value.__name__ == made.co_name and value.__qualname__ == made.co_qualname
    if not named or (code is made and id(made) in REWRITER.inner):
        raise NotRead(f"{value.__qualname__!r}: what its code was made of is not known")
    freezer.tokens += (INNER, Ref(code), Ref(value.__globals__))
    freezer.parts((value.__defaults__, value.__kwdefaults__, value.__dict__))
    cells = dict(zip(made.co_freevars, value.__closure__ or (), strict=True))
    new = []
    for name in code.co_freevars:
        variable = cells[name] if name in cells else cells[PREFIX + name].cell_contents
        if not freezer.seen(variable):
            freezer.tokens.append(CELL)
            new.append(variable)
    freezer.parts(map(_content, new))


def _content(variable: Any) -> Any:
    """Return what a variable holds, by its cell or its box; UNSET where it is unset."""
    try:
        return CONTENT_OF.__get__(variable) if type(variable) is Box else variable.cell_contents
    except (ValueError, AttributeError):
        return UNSET


def thaw_function(thaw: Thawing) -> types.FunctionType:
    """Return a function of a state."""
    code, space, name, qualname = (thaw.take() for _ in range(4))
    place = _placed(thaw)
    plain = thaw.value(), thaw.value(), thaw.value()
    new: list[Any] = []
    closure: list[Any] = []
    for _ in code.value.co_freevars:
        kind = thaw.take()
        if kind is CELL:
            new.append(thaw.keep(types.CellType()))
            closure.append(new[-1])
        else:
            closure.append(thaw.take().value if kind is REF else thaw.made[thaw.take()])
    made = thaw.made[place] = _function(code.value, space.value, plain, closure)
    made.__name__, made.__qualname__ = name, qualname
    _fill(thaw, new)
    return made


def thaw_as_written(thaw: Thawing) -> types.FunctionType:
    """Return a function of the key of a call: as it can be entered again, or as it is executed in replays."""
    written, space = thaw.take().value, thaw.take().value
    code = REWRITER.inside.get(written, written) if thaw.exchange is None else thaw.exchange(written, space)
    place = _placed(thaw)
    plain = thaw.value(), thaw.value(), thaw.value()
    new: list[Any] = []
    variables: dict[str, Any] = {}
    for name in written.co_freevars:
        if thaw.take() is CELL:
            new.append(thaw.keep(Box() if PREFIX + name in code.co_freevars else types.CellType()))
            variables[name] = new[-1]
        else:
            variables[name] = thaw.made[thaw.take()]
    closure = [
        REWRITER.cells.get(name) or _cell(variables[name.removeprefix(PREFIX)], name) for name in code.co_freevars
    ]
    made = thaw.made[place] = _function(code, space, plain, closure)
    _fill(thaw, new)
    return made


def _placed(thaw: Thawing) -> int:
    thaw.made.append(None)
    return len(thaw.made) - 1


def _cell(variable: Any, name: str) -> types.CellType:
    """Return the cell in which a function holds a variable."""
    boxed = type(variable) is Box
    if boxed is not name.startswith(PREFIX):
        raise NotRead(f"{name.removeprefix(PREFIX)!r} is shared in two ways")
    return types.CellType(variable) if boxed else variable


def _function(
    code: types.CodeType, space: dict[str, Any], plain: tuple[Any, Any, Any], closure: Iterable[Any]
) -> types.FunctionType:
    made = types.FunctionType(code, space, code.co_name, plain[0], (*closure,) or None)
    made.__kwdefaults__ = plain[1]
    made.__dict__.update(plain[2])
    return made


def _fill(thaw: Thawing, new: list[Any]) -> None:
    for variable in new:
        content = thaw.value()
        if content is not UNSET:
            if type(variable) is Box:
                CONTENT_OF.__set__(variable, content)
            else:
                variable.cell_contents = content


def handing_on(code: types.CodeType, to: Callable[..., Any], *, bound: bool) -> types.CodeType:
    """Return the code of a function that hands on its arguments, after one that shows the variables of its closure.

    With `bound` it has the arguments of a code, and hands all of them on by position, but those by name alone.
    """
    given, taken, words = _signature(code) if bound else ("*_dp_args, **_dp_kwds", "*_dp_args, ", "**_dp_kwds")
    names = code.co_freevars
    shown = "".join(f"{name}, " for name in names)
    text = f"""
def _dp_factory({shown}):
    def _dp_template({given}):
        _dp_to = "_dp_to"
        return _dp_to(lambda: ({shown}), ({taken}), {{{words}}})
"""
    factory = next(each for each in compile(text, code.co_filename, "exec").co_consts if type(each) is types.CodeType)
    found = next(each for each in factory.co_consts if type(each) is types.CodeType)
    if found.co_freevars != names:
        raise NotRead("the variables of a closure are in another order")
    consts = tuple(to if each == "_dp_to" else each for each in found.co_consts)
    return found.replace(co_name=code.co_name, co_qualname=code.co_qualname, co_consts=consts)


def _signature(code: types.CodeType) -> tuple[str, str, str]:
    """Return the arguments of a code as they are declared, and as they are handed on by position and by name."""
    names, count, more = [*code.co_varnames], code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    positional, words, rest = names[:count], names[count:more], names[more:]
    given, taken, named = [*positional], [*positional], [f"{name!r}: {name}" for name in words]
    if code.co_posonlyargcount:
        given.insert(code.co_posonlyargcount, "/")
    if code.co_flags & 4:
        given.append(f"*{rest[0]}")
        taken.append(given[-1])
        rest = rest[1:]
    elif words:
        given.append("*")
    given += words
    if code.co_flags & 8:
        given.append(f"**{rest[0]}")
        named.append(given[-1])
    return ", ".join(given), "".join(f"{name}, " for name in taken), ", ".join(named)


def as_bound(function: types.FunctionType, args: tuple[Any, ...], kwds: dict[str, Any]) -> Called | None:
    """Return a call of a function that the program made, without defaults: with all that it gets; None for no call."""
    own = types.FunctionType(_binding(function.__code__), {}, "bound", function.__defaults__)
    own.__kwdefaults__ = function.__kwdefaults__
    try:
        args, kwds = own(*args, **kwds)
    except TypeError:  # which the call raises as well
        return None
    if (function.__defaults__ or function.__kwdefaults__) and not function.__dict__:
        function = alike(function, function.__closure__)
    return function, args, kwds


@lru_cache(maxsize=1 << 10)
def _binding(code: types.CodeType) -> types.CodeType:
    """Return the code of a function that returns its arguments, taken as a code takes them."""
    return handing_on(code.replace(co_freevars=()), _handed, bound=True)


def _handed(shown: object, args: tuple[Any, ...], kwds: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwds
