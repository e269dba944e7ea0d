"""What a function takes beside its input: coins, a generator of `random` or numpy, or nothing."""

import dis
import functools
import inspect
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

COINS, RNG, RANDOM, STATE, NOTHING = "coins", "rng", "random", "state", "nothing"
WORDS = {
    RNG: "a numpy Generator",
    RANDOM: "a random.Random",
    STATE: "a numpy RandomState",
    COINS: "coins, as of dpcert.system_coins()",
}
"""The argument beside the input, in words."""
ANNOTATED = {"Random": RANDOM, "Generator": RNG, "RandomState": STATE, "Coins": COINS, "SystemRandom": COINS}
OF_NO_GENERATOR = re.compile(r"\b(typing|abc|collections\.abc)\.(Async)?Generator\b")


def taken(function: Callable[..., Any], grid: Iterable[str] = ()) -> str:
    """Return what a function takes beside its input and the parameters of a grid.

    The second parameter shows it by its annotation, else by the methods that the function calls on it, else by its
    name: `rng` is a numpy Generator, any other name is coins. The name `coins` means coins, whatever the annotation.
    A second parameter of another name that has a default, such as 1.0, is a setting.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return COINS
    try:
        signature.bind(None, None, **dict.fromkeys(grid))
    except TypeError:
        return NOTHING
    second = next(iter(list(signature.parameters.values())[1:2]), None)
    if second is None or second.name == "coins":
        return COINS
    named = _annotated(second.annotation)
    if named is None and second.name != "rng" and second.default not in (inspect.Parameter.empty, None):
        return NOTHING
    if named is None and (asked := asked_of(function, second.name)) is not None:
        return ANNOTATED[asked[0].__name__]
    return named or (RNG if second.name == "rng" else COINS)


def guessed(function: Callable[..., Any], takes: str) -> str | None:
    """Return in words why a function gets a generator that only its calls show; None where it gets another thing."""
    if takes in (COINS, NOTHING):
        return None
    second = list(inspect.signature(function).parameters.values())[1]
    asked = None if _annotated(second.annotation) else asked_of(function, second.name)
    return asked and f"{second.name} is {WORDS[takes]}, as {asked[1]} asks for one; an annotation says so for certain"


def as_if(program: Callable[..., Any], function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Return a program with the parameters and the name of a function, or with another name."""
    functools.update_wrapper(program, function, assigned=("__module__", "__name__", "__doc__"), updated=())
    program.__name__ = program.__qualname__ = str(name or getattr(function, "__name__", type(function).__name__))
    return program


def handed(function: Callable[..., Any], takes: str) -> str:
    """Return in words what a function gets beside its input, by its parameter's name where it is known."""
    if takes == NOTHING:
        return "it is handed the input alone"
    try:
        name = list(inspect.signature(function).parameters)[1]
    except (TypeError, ValueError, IndexError):
        return f"it is handed {WORDS[takes]}"
    return f"{name} is {WORDS[takes]}"


def plain(takes: str, coins: Coins) -> tuple[Any, ...]:
    """Return the arguments beside the input on a plain run: a real generator, seeded by coins; coins; or none."""
    if takes == NOTHING:
        return ()
    if takes == COINS:
        return (coins,)
    if takes == RANDOM:
        return (random.Random(coins.getrandbits(256)),)
    import numpy.random

    return (
        numpy.random.default_rng(coins.getrandbits(128))
        if takes == RNG
        else numpy.random.RandomState(coins.getrandbits(32)),
    )


def _annotated(annotation: Any) -> str | None:
    """Return the source of randomness that an annotation names, a class or a text, also inside `Random | None`."""
    if annotation is inspect.Parameter.empty:
        return None
    text = str(annotation)
    if isinstance(annotation, type):
        text = f"{annotation.__module__}.{annotation.__qualname__}"
    words = re.findall(r"\w+", OF_NO_GENERATOR.sub("", text))
    return next((ANNOTATED[word] for word in words if word in ANNOTATED), None)


_DRAWS = (
    "betavariate binomialvariate choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate "
    "paretovariate randbytes randrange sample vonmisesvariate weibullvariate"
)
ONLY_RANDOM = frozenset(_DRAWS.split())
"""Methods of `random.Random` that draw, and that no generator of numpy has ever had."""
NAMED = re.compile(r"rng|rand|gen")
"""A part of the names that programmers give to generators."""
MOST = 200
"""The most code objects that are read for one function."""


def asked_of(function: Callable[..., Any], parameter: str) -> tuple[type, str] | None:
    """Return the class of the generator that a parameter without an annotation must be, and the place that shows it.

    Return None where coins have every method that is called; for a parameter `rng`, where a numpy generator has them.
    The search follows names from the function to functions and classes of its module and of imported modules.
    """
    taken = [method for code in _codes(function) for method in _methods(code, parameter)]
    kind: type = random.Random
    where = [place for name, place in taken if name in ONLY_RANDOM and NAMED.search(parameter)]
    if parameter != "rng" and (lacking := [place for name, place in taken if not hasattr(Coins, name)]):
        import numpy.random

        kind, where = numpy.random.Generator, lacking
    return (kind, where[0]) if where and all(hasattr(kind, name) for name, _ in taken) else None


def _codes(function: Callable[..., Any]) -> Iterator[CodeType]:
    """Yield the code of a function, and the code of the functions that it may call."""
    waiting: list[Any] = [function]
    seen: set[int] = set()
    while waiting and len(seen) < MOST:
        value = inspect.unwrap(waiting.pop(0)) if callable(waiting[0]) else waiting.pop(0)
        if isinstance(value, type) and value.__module__.partition(".")[0] not in sys.stdlib_module_names:
            waiting += [part for part in vars(value).values() if isinstance(part, FunctionType)]
        if not isinstance(value, FunctionType) or id(value.__code__) in seen:
            continue
        if value.__module__.partition(".")[0] in {*sys.stdlib_module_names, "numpy", "dpcert"}:
            continue
        codes = [value.__code__]
        while codes:
            code = codes.pop()
            seen.add(id(code))
            yield code
            codes += [part for part in code.co_consts if isinstance(part, CodeType)]
            waiting += _named(code, value)


def _named(code: CodeType, function: FunctionType) -> Iterator[Any]:
    """Yield the values that code may use: globals that it names, members of named modules, variables of a closure."""
    space = function.__globals__
    for name in code.co_names:
        value = space.get(name)
        if isinstance(value, ModuleType):
            yield from (vars(value)[member] for member in code.co_names if member in vars(value))
        elif value is not None:
            yield value
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing is in it yet
            continue


def _methods(code: CodeType, parameter: str) -> Iterator[tuple[str, str]]:
    """Yield each attribute that code takes of the parameter, or of a name like a generator's, and where, in words."""
    chain: list[str] = []
    for step in dis.get_instructions(code):
        if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")):
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            chain = [str(names[-1])]
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and chain:
            owner = chain[1:] if chain[0] == "self" else chain
            name = str(step.argval)
            if len(owner) == 1 and (owner[0] == parameter or NAMED.search(owner[0])):
                line = (step.positions and step.positions.lineno) or code.co_firstlineno
                yield name, f".{name} ({Path(code.co_filename).name}, line {line})"
            chain.append(name)
        else:
            chain = []
