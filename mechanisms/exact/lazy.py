"""Integers that are decided only as far as a program asks.

`LazyInt` is a node (`node.py`) seen through a chain of monotone functions. It is no subclass of `int`, since C code
would read a hidden value; `__class__` answers `int`. `docs/reference/coins.md` lists the operations that are followed,
decided by branching, and refused.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from dpcert.mechanisms.exact.node import Node

Binary = Callable[..., Any]
# Numbers with which an undecided integer is compared as they are.
NUMBERS = (int, bool, Fraction, float)


# The functions through which a node is seen, innermost first. `pull` turns a question about the image into one
# about the argument: with up, "image <= c"; without, "image >= c".


class Affine(NamedTuple):
    """x -> scale * x + shift, scale != 0."""

    scale: int
    shift: int

    def __call__(self, x: int) -> int:
        return self.scale * x + self.shift

    def pull(self, node: Node, c: int, up: bool) -> tuple[int, bool]:
        d = c - self.shift
        if self.scale > 0:
            return (d // self.scale, True) if up else (-(-d // self.scale), False)
        return (-(d // -self.scale), False) if up else (d // self.scale, True)


class FloorDiv(NamedTuple):
    """x -> x // divisor, divisor > 0."""

    divisor: int

    def __call__(self, x: int) -> int:
        return x // self.divisor

    def pull(self, node: Node, c: int, up: bool) -> tuple[int, bool]:
        return (c * self.divisor + self.divisor - 1, True) if up else (c * self.divisor, False)


def image(steps: Iterable[Callable[[Any], Any]], x: Any) -> Any:
    """Return the result of the steps on x, one after the other."""
    for step in steps:
        x = step(x)
    return x


def spread(steps: Iterable[Any], a: Any, b: Any) -> tuple[Any, Any]:
    """Return ordered bounds of the image of [a, b] by the steps; a step that is not monotone has its own `bounds`."""
    for step in steps:
        a, b = step.bounds(a, b) if hasattr(step, "bounds") else (step(a), step(b))
    return (a, b) if a <= b else (b, a)


class Monotone(tuple[Callable[[Any], Any], ...]):
    """Monotone steps in a row, floats in between allowed, from a node's value to an integer; pulled by bisection."""

    __slots__ = ()
    __call__ = image
    bounds = spread

    def pull(self, node: Node, c: int, up: bool) -> tuple[int, bool]:
        return turn(node, self, lambda x: x <= c if up else x >= c)


def turn(node: Node, steps: Iterable[Any], holds: Callable[[Any], bool]) -> tuple[int, bool]:
    """Return (c, True) if `holds` is true of the image of x iff x <= c, else (c, False) if it is true iff x >= c.

    Requires: an answer that changes at most once along the node.
    """
    lo, hi = node.least(), node.greatest()
    first = holds(image(steps, lo))
    if holds(image(steps, hi)) == first:
        return hi if first else hi + 1, first
    while hi - lo > 1:
        middle = (lo + hi) // 2
        lo, hi = (middle, hi) if holds(image(steps, middle)) == first else (lo, middle)
    return lo if first else hi, first


def install(cls: type, names: str, make: Callable[[Binary], Binary], form: str = "__{}__") -> None:
    """Give a class the operators that `make` makes of the named functions of the operator module."""
    for name in names.split():
        op = getattr(builtins, name, None) or getattr(operator, name, None) or getattr(operator, name + "_")
        setattr(cls, form.format(name), make(op))


