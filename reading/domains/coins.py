"""Undecided integers of coins, and the floats k / 2^53: monotone chains of exact operations over an interval.

An operation is followed where the real operation, of Python on plain numbers, is monotone in the draw: affine maps,
quotients by a positive integer, and operations that IEEE 754 rounds correctly. The real operation then computes, and
compares, the ends of the interval. Any other operation decides the draw first, which is always right.

A number may have a type of numpy's: a step of its chain makes it, and from there on the operations are numpy's own.
Where these give integers, or truth values, Python's integers compute both ends as well. Where the two differ, a value
is too large for its type and becomes another, so that the operation is not monotone.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

from dpcert.reading.domains import counts, near, noise
from dpcert.reading.domains.chains import at, at_ends, has_many, many, turn
from dpcert.reading.domains.steps import (
    BINARY,
    COMPARED,
    FOLLOWED,
    MOST,
    PLAIN,
    STEPS,
    SWAPPED,
    UNIT,
    WHOLE,
    answer_in,
    exactly,
    finite,
    has_two_values,
    order,
    same,
)
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.floats.enclosed import LARGE
from dpcert.reading.numpy import kinds
from dpcert.reading.values import Draw, Undecided, Value

FEW = 32
OTHERS: dict[str, Any] = {"count": counts, "ideal": noise}  # the domains of draws that are no intervals


def _other(*values: Value) -> Any:
    """The domain of the first value that is a number, but no chain over an interval; or None."""
    for each in values:
        if type(each) is Undecided and each.draw.kind in OTHERS:
            return OTHERS[each.draw.kind]
    return None


def ends(number: Undecided) -> tuple[Value, Value]:
    """The values of a number at the two ends of its draw; all its values lie between them."""
    if number.draw.kind == "ideal":
        return noise.ends(number)
    return near.bounds(number) if near.is_near(number) else at_ends(number)


def settled(number: Undecided) -> Value:
    """The number itself, or the one value that it can have."""
    if (other := _other(number)) is not None:
        return other.settled(number)
    first, last = at_ends(number)
    if not same(first, last) or (near.is_near(number) and cuts_of(number)):
        return number
    return first


def draw(bound: int, kind: str = "int") -> Value:
    """A new number, uniform on [0, bound), or k / 2^53."""
    return settled(Undecided(Draw(0, bound, kind)))


def ask(number: Undecided, cuts: list[int]) -> None:
    """Ask in which part of its interval the draw lies, unless the cuts leave it in one."""
    lo, hi = number.draw.lo, number.draw.hi
    inner = sorted({cut for cut in cuts if lo < cut < hi})
    if inner:
        raise Ask(number.draw, [lo, *inner, hi])


def decide(number: Undecided) -> Value:
    """Ask for the value of a number: a cut wherever it changes.

    Raises: Ask; Refused where there are more than `MOST` values.
    """
    if (other := _other(number)) is not None:
        return other.decide(number)
    ask(number, cuts_of(number))
    return at(number, number.draw.lo)


def cuts_of(number: Undecided) -> list[int]:
    """The places of the draw where a number changes.

    Raises: Refused where there are more than `MOST`.
    """
    cuts, place, size = [], number.draw.lo, number.draw.hi - number.draw.lo
    if not number.chain and size <= MOST:
        return list(range(place + 1, number.draw.hi))
    if size <= FEW:
        values = [at(number, place) for place in range(place, number.draw.hi)]
        return [place + i for i in range(1, size) if not same(values[i - 1], values[i])]
    if size > MOST and has_many(number):
        raise Refused(many(size))
    if near.is_near(number):
        return near.values_cut(number)
    last = at(number, number.draw.hi - 1)
    up = order(at(number, place)) <= order(last)
    while not same(value := at(number, place), last):
        place = max(place + 1, turn(number, partial(_after, up, order(value))))
        cuts.append(place)
        if len(cuts) > MOST:
            raise Refused(many(size))
    return cuts


def must_decide(number: Undecided) -> NoReturn:
    """Ask for the value of a number; where its narrowed draw leaves one value, ask about the draw as it is.

    Raises: Ask; Refused where there are too many.
    """
    decide(number)
    if settled(number) is number:
        raise Refused("internal: a number with one value is undecided")
    # a question with one answer: the machine made anew for it has the value in the place of the number
    raise Ask(number.draw, [number.draw.lo, number.draw.hi])


def _after(up: bool, than: Any, value: Any) -> bool:
    """Whether a value comes after another on a way up or down."""
    return bool(order(value) > than if up else order(value) < than)


def compare(a: Value, sign: str, b: Value) -> Value:
    """The answer of a comparison of an undecided number with an exact number, on either side, in its own type.

    Raises: Ask where it depends on the draw.
    """
    if (other := _other(a, b)) is not None:
        return other.compare(_decided(a), sign, _decided(b))
    if type(a) is not Undecided:
        return compare(b, SWAPPED[sign], a)
    if type(b) is Undecided:
        decide(smaller(a, b))
    first, last = at_ends(a)
    if not finite(b):
        return COMPARED[sign](first, b)  # the same for every finite number
    if not _together(type(first), type(b)):
        decide(a)
    up = first <= last
    if near.is_near(a):
        signs = ("<=", ">=") if sign in ("==", "!=") else (sign,)
        ask(a, near.cuts(a, *(partial(_holds, each, b) for each in signs)))
    elif sign in ("==", "!="):
        ask(a, [reached(a, b, up), passed(a, b, up)])
    else:
        ask(a, [(reached if (sign in ("<", ">=")) == up else passed)(a, b, up)])
    return COMPARED[sign](first, b)


def _holds(sign: str, b: Value, value: Value) -> bool:
    return bool(COMPARED[sign](value, b))


def answer(number: Undecided, sign: str, b: Value) -> Value:
    """The answer of a comparison with a known number, undecided where it is monotone in the draw.

    Raises: Ask where it is not, and depends on the draw.
    """
    if _other(number, b) is not None or near.is_near(number) or not (_together(kind_of(number), type(b)) and finite(b)):
        return compare(number, sign, b)
    if sign not in ("==", "!="):
        return then(number, sign, b)
    return of_answer(number, lambda v: COMPARED[sign](v, b)) if answer_in(number.chain) else compare(number, sign, b)


def _together(a: type, b: type) -> bool:
    """Whether operations of two types are known to be monotone; numpy hands fractions to Python as objects."""
    return a in FOLLOWED and b in FOLLOWED and (Fraction not in (a, b) or {a, b} <= PLAIN)


def reached(a: Undecided, b: Value, up: bool) -> int:
    """The first place of the draw where a number reaches a finite number b, going up or down."""
    if a.chain or type(b) not in PLAIN or a.draw.kind == "hull":
        return turn(a, (lambda v: v >= b) if up else (lambda v: v <= b))
    numerator, denominator = _ratio(a, b)
    return _within(a, -(-numerator // denominator))


def passed(a: Undecided, b: Value, up: bool) -> int:
    """The first place of the draw where a number has passed a finite number b, going up or down."""
    if a.chain or type(b) not in PLAIN or a.draw.kind == "hull":
        return turn(a, (lambda v: v > b) if up else (lambda v: v < b))
    numerator, denominator = _ratio(a, b)
    return _within(a, numerator // denominator + 1)


def _ratio(a: Undecided, b: Value) -> tuple[int, int]:
    """The place, as a ratio, where a number that is its draw itself is exactly b."""
    numerator, denominator = b.as_integer_ratio()
    return numerator * (UNIT if a.draw.kind == "float" else 1), denominator


def _within(a: Undecided, place: int) -> int:
    lo: int = a.draw.lo
    hi: int = a.draw.hi
    return min(max(place, lo), hi)


def smaller(a: Undecided, b: Undecided) -> Undecided:
    """The one of two numbers that has fewer values, as far as its draw and its steps say."""
    return a if _most_values(a) <= _most_values(b) else b


def _most_values(number: Undecided) -> int:
    """An upper bound on how many values a number has."""
    size: int = number.draw.hi - number.draw.lo
    sizes = [len(by) + (step == "search") for step, by in number.chain if step in ("search", "pick")]
    return min([size, *sizes, *([2] if has_two_values(number.chain) else [])])


def binary(name: str, a: Value, b: Value) -> Value:
    """The result of an operation with one or two undecided operands; it is undecided where it can be followed.

    Raises: Ask where it cannot be followed.
    """
    if (domain := _other(a, b)) is not None:
        return domain.binary(name, _decided(a), _decided(b))
    if type(a) is Undecided and type(b) is Undecided:
        decide(smaller(a, b))
    number, other, right = (a, b, False) if type(a) is Undecided else (b, a, True)
    step = _step(name, number, other, right)
    if step is None:
        operation = BINARY[name]
        return of_answer(number, lambda v: operation(other, v) if right else operation(v, other))
    return then(number, *step)


def _step(name: str, number: Undecided, other: Value, right: bool) -> tuple[str, Value] | None:
    """An operation with a known number, as a step of a chain, or None."""
    kind = kind_of(number)
    if not (_together(kind, type(other)) and finite(other)):
        return None
    if name in ("add", "sub", "mul"):
        if name == "mul" and other == 0:
            return None
        return ("r" if right else "") + name, other
    if right or not other:
        return None
    if name == "truediv":
        return name, other
    whole = kind in WHOLE and type(other) in WHOLE
    if name == "floordiv" and whole and other > 0:
        return name, other
    if name == "rshift" and whole and type(other) is int and 0 <= other < 10_000:
        return "floordiv", 1 << other
    if name == "lshift" and whole and type(other) is int and 0 <= other < 10_000:
        return "mul", 1 << other
    return _remainder(name, number, other) if whole else None


def _remainder(name: str, number: Undecided, other: Value) -> tuple[str, Value] | None:
    """`u % m`, and `u & (2^k - 1)`, where few multiples of m lie in the interval: which block, then a difference."""
    if name == "and" and type(other) is int and other > 0 and other & (other + 1) == 0:
        other += 1
    elif name != "mod" or other < 0:
        return None
    first, last = sorted(map(int, ends(number)))
    if last // int(other) - first // int(other) > MOST:
        return None
    block = then(number, "floordiv", other)
    return "sub", (decide(block) if type(block) is Undecided else block) * other


def then(number: Undecided, step: str, by: Value = None) -> Value:
    """A number with one more step, if the result is finite and of one type at both ends; else it is decided.

    Raises: Ask.
    """
    if (other := _other(number)) is not None:
        return other.then(number, step, by)
    longer = Undecided(number.draw, _longer(number, step, by))
    try:
        first, last = at_ends(longer)
        if near.is_near(longer) and not all(abs(float(each)) < LARGE for each in ends(longer)):
            return must_decide(number)
    except (ArithmeticError, ValueError, TypeError, RuntimeWarning):
        return must_decide(number)
    if type(first) is not type(last) or type(first) not in FOLLOWED or not (finite(first) and finite(last)):
        return must_decide(number)
    if type(first) in kinds.WRAPPING and step not in COMPARED and not _fits(number, step, by, ends(longer)):
        return of_answer(number, lambda v: STEPS[step](v, by))
    if step == "floordiv" and type(first) not in WHOLE:
        return must_decide(number)
    return settled(longer)


def of_answer(number: Undecided, function: Callable[[Any], Value]) -> Value:
    """The result of a function of the host for a number made of an answer; any other number is decided.

    Raises: Ask, also where the function raises, or gives other than finite numbers of one type.
    """
    answer = answer_in(number.chain)
    if answer is None:
        return must_decide(number)
    asked = Undecided(number.draw, answer)
    try:
        found = {bool(end): function(value) for end, value in zip(ends(asked), ends(number), strict=True)}
    except (ArithmeticError, ValueError, TypeError, RuntimeWarning):
        return must_decide(number)
    values = [*found.values()]
    if not all(type(each) is type(values[0]) and type(each) in FOLLOWED and finite(each) for each in values):
        return must_decide(number)
    return settled(Undecided(asked.draw, (*answer, ("pick", (found.get(False), found.get(True))))))


def _fits(number: Undecided, step: str, by: Value, found: tuple[Value, Value]) -> bool:
    """Whether Python's integers have the same values at both ends, so that none between is too large for its type."""
    exact = int if step == "np" else partial(exactly, step, by)
    return all(exact(value) == int(each) for value, each in zip(ends(number), found, strict=True))


