"""Evidence for neighbours.py: each relation beside its enumerator on all small inputs, refused predicates.

A twin lists the neighbours of an input by changing it, and tells inputs apart by their repr.
"""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from itertools import permutations, product
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from dpcert import InputError, Neighbours, counts_differ_by_one
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.audit.relations import relation

NAN = float("nan")
ATOMS = [0, 1, -1, True, False, 1.0, 0.0, -0.0, NAN, None, "1", b"1"]


def sequences(elements: list[Any], longest: int) -> list[Any]:
    """All lists and tuples of these elements."""
    found = [x for n in range(longest + 1) for x in product(elements, repeat=n)]
    return [*map(list, found), *found]


RECORDS = sequences([0, 1], 3)
TRAPS = [*ATOMS, *sequences([1, True, NAN], 2), [[1]], [[True]], [[1], []], {"a": 1}, {1}, "11"]
VECTORS = [
    *map(list, product([-1, 0, 1], repeat=3)),
    *sequences([-1, 0, 1, 3], 2),
    *sequences([True, 1.0], 1),
    0,
    1,
    "01",
]


def without_one(x: Any) -> Iterator[Any]:
    if type(x) in (list, tuple):
        yield from (x[:i] + x[i + 1 :] for i in range(len(x)))


def with_another(elements: list[Any]) -> Callable[[Any], Iterator[Any]]:
    def change(x: Any) -> Iterator[Any]:
        if type(x) in (list, tuple):
            for i in range(len(x)):
                yield from (x[:i] + type(x)([new]) + x[i + 1 :] for new in elements)

    return change


def one_step(x: Any) -> Iterator[Any]:
    if is_vector(x):
        for i in range(len(x)):
            yield from (x[:i] + type(x)([x[i] + step]) + x[i + 1 :] for step in (-1, 1))


def steps_everywhere(x: Any) -> Iterator[Any]:
    if is_vector(x):
        for steps in product((-1, 0, 1), repeat=len(x)):
            yield type(x)(entry + step for entry, step in zip(x, steps, strict=True))


def one_moved(x: Any) -> Iterator[Any]:
    if is_vector(x):
        for i, j in permutations(range(len(x)), 2):
            yield type(x)(entry + (place == i) - (place == j) for place, entry in enumerate(x))


def next_counts(x: Any) -> Iterator[Any]:
    if type(x) is int:
        yield from (x - 1, x + 1)


def is_vector(x: Any) -> bool:
    return type(x) in (list, tuple) and {type(entry) for entry in x} <= {int}


def related(enumerator: Callable[[Any], Iterator[Any]], inputs: list[Any]) -> set[tuple[str, str]]:
    """The pairs of which one is enumerated from the other, both orders, without equal ones."""
    names = {repr(x) for x in inputs}
    found = {(repr(x), repr(y)) for x in inputs for y in enumerator(x)}
    return {(a, b) for a, b in found | {(b, a) for a, b in found} if a != b and {a, b} <= names}


def holding(name: str, inputs: list[Any]) -> set[tuple[str, str]]:
    neighbours, named = RELATIONS[name], [(repr(x), x) for x in inputs]
    return {(left, right) for left, a in named for right, b in named if neighbours(a, b)}


@pytest.mark.parametrize(
    ("name", "enumerator", "inputs"),
    [
        ("add-remove", without_one, RECORDS),
        ("add-remove", without_one, TRAPS),
        ("substitute", with_another([0, 1]), RECORDS),
        ("substitute", with_another([1, True, 1.0, NAN, [1], [True], []]), TRAPS),
        ("replace-user", with_another([0, 1]), RECORDS),
        ("replace-user", with_another([1, True, 1.0, NAN, [1], [True], []]), TRAPS),
        ("counts_differ_by_one", next_counts, [*range(-4, 5), *TRAPS]),
        ("any", lambda x: iter(TRAPS), TRAPS),
        ("l1", one_step, VECTORS),
        ("linf", steps_everywhere, VECTORS),
        ("move", one_moved, VECTORS),
    ],
)
def test_exact_twin_is_the_enumerator(name: str, enumerator: Callable[[Any], Iterator[Any]], inputs: list[Any]) -> None:
    expected = related(enumerator, inputs)
    assert expected
    assert holding(name, inputs) == expected


def test_exact_twin_of_sorted_l1_is_the_nearest_of_all_reorderings() -> None:
    def distance(a: Any, b: Any) -> int:
        longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
        padded = [*shorter, *[0] * (len(longer) - len(shorter))]
        orders = permutations(padded)
        return min(sum(abs(x - y) for x, y in zip(longer, order, strict=True)) for order in orders)

    vectors = [x for x in VECTORS if is_vector(x)]
    assert holding("sorted-l1", VECTORS) == {
        (repr(a), repr(b)) for a in vectors for b in vectors if type(a) is type(b) and distance(a, b) == 1
    }


