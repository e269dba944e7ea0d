"""A release as it is read, and estimates from it: rows of a table, with notes in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.decimals import decimal_lo
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need
from dpcert.releasing.data import LABELS, digest_of

Rows = Sequence[tuple[Any, ...]]
DIGITS = 9
"""The digits of estimates, which are rounded down."""


@dataclass(frozen=True, slots=True)
class Made:
    """A release as it is read: its mechanism, the parameters that it ran with, its rows, beta, and public labels."""

    mechanism: str
    parameters: Mapping[str, str]
    rows: Rows
    beta: Fraction
    asked: Mapping[str, str]
    labels: Sequence[str] | None = None

    def number(self, name: str) -> Fraction:
        return exact(self.parameters[name], name)

    def take(self, *names: str) -> dict[str, str]:
        """Return the settings of `--set`, which may be these.

        Raises: InputError for anything else.
        """
        wrong = next((name for name in self.asked if name not in names), None)
        if wrong is not None:
            needed = f"one of {', '.join(names)}" if names else "no --set"
            raise InputError(given=f"--set {wrong} for estimate {self.mechanism}", needed=needed, remedy="leave it out")
        return dict(self.asked)

    def public(self) -> Sequence[str]:
        """Return the public labels to which the numbers belong.

        Raises: InputError where they are not those of the release.
        """
        labels = self.labels or ()
        same, needed = digest_of(labels) == self.parameters[LABELS], "--labels FILE, the file that was released with"
        need(same, f"{len(labels)} labels, or others", needed, "name that file")
        return labels

    def table(self, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], *notes: str) -> Estimates:
        """Return the estimates of this release in rows of these columns."""
        return Estimates(self.mechanism, columns, tuple(rows), notes)


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates in rows of these columns, with notes in words on the intervals and on biases."""

    mechanism: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...]
    schema: str = "dpcert.estimate/1"

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": self.schema,
            "mechanism": self.mechanism,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }


def short(x: Fraction | int) -> str:
    """Return a number to DIGITS digits, rounded down."""
    return decimal_lo(Fraction(x), DIGITS)
