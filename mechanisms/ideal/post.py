"""Released functions of noisy numbers: which function of which numbers, as data.

A function is a nested tuple. Its leaves are ("of", rows, constant): the sum of c times the argument at each place, and
a constant. Its nodes are the name of an operation, and its operands. Of "pow", "round", "ranked" and "variance" the
last is an integer beside functions: a power, digits, a place from the least on, how many numbers fewer one divides by.
A post-processing that is the same function on two inputs tells no more than its arguments do.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.parts import Noisy

Function = Any


def _variance(numbers: Sequence[Any], count: int) -> Any:
    mean = sum(numbers) / len(numbers)
    return sum((each - mean) ** 2 for each in numbers) / count


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
    "abs": abs,
    "round": round,
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "ranked": lambda *numbers: sorted(numbers[:-1])[numbers[-1]],
    "variance": lambda *numbers: _variance(numbers[:-1], len(numbers) - 1 - numbers[-1]),
}
"""Each operation with its function of numbers."""
RATIONAL = frozenset({"add", "sub", "mul", "truediv", "pow", "neg", "abs", "variance"})
"""The operations that make rational numbers of rational ones."""


@dataclass(frozen=True, slots=True)
class Post:
    """A released number: a function of noisy numbers, none of which is a sum of multiples of the others."""

    function: Function
    arguments: tuple[Noisy, ...]


def value_of(function: Function, arguments: Sequence[Any]) -> Any:
    """Return a function's value for arguments: an exact number for such, if its operations are all RATIONAL.

    Raises: ArithmeticError or ValueError where it has no value.
    """
    name, *parts = function
    if name == "of":
        rows, constant = parts
        return sum((c * arguments[place] for place, c in rows), constant)
    found = [value_of(part, arguments) if isinstance(part, tuple) else part for part in parts]
    return OPERATIONS[name](*found)


def at_floats(post: Post, values: Mapping[int, float]) -> float:
    """Return a released function in floats, at these values of its variables.

    Raises: ArithmeticError or ValueError where it has no value.
    """
    arguments = [
        float(part.offset) + sum(float(c) * values.get(name, 0.0) for name, c in part.terms) for part in post.arguments
    ]
    return float(value_of(_in_floats(post.function), arguments))


def _in_floats(function: Function) -> Function:
    if function[0] == "of":
        return "of", tuple((place, float(c)) for place, c in function[1]), float(function[2])
    return tuple(_in_floats(part) if isinstance(part, tuple) else part for part in function)


def is_rational(function: Function) -> bool:
    """Whether all operations of a function make rational numbers of rational ones."""
    name, *parts = function
    return name == "of" or (name in RATIONAL and all(is_rational(part) for part in parts if isinstance(part, tuple)))


def is_injective(function: Function) -> bool:
    """Whether a function of one argument has no value twice where it is defined."""
    name, *parts = function
    match name, parts:
        case "of", (((_, _),), _):
            return True
        case (("neg" | "log" | "exp" | "sqrt"), (inner,)):
            return is_injective(inner)
        case "pow", (inner, power):
            return power % 2 == 1 and is_injective(inner)
        case (("add" | "sub" | "mul" | "truediv"), (left, right)):
            first, second = constant_in(left), constant_in(right)
            if (first is None) is (second is None):
                return False
            if name in ("mul", "truediv") and (second if first is None else first) == 0:
                return False
            return is_injective(left if first is None else right)
    return False


def constant_in(function: Function) -> Fraction | None:
    """Return the constant that a leaf is; None for all else."""
    return function[2] if function[0] == "of" and not function[1] else None
