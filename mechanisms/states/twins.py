"""Built-in functions that run the program's code, written in Python so that they can be entered again.

They stand for the built-in functions only where an argument is a function in Python, or an iterator that runs one.
"""

from __future__ import annotations

import collections
import functools
import itertools
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.floating.functions import total
from dpcert.mechanisms.states.iterators import (
    accumulate_of,
    asked_of,
    chain_of,
    cycle_of,
    dropwhile_of,
    enumerate_of,
    filter_of,
    filterfalse_of,
    islice_of,
    map_of,
    pairwise_of,
    starmap_of,
    takewhile_of,
    zip_of,
)
from dpcert.mechanisms.states.runtime import CALLING, END, HEAP_TYPE, PYTHON, TWINS, followed_method
from dpcert.mechanisms.states.tails.counts import Count
from dpcert.mechanisms.states.turns import Open

COUNTS = int, Open, LazyInt, Count
"""The types of totals that grow by integers alone."""
ADDED = int, bool, LazyInt, Count
"""The types of these integers."""


def sum_of(iterable: Any, /, start: Any = 0) -> Any:
    """`sum`: integers are added one by one, and from the first other value on `sum` itself adds."""
    total, rest = start, None
    for each in iterable:
        if rest is None and type(total) in COUNTS and type(each) in ADDED:
            total = total + each
        elif rest is None:
            rest = [each]
        else:
            rest.append(each)
    return sum(rest or (), total)


def any_of(iterable: Any, /) -> bool:
    """`any`."""
    found = False
    for each in iterable:
        if each:
            found = True
            break
    return found


def all_of(iterable: Any, /) -> bool:
    """`all`."""
    found = True
    for each in iterable:
        if not each:
            found = False
            break
    return found


def max_of(*args: Any, key: Any = None, default: Any = END) -> Any:
    """`max`: the first of the greatest."""
    best = most = END
    for each in args[0] if len(args) == 1 else args:
        rank = each if key is None else key(each)
        if best is END or rank > most:
            best, most = each, rank
    if best is not END:
        return best
    return max(()) if default is END else default


def min_of(*args: Any, key: Any = None, default: Any = END) -> Any:
    """`min`: the first of the least."""
    best = least = END
    for each in args[0] if len(args) == 1 else args:
        rank = each if key is None else key(each)
        if best is END or rank < least:
            best, least = each, rank
    if best is not END:
        return best
    return min(()) if default is END else default


def next_of(iterator: Any, /, *default: Any) -> Any:
    """`next`."""
    for each in iterator:
        return each
    if default:
        return default[0]
    raise StopIteration


def list_of(iterable: Any, /) -> list[Any]:
    """`list`."""
    parts = []
    for each in iterable:
        parts.append(each)
    return parts


def tuple_of(iterable: Any, /) -> tuple[Any, ...]:
    """`tuple`."""
    return tuple(list_of(iterable))


def frozenset_of(iterable: Any, /) -> frozenset[Any]:
    """`frozenset`."""
    return frozenset(list_of(iterable))


