"""Functions of `math`, numpy and the prelude for which ideal noise has rules of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.reading import prelude
from dpcert.reading.border import native
from dpcert.reading.containers import rows
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains import deferred, guards, opaque, written
from dpcert.reading.domains.forms import Form, Guarded, Opaque, data_of, number, refuse
from dpcert.reading.domains.kinds import kinds_after, twins
from dpcert.reading.domains.noise import is_ideal, is_noisy
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.foreign import FOREIGN
from dpcert.reading.ideal import prelude_ideal
from dpcert.reading.ideal.draws import below, draws, position
from dpcert.reading.numpy import elementwise, prelude_draws
from dpcert.reading.numpy.following import cast, listed
from dpcert.reading.numpy.kinds import GENERATORS
from dpcert.reading.numpy.memory import Call, elements, laid
from dpcert.reading.numpy.records import Array, Buffer
from dpcert.reading.operators import binary, compare
from dpcert.reading.values import SCALARS, Undecided, Value
from dpcert.reading.whitelist import RULES

Rule = Callable[..., Value]


MOST_EXPONENTIALS = 1000
"""The most numbers of an array whose exponentials are followed as they are written."""


def _is_form(value: Value) -> bool:
    return is_ideal(value) and isinstance(data_of(value), (Form, Guarded)) and bool(data_of(value).terms)


def opaquely(m: Any, name: str, function: Any, value: Value) -> Value:
    """A function of a noisy number, as an opaque number."""
    return number(m.world, opaque.applied(m.world.known, name, function, data_of(value)))


def logarithm(function: Any, m: Any, value: Value) -> Value:
    """`log` of a noisy number: of uniform noise it is noise, which is clamped where the number is guarded."""
    data = data_of(value)
    if isinstance(data, Form) and not any(map(m.world.known.is_uniform, dict(data.terms))):
        return opaquely(m, "log", function, value)
    name, sign = m.world.known.logarithm_of(dict(data.terms), data.offset)
    noise = Form(kinds_after(function, twins(data.kinds)), ((name, sign),), 0)
    return number(m.world, guards.logarithm(data, noise) if isinstance(data, Guarded) else noise)


def _log(m: Any, value: Value, *base: Value) -> Value:
    if not base and _is_opaque(value):
        return opaquely(m, "log", math.log, value)
    return usual(m, math.log, value, *base) if base or not _is_form(value) else logarithm(math.log, m, value)


def _log1p(m: Any, value: Value) -> Value:
    return _log(m, binary(m, "add", False, value, 1)) if _is_form(value) else usual(m, math.log1p, value)


def _copysign(m: Any, size: Value, value: Value) -> Value:
    """The size with the sign of a noisy number, which is not zero."""
    if (
        not _is_form(value)
        or size.__class__ not in SCALARS
        or m.world.known.step(dict(data_of(value).terms)) is not None
    ):
        return usual(m, math.copysign, size, value)
    positive = compare(m, ">", value, 0)
    return usual(m, math.copysign, size, 1.0 if positive else -1.0)


def _is_opaque(value: Value) -> bool:
    return is_ideal(value) and isinstance(data_of(value), Opaque)


def _sqrt(m: Any, value: Value) -> Value:
    if _is_form(value) or _is_opaque(value):
        return opaquely(m, "sqrt", math.sqrt, value)
    return usual(m, math.sqrt, value)


def _hypot(m: Any, *values: Value) -> Value:
    if not all(_is_form(value) or _is_opaque(value) for value in values):
        return usual(m, math.hypot, *values)
    total: Value = 0
    for value in values:
        total = binary(m, "add", False, total, binary(m, "mul", False, value, value))
    return opaquely(m, "sqrt", math.sqrt, total) if values else 0.0


def exponential(function: Any, name: str) -> Rule:
    """The rule for `exp` and `expm1`, which keep what a number is written as."""

    def rule(m: Any, value: Value, *more: Value, **settings: Value) -> Value:
        if more or settings:
            return usual(m, function, value, *more, **settings)
        if name == "exp" and (_is_form(value) or _is_opaque(value)):
            return opaquely(m, name, function, value)
        plain = value.__class__ in SCALARS and exactly(value) is not None and value.__class__ is not bool
        if plain or written.told(value) is not value:
            return written.exponential(m.world, name, function, value)
        found = _exponentials(m, name, function, value) if function is not getattr(math, name) else None
        return usual(m, function, value) if found is None else found

    return rule


def _exponentials(m: Any, name: str, function: Any, value: Value) -> Value:
    """The exponentials of an array's numbers, as they are written; None where that is not followed."""
    array = listed(m, value)
    parts = elements(array) if hasattr(array, "shape") else []
    noisy = any(is_ideal(each) and written.told(each) is each for each in parts)
    if not 0 < len(parts) <= MOST_EXPONENTIALS or noisy or not m.world.known.meaning.meant:
        return None
    pattern = Call(twins=True).run(function, (array,), {})
    if pattern.dtype != float or not all(exactly(each) is not None or is_ideal(each) for each in parts):
        return None
    cells = [written.exponential(m.world, name, function, each) for each in parts]
    found = laid([cast(each, pattern.dtype) for each in cells], pattern)
    return found if pattern.shape else elements(found)[0]


def _guarded(m: Any, a: Value, b: Value) -> Value:
    """The greater one of a number and a guard; None where neither is one that is guarded."""
    for value, low in ((a, b), (b, a)):
        if is_ideal(value) and (found := guards.guarded(m.world.known, value, low, None)) is not None:
            return number(m.world, found)
    return None


