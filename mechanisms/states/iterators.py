"""Built-in functions that return iterators, and those of `itertools`, as generators that can be entered again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpcert.mechanisms.states.runtime import END


def enumerate_of(iterable: Any, start: int = 0) -> Iterator[Any]:
    """`enumerate`."""
    return _enumerated(iter(iterable), start)


def _enumerated(iterable: Any, count: int) -> Iterator[Any]:
    for each in iterable:
        yield count, each
        count = count + 1


def zip_of(*args: Any, strict: bool = False) -> Iterator[Any]:
    """`zip`, not strict."""
    return _zipped([iter(each) for each in args])


def _zipped(iterators: list[Any]) -> Iterator[Any]:
    while True:
        found = []
        for each in iterators:
            part = next(each, END)
            if part is END:
                return
            found.append(part)
        yield tuple(found)


def map_of(function: Any, iterable: Any, *others: Any) -> Iterator[Any]:
    """`map`."""
    return _starred(function, _zipped([iter(each) for each in (iterable, *others)]))


def _starred(function: Any, iterator: Any) -> Iterator[Any]:
    for each in iterator:
        yield function(*each)


def filter_of(function: Any, iterable: Any, /) -> Iterator[Any]:
    """`filter`."""
    return _filtered(function, iter(iterable))


def _filtered(function: Any, iterator: Any) -> Iterator[Any]:
    for each in iterator:
        if each if function is None else function(each):
            yield each


def accumulate_of(iterable: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    """`itertools.accumulate`."""
    return _accumulated(iter(iterable), func, initial)


def _accumulated(items: Any, func: Any, total: Any) -> Iterator[Any]:
    if total is None:
        total = next(items, END)
        if total is END:
            return
    yield total
    for each in items:
        total = total + each if func is None else func(total, each)
        yield total


def takewhile_of(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.takewhile`."""
    return _taken(predicate, iter(iterable))


def _taken(predicate: Any, items: Any) -> Iterator[Any]:
    for each in items:
        if not predicate(each):
            return
        yield each


def dropwhile_of(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.dropwhile`."""
    return _dropped(predicate, iter(iterable))


def _dropped(predicate: Any, items: Any) -> Iterator[Any]:
    for each in items:
        if not predicate(each):
            yield each
            break
    for each in items:
        yield each


def filterfalse_of(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.filterfalse`."""
    return _filtered_out(predicate, iter(iterable))


def _filtered_out(predicate: Any, items: Any) -> Iterator[Any]:
    for each in items:
        if not (each if predicate is None else predicate(each)):
            yield each


def starmap_of(function: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.starmap`."""
    return _starred(function, iter(iterable))


def pairwise_of(iterable: Any, /) -> Iterator[Any]:
    """`itertools.pairwise`."""
    return _paired(iter(iterable))


def _paired(items: Any) -> Iterator[Any]:
    before = next(items, END)
    for each in items:
        yield before, each
        before = each


def chain_of(*iterables: Any) -> Iterator[Any]:
    """`itertools.chain`."""
    return _chained(iter(iterables))


def _chained(iterables: Any) -> Iterator[Any]:
    for items in iterables:
        for each in items:
            found = each  # not `yield from`, which would close them
            yield found


def islice_of(iterable: Any, /, *bounds: Any) -> Iterator[Any]:
    """`itertools.islice` with a stop, or a start and a stop."""
    return _sliced(iter(iterable), *bounds) if len(bounds) > 1 else _sliced(iter(iterable), 0, *bounds)


def _sliced(items: Any, start: Any, stop: Any) -> Iterator[Any]:
    place = 0
    while stop is None or place < max(start or 0, stop):
        each = next(items, END)
        if each is END:
            return
        place = place + 1
        if place > (start or 0):
            yield each


def cycle_of(iterable: Any, /) -> Iterator[Any]:
    """`itertools.cycle`."""
    return _cycled(iter(iterable))


def _cycled(items: Any) -> Iterator[Any]:
    kept = []
    for each in items:
        yield each
        kept.append(each)
    while kept:
        for each in kept:
            yield each


def asked_of(function: Any, until: Any, /) -> Iterator[Any]:
    """`iter` of a function and a sentinel."""
    found = function()
    while found != until:
        yield found
        found = function()
