"""Inputs by name: all databases, histograms, vectors, tables or users up to a size, and examples of a strategy.

Each returns a list of plain values, which a claim then counts and names. What is verified is verified for these.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from itertools import chain, combinations_with_replacement, islice, product
from math import comb, prod
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.forms import distinct

MOST = 20_000
"""The most inputs: each two are asked whether they are neighbours."""
FEWER = "take a smaller size, or fewer values: each two inputs are asked whether they are neighbours"


def counts(up_to: int) -> list[int]:
    """Return the counts 0 to `up_to`; neighbours are those of "counts-differ-by-one"."""
    return _all(range(_size(up_to, "up_to") + 1))


def vectors(length: int, values: Iterable[Any]) -> list[list[Any]]:
    """Return all lists of this length with entries among `values`; for "l1", "linf" or "move".

    >>> vectors(2, [0, 1])
    [[0, 0], [0, 1], [1, 0], [1, 1]]

    Raises: InputError as all functions here, for a size that is no whole number from 0 on, and beyond MOST inputs.
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

    Neighbours as of `databases`; where a user may have several rows, those of `dpcert.one_user`.

    >>> tables({"age": [30, 40]}, up_to=1)
    [[], [{'age': 30}], [{'age': 40}]]
    """
    each = [_distinct(values) for values in columns.values()]
    _need_few(prod(map(len, each)))
    rows = [dict(zip(columns, values, strict=True)) for values in product(*each)]
    return databases(rows, up_to=up_to)


def histograms(keys: Iterable[Any], *, up_to: int) -> list[dict[Any, int]]:
    """Return the histograms of all databases of up to so many records with these keys: dicts with counts above 0.

    Neighbours are those of "l1", where a record comes or goes, or of "move", where it has another key.

    >>> histograms("ab", up_to=1)
    [{}, {'a': 1}, {'b': 1}]
    """
    names, most = _distinct(keys), _size(up_to, "up_to")
    _need_few(comb(len(names) + most, most))

    def found() -> Iterator[dict[Any, int]]:
        for size in range(most + 1):
            for places in combinations_with_replacement(range(len(names)), size):
                yield {names[place]: places.count(place) for place in sorted(set(places))}

    return _all(found())


def users(items: Iterable[Any], *, up_to: int, each: int) -> list[list[list[Any]]]:
    """Return all lists of up to so many users, each a list of up to `each` items; for "add-remove" or "replace-user".

    >>> users("a", up_to=1, each=2)
    [[], [[]], [['a']], [['a', 'a']]]
    """
    return databases(databases(items, up_to=each), up_to=up_to)


def without_one(values: list[Any]) -> list[list[Any]]:
    """Return a list without each of its elements in turn: the neighbours by "add-remove" that are shorter.

    >>> without_one([1, 2])
    [[2], [1]]
    """
    return [values[:place] + values[place + 1 :] for place in range(len(values))]


def examples(strategy: object, n: int, *, near: Callable[[Any], Iterable[Any]] | None = None) -> list[Any]:
    """Return up to n different examples of a Hypothesis strategy, always the same, and what `near` yields for each.

    A strategy has no end, and these are a sample of it: a claim about them names how many there are, and says nothing
    about others. With near=dpcert.without_one each list of them has its neighbours by "add-remove".

    Raises: InputError for what is no strategy, and for an n below 1.
    """
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis.strategies import SearchStrategy

    if not isinstance(strategy, SearchStrategy):
        named = f"examples of a {type(strategy).__name__}"
        raise InputError(given=named, needed="a Hypothesis strategy", remedy="write examples(st.lists(...), 50)")
    most, found = _size(n, "n", least=1), []

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
        found.append(value)

    collect()
    return _all(value for example in found for value in chain([example], near(example) if near else ()))


def held(values: Iterable[Any], *, most: int, noun: str, remedy: str) -> list[Any]:
    """Return the values in a list: at most so many. What knows its length is refused by that, before any is made.

    Raises: InputError beyond `most` of them.
    """
    found: list[Any] = []
    try:
        number = len(values) if isinstance(values, Sized) else None
    except OverflowError:  # a length that no list has
        number = sys.maxsize
    if number is None or number <= most:
        found.extend(islice(values, most + 1))
        number = len(found)
    if number > most:
        exactly = isinstance(values, Sized) and number < sys.maxsize
        given = f"{number if exactly else f'more than {most}'} {noun}"
        raise InputError(given=given, needed=f"at most {most}", remedy=remedy)
    return found


def _all(values: Iterable[Any]) -> list[Any]:
    """Return the values in a list, equal ones once.

    Raises: InputError beyond MOST of them.
    """
    return list(distinct(held(values, most=MOST, noun="inputs", remedy=FEWER)))


def _need_few(number: int) -> None:
    """Return if inputs of this number, or of more, can be listed.

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
