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
from dpcert.reading.domains.steps import SWAPPED, has_two_values
from dpcert.reading.floats.functions import of_elements
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.following import (
    DECIDE,
    Keywords,
    cast,
    code_of_number,
    is_too_large,
    is_undecided,
    listed,
    moving,
)
from dpcert.reading.numpy.items import store
from dpcert.reading.numpy.memory import CODES, Call, code_of, elements, is_plain, laid
from dpcert.reading.numpy.records import Array
from dpcert.reading.operators import binary, compare, truth, unary
from dpcert.reading.values import NUMBERS, UNSET, Undecided, Value

Element = Callable[..., Value]


def _arithmetic(name: str) -> Element:
    def run(m: Any, a: Value, b: Value) -> Value:
        return binary(m, name, False, a, b)

    return run


def _comparison(sign: str) -> Element:
    def run(m: Any, a: Value, b: Value) -> Value:
        return answered(m, sign, a, b)

    return run


def answered(m: Any, sign: str, a: Value, b: Value) -> Value:
    """The answer of a comparison, undecided where that is followed."""
    if a.__class__ is Undecided and b.__class__ is not Undecided:
        return domain.answer(a, sign, b)
    if b.__class__ is Undecided and a.__class__ is not Undecided:
        return domain.answer(b, SWAPPED[sign], a)
    return compare(m, sign, a, b)


def _larger(sign: str) -> Element:
    """The larger, or the lesser, of two; of equal ones numpy chooses, as of 0.0 and -0.0, once both are decided."""

    def run(m: Any, a: Value, b: Value) -> Value:
        if compare(m, sign, a, b):
            return a
        if compare(m, sign, b, a):
            return b
        return domain.must_decide(a if a.__class__ is Undecided else b)

    return run


def _absolute(m: Any, a: Value) -> Value:
    if compare(m, ">", a, 0):
        return a
    return unary(m, "neg", a) if compare(m, "<", a, 0) else np.absolute(domain.decide(a))


def _sign(m: Any, a: Value) -> Value:
    return 1 if compare(m, ">", a, 0) else -1 if compare(m, "<", a, 0) else np.sign(domain.decide(a))


def _logical(ufunc: Any) -> Element:
    def run(m: Any, *values: Value) -> Value:
        if len(values) == 1 and values[0].__class__ is Undecided and has_two_values(values[0].chain):
            return domain.of_answer(values[0], ufunc)
        return ufunc(*(np.bool_(truth(m, each)) for each in values))

    return run


def chosen(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """What `where` gives of a condition and two operands: each element undecided as the answer is that it is made of.

    Numpy itself says what the elements are where all answers are yes, and where all are no.
    Raises: Ask where an operand is undecided, too.
    """
    if len(args) != 3 or keywords or not is_undecided(args[0]) or any(map(is_undecided, args[1:])):
        return moving("x", "y")(m, function, args, keywords)
    condition = listed(m, args[0])
    call = Call()
    shape = condition.shape if condition.__class__ is Array else ()
    operands = [call.to_host(value) for value in args[1:]]
    yes, no = (call.run_hosts(function, [numpys(shape, bool), *operands], {}) for numpys in (np.ones, np.zeros))
    code_of(yes.dtype)
    answers = spread(condition, yes.shape)
    return laid([_one_of(m, *row) for row in zip(answers, yes.ravel(), no.ravel(), strict=True)], yes)


def _one_of(m: Any, condition: Value, yes: Value, no: Value) -> Value:
    if condition.__class__ is Undecided and has_two_values(condition.chain):
        return domain.of_answer(condition, lambda answer: yes if answer else no)
    return yes if truth(m, condition) else no


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
    np.maximum: _larger(">"),
    np.fmax: _larger(">"),
    np.minimum: _larger("<"),
    np.fmin: _larger("<"),
    np.negative: lambda m, a: unary(m, "neg", a),
    np.positive: lambda m, a: a,
    np.invert: lambda m, a: unary(m, "invert", a),
    np.square: lambda m, a: binary(m, "mul", False, a, a),
    np.absolute: _absolute,
    np.sign: _sign,
    **{each: _logical(each) for each in (np.logical_not, np.logical_and, np.logical_or, np.logical_xor)},
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
    found = _computed(m, rule, operands, pattern, loop)
    if out is None:
        return found
    store(m, out, ..., _as_array(found))
    return out


def _as_array(value: Value) -> Array:
    """A result as an array, whose elements are cast without a question whether they fit."""
    return value if value.__class__ is Array else laid([value], np.empty((), code_of_number(value)))


def _type_of(value: Value) -> Any:
    return np.dtype(value.base.dtype) if value.__class__ is Array else code_of_number(value)


def _computed(m: Any, rule: Element, operands: tuple[Value, ...], pattern: Any, loop: tuple[Any, ...]) -> Value:
    columns = [spread(value, pattern.shape) for value in operands]
    values: list[Value] = []
    for known, row in zip(pattern.ravel(), zip(*columns, strict=True), strict=True):
        if any(part is UNSET for part in row):
            values.append(UNSET)
        elif any(part.__class__ is Undecided for part in row):
            parts = [cast(m, part, dtype) for part, dtype in zip(row, loop, strict=False)]
            values.append(cast(m, rule(m, *parts), loop[-1]))
        else:
            values.append(known)
    return laid(values, pattern) if isinstance(pattern, np.ndarray) else values[0]


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
