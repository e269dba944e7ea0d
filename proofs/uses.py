"""The uses of rows, followed to the end: a row rests on all rows that its uses reach."""

from collections.abc import Iterable, Mapping

from dpcert.proofs.ledger import LedgerError, Row

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
"""The ids of the rows that each row uses."""


def below(names: Iterable[str], uses: Uses) -> list[str]:
    """Return every row that the rows of these ids rest on, each once."""
    reached: dict[str, None] = {}
    waiting = [used for name in names for used in uses[name]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = None
            waiting.extend(uses[name])
    return list(reached)


def above(name: str, uses: Uses) -> set[str]:
    """Return every row that rests on a row."""
    return {other for other in uses if name in below([other], uses)}


def require_sound(rows: Iterable[Row]) -> None:
    """Return if all used rows exist, no row rests on itself, and none is stronger than a row that it uses.

    Raises: LedgerError for the first row at fault.
    """
    by_id = {row.id: row for row in rows}
    uses = {row.id: row.uses for row in by_id.values()}
    for name, used in uses.items():
        for other in used:
            if other not in uses:
                raise LedgerError(f"{name}: no row is {other}: name one in uses")
    for name in uses:
        if name in below([name], uses):
            raise LedgerError(f"{name} rests on itself: take it out of what it uses")
    for row in by_id.values():
        for other in row.uses:
            if by_id[other].status not in CARRIED[row.status]:
                raise LedgerError(f"{row.id} is {row.status} and uses {other}, which is {by_id[other].status}")
