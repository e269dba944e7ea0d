"""Functions of numpy that work element by element, on arrays of which some elements are undecided.

The type, the shape and the errors of the result come from numpy on twins; so do the elements that are made of plain
ones alone. An undecided element is cast as numpy casts it, and computed by the machine's own operators.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains import deferred
from dpcert.reading.domains.steps import SWAPPED, has_two_values
from dpcert.reading.errors import words
from dpcert.reading.floats.functions import of_elements
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.following import (
    DECIDE,
    Keywords,
    cast,
    code_of_number,
    element,
    is_too_large,
    is_undecided,
    later,
    listed,
    moving,
)
from dpcert.reading.numpy.items import store
from dpcert.reading.numpy.memory import CODES, Call, code_of, elements, is_plain, laid
from dpcert.reading.numpy.records import Array, Deferred
from dpcert.reading.operators import binary, compare, truth, unary
from dpcert.reading.values import NUMBERS, UNSET, Undecided, Value

Element = Callable[..., Value]


def _arithmetic(name: str) -> Element:
    return lambda m, a, b: binary(m, name, False, a, b)


def _comparison(sign: str) -> Element:
    """A comparison, whose answer is undecided where that is followed."""

    def run(m: Any, a: Value, b: Value) -> Value:
        if a.__class__ is Undecided and b.__class__ is not Undecided:
            return domain.answer(a, sign, b)
        if b.__class__ is Undecided and a.__class__ is not Undecided:
            return domain.answer(b, SWAPPED[sign], a)
        return compare(m, sign, a, b)

    return run


def _later(name: str) -> Element:
    """An operation that needs no machine."""
    return lambda m, *values: deferred.OPERATIONS[name](*values)


def chosen(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """What `where` gives of a condition and two operands: each element as undecided as they are."""
    if len(args) == 1:  # the places where it holds, which is no choice of elements
        return DECIDE
    if len(args) != 3 or keywords or not is_undecided(args[0]):
        return moving("x", "y")(m, function, args, keywords)
    condition, *operands = (listed(m, value) for value in args)
    pattern = Call(twins=True).run(function, (condition, *args[1:]), {})
    code_of(pattern.dtype)
    answers = spread(condition, pattern.shape)
    columns = [[element(m, each, pattern.dtype) for each in spread(value, pattern.shape)] for value in operands]
    return laid([_one_of(m, pattern.dtype, *row) for row in zip(answers, *columns, strict=True)], pattern)


def _one_of(m: Any, dtype: Any, condition: Value, yes: Value, no: Value) -> Value:
    def find() -> Value:
        answer = deferred.forced(condition)
        if answer.__class__ is Undecided and has_two_values(answer.chain) and not any(map(is_undecided, (yes, no))):
            return domain.of_answer(answer, lambda each: yes if each else no)
        return yes if truth(m, answer) else no

    return later(m, find, "where", dtype, condition, yes, no)


RULES: dict[Any, Element] = {
    np.add: _arithmetic("add"),
    np.subtract: _arithmetic("sub"),
    np.multiply: _arithmetic("mul"),
    np.true_divide: _arithmetic("truediv"),
    np.floor_divide: _arithmetic("floordiv"),
    np.remainder: _arithmetic("mod"),
    np.bitwise_and: _arithmetic("and"),
    np.bitwise_or: _arithmetic("or"),
    np.bitwise_xor: _arithmetic("xor"),
    np.left_shift: _arithmetic("lshift"),
    np.right_shift: _arithmetic("rshift"),
    np.less: _comparison("<"),
    np.less_equal: _comparison("<="),
    np.greater: _comparison(">"),
    np.greater_equal: _comparison(">="),
    np.equal: _comparison("=="),
    np.not_equal: _comparison("!="),
    np.negative: lambda m, a: unary(m, "neg", a),
    np.positive: lambda m, a: a,
    np.invert: lambda m, a: unary(m, "invert", a),
    np.square: lambda m, a: binary(m, "mul", False, a, a),
    **{getattr(np, name): _later(name) for name in words("maximum fmax minimum fmin absolute sign")},
    **{getattr(np, f"logical_{name}"): _later(f"logical_{name}") for name in words("not and or xor")},
    **{each: lambda m, a: np.bool_(False) for each in (np.isnan, np.isinf)},  # what is undecided is finite
    np.isfinite: lambda m, a: np.bool_(True),
}
NEAR, ALONE = of_elements()
RULES |= NEAR
"""What each ufunc does to elements of its own type; all others decide their arguments."""


def each(m: Any, ufunc: Any, args: tuple[Value, ...], keywords: Keywords, operation: Any = None) -> Value:
    """What a ufunc gives, or an operator that uses it; DECIDE where that is not followed.

    Raises: Thrown with numpy's exception; Ask.
    """
    rule = m.tables.elements.get(ufunc) or RULES.get(ufunc)
    out = keywords.get("out", args[ufunc.nin] if len(args) > ufunc.nin else None)
    out = out[0] if out.__class__ is tuple and len(out) == 1 else out
    if rule is None or keywords.keys() - {"out"} or len(args) < ufunc.nin or not (out is None or type(out) is Array):
        return DECIDE
    operands = tuple(listed(m, value) for value in args[: ufunc.nin])
    if not all(value.__class__ in NUMBERS or value.__class__ in (Array, Undecided) for value in operands):
        return DECIDE
    if out is not None:
        Call(twins=True, scratch=True).run(ufunc, (*operands, out), {})
    twins = Call(twins=True)
    pattern = twins.run(operation or ufunc, args[: ufunc.nin], {})
    if ufunc in ALONE and isinstance(pattern, np.ndarray) and rule is RULES[ufunc]:
        return DECIDE
    types = [*map(_type_of, operands)]
    if any(each in (Fraction, Decimal) for each in types):  # which numpy takes for objects
        return DECIDE
    loop = ufunc.resolve_dtypes((*types, *[None] * ufunc.nout))
    known = all(dtype.char in CODES for dtype in loop)
    known &= not any(type(each) is int and is_too_large(each, of) for each, of in zip(operands, loop, strict=False))
    if not known or not isinstance(pattern, (np.ndarray, np.generic)) or pattern.dtype != loop[-1]:
        return DECIDE
    if not deferred.is_kept(ufunc.__name__, loop[-1].char) and any(map(_has_deferred, operands)):
        return DECIDE
    found = _computed(m, ufunc, rule, operands, pattern, loop)
    if out is None:
        return found
    store(m, out, ..., _as_array(found))
    return out


def _has_deferred(value: Value) -> bool:
    return value.__class__ is Array and any(each.__class__ is Deferred for each in elements(value))


def _as_array(value: Value) -> Array:
    """A result as an array, whose elements are cast without a question whether they fit."""
    return value if value.__class__ is Array else laid([value], np.empty((), code_of_number(value)))


def _type_of(value: Value) -> Any:
    return np.dtype(value.base.dtype) if value.__class__ is Array else code_of_number(value)


def _computed(
    m: Any, ufunc: Any, rule: Element, operands: tuple[Value, ...], pattern: Any, loop: tuple[Any, ...]
) -> Value:
    columns = [spread(value, pattern.shape) for value in operands]
    values: list[Value] = []
    for known, row in zip(pattern.ravel(), zip(*columns, strict=True), strict=True):
        if any(part is UNSET for part in row):
            values.append(UNSET)
        elif any(map(is_undecided, row)):
            parts = [element(m, part, dtype) for part, dtype in zip(row, loop, strict=False)]
            values.append(_element(m, ufunc, rule, parts, loop[-1]))
        else:
            values.append(known)
    return laid(values, pattern) if isinstance(pattern, np.ndarray) else deferred.forced(values[0])


def _element(m: Any, ufunc: Any, rule: Element, parts: list[Value], dtype: Any) -> Value:
    """What a ufunc makes of elements, now or later."""
    if any(part.__class__ is Deferred for part in parts):
        found = deferred.deferred(ufunc.__name__, dtype.char, *parts)
        return deferred.forced(Deferred(ufunc.__name__, dtype.char, tuple(parts))) if found is None else found
    return later(m, lambda: cast(rule(m, *parts), dtype), ufunc.__name__, dtype, *parts)


def spread(value: Value, shape: tuple[int, ...]) -> list[Value]:
    """The elements of an operand, broadcast to a shape, in the order of C."""
    if value.__class__ is not Array:
        return [value] * int(np.prod(shape, dtype=int))
    parts = elements(value)
    where = np.broadcast_to(np.arange(len(parts)).reshape(value.shape), shape)
    return [parts[place] for place in where.ravel().tolist()]


def _clip(m: Any, value: Value, low: Value, high: Value) -> Value:
    """What numpy's `clip` gives: the value between the bounds, and one result for all values beyond one of them.

    Of 0.0 and -0.0 numpy chooses as the layout is, and a bound may be NaN: there the value is decided, for numpy.
    """
    for each in (low, high):
        if each.__class__ is Undecided:
            domain.must_decide(each)
    if low == high == 0:
        domain.must_decide(value)
    for sign, bound in (("<", low), (">", high)):
        signed_zero = bound == 0 and bound.__class__ in kinds.FLOATS
        if compare(m, sign if signed_zero else f"{sign}=", value, bound):
            return CLIP(bound, low, high)
    if compare(m, ">", value, low) and compare(m, "<", value, high):
        return value
    return domain.must_decide(value)


CLIP: Any = vars(inspect.getmodule(inspect.unwrap(np.clip)))["um"].clip
RULES[CLIP] = _clip


def clipped(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """What `clip` gives, as a function or a method: a ufunc of the bounds that are not None."""
    given = dict(zip(("a", "low", "high", "out"), args, strict=False))
    for name, place in (("a_min", "low"), ("min", "low"), ("a_max", "high"), ("max", "high"), ("out", "out")):
        if name in keywords and given.setdefault(place, keywords[name]) is not keywords[name]:
            return DECIDE
    low, high = given.get("low"), given.get("high")
    if keywords.keys() - {"a_min", "min", "a_max", "max", "out"} or "a" not in given or low is high is None:
        return DECIDE
    bounds = [each for each in (low, high) if each is not None]
    ufunc = CLIP if len(bounds) == 2 else np.minimum if low is None else np.maximum
    out = given.get("out")
    return each(m, ufunc, (given["a"], *bounds), {} if out is None else {"out": out})


# -- operators

UFUNCS: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "mod": np.remainder,
    "floordiv": np.floor_divide,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
    "pow": np.power,
    "matmul": np.matmul,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "neg": np.negative,
    "pos": np.positive,
    "invert": np.invert,
    "abs": np.absolute,
}


def operated(m: Any, name: str, operation: Any, *values: Value) -> Value:
    """What an operator gives of which a value is an array."""
    if any(map(is_undecided, values)) and name in UFUNCS:
        found = each(m, UFUNCS[name], values, {}, operation)
        if found is not DECIDE:
            return found
    return Call().result(operation, values, {})


def assigned(m: Any, name: str, operation: Any, a: Array, b: Value) -> Value:
    """What an operator does in place, with an array on its left side."""
    if not (is_plain(a.base) and not is_undecided(b)):
        b = listed(m, b)
        Call(twins=True, scratch=True).run(operation, (a, b), {})
        found = each(m, UFUNCS[name], (a, b), {})
        if found is not DECIDE:
            store(m, a, ..., _as_array(found))
            return a
    Call().run(operation, (a, b), {})
    return a
