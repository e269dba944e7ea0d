"""The state of a program at a draw: every frame up to the outermost one, captured whole or not at all."""

from __future__ import annotations

import builtins
import functools
import gc
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from os.path import basename
from typing import Any

from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.frames.bytecode import Item
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.home import Home
from dpcert.mechanisms.frames.library import HEAP_TYPE
from dpcert.mechanisms.frames.walk import Walk

SUSPENDED = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
CONTAINERS = (list, tuple, dict, set, frozenset, types.CellType, types.MethodType)
MOST_HELD = 2_000
FIXED = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)


def enter(function: Callable[..., Any], *args: Any, **kwds: Any) -> Any:
    """Call a function; its frame is the outermost one that a state consists of."""
    return function(*args, **kwds)


ENTER = enter.__code__
# The methods at which a draw begins, and the wrapper that `summarize` makes, which folds.
DRAWS = frozenset(getattr(Coins, name).__code__ for name in ("below", "random", "fold", "loop"))
SUMMARIZED = frozenset(code for code in summarize.__code__.co_consts if isinstance(code, types.CodeType))


@dataclass(frozen=True, slots=True)
class Stack:
    """The frames of a draw, innermost first, and the code of the method of coins that the innermost one called."""

    frames: tuple[types.FrameType, ...]
    drawn: types.CodeType

    @classmethod
    def here(cls) -> Stack:
        """Return the frames from the draw in progress up to the call by `enter`."""
        frame: Any = sys._getframe(1)
        while frame.f_code not in DRAWS:
            frame = frame.f_back
        if frame.f_back.f_code in SUMMARIZED:
            frame = frame.f_back
        drawn = frame.f_code
        frames = []
        frame = frame.f_back
        while frame.f_code is not ENTER:
            frames.append(frame)
            frame = frame.f_back
        return cls(tuple(frames), drawn)


def place(frame: types.FrameType) -> str:
    """Return where a frame is, in words."""
    code = frame.f_code
    return f"{basename(code.co_filename)}:{frame.f_lineno}, in {code.co_qualname}"


def code_called(value: Any) -> types.CodeType | None:
    """Return the code that a call of a value runs in the next frame, without a C function between the two."""
    function = function_called(value)
    return function.__code__ if function is not None else None


def function_called(value: Any) -> types.FunctionType | None:
    """Return the function that a call of a value runs in the very next frame, or None where that is not known."""
    if type(value) is functools.partial:
        return function_called(value.func)
    if type(value) is types.MethodType:
        value = value.__func__
    if type(value) is types.FunctionType:
        return value
    kind = type(value)
    if callable(value) and not isinstance(value, type) and type(kind.__call__) is types.FunctionType:
        return kind.__call__
    return None


def state(home: Home, stack: Stack, count: int, root: Any, coins: Coins, kind: tuple[Any, ...], *roots: Any) -> Walk:
    """Return a walk whose key tells the state: of the `count` innermost frames, which a call of `root` made.

    `kind` and `roots` tell the draw in progress. From two states with one key the program goes on by one law.

    Raises: NotCaptured where it cannot be told whole; the line names the frame.
    """
    walk = Walk(home, coins)
    walk.tokens += kind
    for value in roots:
        walk.visit(value)
    called = stack.drawn
    for i in range(count):
        frame = stack.frames[i]
        try:
            _frame(walk, frame, called, stack.frames[i - 1] if i else None)
        except NotCaptured as error:
            raise NotCaptured(f"{place(frame)}: {error}") from None
        called = frame.f_code
    if code_called(root) is not called:
        raise NotCaptured(f"{place(stack.frames[count - 1])}: what called it is not known")
    _same_closure(root, stack.frames[count - 1])
    walk.visit(root)
    return walk


def _same_closure(callee: Any, running: types.FrameType | None) -> None:
    """Raise NotCaptured if what a name means now is not the function whose frame is running, but one of the same code.

    Where it means another by now, as when a method exchanges the function that it was called as, the two differ in
    their closures, or in nothing that the frame that is running can still ask.
    """
    function = function_called(callee)
    if running is None or function is None or not function.__closure__:
        return
    variables = running.f_locals
    for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
        try:
            same = cell.cell_contents is variables[name]
        except (ValueError, KeyError):
            same = False
        if not same:
            raise NotCaptured(f"what it calls has another {name!r} in its closure by now")


