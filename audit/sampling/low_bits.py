"""The last bits of a float as a feature: where floats betray their origin."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcert.audit.sampling.views import Cache

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]


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
        """Return the exponents and the zeros."""
        zeros: dict[int, list[int]] = {}
        for label in labels:
            if isinstance(label, int) and label != NUMBER:
                zeros.setdefault(label // 64 - 2000, []).append(label % 64)
        texts = [
            f"2^{exponent - 1} <= |x| < 2^{exponent} with {', '.join(map(str, sorted(counts)))}"
            for exponent, counts in sorted(zeros.items())
        ]
        texts += ["no finite float or 0"] if NUMBER in labels else []
        return f"x, entry {self.column}, by the trailing zero bits of its significand: " + " or ".join(texts)
