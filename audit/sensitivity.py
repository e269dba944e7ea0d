"""The sensitivity of a query: its exact greatest change between neighbours, with the pair that shows it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.relations import relation
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import fresh, key, show
from dpcert.mechanisms.forms import distinct

NORMS: Mapping[str, Callable[[list[Fraction]], Fraction]] = {
    "l1": lambda steps: sum(steps, Fraction(0)),
    "linf": lambda steps: max(steps, default=Fraction(0)),
}
"""How the changes of the parts of an answer make one number."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The greatest change `value` of a query over `pairs` pairs of neighbours, met by the inputs a and b."""

    value: Fraction
    a: Any
    b: Any
    pairs: int

    def __str__(self) -> str:
        value = ratio_text(self.value).removesuffix("/1")
        return f"{value}, between {show(self.a)} and {show(self.b)}, of {self.pairs} pairs"


def sensitivity(
    query: Callable[[Any], Any],
    inputs: Iterable[Any],
    neighbours: Neighbours | str | Callable[[Any, Any], bool],
    *,
    norm: str = "l1",
) -> Sensitivity:
    """Return the exact greatest change of a query between neighbours among the inputs, and the first pair that has it.

    The query's answer is a number, a list, tuple or array of numbers, or a dict of them, where 0 stands for what is
    missing; `norm` is "l1" for the sum of the changes of all parts, or "linf" for the greatest. A float counts as the
    number that it is, bit by bit. Of other inputs it says nothing.

    >>> print(sensitivity(sum, [[], [1], [1, 5]], "add-remove"))
    5, between [1] and [1, 5], of 2 pairs

    Raises: InputError for an answer of another kind or length, for inputs without neighbours, and for unknown names.
    """
    if norm not in NORMS:
        raise InputError(given=f"norm={norm!r}", needed=" or ".join(map(repr, NORMS)), remedy="name one of them")
    related, scope = relation(neighbours), distinct(inputs)
    answers = [_answer(query(fresh(value)), value) for value in scope]
    best: Sensitivity | None = None
    pairs = 0
    for j, b in enumerate(scope):
        for i, a in enumerate(scope[:j]):
            if not related(a, b):
                continue
            pairs += 1
            change = NORMS[norm](_changes(answers[i], answers[j], a, b))
            if best is None or change > best.value:
                best = Sensitivity(change, a, b, 0)
    if best is None:
        given, remedy = f"{len(scope)} inputs, no two of which are {related.words}", "add some that are"
        raise InputError(given=given, needed="inputs that are neighbours", remedy=remedy)
    return Sensitivity(best.value, best.a, best.b, pairs)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The numbers of an answer by their places, and its length where places are counted."""

    parts: dict[Any, Fraction]
    length: int | None = None


def _answer(answer: Any, value: Any) -> _Answer:
    if isinstance(answer, dict):
        return _Answer({key(name): _number(part, value) for name, part in answer.items()})
    if type(answer).__module__ == "numpy":
        answer = answer.tolist()
    if isinstance(answer, list | tuple):
        return _Answer({place: _number(part, value) for place, part in enumerate(answer)}, len(answer))
    return _Answer({None: _number(answer, value)})


def _number(part: Any, value: Any) -> Fraction:
    plain = part.tolist() if type(part).__module__ == "numpy" else part
    if type(plain) in (int, Fraction, bool) or (type(plain) is float and isfinite(plain)):
        return Fraction(plain)
    given = f"the answer {show(part)} on {show(value)}"
    raise InputError(given=given, needed="a number, or a list, array or dict of numbers", remedy="return numbers alone")


def _changes(one: _Answer, other: _Answer, a: Any, b: Any) -> list[Fraction]:
    if one.length != other.length:
        given = f"answers of different lengths on {show(a)} and {show(b)}"
        raise InputError(given=given, needed="answers of one length", remedy="return a dict, where 0 stands for a gap")
    zero = Fraction(0)
    return [abs(one.parts.get(place, zero) - other.parts.get(place, zero)) for place in {**one.parts, **other.parts}]
