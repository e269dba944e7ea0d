"""Evidence that a generator which a program comes to hold between two laws is found, wherever it is put."""

from __future__ import annotations

import random
import types
from collections import deque
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from dpcert.reading.choice import Kept
from dpcert.reading.paths.held import Held

SOURCE = """
NUMBERS = [1, 2]
PLAIN = {"a": 1}
EMPTY = {}
NESTED = {"deep": ({"deeper": [{}]},)}
QUEUE = deque([1])
SPACE = SimpleNamespace(a=1)
PART = partial(print, [])

class Base:
    pass

class Holder(Base):
    shared = 1
    def __init__(self):
        self.own = 1
        self.table = {}

class Slotted:
    __slots__ = ("one",)

HOLDER, SLOTTED = Holder(), Slotted()

def closed():
    cell = None
    def inner():
        return cell
    def put(value):
        nonlocal cell
        cell = value
    return inner, put

INNER, PUT = closed()

def program(x, coins, given=([],), *, named=None):
    return 0

def foreign():
    return 0
foreign.__module__ = "elsewhere"
foreign.kept = []

class Foreign:
    kept = []
Foreign.__module__ = "elsewhere"
"""

PLACES: dict[str, Callable[[Any, Any], object]] = {
    "a new global": lambda own, it: vars(own).update(new=it),
    "a global": lambda own, it: vars(own).update(NUMBERS=it),
    "a list": lambda own, it: own.NUMBERS.append(it),
    "an item of a list": lambda own, it: own.NUMBERS.__setitem__(0, it),
    "a dict of atoms": lambda own, it: own.PLAIN.update(a=it),
    "an empty dict": lambda own, it: own.EMPTY.update(a=it),
    "deep within": lambda own, it: own.NESTED["deep"][0]["deeper"][0].update(a=it),
    "a deque": lambda own, it: own.QUEUE.append(it),
    "a namespace": lambda own, it: vars(own.SPACE).update(a=it),
    "a partial": lambda own, it: own.PART.args[0].append(it),
    "an attribute": lambda own, it: setattr(own.HOLDER, "own", it),
    "a new attribute": lambda own, it: setattr(own.HOLDER, "other", it),
    "a dict of an instance": lambda own, it: own.HOLDER.table.update(a=it),
    "a slot": lambda own, it: setattr(own.SLOTTED, "one", it),
    "a class": lambda own, it: setattr(own.Holder, "shared", it),
    "a new attribute of a class": lambda own, it: setattr(own.Holder, "other", it),
    "a base": lambda own, it: setattr(own.Base, "other", it),
    "a cell": lambda own, it: own.PUT(it),
    "a default": lambda own, it: own.program.__defaults__[0][0].append(it),
    "new defaults": lambda own, it: setattr(own.program, "__defaults__", (it,)),
    "a keyword's default": lambda own, it: own.program.__kwdefaults__.update(named=it),
    "new keywords' defaults": lambda own, it: setattr(own.closed, "__kwdefaults__", {"named": it}),
    "an attribute of a function": lambda own, it: setattr(own.program, "note", it),
    "another program's": lambda own, it: vars(own).update(program=partial(own.program, it)),
    "what becomes its own function": lambda own, it: (
        own.foreign.kept.append(it),
        setattr(own.foreign, "__module__", own.__name__),
    ),
    "what becomes its own class": lambda own, it: (
        own.Foreign.kept.append(it),
        setattr(own.Foreign, "__module__", own.__name__),
    ),
}


def module() -> Any:
    made = types.ModuleType("of_a_program")
    vars(made).update(deque=deque, SimpleNamespace=SimpleNamespace, partial=partial)
    types.FunctionType(compile(SOURCE, __file__, "exec"), vars(made))()
    return made


def found(held: Held, own: Any) -> list[Any]:
    return [item for item, _ in held.states([vars(own)], own.program)]


@pytest.mark.parametrize("place", PLACES)
def test_caught_a_generator_that_is_held_since_the_last_law(place: str) -> None:
    own, held, generator = module(), Held(), random.Random(7)
    assert found(held, own) == found(held, own) == []
    PLACES[place](own, generator)
    assert found(held, own) == found(Held(), own) == [generator]


def test_a_generator_is_told_by_its_state_each_time() -> None:
    own, held, generator = module(), Held(), random.Random(7)
    own.NUMBERS.append(generator)
    ((_, before),) = held.states([vars(own)], own.program)
    generator.random()
    ((_, after),) = held.states([vars(own)], own.program)
    assert before != after
    own.NUMBERS.clear()
    assert found(held, own) == []


def test_what_has_not_changed_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    own, held = module(), Kept().held
    found(held, own)
    monkeypatch.setattr(Held, "_search", None)
    assert found(held, own) == []


def test_a_search_that_did_not_end_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    own, held, generator = module(), Held(), random.Random(7)
    monkeypatch.setattr("dpcert.reading.paths.held.MOST_HELD", 3)
    found(held, own)
    monkeypatch.setattr("dpcert.reading.paths.held.MOST_HELD", 10_000)
    own.NUMBERS.append(generator)
    assert found(held, own) == [generator]
