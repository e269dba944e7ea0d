"""Neighbour relations: the pairs of inputs that a guarantee is about. A relation is always named, never a default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import fresh, key, show


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A symmetric, irreflexive relation on inputs: its name, its predicate, and its words in a claim.

    Where there are `marks`, any two neighbours share one, so that inputs that share none need not be asked about.
    """

    name: str
    predicate: Callable[[Any, Any], object]
    words: str
    marks: Callable[[Any], set[int]] | None = None

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
            raise InputError(given=given, needed=f"an answer for {show(a)}, {show(b)}", remedy="mend it") from error
        if answer is not True and answer is not False:
            given = f"neighbours {self.name!r} answered {type(answer).__name__}"
            raise InputError(given=given, needed="True or False", remedy="wrap its result in bool(...)")
        return answer is True


def _sequences(a: Any, b: Any) -> bool:
    """Whether both are lists, both tuples, or both arrays with entries."""
    kind = type(a)
    return kind is type(b) and (kind in (list, tuple) or (kind.__module__ == "numpy" and a.ndim > 0 < b.ndim))


def _whole(x: Any) -> bool:
    """Whether a number is an int, or an integer of numpy."""
    return type(x) is int or (type(x).__module__ == "numpy" and x.ndim == 0 and x.dtype.kind in "iu")


def _steps(a: Any, b: Any) -> list[int]:
    """Return the differences, entry by entry, of two integer vectors of one length, or of two histograms.

    A histogram is a dict from names to counts; of a name that is not there the count is 0. None for anything else.
    """
    rows = list(zip(a, b, strict=True)) if _sequences(a, b) and len(a) == len(b) else []
    if type(a) is type(b) is dict:
        x, y = ({key(name): count for name, count in counts.items()} for counts in (a, b))
        rows = [(x.get(name, 0), y.get(name, 0)) for name in {**x, **y}]
    return [int(x) - int(y) for x, y in rows] if all(_whole(x) and _whole(y) for x, y in rows) else []


def _add_remove(a: Any, b: Any) -> bool:
    keys, rest = ([key(x) for x in entries] for entries in (a, b)) if _sequences(a, b) else ([], [])
    return any(keys[:i] + keys[i + 1 :] == rest for i in range(len(keys)))


def _substitute(a: Any, b: Any) -> bool:
    return _sequences(a, b) and len(a) == len(b) and sum(key(x) != key(y) for x, y in zip(a, b, strict=True)) == 1


def _counts_differ_by_one(a: Any, b: Any) -> bool:
    return _whole(a) and _whole(b) and abs(int(a) - int(b)) == 1


def _near(a: Any) -> set[int]:
    """Return marks by which neighbours of counts, `add-remove`, `substitute`, `replace-user` and `l1` are found.

    Those of an integer are itself and the next one; those of a list, hashes of it and of it without one entry; those of
    a histogram, hashes of its counts but 0 and of these without one. Neighbours by `l1` differ in one entry alone.
    """
    if _whole(a):
        return {int(a), int(a) + 1}
    rows = [int(x) if _whole(x) else hash(key(x)) for x in a] if _sequences(a, a) else []
    if type(a) is dict:
        rows = sorted(hash((key(name), int(count))) for name, count in a.items() if _whole(count) and count)
    return {hash(rest) for size in range(max(0, len(rows) - 1), len(rows) + 1) for rest in combinations(rows, size)}


def _any(a: Any, b: Any) -> bool:
    return True


def _l1(a: Any, b: Any) -> bool:
    return sum(map(abs, _steps(a, b))) == 1


def _linf(a: Any, b: Any) -> bool:
    return max(map(abs, _steps(a, b)), default=0) == 1


def _move(a: Any, b: Any) -> bool:
    return sorted(filter(None, _steps(a, b))) == [-1, 1]


def _sorted_l1(a: Any, b: Any) -> bool:
    if not _sequences(a, b) or not all(map(_whole, (*a, *b))):
        return False
    width = max(len(a), len(b))
    x, y = (sorted((*map(int, counts), *[0] * (width - len(counts)))) for counts in (a, b))
    return _l1(x, y)


counts_differ_by_one = Neighbours("counts_differ_by_one", _counts_differ_by_one, "counts that differ by one", _near)
_ALL = (
    Neighbours("add-remove", _add_remove, "lists one of which is the other without one element", _near),
    Neighbours("substitute", _substitute, "lists of one length that differ in one element", _near),
    counts_differ_by_one,
    Neighbours("any", _any, "any two inputs"),
    Neighbours("l1", _l1, "integer vectors of which one entry differs, by one", _near),
    Neighbours("linf", _linf, "integer vectors whose entries differ by at most one"),
    Neighbours("move", _move, "integer vectors of which one unit is in another entry"),
    Neighbours("sorted-l1", _sorted_l1, "lists of counts at distance one once both are sorted"),
    Neighbours("replace-user", _substitute, "lists of users of whom one has another record", _near),
)
RELATIONS = MappingProxyType({relation.name: relation for relation in _ALL})


def custom(predicate: Callable[[Any, Any], object]) -> Neighbours:
    """Return the user's own predicate as a relation, made symmetric."""
    name = getattr(predicate, "__qualname__", type(predicate).__qualname__)
    return Neighbours(f"custom:{name}", predicate, f"inputs that {name} relates")
