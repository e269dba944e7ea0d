"""Every check and every theorem by its id, and the rows of the ledger held against them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from dpcert.proofs import ledger
from dpcert.proofs.check import Check, checks_in
from dpcert.proofs.ledger import PAPERS, LedgerError, Row, file_of, folder_of
from dpcert.proofs.theorem import Theorem

__all__ = ["CHECKS", "MODULES", "THEOREMS", "resolved", "rows", "sound", "unique"]

Named = Check | Theorem


def _modules(kind: str) -> Iterator[ModuleType]:
    """Yield the modules of a folder that each paper has."""
    for paper in PAPERS:
        package = import_module(f"dpcert.proofs.{folder_of(paper)}.{kind}")
        yield from (import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__))


def unique(named: Iterable[tuple[Named, str]]) -> dict[str, tuple[Named, str]]:
    """Return checks and theorems, each with its module, by their ids.

    Raises: ValueError for two of one id.
    """
    by_id: dict[str, tuple[Named, str]] = {}
    for found, module in named:
        if found.id in by_id:
            raise ValueError(f"{found.id} is in {by_id[found.id][1]} and in {module}: give each its own id")
        by_id[found.id] = found, module
    return by_id


def _named() -> Iterator[tuple[Named, str]]:
    for module in _modules("checks"):
        yield from ((check, module.__name__) for check in checks_in(module))
    for module in _modules("theorems"):
        yield from ((theorem, module.__name__) for theorem in module.THEOREMS)


_BY_ID = unique(_named())

CHECKS: Mapping[str, Check] = {name: found for name, (found, _) in _BY_ID.items() if isinstance(found, Check)}
THEOREMS: Mapping[str, Theorem] = {name: found for name, (found, _) in _BY_ID.items() if isinstance(found, Theorem)}
MODULES: Mapping[str, str] = {name: module for name, (_, module) in _BY_ID.items()}
"""The module of every check and every theorem that a row of the ledger may name, by its id."""


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of all papers, in the papers' order.

    Raises: LedgerError as `ledger.read` and `sound` do.
    """
    return tuple(row for paper in PAPERS for row in sound(ledger.rows(paper), file_of(paper)))


def sound(rows: Iterable[Row], where: str) -> Iterator[Row]:
    """Return the rows of a file, each of which names only checks, theorems and code that exist.

    Raises: LedgerError for the first that does not.
    """
    for row in rows:
        for name in row.methods:
            if name not in MODULES:
                raise LedgerError(f"{where}, row {row.id}: no check and no theorem is {name}: name one of proofs/")
        for name in row.code:
            try:
                resolved(name)
            except (ImportError, AttributeError) as error:
                raise LedgerError(f"{where}, row {row.id}: no code is {name}: write module.name, no dpcert") from error
        yield row


def resolved(name: str) -> object:
    """Return the object that a row's code names, as in `mechanisms.finite_computers.geosample.geosample`.

    Raises: ImportError or AttributeError where there is none.
    """
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(f"dpcert.{module}"), attribute)
