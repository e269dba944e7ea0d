"""Folds of arrays with undecided elements: sums, means, extremes and what any or all are.

Elements are taken one by one from a list of their own, so that states merge in which the same is left: a sum of truth
values costs what a loop costs. A sum is followed where it is exact in every order: of integers that cannot be too
large for the type of the sum. Draws of one law to which nothing else refers are kept as one and their count, for
whichever is taken next has that law.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains import deferred
from dpcert.reading.domains.steps import INTERVALS, TRUTHS, WHOLE, has_two_values
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.iterate import take
from dpcert.reading.keys import Writer, encode
from dpcert.reading.numpy import elementwise, kinds, prelude_draws
from dpcert.reading.numpy.following import DECIDE, Followed, Keywords, listed
from dpcert.reading.numpy.memory import Call, elements, fresh, is_plain
from dpcert.reading.numpy.records import Array, Deferred
from dpcert.reading.numpy.scalars import made
from dpcert.reading.values import UNSET, List, Record, Undecided, Value
from dpcert.reading.whitelist import rule

MOST_PIECES = 256
"""The most questions by which the law of one element is found."""
Fold = Callable[[list[Value], Any], tuple[Any, ...] | None]
"""What a fold calls of the prelude, with which arguments, for elements and a number of the result's type; or None."""


