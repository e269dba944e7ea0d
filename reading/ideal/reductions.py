"""Functions of numpy of many noisy numbers at once: sums, greatest ones, orders, and roundings to digits.

The type, the shape and the errors of a result come from numpy on twins, as does all that is made of plain elements
alone. Noisy elements are added and compared by the machine's own operators: in real arithmetic the order of a sum does
not matter, and each comparison is answered by what is known, or asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate, product
from typing import Any

import numpy as np

from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.noise import function_of, is_ideal, is_real
from dpcert.reading.errors import Refused
from dpcert.reading.ideal.functions import opaquely
from dpcert.reading.numpy.following import DECIDE, Followed, Keywords, cast
from dpcert.reading.numpy.items import store
from dpcert.reading.numpy.memory import Call, elements, laid
from dpcert.reading.numpy.records import Array
from dpcert.reading.operators import binary, compare, truth
from dpcert.reading.values import List, Value

Fold = Callable[[Any, list[Value]], Value]


def _totals(m: Any, row: list[Value]) -> list[Value]:
    return [*accumulate(row, lambda a, b: binary(m, "add", False, a, b))]


def _sum(m: Any, row: list[Value]) -> Value:
    return _totals(m, row)[-1]


def _mean(m: Any, row: list[Value]) -> Value:
    return binary(m, "truediv", False, _sum(m, row), len(row))


def _place(sign: str) -> Callable[[Any, list[Value]], int]:
    def run(m: Any, row: list[Value]) -> int:
        best = 0
        for place in range(1, len(row)):
            if compare(m, sign, row[place], row[best]):
                best = place
        return best

    return run


greatest, least = _place(">"), _place("<")


def _places_in_order(m: Any, row: list[Value], *, ties: bool) -> list[int]:
    """The places of a row from the least element to the greatest.

    Raises: Refused for equal ones whose order is seen.
    """
    order: list[int] = []
    for place, each in enumerate(row):
        at = len(order)
        while at and compare(m, "<", each, row[order[at - 1]]):
            at -= 1
        if not ties and at and compare(m, "==", each, row[order[at - 1]]):
            raise Refused("the order of equal noisy numbers is not followed")
        order.insert(at, place)
    return order


MOST_ORDERED = 3
"""The most noisy numbers whose order is asked for; of more, each in order is a function of all."""


def _ordered(m: Any, row: list[Value]) -> list[Value]:
    if len(row) > MOST_ORDERED and is_real(*row):
        return [function_of(row, "ranked", place) for place in range(len(row))]
    return [row[place] for place in _places_in_order(m, row, ties=True)]


def _median(m: Any, row: list[Value]) -> Value:
    order = _ordered(m, row)
    return _mean(m, [order[(len(row) - 1) // 2], order[len(row) // 2]])


def _quantile(at: float) -> Fold:
    """The number at a part of the way from the least to the greatest, between two of them in a straight line."""

    def run(m: Any, row: list[Value]) -> Value:
        order, where = _ordered(m, row), at * (len(row) - 1)
        low = order[math.floor(where)]
        if where == math.floor(where):
            return low
        rise = binary(m, "sub", False, order[math.floor(where) + 1], low)
        return binary(m, "add", False, low, binary(m, "mul", False, rise, where - math.floor(where)))

    return run


def _variance(freedom: int) -> Fold:
    """The sum of the squares of what numbers differ from their mean, by their number less `freedom`."""

    def run(m: Any, row: list[Value]) -> Value:
        if len(row) <= freedom or type(freedom) is not int or not is_real(*row):
            raise Refused("a variance of noisy numbers is followed of floats, of more than ddof of them")
        return function_of(row, "variance", freedom)

    return run


def _deviation(freedom: int) -> Fold:
    return lambda m, row: opaquely(m, "sqrt", np.sqrt, _variance(freedom)(m, row))


FOLDS: dict[str, Fold] = {
    "sum": _sum,
    "mean": _mean,
    "max": lambda m, row: row[greatest(m, row)],
    "min": lambda m, row: row[least(m, row)],
    "argmax": greatest,
    "argmin": least,
    "any": lambda m, row: any(truth(m, each) for each in row),
    "all": lambda m, row: all(truth(m, each) for each in row),
    "count_nonzero": lambda m, row: sum([bool(truth(m, each)) for each in row]),
    "median": _median,
    "ptp": lambda m, row: binary(m, "sub", False, row[greatest(m, row)], row[least(m, row)]),
}
SCANS: dict[str, Callable[[Any, list[Value]], list[Value]]] = {
    "cumsum": _totals,
    "sort": _ordered,
    "argsort": lambda m, row: list(_places_in_order(m, row, ties=False)),
}
SIDES = {"left": "<", "right": "<="}
"""Beside which elements a number is put behind them, by the sides of `searchsorted`."""
LAST = frozenset({"sort", "argsort"})  # what works along the last axis where none is named
OTHER_NAMES = {"amax": "max", "amin": "min"}


def _bound(name: str, args: tuple[Value, ...], keywords: Keywords) -> tuple[Value, Any] | None:
    """The array and the axis of a call; None where it says more than that."""
    if not args or len(args) > 2 or keywords.keys() - {"axis", "keepdims"} or (len(args) == 2 and "axis" in keywords):
        return None
    default = -1 if name in LAST else None
    axis = args[1] if len(args) == 2 else keywords.get("axis", default)
    if not (axis is None or type(axis) is int):
        return None
    return args[0], axis


def _array(value: Value) -> Array | None:
    if value.__class__ is Array:
        return value
    if value.__class__ in (List, tuple):
        row = list(value if isinstance(value, tuple) else value.items)
        if row and all(is_ideal(each) or type(each) in (int, float) for each in row):
            return laid(row, np.empty(len(row)))
    return None


def _along(shape: tuple[int, ...], axis: int | None) -> Any:
    """The places of an array's elements in rows along an axis."""
    where = np.arange(int(np.prod(shape, dtype=int))).reshape(shape)
    return where.reshape(1, -1) if axis is None else np.moveaxis(where, axis, -1).reshape(-1, shape[axis])


