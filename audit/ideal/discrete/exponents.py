"""Numbers written with exponentials: what `exp` of a number or of the parameter epsilon makes, and arithmetic with it.

A draw of finitely many values, and a comparison with a uniform number, take such a number for the real number that it
is written as, and so do comparisons between such numbers and their roundings. Any other use goes on with the float that
it is; of a number that depends on epsilon there is none.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

import numpy as np

from dpcert.audit.ideal.arrays import noisy
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import ONE, UNIT, Exact
from dpcert.mechanisms.ideal.parameter import OfEpsilon, exactly
from dpcert.mechanisms.ideal.signs import sign_of

MOST_TERMS, MOST_SIZE = 1000, 1000
"""The most terms of a number that is followed, and the most numbers in an array of them."""


def exact_number(value: Any) -> Exact | None:
    """Return the real number that a number is written as; None for what is none."""
    if isinstance(value, (Written, OpenSum)):
        return value.exact
    if isinstance(value, OfEpsilon):
        return Exact(tuple(((k, Fraction(0), Fraction(0)), c) for k, c in sorted(value.terms.items())))
    number = exactly(value)
    return None if number is None else Exact.of(number)


def one_less(value: Any) -> tuple[Fraction, Fraction, int] | None:
    """Return (C, c, k) where 1 - value is C e^(c epsilon^k), of a float the number that it is where it was not written
    so; None for anything else."""
    terms = exact_number(value)
    found = None if terms is None else _one_exponential(ONE - terms)
    return one_less(plain(value)) if found is None and isinstance(value, Written) else found


def _one_exponential(rest: Exact) -> tuple[Fraction, Fraction, int] | None:
    """Return (C, c, k) where a number is C e^(c epsilon^k); None for anything else."""
    if len(rest.above) > 1 or rest.below != ONE.below:
        return None
    (((i, b, s), factor),) = rest.above or ((UNIT, Fraction(0)),)
    return None if i or (b and s) else (factor, b or s, int(b != 0))


class Written(float):
    """A float with the number that it was written as, and what floats of numpy have."""

    exact: Exact

    def asked_type(self) -> type:
        """Return the type that it has for programs."""
        return float

    def __neg__(self) -> Any:
        return 0 - self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(np.float64(self), name)


class Meant(Written):
    """A float that is compared and rounded as the number that it was written as; arrays keep it."""

    __array_priority__ = 1000
    is_meant: ClassVar[bool] = True
    made: list[Any] | None = None

    def __pow__(self, other: Any, modulo: Any = None, /) -> Any:
        power = _power_of_e(self.exact, other)
        if modulo is not None:
            return NotImplemented
        if power is None:
            return float(self) ** plain(other)
        _note(self)
        if isinstance(other, OfEpsilon):
            return OpenSum(power, other.refuse)
        return written(float(self) ** plain(other), power, Meant)

    def item(self) -> Any:
        """Return the number itself, as of numpy's numbers."""
        return self

    def __bool__(self) -> bool:
        return bool(self.exact.above)

    def __hash__(self) -> int:
        return hash(float(self))

    def __floor__(self) -> int:
        return _floor(self.exact)

    def __ceil__(self) -> int:
        return -_floor(-self.exact)

    def __trunc__(self) -> int:
        return math.floor(self) if self >= 0 else math.ceil(self)

    __int__ = __trunc__

    def __round__(self, digits: Any = None, /) -> Any:
        if digits is not None or self.exact.rational() is not None:
            return round(float(self), digits)
        return _floor(self.exact + Exact.of(Fraction(1, 2)))


def _note(value: Any) -> None:
    """Note that a number was used, where that is asked for."""
    if isinstance(value, Meant) and value.made is not None:
        value.made.append(value)


