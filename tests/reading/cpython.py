"""Runs modules of CPython's own tests by the machine and by CPython: `python cpython.py test_scope` prints both.

Each test is a program without draws, read in a process of its own.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import unittest
import warnings
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from cpython_case import Case

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import read_law

SECONDS = 5
Program = Callable[[Any, Coins], Any]


def classes(module: Any) -> list[Any]:
    """The classes of tests of a module; those that are `unittest.TestCase` by inheritance become cases of our own."""
    for each in unittest.TestCase.__subclasses__():
        if each.__module__.startswith("test."):
            each.__bases__ = tuple(Case if base is unittest.TestCase else base for base in each.__bases__)
    found = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    return [each for each in found if issubclass(each, Case) and not getattr(each, "__unittest_skip__", False)]


def program_of(kind: Any, name: str) -> Program:
    def program(n: Any, coins: Coins) -> str:
        try:
            case = kind()
            case.setUp()
            getattr(case, name)()
        except Exception as error:
            return type(error).__name__
        return "passes"

    return program


def programs(module: Any) -> Iterator[tuple[str, Any, Program]]:
    for kind in classes(module):
        for name in dir(kind):
            function = getattr(kind, name)
            skipped = getattr(function, "__unittest_skip__", False)
            if name.startswith("test") and type(function) is FunctionType and not skipped:
                yield f"{kind.__name__}.{name}", kind, program_of(kind, name)


def both(kind: Any, program: Program) -> tuple[str, str]:
    """What the machine and CPython make of a test: the machine first, for CPython may leave something behind."""
    kind.setUpClass()
    try:
        law = read_law(program, None).law
    except Unauditable as refusal:
        return f"refused: {refusal}", ""
    outcomes = [outcome for _, outcome, _ in law.weights()]
    return ", ".join(map(str, outcomes)), str(program(None, Coins(Plain(lambda bound: 0))))


def apart(work: Callable[[], Any]) -> Any:
    """What a function returns in a process of its own; None where that dies or takes too long."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            told = json.dumps(work()).encode()
            os.write(write, told[:4000])
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as into:
        written = into.read()
    os.waitpid(child, 0)
    return json.loads(written) if written else None


def main() -> None:
    warnings.simplefilter("ignore")
    found = {}
    for name in sys.argv[1:]:
        module = importlib.import_module(f"test.{name}")
        for test, kind, program in programs(module):
            found[f"{name}.{test}"] = apart(lambda kind=kind, program=program: both(kind, program))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
