"""What logarithms of uniform noise are to a program: noise of its own, see `mechanisms/ideal/path.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.numbers import Real
from dpcert.audit.ideal.seen.untold import Untold
from dpcert.mechanisms.ideal.parameter import exactly

HALF = Fraction(1, 2)


def log_of(number: Any) -> Any:
    """Return the logarithm of a noisy number."""
    if number.terms:
        return number.run.logarithm(number)
    if number.offset <= 0:
        number.run.refuse("a logarithm of a number that is not above 0")
    return Real(number.run, {}, exactly(math.log(number.offset)) or 0)


def _log1p(number: Real) -> Any:
    return log_of(number + 1)


_AS_NUMPY = {"log": log_of, "log1p": _log1p}
"""What numpy asks of objects in its logarithms."""
for _name, _function in _AS_NUMPY.items():
    setattr(Real, _name, _function)


def _of_both(plain: Callable[..., Any], name: str) -> Callable[..., Any]:
    def function(x: Any, *base: Any) -> Any:
        return getattr(x, name)() if issubclass(type(x), Untold) and not base else plain(x, *base)

    return function


def logarithms() -> Iterator[tuple[Any, Any]]:
    """Yield the functions of `math` with those that take noise, too."""
    yield math.log, _of_both(math.log, "log")
    yield math.log1p, _of_both(math.log1p, "log1p")
