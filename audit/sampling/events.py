"""Events on outcomes: a feature gives each outcome a label, and an event is a set of labels of one feature.

Any deterministic function of the outcome makes a valid event, also one that uses floats. It must be fixed before the
samples that confirm it are drawn.
"""

import math
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, Protocol

from dpcert.mechanisms.exact.outcome import key, plain_numpy, show

CELLS = 64
ENTRIES = 16
"""How many entries of a vector have cells of their own."""
LOOKED_AT = 500
NO_NUMBER = -1

Number = int | float | Fraction


class Feature(Protocol):
    """A label for each outcome."""

    def label(self, outcome: Any) -> Hashable:
        """Return the label of an outcome, which depends on it alone."""

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return in words the condition that an outcome has one of these labels."""


@dataclass(frozen=True, slots=True)
class Event:
    """The outcomes whose label under a feature is one of `labels`; `members` are all, or a few of them.

    The feature is a `Feature` for Python values and an `ArrayFeature` for rows.
    """

    feature: Any
    labels: frozenset[Hashable]
    members: tuple[Any, ...] = ()

    def __contains__(self, outcome: Any) -> bool:
        label: Hashable = self.feature.label(outcome)
        return label in self.labels

    def words(self) -> str:
        """Return the event in words that let a person check an outcome."""
        if isinstance(self.feature, Identity):
            return "{" + ", ".join(map(show, self.members)) + "}"
        words: str = self.feature.words(self.labels)
        return words


def _plain(value: Any) -> Any:
    """Return a numpy scalar or array as Python values, anything else as it is."""
    numpy = type(value).__module__ == "numpy" and hasattr(value, "dtype")
    return plain_numpy(value) if numpy else value


def number_of(value: Any) -> Number | None:
    """Return an outcome as a number that can be ordered, or None."""
    plain = _plain(value)
    if type(plain) is int or type(plain) is Fraction:
        return plain
    return plain if type(plain) is float and not math.isnan(plain) else None


def entries_of(outcome: Any) -> tuple[Any, ...] | None:
    """Return the entries of a list, tuple, array or dict (its values), nested ones in order; None of anything else."""
    plain = _plain(outcome)
    if isinstance(plain, dict):
        return tuple(_flat(plain.values(), 0))
    return tuple(_flat(plain, 0)) if isinstance(plain, (list, tuple)) else None


def _flat(parts: Iterable[Any], depth: int) -> Iterable[Any]:
    for part in map(_plain, parts):
        if isinstance(part, (list, tuple)) and depth < 4:
            yield from _flat(part, depth + 1)
        else:
            yield part


@dataclass(frozen=True, slots=True)
class OutcomeNumber:
    """A number of an outcome: the outcome itself, one of its entries, their sum, greatest or least."""

    kind: str
    index: int = 0

    def of(self, outcome: Any) -> Number | None:
        """Return that number, or None where the outcome has none."""
        if self.kind == "outcome":
            return number_of(outcome)
        entries = entries_of(outcome)
        if entries is None:
            return None
        if self.kind == "entry":
            return number_of(entries[self.index]) if self.index < len(entries) else None
        numbers = [number for entry in entries if (number := number_of(entry)) is not None]
        if not numbers:
            return None
        if self.kind == "sum":
            try:
                total: Number = sum(numbers)
            except OverflowError:
                return None
            return None if isinstance(total, float) and math.isnan(total) else total
        return max(numbers) if self.kind == "greatest entry" else min(numbers)

    def words(self) -> str:
        """Return which number of an outcome this is."""
        return f"entry {self.index}" if self.kind == "entry" else f"the {self.kind}"


@dataclass(frozen=True, slots=True)
class Identity:
    """The outcome itself."""

    def label(self, outcome: Any) -> Hashable:
        return key(outcome)

    def words(self, labels: frozenset[Hashable]) -> str:
        return f"one of {len(labels)} outcomes"


@dataclass(frozen=True, slots=True)
class Intervals:
    """The interval that a number of the outcome lies in: cell i is cuts[i - 1] < x <= cuts[i], `cuts` ascending."""

    part: OutcomeNumber
    cuts: tuple[Number, ...]

    def label(self, outcome: Any) -> Hashable:
        """Return the index of the cell."""
        number = self.part.of(outcome)
        return NO_NUMBER if number is None else bisect_left(self.cuts, number)

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the cells, neighbouring ones joined."""
        texts = cells_words(self.cuts, labels)
        texts += ["no number"] if NO_NUMBER in labels else []
        return f"{self.part.words()} is " + " or ".join(texts)


def cells_words(cuts: Sequence[Number], labels: frozenset[Hashable]) -> list[str]:
    """Return in words those cells between cuts that are among labels, neighbouring ones joined."""
    ranges: list[list[int]] = []
    for i in (i for i in range(len(cuts) + 1) if i in labels):
        if ranges and ranges[-1][1] == i - 1:
            ranges[-1][1] = i
        else:
            ranges.append([i, i])
    return [interval_words(cuts, first, last) or "any number" for first, last in ranges]


