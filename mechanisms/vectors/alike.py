"""Elements that are alike: what a table makes of the draws at their places in some rows.

An operation on all of them is done once for each entry of the table. Where an entry cannot tell without a decision, the
elements are taken one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.floating.scalars import LazyScalar
from dpcert.mechanisms.vectors.finite import Finite
from dpcert.mechanisms.vectors.rows import Row, Stand, Untold

WORDS = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}


@dataclass(frozen=True, slots=True)
class Alike:
    """Elements, of which element i is what table[kinds[i]] makes of draw places[i] of each row that it names.

    An entry of the table is plain, or undecided on draws that stand for those of rows.
    """

    run: Run
    places: Any
    kinds: Any
    table: tuple[Any, ...]

    @property
    def rows(self) -> list[Row]:
        """The rows that some entry names."""
        return list({id(stand): stand.row for entry in self.table for stand in stands(entry)}.values())

    def take(self, where: Any) -> Alike:
        """Return the elements at these places of this."""
        return Alike(self.run, self.places[where], self.kinds[where], self.table)

    def map(self, make: Callable[[Any], Any]) -> Alike | None:
        """Return what `make` makes of each element; None where it has to decide."""
        try:
            return Alike(self.run, self.places, self.kinds, tuple(map(make, self.table)))
        except Untold:
            return None

    def elements(self) -> list[Any]:
        """Return the elements, on draws of their own."""
        pairs = zip(self.kinds.tolist(), self.places.tolist(), strict=True)
        return [of_place(self.table[kind], at) for kind, at in pairs]


def stands(entry: Any) -> tuple[Stand, ...]:
    """Return the draws that an entry of a table names."""
    if type(entry) is Finite:
        return tuple(node for node in entry.nodes if isinstance(node, Stand))
    return (entry._node,) if is_lazy(entry) else ()


def of_place(entry: Any, place: int) -> Any:
    """Return the element that an entry of a table makes at a place, of draws that are apart."""
    if type(entry) is Finite:
        return Finite(tuple(stand.row.apart()[place] for stand in stands(entry)), entry.cells)
    if not is_lazy(entry):
        return entry
    node = entry._node.row.apart()[place]
    if type(entry) is LazyScalar:
        return LazyScalar(LazyInt(node, entry._maps), entry._plain)
    return LazyFloat(node, entry._maps)


class Store:
    """The elements of vectors that share them: alike, until one of them is asked for or assigned to by itself."""

    __slots__ = ("_elements",)

    def __init__(self, elements: Alike | list[Any]) -> None:
        self._elements = elements

    def alike(self) -> Alike | None:
        """Return the elements if they are alike, and their draws not apart."""
        found = self._elements
        return found if type(found) is Alike and all(row.nodes is None for row in found.rows) else None

    def listed(self) -> list[Any]:
        """Return the elements one by one."""
        if isinstance(self._elements, Alike):
            self._elements = self._elements.elements()
        return self._elements

    def __getitem__(self, place: int) -> Any:
        return self.listed()[place]

    def __setitem__(self, place: int, element: Any) -> None:
        self.listed()[place] = element


def combined(parts: Sequence[Alike | tuple[Any, Sequence[Any]]], make: Callable[..., Any]) -> Alike | None:
    """Return what `make` makes of elements side by side, of which some are alike and others plain.

    Plain ones are given as numbers of kinds, and a value of each kind. None where the draws behind an element are not
    all at one place of their rows, or where something would have to be decided.
    """
    alike = [part for part in parts if isinstance(part, Alike)]
    first = alike[0]
    if any(part.run is not first.run or not numpy.array_equal(part.places, first.places) for part in alike[1:]):
        return None
    rows = [(part.kinds, part.table) if isinstance(part, Alike) else part for part in parts]
    codes = coded([(kinds, len(values)) for kinds, values in rows])
    if not codes.size:
        return None
    examples = numpy.empty(codes.max() + 1, numpy.intp)
    examples[codes] = numpy.arange(codes.size)
    try:
        table = tuple(make(*(values[int(kinds[i])] for kinds, values in rows)) for i in examples.tolist())
    except Untold:
        return None
    return Alike(first.run, first.places, codes, table)


def coded(columns: Sequence[tuple[Any, int]]) -> Any:
    """Return numbers from 0 that tell rows apart, given as columns of numbers below a bound; each is of some row."""
    codes = numpy.zeros(len(columns[0][0]), numpy.intp)
    for column, bound in columns:
        if bound > 1:
            codes = numpy.unique(codes * bound + column, return_inverse=True)[1]
    return codes


def told_apart(x: Any, shape: Any) -> tuple[Any, Sequence[Any]] | None:
    """Return the kinds of plain numbers, told apart by their bits, as often as broadcasting repeats them."""
    count = int(numpy.prod(shape, dtype=int))
    if isinstance(x, (bool, int, float, numpy.generic)):
        return numpy.zeros(count, numpy.intp), [x]
    spread = numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(x), shape)).ravel()
    if spread.dtype.kind not in "biuf" or spread.dtype.itemsize not in WORDS or not spread.dtype.isnative:
        return None
    _, examples, kinds = numpy.unique(spread.view(WORDS[spread.dtype.itemsize]), return_index=True, return_inverse=True)
    return kinds, list(spread[examples])
