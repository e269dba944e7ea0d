"""Outcomes of any kind as features: what the re-implemented testers make events of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
ENTRIES = 16
"""How many numbers of an outcome are looked at."""


def numbers(outcome: Any) -> list[float]:
    """Return the numbers in an outcome, from left to right; a text, an exception and the like count as none."""
    if isinstance(outcome, bool | int | float | np.generic):
        try:
            return [float(outcome)]
        except (OverflowError, ValueError):
            return []
    if isinstance(outcome, dict):
        return [number for item in outcome.items() for number in numbers(item)]
    if isinstance(outcome, list | tuple | np.ndarray):
        return [number for item in outcome for number in numbers(item)]
    return []


def labels(outcomes: Iterable[Any], known: dict[Any, int]) -> Array:
    """Return the label of each outcome, the same for equal ones; `known` has those given so far, and grows."""
    return np.array([known.setdefault(repr(outcome), len(known)) for outcome in outcomes], dtype=float)


def features(runs: Any, known: dict[Any, int]) -> Array:
    """Return a table of features, a row for each run: its label, its numbers, how many, their sum, least and greatest.

    What a run lacks is NaN. The columns are the same in number for all tables.
    """
    if isinstance(runs, np.ndarray):
        table = runs.reshape(len(runs), -1)[:, :ENTRIES].astype(float)
        whole = table @ np.sqrt(np.arange(2.0, table.shape[1] + 2))  # unlike rows of a few values have unlike sums
        lengths = np.full(len(runs), table.shape[1], dtype=float)
    else:
        rows = [numbers(outcome)[:ENTRIES] for outcome in runs]
        lengths = np.array([len(row) for row in rows], dtype=float)
        table = np.array([row + [np.nan] * (ENTRIES - len(row)) for row in rows])
        whole = labels(runs, known)
    padded = np.full((len(table), ENTRIES), np.nan)
    padded[:, : table.shape[1]] = table
    lacking = np.isnan(padded)
    extra = [np.where(lacking, side, padded) for side in (0.0, np.inf, -np.inf)]
    extra = [extra[0].sum(1), extra[1].min(1), extra[2].max(1)]
    return np.column_stack([whole, padded, lengths, *extra])
