"""Every check and every theorem by its id, and the rows of the ledger held against them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import import_module

from dpcert.proofs import ledger
from dpcert.proofs.checks import CHECKS
from dpcert.proofs.ledger import LedgerError, Row
from dpcert.proofs.theorems import HOMES, THEOREMS

__all__ = ["CHECKS", "MODULES", "THEOREMS", "resolved", "rows", "sound"]

MODULES: Mapping[str, str] = {**{name: check.__module__ for name, check in CHECKS.items()}, **HOMES}
"""The module of every check and every theorem that a row of the ledger may name, by its id."""


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of all papers, in the papers' order.

    Raises: LedgerError as `ledger.read` and `sound` do.
    """
    return tuple(sound(ledger.rows(), MODULES))


def sound(rows: Iterable[Row], methods: Collection[str]) -> Iterable[Row]:
    """Return the rows, each of which names only checks or theorems of these, and code that exists.

    Raises: LedgerError for the first that does not.
    """
    for row in rows:
        for name in row.methods:
            if name not in methods:
                raise LedgerError(f"row {row.id}: no check and no theorem is {name}: name one with @check or a Theorem")
        for name in row.code:
            try:
                resolved(name)
            except (ImportError, AttributeError) as error:
                raise LedgerError(f"row {row.id}: no code is {name}: write module.function, without dpcert") from error
        yield row


def resolved(name: str) -> object:
    """Return the object that a row's code names, as in `mechanisms.finite_computers.geosample.geosample`.

    Raises: ImportError or AttributeError where there is none.
    """
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(f"dpcert.{module}"), attribute)
