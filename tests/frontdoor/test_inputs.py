"""Inputs by name, relations of tables, and sensitivities: each beside the same thing written out by hand."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import dpcert
from dpcert import Claim, one_user
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.audit.relations import relation
from dpcert.mechanisms.exact.outcome import key
from dpcert.planning.question import Budget
from dpcert.targets import inputs
from dpcert.targets.options import relation_named


def test_inputs_equal_those_written_by_hand() -> None:
    assert dpcert.counts(3) == [0, 1, 2, 3]
    assert dpcert.vectors(2, [5, 7]) == [[5, 5], [5, 7], [7, 5], [7, 7]]
    assert dpcert.vectors(0, [1]) == [[]]
    assert dpcert.databases([1, 1, 2], up_to=1) == [[], [1], [2]]
    assert dpcert.users("a", up_to=1, each=1) == [[], [[]], [["a"]]]
    rows = [{"age": age, "ill": ill} for age, ill in product([30, 40], [False, True])]
    assert dpcert.tables({"age": [30, 40], "ill": [False, True]}, up_to=2) == [
        [],
        *([row] for row in rows),
        *([one, two] for one in rows for two in rows),
    ]


def test_histograms_are_those_of_all_databases() -> None:
    found = dpcert.histograms("abc", up_to=3)
    expected = {tuple(sorted(Counter(rows).items())) for rows in dpcert.databases("abc", up_to=3)}
    assert {tuple(sorted(x.items())) for x in found} == expected
    assert len(found) == len(expected)
    assert all(count > 0 for x in found for count in x.values())


@pytest.mark.parametrize(
    ("inputs", "name"),
    [
        (dpcert.counts(3), "counts_differ_by_one"),
        (dpcert.databases([0, 1], up_to=2), "add-remove"),
        (dpcert.databases([0, 1], up_to=2), "substitute"),
        (dpcert.histograms("ab", up_to=2), "l1"),
        (dpcert.histograms("ab", up_to=2), "move"),
        (dpcert.vectors(2, [0, 1]), "linf"),
        (dpcert.tables({"age": [30, 40]}, up_to=2), "add-remove"),
        (dpcert.users("a", up_to=2, each=1), "replace-user"),
    ],
)
def test_inputs_by_name_have_neighbours(inputs: list[Any], name: str) -> None:
    paired = {i for i, a in enumerate(inputs) for b in inputs if RELATIONS[name](a, b)}
    assert paired
    if name not in ("substitute", "replace-user", "move"):  # an empty input has nothing to replace
        assert paired == set(range(len(inputs)))


@pytest.mark.parametrize("size", [-1, 2.0, True, "3", None])
def test_refused_sizes(size: Any) -> None:
    for make in (dpcert.counts, lambda n: dpcert.databases([1], up_to=n), lambda n: dpcert.vectors(n, [1])):
        with pytest.raises(dpcert.InputError, match="a whole number from 0 on"):
            make(size)


def test_refused_inputs_without_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MOST", 10)
    with pytest.raises(dpcert.InputError, match="125 inputs: at most 10"):
        dpcert.databases(range(5), up_to=3)
    assert len(dpcert.counts(9)) == 10


class Sized(Sequence[int]):
    """A sequence that is long, and whose elements must not be looked at."""

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, place: Any) -> Any:
        raise AssertionError("made")


def targeted(values: Any, **params: Any) -> Any:
    return dpcert.target(guarantee=dpcert.PureDP(1), inputs=values, neighbours="any", params=params)


@pytest.mark.parametrize(
    ("values", "given"),
    [
        (range(10**9), "1000000000 values of inputs"),
        (Sized(), "1000000000 values of inputs"),
        (range(10**30), "more than 1000000 values of inputs"),
        (np.broadcast_to(np.int64(3), 10**9), "1000000000 values of inputs"),
        (product(range(1000), repeat=3), "more than 1000000 values of inputs"),
        (count(), "more than 1000000 values of inputs"),
        ((str(n) for n in count()), "more than 1000000 values of inputs"),
    ],
)
def test_refused_inputs_beyond_the_limit(values: Any, given: str) -> None:
    """Those that know their length are refused by it, and of those without end one is made beyond the limit."""
    with pytest.raises(dpcert.InputError, match=f"^{given}: at most 1000000; name fewer"):
        targeted(values)


def test_refused_parameters_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.targets.target.MOST", 4)
    with pytest.raises(dpcert.InputError, match=r"^5 values of params\['k'\]: at most 4; name fewer"):
        targeted([1, 2, 3, 4], k=range(5))
    values = count()
    with pytest.raises(dpcert.InputError, match="more than 4 values of inputs"):
        targeted(values)
    assert next(values) == 5
    assert targeted(iter([1, 2, 3, 4]), k=range(4))(lambda x, coins, k: 0).inputs == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (lambda: dpcert.counts(10**9), "up_to = 1000000000: at most 20000 inputs"),
        (lambda: dpcert.vectors(10**9, [0, 1]), "length = 1000000000: at most 20000 inputs"),
        (lambda: dpcert.vectors(9, range(100)), "1000000000000000000 inputs: at most 20000"),
        (lambda: dpcert.vectors(19_999, range(100)), "more than 20000 inputs: at most 20000"),
        (lambda: dpcert.vectors(2, range(10**9)), "1000000000 inputs: at most 20000"),
        (lambda: dpcert.databases("ab", up_to=20_000), "more than 20000 inputs: at most 20000"),
        (lambda: dpcert.databases("a", up_to=20_000), "20001 inputs: at most 20000"),
        (lambda: dpcert.histograms("abc", up_to=19_000), "1143527701501 inputs: at most 20000"),
        (lambda: dpcert.tables({str(i): range(100) for i in range(9)}, up_to=1), "1000000000000000000 inputs"),
        (lambda: dpcert.examples(st.integers(), 10**9), "n = 1000000000: at most 20000 inputs"),
        (lambda: dpcert.examples(st.just(1), 1, near=lambda _: count()), "more than 20000 inputs: at most 20000"),
    ],
)
def test_refused_sizes_beyond_the_limit_before_any_is_made(make: Callable[[], Any], given: str) -> None:
    with pytest.raises(dpcert.InputError, match=f"^{given}"):
        make()


def test_refused_inputs_have_one_line_and_status_2(tmp_path: Path, inside: Any, workers_inside: None) -> None:
    (tmp_path / "long.py").write_text(
        "import dpcert\n@dpcert.target(guarantee=dpcert.PureDP(1), inputs=range(10**9), neighbours='any')\n"
        "def f(x, coins):\n    return 0\n"
    )
    done = inside("audit", tmp_path / "long.py")
    assert done.status == 2
    assert done.err.strip().endswith(
        "1000000000 values of inputs; needed: at most 1000000; name fewer: each is run, and lies in memory"
    )
    assert done.err.count("\n") == 1


def test_examples_are_a_fixed_sample_with_its_neighbours() -> None:
    strategy = st.lists(st.integers(0, 2), max_size=3)
    found = dpcert.examples(strategy, 20, near=dpcert.without_one)
    assert found == dpcert.examples(strategy, 20, near=dpcert.without_one)
    assert 2 <= len(dpcert.examples(strategy, 20)) <= 20
    names = {key(x) for x in found}
    assert len(names) == len(found)
    drawn = dpcert.examples(strategy, 20)
    assert all(key(shorter) in names for x in drawn for shorter in dpcert.without_one(x))
    with pytest.raises(dpcert.InputError, match="a Hypothesis strategy"):
        dpcert.examples([[1]], 3)
    with pytest.raises(dpcert.InputError, match="a whole number from 1 on"):
        dpcert.examples(strategy, 0)


def test_refused_strategy_as_inputs() -> None:
    with pytest.raises(dpcert.InputError, match=r"write inputs=dpcert\.examples"):
        dpcert.target(guarantee=dpcert.PureDP(1), inputs=st.integers(), neighbours="any")


ROWS = [("ann", 1), ("bob", 1), ("ann", 2)]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (ROWS, [("bob", 1)], True),
        (ROWS, [("ann", 1), ("ann", 2)], True),
        (ROWS, [("ann", 1), ("bob", 1)], False),
        (ROWS, [], False),
        ([("ann", 1)], [], True),
        ([], [], False),
        (ROWS, (("bob", 1),), False),
        ([(1, "x"), (True, "y")], [(True, "y")], True),
    ],
)
def test_a_user_has_all_rows_with_its_name(a: Any, b: Any, expected: bool) -> None:
    relation = dpcert.target(guarantee=dpcert.PureDP(1), inputs=[a], neighbours=one_user(0))(release).neighbours
    assert relation.name == "custom:one_user(0)"
    assert relation(a, b) is relation(b, a) is expected
    by_name = one_user("who")
    named = [[{"who": who, "n": n} for who, n in rows] for rows in (a, b)]
    if type(a) is type(b) is list:
        assert by_name(*named) is expected


def test_exact_twin_the_marks_of_one_user_find_all_pairs() -> None:
    tables = dpcert.tables({"who": ["ann", "bob"], "n": [1, 2]}, up_to=3)
    related = one_user("who")
    claim = Claim("m", (), (*tables, (), 3), custom(related), dpcert.PureDP(1))
    both = [(i, j) for j, b in enumerate(claim.inputs) for i, a in enumerate(claim.inputs[:j]) if related(a, b)]
    assert list(claim.pairs()) == [pair for i, j in both for pair in ((i, j), (j, i))]
    assert len(both) > 100


def release(value: Any, coins: Any) -> int:
    return int(coins.below(2))


@pytest.mark.parametrize(
    ("query", "inputs", "neighbours", "norm", "value", "pair"),
    [
        (len, dpcert.databases([0, 1], up_to=2), "add-remove", "l1", 1, ([], [0])),
        (sum, dpcert.databases([0, 1, 7], up_to=2), "add-remove", "l1", 7, ([], [7])),
        (Counter, dpcert.databases("ab", up_to=2), "substitute", "l1", 2, (["a"], ["b"])),
        (Counter, dpcert.databases("ab", up_to=2), "substitute", "linf", 1, (["a"], ["b"])),
        (lambda x: [2 * n for n in x], dpcert.vectors(2, [0, 1]), "linf", "l1", 4, ([0, 1], [1, 0])),
        (lambda x: np.array(x) / 4, dpcert.vectors(2, [0, 1]), "linf", "linf", Fraction(1, 4), ([0, 0], [0, 1])),
        (lambda x: sum(x) / len(x) if x else 0, [[], [0.1], [0.1, 0.1, 0.1]], "add-remove", "l1", Fraction(0.1), None),
        (lambda n: Fraction(n, 3), range(5), dpcert.counts_differ_by_one, "l1", Fraction(1, 3), (0, 1)),
    ],
)
def test_the_sensitivity_is_the_greatest_change(
    query: Any, inputs: Any, neighbours: Any, norm: str, value: Any, pair: Any
) -> None:
    found = dpcert.sensitivity(query, inputs, neighbours, norm=norm)
    assert found.value == value
    assert pair is None or (found.a, found.b) == pair
    assert found.pairs > 0


@pytest.mark.parametrize(
    ("query", "inputs", "words"),
    [
        (str, [0, 1], "a number, or a list"),
        (lambda n: float("inf"), [0, 1], "a number, or a list"),
        (lambda n: [0] * n, [0, 1], "answers of different lengths"),
        (abs, [0, 2], "no two of which are counts that differ by one"),
    ],
)
def test_refused_queries(query: Any, inputs: Any, words: str) -> None:
    with pytest.raises(dpcert.InputError, match=words):
        dpcert.sensitivity(query, inputs, "counts_differ_by_one")
    with pytest.raises(dpcert.InputError, match="'l1' or 'linf'"):
        dpcert.sensitivity(abs, [0, 1], "counts_differ_by_one", norm="l2")


def test_inputs_in_no_pair_are_named() -> None:
    @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1, 5, 7, 9, 11], neighbours="counts_differ_by_one")
    def honest(count: int, coins: dpcert.Coins) -> int:
        return count % 2 if coins.below(4) else 1 - count % 2

    found = dpcert.audit(honest).seen
    assert isinstance(found.verdict, dpcert.Verified)
    words = "in no pair, so that nothing is said of them: the inputs 5, 7, 9 and 1 more"
    assert words in found.notes
    paired = dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="counts_differ_by_one")(
        honest.function
    )
    assert not any("in no pair" in note for note in dpcert.audit(paired).seen.notes)


def test_arrays_are_inputs_as_lists_are() -> None:
    @dpcert.target(
        guarantee=dpcert.PureDP("ln(3)"), inputs=[np.array(x) for x in dpcert.vectors(2, [0, 1])], neighbours="l1"
    )
    def flipped(bits: Any, coins: dpcert.Coins) -> tuple[int, ...]:
        return tuple(int(bit) if coins.below(4) else 1 - int(bit) for bit in bits)

    found = dpcert.audit(flipped).seen
    assert isinstance(found.verdict, dpcert.Verified)
    assert found.pairs == 8


def test_an_alias_of_a_relation_is_read_and_never_printed(inside: Callable[..., Any], workers_inside: None) -> None:
    assert relation("element") is dpcert.counts_differ_by_one
    assert relation_named("element").name == dpcert.counts_differ_by_one.name == "counts_differ_by_one"
    assert Budget.of("1", None, "element", relations=("counts_differ_by_one",), pure=True).neighbours == (
        "counts_differ_by_one"
    )
    (found,) = inside("audit", "geosample", "--neighbours", "element", "--json").document["results"]
    assert found["claim"]["neighbours"] == "counts_differ_by_one"
    assert (
        "one of add-remove, substitute, counts_differ_by_one, any"
        in inside("audit", "geosample", "--neighbours", "none").refusal()
    )
