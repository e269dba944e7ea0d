"""Functions of the module `math`, and powers, on undecided floats; on plain numbers they are the machine's own."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

from dpcert.mechanisms.exact.floats import LazyFloat, lift
from dpcert.mechanisms.exact.lazy import Lazy, LazyInt
from dpcert.mechanisms.floating.accuracy import REALS, STEPS, Real, power_of, power_to, stepped
from dpcert.mechanisms.floating.enclosed import Enclosed, Partial
from dpcert.mechanisms.floating.hulls import Hulls, hull, is_hull, range_of, value_in

ASSUMED = "assumed of this machine: "
"""The beginning of a note that is an assumption; the name of a function follows."""

Call = Callable[[Any], Any]
SMALLEST = stepped(0.0, 1)
MOST_ZEROS = 1 << 10
SUM = sum
SUMPROD: Any = vars(math).get("sumprod")
COMPENSATES = sum([0.1] * 10) == 1.0
"""Whether `sum` makes up for the rounding of plain floats, as it does from CPython 3.12 on; of undecided ones it does
not.
"""


def is_lazy(value: object) -> bool:
    """Whether a value is undecided."""
    return issubclass(type(value), Lazy)


def as_float(value: Any) -> Any:
    """Return float(value), undecided where it can be followed."""
    if type(value) is LazyInt:
        return lift(value)
    if type(value) is LazyFloat and type(value._image(value._node.least())) is not float:
        return LazyFloat(value._node, (*value._maps, float))
    return value if type(value) is LazyFloat else float(value)


def _tried(call: Call, x: Any) -> Any:
    """Return call(x), or the error that it raises. Its warnings are dropped: runs on plain numbers give them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(x)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            return error


def _then(x: Any, step: Call) -> Any:
    """Return step(x), undecided where it is finite at both ends; else x is decided."""
    result = LazyFloat(x._node, (*x._maps, step))
    for k in (x._node.least(), x._node.greatest()):
        y = _tried(result._image, k)
        if isinstance(y, Exception) or not math.isfinite(y):
            return step(x._decide())
    return result


def _outside(x: Any, call: Call) -> Any:
    """Return call(x) where x is a constant or every call raises the same; else x is decided."""
    ends = [x._image(k) for k in (x._node.least(), x._node.greatest())]
    found = [_tried(call, y) for y in ends]
    same = len({(y, math.copysign(1.0, y)) for y in ends}) == 1
    alike = all(isinstance(y, Exception) for y in found) and len({(type(y), y.args) for y in found}) == 1
    if not same and not alike:
        return call(x._decide())
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def follow(x: Any, name: str, call: Call, real: Real) -> Any:
    """Return call(x) for an undecided float x, by enclosure: the machine's function `call` is known by `name`."""
    if math.isfinite(real.low) and not operator.gt(x, real.low):
        bool(operator.lt(x, real.low))  # the border by itself
        return _outside(x, call)
    found = _hull_of(x, Enclosed(name, call, real)) if is_hull(x) else _then(x, Enclosed(name, call, real))
    if is_lazy(found):
        x._node.run.settings.notes[f"{ASSUMED}{name}"] = None
    return found


def _hull_of(x: Any, step: Enclosed) -> Any:
    """Return the hull of an enclosed function's values on a hull."""
    found = [_tried(step, x._image(k)) for k in (x._node.least(), x._node.greatest())]
    if any(isinstance(y, Exception) or not math.isfinite(y) for y in found):
        x._node.run.give_up(f"{step.name} of what several undecided floats make may be infinite")
    low, high = range_of(LazyFloat(x._node, (*x._maps, step)))
    return hull(x._node.run, low, high, type(found[0]), lambda: step(value_in(x)))


def wave(x: Any, name: str, call: Call) -> Any:
    """Return call(x) for a sine or cosine of an undecided float: a hull in runs with hulls, else decided."""
    run = x._node.run
    if not isinstance(run, Hulls):
        return call(x._decide())
    run.settings.notes[f"{ASSUMED}{name}"] = None
    kind = type(call(x._image(x._node.least())))
    return hull(run, stepped(-1.0, -STEPS), stepped(1.0, STEPS), kind, lambda: call(value_in(x)))


def follow_partial(x: Any, call: Call, low: float) -> Any:
    """Return call(x) for an undecided float x, where call is monotone for floats >= low, by IEEE 754."""
    if not operator.ge(x, low):
        return _outside(x, call)
    return _then(x, Partial(call, low))


def signed(x: Any) -> int:
    """Return the sign of an undecided float, which is split at 0: -1, 0 or 1, and then a zero's sign is not known."""
    if operator.lt(x, 0.0):
        return -1
    return 1 if operator.gt(x, 0.0) else 0


def negative(x: Any) -> bool:
    """Return whether the sign bit of a float, maybe undecided, is set; draws that make a zero are looked at singly."""
    if not is_lazy(x):
        return math.copysign(1.0, x) < 0
    sign = signed(x)
    if sign:
        return sign < 0
    node = x._node
    lo, hi = node.least(), node.greatest()
    if hi - lo > MOST_ZEROS:
        return math.copysign(1.0, x._decide()) < 0
    bits: list[bool] = [math.copysign(1.0, x._image(k)) < 0 for k in range(lo, hi + 1)]
    turns = [lo + i for i in range(hi - lo) if bits[i] != bits[i + 1]]
    for k in turns:
        if node.at_most(k):
            break
    return bool(bits[node.least() - lo])


