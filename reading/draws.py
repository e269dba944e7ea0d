"""The rules for draws from the coins and from generators of the standard library, and for copies of values."""

from __future__ import annotations

import _random
import copy
import os
import random
from typing import Any, TypeGuard

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.reading import prelude
from dpcert.reading.border import name_of, native
from dpcert.reading.containers import index_of, plain
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Act, Refused, call_act
from dpcert.reading.imports import GENERATORS
from dpcert.reading.operators import member
from dpcert.reading.paths.entropy import watched_of
from dpcert.reading.types_of import type_of
from dpcert.reading.values import COINS, SCALARS, Dict, Instance, List, Set, Undecided, Value
from dpcert.reading.whitelist import rule

SEEDED = "a generator that is seeded draws what its seed says; make it without a seed"


def drawn_from(m: Any, owner: Value, *kinds: type) -> None:
    """Note a draw from a generator of one of some classes, taken for fair coins where the randomness of the program is.

    A method of one class draws from other bits on an object of another: nothing seeds those that `random.Random` keeps
    in a `SystemRandom`, or in coins, and they are all 0.

    Raises: Refused for what is no such generator, and for a generator in a program that is handed coins.
    """
    if not _is_of(owner, kinds):
        raise Refused("a method of a generator is called on something else")
    if owner is COINS:
        return
    if not m.pins.draws:
        raise Refused("a generator is drawn from beside the coins; draw from the coins")
    m.pins.drawn.add(owner.origin)


def _is_of(owner: Value, kinds: tuple[type, ...]) -> TypeGuard[Any]:
    kind = Coins if owner is COINS else owner.cls if isinstance(owner, Instance) else None
    return any(kind is each for each in kinds)


@rule(random.Random.seed)
def _seed(m: Any, owner: Value, a: Value = None, version: Value = 2) -> None:
    if a is not None or not m.pins.draws or not _is_of(owner, GENERATORS) or owner.origin is not None:
        raise Refused(f"random.seed: {SEEDED}")
    owner.edit()["gauss_next"] = None


def _below_of(*kinds: type) -> Any:
    """The rule of a method that draws an integer below a bound, from objects of some classes."""

    def below(m: Any, owner: Value, bound: Value) -> Value:
        drawn_from(m, owner, *kinds)
        if bound.__class__ is Undecided:
            bound = domain.decide(bound)
        if bound.__class__ is not int or bound < 1:
            raise Refused("below() is called with other than an int of 1 or more")
        return m.draw(bound, "int")

    return below


rule(Coins.below, Coins._randbelow)(_below_of(Coins))
rule(vars(random.Random)["_randbelow"])(_below_of(*GENERATORS))


def _rules_of(kind: type, host: Any) -> None:
    """Have the draws that a class defines be made from its own objects alone."""

    @rule(host.random)
    def uniform(m: Any, owner: Value) -> Value:
        drawn_from(m, owner, kind)
        return m.draw(1 << 53, "float")

    @rule(host.getrandbits)
    def getrandbits(m: Any, owner: Value, bits: Value) -> Value:
        drawn_from(m, owner, kind)
        count = index_of(bits)
        if type(count) is not int or count < 0:
            raise Refused("getrandbits() is called with other than an int of 0 or more")
        return m.draw(1 << count, "int")


for _kind, _host in ((Coins, Coins), (random.Random, _random.Random), (random.SystemRandom, random.SystemRandom)):
    _rules_of(_kind, _host)


@rule(os.urandom, *watched_of(os.urandom))
def _urandom(m: Any, size: Value) -> Act:
    if not m.pins.draws:
        raise Refused("os.urandom is drawn from beside the coins; draw from the coins")
    if size.__class__ is not int or size < 0:
        raise Refused("os.urandom() is called with other than an int of 0 or more")
    return call_act(m.prelude("to_bytes"), (m.draw(1 << 8 * size, "int"), size))


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
