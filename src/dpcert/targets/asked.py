"""Which generator a function asks for: the methods that it, and what it calls, take of parameters such as `rng`."""

import dis
import inspect
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

_DRAWS = (
    "betavariate binomialvariate choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate "
    "paretovariate randbytes randrange sample vonmisesvariate weibullvariate"
)
ONLY_RANDOM = frozenset(_DRAWS.split())
"""Methods of `random.Random` that draw, and that no generator of numpy has, of today or before."""
NAMED = re.compile(r"rng|rand|gen")
"""What the names of parameters have that are generators."""
MOST = 200
"""How many functions are read at the most."""


def asks_random(function: Callable[..., Any]) -> str | None:
    """Return where a function takes a method that only `random.Random` has, in words; None where it takes another's.

    Functions and classes are read that it names in its module, or of modules that it names there, and what these name.
    """
    found: str | None = None
    for code in _codes(function):
        for name, line in _methods(code):
            if name in ONLY_RANDOM:
                found = found or f".{name} ({Path(code.co_filename).name}, line {line})"
            elif not hasattr(random.Random, name):
                return None
    return found


def _codes(function: Callable[..., Any]) -> Iterator[CodeType]:
    """Yield the code of a function, and that of the functions that it may call."""
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
    """Yield what code names in its function's module, as members of modules too, and what the function closes on."""
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


def _methods(code: CodeType) -> Iterator[tuple[str, int]]:
    """Yield the attributes that code takes of what is named as generators are, and their lines."""
    chain: list[str] = []
    for step in dis.get_instructions(code):
        if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")):
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            chain = [str(names[-1])]
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and chain:
            owner = chain[1:] if chain[0] == "self" else chain
            if len(owner) == 1 and NAMED.search(owner[0]):
                positions = step.positions
                yield str(step.argval), (positions.lineno if positions else None) or code.co_firstlineno
            chain.append(str(step.argval))
        else:
            chain = []