def _longer(number: Undecided, step: str, by: Value) -> tuple[tuple[str, Value], ...]:
    """The chain with one more step; integers added one after the other become one step."""
    chain = number.chain
    if step in ("add", "radd", "sub") and type(by) in (int, bool) and kind_of(number) is int:
        shift = -by if step == "sub" else int(by)
        if chain and chain[-1][0] == "shift":
            shift, chain = shift + chain[-1][1], chain[:-1]
        return (*chain, ("shift", shift)) if shift else chain
    return (*chain, (step, by))


def kind_of(number: Undecided) -> type:
    """The type of a number, which is known."""
    other = _other(number)
    return type(at(number, number.draw.lo)) if other is None else other.kind_of(number)


def is_a(number: Undecided, kind: type) -> bool:
    """Whether a number is of a type."""
    return noise.is_a(number, kind) if number.draw.kind == "ideal" else kind_of(number) is kind


def _decided(value: Value) -> Value:
    """A value, decided unless it is of another domain."""
    return decide(value) if type(value) is Undecided and _other(value) is None else value


def settle(value: Undecided) -> None:
    """Ask for the value of a number that the program returns; one of another domain may stay undecided.

    Raises: Ask.
    """
    other = _other(value)
    decide(value) if other is None else other.settle(value)


def magnitude(number: Undecided) -> Value:
    """The absolute value of an undecided number whose draw is no interval.

    Raises: Ask.
    """
    return _other(number).magnitude(number)


def example(number: Undecided) -> Value:
    """A plain number of the type of an undecided one."""
    return at(number, number.draw.lo) if _other(number) is None else ends(number)[0]
