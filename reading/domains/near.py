"""Steps of chains that lie between two bounds: functions of the C library and numpy, of which no standard says more.

A machine's `log` need not rise where the logarithm does. But it lies between two bounds that rise, and so does what
monotone steps make of it (`reading/floats/enclosed.py`). Where both bounds answer a question alike, so does the
machine. The draws at which they do not are few and next to each other: there the machine's own functions are asked.
"""

import math
import operator
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy

from dpcert.mechanisms.exact.lazy import image, spread
from dpcert.reading.domains.steps import MOST, PLACED, STEPS, order
from dpcert.reading.errors import Refused, words
from dpcert.reading.floats.accuracy import REALS, power_of, power_to
from dpcert.reading.floats.enclosed import LARGE, Enclosed, Question
from dpcert.reading.values import Draw, Undecided, Value

UNARY, OF, MIRRORED, TO = "", "x ** c", "(-x) ** c", "c ** x"
"""What a power is a function of; of `MIRRORED` numbers are the opposite."""
CALLS: dict[str, Callable[..., Any]] = {
    **{f"math.{name}": getattr(math, name) for name in REALS if hasattr(math, name)},
    **{f"numpy.{name}": getattr(numpy, name) for name in REALS if hasattr(numpy, name)},
    "numpy.arctan": numpy.arctan,
    "numpy.arcsinh": numpy.arcsinh,
    "math.pow": math.pow,
    "float ** float": operator.pow,
    "numpy.float64 ** float": operator.pow,
    "numpy.power": numpy.power,
    "numpy.float_power": numpy.float_power,
}
REAL_NAMES = {"arctan": "atan", "arcsinh": "asinh"}


@lru_cache(maxsize=1 << 10, typed=True)
def enclosed(name: str, mode: str, c: Any) -> Enclosed:
    """The step that a function is, or a power with a constant, which is a float."""
    call = CALLS[name]
    if mode == OF:
        return Enclosed(name, lambda v: call(v, c), power_of(float(c)))
    if mode == MIRRORED:
        return Enclosed(name, lambda v: call(-v, c), power_of(float(c), mirrored=True))
    if mode == TO:
        return Enclosed(name, lambda v: call(c, v), power_to(float(c)))
    own = name.partition(".")[2]
    return Enclosed(name, call, REALS[REAL_NAMES.get(own, own)])


STEPS["near"] = lambda v, by: enclosed(*by)(v)


class _Step:
    """A step that is monotone by IEEE 754; of a part of the line alone where it has a `side`."""

    __slots__ = ("by", "call", "side")

    def __init__(self, step: str, by: Value) -> None:
        self.call, self.by = STEPS[step], by
        self.side = SIDES[step](by) if step in SIDES else None

    def __call__(self, v: Any) -> Any:
        return self.call(v, self.by)

    def bounds(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Bounds of the step on what of [a, b] is on its side."""
        if self.side is None:
            return self(a), self(b)
        low, high = self.side
        ends = [max(-LARGE, min(LARGE, float(self(type(x)(max(low, min(high, x))))))) for x in (a, b)]
        return min(ends), max(ends)


SIDES: dict[str, Callable[[Any], tuple[float, float]]] = {
    **dict.fromkeys(("sqrt", "np.sqrt", "abs"), lambda by: (0.0, LARGE)),
    "over": lambda by: (5e-324, LARGE) if by[1] else (-LARGE, -5e-324),
}
"""The part of the line on which a step is monotone, where it is not so everywhere."""


ROUNDS = frozenset(words("floor ceil round int floordiv np rint trunc np.floor np.ceil np.trunc digits np.round pick"))
"""The steps after which a number may have few values."""


def is_near(number: Undecided) -> bool:
    """Whether some step of a number is known by bounds alone."""
    return any(step == "near" for step, _ in number.chain)


def _steps(number: Undecided) -> tuple[Any, ...]:
    first = (PLACED[number.draw.kind],) if number.draw.kind in PLACED else ()
    return (*first, *(enclosed(*by) if step == "near" else _Step(step, by) for step, by in number.chain))


def cuts(number: Undecided, *tests: Callable[[Any], bool]) -> list[int]:
    """The places of a draw at which one of some tests has another answer than one place before.

    Requires: each test asks on which side of some number a number is.
    Raises: Refused where bounds leave too many places open, and for a function that is seen to be outside of them.
    """
    draw, steps = number.draw, _steps(number)
    questions = [Question(draw.lo, draw.hi - 1, steps, test) for test in tests]
    return sorted({place + 1 for question in questions for place in question.turns()})


def values_cut(number: Undecided) -> list[int]:
    """The places of a draw at which a number has another value than one place before.

    Raises: Refused where there are more than `MOST` values.
    """
    draw = number.draw
    names = " and ".join(by[0] for step, by in number.chain if step == "near")
    many = Refused(f"{names} of a draw of many values is needed as a plain number; compare it, or round it")
    if draw.hi - draw.lo > MOST and not any(step in ROUNDS for step, _ in number.chain):
        raise many
    found: list[int] = []
    parts = [(draw.lo, draw.hi)]
    while parts:
        a, b = parts.pop()
        part = Undecided(Draw(a, b, draw.kind), number.chain)
        value = order(image(_steps(part), a))
        # a number equals the value exactly where both tests hold, and each of them asks on which side of it a number is
        inner = cuts(part, partial(_stands, operator.le, value), partial(_stands, operator.ge, value))
        parts += [*pairwise([a, *inner, b])] if inner else []
        found += inner
        if len(found) > MOST:
            raise many
    return sorted(found)


def _stands(sign: Callable[[Any, Any], bool], value: Any, other: Any) -> bool:
    return sign(order(other), value)


def bounds(number: Undecided) -> tuple[Any, Any]:
    """Numbers between which all lies that a number may be, in order.

    Raises: ArithmeticError or ValueError where a bound leads out of a function's domain.
    """
    found: tuple[Any, Any] = spread(_steps(number), number.draw.lo, number.draw.hi - 1)
    return found
