"""Functions of iterables that run the program's code, in Python: interpreted as the rest of the prelude is."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

from dpcert.reading.prelude import (
    Missing,
    find,
    fresh,
    kind,
    native_order,
    native_sum,
    refuse,
    take_attributes,
    told_name,
)

OLD = sys.version_info < (3, 12)


def _error_text(error: Any) -> Any:
    args = error.args
    return "" if not args else str(args[0]) if len(args) == 1 else str(args)


def _error_shown(error: Any) -> Any:
    args = error.args
    inner = repr(args[0]) if len(args) == 1 else ", ".join([repr(each) for each in args])
    return f"{type(error).__name__}({inner})"


def _key_text(error: Any) -> Any:
    return repr(error.args[0]) if len(error.args) == 1 else _error_text(error)


def _checked(text: Any, name: Any) -> Any:
    if type(text) is not str:
        if isinstance(text, str):
            refuse(f"{name} returns a text of another type than str")
        if name == "__format__":
            raise TypeError(f"__format__ must return a str, not {told_name(text)}")
        raise TypeError(f"{name} returned non-string (type {told_name(text)})")
    return text


def _text(value: Any) -> Any:
    function = find(value, "__str__")
    if function is not None:
        return _checked(function(value), "__str__")
    if kind(value) == "error":
        return _key_text(value) if isinstance(value, KeyError) else _error_text(value)
    return repr(value)


def _shown(value: Any) -> Any:
    what = kind(value)
    if what == "list":
        return "[" + ", ".join([repr(each) for each in value]) + "]"
    if what == "tuple":
        return "(" + ", ".join([repr(each) for each in value]) + ("," if len(value) == 1 else "") + ")"
    if what == "dict":
        return _dict_shown(value)
    if what == "deque":
        return _deque_shown(value)
    if what == "set":
        return _set_shown(value)
    function = find(value, "__repr__")
    if function is not None:
        return _checked(function(value), "__repr__")
    if what == "error":
        return _error_shown(value)
    return refuse(f"the text of a {type(value).__name__} tells an address")


def _dict_shown(value: Any) -> Any:
    inner = "{" + ", ".join([f"{key!r}: {each!r}" for key, each in value.items()]) + "}"
    if type(value) is dict:
        return inner
    return refuse(f"the text of a {type(value).__name__} is not followed; show dict(...) of it")


def _deque_shown(value: Any) -> Any:
    limit = "" if value.maxlen is None else f", maxlen={value.maxlen}"
    return f"deque({list(value)!r}{limit})"


def _set_shown(value: Any) -> Any:
    inner = ", ".join([repr(each) for each in value])
    if type(value) is frozenset:
        return f"frozenset({{{inner}}})" if inner else "frozenset()"
    return f"{{{inner}}}" if inner else "set()"


def _formatted(value: Any, spec: Any) -> Any:
    function = find(value, "__format__")
    if function is not None:
        return _checked(function(value, spec), "__format__")
    if spec:
        refuse(f"a format of a {type(value).__name__} is not followed; format str(...) of it")
    return str(value)


def _sum_of(it: Any, start: Any = 0) -> Any:
    it = iter(it)
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    if isinstance(start, bytes):
        raise TypeError("sum() can't sum bytes [use b''.join(seq) instead]")
    for each in it:
        if type(each) is float or type(start) is float:
            return _sum_floats(start, each, it)
        start = start + each
    return start


def _sum_floats(start: Any, first: Any, it: Any) -> Any:
    row = [first]
    for each in it:
        row.append(each)
        if type(each) not in (int, float, bool, Fraction):
            refuse("a sum of floats and other things is not followed")
    if kind(start) != "scalar":
        refuse("a sum of floats and instances is not followed")
    return native_sum(row, start)


def _any_of(it: Any) -> Any:
    it, each = iter(it), None
    while each is not Missing and not each:
        each = next(it, Missing)
    return each is not Missing


def _all_of(it: Any) -> Any:
    it, each = iter(it), Missing
    while True:
        each = next(it, Missing)
        if each is Missing or not each:
            return each is Missing


def _max_of(*args: Any, key: Any = None, default: Any = Missing) -> Any:
    return _extreme("max", args, key, default)


def _min_of(*args: Any, key: Any = None, default: Any = Missing) -> Any:
    return _extreme("min", args, key, default)


def _extreme(name: Any, args: Any, key: Any, default: Any) -> Any:
    if not args:
        refuse(f"{name}() without arguments")
    if len(args) > 1 and default is not Missing:
        raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
    best = top = Missing
    for each in args if len(args) > 1 else args[0]:
        measure = each if key is None else key(each)
        if best is Missing or (measure > top if name == "max" else measure < top):
            best, top = each, measure
    if best is not Missing:
        return best
    if default is Missing:
        raise ValueError(f"{name}() {'arg is an empty sequence' if OLD else 'iterable argument is empty'}")
    return default


def _sorted_of(it: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    out = list(it)
    _sort_in_place(out, key=key, reverse=reverse)
    return out


def _sort_in_place(row: Any, *, key: Any = None, reverse: Any = False) -> Any:
    if type(reverse) not in (bool, int):
        refuse("a list is sorted with reverse= that is no truth value; write bool(...)")
    items = row[:]
    row[:] = []
    keys = items
    try:
        if key is not None:
            keys = [key(each) for each in items]
        if reverse:
            keys = keys[::-1]
        order = _order(keys)
        if row:
            refuse("a list is changed while it is sorted")
    finally:
        row[:] = items
    if reverse:
        items = items[::-1]
    out = [items[place] for place in order]
    row[:] = out[::-1] if reverse else out


def _order(keys: Any) -> Any:
    order = native_order(keys)
    if order is not None:
        return order
    done: list[Any] = []
    for place in range(len(keys)):
        done.insert(_bisect_right(done, keys[place], key=lambda other: keys[other]), place)
    return done


def _reduce(function: Any, it: Any, *start: Any) -> Any:
    if len(start) > 1 or (kind(it) in ("scalar", "other") and type(it) not in (str, bytes, range)):
        refuse("reduce() of what is no iterable, or with more than a start")
    if kind(it) in ("instance", "error") and find(it, "__iter__") is None and find(it, "__getitem__") is None:
        refuse("reduce() of what is no iterable")
    it = iter(it)
    result = start[0] if start else next(it, Missing)
    if result is Missing:
        raise TypeError("reduce() of empty iterable with no initial value")
    for each in it:
        result = function(result, each)
    return result


def _wraps(wrapped: Any, assigned: Any = None, updated: Any = None) -> Any:
    if assigned is not None or updated is not None:
        refuse("wraps() is followed with one argument")

    def decorate(function: Any) -> Any:
        function.__name__ = wrapped.__name__
        function.__qualname__ = wrapped.__qualname__
        function.__doc__ = wrapped.__doc__
        function.__module__ = wrapped.__module__
        take_attributes(function, wrapped)
        function.__wrapped__ = wrapped
        return function

    return decorate


def _itemgetter(*keys: Any) -> Any:
    if not keys:
        refuse("itemgetter() of nothing")
    if len(keys) == 1:
        return lambda owner: owner[keys[0]]
    return lambda owner: tuple([owner[key] for key in keys])


def _attrgetter(*names: Any) -> Any:
    for name in names or (None,):
        if type(name) is not str or "." in name:
            refuse("attrgetter is followed for names without dots")
    if len(names) == 1:
        return lambda owner: getattr(owner, names[0])
    return lambda owner: tuple([getattr(owner, name) for name in names])


def _cache(function: Any) -> Any:
    return _cache_of(function, None, False)


def _lru_cache(maxsize: Any = 128, typed: Any = False) -> Any:
    if callable(maxsize) and typed is False:
        return _cache_of(maxsize, 128, False)
    if maxsize is not None and type(maxsize) is not int:
        refuse("lru_cache() is followed for a size that is an int or None")
    return lambda function: _cache_of(function, maxsize, typed)


def _cache_of(function: Any, maxsize: Any, typed: Any) -> Any:
    if typed or not callable(function):
        refuse("a cache that tells types is not followed")
    kept: dict[Any, Any] = {}

    def run(*args: Any, **keywords: Any) -> Any:
        single = len(args) == 1 and not keywords and type(args[0]) in (int, str)
        key = args[0] if single else (args, tuple(keywords.items()))
        if key in kept:
            value = kept.pop(key)
            kept[key] = value
            return value
        value = function(*args, **keywords)
        if maxsize is None or (maxsize > 0 and key not in kept):
            kept[key] = value
            if maxsize is not None and len(kept) > maxsize:
                del kept[next(iter(kept))]
        return value

    wrapper: Any = run
    wrapper.__wrapped__ = function
    wrapper.__name__ = function.__name__
    wrapper.__qualname__ = function.__qualname__
    wrapper.cache_clear = kept.clear
    return wrapper


def _check_heap(heap: Any, least: Any) -> None:
    if kind(heap) != "list":
        refuse("a heap that is no list")
    if len(heap) < least:
        raise IndexError("index out of range")


def _rise(heap: Any, start: Any, place: Any) -> None:
    """Move an item of a heap towards the root, past all that are greater."""
    item = heap[place]
    while place > start:
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _sink(heap: Any, start: Any) -> None:
    """Move an item of a heap down to a leaf, past the lesser child each time, and then up to its place."""
    place, item = start, heap[start]
    while 2 * place + 1 < len(heap):
        child = 2 * place + 1
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
    heap[place] = item
    _rise(heap, start, place)


def _heappush(heap: Any, item: Any) -> None:
    _check_heap(heap, 0)
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def _heappop(heap: Any) -> Any:
    _check_heap(heap, 1)
    last = heap.pop()
    return _heapreplace(heap, last) if heap else last


def _heapreplace(heap: Any, item: Any) -> Any:
    _check_heap(heap, 1)
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def _heappushpop(heap: Any, item: Any) -> Any:
    _check_heap(heap, 0)
    return _heapreplace(heap, item) if heap and heap[0] < item else item


def _heapify(heap: Any) -> None:
    _check_heap(heap, 0)
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, place)


def _bisect_right(row: Any, value: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    return _place_of(row, lambda item: not value < item, lo, hi, key)


def _bisect_left(row: Any, value: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    return _place_of(row, lambda item: item < value, lo, hi, key)


def _place_of(row: Any, before: Any, lo: Any, hi: Any, key: Any) -> Any:
    """The first place for whose item `before` is false."""
    indexed = kind(row) != "instance" or find(row, "__getitem__") is not None
    if not indexed or kind(row) in ("dict", "set", "view", "iterator", "scalar", "other", "error"):
        refuse("bisect is followed in lists and other sequences")
    if type(lo) is not int or lo < 0 or not (hi is None or type(hi) is int):
        refuse("bisect is followed between ints of 0 or more")
    hi = len(row) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if before(row[middle] if key is None else key(row[middle])):
            lo = middle + 1
        else:
            hi = middle
    return lo


def _randrange(coins: Any, start: Any, stop: Any, step: Any) -> Any:
    if stop is None:
        start, stop = 0, start
    width = (stop - start + step - 1) // step if step > 0 else (stop - start + step + 1) // step if step else 0
    if width <= 0:
        refuse("an empty range is drawn from")
    return start + step * coins._randbelow(width)


def _to_bytes(number: Any, size: Any) -> Any:
    return number.to_bytes(size, "little")


def _fold(coins: Any, items: Any, state: Any, step: Any) -> Any:
    state = fresh(state)
    for item in list(items):
        state = fresh(step(state, item, coins))
    return state


def _copy(value: Any) -> Any:
    what = kind(value)
    if what in ("list", "dict", "set"):
        return value.copy()
    if what in ("scalar", "tuple"):
        return value
    return refuse(f"a copy of a {type(value).__name__} is not followed")


def _fromkeys(keys: Any, value: Any) -> Any:
    out = {}
    for key in keys:
        out[key] = value
    return out
