"""Functions of `math` and numpy that ideal noise has rules of its own for: logarithms, exponentials, rounding."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains import parameter
from dpcert.reading.domains.forms import Form, data_of, number, refuse
from dpcert.reading.domains.kinds import kinds_after, twins
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.operators import binary
from dpcert.reading.values import SCALARS, Value
from dpcert.reading.whitelist import RULES

Rule = Callable[..., Value]
NO_LOGARITHM = "a logarithm of a noisy number that is not uniform between 0 and 1 is not followed"


def logarithm(function: Any) -> Rule:
    """The rule for `log`, of Python or numpy: of uniform noise it is noise."""

    def rule(m: Any, value: Value, *base: Value, **settings: Value) -> Value:
        noisy = is_ideal(value) and isinstance(data_of(value), Form) and data_of(value).terms
        if not noisy or base or settings:
            return usual(m, function, value, *base, **settings)
        data = data_of(value)
        name, sign = m.world.known.logarithm_of(dict(data.terms), data.offset)
        return number(m.world, Form(kinds_after(function, twins(data.kinds)), ((name, sign),), 0))

    return rule


def logarithm_of_more(function: Any, log: Rule) -> Rule:
    """The rule for `log1p`: the logarithm of 1 more."""

    def rule(m: Any, value: Value, *base: Value, **settings: Value) -> Value:
        if not is_ideal(value) or base or settings:
            return usual(m, function, value, *base, **settings)
        return log(m, binary(m, "add", False, value, 1))

    return rule


def exponential(function: Any, name: str) -> Rule:
    """The rule for `exp` and `expm1`, which keep what a number is written as."""

    def rule(m: Any, value: Value, *more: Value, **settings: Value) -> Value:
        plain = value.__class__ in SCALARS and exactly(value) is not None and value.__class__ is not bool
        if more or settings or not (plain or (is_ideal(value) and not isinstance(data_of(value), Form))):
            return usual(m, function, value, *more, **settings)
        return parameter.exponential(m.world, name, function, value)

    return rule


def usual(m: Any, function: Any, *args: Value, **settings: Value) -> Value:
    """What the table's rule of a function gives."""
    rule = RULES.get(id(function))
    return rule(m, *args, **settings) if rule is not None else refuse(f"{function.__name__} is not followed")


def rounded(function: Any, step: str) -> Rule:
    """The rule for a function of numpy that rounds a number."""

    def rule(m: Any, value: Value, *more: Value, **settings: Value) -> Value:
        if not is_ideal(value) or more or settings:
            return usual(m, function, value, *more, **settings)
        found = domain.then(value, step)
        return domain.then(found, "np", "d") if is_ideal(found) else found

    return rule


def rules_of_functions() -> dict[int, Rule]:
    """The rules for functions, by the ids of what they are for."""
    numpy: Any = sys.modules.get("numpy")
    found: list[tuple[Any, Rule]] = []
    for module in (math, *([] if numpy is None else [numpy])):
        log = logarithm(module.log)
        found += [(module.log, log), (module.log1p, logarithm_of_more(module.log1p, log))]
        found += [(module.exp, exponential(module.exp, "exp")), (module.expm1, exponential(module.expm1, "expm1"))]
    if numpy is not None:
        for name, step in (("rint", "round"), ("floor", "floor"), ("ceil", "ceil"), ("trunc", "int")):
            found.append((getattr(numpy, name), rounded(getattr(numpy, name), step)))
    return {id(host): rule for host, rule in found}