def absolute(x: Any, call: Call = math.fabs) -> Any:
    """Return abs(x) as `call` gives it, for an undecided float."""
    if operator.lt(x, 0.0):
        return _then(-x, call)
    return _then(x, call)


def copysign(x: Any, y: Any, call: Callable[[Any, Any], Any] = math.copysign) -> Any:
    """Return x with the sign of y, either of which may be undecided."""
    sign = -1.0 if negative(as_float(y)) else 1.0
    if not is_lazy(x):
        return call(x, sign)
    x = as_float(x)
    return _then(-x if negative(x) else x, lambda v: call(v, sign)) if is_lazy(x) else call(x, sign)


def reciprocal(c: Any, x: Any, call: Callable[[Any, Any], Any] = operator.truediv) -> Any:
    """Return c / x for a constant c and an undecided float x; it is monotone on either side of 0."""
    if not math.isfinite(c):
        return call(c, x._decide())
    if operator.eq(x, 0.0):
        return _outside(x, lambda v: call(c, v))
    if operator.lt(x, 0.0):
        return _then(-x, Partial(lambda v: call(c, -v), SMALLEST))
    return _then(x, Partial(lambda v: call(c, v), SMALLEST))


def power(x: Any, y: Any, name: str, call: Callable[[Any, Any], Any]) -> Any:
    """Return x ** y as `call` gives it, where one of the two is an undecided float and the other a constant."""
    if is_lazy(x) and is_lazy(y):
        y = y._decide()
    constant = float(y if is_lazy(x) else x)
    if is_lazy(x):
        if not math.isfinite(constant) or constant == 0:
            return call(x._decide(), y)
        if constant.is_integer() and operator.lt(x, 0.0):
            return follow(-x, name, lambda v: call(-v, y), power_of(constant, mirrored=True))
        return follow(x, name, lambda v: call(v, y), power_of(constant))
    if not math.isfinite(constant) or constant <= 0 or constant == 1:
        return call(x, y._decide())
    return follow(y, name, lambda v: call(x, v), power_to(constant))


def _one(name: str) -> Call:
    machine: Call = getattr(math, name)

    @wraps(machine)
    def followed(x: Any, /) -> Any:
        x = as_float(x) if is_lazy(x) else x
        return follow(x, f"math.{name}", machine, REALS[name]) if is_lazy(x) else machine(x)

    return followed


def log(x: Any, base: Any = None, /) -> Any:
    """Return the logarithm as `math.log` does."""
    x = as_float(x) if is_lazy(x) else x
    if base is not None and is_lazy(base):
        base = base._decide()
    if not is_lazy(x):
        return math.log(x) if base is None else math.log(x, base)
    found = follow(x, "math.log", math.log, REALS["log"])
    return found if base is None else found / math.log(base)


def _sqrt(x: Any, /) -> Any:
    x = as_float(x) if is_lazy(x) else x
    return follow_partial(x, math.sqrt, 0.0) if is_lazy(x) else math.sqrt(x)


def _fabs(x: Any, /) -> Any:
    x = as_float(x) if is_lazy(x) else x
    return absolute(x) if is_lazy(x) else math.fabs(x)


def _copysign(x: Any, y: Any, /) -> Any:
    return copysign(x, y) if is_lazy(x) or is_lazy(y) else math.copysign(x, y)


def _pow(x: Any, y: Any, /) -> Any:
    x, y = (as_float(v) if is_lazy(v) else v for v in (x, y))
    return power(x, y, "math.pow", math.pow) if is_lazy(x) or is_lazy(y) else math.pow(x, y)


def _wave(name: str) -> Call:
    machine: Call = getattr(math, name)

    @wraps(machine)
    def followed(x: Any, /) -> Any:
        x = as_float(x) if is_lazy(x) else x
        return wave(x, f"math.{name}", machine) if is_lazy(x) else machine(x)

    return followed


def total(iterable: Any, /, start: Any = 0) -> Any:
    """Return the sum as `sum` does; from Python 3.12 on it makes up for the rounding of more than two floats."""
    terms = [*iterable]
    if len(terms) + (type(start) is not int or start != 0) > 2:
        start, *terms = _exactly([start, *terms])
    return SUM(terms, start)


def _sumprod(p: Any, q: Any, /) -> Any:
    p, q = [*p], [*q]
    numbers = _exactly([*p, *q])
    return SUMPROD(numbers[: len(p)], numbers[len(p) :])


def _exactly(numbers: list[Any]) -> list[Any]:
    """Return numbers that are decided where floats are among them."""
    floats = any(isinstance(x, float) for x in numbers)
    return [x._decide() if floats and is_lazy(x) else x for x in numbers]


def _always(name: str) -> Call:
    machine: Call = getattr(math, name)

    @wraps(machine)
    def followed(x: Any, /) -> Any:
        return machine(0.0) if is_lazy(as_float(x) if is_lazy(x) else x) else machine(x)  # what is undecided is finite

    return followed


FOLLOWED: dict[str, Callable[..., Any]] = {
    **{name: _one(name) for name in REALS if name != "log" and hasattr(math, name)},
    **{name: _always(name) for name in ("isfinite", "isinf", "isnan")},
    **{name: _wave(name) for name in ("cos", "sin")},
    "log": log,
    "sqrt": _sqrt,
    "fabs": _fabs,
    "copysign": _copysign,
    "pow": _pow,
    **({"sumprod": _sumprod} if SUMPROD else {}),
}
"""The functions of `math` that are followed, by name; its other functions need a plain float."""
