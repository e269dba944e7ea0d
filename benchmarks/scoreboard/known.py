"""The truths as the file has them, each with its problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ideal.rows import RealRow

from scoreboard.cases import Sized, on_ideal_noise, rows, without_sizes
from scoreboard.problem import Problem

FILE = Path(__file__).with_name("truths.json")


@dataclass(frozen=True, slots=True)
class Known:
    """A problem, and whether its claim is true; `record` is its entry in the file."""

    problem: Problem
    private: bool
    record: dict[str, Any]


def records() -> list[dict[str, Any]]:
    """Return the entries of the file."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["truths"]
    return found


def known() -> list[Known]:
    """Return all problems in the order of the file.

    Raises: KeyError where the file has a problem that is none.
    """
    plain = {problem.id: problem for problem in without_sizes()}
    sized = dict(_sized())
    return [Known((plain | sized)[entry["id"]], entry["private"], entry) for entry in records()]


def _sized() -> Iterator[tuple[str, Problem]]:
    """Yield the programs of the ideal sets, each at the number of queries and the epsilon that the file has."""
    epsilons = {entry["id"]: entry["parameters"]["epsilon"] for entry in records() if entry["group"] == "ideal"}
    for name, row in rows():
        for n in range(1, row.n + 1) if isinstance(row, RealRow) else [row.n]:
            found = Sized(name, row, n, Fraction(1)).id
            if found in epsilons:
                yield found, on_ideal_noise(Sized(name, row, n, Fraction(epsilons[found])))
