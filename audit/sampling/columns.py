"""Features of many outcomes at once: a numpy array with one outcome a row, each coded by small integers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from dpcert.audit.sampling.coding import ATOMS, Coding, Packing
from dpcert.audit.sampling.events import cells_words, low_bits_words
from dpcert.audit.sampling.views import Array, ArrayFeature, Cache, View


@dataclass(frozen=True, slots=True, eq=False)
class Low:
    """The exponent of an entry, and the trailing zeros of its significand: they betray where a float comes from."""

    column: int

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return 64 times the exponent as `frexp` has it, plus the zeros; NUMBER for zero and numbers that are not
        finite."""
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


SINGLES = 16
"""How many entries have cells of their own."""
FEW, SOME = 64, 5000
PACKED = 1 << 52
NUMBER = -1
CROSSED = 16
"""The number of cells into which the sum is cut for each pattern."""
MOST_PATTERNS = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class One:
    """The code of one number."""

    coding: Coding

    def codes(self, rows: Array, cache: Cache) -> Array:
        found: Array = self.coding.codes(rows, cache)[:, 0]
        return found

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the cells and the atoms, neighbouring cells joined."""
        cuts = self.coding.cuts[0]
        cells = cells_words(cuts, labels)
        others = sorted(label for label in labels if isinstance(label, int) and label > len(cuts))
        texts = [*cells, *(self.coding.one_words(0, code) for code in others)]
        except_for = " but for frequent values" if cells and self.coding.atoms[0] else ""
        return f"{self.coding.view.words()} is {' or '.join(texts)}{except_for}"


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """All entries by their codes together; without cells, which frequent value stands where.

    With `number`, the cell of the sum as well.
    """

    coding: Coding
    number: Coding | None = None

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the codes as one number."""
        import numpy as np

        if self not in cache:
            each = self.coding.codes(rows, cache)
            found = np.zeros(len(each), dtype=np.int64)
            for i, size in enumerate(self.coding.sizes):
                found *= size
                found += each[:, i]
            if self.number is not None:
                found = found * self.number.sizes[0] + self.number.codes(rows, cache)[:, 0]
            cache[self] = found
        result: Array = cache[self]
        return result

    def words(self, labels: frozenset[Hashable]) -> str:
        return "the entries are " + " or ".join(sorted(self._one(label) for label in labels if isinstance(label, int)))

    def _one(self, label: int) -> str:
        last = ""
        if self.number is not None:
            label, code = divmod(label, self.number.sizes[0])
            last = f", sum {self.number.one_words(0, code)}"
        codes = []
        for size in reversed(self.coding.sizes):
            label, code = divmod(label, size)
            codes.append(code)
        entries = (self.coding.one_words(i, code) for i, code in enumerate(reversed(codes)))
        return f"({', '.join(entries)}{last})"


@dataclass(frozen=True, slots=True, eq=False)
class PackedOutcome:
    """All entries of an outcome of few integers, packed into one number; NUMBER where an entry is beyond those seen."""

    packing: Packing

    def codes(self, rows: Array, cache: Cache) -> Array:
        packed, strange = self.packing.of(rows, cache)
        found: Array = packed[:, 0]
        if strange is not None:
            found = found.copy()
            found[strange] = NUMBER
        return found

    def words(self, labels: frozenset[Hashable]) -> str:
        return "the entries are " + " or ".join(self._one(label) for label in sorted(labels, key=str))

    def _one(self, label: Hashable) -> str:
        if not isinstance(label, int) or label == NUMBER:
            return "others than were seen"
        values = []
        for _ in range(self.packing.groups[0][1]):
            label, digit = divmod(label, self.packing.size)
            values.append(str(self.packing.low + digit))
        return f"({', '.join(reversed(values))})"


def whole_of(fit: Array) -> ArrayFeature | None:
    """Return the feature of all entries together; None where there is none for this sample."""
    packing = Packing.fitted(fit, PACKED)
    if packing is not None:
        return PackedOutcome(packing) if len(packing.groups) == 1 else None
    coding = Coding.fitted(View("entries"), fit, 1)
    patterned = any(len(atoms) > 1 for atoms in coding.atoms) and coding.patterns < MOST_PATTERNS
    return Pattern(coding) if patterned else None


def view_features(fit: Array, cells: int, *, bits: bool) -> list[ArrayFeature]:
    """Return the features of single numbers and of patterns that fit a sample, the simplest first."""
    width = fit.shape[1]
    found: list[ArrayFeature] = []
    whole = whole_of(fit)
    if whole is not None:
        found.append(whole)
    if width > 1 or whole is None:
        parts = [View("entries", i) for i in range(min(width, SINGLES))]
        parts += [View(kind) for kind in ("sum", "greatest", "least")] if width > 1 else []
        found += [One(Coding.fitted(part, fit, cells, finer_ends=True)) for part in parts]
    floats = fit.dtype.kind == "f"
    if isinstance(whole, Pattern) and whole.coding.patterns * (CROSSED + ATOMS + 2) < MOST_PATTERNS:
        found.append(Pattern(whole.coding, Coding.fitted(View("sum"), fit, CROSSED)))
    if bits and floats:
        found.append(Low(0))
    return found


def few_valued(rows: Array) -> bool:
    """Whether outcomes are integers with so few values that a histogram of them says everything."""
    import numpy as np

    some = rows[:SOME]
    if rows.dtype.kind not in "biu" or len(rows) < FEW * FEW or whole_of(some) is None:
        return False
    return len(np.unique(some, axis=0)) <= FEW
