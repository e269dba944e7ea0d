"""Neighbour relations as users give them: a name, a `Neighbours`, or a predicate of their own."""

from __future__ import annotations

from dpcert.audit.kernel.neighbours import RELATIONS, Neighbours, custom
from dpcert.mechanisms.exact.errors import InputError


def relation(value: object) -> Neighbours:
    """Return the relation meant: one of RELATIONS by name, a `Neighbours`, or the user's own predicate.

    Raises: InputError for an unknown name or anything else.
    """
    if type(value) is Neighbours:
        return value
    if isinstance(value, str) and value in RELATIONS:
        return RELATIONS[value]
    if callable(value):
        return custom(value)
    needed = "one of " + ", ".join(RELATIONS)
    raise InputError(given=f"neighbours {value!r}", needed=needed, remedy="name one or pass a predicate")
