"""Functions of ideal noise that are not linear in it: opaque numbers, which a program may compute with and release.

An opaque number is its operations, and its operands with all constants. Each operation is total on the real numbers
that its operands may be, or it asks whether they are where it raises, or it is refused. Of integers, which do not
overflow alike, and of roundings, nothing is followed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.mechanisms.ideal.post import Function, Post
from dpcert.reading.domains.forms import Data, Form, Opaque, Way, packed, refuse, unpacked
from dpcert.reading.domains.kinds import Kinds, kinds_after, results, twins
from dpcert.reading.domains.steps import BINARY, SWAPPED
from dpcert.reading.errors import Refused

REAL = frozenset({("float",), ("d",)})
MOST_NODES = 2000
"""The most operations and operands of an opaque number."""
MOST_POWER = 16
MOST_ASKED = 6
"""How many parts a function may have for which the order of its numbers is asked."""
COMPARED = (
    "a comparison of a function of noise, but for a quotient with a plain number, is not followed; "
    "compare its arguments"
)
NOT_REAL = "that is no float of 64 bits, or beside one, is not followed; use float(...) of its arguments"
LARGE = {"exp": Fraction(float.fromhex("0x1.62e42fefa39efp+9"))}
"""The greatest float of which a function of Python's does not overflow."""


def is_real(data: Any) -> bool:
    """Whether a number is one of which functions are followed: a float of 64 bits, or a constant."""
    if isinstance(data, Form) and not data.terms:
        return True
    return isinstance(data, (Form, Opaque)) and data.kinds in REAL


def takes(name: str, x: Any, y: Any) -> bool:
    """Whether an operator on two numbers makes an opaque number of them."""
    if not (is_real(x) and is_real(y)):
        return False
    if Opaque in (type(x), type(y)) or name == "pow":
        return True
    return bool(y.terms) and (name == "truediv" or (name == "mul" and bool(x.terms)))


def binary(known: Way, name: str, x: Form | Opaque, y: Form | Opaque, rows: Sequence[list[Any]]) -> Data:
    """The result of an operator on numbers that `takes` takes; `rows` are plain numbers that each may be.

    Raises: Raises with the exception of the real operator; Refused; Ask.
    """
    kinds = kinds_after(BINARY[name], *rows)
    match name:
        case "truediv":
            _need_divisor(known, y, rows)
        case "pow":
            return _power(x, y, kinds)
        case "add" | "sub" | "mul":
            pass
        case _:
            refuse(f"{name} of a function of noise is not followed; release it as it is")
    return node(kinds, name, x, y)


def node(kinds: Kinds, name: str, *parts: Any) -> Opaque:
    """The number that an operation makes."""
    if kinds not in REAL:
        refuse("a function of noise that is no float of 64 bits is not followed; use float(...) of its arguments")
    found = tuple(packed(part) if isinstance(part, (Form, Opaque)) else part for part in parts)
    nodes = 1 + sum(part.nodes if isinstance(part, Opaque) else 1 for part in parts)
    if nodes > MOST_NODES:
        refuse(f"a function of noise of more than {MOST_NODES} operations is not followed; release its arguments")
    return Opaque(kinds, name, found, nodes)


def _need_divisor(known: Way, y: Form | Opaque, rows: Sequence[list[Any]]) -> None:
    """Raises: what a division by zero raises, where the divisor is zero; Refused where that is not known."""
    if isinstance(y, Opaque):
        if least(y) != 1:
            refuse("a division by a function of noise that may be 0 is not followed; divide by max(..., 1) of it")
        return
    if not y.terms:
        if y.offset == 0:
            _raise_real(BINARY["truediv"], rows[0], [type(each)(0) for each in rows[1]])
        return
    if known.may_vanish(dict(y.terms)):
        above_or_zero = known.positive(dict(y.terms), y.offset, or_zero=True)
        if above_or_zero and not known.positive(dict(y.terms), y.offset):
            _raise_real(BINARY["truediv"], rows[0], [type(each)(0) for each in rows[1]])


def _raise_real(function: Callable[..., Any], *rows: Sequence[Any]) -> None:
    """Raises: Raises with what the real function raises for these numbers; Refused where it raises nothing."""
    if not any(_is_numpys(each) for row in rows for each in row):
        list(results(function, *rows))
    refuse("a function of numpy's that gives NaN or an infinite number is not followed; check its argument before")


def _is_numpys(value: Any) -> bool:
    return type(value).__module__ == "numpy"


def _power(x: Form | Opaque, y: Form | Opaque, kinds: Kinds) -> Opaque:
    power = y.offset if isinstance(y, Form) and not y.terms else None
    if power is None or Fraction(power).denominator != 1 or not 1 <= power <= MOST_POWER:
        return refuse(f"a power of noise is not followed, but one of 1 to {MOST_POWER}")
    if kinds == ("float",):
        refuse("a power of a float of Python's overflows where it is large, which is not followed; write x * x")
    return node(kinds, "pow", x, int(power))


def applied(known: Way, name: str, host: Callable[..., Any], data: Any) -> Data:
    """The result of `sqrt`, `log` or `exp` of a number; `host` is the function of `math`, or of numpy.

    Raises: Raises with the exception of the real function; Refused; Ask.
    """
    if not is_real(data) or (isinstance(data, Form) and not data.terms):
        return refuse(f"{name} of such a noisy number is not followed; use it on a float that is noisy")
    kinds, pythons = kinds_after(host, twins(data.kinds)), type(host(1.0)).__module__ != "numpy"
    if name == "exp":
        if pythons and isinstance(data, Opaque):
            refuse("exp of a function of noise may overflow, which is not followed; use numpy.exp")
        if pythons and known.positive(dict(data.terms), data.offset - LARGE["exp"]):
            _raise_real(host, [sys.float_info.max])
    elif isinstance(data, Opaque):
        if least(data) is None or (name == "log" and least(data) != 1):
            refuse(f"{name} of a function of noise that may be outside of it is not followed; use it on a noisy number")
    elif not known.positive(dict(data.terms), data.offset, or_zero=name == "sqrt"):
        _raise_real(host, [kind(-1) for kind in map(type, twins(data.kinds))])
    return node(kinds, name, data)


