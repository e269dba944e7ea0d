"""Inputs by name: all databases, histograms, vectors, tables or users up to a size, and examples of a strategy.

Each function returns a list of plain values. A claim counts and names them, and a verdict is about them alone.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from itertools import chain, combinations_with_replacement, islice, product
from math import comb, prod
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.forms import distinct

MOST = 20_000
"""The most inputs: the relation is asked about each two of them."""
FEWER = "take a smaller size, or fewer values: each two inputs are asked whether they are neighbours"


def counts(up_to: int) -> list[int]:
    """Return the counts 0 to `up_to`; neighbours are those of "counts-differ-by-one"."""
    return _all(range(_size(up_to, "up_to") + 1))


def vectors(length: int, values: Iterable[Any]) -> list[list[Any]]:
    """Return all lists of this length with entries among `values`; for "l1", "linf" or "move".

    >>> vectors(2, [0, 1])
    [[0, 0], [0, 1], [1, 0], [1, 1]]

    Raises: InputError for a size that is no whole number from 0 on, and beyond MOST inputs; so do all functions here.
    """
    kinds, most = _distinct(values), _size(length, "length")
    _need_few(len(kinds) ** most)
    return _all(map(list, product(kinds, repeat=most)))


def databases(records: Iterable[Any], *, up_to: int) -> list[list[Any]]:
    """Return all lists of up to so many of these records, in every order; for "add-remove" or "substitute".

    >>> databases("ab", up_to=2)
    [[], ['a'], ['b'], ['a', 'a'], ['a', 'b'], ['b', 'a'], ['b', 'b']]
    """
    kinds, most = _distinct(records), _size(up_to, "up_to")
    _need_few(max(most + 1 if kinds else 1, len(kinds) ** most))
    return _all(list(rows) for size in range(most + 1) for rows in product(kinds, repeat=size))


def tables(columns: Mapping[str, Iterable[Any]], *, up_to: int) -> list[list[dict[str, Any]]]:
    """Return all tables of up to so many rows, each a dict with one of the values of each column.

    For "add-remove" or "substitute"; where a user may have several rows, for `dpcert.one_user`.

    >>> tables({"age": [30, 40]}, up_to=1)
    [[], [{'age': 30}], [{'age': 40}]]
    """
    each = [_distinct(values) for values in columns.values()]
    _need_few(prod(map(len, each)))
    rows = [dict(zip(columns, values, strict=True)) for values in product(*each)]
    return databases(rows, up_to=up_to)


def histograms(keys: Iterable[Any], *, up_to: int) -> list[dict[Any, int]]:
    """Return the histograms of all databases of up to so many records with these keys: dicts with counts above 0.

    For "l1", where a neighbour has one record more or fewer, or "move", where one record has another key.

    >>> histograms("ab", up_to=1)
    [{}, {'a': 1}, {'b': 1}]
    """
    names, most = _distinct(keys), _size(up_to, "up_to")
    _need_few(comb(len(names) + most, most))

    def each() -> Iterator[dict[Any, int]]:
        for size in range(most + 1):
            for places in combinations_with_replacement(range(len(names)), size):
                yield {names[place]: places.count(place) for place in sorted(set(places))}

    return _all(each())


def users(items: Iterable[Any], *, up_to: int, each: int) -> list[list[list[Any]]]:
    """Return all lists of up to so many users, each a list of up to `each` items; for "add-remove" or "replace-user".

    >>> users("a", up_to=1, each=2)
    [[], [[]], [['a']], [['a', 'a']]]
    """
    return databases(databases(items, up_to=each), up_to=up_to)


def without_one(values: list[Any]) -> list[list[Any]]:
    """Return all shorter neighbours of a list by "add-remove": each leaves out one element.

    >>> without_one([1, 2])
    [[2], [1]]
    """
    return [values[:place] + values[place + 1 :] for place in range(len(values))]


def examples(strategy: object, n: int, *, near: Callable[[Any], Iterable[Any]] | None = None) -> list[Any]:
    """Return up to n different examples of a Hypothesis strategy, alike in each run, and what `near` yields for each.

    A strategy has no end, so the examples are a sample. A claim about them says their number, and nothing of other
    inputs. With near=dpcert.without_one, each example that is a list has its shorter neighbours by "add-remove".

    Raises: InputError for what is no strategy, and for an n below 1.
    """
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis.strategies import SearchStrategy

    if not isinstance(strategy, SearchStrategy):
        named = f"examples of a {type(strategy).__name__}"
        raise InputError(given=named, needed="a Hypothesis strategy", remedy="write examples(st.lists(...), 50)")
    most, drawn = _size(n, "n", least=1), []

    @settings(
        max_examples=most,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        drawn.append(value)

    collect()
    return _all(value for example in drawn for value in chain([example], near(example) if near else ()))


def held(values: Iterable[Any], *, most: int, noun: str, remedy: str) -> list[Any]:
    """Return the values in a list. A collection that knows its length is refused by it, before any value is made.

    Raises: InputError beyond `most` of them.
    """
    listed: list[Any] = []
    try:
        number = len(values) if isinstance(values, Sized) else None
    except OverflowError:  # a length that no list has
        number = sys.maxsize
    if number is None or number <= most:
        listed.extend(islice(values, most + 1))
        number = len(listed)
    if number > most:
        exactly = isinstance(values, Sized) and number < sys.maxsize
        given = f"{number if exactly else f'more than {most}'} {noun}"
        raise InputError(given=given, needed=f"at most {most}", remedy=remedy)
    return listed


def _all(values: Iterable[Any]) -> list[Any]:
    """Return the values in a list, equal ones once.

    Raises: InputError beyond MOST of them.
    """
    return list(distinct(held(values, most=MOST, noun="inputs", remedy=FEWER)))


def _need_few(number: int) -> None:
    """Return if a list may have this number of inputs.

    Raises: InputError beyond MOST of them, before any is made.
    """
    held(range(min(number, sys.maxsize)), most=MOST, noun="inputs", remedy=FEWER)


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    return distinct(_all(values))


def _size(value: object, name: str, *, least: int = 0) -> int:
    if type(value) is not int or value < least:
        needed = f"a whole number from {least} on"
        raise InputError(given=f"{name} = {value!r}", needed=needed, remedy=f"write {name}={max(least, 3)}")
    if value > MOST:
        raise InputError(given=f"{name} = {value}", needed=f"at most {MOST} inputs", remedy=FEWER)
    return value
