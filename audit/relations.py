"""Neighbour relations as users give them: a name, a `Neighbours`, or a predicate of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.neighbours import RELATIONS, Neighbours, custom
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.outcome import key, show

ALIASES = {"element": "counts_differ_by_one"}
"""Other names that are accepted of a relation; output and certificates have the name that it is mapped to."""
NAMED = 3
"""How many inputs are named that are in no pair."""


def relation(value: object) -> Neighbours:
    """Return the relation meant: one of RELATIONS by name or alias, a `Neighbours`, or the user's own predicate.

    Raises: InputError for an unknown name or anything else.
    """
    if type(value) is Neighbours:
        return value
    if isinstance(value, str) and ALIASES.get(value, value) in RELATIONS:
        return RELATIONS[ALIASES.get(value, value)]
    if callable(value):
        return custom(value)
    needed = "one of " + ", ".join(RELATIONS)
    raise InputError(given=f"neighbours {value!r}", needed=needed, remedy="name one or pass a predicate")


def one_user(column: str | int) -> Callable[[Any, Any], bool]:
    """Return the relation of tables one of which is the other without all rows of one user, for `neighbours=`.

    A table is a list of rows; `column` says where the user is in each: a key of dicts, a position in tuples or lists.
    """

    def related(a: Any, b: Any) -> bool:
        return type(a) is type(b) is list and (_loses_one(a, b) or _loses_one(b, a))

    def _loses_one(more: list[Any], fewer: list[Any]) -> bool:
        rows, rest = [(key(row[column]), key(row)) for row in more], [key(row) for row in fewer]
        users = {user for user, _ in rows}
        return any([row for user, row in rows if user != gone] == rest for gone in users)

    def marks(table: Any) -> set[int]:
        """Return the hashes of a table and of it without all rows of one user; a table has one that is the other's."""
        rows = [(key(row[column]), key(row)) for row in table] if type(table) is list else []
        lost: dict[Any, list[int]] = {}
        for place, (user, _) in enumerate(rows):
            lost.setdefault(user, []).append(place)
        gone = [set[int](), *map(set, lost.values())]
        return {hash(tuple(row for place, (_, row) in enumerate(rows) if place not in out)) for out in gone}

    related.__qualname__ = f"one_user({column!r})"
    related.__dict__["marks"] = marks
    return related


def unpaired(claim: Claim, paired: Collection[int]) -> Iterator[str]:
    """Yield a note that names the inputs that are in no pair, where others are, by the positions of these."""
    alone = [show(value) for position, value in enumerate(claim.inputs) if position not in paired]
    if paired and alone:
        more = f" and {len(alone) - NAMED} more" if len(alone) > NAMED else ""
        yield f"in no pair, so that nothing is said of them: the inputs {', '.join(alone[:NAMED])}{more}"