@pytest.mark.parametrize("name", [name for name in RELATIONS if name not in ("any", "program")])
def test_exact_twin_of_arrays_is_lists(name: str) -> None:
    lists = [*map(list, product([-1, 0, 1], repeat=2)), [], [0], [1], [2], [0, 3], [1, 1, 1]]
    arrays = [np.array(x, "int64") for x in lists]
    neighbours = RELATIONS[name]
    expected = [(i, j) for i, a in enumerate(lists) for j, b in enumerate(lists) if neighbours(a, b)]
    assert [(i, j) for i, a in enumerate(arrays) for j, b in enumerate(arrays) if neighbours(a, b)] == expected
    assert bool(expected) == (name != "counts_differ_by_one")
    assert not any(neighbours(a, b) for a in lists for b in arrays)


@pytest.mark.parametrize("name", ["l1", "linf", "move"])
def test_exact_twin_of_histograms_is_vectors(name: str) -> None:
    vectors = [list(x) for x in product([0, 1, 2], repeat=3)]
    names = [True, 1.5, NAN]
    dense = [dict(zip(names, x, strict=True)) for x in vectors]
    sparse = [{label: count for label, count in x.items() if count} for x in dense]
    neighbours = RELATIONS[name]
    expected = {(i, j) for i, a in enumerate(vectors) for j, b in enumerate(vectors) if neighbours(a, b)}
    assert expected
    for one, other in product([dense, sparse], repeat=2):
        assert {(i, j) for i, a in enumerate(one) for j, b in enumerate(other) if neighbours(a, b)} == expected


def test_rows_of_a_table_are_its_records() -> None:
    table, fewer, other = (np.array(rows) for rows in ([[1, 2], [3, 4]], [[1, 2]], [[1, 2], [4, 4]]))
    assert RELATIONS["add-remove"](table, fewer)
    assert RELATIONS["substitute"](table, other)
    assert not RELATIONS["substitute"](table, fewer)
    assert not RELATIONS["l1"](table, other)
    assert not RELATIONS["sorted-l1"](table, other)
    rows = [{"age": 30}, {"age": 40}]
    assert RELATIONS["add-remove"](rows, rows[:1])
    assert RELATIONS["substitute"](rows, [rows[0], {"age": 41}])


@pytest.mark.parametrize("one", [3, np.int64(3), np.uint8(3), np.array(3)])
@pytest.mark.parametrize("next_one", [4, np.int32(4), np.uint8(4), np.array(4, "uint64")])
def test_integers_of_numpy_are_counts(one: Any, next_one: Any) -> None:
    assert counts_differ_by_one(one, next_one)
    assert counts_differ_by_one(next_one, one)
    assert RELATIONS["l1"]([one], [next_one])
    assert RELATIONS["sorted-l1"]((next_one,), (one,))
    assert not counts_differ_by_one(one, 3)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.uint8(0), np.uint8(255)),
        (np.float64(3), np.float64(4)),
        (np.True_, np.False_),
        (np.datetime64(3, "ns"), np.datetime64(4, "ns")),
        (np.timedelta64(3, "ns"), np.timedelta64(4, "ns")),
        (np.array([3]), np.array([4])),
    ],
)
def test_other_numbers_of_numpy_are_no_counts(a: Any, b: Any) -> None:
    assert not counts_differ_by_one(a, b)


@pytest.mark.parametrize("dtype", ["bool", "float64", "datetime64[ns]", "timedelta64[ns]"])
@pytest.mark.parametrize("name", ["l1", "linf", "move", "sorted-l1"])
def test_arrays_of_other_numbers_are_no_integer_vectors(dtype: str, name: str) -> None:
    a, b, c = (np.array(x).astype(dtype) for x in ([0, 1], [0, 0], [1, 0]))
    assert not RELATIONS[name](a, b)
    assert not RELATIONS[name](a, c)


def test_an_array_without_entries_is_no_list() -> None:
    for name in ("add-remove", "substitute", "l1", "sorted-l1"):
        assert not RELATIONS[name](np.array(3), np.array(4))
        assert not RELATIONS[name](np.array([3]), np.array(4))


def test_two_programs_share_an_input_and_nothing_else_does() -> None:
    values = [("old", 1), ("new", 1), ("new", True), ("new", (1,)), ("old", (1,)), ["old", 1], ("old", 1, 1), 1]
    found = {(repr(a), repr(b)) for a in values for b in values if RELATIONS["program"](a, b)}
    one = {("('old', 1)", "('new', 1)"), ("('old', (1,))", "('new', (1,))")}
    assert found == one | {(b, a) for a, b in one}


