"""The rules for the types of numpy's scalars, called with a number: `np.float64(x)` and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from dpcert.reading.border import name_of, native
from dpcert.reading.domains import coins as domain
from dpcert.reading.errors import Refused
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.memory import Call
from dpcert.reading.numpy.records import Array
from dpcert.reading.types_of import type_of
from dpcert.reading.values import SCALARS, List, Undecided, Value
from dpcert.reading.whitelist import rule


def made(code: str, value: Value) -> Value:
    """A number as one of the type of a dtype's code; of an undecided one, undecided where that is followed.

    Raises: Ask.
    """
    kind = kinds.TYPES[code]
    if value.__class__ is not Undecided:
        return native(kind, (value,))
    if kind is numpy.bool_:
        if min(domain.ends(value)) < 0:
            return numpy.bool_(domain.compare(value, "!=", 0))
        value = domain.answer(value, ">", 0)
        return domain.then(value, "np", code) if value.__class__ is Undecided else numpy.bool_(value)
    if kind in kinds.INTEGERS or kind in kinds.FLOATS:
        return value if domain.kind_of(value) is kind else domain.then(value, "np", code)
    return native(kind, (domain.decide(value),))


def _rule_of(code: str) -> Callable[..., Any]:
    def make(m: Any, *value: Value) -> Value:
        if len(value) == 1 and value[0].__class__ in (Array, List, tuple):
            return Call().result(kinds.TYPES[code], value, {})
        if len(value) > 1 or any(each.__class__ not in SCALARS and each.__class__ is not Undecided for each in value):
            shown = " and ".join(f"a {name_of(type_of(each))}" for each in value)
            raise Refused(f"numpy.{kinds.TYPES[code].__name__} of {shown} is not followed; hand it one number")
        return made(code, *value) if value else native(kinds.TYPES[code], ())

    return make


for _code, _kind in kinds.TYPES.items():
    rule(_kind)(_rule_of(_code))
