"""Which generator a function asks for: a function that calls `rng.paretovariate` needs one of `random`."""

import dis
import inspect
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

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
