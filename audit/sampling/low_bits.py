"""The last bits of a float as a feature: where floats betray their origin."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from dpcert.audit.sampling.events import low_bits_words
from dpcert.audit.sampling.views import Array, Cache

NUMBER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Low:
    """The exponent of an entry, and the trailing zeros of its significand: they betray where a float comes from."""

    column: int

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return 64 times the exponent as `frexp` has it, plus the zeros; NUMBER for zero and what is not finite."""
        import numpy as np

        numbers = np.ascontiguousarray(rows[:, self.column], dtype=np.float64)
        with np.errstate(all="ignore"):
            mantissa, exponent = np.frexp(numbers)
            whole = np.ldexp(np.abs(mantissa), 53)
        usual = np.isfinite(numbers) & (numbers != 0)
        whole = np.where(usual, whole, 1).astype(np.int64)
        zeros = np.log2((whole & -whole).astype(np.float64)).astype(np.int64)
        return np.where(usual, 64 * (exponent.astype(np.int64) + 2000) + zeros, NUMBER)

    def words(self, labels: frozenset[Hashable]) -> str:
        known = [(label // 64 - 2000, label % 64) for label in labels if isinstance(label, int) and label != NUMBER]
        return low_bits_words(f"entry {self.column}", known, others=NUMBER in labels)