class Lazy:
    """An undecided number: a node seen through functions; operations that a subclass does not follow decide it."""

    __slots__ = ("_maps", "_node")
    _plain: type = object

    def __init__(self, node: Node, maps: tuple[Any, ...] = ()) -> None:
        self._node = node
        self._maps = maps

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> type:
            return self._plain

    def _image(self, x: Any) -> Any:
        return image(self._maps, x)

    def _span(self) -> int:
        return self._node.count()

    def _needed(self, draw: str, kind: str) -> None:
        """Give up the path where too many values are left to decide between."""
        run, span = self._node.run, self._span()
        if span > run.settings.limits.max_runs:
            run.give_up(f"{draw} with {(span - 1).bit_length()} undecided bits was needed as a plain {kind}")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> NoReturn:
        self._node.run.give_up(f"a draw is handed to numpy.{ufunc.__name__}, of which paths know nothing")

    def __array__(self, *args: Any, **settings: Any) -> NoReturn:
        self._node.run.give_up("a draw is handed to numpy, of which paths know nothing")

    def __bool__(self) -> bool:
        return bool(operator.ne(self, 0))

    def __pos__(self, memo: Any = None) -> Any:
        return self

    __copy__ = __deepcopy__ = __pos__

    def __float__(self) -> Any:
        return self._decide() / 1

    def __getattr__(self, name: str) -> Any:
        if not hasattr(self._plain, name):
            raise AttributeError(f"{self._plain.__name__!r} object has no attribute {name!r}")
        return getattr(self._decide(), name)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        name = self._plain.__name__
        self._node.run.poison(f"pickling an undecided draw cannot be followed; write {name}(...) around the draw")


def _decided(op: Binary) -> Binary:
    def forward(self: Any, other: Any, *modulus: Any) -> Any:
        if issubclass(type(other), Lazy) and other._span() < self._span():
            return op(self, other._decide(), *modulus)
        return op(self._decide(), other, *modulus)

    return forward


ARITHMETIC, COMPARISONS = "add sub mul truediv floordiv mod divmod pow lshift rshift and or xor", "lt le gt ge eq ne"
install(Lazy, "hash repr str format round", lambda op: lambda self, *rest: op(self._decide(), *rest))
install(Lazy, ARITHMETIC, _decided)
install(Lazy, ARITHMETIC, lambda op: lambda self, other: op(other, self._decide()), "__r{}__")
install(Lazy, COMPARISONS, lambda op: lambda self, other: self._compare(other, op))


