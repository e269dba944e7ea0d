"""Elements of arrays that are no chain of one draw: operations that are kept with their operands, and done when needed.

Where two draws meet, or an operation is not monotone, the machine would ask for its value: 2^n answers for n elements,
before a sum adds them up. So the element is the operation itself, until something needs its value. Only operations that
raise nothing on numbers of their type are kept, so that it does not matter when they are done.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

import numpy

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.steps import INTERVALS, TRUTHS, WHOLE, finite, has_two_values, order
from dpcert.reading.errors import Ask, Refused, words
from dpcert.reading.floats.functions import of_floats
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.records import Deferred
from dpcert.reading.values import SCALARS, UNSET, Draw, Undecided, Value

Element = Callable[..., Value]
MOST = 64
"""The most operands of an element, including those of its operands; where there are more, they are decided."""
Bounds = tuple[int, int] | None


# -- operations on numbers of one type, at least one of them undecided; Raises: Ask


def larger(sign: str) -> Element:
    """The larger, or the lesser, of two; numpy chooses between equal ones, as 0.0 and -0.0, once both are decided."""

    def run(a: Value, b: Value) -> Value:
        if domain.compare(a, sign, b):
            return a
        if domain.compare(b, sign, a):
            return b
        return domain.must_decide(a if a.__class__ is Undecided else b)

    return run


def absolute(a: Value) -> Value:
    """The absolute value."""
    if domain.compare(a, ">", 0):
        return a
    return domain.then(a, "neg") if domain.compare(a, "<", 0) else numpy.absolute(domain.decide(a))


def sign_of(a: Value) -> Value:
    """1, -1 or a zero."""
    return 1 if domain.compare(a, ">", 0) else -1 if domain.compare(a, "<", 0) else numpy.sign(domain.decide(a))


def logical(ufunc: Any) -> Element:
    """An operation on truth values."""

    def run(*values: Value) -> Value:
        if len(values) == 1 and values[0].__class__ is Undecided and has_two_values(values[0].chain):
            return domain.of_answer(values[0], ufunc)
        return ufunc(*(numpy.bool_(truth(each)) for each in values))

    return run


def truth(value: Value) -> bool:
    """Whether a number is true."""
    return bool(domain.compare(value, "!=", 0)) if value.__class__ is Undecided else bool(value)


def _arithmetic(name: str) -> Element:
    def run(a: Value, b: Value) -> Value:
        found = of_floats(None, name, a, b)
        return domain.binary(name, a, b) if found is None else found

    return run


def _comparison(sign: str) -> Element:
    return lambda a, b: domain.compare(a, sign, b)


OPERATIONS: dict[str, Element] = {
    **{name: _arithmetic(step) for name, step in (("add", "add"), ("subtract", "sub"), ("multiply", "mul"))},
    **{f"bitwise_{name}": _arithmetic(name) for name in words("and or xor")},
    **{name: _arithmetic(step) for name, step in (("floor_divide", "floordiv"), ("remainder", "mod"))},
    "less": _comparison("<"),
    "less_equal": _comparison("<="),
    "greater": _comparison(">"),
    "greater_equal": _comparison(">="),
    "equal": _comparison("=="),
    "not_equal": _comparison("!="),
    **{name: larger(">") for name in ("maximum", "fmax")},
    **{name: larger("<") for name in ("minimum", "fmin")},
    "divide": _arithmetic("truediv"),
    "absolute": absolute,
    "negative": lambda a: domain.then(a, "neg"),
    "invert": lambda a: domain.then(a, "invert"),
    "sign": sign_of,
    **{f"logical_{name}": logical(getattr(numpy, f"logical_{name}")) for name in words("not and or xor")},
}
"""The operations that are kept, by the name of numpy's ufunc, which does them on plain numbers."""
MOVES = ("where", "pick", "cast")
KEPT = frozenset((*OPERATIONS, *MOVES))
KEPT_OF_FLOATS = frozenset((*words("add subtract multiply divide negative absolute"), *MOVES))
"""The operations with the same bits for one number as within an array: there, 0.0 or -0.0 may be the larger one."""


# -- elements


def deferred(operation: str, code: str, *operands: Value) -> Value | None:
    """An operation that is done later; its value if this is known; None for an operation that is not kept.

    `where` chooses the second or third operand by the first, `pick` an element of a tuple by a place. `cast` changes
    the type to that of `code`, as all operations do at the end.
    """
    leaves = [each for part in operands for each in leaves_of(part)]
    if not is_kept(operation, code) or len(leaves) > MOST or not all(map(_is_followed, leaves)):
        return None
    if operation == "cast" and code not in "?efd" and _code_of(operands[0]) in "efd":
        found = bounds(operands[0])
        if found is None or not holds(numpy.dtype(code), found):
            return None  # numpy rounds, and makes anything of a number too large
    return settled(Deferred(operation, code, operands))