@pytest.mark.parametrize("name", RELATIONS)
def test_every_relation_is_symmetric_and_irreflexive(name: str) -> None:
    held = holding(name, TRAPS)
    assert held == {(b, a) for a, b in held}
    assert not {(a, b) for a, b in held if a == b}


def test_relations_have_one_name_and_words_and_cannot_be_changed() -> None:
    words = {
        "add-remove": "lists one of which is the other without one element",
        "substitute": "lists of one length that differ in one element",
        "counts_differ_by_one": "counts that differ by one",
        "any": "any two inputs",
        "l1": "integer vectors of which one entry differs, by one",
        "linf": "integer vectors whose entries differ by at most one",
        "move": "integer vectors of which one unit is in another entry",
        "sorted-l1": "lists of counts at distance one once both are sorted",
        "replace-user": "lists of users of whom one has another record",
        "program": "one input that either program reads",
    }
    assert {found.name: found.words for found in RELATIONS.values()} == words
    assert list(RELATIONS) == list(words)
    assert RELATIONS["counts_differ_by_one"] is counts_differ_by_one
    assert type(RELATIONS) is MappingProxyType
    element: Any = counts_differ_by_one
    with pytest.raises(FrozenInstanceError):
        element.words = "any two inputs"
    assert not hasattr(element, "__dict__")


def test_a_predicate_that_holds_in_one_order_relates_both() -> None:
    asked = []

    def follows(a: int, b: int) -> bool:
        asked.append((a, b))
        return b == a + 1

    neighbours = custom(follows)
    assert neighbours(1, 2)
    assert neighbours(2, 1)
    assert not neighbours(1, 3)
    assert asked == [(1, 2), (2, 1), (1, 2), (1, 3), (3, 1)]


def test_equal_inputs_are_never_neighbours_and_unlike_ones_may_be() -> None:
    always = custom(lambda a, b: True)
    assert not always([1], [1])
    assert not always(NAN, NAN)
    assert always(1, True)
    assert always(1, 1.0)
    assert always(0.0, -0.0)


def test_a_predicate_is_given_copies() -> None:
    def clears(a: list[int], b: list[int]) -> bool:
        a.clear()
        b.clear()
        return True

    x, y = [1], [2]
    assert custom(clears)(x, y)
    assert (x, y) == ([1], [2])


def test_refused_predicate_that_raises() -> None:
    with pytest.raises(InputError) as caught:
        custom(lambda a, b: a // 0)(3, [4])
    raised = "raised ZeroDivisionError: integer division or modulo by zero"
    name = "custom:test_refused_predicate_that_raises.<locals>.<lambda>"
    assert str(caught.value) == f"neighbours {name!r} {raised}: an answer for 3, [4]; mend it"


@pytest.mark.parametrize("answer", [1, 0, None, "yes", [], np.True_, np.False_, NotImplemented])
def test_refused_predicate_that_answers_something_else(answer: object) -> None:
    with pytest.raises(InputError) as caught:
        custom(lambda a, b: answer)(0, 1)
    name = "custom:test_refused_predicate_that_answers_something_else.<locals>.<lambda>"
    said = f"neighbours {name!r} answered {type(answer).__name__}"
    assert str(caught.value) == f"{said}: True or False; wrap its result in bool(...)"


def test_an_interrupt_in_a_predicate_is_not_swallowed() -> None:
    def interrupted(a: object, b: object) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        custom(interrupted)(0, 1)


def test_relation_takes_a_name_a_relation_or_a_predicate() -> None:
    class Near:
        def __call__(self, a: int, b: int) -> bool:
            return abs(a - b) < 3

    assert relation("l1") is RELATIONS["l1"]
    mine = Neighbours("mine", max, "mine")
    assert relation(mine) is mine
    near = Near()
    assert relation(near) == custom(near)
    assert relation(max).name == "custom:max"
    assert relation(max).words == "inputs that max relates"
    assert relation(near).name.endswith(".Near")


@pytest.mark.parametrize("value", ["", "L1", "l1 ", "elements", "mine", None, 1, ("l1",), ["l1"], {}])
def test_refused_relation(value: object) -> None:
    with pytest.raises(InputError) as caught:
        relation(value)
    assert caught.value.given == f"neighbours {value!r}"
    assert caught.value.needed == "one of " + ", ".join(RELATIONS)
    assert caught.value.remedy == "name one or pass a predicate"


def test_two_programs_are_near_on_one_input_they_both_read() -> None:
    near = RELATIONS["program"]
    assert all(near((0, "x"), other) and near(other, (0, "x")) for other in [(1, "x"), ("x", "x")])
    assert not any(near((0, "x"), other) for other in [(0, "x"), (1, "y"), (1, "x", 2), [1, "x"], "x"])
