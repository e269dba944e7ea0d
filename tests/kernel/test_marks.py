"""Evidence for the marks of neighbours.py, by which pairs are found: they are the pairs of the predicate, and few."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.mechanisms.exact.outcome import key

from .claims import PLAIN
from .test_neighbours import NAN, TRAPS, VECTORS, sequences

HISTOGRAMS = [
    {name: count for name, count in zip("ab", counts, strict=True) if count or counts[0] > 0}
    for counts in product([-2, -1, 0, 1, 2], repeat=2)
]
MIXED = [
    *TRAPS,
    *VECTORS,
    *sequences([0, 1, 2], 3),
    *HISTOGRAMS,
    *({True: 1, NAN: count, 1.5: np.int64(2)} for count in (0, 1, 2)),
    *({"b": 1, "a": np.uint8(count)} for count in (0, 1, 2, 255)),
    {"a": 1.0},
    *map(np.array, ([], [0], [1], [0, 1], [1, 1], [[0, 1]], [[0, 1], [1, 1]], [True], [0.5], 3, 4)),
    *(kind(n) for kind in (np.int64, np.uint8, np.float64) for n in (0, 1, 255)),
    [np.int64(0), 1],
    [0, 2, np.int8(-1)],
    [[0, 1]],
    [{"a": 1}],
    [{"a": 2}],
]


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", RELATIONS)
def test_exact_twin_pairs_by_marks_are_those_of_the_predicate(name: str, step: int) -> None:
    inputs = [*{key(value): value for value in reversed(MIXED)}.values()][::-step]
    related = RELATIONS[name]
    both = combinations(range(len(inputs)), 2)
    expected = {(i, j) for i, j in both if related(inputs[i], inputs[j])}
    found = list(Claim("m", (), tuple(inputs), related, PLAIN).pairs())
    assert len(expected) > 10 // step**2
    assert found == [pair for i, j in sorted(expected, key=lambda pair: pair[::-1]) for pair in ((i, j), (j, i))]


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("counts_differ_by_one", [*range(400)]),
        ("l1", [list(x) for x in product(range(8), repeat=3)]),
        ("l1", [{"a": x, "b": y, "c": z} for x, y, z in product(range(8), repeat=3)]),
        ("linf", [list(x) for x in product(range(8), repeat=3)]),
        ("move", [list(x) for x in product(range(8), repeat=3)]),
        ("move", [{"a": x, "b": y, "c": z} for x, y, z in product(range(8), repeat=3)]),
        ("move", [list(x) for x in product(range(-3, 4), repeat=3)]),
        ("sorted-l1", [sorted(x) for x in product(range(8), repeat=4) if list(x) == sorted(x)]),
        ("add-remove", sequences(["a", "b"], 7)),
        ("substitute", [list(x) for x in product("abc", repeat=5)]),
        ("replace-user", [list(x) for x in product("abc", repeat=5)]),
        ("program", [*product("ab", range(40))]),
    ],
)
def test_few_are_asked_about_that_are_no_neighbours(name: str, inputs: list[Any]) -> None:
    """Of two inputs that share a mark, one in eleven are neighbours or more; one in seven of all share one or fewer."""
    marked: dict[int, list[int]] = {}
    marks = RELATIONS[name].marks
    assert marks is not None
    for position, value in enumerate(inputs):
        for mark in marks(value):
            marked.setdefault(mark, []).append(position)
    asked = {pair for positions in marked.values() for pair in combinations(positions, 2)}
    assert 0 < len(asked) <= 11 * sum(RELATIONS[name](inputs[i], inputs[j]) for i, j in asked)
    assert 7 * len(asked) <= len(inputs) * (len(inputs) - 1) // 2


def test_wide_vectors_are_found_by_their_first_entries() -> None:
    """Neighbours by `linf` differ in all of 30 entries; those that share the first eight are asked about as well."""
    rows = [[level] * 30 for level in range(-3, 4)]
    near = RELATIONS["linf"]
    found = list(Claim("m", (), (*rows, [0] * 29 + [5], [0] * 29 + [4]), near, PLAIN).pairs())
    steps = [(place, place + 1) for place in range(6)]
    assert found == [pair for i, j in (*steps, (7, 8)) for pair in ((i, j), (j, i))]


def test_a_predicate_with_marks_is_asked_about_those_that_share_one_and_the_claim_says_so() -> None:
    asked = []

    def near(a: int, b: int) -> bool:
        asked.append((a, b))
        return abs(a - b) <= 1

    plain = Claim("m", (), tuple(range(60)), custom(near), PLAIN)
    assert plain.neighbours.words == f"inputs that {near.__qualname__} relates"
    expected, each = list(plain.pairs()), len(asked)
    near.__dict__["marks"] = lambda a: (a, a + 1)
    marked = Claim("m", (), tuple(range(60)), custom(near), PLAIN)
    asked.clear()
    assert list(marked.pairs()) == expected
    assert 20 * len(asked) < each
    assert marked.neighbours.words.endswith("relates, among those that share one of its marks")
    near.__dict__["marks"] = lambda a: [a % 2]
    assert not list(Claim("m", (), tuple(range(60)), custom(near), PLAIN).pairs())