def interval_words(cuts: Sequence[Number], first: int, last: int) -> str:
    """Return in words where the cells from one to another lie between cuts; nothing for all of them."""
    low = f"above {_exact(cuts[first - 1])}" if first else ""
    high = f"at most {_exact(cuts[last])}" if last < len(cuts) else ""
    return " and ".join(filter(None, (low, high)))


def _exact(number: Number) -> str:
    return str(number) if isinstance(number, Fraction) else repr(number)


@dataclass(frozen=True, slots=True)
class Shape:
    """The outcome with each float, long list or text in it replaced by its type."""

    def label(self, outcome: Any) -> Hashable:
        """Return the nested types; a value that is neither number nor text stays as it is."""
        entries = entries_of(outcome)
        if entries is None:
            return _kind(outcome)
        return type(outcome).__name__, tuple(_kind(entry) for entry in entries)

    def words(self, labels: frozenset[Hashable]) -> str:
        shapes = sorted(_shape_words(label) for label in labels)
        return "of the form " + " or ".join(shapes)


def _kind(value: Any) -> str:
    plain = _plain(value)
    if plain is None or type(plain) is bool or (type(plain) is str and len(plain) <= 20):
        return repr(plain)
    return type(plain).__name__


def _shape_words(label: Hashable) -> str:
    if isinstance(label, tuple) and len(label) == 2 and isinstance(label[1], tuple):
        return f"{label[0]} of ({', '.join(label[1])})"
    return str(label)


@dataclass(frozen=True, slots=True)
class LowBits:
    """The exponent of a float, and the trailing zeros of its significand: they betray where it comes from."""

    part: OutcomeNumber

    def label(self, outcome: Any) -> Hashable:
        """Return (exponent, trailing zeros), or NO_NUMBER where there is no finite float."""
        number = self.part.of(outcome)
        if not isinstance(number, float) or not math.isfinite(number) or number == 0:
            return NO_NUMBER
        mantissa, exponent = math.frexp(number)
        whole = abs(int(math.ldexp(mantissa, 53)))
        return exponent, (whole & -whole).bit_length() - 1

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the exponents and the zeros."""
        known = [label for label in labels if isinstance(label, tuple)]
        return low_bits_words(self.part.words(), known, others=NO_NUMBER in labels)


def low_bits_words(part: str, known: Iterable[tuple[int, int]], *, others: bool) -> str:
    """Return in words a number with one of some exponents and trailing zeros, or with none where there are `others`."""
    zeros: dict[int, list[int]] = {}
    for exponent, count in known:
        zeros.setdefault(exponent, []).append(count)
    texts = [
        f"2^{exponent - 1} <= |x| < 2^{exponent} with {', '.join(map(str, sorted(counts)))}"
        for exponent, counts in sorted(zeros.items())
    ]
    texts += ["no finite float or 0"] if others else []
    return f"x, {part}, by the trailing zero bits of its significand: " + " or ".join(texts)


def cuts_of(numbers: Iterable[Number], cells: int = CELLS) -> tuple[Number, ...]:
    """Return at most `cells` cuts at quantiles; where there are at most `cells` distinct numbers, these."""
    ordered = sorted(numbers)
    distinct = sorted(set(ordered))
    if len(distinct) <= cells:
        return tuple(distinct)
    return tuple(sorted({ordered[(i + 1) * (len(ordered) - 1) // (cells + 1)] for i in range(cells)}))


def features_of(outcomes: Sequence[Any], *, bits: bool = True) -> list[Feature]:
    """Return features that fit these outcomes, the simplest first; their cuts are quantiles of them.

    Only with `bits` are features of the last bits of floats among them.
    """
    looked = list(islice(outcomes, LOOKED_AT))
    parts: list[OutcomeNumber] = []
    vectors = [entries for outcome in looked if (entries := entries_of(outcome)) is not None]
    if any(number_of(outcome) is not None for outcome in looked):
        parts.append(OutcomeNumber("outcome"))
    if vectors:
        width = min(max(map(len, vectors)), ENTRIES)
        parts += [OutcomeNumber("entry", i) for i in range(width)]
        parts += [OutcomeNumber(kind) for kind in ("sum", "greatest entry", "least entry")]
    found: list[Feature] = [Identity()]
    for part in parts:
        numbers = [number for outcome in outcomes if (number := part.of(outcome)) is not None]
        if len(set(numbers)) > 1:
            found.append(Intervals(part, cuts_of(numbers)))
        floats = any(type(x) is float for x in numbers[:LOOKED_AT])
        if bits and floats and part.kind in ("outcome", "entry") and part.index == 0:
            found.append(LowBits(part))
    return [*found, Shape()]
