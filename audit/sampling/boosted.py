"""A learned score from scikit-learn, where it is installed: gradient-boosted trees over the numbers of the outcome.

They see what naive Bayes cannot: entries that betray the input only together. Trees propose events; counts of fresh
runs decide.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from dpcert.audit.sampling.scores import UNIT
from dpcert.audit.sampling.views import Array, Cache, View

ROWS = 60_000
"""The greatest number of outcomes of each input that trees are learned from."""
ROUNDS = 60
LEAVES = 15
LEAF = 200


def can_boost() -> bool:
    """Whether scikit-learn, of the extra `sampling`, is installed."""
    return importlib.util.find_spec("sklearn") is not None


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """The score of an outcome by trees: its log-odds."""

    trees: Any

    def of(self, rows: Array, cache: Cache) -> Array:
        """Return the scores in UNITs."""
        import numpy as np

        found: Array = np.rint(UNIT * self.trees.decision_function(_numbers(rows, cache))).astype(np.int64)
        return found

    def words(self) -> str:
        return "gradient-boosted trees over the entries, their differences, order and sum"


def _numbers(rows: Array, cache: Cache) -> Array:
    import numpy as np

    entries = View("entries").of(rows, cache)
    parts = [entries]
    if entries.shape[1] > 1:
        kinds = ("differences", "sorted", "sum") if entries.dtype.kind == "f" else ("sum",)
        parts += [View(kind).of(rows, cache) for kind in kinds]
    return np.concatenate([part.astype(np.float32) for part in parts], axis=1)


def boosted_score(a: Array, b: Array) -> Boosted:
    """Return trees learned from outcomes on a and on b.

    Requires: `can_boost()`.
    """
    import numpy as np

    ensemble = import_module("sklearn.ensemble")
    a, b = a[:ROWS], b[:ROWS]
    numbers = np.concatenate([_numbers(a, {}), _numbers(b, {})])
    sides = np.concatenate([np.ones(len(a), dtype=np.int8), np.zeros(len(b), dtype=np.int8)])
    trees = ensemble.HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=min(LEAF, max(20, len(a) // 50)),
        early_stopping=False,
        random_state=0,
    )
    return Boosted(trees.fit(numbers, sides))
