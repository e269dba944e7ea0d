"""Goodness of fit against fractions, and its p-values held valid exactly, on all count vectors of small laws."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb, factorial, prod

import pytest

from dpcert import Dist, InputError
from dpcert.audit.fit import Classes, at_least, fit, holm

LAWS = [
    "1/2 1/2",
    "1/10 9/10",
    "1/1000 999/1000",
    "1/3 1/3 1/3",
    "1/20 1/4 7/10",
    "1/4 1/4 1/4 1/4",
    "1/50 1/50 6/25 18/25",
]


def law_of(text: str) -> Dist:
    return Dist.of(enumerate(text.split()))


def vectors(n: int, classes: int) -> Iterator[tuple[int, ...]]:
    if classes == 1:
        yield (n,)
    else:
        yield from ((first, *rest) for first in range(n + 1) for rest in vectors(n - first, classes - 1))


def probability(counts: Sequence[int], probabilities: Sequence[Fraction]) -> Fraction:
    ways = factorial(sum(counts)) // prod(map(factorial, counts))
    return ways * prod((p**x for x, p in zip(counts, probabilities, strict=True)), start=Fraction(1))


@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 7), Fraction(999, 1000), Fraction(1, 10**6)])
def test_twin_the_upper_sum_of_a_binomial_is_the_sum_of_fractions(n: int, p: Fraction) -> None:
    for k in range(-1, n + 2):
        exact = sum((comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(max(k, 0), n + 1)), Fraction(0))
        assert at_least(n, p, k) == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


@pytest.mark.points(10)
@pytest.mark.parametrize("pooling", ["exact multinomial", "G and cells"])
@pytest.mark.parametrize("text", LAWS)
def test_exact_p_is_at_most_a_with_probability_at_most_a(text: str, pooling: str) -> None:
    """For every a below 1 that p attains; the probabilities are fractions and summed over all count vectors."""
    law = law_of(text)
    for n in (1, 2, 5, 9):
        classes = replace(Classes.of(law, n), exact=pooling == "exact multinomial")
        rows = sorted(
            (classes.judge(counts).p, probability(counts, classes.probabilities))
            for counts in vectors(n, len(classes.names))
        )
        reached = Fraction(0)
        for place, (p, mass) in enumerate(rows):
            reached += mass
            if p < 1 and (place + 1 == len(rows) or rows[place + 1][0] > p):
                assert reached <= Fraction(p)


@pytest.mark.points(6)
@pytest.mark.parametrize("text", LAWS)
def test_caught_half_of_an_exact_p_value(text: str) -> None:
    """Half of it is not valid: the check above can fail."""
    n = 9
    classes = Classes.of(law_of(text), n)
    rows = [(classes.judge(x).p / 2, probability(x, classes.probabilities)) for x in vectors(n, len(classes.names))]
    assert any(sum(mass for q, mass in rows if q <= p) > p for p, _ in rows)


def test_twin_the_exact_test_sums_the_vectors_that_fit_no_better() -> None:
    law = Dist.of([("a", "1/2"), ("b", "1/3"), ("c", "1/6")])
    found = fit(law, ["c", "c", "c"])
    assert found.test == "exact multinomial"
    assert found.p == pytest.approx(float(Fraction(1, 6) ** 3), rel=1e-5)
    assert found.worst == "'c'"
    every = fit(law, ["a", "b", "c", "a", "b", "a"])
    assert every.p == 1


def test_rare_outcomes_are_pooled_by_the_law_and_the_number_of_samples_alone() -> None:
    law = Dist.of([(0, "1/2"), (1, "1/4"), (2, "1/8"), (3, "1/16"), (4, "1/32"), (5, "1/32")])
    classes = Classes.of(law, 200)
    assert classes.names == ("0", "1", "2", "3", "rare")
    assert classes.probabilities[-1] == Fraction(1, 16)
    assert not classes.exact
    assert Classes.of(law, 320).names == ("0", "1", "2", "3", "4", "5")
    assert Classes.of(law, 5).exact


def test_caught_an_outcome_outside_the_law() -> None:
    law = Dist.of([(0, "1/2"), (1, "1/2")])
    assert fit(law, [0, 1, 2]).p == 0
    assert fit(law, [0, 1, True]) == replace(fit(law, [0, 1, 2]), worst="True")


def test_one_outcome_leaves_nothing_to_test() -> None:
    assert fit(Dist.point("x"), ["x"] * 9).test == "no choice"
    assert fit(Dist.point("x"), ["y"]).p == 0


def test_caught_one_class_that_is_too_frequent_by_its_own_test() -> None:
    """Sixty-four classes, one of them 60 times for 10: the cells find it where G does not."""
    classes = Classes.of(Dist.uniform(64), 640)
    counts = [60, *[9] * 50, *[10] * 13]
    assert sum(counts) == 640
    found = classes.judge(counts)
    assert found.worst == "0"
    assert found.p < 1e-20


@pytest.mark.parametrize(
    ("p_values", "rejected"),
    [([0.001, 0.03, 0.04], [0]), ([0.04, 0.01, 0.02], [1, 2, 0]), ([0.5, 0.6], []), ([], []), ([0.03, 0.02], [1, 0])],
)
def test_holm_rejects_in_order_while_each_is_below_its_share(p_values: list[float], rejected: list[int]) -> None:
    assert holm(p_values, 0.05) == rejected


def test_refused_a_law_with_a_tail_and_no_samples() -> None:
    with pytest.raises(InputError, match="clamp or bin"):
        fit(Dist.of([(0, "1/2")], tail="1/2"), [0])
    with pytest.raises(InputError, match="0 samples"):
        fit(Dist.point(0), [])
