"""A primitive of a library: a function, the argument of it that is private, and the law of its result."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import need


@dataclass(frozen=True, slots=True)
class Entries:
    """The shape of a value, its numbers in order, and whether all are finite; `words` tell apart infinities and NaN."""

    shape: tuple[int, ...]
    numbers: tuple[Fraction, ...]
    finite: bool = True
    words: tuple[str, ...] = ()


def entries(value: Any) -> Entries:
    """Return the entries of a number, or of a list, a tuple or an array of them.

    Raises: InputError for anything else.
    """
    import numpy

    array = numpy.asarray(value)
    if array.dtype.kind not in "biufO" and array.size:
        raise InputError(given=f"a {type(value).__name__}", needed="numbers", remedy="read them off it")
    numbers, words = [], []
    for one in array.ravel().tolist():
        words.append(repr(one))
        if isinstance(one, float) and not math.isfinite(one):
            continue
        try:
            numbers.append(Fraction(one))
        except (TypeError, ValueError) as error:
            raise InputError(given=f"a {type(one).__name__}", needed="a number", remedy="read it off") from error
    if len(numbers) == len(words):
        return Entries(array.shape, tuple(numbers))
    return Entries(array.shape, (), finite=False, words=tuple(words))


Reader = str | Callable[[Any], Any]
"""A value of a call: the name of an argument, with dots for attributes, or a function of all arguments by name."""


@dataclass(frozen=True, slots=True)
class Primitive:
    """A function of a library, with the law that its authors prove.

    `where` is its dotted name. `law` is one of LAWS, or a function that reads the name of one from a call. `private`
    reads the value that may differ between neighbours. `scale` reads the parameter of the law, as LAWS says.
    `sensitivity` reads the greatest distance of the values of neighbours, in the norm of the law. `public` names the
    other arguments that must not depend on the data; law, scale and sensitivity are public. The adversary sees all
    public values and the result. So a function that returns noise alone, for its caller to add, is no primitive, and
    neither is a function whose scale is private.

    Raises: InputError for a law that is not in LAWS.
    """

    where: str
    law: str | Callable[[Any], str]
    private: Reader
    scale: Reader
    sensitivity: Reader | None = None
    public: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not callable(self.law):
            self._named(self.law)

    def _named(self, law: str) -> str:
        need(law in LAWS, f"law={law!r} of {self.where}", f"one of {', '.join(LAWS)}", "name one of them")
        return law

    @property
    def name(self) -> str:
        """The last two parts of a method's dotted name, or the last of a function's."""
        return self.where.rpartition(".")[2]

    def read(self, function: Any, arguments: Any, named: Any) -> tuple[Any, dict[str, Any]]:
        """Return the private value of a call and its public values by name.

        Raises: InputError where the call has no such argument.
        """
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        call = SimpleNamespace(**bound.arguments)
        law = self._named(self._get(self.law, call) if callable(self.law) else self.law)
        public = {"law": law, "scale": self._get(self.scale, call)}
        if self.sensitivity is not None:
            public["sensitivity"] = self._get(self.sensitivity, call)
        return self._get(self.private, call), public | {name: self._get(name, call) for name in self.public}

    def _get(self, reader: Reader, call: Any) -> Any:
        try:
            if callable(reader):
                return reader(call)
            value = call
            for part in reader.split("."):
                value = getattr(value, part)
        except (AttributeError, LookupError, TypeError, ArithmeticError) as error:
            given, needed = f"{self.where}: {error}", f"the arguments {', '.join(vars(call))}"
            raise InputError(given=given, needed=needed, remedy="name what the primitive is given") from error
        return value


def _laplace(outcome: Entries, value: Entries, other: Entries, scale: Fraction) -> Fraction | None:
    steps = zip(outcome.numbers, value.numbers, other.numbers, strict=True)
    return sum(((abs(x - b) - abs(x - a)) / scale for x, a, b in steps), Fraction(0))


def _gaussian(outcome: Entries, value: Entries, other: Entries, scale: Fraction) -> Fraction | None:
    steps = zip(outcome.numbers, value.numbers, other.numbers, strict=True)
    return sum((((x - b) ** 2 - (x - a) ** 2) / (2 * scale**2) for x, a, b in steps), Fraction(0))


def _exponential(outcome: Entries, value: Entries, other: Entries, scale: Fraction) -> Fraction | None:
    """Return a lower bound of the loss; None where the neighbour does not have the candidate."""
    [chosen] = outcome.numbers

    def loss(*scores: Any) -> Any:
        own, others = scores[: len(value.numbers)], scores[len(value.numbers) :]
        place = int(chosen)
        weight = sum(((x - others[place]).exp() for x in others), 0 * others[0])
        return weight.log() - sum(((x - own[place]).exp() for x in own), 0 * own[0]).log()

    if chosen.denominator != 1 or not 0 <= chosen < len(value.numbers):
        raise InputError(given=f"candidate {chosen}", needed="the place of a score", remedy="choose by place")
    if chosen >= len(other.numbers):
        return None
    return enclose(loss, *(x / scale for x in (*value.numbers, *other.numbers)))[0]


@dataclass(frozen=True, slots=True)
class Kind:
    """A law: the loss of an outcome between two values, whether noise is added to each entry, and the norm."""

    loss: Callable[[Entries, Entries, Entries, Fraction], Fraction | None]
    adds: bool
    norm: str


LAWS = {
    "laplace": Kind(_laplace, True, "l1"),
    "gaussian": Kind(_gaussian, True, "l2"),
    "exponential": Kind(_exponential, False, "linf"),
}
"""laplace: density, or on integers probability, in proportion to e^(-|x - value| / scale) for each entry; gaussian: to
e^(-(x - value)^2 / (2 scale^2)); exponential: a place of the value, in proportion to e^(score / scale)."""


def loss(law: str, outcome: Any, value: Any, other: Any, scale: Any) -> Fraction | float | None:
    """Return a lower bound of ln(Pr[outcome | value] / Pr[outcome | other]): infinity where the second is 0, None where
    the law says nothing of these values.

    Raises: InputError for values that are no numbers.
    """
    kind, seen, here, there, by = LAWS[law], *map(entries, (outcome, value, other, scale))
    if here == there:
        return Fraction(0)
    if not by.finite or len(by.numbers) != 1 or by.numbers[0] < 0:
        raise InputError(given=f"scale {scale!r}", needed="a number of 0 or more", remedy="mend what reads it")
    if kind.adds and seen.shape != here.shape:
        return None
    if kind.adds and there.finite and seen.shape != there.shape:
        return math.inf
    if not (here.finite and there.finite):  # noise that is added to finite numbers leaves them finite
        return math.inf if kind.adds and there.finite and not seen.finite else None
    if not seen.finite:
        return None
    if by.numbers[0] == 0:
        return math.inf if kind.adds and seen.numbers == here.numbers != there.numbers else None
    found = kind.loss(seen, here, there, by.numbers[0])
    return math.inf if found is None else found


def far(law: str, value: Any, other: Any, sensitivity: Any) -> str | None:
    """Return in words the distance of two values that exceeds the sensitivity, compared exactly; else None.

    Raises: InputError for values that are no numbers.
    """
    here, there, limit = map(entries, (value, other, sensitivity))
    if here == there:
        return None
    if not (here.finite and there.finite):
        return "no finite distance"
    if here.shape != there.shape:
        return f"shape {there.shape} against {here.shape}"
    if not limit.finite or len(limit.numbers) != 1:
        return None
    steps = [abs(a - b) for a, b in zip(here.numbers, there.numbers, strict=True)]
    bound = limit.numbers[0]
    match LAWS[law].norm:
        case "l1":
            more, distance = sum(steps) > bound, float(sum(steps))
        case "l2":
            more, distance = sum(x * x for x in steps) > bound**2, float(sum(x * x for x in steps)) ** 0.5
        case _:
            more, distance = max(steps) > bound, float(max(steps))
    return f"distance {distance:.6g}" if more else None