def _max(m: Any, *args: Value, **keywords: Value) -> Value:
    found = _guarded(m, *args) if len(args) == 2 and not keywords else None
    return call_act(m.prelude("max_of"), args, keywords) if found is None else found


def usual(m: Any, function: Any, *args: Value, **settings: Value) -> Value:
    """What the table's rule of a function gives."""
    rule = RULES.get(id(function))
    return rule(m, *args, **settings) if rule is not None else refuse(f"{function.__name__} is not followed")


# -- what the prelude leaves to the machine


def _shaped(m: Any, items: Value, pattern: Value) -> Value:
    seen = Call().to_host(pattern)
    parts = rows(items)
    if parts is None:
        raise Refused("internal: what was drawn is no list")
    return laid([cast(each, seen.dtype) for each in parts], seen)


def _sum(m: Any, row: Value, start: Value) -> Value:
    """A sum of numbers, some of them noisy: in real arithmetic, its order does not matter."""
    items = rows(row) or []
    if not any(map(is_noisy, (start, *items))):
        found = native(sum, (row, start))
        meant = m.world.known.meaning.meant and any(map(is_ideal, (start, *items)))
        return written.sum_of(m.world, [start, *items], found) if meant else found
    for each in items:
        start = binary(m, "add", False, start, each)
    return start


def _below(m: Any, owner: Value, bound: Value) -> int:
    """An integer below a bound, for what is drawn in the prelude of numpy's generators.

    Raises: Ask.
    """
    draws(m, owner, GENERATORS)
    return below(m, bound)


def rules_of_functions() -> dict[int, Rule]:
    """The rules for functions, by the ids of what they are for."""
    found: list[tuple[Any, Rule]] = [
        (math.log, _log),
        (math.log1p, _log1p),
        (math.sqrt, _sqrt),
        (math.hypot, _hypot),
        (math.copysign, _copysign),
        (math.trunc, lambda m, value: domain.then(value, "int") if is_ideal(value) else usual(m, math.trunc, value)),
        (max, _max),
        *((module.exp, exponential(module.exp, "exp")) for module in (math, numpy)),
        *((module.expm1, exponential(module.expm1, "expm1")) for module in (math, numpy)),
        (prelude.native_sum, _sum),
        (prelude_draws.below, _below),
        (prelude_ideal.position, position),
        (prelude_ideal.shaped, _shaped),
    ]
    return {id(host): rule for host, rule in found}


def _method_of(name: str) -> Rule:
    """The rule for a method of a noisy number of numpy's: that of an array without axes."""

    def rule(m: Any, owner: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        (kind,) = data_of(owner).kinds
        whole = Array(Buffer([owner], kind), (), ())
        found = FOREIGN[Array].call(m, whole, name, args, keywords)
        return elements(found)[0] if found.__class__ is Array and found.shape == () else found

    return rule


def methods_on_noise() -> dict[str, Rule]:
    """The rules for methods of noisy numbers of numpy's, by their names."""
    return {
        name: _method_of(name) for name in ("item", "tolist", "astype", "copy", "round", "clip", "max", "min", "sum")
    }


def elements_on_noise() -> dict[Any, Rule]:
    """The rules for ufuncs of numpy, by element; the elements are of 64 bits."""

    def root(m: Any, value: Value) -> Value:
        return opaquely(m, "sqrt", numpy.sqrt, value) if is_noisy(value) else numpy.sqrt(domain.decide(value))

    def log(m: Any, value: Value) -> Value:
        if _is_opaque(value):
            return opaquely(m, "log", numpy.log, value)
        if not _is_form(value):
            return numpy.log(domain.decide(value))
        return logarithm(numpy.log, m, value)

    return {
        numpy.log: log,
        numpy.sqrt: root,
        numpy.exp: lambda m, value: opaquely(m, "exp", numpy.exp, value),
        numpy.power: lambda m, value, by: binary(m, "pow", False, value, by),
        numpy.absolute: lambda m, value: (domain.magnitude if _is_opaque(value) else deferred.absolute)(value),
        numpy.log1p: lambda m, value: log(m, binary(m, "add", False, value, 1)),
        numpy.rint: lambda m, value: domain.then(value, "round"),
        numpy.floor: lambda m, value: domain.then(value, "floor"),
        numpy.ceil: lambda m, value: domain.then(value, "ceil"),
        numpy.trunc: lambda m, value: domain.then(value, "int"),
        elementwise.CLIP: _clip,
        numpy.maximum: _maximum,
    }


def _maximum(m: Any, a: Value, b: Value) -> Value:
    found = _guarded(m, a, b)
    return elementwise.RULES[numpy.maximum](m, a, b) if found is None else found


def _clip(m: Any, value: Value, low: Value, high: Value) -> Value:
    """A noisy number between two bounds; that numpy tells 0.0 from -0.0, real arithmetic does not know."""
    bounds = [each for each in (low, high) if each.__class__ is not Undecided]
    if not is_ideal(value) or len(bounds) < 2 or any(each != each for each in bounds):
        return elementwise.RULES[elementwise.CLIP](m, value, low, high)
    if (found := guards.guarded(m.world.known, value, low, high)) is not None:
        return number(m.world, found)
    value = low if compare(m, "<", value, low) else value
    return high if compare(m, ">", value, high) else value
