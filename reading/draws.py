"""The rules for draws from the coins and from generators of the standard library, and for copies of values."""

from __future__ import annotations

import _random
import copy
import random
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.reading import prelude
from dpcert.reading.actions import Act, call_act
from dpcert.reading.border import name_of, native
from dpcert.reading.containers import index_of, plain
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Refused
from dpcert.reading.imports import GENERATORS
from dpcert.reading.operators import member
from dpcert.reading.types_of import type_of
from dpcert.reading.values import (
    COINS,
    SCALARS,
    Dict,
    Instance,
    List,
    Set,
    Undecided,
    Value,
)
from dpcert.reading.whitelist import rule

SEEDED = "a generator that is seeded draws what its seed says; make it without a seed"


def drawn_from(m: Any, owner: Value) -> None:
    """Note a draw from a generator, which is taken for fair coins where the program's randomness is.

    Raises: Refused for what is no generator, and for a program that is handed coins.
    """
    if owner is COINS:
        return
    if not isinstance(owner, Instance) or owner.cls not in GENERATORS:
        raise Refused("a method of a generator is called on something else")
    if m.pins.drawn is None:
        raise Refused("a generator is drawn from beside the coins; draw from the coins")
    m.pins.drawn.add(owner.origin)


@rule(random.Random.seed)
def _seed(m: Any, owner: Value, a: Value = None, version: Value = 2) -> None:
    if a is not None or m.pins.drawn is None or getattr(owner, "origin", 0) is not None:
        raise Refused(SEEDED)


@rule(Coins.below, Coins._randbelow, random.Random._randbelow)  # type: ignore[attr-defined]
def _below(m: Any, owner: Value, bound: Value) -> Value:
    drawn_from(m, owner)
    if bound.__class__ is Undecided:
        bound = domain.decide(bound)
    if bound.__class__ is not int or bound < 1:
        raise Refused("below() is called with other than an int of 1 or more")
    return m.draw(bound, "int")


@rule(Coins.random, _random.Random.random, random.SystemRandom.random)
def _uniform(m: Any, owner: Value) -> Value:
    drawn_from(m, owner)
    return m.draw(1 << 53, "float")


@rule(Coins.getrandbits, _random.Random.getrandbits, random.SystemRandom.getrandbits)
def _getrandbits(m: Any, owner: Value, bits: Value) -> Value:
    drawn_from(m, owner)
    count = index_of(bits)
    if type(count) is not int or count < 0:
        raise Refused("getrandbits() is called with other than an int of 0 or more")
    return m.draw(1 << count, "int")


@rule(Coins.bernoulli)
def _bernoulli(m: Any, owner: Value, p: Value) -> Value:
    chance = native(exact, (p, "probability"))
    if not 0 <= chance <= 1:
        raise Refused("bernoulli() is called with other than a probability")
    return call_act(m.prelude("less"), (m.draw(chance.denominator, "int"), chance.numerator))


@rule(random.Random.randrange)
def _randrange(m: Any, owner: Value, start: Value, stop: Value = None, step: Value = 1) -> Act:
    numbers = [None if each is None else member(each) for each in (start, stop, step)]
    if any(each.__class__ not in (int, bool, type(None), Undecided) for each in numbers):
        raise Refused("randrange() is called with other than ints")
    return call_act(m.prelude("randrange"), (owner, *numbers))


@rule(Coins.fold)
def _fold(m: Any, owner: Value, items: Value, state: Value, step: Value) -> Act:
    return call_act(m.prelude("fold"), (owner, items, state, step))


@rule(prelude.fresh)
def fresh(m: Any, value: Value, memo: dict[int, Value] | None = None) -> Value:
    """A copy of a value; with a memo, parts that are one object stay one, as `copy.deepcopy` leaves them."""
    kind = value.__class__
    if kind in SCALARS or kind is Undecided:
        return value
    if kind is tuple:
        return tuple([fresh(m, each, memo) for each in value])
    if memo is not None and id(value) in memo:
        return memo[id(value)]
    made: Any = List([]) if kind is List else Dict({}) if kind is Dict and value.kind is dict else None
    if kind is Set and plain(value.items.values()):
        made = Set(dict(value.items), value.frozen)
    if made is None:
        raise Refused(f"a copy of a {name_of(type_of(value))} is not followed")
    if memo is not None:
        memo[id(value)] = made
    if kind is List:
        made.items = [fresh(m, each, memo) for each in value.items]
    elif kind is Dict:
        made.items = {name: (fresh(m, key, memo), fresh(m, part, memo)) for name, (key, part) in value.items.items()}
    return made


rule(copy.deepcopy)(lambda m, value: fresh(m, value, {}))