def _power_of_e(base: Exact, power: Any) -> Exact | None:
    """Return a power of an exponential by a number or a multiple of epsilon; None for any other power."""
    alone = base.below == ONE.below and len(base.above) == 1
    (((i, b, s), c),) = base.above if alone else ((UNIT, Fraction(0)),)
    if i or b or c != 1:
        return None
    if isinstance(power, OfEpsilon):
        known = set(power.terms) <= {0, 1}
        return Exact.power(epsilon=s * power.terms.get(1, 0), number=s * power.terms.get(0, 0)) if known else None
    number = _exponent(power)
    return None if number is None or isinstance(power, bool) else Exact.power(number=s * number)


def _floor(number: Exact) -> int:
    """Return a number rounded down."""
    rational = number.rational()
    if rational is not None:
        return math.floor(rational)
    near = math.floor(float(number.enclosed().mid()))
    while (number - Exact.of(near)).sign() < 0:
        near -= 1
    while (number - Exact.of(near + 1)).sign() >= 0:
        near += 1
    return near


def written(value: Any, exact: Exact, kind: type[Written]) -> Any:
    """Return a float with the number that it was written as."""
    if not isinstance(value, float) or len(exact.above) + len(exact.below) > MOST_TERMS:
        return value
    found = kind(value)
    found.exact = exact
    return found


def plain(value: Any) -> Any:
    """Return the float alone of one that has what it was written as."""
    return float(value) if isinstance(value, Written) else value


class OpenSum:
    """A number that depends on an epsilon that is left open; what is asked of it has one answer for every epsilon."""

    __array_priority__ = 1000

    def __init__(self, exact: Exact, refuse: Callable[[str], NoReturn]) -> None:
        self.exact = exact
        self.refuse = refuse
        if len(exact.above) + len(exact.below) > MOST_TERMS:
            self.refuse("a number that depends on epsilon by so many exponentials")

    def at(self, epsilon: Fraction) -> float:
        """Return about the value at an epsilon."""
        return self.exact.near(float(epsilon))

    def __neg__(self) -> Any:
        return OpenSum(-self.exact, self.refuse)

    def sign(self) -> int:
        """Return the sign for every epsilon."""
        try:
            sign = sign_of(dict(self.exact.above), nowhere_zero=True)
        except Unauditable as error:
            self.refuse(str(error))
        return sign

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __abs__(self) -> Any:
        return self if self.sign() >= 0 else -self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse(f"{name} of a number that depends on epsilon")


Operation = Callable[[Any, Any], Any]
OPERATIONS: dict[str, Operation] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
}
COMPARED: dict[str, Operation] = {name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}


def _operator(name: str, operation: Operation, *, reflected: bool) -> Callable[[Any, Any], Any]:
    method = f"__{'r' if reflected else ''}{name}__"

    def operate(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray) and type(self) is not Written:
            return _in_array(self, other, operation, reflected=reflected)
        mine, its = exact_number(self), exact_number(other)
        if isinstance(self, OpenSum):
            return NotImplemented if mine is None or its is None else _open(self, operation, mine, its, reflected)
        if isinstance(other, OpenSum):
            return NotImplemented
        _note(self)
        found = getattr(plain(self), method)(plain(other))
        if mine is None or its is None or not isinstance(found, float):
            return found
        kind = Meant if isinstance(self, Meant) or isinstance(other, Meant) else Written
        try:
            return written(found, operation(its, mine) if reflected else operation(mine, its), kind)
        except (ZeroDivisionError, Unauditable):  # a float alone, where it is no number that is known to be another
            return found

    return operate


def _open(self: OpenSum, operation: Operation, mine: Exact, its: Exact, reflected: bool) -> Any:
    try:
        return OpenSum(operation(its, mine) if reflected else operation(mine, its), self.refuse)
    except Unauditable as error:
        self.refuse(str(error))


def _in_array(number: Any, array: Any, operation: Operation, *, reflected: bool) -> Any:
    """Return the results of an operation with each number of an array."""
    alone = np.empty((), dtype=object)
    alone[()] = number
    items = array if array.dtype == object else array.astype(object)
    found = operation(items, alone) if reflected else operation(alone, items)
    return noisy(found)


