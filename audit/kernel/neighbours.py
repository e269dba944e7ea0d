"""Neighbour relations: the pairs of inputs that a guarantee is about. A relation is always named, never a default."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.exact.outcome import fresh, key, show


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A symmetric, irreflexive relation on inputs: its name, its predicate, and its words in a claim.

    With `marks`, any two neighbours share a mark, so that the predicate need not be asked about other inputs.
    """

    name: str
    predicate: Callable[[Any, Any], object]
    words: str
    marks: Callable[[Any], Iterable[Hashable]] | None = None

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
        given = f"neighbours {self.name!r} answered {type(answer).__name__}"
        need(answer is True or answer is False, given, "True or False", "wrap its result in bool(...)")
        return answer is True


def _sequences(a: Any, b: Any) -> bool:
    """Whether both are lists, both tuples, or both arrays with entries."""
    kind = type(a)
    return kind is type(b) and (kind in (list, tuple) or (kind.__module__ == "numpy" and a.ndim > 0 < b.ndim))


def _whole(x: Any) -> bool:
    """Whether a number is an int, or an integer of numpy."""
    return type(x) is int or (type(x).__module__ == "numpy" and x.ndim == 0 and x.dtype.kind in "iu")


def _counts(a: Any) -> dict[Any, int] | None:
    """Return the nonzero counts of an integer vector by place, of a histogram by name, or of a single count.

    A histogram is a dict from names to counts. For any other value, return None.
    """
    names = {key(name): a[name] for name in a} if type(a) is dict else {None: a}
    rows = dict(enumerate(a)) if _sequences(a, a) else names
    return {name: int(x) for name, x in rows.items() if x} if all(map(_whole, rows.values())) else None


def _steps(a: Any, b: Any) -> list[int]:
    """Return the nonzero differences, entry by entry, of two integer vectors of one length, or of two histograms.

    For any other values, return no differences.
    """
    x, y = _counts(a), _counts(b)
    if x is None or y is None or not (type(a) is type(b) is dict or (_sequences(a, b) and len(a) == len(b))):
        return []
    return [step for name in {**x, **y} if (step := x.get(name, 0) - y.get(name, 0))]


def _add_remove(a: Any, b: Any) -> bool:
    keys, rest = ([key(x) for x in entries] for entries in (a, b)) if _sequences(a, b) else ([], [])
    return any(keys[:i] + keys[i + 1 :] == rest for i in range(len(keys)))


def _substitute(a: Any, b: Any) -> bool:
    return _sequences(a, b) and len(a) == len(b) and sum(key(x) != key(y) for x, y in zip(a, b, strict=True)) == 1


def _counts_differ_by_one(a: Any, b: Any) -> bool:
    return _whole(a) and _whole(b) and abs(int(a) - int(b)) == 1


def _without(a: Any) -> set[int]:
    """Return marks for `add-remove`, `substitute`, `replace-user`: hashes of a list, and of it without one element."""
    rows = [hash(key(x)) for x in a] if _sequences(a, a) else []
    return {hash(rest) for size in range(max(0, len(rows) - 1), len(rows) + 1) for rest in combinations(rows, size)}


def _near(a: Any, *, places: bool = True, free: int = 0) -> set[int]:
    """Return marks of counts: hashes of the counts, and of the counts with one of them nearer to 0 by one.

    Of two neighbours by `l1`, and of counts that differ by one, one is the other with a count nearer to 0. By `move`,
    two steps lead from b to a. If one alone goes nearer to 0, it leads from b to the same counts as the other one taken
    back from a, which goes nearer to 0, too. If both do, b has a count below 0. If neither does, a has one, and both
    taken back go nearer to 0. So counts with one below 0 have marks of two steps, too. By `sorted-l1` places do not
    count. By `linf` any counts may be nearer to 0; marks are of the first `free`.
    """
    rows = [(name if places else 0, x) for name, x in (_counts(a) or {}).items() if not free or name in range(free)]
    whole, most = sum(map(hash, rows)), free or 1 + any(x < 0 for _, x in rows)
    steps = [hash((name, y)) * (y != 0) - hash((name, x)) for name, x in rows for y in [x - 1 if x > 0 else x + 1]]
    return {whole + sum(chosen) for size in range(most + 1) for chosen in combinations(steps, size)}


def _l1(a: Any, b: Any) -> bool:
    return sum(map(abs, _steps(a, b))) == 1


def _linf(a: Any, b: Any) -> bool:
    return max(map(abs, _steps(a, b)), default=0) == 1


def _move(a: Any, b: Any) -> bool:
    return sorted(_steps(a, b)) == [-1, 1]


def _sorted_l1(a: Any, b: Any) -> bool:
    if not _sequences(a, b) or not all(map(_whole, (*a, *b))):
        return False
    # zeros make the two equally long
    x, y = (sorted((*map(int, one), *[0] * len(other))) for one, other in ((a, b), (b, a)))
    return _l1(x, y)


def _program(a: Any, b: Any) -> bool:
    pairs = bool(_read(a)) and bool(_read(b))
    return pairs and key(a[1]) == key(b[1]) and key(a[0]) != key(b[0])


def _read(a: Any) -> set[int]:
    """Return the mark of the input of a pair (program, input)."""
    return {hash(key(a[1]))} if type(a) is tuple and len(a) == 2 else set()


_near_sorted = partial(_near, places=False)
counts_differ_by_one = Neighbours("counts_differ_by_one", _counts_differ_by_one, "counts that differ by one", _near)
_ALL = (
    Neighbours("add-remove", _add_remove, "lists one of which is the other without one element", _without),
    Neighbours("substitute", _substitute, "lists of one length that differ in one element", _without),
    counts_differ_by_one,
    Neighbours("any", lambda a, b: True, "any two inputs"),
    Neighbours("l1", _l1, "integer vectors of which one entry differs, by one", _near),
    Neighbours("linf", _linf, "integer vectors whose entries differ by at most one", partial(_near, free=8)),
    Neighbours("move", _move, "integer vectors of which one unit is in another entry", _near),
    Neighbours("sorted-l1", _sorted_l1, "lists of counts at distance one once both are sorted", _near_sorted),
    Neighbours("replace-user", _substitute, "lists of users of whom one has another record", _without),
    Neighbours("program", _program, "one input that either program reads", _read),
)
RELATIONS = MappingProxyType({relation.name: relation for relation in _ALL})


def custom(predicate: Callable[[Any, Any], object]) -> Neighbours:
    """Return the user's own predicate as a relation, made symmetric.

    Where the predicate has an attribute `marks`, inputs that share no mark are no neighbours, and the words of a claim
    say so.
    """
    name, marks = getattr(predicate, "__qualname__", type(predicate).__qualname__), getattr(predicate, "marks", None)
    words = f"inputs that {name} relates" + ("" if marks is None else ", among those that share one of its marks")
    return Neighbours(f"custom:{name}", predicate, words, marks)