class LazyInt(Lazy):
    """An undecided integer as a program sees it; every operation is listed in docs/reference/coins.md.

    `floats.py`, which computes with floats, gives the operations that lead to them.
    """

    __slots__ = ()
    _plain = int
    _lifted: Callable[..., Any]
    _divided: Callable[..., Any]

    def _bounds(self) -> tuple[int, int]:
        return spread(self._maps, self._node.least(), self._node.greatest())

    def _span(self) -> int:
        lo, hi = self._bounds()
        return min(hi - lo + 1, self._node.count())

    def _at_most(self, c: int) -> bool:
        up = True
        for f in reversed(self._maps):
            c, up = f.pull(self._node, c, up)
        return self._node.at_most(c) if up else not self._node.at_most(c - 1)

    def _decide(self) -> int:
        self._needed("a draw", "number")
        lo, hi = self._bounds()
        while lo != hi:
            middle = (lo + hi) // 2
            below = self._at_most(middle)
            a, b = self._bounds()
            lo, hi = (max(a, lo), min(b, middle)) if below else (max(a, middle + 1), min(b, hi))
        return lo

    # -- comparisons and truth: followed

    def _compare(self, other: Any, op: Binary) -> Any:
        if type(other) in NUMBERS:
            try:
                floor, ceiling = math.floor(other), math.ceil(other)
            except (OverflowError, ValueError):  # infinite, or not a number
                return op(0, other)
            if op is operator.le or op is operator.gt:
                return self._at_most(floor) is (op is operator.le)
            if op is operator.lt or op is operator.ge:
                return self._at_most(ceiling - 1) is (op is operator.lt)
            equal = floor == ceiling and self._at_most(floor) and not self._at_most(floor - 1)
            return equal is (op is operator.eq)
        if type(other) is LazyInt and other._node is self._node and other._maps == self._maps:
            return op(0, 0)
        return _decided(op)(self, other)

    # -- arithmetic with constants: followed

    def _then(self, f: Any) -> LazyInt:
        last = self._maps[-1] if self._maps else None
        if type(f) is Affine and type(last) is Affine:
            f = Affine(f.scale * last.scale, f.scale * last.shift + f.shift)
            return LazyInt(self._node, (*self._maps[:-1], f))
        return LazyInt(self._node, (*self._maps, f))

    def _linear(self, other: Any, op: Binary) -> Any:
        """Apply an `op` that is linear in this for a constant `other`."""
        if type(other) in (int, bool):
            shift = op(0, other)
            scale = op(1, other) - shift
            return self._then(Affine(scale, shift)) if scale else shift
        if type(other) is float:
            return op(self._lifted(), other)
        return _decided(op)(self, other)

    def __abs__(self) -> Any:
        return self._then(Affine(-1, 0)) if self._at_most(-1) else self

    def __mod__(self, other: Any) -> Any:
        shift, divisor = 0, 1  # this is (node + shift) // divisor
        for f in self._maps:
            if type(f) is FloorDiv:
                divisor *= f.divisor
            elif type(f) is Affine and f.scale == 1:
                shift += f.shift * divisor
            else:
                return _decided(operator.mod)(self, other)
        if type(other) is int and other > 0:
            found = self._node.modulo(shift, divisor * other)  # x // d % m == x % (d * m) // d
            if found is not None:
                node, constant = found
                result = LazyInt(node, (Affine(1, constant),) if constant else ())
                return result._then(FloorDiv(divisor)) if divisor > 1 else result
        return _decided(operator.mod)(self, other)

    def bit_length(self) -> Any:
        """Return the bit length, undecided."""
        if self._bounds()[0] < 0:
            return self._decide().bit_length()
        return LazyInt(self._node, (Monotone((*self._maps, int.bit_length)),))

    # -- decided by branching

    def __index__(self) -> int:
        return self._decide()

    __int__ = __trunc__ = __floor__ = __ceil__ = __index__


install(LazyInt, "add sub mul", lambda op: lambda self, other: self._linear(other, op))
install(LazyInt, "add sub mul", lambda op: lambda self, x: self._linear(x, lambda a, b: op(b, a)), "__r{}__")


def _shift_right(u: LazyInt, k: int) -> Any:
    lo, hi = u._bounds()
    return u._then(FloorDiv(1 << min(k, max(-lo, hi).bit_length() + 1)))


def _where(op: Binary, allows: Callable[[int], bool], follow: Binary) -> Binary:
    return lambda self, other: (follow if type(other) is int and allows(other) else _decided(op))(self, other)


FOLLOWED: tuple[tuple[str, Binary, Callable[[int], bool], Binary], ...] = (
    ("truediv", operator.truediv, lambda c: True, lambda u, c: u._divided(c)),
    ("floordiv", operator.floordiv, lambda c: c > 0, lambda u, c: u._then(FloorDiv(c))),
    ("divmod", divmod, lambda c: c > 0, lambda u, c: (u // c, u % c)),
    ("rshift", operator.rshift, lambda c: c >= 0, _shift_right),
    ("lshift", operator.lshift, lambda c: c >= 0, lambda u, c: u._then(Affine(1 << c, 0))),
    ("and", operator.and_, lambda c: c >= 0 and c & (c + 1) == 0, lambda u, c: u % (c + 1)),
    ("rand", operator.and_, lambda c: c >= 0 and c & (c + 1) == 0, lambda u, c: u % (c + 1)),
)
for _name, _op, _allows, _follow in FOLLOWED:
    setattr(LazyInt, f"__{_name}__", _where(_op, _allows, _follow))
install(LazyInt, "neg invert", lambda op: lambda self: self._then(Affine(-1, op(0))))