def _comparison(name: str, operation: Operation) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _in_array(self, other, operation, reflected=False)
        mine, its = exact_number(self), exact_number(other)
        if its is None or mine is None:
            return getattr(float, f"__{name}__")(self, other) if isinstance(self, Meant) else NotImplemented
        if isinstance(self, Meant) and isinstance(other, OpenSum):
            return NotImplemented
        _note(self)
        difference = mine - its
        if isinstance(self, OpenSum):
            return operation(OpenSum(difference, self.refuse).sign(), 0)
        return operation(difference.sign(), 0)

    return compare


for _name, _operation in OPERATIONS.items():
    for _reflected in (False, True):
        for _kind in (Written, OpenSum):
            _method = f"__{'r' if _reflected else ''}{_name}__"
            setattr(_kind, _method, _operator(_name, _operation, reflected=_reflected))
for _name, _operation in COMPARED.items():
    for _kind in (Meant, OpenSum):
        setattr(_kind, f"__{_name}__", _comparison(_name, _operation))


for _name in ("hash", "float", "int", "str", "repr", "format", "index", "floordiv", "mod", "floor", "ceil", "round"):

    def _refused(self: OpenSum, *args: Any) -> NoReturn:
        self.refuse("a look at a number that depends on epsilon")

    setattr(OpenSum, f"__{_name}__", _refused)


def _of_epsilon(value: OfEpsilon, less: int) -> OpenSum:
    """Return the exponential of a multiple of epsilon, plus a number; of both, less a number."""
    if not set(value.terms) <= {0, 1}:
        value.refuse("exp of what is no multiple of epsilon")
    power = Exact.power(epsilon=value.terms.get(1, Fraction(0)), number=value.terms.get(0, Fraction(0)))
    return OpenSum(power - Exact.of(less), value.refuse)


class _Exponential:
    """`exp` or `expm1` of Python or numpy, which also keeps what a number was written as."""

    def __init__(self, function: Any, less: int, kind: type[Written], made: list[Any]) -> None:
        self._function, self._less, self._kind, self._made = function, less, kind, made

    def __call__(self, x: Any, *args: Any, **settings: Any) -> Any:
        if isinstance(x, np.ndarray) and x.ndim and not args and not settings:
            return self._each(x)
        if isinstance(x, OfEpsilon):
            constant = x.constant()
            if constant is None:
                return _of_epsilon(x, self._less)
            x = constant
        value = float(x) if isinstance(x, Fraction) else plain(x)
        found = self._function(value, *args, **settings)
        number = None if args or settings or np.ndim(value) else _exponent(x)
        if number is None or isinstance(x, bool):
            return found
        self._made.append(number)
        return written(found, Exact.power(number=number) - Exact.of(self._less), self._kind)

    def _each(self, x: Any) -> Any:
        """Return the exponentials of an array's numbers."""
        of_objects = x.dtype == object and all(isinstance(item, (float, int, OfEpsilon)) for item in x.flat)
        if not of_objects and not (self._kind is Meant and x.dtype.kind in "fiu" and 0 < x.size <= MOST_SIZE):
            return self._function(x)
        found = np.empty(x.shape, dtype=object)
        found.ravel()[:] = [self(item) for item in x.ravel().tolist()]
        return noisy(found)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def _exponent(x: Any) -> Fraction | None:
    """Return the rational number that a number is, if it is one."""
    if isinstance(x, Written):
        return x.exact.rational()
    number = exactly(x)
    return None if number is None else Fraction(number)


def exponentials(kind: type[Written], made: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the functions that make exponentials, each with one that keeps what they are of. Those of numbers are of a
    kind, and noted in `made`; where comparisons are of what is written, arrays keep it, too."""
    for module in (math, np):
        yield module.exp, _Exponential(module.exp, 0, kind, made)
        yield module.expm1, _Exponential(module.expm1, 1, kind, made)
        if kind is Meant:
            e = Meant(module.e)
            e.exact, e.made = Exact.power(number=1), made
            yield module.e, e
