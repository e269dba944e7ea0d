"""Every check by its id, including the theorems in Rocq; each row of the ledger must name checks from here."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import ModuleType

from dpcert.proofs import ledger
from dpcert.proofs.check import Check, checks_in
from dpcert.proofs.ledger import PAPERS, LedgerError, Row, file_of, folder_of
from dpcert.proofs.rocq import checks as rocq
from dpcert.proofs.uses import Uses, require_sound

CODE = ("mechanisms", "audit.kernel", "proofs")
"""The packages, named without `dpcert.`, whose code a row may name."""


def _modules() -> Iterator[ModuleType]:
    for paper in PAPERS:
        folder = f"{folder_of(paper)}.checks"
        for module in iter_modules(import_module(f"dpcert.proofs.{folder}").__path__):
            yield import_module(f"dpcert.proofs.{folder}.{module.name}")


def unique(named: Iterable[tuple[Check, str]]) -> dict[str, tuple[Check, str]]:
    """Return checks, each with its module, by their ids.

    Raises: ValueError for two checks of one id.
    """
    by_id: dict[str, tuple[Check, str]] = {}
    for one, module in named:
        if one.id in by_id:
            raise ValueError(f"{one.id} is in {by_id[one.id][1]} and in {module}: give each its own id")
        by_id[one.id] = one, module
    return by_id


def _named() -> Iterator[tuple[Check, str]]:
    for module in _modules():
        yield from ((check, module.__name__) for check in checks_in(module))
    yield from ((check, rocq.__name__) for check in rocq.CHECKS.values())


_BY_ID = unique(_named())

CHECKS: Mapping[str, Check] = {name: found for name, (found, _) in _BY_ID.items()}
MODULES: Mapping[str, str] = {name: module for name, (_, module) in _BY_ID.items()}
"""The module of every check that a row of the ledger may name, by its id."""


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of all papers, in the papers' order.

    Raises: LedgerError as `ledger.read`, `sound` and `require_sound` do.
    """
    every = tuple(row for paper in PAPERS for row in sound(ledger.rows(paper), file_of(paper)))
    require_sound(every)
    return every


@cache
def uses() -> Uses:
    """Return the rows that each row of the ledger uses."""
    return {row.id: row.uses for row in rows()}


def sound(rows: Iterable[Row], where: str) -> Iterator[Row]:
    """Yield the rows of a file, each of which must name only checks and code that exist.

    Raises: LedgerError for the first row that does not.
    """
    for row in rows:
        for name in row.methods:
            if name not in MODULES:
                raise LedgerError(f"{where}, row {row.id}: no check is {name}: name one of proofs/")
        for name in row.code:
            if not defined(name):
                raise LedgerError(f"{where}, row {row.id}: no code is {name}: write module.name, without dpcert")
        yield row


def defined(name: str) -> bool:
    """Whether the project defines a name in a row's `code`, as `mechanisms.finite_computers.geosample.geosample`.

    It reads the text of the module; nothing is imported by a name found in data.
    """
    package = next((package for package in CODE if name.startswith(f"{package}.")), None)
    *path, attribute = name.removeprefix(f"{package}.").split(".")
    if package is None or not path or not all(map(str.isidentifier, (*path, attribute))):
        return False
    file = files(f"dpcert.{package}").joinpath(*path[:-1], f"{path[-1]}.py")
    return file.is_file() and re.search(rf"(?m)^(def |class |){attribute}\b", file.read_text("utf-8")) is not None
