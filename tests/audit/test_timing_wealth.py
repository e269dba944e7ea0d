"""The gambler's wealth: exact twins of its rounding, its mean in fractions, and the chance that it ever grows."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.audit.timing.wealth import FRACTIONS, RoundCounts, Wealth, factor

counts = st.integers(0, 300)
chances = st.fractions(0, 1, max_denominator=50)
ratios = st.fractions(1, 50, max_denominator=20)


def steps(c: int, ratio: Fraction, delta: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return what one run makes of a wealth of 1: on a and in the event, on b and in it, not in it."""
    part = Fraction(c, FRACTIONS)
    stake = part / (ratio + delta / 2)
    return 1 + stake * (1 - delta / 2), 1 - stake * (ratio + delta / 2), 1 - stake * delta / 2


def value(wealth: Wealth) -> Fraction:
    return Fraction(wealth.m) * Fraction(2) ** wealth.e


@given(counts, counts, counts, st.integers(0, FRACTIONS - 1), ratios, chances)
def test_a_round_is_the_exact_product_rounded_down(
    on_a: int, on_b: int, others: int, c: int, ratio: Fraction, delta: Fraction
) -> None:
    won, lost, idle = steps(c, ratio, delta)
    exact = won**on_a * lost**on_b * idle**others
    found = value(factor(RoundCounts(on_a, on_b, others), c, ratio, delta))
    assert found <= exact
    assert found >= exact * (1 - Fraction(1, 1 << 70))


@given(st.lists(st.tuples(st.integers(1, 1 << 95), st.integers(-2000, 2000)), min_size=1, max_size=6))
def test_a_mean_is_the_exact_mean_rounded_down(parts: list[tuple[int, int]]) -> None:
    wealths = [Wealth(m, e) for m, e in parts]
    exact = sum(map(value, wealths)) / len(wealths)
    assert value(Wealth.mean(wealths)) <= exact
    assert value(Wealth.mean(wealths)) >= exact * (1 - Fraction(1, 1 << 80))
    assert Wealth.mean(wealths).reaches(exact / 2)
    assert not Wealth.mean(wealths).reaches(exact * 2)


@given(st.integers(0, FRACTIONS - 1), ratios, chances, chances, chances)
def test_the_mean_of_a_run_is_at_most_1_exactly_where_the_claim_holds(
    c: int, ratio: Fraction, delta: Fraction, p: Fraction, q: Fraction
) -> None:
    won, lost, idle = steps(c, ratio, delta)
    half = Fraction(1, 2)
    mean = half * p * won + half * q * lost + (1 - half * p - half * q) * idle
    assert mean == 1 + Fraction(c, FRACTIONS) * (p - ratio * q - delta) / (2 * (ratio + delta / 2))
    assert min(won, lost, idle) > 0


def ever(runs: int, c: int, ratio: Fraction, delta: Fraction, p: Fraction, q: Fraction, bound: int) -> Fraction:
    """Return the chance that the wealth reaches a bound at one of so many runs: by all counts, without rounding."""
    half = Fraction(1, 2)
    going = {(0, 0): Fraction(1)}
    reached = Fraction(0)
    for run in range(1, runs + 1):
        after: dict[tuple[int, int], Fraction] = {}
        for (on_a, on_b), chance in going.items():
            for more, part in (((1, 0), half * p), ((0, 1), half * q), ((0, 0), 1 - half * p - half * q)):
                state = (on_a + more[0], on_b + more[1])
                after[state] = after.get(state, Fraction(0)) + chance * part
        going = {}
        for (on_a, on_b), chance in after.items():
            if factor(RoundCounts(on_a, on_b, run - on_a - on_b), c, ratio, delta).reaches(Fraction(bound)):
                reached += chance
            else:
                going[on_a, on_b] = chance
    return reached


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("ratio", "delta", "p", "q"),
    [
        (Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 2)),
        (Fraction(3), Fraction(0), Fraction(3, 4), Fraction(1, 4)),
        (Fraction(2), Fraction(1, 10), Fraction(1, 2), Fraction(1, 5)),
    ],
)
def test_the_chance_of_ever_reaching_10_is_at_most_a_tenth(
    ratio: Fraction, delta: Fraction, p: Fraction, q: Fraction
) -> None:
    """The claim is tight: p = ratio q + delta. The chance is exact, over all sequences of 30 runs."""
    found = ever(30, 3 * FRACTIONS // 4, ratio, delta, p, q, 10)
    assert 0 < found <= Fraction(1, 10)
    assert ever(30, 3 * FRACTIONS // 4, ratio, delta, p, Fraction(0), 10) > Fraction(1, 10)  # more where it is false