def is_kept(operation: str, code: str) -> bool:
    """Whether an operation with results of a type can be done later."""
    return operation in (KEPT_OF_FLOATS if code in "efd" else KEPT if code in "?bhilqBHILQ" else ())


def _is_followed(leaf: Value) -> bool:
    """Whether a leaf is a number drawn from an interval, a known finite number, or a tuple to pick from."""
    if leaf.__class__ is Undecided:
        return leaf.draw.kind in INTERVALS
    return leaf.__class__ is tuple or (leaf is not UNSET and bool(numpy.isfinite(leaf)))


def _code_of(value: Value) -> str:
    """The code of the type of a number of numpy's."""
    code: str = value.code if value.__class__ is Deferred else numpy.dtype(domain.kind_of(value)).char
    return code


def leaves_of(value: Value) -> list[Value]:
    """The numbers of which a value is made, as often as each occurs; a tuple of plain numbers counts as one."""
    if value.__class__ is Deferred:
        return [each for part in value.operands for each in leaves_of(part)]
    return [value]


def settled(element: Deferred) -> Value:
    """The element itself, or its value where the operands that count are plain numbers."""
    first, *others = element.operands
    if first.__class__ not in SCALARS:
        return element
    if element.operation == "where":
        return others[0] if first else others[1]
    if element.operation != "pick" and any(part.__class__ not in SCALARS for part in others):
        return element
    found = forced(element)
    return found if finite(found) else element  # no state can hold a NaN beside draws


def forced(element: Value) -> Value:
    """The value of an element, which may be an undecided number; other values are returned as they are.

    Raises: Ask.
    """
    if element.__class__ is not Deferred:
        return element
    first, *others = element.operands
    first = forced(first)
    if element.operation == "where":
        return forced(others[0] if truth(first) else others[1])
    if element.operation == "pick":
        return others[0][domain.decide(first) if first.__class__ is Undecided else first]
    if element.operation == "cast":
        return cast(first, numpy.dtype(element.code))
    parts = [first, *map(forced, others)]
    if len(parts) == 2 and parts[0].__class__ is parts[1].__class__ is Undecided:
        place = 0 if domain.smaller(*parts) is parts[0] else 1
        parts[place] = domain.decide(parts[place])
    plain = all(part.__class__ in SCALARS for part in parts)
    operation: Any = getattr(numpy, element.operation) if plain else OPERATIONS[element.operation]
    with numpy.errstate(all="ignore"):
        return cast(operation(*parts), numpy.dtype(element.code))


def known(element: Value) -> Value:
    """The value of an element, where no draw needs to be asked for; else the element."""
    try:
        return forced(element)
    except Ask:
        return element


def cast(value: Value, dtype: Any) -> Value:
    """An element, which its type can hold, as numpy casts it to another type.

    Raises: Ask where the cast is not monotone, or may wrap.
    """
    if value is UNSET:
        return value
    if value.__class__ is Deferred:
        found = value if value.code == dtype.char else deferred("cast", dtype.char, value)
        return cast(forced(value), dtype) if found is None else found
    if value.__class__ is not Undecided:
        with numpy.errstate(all="ignore"):
            return value if value.__class__ is dtype.type else numpy.asarray(value).astype(dtype)[()]
    kind = domain.kind_of(value)
    if kind is dtype.type:
        return value
    if dtype.char == "?":
        found = domain.compare(value, "!=", kind(0))
        return found if found.__class__ is Undecided else numpy.bool_(found)
    found = domain.then(value, "np", dtype.char)
    return found if found.__class__ is Undecided else cast(found, dtype)


# -- the law of an element


Box = dict[int, Draw]
"""Parts of draws, by the id of the whole draw."""


def draws_of(value: Value) -> list[Draw]:
    """The draws of which a value is made, as often as each occurs."""
    return [leaf.draw for leaf in leaves_of(value) if leaf.__class__ is Undecided]


def within(value: Value, box: Box) -> Value:
    """A value with its draws narrowed to the parts in a box."""
    if value.__class__ is Undecided:
        return domain.settled(Undecided(box[id(value.draw)], value.chain))
    if value.__class__ is Deferred:
        return settled(Deferred(value.operation, value.code, tuple([within(part, box) for part in value.operands])))
    return value