def sorted_of(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> list[Any]:
    """`sorted`: what the key gives for each is compared once all are known."""
    parts = list_of(iterable)
    if key is None:
        return sorted(parts, reverse=reverse)
    ranks = []
    for each in parts:
        ranks.append(key(each))
    order = sorted(range(len(parts)), key=ranks.__getitem__, reverse=reverse)
    return [parts[place] for place in order]


def sort_of(parts: list[Any], /, *, key: Any = None, reverse: Any = False) -> None:
    """`list.sort`, with nothing in the list meanwhile."""
    kept = parts[:]
    parts.clear()
    try:
        found = sorted_of(kept, key=key, reverse=reverse)
    except BaseException:
        parts[:] = kept
        raise
    parts[:] = found


def extend_of(parts: list[Any], iterable: Any, /) -> None:
    """`list.extend`."""
    for each in iterable:
        parts.append(each)


def count_of(counts: Any, iterable: Any) -> None:
    """The part of `collections.Counter` that is in C."""
    for each in iterable:
        counts[each] = counts.get(each, 0) + 1


def instance_of(kind: Any, /, *args: Any, **kwds: Any) -> Any:
    """Make an instance of a class whose `__init__` is in Python."""
    made = dict.__new__(kind) if issubclass(kind, dict) else object.__new__(kind)
    if kind.__init__(made, *args, **kwds) is not None:
        raise TypeError("__init__() should return None")
    return made


def reduce_of(function: Any, iterable: Any, *initial: Any) -> Any:
    """`functools.reduce`."""
    items = iter(iterable)
    total = initial[0] if initial else next(items, END)
    if total is END:
        raise TypeError("reduce() of empty iterable with no initial value")
    for each in items:
        total = function(total, each)
    return total


def set_of(iterable: Any, /) -> set[Any]:
    """`set`."""
    parts = set[Any]()
    for each in iterable:
        parts.add(each)
    return parts


def dict_of(iterable: Any, /, **kwds: Any) -> dict[Any, Any]:
    """`dict` of one iterator of pairs."""
    parts: dict[Any, Any] = {}
    for each in iterable:
        parts.update((each,))
    parts.update(kwds)
    return parts


def join_of(text: str, iterable: Any, /) -> str:
    """`str.join`."""
    return str.join(text, list_of(iterable))


def _runs(value: Any) -> bool:
    kind = type(value)
    return kind in CALLING or bool(kind.__flags__ & HEAP_TYPE and followed_method(kind, "__iter__"))


def running(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    """Whether one of the arguments is an iterator that runs the program's code."""
    return any(map(_runs, args))


def calling(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    """Whether one of the arguments is such an iterator, or a function in Python, which is called."""
    return any(_runs(each) or type(each) in PYTHON for each in (*args, *kwds.values()))


def _ranked(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return kwds.keys() <= {"key", "reverse", "default"} and bool(args) and calling(args, kwds)


def _single(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return len(args) == 1 and running(args, kwds)


def _pairs(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return len(args) == 1 and type(args[0]) in CALLING


def _first(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return not kwds and 0 < len(args) < 3 and type(args[0]) in CALLING


def _plainly(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return not kwds.get("strict", False) and running(args, kwds)


def _two(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return len(args) == 2 and not kwds and calling(args, kwds)


def _several(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return len(args) > 1 and not kwds and calling(args, kwds)


def _sliceable(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    counts = all(each is None or type(each) is int for each in args[1:])
    return 1 < len(args) < 4 and not kwds and running(args, kwds) and counts


def _always(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return True


def _one(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return len(args) == 1 and not kwds


USED: dict[Callable[..., bool], tuple[tuple[Any, Any], ...]] = {
    _pairs: ((dict, dict_of),),
    _single: ((list, list_of), (tuple, tuple_of), (set, set_of)),
    calling: ((itertools.accumulate, accumulate_of),),
    running: ((sum, sum_of), (total, sum_of), (any, any_of), (all, all_of), (frozenset, frozenset_of)),
    _ranked: ((max, max_of), (min, min_of), (sorted, sorted_of), ((list, "sort"), sort_of)),
    _first: ((next, next_of),),
    _plainly: (((str, "join"), join_of), (zip, zip_of), (enumerate, enumerate_of), (itertools.chain, chain_of)),
    _several: ((map, map_of), (filter, filter_of), (functools.reduce, reduce_of)),
    _two: (
        (iter, asked_of),
        (itertools.takewhile, takewhile_of),
        (itertools.dropwhile, dropwhile_of),
        (itertools.filterfalse, filterfalse_of),
        (itertools.starmap, starmap_of),
        ((list, "extend"), extend_of),
        (collections.Counter.update.__globals__["_count_elements"], count_of),
    ),
    _sliceable: ((itertools.islice, islice_of),),
    _one: ((itertools.pairwise, pairwise_of), (itertools.cycle, cycle_of)),
    _always: ((type, instance_of),),
}


def register() -> None:
    """Let the functions here stand for the built-in ones in programs that are read."""
    for when, pairs in USED.items():
        for kind, twin in pairs:
            TWINS[kind] = when, twin
