"""What numpy's generators draw on ideal noise, by numpy's own signatures; drawn arrays hold noisy numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.reading.border import from_host, to_host
from dpcert.reading.domains import parameter
from dpcert.reading.domains.forms import data_of, number
from dpcert.reading.domains.kinds import kind_named
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.ideal.draws import (
    Rule,
    about,
    below,
    binomial,
    bound,
    checked,
    draws,
    fresh,
    geometric,
    poisson,
    position,
    uniform,
)
from dpcert.reading.numpy.elementwise import spread
from dpcert.reading.numpy.following import applied, asarray, cast
from dpcert.reading.numpy.kinds import GENERATORS, SPARE
from dpcert.reading.numpy.memory import Call, elements, laid
from dpcert.reading.numpy.records import Array
from dpcert.reading.types_of import is_class
from dpcert.reading.values import Instance, List, Partial, Undecided, Value

Given = dict[str, Value]
CONTINUOUS: dict[str, Callable[[Given], list[Value]]] = {
    **dict.fromkeys(("laplace", "normal", "gumbel", "logistic"), lambda given: [given["loc"], given["scale"]]),
    "exponential": lambda given: [0.0, given["scale"]],
    **dict.fromkeys(("standard_exponential", "standard_normal", "randn"), lambda given: [0.0, 1.0]),
}
"""The methods that draw real noise, with its location and scale."""
LAWS = {"standard_exponential": "exponential", "standard_normal": "normal", "randn": "normal"}
INSTEAD = "draw laplace, normal, exponential, gumbel, logistic, uniform, geometric, poisson, binomial or choice"
TAKEN_FOR_GRANTED = {"dtype": np.float64, "method": "zig", "out": None}


def twin(value: Value) -> Any:
    """What stands for a parameter where numpy checks it."""
    if value.__class__ is Array:
        found = Call(twins=True).to_host(value).copy()
        if any(each.__class__ is Undecided for each in elements(value)):
            found[...] = np.reshape([parameter.stand_in(each) for each in elements(value)], found.shape)
        return found
    if value.__class__ in (List, tuple):
        return [twin(each) for each in (value if isinstance(value, tuple) else value.items)]
    if is_class(value):
        return value
    return parameter.stand_in(value) if not isinstance(value, (Instance, Partial)) else to_host(value)


def _seen(kind: Any, name: str, args: tuple[Value, ...], keywords: Given) -> Any:
    """What numpy itself returns for these parameters.

    Raises: Raises with its exception.
    """
    plain = [twin(each) for each in args]
    named = {key: twin(each) for key, each in keywords.items()}
    return checked((*args, *keywords.values()), getattr(SPARE[kind](), name), *plain, **named)


def shaped(m: Any, seen: Any, draw: Callable[..., Value], *given: Value) -> Value:
    """Draws of the shape of what numpy returned, each with its own parameters."""
    if not isinstance(seen, np.ndarray):
        found = draw(m, *(elements(each)[0] if each.__class__ is Array else each for each in given))
        return number(m.world, replace(data_of(found), kinds=(kind_named(seen),)))
    if seen.dtype.char not in "dlq":
        raise Refused(f"noise of {seen.dtype} is not followed")
    columns = [spread(_as_array(m, each), seen.shape) for each in given]
    rows = zip(*columns, strict=True) if columns else [()] * seen.size
    return laid([cast(draw(m, *row), seen.dtype) for row in rows], seen)


def _as_array(m: Any, value: Value) -> Value:
    return applied(m, np.asarray, asarray, (value,), {}) if value.__class__ in (List, tuple) else value


def by_parameters(m: Any, seen: Any, columns: list[Value]) -> List:
    """The parameters of each draw in what numpy returned for them."""
    spreads = [spread(_as_array(m, each), seen.shape) for each in columns]
    return List([*zip(*spreads, strict=True)] if spreads else [()] * seen.size)


def _filled(m: Any, host: Any, owner: Value, seen: Any, given: Given, *names: str) -> Value:
    """Draws from finitely many values in the place of each that numpy drew, by a loop; each has its own parameters."""
    rows = by_parameters(m, seen, [given[name] for name in names])
    others = {name: each for name, each in given.items() if name not in (*names, "size")}
    return call_act(m.prelude("filled"), (Partial(host, (owner,), others), rows, from_array(seen)))


def from_array(seen: Any) -> Array:
    """An array of the host's as one of the machine."""
    found: Array = Call().from_host(seen)
    return found


