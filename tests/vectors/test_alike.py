"""Evidence for draws that are kept in rows: exact twins, element by element and by convolution; faults are caught."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import Limits, enumerate_law
from dpcert.mechanisms.exact.coins import Recorded
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Settings, interior, record_of
from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.slow import SLOW
from dpcert.mechanisms.vectors import draws, sums
from dpcert.mechanisms.vectors.alike import Alike, combined
from dpcert.mechanisms.vectors.rows import Row, Trial, Untold
from dpcert.mechanisms.vectors.sums import Batch, Sums, coefficients
from dpcert.targets.redirecting import redirect

Program = Callable[[int, Any], Any]
ROWS = st.lists(st.tuples(st.integers(-3, 4), st.integers(1, 9)), min_size=1, max_size=3)


def convolved(rows: list[tuple[list[tuple[int, int]], int]]) -> dict[int, int]:
    """The weight of each sum, one element after the other."""
    found = {0: 1}
    for row, count in rows:
        for _ in range(count):
            after: dict[int, int] = {}
            for (total, weight), (value, more) in product(found.items(), row):
                after[total + value] = after.get(total + value, 0) + weight * more
            found = after
    return found


@given(st.lists(st.tuples(ROWS, st.integers(1, 6)), min_size=1, max_size=3))
def test_sums_are_those_of_a_convolution_and_ways_lead_to_them(rows: list[tuple[list[tuple[int, int]], int]]) -> None:
    batches = [Batch(row, count) for row, count in rows]
    found = Sums(batches)
    assert found.weights == convolved(rows)
    if all(batch.whole for batch in batches):
        for total in found.weights:
            for last in (False, True):
                way = found.way(total, last=last)
                assert [sum(counts) for counts in way] == [count for _, count in rows]
                pairs = [zip(row, counts, strict=True) for (row, _), counts in zip(rows, way, strict=True)]
                assert sum(value * count for each in pairs for (value, _), count in each) == total


def test_coefficients_of_a_power_are_binomial() -> None:
    assert coefficients([({0: 3, 1: 5}, 7)]) == [comb(7, k) * 5**k * 3 ** (7 - k) for k in range(8)]


@pytest.mark.parametrize(
    ("place", "powers", "words"),
    [
        (0, [({0: 3, 1: 5}, 7), ({0: 1, 2: 1}, 3)], "is no integer"),
        (1, [({0: 1, 1: 1}, 2)], "do not sum to its value at 1"),
    ],
)
def test_caught_coefficients_of_another_product(
    monkeypatch: pytest.MonkeyPatch, place: int, powers: list[tuple[dict[int, int], int]], words: str
) -> None:
    real = sums.times

    def wrong(p: dict[int, int], q: dict[int, int]) -> dict[int, int]:
        found = real(p, q)
        return {**found, place: found.get(place, 0) + 1} if 0 in found else found

    monkeypatch.setattr(sums, "times", wrong)
    with pytest.raises(AssertionError, match=words):
        coefficients(powers)


def bits(n: int) -> Any:
    return np.arange(n) % 3 == 0


def in_turn(n: int, rng: Any) -> Any:
    """The draws are asked about together, then by two parts of them, then one by one."""
    u = rng.random(n)
    kept = u < 0.25
    return int(kept.sum()), int((u < 0.5)[1:3].sum()), bool(u[0] < 0.125), bool((u[2:] < 0.5).any())


def of_two_rows(n: int, rng: Any) -> Any:
    truth, coin = rng.random(n) < 0.5, rng.integers(0, 2, size=n)
    answers = np.where(truth, bits(n), coin)
    return int(answers.sum()), int(truth.sum()), int(coin[1])


def of_rows_apart(n: int, rng: Any) -> Any:
    u, v = rng.random(n), rng.random(n)
    first = bool(v[1] < 0.5)
    return first, int((u < 0.25).sum()), int(((u < 0.5) & (v < 0.25)).sum())


def merged_and_joined(n: int, rng: Any) -> Any:
    """Two rows that were merged each by itself."""
    u, v = rng.random(n) < 0.25, rng.random(n) < 0.5
    return int(u.sum()), int(v.sum()), int((u ^ v).sum())


def mirrored(n: int, rng: Any) -> Any:
    u = rng.random(n) < 0.25
    return int(u.sum()), int((u & u[::-1]).sum())


def in_a_table(n: int, rng: Any) -> Any:
    table = np.where(rng.random((2, n)) < 0.25, 1, 0)
    return [int(k) for k in table.sum(axis=1)], int(table.T.sum())


def placed(n: int, rng: Any) -> Any:
    noisy = np.arange(n) % 2 + rng.integers(0, 3, size=n)
    return int(noisy.argmax()), int(noisy.max())


def of_other_values(n: int, rng: Any) -> Any:
    """Values that are no progression, doubles that are whole, and a mean."""
    u = rng.random(n)
    some = np.where(u < 0.25, 0, np.where(u < 0.5, 1, 5))
    return int(some.sum()), float(np.where(u < 0.125, 3.0, 1.0).sum()), float((u < 0.5).mean())


def thresholds(n: int, rng: Any) -> Any:
    return int((rng.random(n) < np.linspace(0.1, 0.9, n)).sum())


def assigned(n: int, rng: Any) -> Any:
    kept = rng.random(n) < 0.25
    kept[0] = True
    return int(kept.sum()), int(np.count_nonzero(kept))


def weighted(n: int, rng: Any) -> Any:
    x = np.arange(n)
    kept = rng.random(n) < 0.25
    return int(x @ kept), int(x.sum(where=kept))


def chosen(n: int, rng: Any) -> Any:
    few = rng.choice(3, size=2, replace=False)
    return int(rng.choice([1, 2, 9], size=n, p=[0.5, 0.25, 0.25]).sum()), [int(k) for k in few]


def without_a_choice(n: int, rng: Any) -> Any:
    """One value only, none drawn, and no elements."""
    ones = rng.integers(1, 2, size=n)
    return int(ones.sum()), int((rng.random(n) < 2).sum()), rng.random(0).sum()


def of_fresh_rows(n: int, rng: Any) -> Any:
    """Questions that differ in one thing: what is asked, and the elements that are plain."""
    first = np.arange(n) == 0
    some, count = (rng.random(n) < 0.5).any(), (rng.random(n) < 0.5).sum()
    more = [np.where(first, plain, rng.integers(0, 2, size=n)).sum() for plain in (5, 9)]
    return bool(some), int(count), [int(k) for k in more]


def asked_before(n: int, rng: Any) -> Any:
    """One element is asked about by itself before all are."""
    u = rng.random(n)
    kept = u < 0.25
    return bool(u[0] < 0.125), int(kept.sum())


def of_rows_of_unlike_lengths(n: int, rng: Any) -> Any:
    u, v = rng.random(n - 2) < 0.5, rng.random(n - 1)
    told = int(u.sum()), int((u & (v[:1] < 0.5)).sum()), int((v < 0.5).sum())
    return *told, bool(v[0] < 0.25)


PROGRAMS: list[Program] = [
    *(in_turn, of_two_rows, of_rows_apart, merged_and_joined, mirrored, in_a_table, placed, of_other_values),
    *(thresholds, assigned, weighted, chosen, without_a_choice, of_fresh_rows, asked_before),
    of_rows_of_unlike_lengths,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_law_by_rows_is_that_by_elements(monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    found = enumerate_law(redirect()(program), 3).law
    again = enumerate_law(redirect()(program), 3, reverse=True, replay=False).law
    monkeypatch.setattr(draws, "_in_a_row", lambda coins, draw, array: None)
    plain = enumerate_law(redirect()(program), 3).law
    assert found == plain
    assert not found.tail_weight
    assert again.digest() == found.digest()


def test_elements_of_two_runs_are_not_combined() -> None:
    """They may have draws at the same places."""
    runs = [LazyRun(([], 0, 0, 0), 1, Settings(LazyRun), None) for _ in range(2)]
    both = [Alike(run, np.arange(3), np.zeros(3, int), (LazyFloat(Row(run, 8, 3).stand, (float,)),)) for run in runs]
    assert combined(both[:1], lambda x: x) is not None
    assert combined(both, lambda x, y: x) is None


@pytest.mark.parametrize("choose", [interior, min, max])
def test_replays_have_draws_that_nothing_was_asked_of_at_both_ends_and_inside(choose: Any) -> None:
    run = LazyRun(([], 0, 0, 0), 1, Settings(LazyRun), None)
    row = Row(run, 8, 3)
    row.first[1], row.last[1] = (8, 5), (8, 6)
    run.tape = [(8, Node(run, 0, 7)), (0, row), (0, (((2, 0),), ((2, 1),)))]
    other, last = choose(0, 7), int(choose is max)
    assert record_of(run, choose) == tuple(zip((8, 8, 8, 8, 2), (other, other, 5 + last, other, last), strict=True))


def test_randomized_response_is_a_sum_of_two_binomials() -> None:
    def response(n: int, rng: Any) -> int:
        return int(np.where(rng.random(n) < 0.25, ~bits(n), bits(n)).sum())

    ones = 14
    weights = convolved([([(0, 1), (1, 3)], ones), ([(0, 3), (1, 1)], 40 - ones)])
    law = enumerate_law(redirect()(response), 40).law
    assert law == Dist.of([(total, Fraction(weight, 4**40)) for total, weight in weights.items()])


def test_caught_ways_that_do_not_lead_to_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Batch.counts
    monkeypatch.setattr(Batch, "counts", lambda self, place, *, last: real(self, place, last=last)[::-1])
    with pytest.raises(Unauditable, match="run again on the same coins"):
        enumerate_law(redirect()(lambda n, rng: int((rng.random(n) < 0.25).sum())), 3)


def test_caught_a_threshold_that_is_kept_between_runs() -> None:
    runs: list[int] = []

    def drifting(n: int, rng: Any) -> int:
        runs.append(n)
        return int((rng.random(n) < 1 / (1 + len(runs))).sum())

    with pytest.raises(Unauditable):
        enumerate_law(redirect()(drifting), 5)


@pytest.mark.parametrize("draw", [lambda rng, k: rng.integers(0, 2 + k, size=3), lambda rng, k: rng.random(3 + k)])
def test_caught_other_draws_when_run_again(draw: Any) -> None:
    runs: list[int] = []

    def drifting(n: int, rng: Any) -> int:
        runs.append(n)
        return int((draw(rng, len(runs)) > 0.5).any())

    with pytest.raises(Unauditable):
        enumerate_law(redirect()(drifting), 5)


def test_rows_count_as_draws() -> None:
    found = enumerate_law(redirect()(lambda n, rng: rng.random(n).sum() > 0), 20, limits=Limits(max_draws=10))
    assert found.law.tail == 1
    assert found.notes[0] == "a run drew more than 10 coins"


def test_refused_decisions_of_a_draw_that_stands_for_many() -> None:
    run = LazyRun(([], 0, 0, 0), 1, Settings(LazyRun), None)
    trial = Trial(run, 3)
    u = trial.below(6)
    assert u < 6
    assert not u < 0
    for asked in (lambda: u < 3, lambda: u % 4, lambda: trial.below(6), trial.uniform_float):
        with pytest.raises(Untold):
            asked()


def test_caught_a_record_of_other_draws() -> None:
    """Also where numbers that would do come after the first that does not."""
    assert draws._below(Recorded([(3, 1), (3, 2)]), 3, 2) == (1, 2)
    with pytest.raises(Unauditable, match="drew other coins"):
        draws._below(Recorded([(2, 0), (3, 1), (3, 2), (3, 0)]), 3, 2)


def test_few_sums_far_apart_are_not_given_up() -> None:
    def far(n: int, rng: Any) -> int:
        u = rng.random(n)
        return int(np.where(u < 0.25, 0, np.where(u < 0.5, 1, 100)).sum())

    found = enumerate_law(redirect()(far), 2, limits=Limits(max_runs=60)).law
    assert not found.tail_weight
    assert sorted(found.outcomes()) == [0, 1, 2, 100, 101, 200]


def test_sums_of_too_many_values_are_given_up() -> None:
    program = redirect()(lambda n, rng: rng.integers(0, 4, size=n).sum())
    found = enumerate_law(program, 20, limits=Limits(max_runs=60), merge=False)
    assert found.law.tail == 1
    assert enumerate_law(program, 20, limits=Limits(max_runs=60)).law.tail == 0  # by states
    assert found.notes[0].startswith("a reduction of a vector has more than 60 states, at line")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda u: np.arange(16)[u < 0.5], "write mask.sum() for sum(mask)"),
        (lambda u: sum(u < 0.5), "write mask.sum() for sum(mask)"),
        (lambda u: u < 0.5, "release a reduction of it"),
    ],
)
def test_what_is_slow_is_told(monkeypatch: pytest.MonkeyPatch, program: Any, words: str) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(SLOW, "tell", lambda why, remedy: told.append((why, remedy)))
    enumerate_law(redirect()(lambda n, rng: program(rng.random(n))), 16, limits=Limits(max_runs=5))
    assert any(
        why.startswith("16 undecided elements of an array are decided one by one at ") and words in remedy
        for why, remedy in told
    )
