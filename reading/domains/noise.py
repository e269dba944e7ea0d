"""Ideal noise: undecided numbers that are linear forms of real random variables, and operations on them.

Arithmetic is that of real numbers. A comparison is a half-space: the answers on the machine's way decide it, or it is a
question. A result has the type that the real operator returns for plain numbers of the operands' types, and an
exception is the one that the real operator raises. All other operations are refused.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.terms import Number, divided, rational
from dpcert.reading.domains import guards, opaque, rounding, written
from dpcert.reading.domains.forms import (
    Clamped,
    Cut,
    Data,
    Form,
    Guarded,
    Opaque,
    Way,
    Whole,
    Written,
    data_of,
    number,
    refuse,
)
from dpcert.reading.domains.kinds import SINGLE, Kinds, answer, check_wide, kinds_after, results, twins, type_of
from dpcert.reading.domains.steps import BINARY, COMPARED, SWAPPED
from dpcert.reading.errors import Raises
from dpcert.reading.values import Undecided, Value, World

LINEAR = frozenset({"add", "sub", "mul", "truediv", "floordiv"})
NEEDED = "a noisy number is needed as a plain number; compare it, or release it as it is"
CUT = "a uniform number times an exponential is not followed"
CONVERSIONS: dict[str, Callable[..., Any]] = {
    "int": int,
    "trunc": math.trunc,
    "float": float,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "neg": lambda value: -value,
    "item": lambda value: value.item(),
}


def is_ideal(value: Value) -> bool:
    """Whether a value is a number on ideal noise."""
    return type(value) is Undecided and value.draw.kind == "ideal"


def is_noisy(value: Value) -> bool:
    """Whether a value is a number on ideal noise, other than an exponential with a plain value."""
    return is_ideal(value) and getattr(data_of(value), "value", None) is None


def world_of(*values: Value) -> World:
    """The world of the first value on ideal noise."""
    found: World = next(each.draw for each in values if is_ideal(each))
    return found


def possible(value: Value) -> list[Any]:
    """A plain number of each type that a value may have; a plain value itself."""
    return twins(data_of(value).kinds) if is_ideal(value) else [value]


def _data(value: Value) -> Any:
    """A value as data: a plain finite number as a constant form; None for an infinite one, and for all else."""
    if is_ideal(value):
        found = data_of(value)
        if not isinstance(found, Written) or found.value is None:
            return found
        constant = found.exact.rational()
        return _data(found.value) if constant is None else Form((), (), rational(constant))
    exact = exactly(value)
    return None if exact is None else Form((), (), exact)


def _as_form(data: Any) -> Form:
    """A number as a form.

    Raises: Refused for a number that depends on epsilon.
    """
    if isinstance(data, Form):
        return data
    return refuse("a sum or a comparison of noise with a number that depends on epsilon is not followed")


def _without_noise(value: Value) -> bool:
    """Whether a value is a number of epsilon, or plain."""
    return not is_ideal(value) or isinstance(data_of(value), Written)


# -- operators


def binary(name: str, a: Value, b: Value) -> Value:
    """The result of an operation with one or two operands on ideal noise.

    Raises: Raises with the exception of the real operation; Refused for an operation that is not followed.
    """
    world = world_of(a, b)
    if _without_noise(a) and _without_noise(b):
        return written.binary(world, name, a, b)
    if (both := written.beside(world.known, a, b)) is not None:
        kinds = kinds_after(BINARY[name], possible(a), possible(b))
        return written.cut_binary(world, name, *both, kinds)
    x, y = _data(a), _data(b)
    if not {Guarded, Clamped}.isdisjoint(map(type, (x, y))) and name in LINEAR:
        kinds = kinds_after(BINARY[name], possible(a), possible(b))
        if (found := guards.binary(name, x, y, kinds)) is not None:
            return number(world, found)
        x, y = (guards.decided(world.known, each) for each in (x, y))
    if opaque.takes(name, x, y):
        return number(world, opaque.binary(world.known, name, x, y, (possible(a), possible(b))))
    if name not in LINEAR:
        _refuse_operator(name, a, b)
    if x is None or y is None:
        return _beside_infinity(name, a, b)
    if name in ("truediv", "floordiv") and (isinstance(y, Whole) or _as_form(y).terms):
        refuse(f"a division by a noisy number {opaque.NOT_REAL}")
    kinds = kinds_after(BINARY[name], possible(a), possible(b))
    if kinds == (SINGLE,):
        check_wide(possible(a), possible(b))
    if Whole in (type(x), type(y)):
        x, y = (each if isinstance(each, Whole) else _as_form(each) for each in (x, y))
        return number(world, rounding.binary(world.known, name, x, y, kinds))
    return number(world, _of_forms(world.known, name, _as_form(x), _as_form(y), kinds))


def _refuse_operator(name: str, a: Value, b: Value) -> NoReturn:
    """Refuse an operator that is not linear, unless numbers of these types do not have it.

    Raises: Raises with the TypeError of the real operator; Refused.
    """
    words = {"mod": "%", "pow": "a power"}.get(name, name)
    try:
        list(results(BINARY[name], possible(a), possible(b)))
    except Raises as raised:
        if type(raised.fault) is TypeError:
            raise
    refuse(f"{words} of a noisy number is not followed")


def _is_infinite(value: Value) -> bool:
    return isinstance(value, float) and math.isinf(value)


def _beside_infinity(name: str, a: Value, b: Value) -> Value:
    """The result of the real operation on an infinite number, the same for every finite number beside it."""
    if name in ("add", "sub") and any(map(_is_infinite, (a, b))):
        (found,) = results(BINARY[name], possible(a), possible(b))
        return found
    if not any(map(_is_infinite, (a, b))):
        _refuse_operator(name, a, b)
    return refuse("noise beside an infinite number, or beside what is no real number, is not followed")


def _of_forms(known: Way, name: str, x: Form, y: Form, kinds: Kinds) -> Data:
    match name:
        case "add":
            return x.plus(y, 1, kinds)
        case "sub":
            return x.plus(y, -1, kinds)
        case "mul":
            if x.terms and y.terms:
                refuse(f"a product of noisy numbers {opaque.NOT_REAL}")
            return y.times(x.offset, kinds) if y.terms else x.times(y.offset, kinds)
        case "truediv":
            return x.times(_inverse(y), kinds)
        case "floordiv":
            return rounding.floor(known, x.times(_inverse(y), kinds), kinds)
    return refuse(f"{name} of a noisy number is not followed")


def _inverse(divisor: Form) -> Number:
    if divisor.offset == 0:
        refuse("a division of noise by zero that gives a number is not followed")
    return divided(1, divisor.offset)


# -- comparisons


def compare(a: Value, sign: str, b: Value) -> Value:
    """The answer of a comparison.

    Raises: Ask where it depends on the noise.
    """
    world = world_of(a, b)
    if any(map(_is_infinite, (a, b))):
        (found,) = results(COMPARED[sign], possible(a), possible(b))
        return found  # the same for every finite number
    if _without_noise(a) and _without_noise(b):
        found = written.compared(world, sign, a, b)
        if found is not None:
            return answer(sign, found, possible(a), possible(b))
        (plainly,) = results(COMPARED[sign], *([written.plain_of(written.told(each))] for each in (a, b)))
        return plainly
    if (both := written.beside(world.known, a, b)) is not None:
        holds = written.cut_compared(world.known, sign, *both)
    else:
        x, y = _data(a), _data(b)
        if x is None or y is None:
            refuse("a comparison of noise with what is no real number is not followed")
        holds = _compared(world.known, x, sign, y)
    return answer(sign, holds, possible(a), possible(b))


def _compared(known: Way, x: Any, sign: str, y: Any) -> bool:
    if not {Guarded, Clamped}.isdisjoint(map(type, (x, y))):
        if (holds := guards.compared(known, x, sign, y)) is not None:
            return holds
        x, y = (guards.decided(known, each) for each in (x, y))
    if Opaque in (type(x), type(y)):
        return opaque.compared(known, x, sign, y, _compared_forms)
    if isinstance(x, Whole) and isinstance(y, Whole):
        if x == y and sign in ("==", "!="):
            return sign == "=="
        refuse(rounding.BESIDE)
    if isinstance(y, Whole):
        return _compared(known, y, SWAPPED[sign], x)
    if isinstance(x, Whole):
        other = _as_form(y)
        if other.terms:
            refuse(rounding.BESIDE)
        return _compared_whole(known, x, sign, other.offset)
    return _compared_forms(known, _as_form(x).plus(_as_form(y), -1, x.kinds), sign)


def _compared_whole(known: Way, x: Whole, sign: str, number: Number) -> bool:
    if sign in ("==", "!="):
        return rounding.is_equal(known, x, number) is (sign == "==")
    strictly = sign in (">", "<=")
    return rounding.is_at_least(known, x, number, strictly=strictly) is (sign in (">", ">="))


def _compared_forms(known: Way, difference: Form, sign: str) -> bool:
    """The answer of a comparison of a difference with 0."""
    terms, offset = dict(difference.terms), difference.offset
    if not terms:
        return bool(COMPARED[sign](offset, 0))
    if sign in ("==", "!="):
        if not known.may_vanish(terms):
            return sign == "!="
        equal = known.positive(terms, offset, or_zero=True) and not known.positive(terms, offset)
        return equal is (sign == "==")
    or_zero = sign in (">=", "<")
    return known.positive(terms, offset, or_zero=or_zero) is (sign in (">", ">="))


# -- functions


def then(value: Undecided, step: str, digits: Value = None) -> Value:
    """The number converted by a function of Python, or times -1.

    Raises: Ask for its sign where it is rounded towards 0; Refused for other functions.
    """
    data, world = data_of(value), world_of(value)
    known: Way = world.known
    if isinstance(data, Written) and (step == "np" or step in CONVERSIONS):
        return written.then(world, data, step, digits, CONVERSIONS.get(step, float))
    if isinstance(data, (Guarded, Clamped, Cut)):
        data = _moved(known, data, step, digits)
    if isinstance(data, (Guarded, Clamped, Cut)):
        return number(world, data)
    if isinstance(data, Opaque):
        return number(world, opaque.moved(data, step, digits))
    if step == "np":
        return number(world, _cast(known, data, str(digits)))
    if step not in CONVERSIONS or type(digits) not in (int, type(None)):
        refuse(f"{step} of a noisy number is not followed")
    given = [] if digits is None else [[digits]]
    kinds = kinds_after(CONVERSIONS[step], twins(data.kinds), *given)
    return number(world, _converted(known, data, step, kinds, digits or 0))


def _moved(known: Way, data: Guarded | Clamped | Cut, step: str, digits: Value) -> Data:
    """Such a number as a float of 64 bits, or times -1; for any other step, a guarded number, decided."""
    if step in ("float", "item") or (step == "np" and digits == "d"):
        return replace(data, kinds=("d",) if step == "np" else ("float",))
    if step != "neg":
        return refuse(f"{step} of {CUT}") if isinstance(data, Cut) else guards.decided(known, data)
    if isinstance(data, Cut):
        return replace(data, factor=_negated(data.factor), offset=_negated(data.offset))
    return guards.scaled(data, -1, data.kinds)


def _negated(exact: Any) -> Any:
    above, below = exact
    return tuple((place, -c) for place, c in above), below


def _cast(known: Way, data: Form | Whole, code: str) -> Data:
    """A number as numpy casts it to a type by its code.

    Raises: Ask for the sign of a number that becomes an integer; Refused unless the type has 64 bits, or a float's 32.
    """
    kinds = (code,)
    if code in ("d", SINGLE):
        return replace(data, kinds=kinds)
    if code not in ("l", "q"):
        refuse(f"a noisy number as one of numpy's type {code!r} is not followed")
    return rounding.again(data, kinds) if isinstance(data, Whole) else rounding.truncated(known, data, kinds)


def _converted(known: Way, data: Form | Whole, step: str, kinds: Kinds, digits: int) -> Data:
    if isinstance(data, Whole):
        if step == "neg":
            return rounding.negated(known, data, kinds)
        if step in ("float", "item"):
            return replace(data, kinds=kinds)
        return rounding.again(data, kinds, digits)
    match step:
        case "neg":
            return data.times(-1, kinds)
        case "float" | "item":
            return replace(data, kinds=kinds)
        case "int" | "trunc":
            return rounding.truncated(known, data, kinds)
        case "round":
            return rounding.nearest(known, data, kinds, digits)
    return (rounding.floor if step == "floor" else rounding.ceil)(known, data, kinds)


def magnitude(value: Undecided) -> Value:
    """The absolute value of a number.

    Raises: Ask for its sign, unless it is opaque.
    """
    if isinstance(data_of(value), Opaque):
        return then(value, "abs")
    return then(value, "neg") if compare(value, "<", 0) else value


def is_real(*values: Value) -> bool:
    """Whether all numbers are floats of 64 bits, or plain, so that functions of them are followed."""
    return all(opaque.is_real(_data(each)) for each in values)


def function_of(row: Sequence[Value], name: str, number_beside: int) -> Value:
    """A number of numpy's: a function of several numbers, some of them noisy, and of an integer."""
    return number(world_of(*row), opaque.node(("d",), name, *map(_data, row), number_beside))


def decide(value: Undecided) -> Value:
    """The plain value of a number without noise.

    Raises: Refused for a noisy number.
    """
    data = data_of(value)
    if isinstance(data, Written):
        found = written.plain_of(data)
        return refuse(written.LOOKED) if found is None else found
    kind = type_of(data.kinds)
    if isinstance(data, Form) and not data.terms and data.offset != 0:
        found = kind(data.offset)
        if exactly(found) == data.offset:
            return found
    return refuse(NEEDED)


def settled(value: Undecided) -> Value:
    """The number itself."""
    return value


def settle(value: Undecided) -> None:
    """Ask nothing about a number that the program returns."""


def kind_of(value: Undecided) -> type:
    """The type of a number.

    Raises: Refused for an open input.
    """
    return type_of(data_of(value).kinds)


def is_a(value: Undecided, kind: type) -> bool:
    """Whether a number is of a type, and can be of no other."""
    return all(type(each) is kind for each in possible(value))


def ends(value: Undecided) -> tuple[Value, Value]:
    """One plain number of the value's type, twice, since the value is not known."""
    kind = type_of(data_of(value).kinds)
    found = next(each for each in possible(value) if type(each) is kind)
    return found, found