def least(data: Form | Opaque) -> int | None:
    """1 for a number that is surely above a constant above 0, 0 for one that is at least 0; None where neither is
    known."""
    if isinstance(data, Form):
        return None if data.terms or data.offset < 0 else int(data.offset > 0)
    parts = [unpacked(part) if isinstance(part, tuple) else part for part in data.parts]
    match data.name:
        case "abs" | "exp":
            return 0
        case "pow":
            return 0 if parts[1] % 2 == 0 else _least_of(parts[:1])
        case "mul":
            return 0 if parts[0] == parts[1] else _least_of(parts, product=True)
        case "add":
            return _least_of(parts)
        case "sqrt":
            return _least_of(parts) or 0
        case "variance":
            return 0
        case "ranked":
            return _least_of(parts[:-1], product=True)
    return None


def _least_of(parts: Sequence[Any], *, product: bool = False) -> int | None:
    found = [least(part) for part in parts]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    return min(known) if product else max(known)


def moved(data: Opaque, step: str, digits: Any) -> Data:
    """An opaque number converted by a function, or times -1.

    Raises: Refused for what is not followed.
    """
    if step in ("float", "item") or (step == "np" and digits == "d"):
        return replace(data, kinds=("d",) if step == "np" else ("float",))
    if step == "neg":
        return node(data.kinds, "neg", data)
    if step == "abs":
        return node(data.kinds, "abs", data)
    if step == "round" and type(digits) is int and 0 <= digits <= MOST_POWER:
        return node(data.kinds, "round", data, digits)
    words = "a cast to another type" if step == "np" else step
    return refuse(f"{words} of a function of noise is not followed; release it as it is, or round its arguments")


def compared(known: Way, x: Any, sign: str, y: Any, forms: Callable[[Way, Form, str], bool]) -> bool:
    """The answer of a comparison of a quotient of noisy numbers with a plain number, by the sign of its divisor.

    `forms` compares a form with 0. Raises: Ask; Refused for any other comparison.
    """
    if isinstance(y, Opaque):
        x, y, sign = y, x, SWAPPED[sign]
    if x.name == "ranked" and isinstance(y, Form) and len(x.parts) <= MOST_ASKED:
        return forms(known, _ranked(known, x, forms).plus(y, -1, x.kinds), sign)
    parts = [unpacked(part) for part in x.parts] if x.name == "truediv" else []
    if not parts or Opaque in map(type, (*parts, y)) or not isinstance(y, Form) or y.terms:
        raise Refused(COMPARED)
    above, below = parts
    is_above = known.positive(dict(below.terms), below.offset)
    difference = above.plus(below.times(y.offset, below.kinds), -1, above.kinds)
    return forms(known, difference, sign if is_above else SWAPPED[sign])


def _ranked(known: Way, data: Opaque, forms: Callable[[Way, Form, str], bool]) -> Form:
    """The number of some that is at a place in their order.

    Raises: Ask; Refused for functions of noise.
    """
    order: list[Form] = []
    for part in map(unpacked, data.parts[:-1]):
        if not isinstance(part, Form):
            raise Refused(COMPARED)
        at = next((i for i, each in enumerate(order) if forms(known, part.plus(each, -1, part.kinds), "<")), len(order))
        order.insert(at, part)
    found: Form = order[data.parts[-1]]
    return found


def released(known: Way, data: Opaque) -> Post:
    """An opaque number as an outcome: its function, and a basis of the noisy numbers that are its arguments."""
    basis: list[Form] = []
    reduced: list[tuple[dict[int, Fraction], dict[int, Fraction]]] = []

    def place(part: Form) -> Function:
        known.need_whole(name for name, _ in part.terms)
        rest, made = {name: Fraction(c) for name, c in part.terms}, dict[int, Fraction]()
        for row, how in reduced:
            lead = min(row)
            if factor := rest.get(lead, Fraction(0)) / row[lead]:
                rest = _less(rest, row, factor)
                made = _less(made, how, -factor)
        if rest:
            reduced.append((rest, _less({len(basis): Fraction(1)}, made, Fraction(1))))
            made = {len(basis): Fraction(1)}
            basis.append(part)
        constant = Fraction(part.offset) - sum((c * Fraction(basis[i].offset) for i, c in made.items()), Fraction(0))
        return "of", tuple(sorted(made.items())), constant

    def written(part: Any) -> Function:
        if isinstance(part, Form):
            return place(part)
        inner = (written(unpacked(each)) if isinstance(each, tuple) else each for each in part.parts)
        return (part.name, *inner)

    function = written(data)
    arguments = (Noisy(tuple((n, Fraction(c)) for n, c in each.terms), Fraction(each.offset)) for each in basis)
    return Post(function, tuple(arguments))


def _less(terms: dict[int, Fraction], other: dict[int, Fraction], factor: Fraction) -> dict[int, Fraction]:
    """Terms less a multiple of others, without those that are 0."""
    found = {name: terms.get(name, Fraction(0)) - factor * other.get(name, Fraction(0)) for name in {*terms, *other}}
    return {name: c for name, c in found.items() if c}
