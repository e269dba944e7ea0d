"""What rests on what: the uses of rows and theorems, followed to the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dpcert.proofs.ledger import LedgerError, Row
from dpcert.proofs.theorem import Theorem

STRONG = ("proved", "verified", "certified")
CARRIED: Mapping[str, tuple[str, ...]] = {
    "proved": ("proved",),
    "verified": STRONG,
    "certified": STRONG,
    "tested": (*STRONG, "tested"),
    "measured": (*STRONG, "tested", "measured"),
    "refuted": STRONG,
    "unreadable": STRONG,
    "open": (),
}
"""The statuses of rows that a row of each status may use."""

Uses = Mapping[str, tuple[str, ...]]
"""The names of rows and theorems that each row and each theorem uses; of a row, the theorems among its methods, too."""


def uses_of(rows: Iterable[Row], theorems: Mapping[str, Theorem]) -> Uses:
    """Return what each row and each theorem uses."""
    of_rows = {row.id: (*row.uses, *(name for name in row.methods if name in theorems)) for row in rows}
    return {**{name: theorem.uses for name, theorem in theorems.items()}, **of_rows}


def below(names: Iterable[str], uses: Uses) -> list[str]:
    """Return every name that the names rest on, each once."""
    found: dict[str, None] = {}
    waiting = [used for name in names for used in uses[name]]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting.extend(uses[name])
    return list(found)


def above(name: str, uses: Uses) -> set[str]:
    """Return every row and theorem that rests on a name."""
    return {other for other in uses if name in below([other], uses)}


def require_sound(rows: Iterable[Row], theorems: Mapping[str, Theorem]) -> None:
    """Return if all that is used exists, nothing rests on itself, and no row is stronger than a row that it uses.

    Raises: LedgerError for the first row or theorem of which that is not so.
    """
    by_id = {row.id: row for row in rows}
    uses = uses_of(by_id.values(), theorems)
    for name, used in uses.items():
        for other in used:
            if other not in uses:
                raise LedgerError(f"{name}: no row and no theorem is {other}: name one in uses")
            if name in theorems and other in by_id:
                raise LedgerError(f"{name}: a theorem uses theorems, and {other} is a row")
    for name in uses:
        if name in below([name], uses):
            raise LedgerError(f"{name} rests on itself: take it out of what it uses")
    for row in by_id.values():
        for other in row.uses:
            if other in by_id and by_id[other].status not in CARRIED[row.status]:
                raise LedgerError(f"{row.id} is {row.status} and uses {other}, which is {by_id[other].status}")