def _rule_of(kind: Any, name: str) -> Rule:
    host = vars(kind)[name]
    make = next(make for names, make in MADE if name in names)

    def rule(m: Any, *args: Value, **keywords: Value) -> Value:
        given = bound(host, args, keywords)
        owner = given.pop("self")
        draws(m, owner, (kind,))
        for key, only in TAKEN_FOR_GRANTED.items():
            if key in given and name not in ("integers", "randint") and given[key] is not only:
                raise Refused(f"{name} is called with another {key}, which is not followed")
        seen = _seen(
            kind, name, args[1:] if args else (), {key: each for key, each in keywords.items() if key != "self"}
        )
        return make(m, host, owner, name, seen, given)

    return rule


def _continuous(m: Any, host: Any, owner: Value, name: str, seen: Any, given: Given) -> Value:
    return shaped(m, seen, partial(about, LAWS.get(name, name)), *CONTINUOUS[name](given))


def _each(draw: Callable[..., Value], *names: str) -> Callable[..., Value]:
    """What makes the draws one by one, each with its own parameters of some names."""
    return lambda m, host, owner, name, seen, given: shaped(m, seen, draw, *(given[each] for each in names))


def _binomial(m: Any, host: Any, owner: Value, name: str, seen: Any, given: Given) -> Value:
    if isinstance(seen, np.ndarray):
        return _filled(m, host, owner, seen, given, "n", "p")
    return type(seen)(binomial(m, given["n"], given["p"]))


def _integers(m: Any, host: Any, owner: Value, name: str, seen: Any, given: Given) -> Value:
    low, high = (to_host(given[key]) if given[key] is not None else None for key in ("low", "high"))
    ends = [exactly(each) for each in (low, high) if each is not None]
    if any(each is None or each.denominator > 1 for each in ends):
        raise Refused("integers between arrays, or between what are no integers, are not followed")
    if isinstance(seen, np.ndarray):
        return _filled(m, host, owner, seen, given)
    first, last = (0, ends[0]) if high is None else ends
    count = int(last or 0) - int(first or 0) + bool(given.get("endpoint"))
    return from_host(type(seen)(int(first or 0) + below(m, count)))


def _choice(m: Any, host: Any, owner: Value, name: str, seen: Any, given: Given) -> Value:
    several = isinstance(seen, np.ndarray) and given["replace"] is not True and seen.size > 1
    items: Any = given["a"]
    if len(items.shape if items.__class__ is Array else np.shape(twin(items))) > 1:
        raise Refused("choice from an array of several axes is not followed")
    if isinstance(seen, np.ndarray) and not several:
        return _filled(m, host, owner, seen, given)
    if items.__class__ is not Array and items.__class__ not in (List, tuple):
        count = exactly(to_host(items))
        listed: Any = np.arange(int(count or 0))
    else:
        listed = Call().to_host(items)
    array = np.asarray(listed)
    weights = given["p"] if given["p"] is not None else List([1] * len(array))
    weights = List(elements(weights)) if weights.__class__ is Array else weights
    if several:
        if given.get("shuffle", True) is not True:
            raise Refused("choice without replacement and with shuffle=False is not followed")
        row = tuple([from_host(each) for each in array])
        return call_act(m.prelude("drawn_without_repeats"), (row, weights, from_array(seen)))
    return from_host(type(seen)(array[position(m, weights, summed=given["p"] is not None)]))


MADE: tuple[tuple[Any, Callable[..., Value]], ...] = (
    (CONTINUOUS, _continuous),
    (("random", "random_sample", "rand"), _each(lambda m: fresh(m, "uniform", None))),
    (("uniform",), _each(uniform, "low", "high")),
    (("geometric",), _each(geometric, "p")),
    (("poisson",), _each(poisson, "lam")),
    (("binomial",), _binomial),
    (("integers", "randint"), _integers),
    (("choice",), _choice),
)


def rules_of_numpy() -> dict[int, Rule]:
    """The rules for the generators of numpy, by the ids of what they are for; most methods are refused."""
    followed = [name for names, _ in MADE for name in names]
    found: dict[int, Rule] = {}
    for kind in GENERATORS:
        for name, host in vars(kind).items():
            if callable(host) and not name.startswith("_"):
                found[id(host)] = _rule_of(kind, name) if name in followed else _refused(kind, name)
    return found


def _refused(kind: Any, name: str) -> Rule:
    def rule(m: Any, *args: Value, **keywords: Value) -> Value:
        raise Refused(f"numpy.random.{kind.__name__}.{name} is not followed; {INSTEAD}")

    return rule