def _frame(walk: Walk, frame: types.FrameType, called: types.CodeType, below: types.FrameType | None = None) -> None:
    """Add a frame to a walk, and what it calls: a value that runs the code `called`, in the frame `below`."""
    home = walk.home
    analysis = home.analysis(frame.f_code)
    site = analysis.site(frame.f_lasti)
    variables = frame.f_locals
    callee = resolve(site.callee, frame, variables)
    if code_called(callee) is not called or type(callee) is functools.partial:
        raise NotCaptured("a function in C, or one that is not known, is being called")
    _same_closure(callee, below)
    live = set(site.live)
    walk.tokens += ("frame", home.address(frame.f_code), analysis.start(frame.f_lasti))
    for item in site.below:
        _below(walk, item, frame, variables, live)
    code = frame.f_code
    live.update(code.co_cellvars)
    live.difference_update(code.co_freevars)  # the function's closure has them
    for name in sorted(live):
        walk.tokens.append(name)
        if name in variables:
            try:
                walk.visit(variables[name])
            except NotCaptured as error:
                raise NotCaptured(f"{name!r}: {error}") from None
        else:
            walk.tokens.append("unbound")
    for name, value in variables.items():
        if name not in live and thrown_away(value):
            raise NotCaptured(f"{name!r} does something when it is thrown away")
    walk.visit(callee)


def thrown_away(value: Any) -> bool:
    """Whether dropping a value, or one that it alone may hold, may run code; true if it is too large to tell."""
    pending, met = [value], {id(value)}
    while pending:
        item = pending.pop()
        if type(item) in SUSPENDED or hasattr(type(item), "__del__") or len(met) > MOST_HELD:
            return True
        if isinstance(item, (Coins, Lazy, type)):  # kept elsewhere as well
            continue
        if type(item) in CONTAINERS or type(item).__flags__ & HEAP_TYPE:
            parts = [part for part in gc.get_referents(item) if gc.is_tracked(part) and id(part) not in met]
        else:
            parts = [*(item.__closure__ or ())] if type(item) is types.FunctionType else []
        met.update(map(id, parts))
        pending += parts
    return False


def _below(walk: Walk, item: Item, frame: types.FrameType, variables: Any, live: set[str]) -> None:
    """Add a value that lies on the stack below the call."""
    match item:
        case ("null",) | ("self",) | ("const", _):
            return
        case ("fast", name):
            live.add(name)
            return
        case ("global", _) | ("deref", _) | ("attr", ("fast" | "global", _), _):
            if item[0] == "attr":
                _below(walk, item[1], frame, variables, live)
            value = resolve(item, frame, variables)
            if isinstance(value, FIXED) and _stays(walk.home, item, frame, variables):
                walk.visit(value)
                return
    raise NotCaptured(item[1] if item[0] == "?" else "a value computed before the call is on the stack")


def _stays(home: Home, item: Item, frame: types.FrameType, variables: Any) -> bool:
    """Whether a load on the stack would give now what it gave then: nothing that was executed assigns to it."""
    match item:
        case ("deref", name):
            return name in frame.f_code.co_cellvars  # assigned once, or the frame is not captured at all
        case ("attr", base, name):
            owner = resolve(base, frame, variables)
            own = not isinstance(owner, (type, types.ModuleType)) and name in getattr(owner, "__dict__", ())
            home.trusted.add(name)
            return not own and name not in home.stored
        case ("global", name):
            home.trusted.add(name)
            return name not in home.stored
    return True


def resolve(item: Item, frame: types.FrameType, variables: Any) -> Any:
    """Return what a load gives now, without running the program's code.

    Raises: NotCaptured where that is not known.
    """
    missing = NotCaptured("what it calls is not known from its bytecode")
    match item:
        case ("fast" | "deref", name) if name in variables:
            return variables[name]
        case ("global", name):
            if name in frame.f_globals:
                return frame.f_globals[name]
            if hasattr(builtins, name):
                return getattr(builtins, name)
        case ("attr", base, name):
            owner = resolve(base, frame, variables)
            found = _attribute(owner, name)
            if found is not None:
                return found
    raise missing


def _attribute(owner: Any, name: str) -> Any:
    """Return an attribute without running code of the object; None where it is computed or absent."""
    if type(owner) is types.ModuleType:
        return vars(owner).get(name)
    if not isinstance(type(owner).__getattribute__, types.WrapperDescriptorType):
        return None
    kinds = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    found = next((vars(kind)[name] for kind in kinds if name in vars(kind)), None)
    if not isinstance(owner, type):
        if type(found) is types.MemberDescriptorType:
            try:
                return found.__get__(owner)
            except AttributeError:
                return None
        if found is None or type(found) is types.FunctionType:
            try:
                own = object.__getattribute__(owner, "__dict__")
            except AttributeError:
                own = {}
            found = own.get(name, found)
    if isinstance(found, (staticmethod, classmethod)):
        return found.__func__
    return None if hasattr(type(found), "__get__") and type(found) is not types.FunctionType else found
