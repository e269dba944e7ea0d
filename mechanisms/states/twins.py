"""Built-in functions over iterators that run the program's code, written in Python so that they can be entered again.

They stand for the built-in functions only where an argument is such an iterator, or a function that it calls.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from dpcert.mechanisms.states.runtime import CALLING, END, TWINS


def sum_of(iterable: Any, /, start: Any = 0) -> Any:
    """`sum`: integers are added one by one, and from the first other value on `sum` itself adds."""
    total, rest = start, None
    for each in iterable:
        if rest is None and type(total) is int and (type(each) is int or type(each) is bool):
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


def max_of(iterable: Any, /, *, key: Any = None, default: Any = END) -> Any:
    """`max` of one iterator: the first of the greatest; with a key, of what it gives in a list."""
    if key is not None:
        parts = list_of(iterable)
        return max(parts, key=key) if parts or default is END else default
    best = END
    for each in iterable:
        if best is END or each > best:
            best = each
    if best is not END:
        return best
    return max(()) if default is END else default


def min_of(iterable: Any, /, *, key: Any = None, default: Any = END) -> Any:
    """`min` of one iterator: the first of the least; with a key, of what it gives in a list."""
    if key is not None:
        parts = list_of(iterable)
        return min(parts, key=key) if parts or default is END else default
    best = END
    for each in iterable:
        if best is END or each < best:
            best = each
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


def sorted_of(iterable: Any, /, **kwds: Any) -> list[Any]:
    """`sorted`."""
    return sorted(list_of(iterable), **kwds)


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


def running(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    """Whether one of the arguments is an iterator that runs the program's code."""
    return any(isinstance(each, CALLING) for each in args)


def _single(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return len(args) == 1 and running(args, kwds)


def _first(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return not kwds and 0 < len(args) < 3 and isinstance(args[0], CALLING)


def _plainly(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    return not kwds.get("strict", False) and running(args, kwds)


def _calls(args: tuple[Any, ...], kwds: dict[str, Any]) -> bool:
    python = bool(args) and isinstance(args[0], (types.FunctionType, types.MethodType))
    return len(args) > 1 and not kwds and (python or running(args, kwds))


USED: dict[Callable[..., bool], tuple[tuple[Any, Any], ...]] = {
    _single: ((max, max_of), (min, min_of), (dict, dict_of), (list, list_of), (tuple, tuple_of), (set, set_of)),
    running: ((sum, sum_of), (any, any_of), (all, all_of), (sorted, sorted_of), (frozenset, frozenset_of)),
    _first: ((next, next_of),),
    _plainly: (("join", join_of), (zip, zip_of), (enumerate, enumerate_of)),
    _calls: ((map, map_of), (filter, filter_of)),
}


def register() -> None:
    """Let the functions here stand for the built-in ones in programs that are read."""
    for when, pairs in USED.items():
        for kind, twin in pairs:
            TWINS[kind] = when, twin
