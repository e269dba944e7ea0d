"""Theorem 3 of anonymized-histograms on all small chains, and the smallest chains against what is near to it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from dpcert.proofs.anonymized_histograms.checks.dependent import NOISES, BinaryChain, chains, greatest_ratio

Step = tuple[int, ...]
BITS = (0, 1)
FIRST, SECOND, _ = NOISES


def steps(arguments: int) -> Iterator[Step]:
    """Every function of so many bits, as its values in the order of the arguments."""
    return product(BITS, repeat=2**arguments)


def value(step: Step, *arguments: int) -> int:
    return step[int("".join(map(str, arguments)), 2)]


def test_the_hypothesis_holds_at_ratios_that_say_something() -> None:
    """Of the chains of three steps, how many meet (7) at no ratio, at 1, and at a ratio between."""
    bounds = [chain.bound() for chain in chains(3)]
    assert len(bounds) == 4096
    assert 0 < bounds.count(None) < 4096
    assert 0 < bounds.count(Fraction(1)) < 4096
    between = {bound for bound in bounds if bound is not None and bound > 1}
    assert {Fraction(2), Fraction(3), Fraction(4)} <= between


def test_some_chain_is_bounded_by_a_later_step_alone() -> None:
    """X_1 = x tells all; X_2 = X_1 xor Z_2 has ratio 4, and no less for X_3 = X_2."""
    chain = BinaryChain(((0, 0, 1, 1), (0, 1, 1, 0), (0, 0, 1, 1)))
    assert [chain.worst(i) for i in (1, 2, 3)] == [None, 4, None]
    assert chain.bound() == greatest_ratio(chain.law(0, 3), chain.law(1, 3)) == 4


@pytest.mark.nightly
def test_the_step_may_be_chosen_by_the_noises_before_it() -> None:
    """Stronger than (7): the least over i inside the greatest over noises bounds X_n too."""
    for chain in chains(3):
        worst: list[Fraction | None] = []
        for noises in product(BITS, repeat=2):
            ratios = [
                greatest_ratio(chain.law(0, i, noises[: i - 1]), chain.law(1, i, noises[: i - 1])) for i in (1, 2, 3)
            ]
            worst.append(min((ratio for ratio in ratios if ratio is not None), default=None))
        if None not in worst:
            bound = max(ratio for ratio in worst if ratio is not None)
            found = greatest_ratio(chain.law(0, 3), chain.law(1, 3))
            assert found is not None
            assert found <= bound


def law(outcomes: list[tuple[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for outcome, weight in outcomes:
        found[outcome] = found.get(outcome, 0) + weight
    return found


def test_caught_data_that_are_read_again() -> None:
    """X_2 = f_2(x, X_1, Z_2). First comes X_1 = 0 with ratio 1, and X_2 = x and Z_2, which is 0 five times as often."""

    def violations() -> Iterator[tuple[Step, Step, Fraction | None, Fraction | None]]:
        for one, two in product(steps(2), steps(3)):
            laws = [
                law([(value(two, x, value(one, x, z), y), FIRST[z] * SECOND[y]) for z, y in product(BITS, repeat=2)])
                for x in BITS
            ]
            bound, found = BinaryChain((one,)).worst(1), greatest_ratio(*laws)
            if bound is not None and (found is None or found > bound):
                yield one, two, bound, found

    assert next(violations()) == ((0, 0, 0, 0), (0, 0, 0, 0, 0, 1, 0, 0), 1, 5)


def test_caught_all_steps_released_for_the_last() -> None:
    """(7) holds at 1 by X_2 = 0, and X_1 = x is shown beside it."""
    chain = BinaryChain(((0, 0, 1, 1), (0, 0, 0, 0)))
    assert chain.bound() == 1
    shown = [law([(chain.path(x, (z,)), FIRST[z]) for z in BITS]) for x in BITS]
    assert greatest_ratio(*shown) is None


def test_caught_noises_that_depend_on_each_other() -> None:
    """X_1 = x xor Z_1 has ratio 2; with Z_2 = Z_1, X_2 = X_1 xor Z_2 is x."""
    chain = BinaryChain(((0, 1, 1, 0), (0, 1, 1, 0)))
    assert chain.worst(1) == chain.bound() == 2
    shown = [law([(chain.path(x, (z, z)), FIRST[z]) for z in BITS]) for x in BITS]
    assert greatest_ratio(*shown) is None


def test_caught_states_given_for_noises_given() -> None:
    """Given X_1 every chain has ratio 1 at X_2, as x is not read again; X_2 = X_1 = x tells all."""
    chain = BinaryChain(((0, 0, 1, 1), (0, 0, 1, 1)))
    given_state = [law([(value(chain.steps[1], 0, z), SECOND[z]) for z in BITS]) for _ in BITS]
    assert greatest_ratio(*given_state) == 1
    assert chain.bound() is None
    assert greatest_ratio(chain.law(0, 2), chain.law(1, 2)) is None
