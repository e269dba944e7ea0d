"""Outcomes that hold noisy numbers, as plain data."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised, class_name, key
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.parts import Array, AsWritten, Noisy, Rounded
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.post import Post, at_floats


class Differs(Unauditable):
    """On floats the program does something else than on the numbers that they stand for."""


CLOSE = 1e-6


def leaves(value: Any) -> Iterator[Any]:
    """Yield the innermost parts of an outcome, noisy numbers among them."""
    if isinstance(value, (Noisy, Rounded)):
        yield value
    elif isinstance(value, (tuple, list, set, frozenset)):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, dict):
        for item in value.items():
            yield from leaves(item)
    elif isinstance(value, (Array, Raised)):
        yield from leaves(value.items if isinstance(value, Array) else value.args)
    else:
        names = getattr(type(value), "__dataclass_fields__", ())
        yield from () if names else (value,)
        for name in names:
            yield from leaves(getattr(value, name, None))


def noisy_parts(value: Any) -> Iterator[Noisy | Rounded]:
    """Yield the noisy numbers in an outcome."""
    return (part for part in leaves(value) if isinstance(part, (Noisy, Rounded)))


def with_parts(value: Any, replaced: Callable[[Any], Any]) -> Any:
    """Return an outcome with something else in place of each noisy number.

    Raises: Unauditable where one lies in anything else than a list, tuple, dict or array.
    """
    if isinstance(value, (Noisy, Rounded)):
        return replaced(value)
    if not is_noisy(value):
        return value
    if isinstance(value, Post):
        return Post(value.function, tuple(map(replaced, value.arguments)))
    if type(value) in (list, tuple):
        return type(value)([with_parts(part, replaced) for part in value])
    if type(value) is dict:
        return {name: with_parts(part, replaced) for name, part in value.items()}
    if isinstance(value, Array):
        return Array(value.shape, tuple(with_parts(part, replaced) for part in value.items))
    raise Unauditable(f"a noisy number released in a {type(value).__name__}")


def is_noisy(value: Any) -> bool:
    """Whether an outcome holds a noisy number."""
    return next(noisy_parts(value), None) is not None


def has_posts(paths: Iterable[Iterable[Path]]) -> bool:
    """Whether some path releases a function of noisy numbers."""
    return any(holds_post(path.outcome) for row in paths for path in row)


def holds_post(value: Any) -> bool:
    """Whether an outcome holds a function of noisy numbers."""
    if isinstance(value, Post):
        return True
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(holds_post, value))
    if isinstance(value, dict):
        return any(holds_post(part) for pair in value.items() for part in pair)
    names = () if isinstance(value, (Noisy, Rounded)) else getattr(type(value), "__dataclass_fields__", ())
    return any(holds_post(getattr(value, name, None)) for name in names)


def agree(ideal: Any, plain: Any, values: Mapping[int, float]) -> bool:
    """Whether an outcome in floats is that of a path, at these values of its variables."""
    if isinstance(ideal, (Noisy, Rounded)):
        exact = float(ideal.offset) + sum(float(c) * values.get(name, 0.0) for name, c in ideal.terms)
        if isinstance(ideal, Rounded):
            exact = float(ideal.factor) * math.floor(exact) + float(ideal.shift)
        return _is_number(plain) and _close(exact, float(plain))
    if isinstance(ideal, Post):
        try:
            return _is_number(plain) and _close(at_floats(ideal, values), float(plain))
        except (ArithmeticError, ValueError):
            return False
    if isinstance(ideal, float) and isinstance(plain, float):
        return key(float(ideal)) == key(float(plain))
    if isinstance(ideal, AsWritten):
        return _is_number(plain) and _close(float(ideal.exact.enclosed().mid()), float(plain))
    if isinstance(ideal, Fraction) and _is_number(plain):
        return _close(float(ideal), float(plain))
    if isinstance(ideal, Array):
        if not isinstance(plain, np.ndarray) or plain.shape != ideal.shape:
            return False
        return all(agree(a, b, values) for a, b in zip(ideal.items, plain.ravel(), strict=True))
    if type(ideal) is type(plain) and isinstance(ideal, (tuple, list)):
        return len(ideal) == len(plain) and all(agree(a, b, values) for a, b in zip(ideal, plain, strict=True))
    if type(ideal) is type(plain) is dict:
        return list(ideal) == list(plain) and all(agree(ideal[name], plain[name], values) for name in ideal)
    if isinstance(ideal, (bool, np.bool_)) and isinstance(plain, (bool, np.bool_)):
        return bool(ideal) == bool(plain)
    if isinstance(ideal, Raised) and isinstance(plain, Raised):
        return ideal.name == plain.name and agree(_told(ideal), _told(plain), values)
    try:
        return key(ideal) == key(plain)
    except Unauditable:
        return False


def _told(error: Raised) -> dict[str, Any]:
    return {"args": error.args, **dict(error.fields)}


@dataclass(slots=True)
class Told:
    """The floats that stand for numbers written with exponentials in the outcomes of a program, each for one number."""

    known: dict[float, Exact] = field(default_factory=dict)

    def near(self, exact: Exact, plain: Any) -> Any:
        """Return the float that stands for a number, in the type of one that is near to it.

        Raises: Unauditable where it stands for another one.
        """
        for x, other in self.known.items():
            if other.same(exact):
                return type(plain)(x)
        if float(plain) in self.known:
            raise Differs(UNTOLD)
        self.known[float(plain)] = exact
        return plain

    def need_apart(self, outcomes: Iterable[Any]) -> None:
        """Raises: Unauditable where an outcome holds another number that is such a float."""
        for outcome in outcomes if self.known else ():
            for leaf in leaves(outcome):
                number = exactly(leaf)
                known = None if number is None else self.known.get(float(number))
                if number is not None and known is not None and not known.same(Exact.of(number)):
                    raise Differs(UNTOLD)


UNTOLD = "it releases a number written with exponentials, and another one of which the float is the same"


def as_seen(ideal: Any, plain: Any, told_apart: Told) -> Any:
    """Return the outcome of a path with truth values, and numbers without noise, in the types of one in floats that
    agrees with it."""
    if isinstance(ideal, AsWritten):
        return told_apart.near(ideal.exact, plain)
    if isinstance(ideal, (bool, np.bool_, float)):
        return plain
    if isinstance(ideal, Fraction) and not isinstance(plain, Fraction) and ideal == exactly(plain):
        return abs(plain) if ideal == 0 else plain  # not -0.0, as floats are not looked at
    if type(ideal) is type(plain) and type(ideal) in (list, tuple):
        return type(ideal)([as_seen(a, b, told_apart) for a, b in zip(ideal, plain, strict=True)])
    if type(ideal) is type(plain) is dict:
        return {name: as_seen(ideal[name], plain[name], told_apart) for name in ideal}
    return ideal


Kind = tuple[str, Any]
"""The type of a number in words, and all that a caller sees of it: the dtype of an array, its width and its order."""


def types_seen(ideal: Any, plain: Any) -> Iterator[tuple[tuple[Any, ...], Kind]]:
    """Yield where in an outcome noisy numbers, arrays of them and numbers without noise are, each with the type that
    one in floats has there which agrees with it."""
    if isinstance(ideal, Raised):
        ideal, plain = _told(ideal), _told(plain)
    if isinstance(ideal, (Noisy, Rounded, Post, Fraction, AsWritten)):
        yield (), (class_name(type(plain)), None)
    elif isinstance(ideal, Array):
        yield (), array_kind(plain)
    elif isinstance(ideal, (list, tuple, dict)):
        for place in ideal if isinstance(ideal, dict) else range(len(ideal)):
            for rest, kind in types_seen(ideal[place], plain[place]):
                yield (place, *rest), kind


def array_kind(array: Any) -> Kind:
    """Return the type of an array."""
    dtype, order = array.dtype, "F" if array.flags.fnc else "C"
    return f"an array of {dtype} in order {order}", (dtype.str, dtype.char, order)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction, np.floating, np.integer)) and not isinstance(value, bool)


def _close(x: float, y: float) -> bool:
    return abs(x - y) <= CLOSE * (1 + abs(x) + abs(y))