def _rule(name: str) -> Followed:
    def run(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
        bound = _bound(name, args, keywords)
        array = None if bound is None else _array(bound[0])
        if bound is None or array is None:
            return DECIDE
        pattern = Call(twins=True).run(function, (array, *args[1:]), keywords)
        if name in FOLDS:
            return _folded(m, [FOLDS[name]], array, bound, pattern)
        if pattern is not None:
            return _scanned(m, name, array, bound, pattern)
        if name != "sort":
            raise Refused(f"{name} of noisy numbers in place is not followed; use numpy.{name}")
        pattern = Call(twins=True).run(np.sort, args, keywords)
        return store(m, array, ..., _scanned(m, name, array, bound, pattern))

    return run


def _with_number(name: str, fold: Callable[[Any], Fold], default: Any) -> Followed:
    """The rule of a fold with a number that says more: the only argument beside the array and the axis.

    Without a default, there may be a row of numbers: of each number a fold, one after another.
    """

    def run(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
        rest = {key: each for key, each in keywords.items() if key != name}
        by_place = default is None and len(args) > 1
        number = args[1] if by_place else keywords.get(name, default)
        bound = _bound("", args[:1] + args[2:] if by_place else args, rest)
        array = None if bound is None else _array(bound[0])
        numbers = [number] if default is not None else _numbers(number)
        if bound is None or array is None or not numbers or any(type(each) not in (int, float) for each in numbers):
            return DECIDE
        pattern = Call(twins=True).run(function, (array, *args[1:]), keywords)
        return _folded(m, [fold(each) for each in numbers], array, bound, pattern)

    return run


def _numbers(value: Value) -> list[Value]:
    """The elements of a row, or the value alone."""
    if value.__class__ is Array and len(value.shape) == 1:
        return [each.item() if type(each) is np.float64 else each for each in elements(value)]
    return list(value if isinstance(value, tuple) else value.items) if value.__class__ in (List, tuple) else [value]


def _searched(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The place of a number among the elements of a row, as numpy looks for it: by halves."""
    side = keywords.get("side", "left")
    array = _array(args[0]) if len(args) == 2 and not keywords.keys() - {"side"} else None
    if array is None or len(array.shape) != 1 or args[1].__class__ in (Array, List, tuple) or side not in SIDES:
        return DECIDE
    pattern = Call(twins=True).run(function, (array, args[1]), keywords)
    row, low, high = elements(array), 0, array.shape[0]
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if compare(m, SIDES[side], row[middle], args[1]) else (low, middle)
    return type(pattern)(low)


def _rows_of(array: Array, bound: tuple[Value, Any]) -> tuple[Any, list[Value]]:
    """The places of an array's elements in rows, and the elements."""
    parts = elements(array)
    if array is not bound[0]:
        parts = [cast(each, np.dtype(float)) for each in parts]
    return _along(array.shape, bound[1]), parts


def _folded(m: Any, folds: list[Fold], array: Array, bound: tuple[Value, Any], pattern: Any) -> Value:
    """The folds of an array's rows: those of all rows by the first, then by the next."""
    known, (rows, parts) = np.ravel(pattern), _rows_of(array, bound)
    if len(known) != len(rows) * len(folds) or any(not len(row) for row in rows):
        return DECIDE
    found: list[Value] = []
    for plain, (fold, row) in zip(known, product(folds, rows.tolist()), strict=True):
        items = [parts[place] for place in row]
        found.append(cast(fold(m, items), known.dtype) if any(map(is_ideal, items)) else plain)
    if isinstance(pattern, np.ndarray):
        return laid(found, pattern)
    return found[0] if isinstance(pattern, np.generic) else type(pattern)(found[0])


def _scanned(m: Any, name: str, array: Array, bound: tuple[Value, Any], pattern: Any) -> Value:
    rows, parts = _rows_of(array, bound)
    cells: list[Value] = [None] * rows.size
    for row in rows.tolist():
        for place, value in zip(row, SCANS[name](m, [parts[each] for each in row]), strict=True):
            cells[place] = cast(value, pattern.dtype)
    return laid(cells, pattern)


def rounded(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The result of numpy's `round`, for so many digits."""
    if not args or len(args) > 2 or keywords.keys() - {"decimals"} or (len(args) == 2 and keywords):
        return DECIDE
    digits = args[1] if len(args) == 2 else keywords.get("decimals", 0)
    if type(digits) is not int:
        return DECIDE
    pattern = Call(twins=True).run(function, args, keywords)
    if args[0].__class__ is not Array:
        return _round_one(m, args[0], digits, pattern.dtype) if isinstance(pattern, np.generic) else DECIDE
    cells: list[Value] = []
    for each, known in zip(elements(args[0]), np.ravel(pattern), strict=True):
        cells.append(_round_one(m, each, digits, pattern.dtype) if is_ideal(each) else known)
    return laid(cells, pattern)


def _round_one(m: Any, value: Value, digits: int, dtype: Any) -> Value:
    if not is_ideal(value):
        raise Refused("internal: a plain number is rounded as noise")
    return cast(domain.then(value, "round", digits), dtype)


def dot(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The product of two rows, one of which is plain."""
    if len(args) != 2 or keywords or any(each.__class__ is not Array or len(each.shape) != 1 for each in args):
        return DECIDE
    pattern = Call(twins=True).run(function, args, keywords)
    pairs = zip(*(elements(each) for each in args), strict=True)
    found = [binary(m, "mul", False, a, b) for a, b in pairs]
    return cast(_sum(m, found), pattern.dtype) if found else DECIDE


def norm(m: Any, function: Any, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """The length of a row of noisy numbers: the root of the sum of their squares."""
    if len(args) != 1 or keywords or args[0].__class__ is not Array or len(args[0].shape) != 1:
        return DECIDE
    pattern = Call(twins=True).run(function, args, keywords)
    total = _sum(m, [binary(m, "mul", False, each, each) for each in elements(args[0])])
    if not is_ideal(total) or pattern.dtype != float:
        return DECIDE
    return opaquely(m, "sqrt", np.sqrt, total)


def followed_on_noise() -> dict[int, Followed]:
    """The rules for functions of numpy and methods of arrays, by the ids of what they are for."""
    found: dict[int, Followed] = {}
    for name in (*FOLDS, *SCANS):
        for owner in (np, np.ndarray):
            if hasattr(owner, name):
                found[id(getattr(owner, name))] = _rule(name)
    for other, name in OTHER_NAMES.items():
        found[id(getattr(np, other))] = _rule(name)
    hosts: tuple[Any, ...] = (np.round, np.around, np.ndarray.round)
    for host in hosts:
        found[id(host)] = rounded
    found[id(np.searchsorted)] = found[id(np.ndarray.searchsorted)] = _searched
    for name, fold in (("var", _variance), ("std", _deviation)):
        for owner in (np, np.ndarray):
            found[id(getattr(owner, name))] = _with_number("ddof", fold, 0)
    found[id(np.quantile)] = _with_number("q", _quantile, None)
    found[id(np.percentile)] = _with_number("q", lambda q: _quantile(q / 100), None)
    found[id(np.linalg.norm)] = norm
    found[id(np.dot)] = found[id(np.ndarray.dot)] = dot
    return found
