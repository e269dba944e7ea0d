"""Folds of arrays with undecided elements: sums, means, extremes and what any or all are.

Elements are taken one by one from a list of their own, so that states merge in which the same is left: a sum of truth
values costs what a loop costs. A sum is followed where it is exact in every order: of integers that cannot be too
large for the type of the sum. Draws of one law that nothing else tells of are kept as one of them and their count, for
whichever is taken next has that law.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.steps import INTERVALS, TRUTHS, WHOLE, has_two_values
from dpcert.reading.errors import Refused, call_act
from dpcert.reading.iterate import take
from dpcert.reading.keys import Writer, encode
from dpcert.reading.numpy import kinds, prelude_draws
from dpcert.reading.numpy.following import DECIDE, Keywords, listed
from dpcert.reading.numpy.memory import Call, elements, fresh, is_plain
from dpcert.reading.numpy.records import Array
from dpcert.reading.numpy.scalars import made
from dpcert.reading.values import UNSET, List, Record, Undecided, Value
from dpcert.reading.whitelist import rule


def _fold(follow: Callable[..., Value]) -> Callable[..., Value]:
    """The rule of a fold: of all elements, with no other argument than an axis that changes nothing."""

    def run(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
        array, axis = listed(m, args[0]) if args else None, (*args[1:], *keywords.values())
        if array.__class__ is not Array or not keywords.keys() <= {"axis"} or len(axis) > 1:
            return DECIDE
        if axis and axis[0] is not None and (len(array.shape) != 1 or axis[0] not in (0, -1)):
            return DECIDE
        like = Call(twins=True).run(function, (array, *args[1:]), keywords)
        parts = elements(array)
        if any(each is UNSET or (each.__class__ is Undecided and not _is_followed(each)) for each in parts):
            return DECIDE
        return follow(m, parts, like)

    return run


def _is_followed(number: Undecided) -> bool:
    """Whether a number is drawn from an interval, and is an integer or a truth value, or has two values."""
    whole = domain.kind_of(number) in WHOLE | TRUTHS
    return number.draw.kind in INTERVALS and (whole or has_two_values(number.chain))


def _rows(parts: list[Value]) -> List:
    """Elements to be taken from the end, each with the count 0: itself."""
    return List([(each, 0) for each in reversed(parts)])


def _sum(name: str) -> Callable[..., Value]:
    def follow(m: Any, parts: list[Value], like: Any) -> Value:
        whole = [_whole(each) for each in parts]
        if any(each is None for each in whole) or not _fits(whole, like.dtype):
            return DECIDE
        drawn = [each for each in whole if each.__class__ is Undecided]
        if name == "cumsum":
            return call_act(m.prelude("array_running"), (_rows(whole), 0, fresh(like)))
        if name == "mean":
            start = sum(each for each in whole if each.__class__ is not Undecided)
            return call_act(m.prelude("array_mean"), (_rows(drawn), start, like, len(parts)))
        start = sum(each for each in whole if each.__class__ is not Undecided)
        return call_act(m.prelude("array_total"), (_rows(drawn), start, like))

    return _fold(follow)


def _whole(value: Value) -> Value:
    """A number as an int, if that is what it is for sure, and not -0.0; else None."""
    values = domain.ends(value) if value.__class__ is Undecided else (value,)
    for each in values:
        if not numpy.isfinite(each) or each.imag or int(each.real) != each or (each == 0 and numpy.signbit(each.real)):
            return None
    return domain.then(value, "int") if value.__class__ is Undecided else int(value.real)


def _fits(whole: list[Value], dtype: Any) -> bool:
    """Whether no sum of some of these integers is too large for a type, or rounded in it."""
    pairs = [domain.ends(each) if each.__class__ is Undecided else (each, each) for each in whole]
    low, high = sum(min(0, *pair) for pair in pairs), sum(max(0, *pair) for pair in pairs)
    if dtype.kind == "f" and dtype.itemsize >= 4:
        most = 1 << int(numpy.finfo(dtype).nmant)
        return bool(-most <= low and high <= most)
    return bool(dtype.kind in "iu" and numpy.iinfo(dtype).min <= low and high <= numpy.iinfo(dtype).max)


def _some(wanted: bool) -> Callable[..., Value]:
    return _fold(lambda m, parts, like: call_act(m.prelude("array_some"), (_rows(parts), wanted, like)))


def _by_size(name: str, up: bool) -> Callable[..., Value]:
    def follow(m: Any, parts: list[Value], like: Any) -> Value:
        if name == "extreme" and like.dtype.kind not in "?biu":
            return DECIDE  # of 0.0 and -0.0 either may be the greatest
        if any(each.__class__ is not Undecided and each != each for each in parts):
            return DECIDE
        return call_act(m.prelude(f"array_{name}"), (_rows(parts), up, like))

    return _fold(follow)


FOLDS: dict[str, Callable[..., Value]] = {
    **{name: _sum(name) for name in ("sum", "mean", "cumsum")},
    "any": _some(True),
    "all": _some(False),
    **{name: _by_size("extreme", up) for name, up in (("max", True), ("min", False), ("amax", True), ("amin", False))},
    "argmax": _by_size("place", True),
    "argmin": _by_size("place", False),
}
"""The folds that are followed, by the names of numpy's functions and methods."""


# -- what the prelude asks


class _Counting(Writer):
    """Counts how often a state tells of each record."""

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
        each.__class__ is Undecided and each.draw.kind in INTERVALS for each in elements(array)
    )


def rows_alone(m: Any, array: Array) -> list[Value] | None:
    """The rows of an array that is the last operand of the instruction in progress, and told of nowhere else."""
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
def _compressed(m: Any, rows: List) -> Value:
    """Rows in which draws of one law, of which the state tells here alone, are one with their count."""
    writer = _Counting(m)
    try:
        encode(m, writer)
    except Refused:
        return rows
    rows.edit()[:] = _grouped(m, writer, rows.items)
    return rows


def _grouped(m: Any, writer: _Counting, rows: list[Value]) -> list[Value]:
    items: list[Value] = []
    for _, group in groupby(rows, key=lambda row: _law_of(writer, row[0])):
        alike = list(group)
        own = m.merges and _law_of(writer, alike[0][0]) is not None
        items += [(alike[0][0], len(alike))] if own else alike
    return items


def _law_of(writer: _Counting, value: Value) -> bytes | None:
    """What tells the law of a draw that the state tells of once; None for all else, of which none is like another."""
    if value.__class__ is not Undecided or writer.counts[id(value.draw)] != 1:
        return None
    chain = [(step, writer.form(by)) for step, by in value.chain]
    return marshal.dumps((value.draw.kind, value.draw.lo, value.draw.hi, chain), 2)


rule(prelude_draws.take)(lambda m, rows: take(rows))


@rule(prelude_draws.known)
def _known(m: Any, value: Value) -> Value:
    return domain.decide(value) if value.__class__ is Undecided else value


@rule(prelude_draws.typed)
def _typed(m: Any, value: Value, like: Value) -> Value:
    if like.__class__ in kinds.SCALARS:
        return made(like.dtype.char, value)
    return like.__class__(value)