def _fold(find: Fold) -> Followed:
    """The rule of a fold of all elements, or of those along one axis, with no other argument."""

    def run(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
        given = (*args[1:], *keywords.values())
        axis = given[0] if given else None
        if not args or not keywords.keys() <= {"axis"} or len(given) > 1 or axis.__class__ not in (int, type(None)):
            return DECIDE
        array = listed(m, args[0])  # numpy looks at the other arguments before
        if array.__class__ is not Array:
            return DECIDE
        like = Call(twins=True).run(function, (array, *args[1:]), keywords)
        parts = [*map(deferred.known, elements(array))]
        if any(each is UNSET or (each.__class__ is Undecided and not _is_followed(each)) for each in parts):
            return DECIDE
        if axis is None or len(array.shape) < 2:
            found = find(parts, like)
            return DECIDE if found is None else call_act(m.prelude(found[0]), found[1:])
        rows = numpy.moveaxis(numpy.arange(len(parts)).reshape(array.shape), axis, -1).reshape(-1, array.shape[axis])
        cells = [find([parts[place] for place in row], like.dtype.type(0)) for row in rows.tolist()]
        if like.shape == array.shape or any(each is None for each in cells):
            return DECIDE
        folds = [(m.prelude(each[0]), each[1:]) for each in reversed(cells) if each]
        return call_act(m.prelude("array_of_folds"), (List(folds), fresh(like)))

    return run


def _is_followed(number: Undecided) -> bool:
    """Whether a number is drawn from an interval, and is an integer or a truth value, or has two values."""
    whole = domain.kind_of(number) in WHOLE | TRUTHS
    return number.draw.kind in INTERVALS and (whole or has_two_values(number.chain))


def _rows(parts: list[Value]) -> List:
    """Elements to be taken from the end, each with the count 0: itself."""
    return List([(each, 0) for each in reversed(parts)])


def _sum(name: str) -> Fold:
    def find(parts: list[Value], like: Any) -> Any:
        pairs = [deferred.bounds(each) for each in parts]
        if any(pair is None for pair in pairs):
            return None
        extent = sum(min(0, *pair) for pair in pairs if pair), sum(max(0, *pair) for pair in pairs if pair)
        if not deferred.holds(getattr(like, "dtype", numpy.dtype(int)), extent):  # a sum of some is rounded, or wraps
            return None
        whole = [_whole(each) for each in parts]
        if name == "cumsum":
            return "array_running", _rows(whole), 0, fresh(like)
        drawn = [each for each in whole if each.__class__ is not int]
        start = sum(each for each in whole if each.__class__ is int)
        if name == "mean":
            return "array_mean", _rows(drawn), start, like, len(parts)
        return "array_total", _rows(drawn), start, like

    return find


def _whole(value: Value) -> Value:
    """A number that is an integer as an int."""
    if value.__class__ is Deferred:
        return value
    return domain.then(value, "int") if value.__class__ is Undecided else int(value.real)


def _counted(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    truths = elementwise.each(m, numpy.not_equal, (args[0], 0), {}) if args else DECIDE
    return DECIDE if truths is DECIDE else _fold(_sum("sum"))(m, function, (truths, *args[1:]), keywords)


def _some(wanted: bool) -> Fold:
    return lambda parts, like: ("array_some", _rows(parts), wanted, like)


def is_nan(value: Value) -> bool:
    """Whether an element is NaN, which what is undecided is not."""
    return bool(value.__class__ is not Undecided and value != value)


def _by_size(name: str, up: bool) -> Fold:
    def find(parts: list[Value], like: Any) -> Any:
        if name == "extreme" and like.dtype.kind not in "?biu":
            return None  # of 0.0 and -0.0 either may be the greatest
        if any(deferred.bounds(each) is None if each.__class__ is Deferred else is_nan(each) for each in parts):
            return None
        return f"array_{name}", _rows(parts), up, like

    return find


FOLDS: dict[str, Followed] = {
    "count_nonzero": _counted,
    **{name: _fold(_sum(name)) for name in ("sum", "mean", "cumsum")},
    "any": _fold(_some(True)),
    "all": _fold(_some(False)),
    **{
        name: _fold(_by_size("extreme", up))
        for name, up in (("max", True), ("min", False), ("amax", True), ("amin", False))
    },
    "argmax": _fold(_by_size("place", True)),
    "argmin": _fold(_by_size("place", False)),
}
"""The folds that are followed, by the names of numpy's functions and methods."""


# -- what the prelude asks


class _Counting(Writer):
    """Counts how often a state refers to each record."""

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.counts: Counter[int] = Counter()

    def ref(self, record: Record) -> Any:
        """The number of a record, which is counted."""
        self.counts[id(record)] += 1
        return super().ref(record)


def is_drawn(array: Array) -> bool:
    """Whether some element of an array is drawn, and not decided."""
    return not is_plain(array.base) and any(
        each.__class__ is Deferred or (each.__class__ is Undecided and each.draw.kind in INTERVALS)
        for each in elements(array)
    )


def rows_alone(m: Any, array: Array) -> list[Value] | None:
    """The rows of an array that is the last operand of the instruction in progress, and stands nowhere else."""
    if not m.frames[-1].stack or m.frames[-1].stack[-1] is not array:
        return None
    writer = _Counting(m)
    try:
        encode(m, writer)
    except Refused:
        return None
    alone = writer.counts[id(array)] == writer.counts[id(array.base)] == 1
    return _grouped(m, writer, _rows(elements(array)).items) if alone else None


@rule(prelude_draws.compressed)
def _compressed(m: Any, rows: List, ordered: Value) -> Value:
    """Rows in which values of one law, whose draws stand nowhere else in the state, are one with their count.

    Where the order of the rows does not matter, those of one law are put together.
    """
    writer = _Counting(m)
    try:
        encode(m, writer)
    except Refused:
        return rows
    rows.edit()[:] = _grouped(m, writer, rows.items, ordered)
    return rows


def _grouped(m: Any, writer: _Counting, rows: list[Value], ordered: bool = True) -> list[Value]:
    if not m.merges:
        return rows
    told = [(_law_of(writer, row[0]), row) for row in rows]
    if not ordered:
        first = {law: place for place, (law, _) in reversed([*enumerate(told)])}
        told.sort(key=lambda each: first[each[0]])
    items: list[Value] = []
    for law, group in groupby(told, key=itemgetter(0)):
        alike = [row for _, row in group]
        value = alike[0][0]
        if law is not None and value.__class__ is Deferred:
            value = deferred.as_one_draw(value, MOST_PIECES)
        if law is None or value.__class__ is Deferred:
            items += alike
        else:
            items += [(value, len(alike))] if value.__class__ is Undecided else [(value, 0)] * len(alike)
    return items


def _law_of(writer: _Counting, value: Value) -> bytes | None:
    """The bytes that determine the law of a value whose draws stand nowhere else in the state; None for others."""
    draws = deferred.draws_of(value)
    if any(draw.kind not in INTERVALS for draw in draws) or not draws:
        return None
    drawn: Counter[int] = Counter()
    law = deferred.law_of(value, writer.form, drawn)
    alone = all(writer.counts[number] == count for number, count in drawn.items())
    return marshal.dumps(law, 2) if alone else None


rule(prelude_draws.take)(lambda m, rows: take(rows))


@rule(prelude_draws.known)
def _known(m: Any, value: Value) -> Value:
    return domain.decide(value) if value.__class__ is Undecided else value


@rule(prelude_draws.whole)
def _decided(m: Any, value: Value) -> Value:
    return int(_known(m, value))


@rule(prelude_draws.typed)
def _typed(m: Any, value: Value, like: Value) -> Value:
    if like.__class__ in kinds.SCALARS:
        return made(like.dtype.char, value)
    return like.__class__(value)
