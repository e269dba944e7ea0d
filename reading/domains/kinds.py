"""The types that a number on ideal noise may have, and what operators make of them: the real ones say, on plain twins.

A kind is the name of a built-in type, or the character of a dtype of numpy. An open input is one of several kinds.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy

from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.reading.domains.steps import COMPARED
from dpcert.reading.errors import Raises, Refused
from dpcert.reading.values import Value

Kinds = tuple[str, ...]
TWINS: dict[str, Value] = {"float": 1.5, "int": 2, "bool": True, "Fraction": Fraction(3, 2)}
FLOAT, INT = ("float",), ("int",)
WIDE = frozenset("?dlq")  # the dtypes of numpy beside which a float, or an int, of Python is one of 64 bits
SINGLE = "f"  # that of floats of single precision, to which numpy rounds the plain numbers beside them


def kind_named(value: Value) -> str:
    """The kind of a plain number.

    Raises: Refused for one beside which noise is not followed.
    """
    kind: Any = type(value)
    if TWINS.keys() & {kind.__name__} and type(TWINS[kind.__name__]) is kind:
        return str(kind.__name__)
    if isinstance(value, numpy.generic) and value.dtype.char in {*WIDE, SINGLE}:
        return str(value.dtype.char)
    raise Refused(f"a {kind.__name__} beside noise is not followed")


def type_of(kinds: Kinds) -> type:
    """The type of a number.

    Raises: Refused for an open input, which has none that is known.
    """
    if len(kinds) > 1:
        raise Refused("the type of an open input is not followed")
    return type(twin(kinds[0]))


def twin(kind: str) -> Any:
    """A plain number of a kind, which is not zero."""
    return TWINS[kind] if kind in TWINS else numpy.dtype(kind).type(2)


def plain_of_kind(kind: str, value: Value) -> Any:
    """A plain number as numpy casts it to the type of a dtype's character."""
    return numpy.asarray(value).astype(kind)[()]


def twins(kinds: Kinds) -> list[Any]:
    """A plain number of each kind."""
    return [twin(kind) for kind in kinds]


def results(function: Callable[..., Any], *rows: Iterable[Any]) -> Iterator[Any]:
    """What the real function gives for each of the numbers that its arguments may be.

    Raises: Raises where it raises an exception for one of them.
    """
    for values in product(*rows):
        try:
            yield function(*values)
        except Exception as fault:
            raise Raises(fault) from None


def kinds_after(function: Callable[..., Any], *rows: Iterable[Any]) -> Kinds:
    """The kinds of what a real function gives for each of the numbers that its arguments may be."""
    return tuple(sorted({kind_named(each) for each in results(function, *rows)}))


def check_wide(rows: list[Any], others: list[Any]) -> None:
    """Refuse numbers of which numpy would make others, of fewer bits, before it computes with them."""
    for x, y in product(rows, others):
        if isinstance(x, numpy.generic) or isinstance(y, numpy.generic):
            found = numpy.result_type(x, y)
            if found.char not in WIDE and not (found.char == SINGLE and all(map(_is_single, (x, y)))):
                raise Refused(f"noise beside a number that makes it a {found} is not followed")


def _is_single(value: Any) -> bool:
    """Whether a number is a float of single precision."""
    exact = exactly(value)
    if exact is None or abs(Fraction(exact)) > Fraction(float(numpy.finfo(numpy.float32).max)):
        return False
    return exactly(numpy.float32(value)) == exact


def answer(sign: str, holds: bool, *rows: list[Any]) -> Value:
    """The answer of a comparison, in the type in which the real one gives it."""
    check_wide(*rows)
    types = {type(each) for each in results(COMPARED[sign], *rows)}
    if len(types) > 1:
        raise Refused("a comparison whose answer has one type or another is not followed")
    return types.pop()(holds)
