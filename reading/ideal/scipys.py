"""The noise of `scipy.stats` on ideal noise: the distributions whose `rvs` draws it, frozen ones among them.

A distribution of the library is taken over by reference. Nothing of it is followed but `rvs`, and a call, which freezes
it: what it makes is an instance of the library's own class, whose methods in Python the machine reads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from dpcert.reading.border import from_host
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import FOREIGN, IMPORTED, Foreign
from dpcert.reading.ideal.draws import Rule, about, binomial, checked, draws, geometric, poisson
from dpcert.reading.ideal.libraries import two_sided
from dpcert.reading.ideal.numpys import by_parameters, from_array, shaped, twin
from dpcert.reading.led.names import SHARED
from dpcert.reading.numpy.kinds import GENERATORS, SPARE
from dpcert.reading.operators import binary
from dpcert.reading.values import Dict, Instance, Partial, Value
from dpcert.reading.values import Rule as Method

STATS: Any = sys.modules.get("scipy.stats")  # programs need this module only where that is loaded
CONTINUOUS = {
    "laplace": "laplace",
    "norm": "normal",
    "expon": "exponential",
    "uniform": "uniform",
    "gumbel_r": "gumbel",
    "logistic": "logistic",
}
"""Distributions of a location and a scale, with the laws of their noise."""


DISCRETE: dict[str, Callable[..., Value]] = {
    "geom": geometric,
    "poisson": poisson,
    "binom": binomial,
    "dlaplace": two_sided,
}
"""Distributions of other parameters and a location."""
NAMES: Iterable[str] = () if STATS is None else (*CONTINUOUS, *DISCRETE)
KINDS: dict[Any, str] = {type(getattr(STATS, name)): name for name in NAMES}
FROZEN: tuple[Any, ...] = tuple(
    getattr(STATS._distn_infrastructure, f"rv_{kind}_frozen") for kind in ("continuous", "discrete") if STATS
)


class Distributions(Foreign):
    """The rules of distributions."""

    name = "a distribution of scipy.stats"

    def take(self, importer: Any, value: Any, parent: int, step: str, name: Any) -> Value:
        """The distribution itself, pinned."""
        importer.pins.pin(value, parent, step, name)
        return value

    def type_of(self, value: Value) -> Value:
        """Its class."""
        return type(value)

    def attribute(self, m: Any, owner: Value, name: str) -> Value:
        """The method that draws."""
        return Method(name, owner) if name == "rvs" else self._refuse(name)

    def call(self, m: Any, owner: Value, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        """What `rvs` draws, on ideal noise alone."""
        if name != "rvs" or not hasattr(m, "world"):
            self._refuse(name)
        return drawn(m, owner, args, keywords)


for _kind in KINDS:
    FOREIGN[_kind] = IMPORTED[_kind] = Distributions()


def _names(owner: Any) -> list[str]:
    """The names of the parameters of `rvs`, in their order."""
    shapes = owner.shapes.split(", ") if owner.shapes else []
    return [*shapes, "loc", *(() if KINDS[type(owner)] in DISCRETE else ("scale",)), "size"]


def drawn(m: Any, owner: Any, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """What `rvs` of a distribution draws.

    Raises: Raises with the library's exception; Refused for a generator with a seed.
    """
    names, state = _names(owner), keywords.get("random_state")
    given = dict(zip(names, args, strict=False))
    named = {name: each for name, each in keywords.items() if name != "random_state"}
    if len(args) > len(names) or named.keys() & given.keys() or named.keys() - set(names):
        raise Refused("rvs is called with arguments that it does not take")
    given |= named
    kind = _noted(m, owner, state)
    plain = {name: twin(each) for name, each in given.items()}
    seen = checked(given.values(), owner.rvs, **plain, random_state=SPARE[kind]())
    given.pop("size", None)
    loc, name = given.pop("loc", 0), KINDS[type(owner)]
    if name in CONTINUOUS:
        return shaped(m, seen, partial(about, CONTINUOUS[name]), loc, given.get("scale", 1))
    if name == "binom" and isinstance(seen, np.ndarray):
        rows = by_parameters(m, seen, [given["n"], given["p"], loc])
        return call_act(m.prelude("filled"), (Partial(Method("rvs", owner), (), {}), rows, from_array(seen)))
    if name == "binom":
        return from_host(type(seen)(binomial(m, given["n"], given["p"]) + twin(loc)))
    return shaped(m, seen, _moved(DISCRETE[name]), loc, *given.values())


def _moved(draw: Callable[..., Value]) -> Callable[..., Value]:
    return lambda m, loc, *given: binary(m, "add", False, draw(m, *given), loc)


def _noted(m: Any, owner: Any, state: Value) -> Any:
    """Note that a distribution draws from a generator, and return its class."""
    if state is None:
        if owner._random_state is not SHARED["numpy.random"]:
            raise Refused("a distribution with a random_state, whose draws are fixed, is not followed")
        state = m.heap.take(SHARED["numpy.random"], m.pins.module("numpy.random.mtrand"), "attribute", "_rand")
    if not isinstance(state, Instance):
        raise Refused("a random_state with a seed, whose draws are fixed, is not followed")
    draws(m, state, GENERATORS)
    return state.cls


def _freeze(owner: Any) -> Rule:
    """The rule for a call of a distribution."""

    def rule(m: Any, *args: Value, **keywords: Value) -> Value:
        discrete = KINDS[type(owner)] in DISCRETE
        plain = {name: twin(each) for name, each in keywords.items()}
        checked((*args, *keywords.values()), owner, *(twin(each) for each in args), **plain)
        named = Dict({name: (name, each) for name, each in keywords.items()})
        return Instance(m.pins.builtin(FROZEN[discrete]), {"args": args, "kwds": named, "dist": owner})

    return rule


def rules_of_scipy() -> dict[int, Rule]:
    """The rules for distributions that are called, by the ids of these."""
    owners = (getattr(STATS, name) for name in NAMES)
    return {id(owner): _freeze(owner) for owner in owners}
