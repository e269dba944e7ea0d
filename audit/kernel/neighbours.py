"""Neighbour relations: the pairs of inputs that a guarantee is about. A relation is always named, never a default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import fresh, key, show


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A symmetric, irreflexive relation on inputs: its name, its predicate, and its words in a claim."""

    name: str
    predicate: Callable[[Any, Any], object]
    words: str

    def __call__(self, a: Any, b: Any) -> bool:
        """Whether a and b are neighbours: the predicate holds in one of the two orders, and a is not b.

        The predicate is given copies.

        Raises: InputError when the predicate raises or answers something other than True or False.
        """
        return key(a) != key(b) and (self._ask(a, b) or self._ask(b, a))

    def _ask(self, a: Any, b: Any) -> bool:
        try:
            answer = self.predicate(fresh(a), fresh(b))
        except Exception as error:
            given = f"neighbours {self.name!r} raised {type(error).__name__}: {error}"
            needed = f"an answer for {show(a)}, {show(b)}"
            raise InputError(given=given, needed=needed, remedy="mend it") from error
        if answer is not True and answer is not False:
            given = f"neighbours {self.name!r} answered {type(answer).__name__}"
            raise InputError(given=given, needed="True or False", remedy="wrap its result in bool(...)")
        return answer is True


def _sequences(a: Any, b: Any) -> bool:
    return type(a) is type(b) and type(a) in (list, tuple)


def _integers(a: Any, b: Any) -> bool:
    return _sequences(a, b) and all(type(x) is int for x in (*a, *b))


def _removed(longer: Sequence[Any], shorter: Sequence[Any]) -> bool:
    keys, rest = [key(x) for x in longer], [key(x) for x in shorter]
    return any(keys[:i] + keys[i + 1 :] == rest for i in range(len(keys)))


def _steps(a: Any, b: Any) -> list[int]:
    """Return the distances, entry by entry, of two integer vectors of one length; none for anything else."""
    return [abs(x - y) for x, y in zip(a, b, strict=True)] if _integers(a, b) and len(a) == len(b) else []


def _add_remove(a: Any, b: Any) -> bool:
    return _sequences(a, b) and _removed(a, b)


def _substitute(a: Any, b: Any) -> bool:
    return _sequences(a, b) and len(a) == len(b) and sum(map(_differ, a, b)) == 1


def _differ(x: Any, y: Any) -> bool:
    return key(x) != key(y)


def _element(a: Any, b: Any) -> bool:
    return type(a) is int and type(b) is int and abs(a - b) == 1


def _any(a: Any, b: Any) -> bool:
    return True


def _l1(a: Any, b: Any) -> bool:
    return sum(_steps(a, b)) == 1


def _linf(a: Any, b: Any) -> bool:
    return max(_steps(a, b), default=0) == 1


def _sorted_l1(a: Any, b: Any) -> bool:
    if not _integers(a, b):
        return False
    width = max(len(a), len(b))
    x, y = (sorted((*counts, *[0] * (width - len(counts)))) for counts in (a, b))
    return sum(_steps(x, y)) == 1


counts_differ_by_one = Neighbours("element", _element, "counts that differ by one")

RELATIONS = MappingProxyType(
    {
        relation.name: relation
        for relation in (
            Neighbours("add-remove", _add_remove, "lists one of which is the other without one element"),
            Neighbours("substitute", _substitute, "lists of one length that differ in one element"),
            counts_differ_by_one,
            Neighbours("any", _any, "any two inputs"),
            Neighbours("l1", _l1, "integer vectors of which one entry differs, by one"),
            Neighbours("linf", _linf, "integer vectors whose entries differ by at most one"),
            Neighbours("sorted-l1", _sorted_l1, "lists of counts at distance one once both are sorted"),
            Neighbours("replace-user", _substitute, "lists of users of whom one has another record"),
        )
    }
)


def custom(predicate: Callable[[Any, Any], object]) -> Neighbours:
    """Return the user's own predicate as a relation, made symmetric."""
    name = getattr(predicate, "__qualname__", type(predicate).__qualname__)
    return Neighbours(f"custom:{name}", predicate, f"inputs that {name} relates")