def pieces(value: Value, most: int) -> list[tuple[Box, Value]] | None:
    """Boxes that partition the ranges of a value's draws, with its value in each; None if there are more than `most`.

    Raises: Refused where it has too many values.
    """
    pending: list[Box] = [{id(draw): draw for draw in draws_of(value)}]
    found: list[tuple[Box, Value]] = []
    while pending and len(found) + len(pending) <= most:
        box = pending.pop()
        try:
            here = forced(within(value, box))
            found.append((box, domain.decide(here) if here.__class__ is Undecided else here))
        except Ask as asked:
            key = next(key for key, draw in box.items() if draw is asked.draw)
            parts = pairwise(asked.cuts)
            pending += [{**box, key: Draw(a, b, asked.draw.kind)} for a, b in parts]
    return None if pending else found


def as_one_draw(value: Deferred, most: int) -> Value:
    """A number with the law of an element, of one draw of its own; the element itself if no such number is found.

    Requires: nothing else depends on its draws.
    """
    try:
        found = pieces(value, most)
    except Refused:
        return value
    if found is None or not all(finite(each) for _, each in found):
        return value
    masses: dict[Any, int] = {}
    for box, each in sorted(found, key=lambda pair: order(pair[1])):
        bits = kinds.bits_of(each)
        masses[bits] = masses.get(bits, 0) + math.prod(d.hi - d.lo for d in box.values())
    common = math.gcd(*masses.values())
    sums = [*accumulate(mass // common for mass in masses.values())]
    chain = (("search", tuple(sums[:-1])), ("pick", tuple(kinds.of_bits(*bits) for bits in masses)))
    return domain.settled(Undecided(Draw(0, sums[-1], "int"), chain))


def law_of(value: Value, form: Callable[[Value], Any], drawn: Counter[int]) -> Any:
    """A description of the law of a value whose draws are independent of all others; `drawn` counts the draws."""
    if value.__class__ is Undecided:
        drawn[id(value.draw)] += 1
        number = [*drawn].index(id(value.draw))
        chain = [(step, form(by)) for step, by in value.chain]
        return number, value.draw.kind, value.draw.lo, value.draw.hi, chain
    if value.__class__ is Deferred:
        return value.operation, value.code, [law_of(part, form, drawn) for part in value.operands]
    return form(value)


# -- facts about an element


def bounds(value: Value) -> Bounds:
    """Integers that enclose a number, if it is surely an integer and not -0.0; else None."""
    if value.__class__ is Deferred:
        found = _bounds_of(value)
        return found if found is not None and holds(numpy.dtype(value.code), found) else None
    if value.__class__ is Undecided:
        if domain.kind_of(value) not in WHOLE | TRUTHS and not has_two_values(value.chain):
            return None
        ends = [_whole(each) for each in domain.ends(value)]
        return None if None in ends else (min(ends), max(ends))
    whole = _whole(value)
    return None if whole is None else (whole, whole)


def _whole(value: Any) -> Any:
    exact = math.isfinite(value.real) and not value.imag and int(value.real) == value
    return int(value.real) if exact and not (value == 0 and numpy.signbit(value.real)) else None


def holds(dtype: Any, found: tuple[int, int]) -> bool:
    """Whether a type has all integers between two, exactly."""
    low, high = min(found), max(found)
    if dtype.kind == "f" and dtype.itemsize >= 4:
        most = 1 << int(numpy.finfo(dtype).nmant)
        return bool(-most <= low and high <= most)
    return dtype.kind == "b" or bool(
        dtype.kind in "iu" and numpy.iinfo(dtype).min <= low and high <= numpy.iinfo(dtype).max
    )


def _bounds_of(element: Deferred) -> Bounds:
    """The bounds of an element, if its type holds them."""
    name, operands = element.operation, element.operands
    if element.code == "?":
        return 0, 1
    if name == "pick":
        operands = operands[1]
    elif name == "where":
        operands = operands[1:]
    found = [bounds(each) for each in operands]
    if any(each is None for each in found):
        return None
    pairs: list[Any] = found
    if name in ("where", "pick", "cast", "maximum", "minimum"):
        return min(low for low, _ in pairs), max(high for _, high in pairs)
    if name == "absolute":
        return 0, max(map(abs, pairs[0]))
    if name == "negative" and element.code not in "efd":
        return -pairs[0][1], -pairs[0][0]
    if len(pairs) != 2:
        return None
    (a, b), (c, d) = pairs
    if name == "add":
        return a + c, b + d
    if name == "subtract":
        return a - d, b - c
    ends = [x * y for x in (a, b) for y in (c, d)]
    if name == "multiply" and (min(a, c) >= 0 or element.code not in "efd"):  # a zero may be -0.0
        return min(ends), max(ends)
    if name.startswith("bitwise") and min(a, c) >= 0:
        return 0, (1 << max(b.bit_length(), d.bit_length())) - 1
    return None
