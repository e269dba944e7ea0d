"""The steps of which chains are made: operations of Python and of numpy, and the types of the numbers on the way."""

import math
import operator
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcert.reading.domains import counts
from dpcert.reading.errors import words
from dpcert.reading.floats.accuracy import of_place
from dpcert.reading.numpy import kinds
from dpcert.reading.values import Value

UNIT = 1 << 53
MOST = 4096
"""The most values of a number that is decided."""
INTERVALS = frozenset({"int", "float"})
"""The kinds of draws that are intervals: of each of these, another with the same ends has the same law."""
MONOTONE = INTERVALS | {"hull", "weighted"}
"""The kinds of draws whose numbers rise with their places. A hull is any double between two; the values of a weighted
integer have masses of their own (`together.py`)."""
PLACED: dict[str, Callable[[int], Any]] = {"float": lambda place: place / UNIT, "hull": of_place}
"""What a place of a draw stands for, where that is not the place itself."""
PLAIN = frozenset({int, float, bool, Fraction})
FLOATS = kinds.FLOATS | {float}
FOLLOWED = PLAIN | kinds.WRAPPING | kinds.FLOATS
WHOLE = kinds.INTEGERS | {int}
TRUTHS = frozenset({bool, kinds.TYPES["?"]})
COMPARED = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name, None) or getattr(operator, f"{name}_")
    for name in words("add and floordiv lshift matmul mul mod or pow rshift sub truediv xor")
}
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def inverted(value: Any) -> Any:
    """What `~value` is, without the warning that CPython gives from 3.12 on where it is a truth value."""
    return ~int(value) if type(value) is bool else ~value


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "shift": operator.add,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "rsub": lambda v, by: by - v,
    "radd": lambda v, by: by + v,
    "rmul": lambda v, by: by * v,
    "neg": lambda v, by: -v,
    "invert": lambda v, by: inverted(v),
    "int": lambda v, by: int(v),
    "float": lambda v, by: float(v),
    "floor": lambda v, by: math.floor(v),
    "ceil": lambda v, by: math.ceil(v),
    "round": lambda v, by: round(v),
    "bits": lambda v, by: v.bit_length(),
    "item": lambda v, by: _python(v),
    "trunc": lambda v, by: math.trunc(v),
    "np": lambda v, by: kinds.TYPES[by](v),
    "search": lambda v, by: bisect_right(by, v),
    "2 - u - u": lambda v, by: 2.0 - v - v,
    "u + u": lambda v, by: v + v,
    "u / (1 - u)": lambda v, by: v / (1.0 - v),
    "pick": lambda v, by: by[int(v)],
    **COMPARED,
    "sum": counts.refuse,
}


def same(a: Value, b: Value) -> bool:
    """Whether two numbers have one type and the same bits."""
    if type(a) is not type(b) or a != b:
        return False
    if type(a) in kinds.SCALARS:
        return kinds.bits_of(a) == kinds.bits_of(b)
    return type(a) is not float or math.copysign(1, a) == math.copysign(1, b)


def order(value: Any) -> tuple[Any, float]:
    """Numbers by size, with -0.0 before 0.0."""
    return value, math.copysign(1, value) if type(value) in FLOATS else 0


def finite(value: Any) -> bool:
    """Whether a number is no infinity."""
    return type(value) not in FLOATS or math.isfinite(value)


def exactly(step: str, by: Value, value: Value) -> int:
    """What a step makes of a number, by Python's integers."""
    return int(STEPS[step](_python(value), _python(by)))


def _python(value: Any) -> Value:
    """A number of numpy's as one of Python's."""
    return value.item() if type(value) in kinds.SCALARS else value


def answer_in(chain: tuple[tuple[str, Value], ...]) -> tuple[tuple[str, Value], ...] | None:
    """The part of a chain that makes the last answer in it; None where there is none."""
    places = [place for place, (step, _) in enumerate(chain, 1) if step in COMPARED]
    return chain[: places[-1]] if places else None


def has_two_values(chain: tuple[tuple[str, Value], ...]) -> bool:
    """Whether a number is made of an answer, so that its values are those at its ends."""
    return answer_in(chain) is not None
