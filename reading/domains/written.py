"""The parameter epsilon, and numbers written with exponentials: what `exp` makes, and arithmetic with it.

Such a number is a float to the library, and beside it the real number that it is written as. A parameter of a draw is
read as it is written. With `Meaning.meant`, so is all that is compared, rounded and released, and what a uniform number
is compared with; else that is the float. Of a number that depends on epsilon there is no float.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.late import flint
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import ONE, UNIT, Exact, total
from dpcert.mechanisms.ideal.noise import HALF
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.signs import BITS, MOST_BITS, sign_of
from dpcert.reading.domains.forms import Cut, Form, Meaning, Way, Written, data_of, number, refuse
from dpcert.reading.domains.kinds import FLOAT, Kinds, kind_named, kinds_after, plain_of_kind, results, twins
from dpcert.reading.domains.steps import BINARY, COMPARED
from dpcert.reading.values import Undecided, Value

LOOKED = "a look at a number that depends on epsilon is not followed"
MOST_TERMS = 1000
"""The most terms of a number that is followed."""
MOST_FACTORS = 16
"""The most factors of a power."""
EXPONENTIALS: dict[str, int] = {"exp": 0, "expm1": 1}
"""What is taken from an exponential, by the name of the function."""
OPERATIONS: dict[str, Callable[[Exact, Exact], Exact]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
}
BESIDE = "other noise beside a uniform number times an exponential is not followed"


def told(value: Value) -> Any:
    """A number without noise that is no plain one, as data; all else as it is."""
    found = data_of(value) if type(value) is Undecided and value.draw.kind == "ideal" else None
    return found if isinstance(found, Written) else value


def plain_of(x: Any) -> Value:
    """The plain number that a number is to the library; None where it depends on epsilon."""
    return x.value if isinstance(x, Written) else x


def exact_of(x: Any) -> Exact | None:
    """The real number that a number is written as; None for anything else."""
    if isinstance(x, Written):
        return x.exact
    if type(x) is Undecided:
        data = data_of(x)
        return Exact.of(data.offset) if isinstance(data, Form) and not data.terms else None
    found = exactly(x)
    return None if found is None else Exact.of(found)


def constant_of(x: Any) -> Fraction | None:
    """The rational number that a number is written as; None for anything else."""
    found = exact_of(x)
    return None if found is None else found.rational()


def _powers(x: Any) -> dict[int, Fraction] | None:
    """The coefficients of a number of epsilon, by the powers of epsilon; None for any other number."""
    exact = exact_of(x)
    if exact is None or exact.below != ONE.below or any(b or s for (_, b, s), _ in exact.above):
        return None
    return {i: c for (i, _, _), c in exact.above}


def _written(world: Any, exact: Exact, value: Value, kinds: Kinds = FLOAT) -> Value:
    """A number with what it is written as; the plain number alone where that is too long."""
    if len(exact.above) + len(exact.below) > MOST_TERMS:
        return refuse("a number that depends on epsilon by so many exponentials") if value is None else value
    kinds = kinds if value is None else (kind_named(value),)
    return number(world, Written(kinds, exact.above, exact.below, value))


def exponential(world: Any, name: str, function: Callable[[Any], Any], value: Value) -> Value:
    """`exp` of a number, or `expm1`, with what it is written as.

    Raises: Raises with the exception of the real function.
    """
    x = told(value)
    less = Exact.of(EXPONENTIALS[name])
    meaning: Meaning = world.known.meaning
    if plain_of(x) is None:
        powers = _powers(x)
        if powers is None or not powers.keys() <= {0, 1}:
            refuse("an exponential of what is no multiple of epsilon is not followed")
        power = Exact.power(epsilon=powers.get(1, 0), number=powers.get(0, 0))
        return _written(world, power - less, None, kinds_after(function, [1.5]))
    (found,) = results(function, [plain_of(x)])
    exact = constant_of(x)
    if exact is None or isinstance(x, bool) or not isinstance(found, float) or not math.isfinite(found):
        return found
    meaning.made = True
    return _written(world, Exact.power(number=exact) - less, found)


def binary(world: Any, name: str, a: Value, b: Value) -> Value:
    """The result of an operator on numbers one of which is written with exponentials, and no one is noisy.

    Raises: Raises with the exception of the real operator.
    """
    x, y = told(a), told(b)
    known = [plain_of(each) for each in (x, y)]
    exact = _power(x, y) if name == "pow" else _operated(name, x, y)
    if None in known:
        if exact is None:
            refuse("such a number that depends on epsilon is not followed")
        rows = [twins(each.kinds) if isinstance(each, Written) else [each] for each in (x, y)]
        return _written(world, exact, None, kinds_after(BINARY[name], *rows))
    (value,) = results(BINARY[name], *([each] for each in known))
    return value if exact is None or not isinstance(value, float) else _written(world, exact, value)


def _operated(name: str, x: Any, y: Any) -> Exact | None:
    left, right = exact_of(x), exact_of(y)
    if name not in OPERATIONS or left is None or right is None:
        return None
    try:
        return OPERATIONS[name](left, right)
    except ZeroDivisionError:
        return None
    except Unauditable as error:
        return refuse(str(error)) if None in map(plain_of, (x, y)) else None


def _power(x: Any, y: Any) -> Exact | None:
    """A power by a small integer, or of an exponential by a number or a multiple of epsilon; None for any other one."""
    base = exact_of(x)
    if base is not None and type(y) is int and 0 <= y <= MOST_FACTORS:
        return math.prod([base] * y, start=ONE)
    if base is None or base.below != ONE.below or len(base.above) != 1 or isinstance(y, bool):
        return None
    (((i, b, s), c),) = base.above
    powers = _powers(y)
    if i or b or c != 1 or powers is None or not powers.keys() <= {0, 1}:
        return None
    return Exact.power(epsilon=s * powers.get(1, 0), number=s * powers.get(0, 0))


def sum_of(world: Any, items: list[Value], value: Value) -> Value:
    """A sum of numbers some of which are written with exponentials; `value` is that of their floats."""
    known = [exact_of(told(each)) for each in items]
    if not isinstance(value, float) or None in known:
        return value
    try:
        return _written(world, total([each for each in known if each is not None]), value)
    except Unauditable:
        return value


def compared(world: Any, sign: str, a: Value, b: Value) -> bool | None:
    """The answer of a comparison of such a number, for every epsilon above 0; None where it is that of the floats.

    Raises: Refused where there is none.
    """
    x, y = told(a), told(b)
    left, right = exact_of(x), exact_of(y)
    is_open = None in (plain_of(x), plain_of(y))
    if left is None or right is None or not (is_open or world.known.meaning.meant):
        return refuse(LOOKED) if is_open else None
    return bool(COMPARED[sign](_sign(left - right, is_open), 0))


def _sign(exact: Exact, is_open: bool) -> int:
    try:
        return sign_of(dict(exact.above), nowhere_zero=True) if is_open else exact.sign()
    except Unauditable as error:
        return refuse(str(error))


def then(world: Any, data: Written, step: str, digits: Value, convert: Callable[..., Any]) -> Value:
    """Such a number converted by a function of Python, or times -1."""
    if step == "neg":
        return _written(world, -data.exact, None if data.value is None else -data.value, data.kinds)
    if data.value is None:
        return number(world, data) if step == "float" else refuse(LOOKED)
    meant = world.known.meaning.meant
    found: Value
    if step == "np":
        found = plain_of_kind(str(digits), data.value)
    else:
        (found,) = results(convert, [data.value], *([] if digits is None else [[digits]]))
    if meant and isinstance(found, float) and (step in ("float", "item") or digits == "d"):
        return _written(world, data.exact, found)
    if not meant or data.exact.rational() is not None or isinstance(found, float):
        return found
    return type(found)(_whole(step, data.exact))


def _whole(step: str, exact: Exact) -> int:
    if step == "round":
        return floor_of(exact + Exact.of(HALF))
    if step == "ceil" or (step != "floor" and _sign(exact, False) < 0):
        return -floor_of(-exact)
    return floor_of(exact)


def floor_of(exact: Exact) -> int:
    """A number that is not rational, rounded down."""
    bits = BITS
    while bits <= MOST_BITS:
        with flint.ctx.workprec(bits):  # else the floor itself is rounded
            found = exact.enclosed(bits).floor().unique_fmpz()
        if found is not None:
            return int(found)
        bits *= 2
    return refuse("a number written with exponentials is too near to an integer to be rounded")


def over_one(x: Any) -> tuple[Fraction, Fraction, int] | None:
    """(C, c, k) where 1 - x is C e^(c epsilon^k), of a number, or of its float where it is not written so; None for
    anything else."""
    exact = exact_of(x)
    rest = None if exact is None else ONE - exact
    if rest is not None and len(rest.above) <= 1 and rest.below == ONE.below:
        (((i, b, s), factor),) = rest.above or ((UNIT, Fraction(0)),)
        if not i and not (b and s):
            return factor, b or s, int(b != 0)
    if not isinstance(x, Written) or x.value is None:
        return None
    return over_one(x.value)


def weight_of(known: Way, value: Value) -> Exact | None:
    """A weight of a draw: as it is written where that is meant, else its float; None for what is no number."""
    x = told(value)
    if isinstance(x, Written) and x.value is not None and not known.meaning.meant and constant_of(x) is None:
        x = x.value
    return exact_of(x)


# -- a uniform number times such a number, plus another one


def cut_of(known: Way, data: Any) -> Cut | None:
    """A uniform variable times a number, plus one, as it stands beside exponentials; None for anything else."""
    if isinstance(data, Cut):
        return data
    if not isinstance(data, Form) or len(data.terms) != 1 or not known.is_uniform(data.terms[0][0]):
        return None
    ((name, c),) = data.terms
    return Cut(data.kinds, name, *((each.above, each.below) for each in map(Exact.of, (c, data.offset))))


def beside(known: Way, a: Value, b: Value) -> tuple[Any, Any] | None:
    """Two operands, one of them a uniform number and the other exact; None where these are other numbers."""
    found = [data_of(each) if type(each) is Undecided and told(each) is each else each for each in (a, b)]
    if not any(isinstance(each, Cut) for each in found):
        x = next((told(each) for each in (a, b) if told(each) is not each), None)
        if x is None or (plain_of(x) is not None and not (known.meaning.meant and isinstance(x, Written))):
            return None
        if constant_of(x) is not None or exact_of(x) is None or not any(cut_of(known, each) for each in found):
            return None
    return found[0], found[1]


def _parts(known: Way, value: Any, name: int) -> tuple[Exact, Exact]:
    """The factor and the offset of a number beside a uniform one of a name."""
    cut = cut_of(known, value)
    if cut is not None:
        if cut.name != name:
            refuse(BESIDE)
        return Exact(*cut.factor), Exact(*cut.offset)
    exact = Exact.of(value.offset) if isinstance(value, Form) and not value.terms else exact_of(told(value))
    return (Exact(()), exact) if exact is not None else refuse(BESIDE)


def _both(known: Way, a: Any, b: Any) -> tuple[int, tuple[Exact, Exact], tuple[Exact, Exact]]:
    cuts = [cut for each in (a, b) if (cut := cut_of(known, each)) is not None]
    name = cuts[0].name
    return name, _parts(known, a, name), _parts(known, b, name)


def cut_binary(world: Any, name: str, a: Any, b: Any, kinds: tuple[str, ...]) -> Value:
    """The result of an operator on what `beside` gives."""
    variable, left, right = _both(world.known, a, b)
    if name == "mul" and left[0].above:
        left, right = right, left
    if name not in OPERATIONS or (name in ("mul", "truediv") and (left[0] if name == "mul" else right[0]).above):
        refuse(f"{name} of a uniform number times an exponential is not followed")
    try:
        match name:
            case "mul":
                pair = [left[1] * each for each in right]
            case "truediv":
                pair = [each / right[1] for each in left]
            case _:
                pair = [OPERATIONS[name](x, y) for x, y in zip(left, right, strict=True)]
    except (Unauditable, ZeroDivisionError) as error:
        refuse(str(error))
    factor, offset = ((each.above, each.below) for each in pair)
    return number(world, Cut(kinds, variable, factor, offset))


def cut_compared(known: Way, sign: str, a: Any, b: Any) -> bool:
    """How what `beside` gives compares; equality has no probability."""
    name, left, right = _both(known, a, b)
    factor, offset = left[0] - right[0], left[1] - right[1]
    if not factor.above:
        return bool(COMPARED[sign](_sign(offset, offset.is_open()), 0))
    if sign in ("==", "!="):
        return sign == "!="
    return known.is_above(name, factor, offset) is (sign in (">", ">="))
