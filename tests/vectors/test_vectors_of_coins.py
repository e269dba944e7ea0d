"""Evidence for vectors beside coins: lists of draws, folds, loops, and draws that are merged in several reductions."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins, Done


def listed(value: Any, coins: Coins) -> Any:
    v = np.array([coins.below(3) for _ in range(4)])
    return v.sum(), v.dtype.name


def of_floats(value: Any, coins: Coins) -> Any:
    v = np.asarray([coins.below(4) / 4, 0.5, coins.below(2)])
    return (v > 0.3).sum(), v.dtype.name


def kept_draws(value: Any, coins: Coins) -> Any:
    """The draws are asked about by name, too, before and after they are merged."""
    draws = [coins.below(3) for _ in range(3)]
    early = draws[0] > 0
    v = np.array(draws)
    total = (v == 2).sum()
    return bool(early), total, draws[1] < 1, int(draws[2]) % 2


def folded_outside(value: Any, coins: Coins) -> Any:
    """A reduction of draws from around, in a step of a fold."""
    v = np.array([coins.below(2), coins.below(2)])

    def step(state: int, item: int, on: Coins) -> int:
        return state + int(v.sum()) * item + on.below(2)

    return coins.fold([1, 2], 0, step)


def folded_inside(value: Any, coins: Coins) -> Any:
    def step(state: int, item: int, on: Coins) -> int:
        v = np.array([on.below(3) for _ in range(2)])
        return state + int((v > 0).sum())

    return coins.fold(range(3), 0, step)


def looped(value: Any, coins: Coins) -> Any:
    def step(state: Any, on: Coins) -> Any:
        v = np.array([on.below(2) for _ in range(2)])
        total = int(v.sum())
        return Done(total) if total else state

    return coins.loop(None, step)


def in_turn(value: Any, coins: Coins) -> Any:
    """What one reduction says decides what is asked next."""
    v = np.array([coins.below(3) for _ in range(3)])
    if (v > 0).any():
        return "some", (v > 1).sum() if (v == 0).any() else v.max()
    return "none", v[0]


def with_remainders(value: Any, coins: Coins) -> Any:
    """Remainders share digits of their draws with other numbers."""
    draws = [coins.below(6) for _ in range(2)]
    v = np.array([u % 2 for u in draws])
    return (v == 1).sum(), [int(u // 2) for u in draws]


PROGRAMS = [
    *(listed, of_floats, kept_draws, folded_inside, looped, in_turn, with_remainders),
    pytest.param(folded_outside, marks=pytest.mark.nightly),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_law_is_that_of_every_draw(program: Callable[[Any, Coins], Any]) -> None:
    found, plain = enumerate_law(program, None), enumerate_law(program, None, eager=True)
    again = enumerate_law(program, None, reverse=True, replay=False)
    if program is looped:  # eager runs leave a tail
        assert found.law == Dist.of([(1, Fraction(2, 3)), (2, Fraction(1, 3))])
    else:
        assert found.law == plain.law
    assert again.law.digest() == found.law.digest()


def test_joint_reductions_have_the_law_of_every_array() -> None:
    """Three counts of the same eight draws: the joint law is multinomial."""

    def program(value: Any, coins: Coins) -> Any:
        v = np.array([coins.below(3) for _ in range(8)])
        return tuple(int((v == k).sum()) for k in range(3))

    law = enumerate_law(program, None).law
    rows = [(a, b, 8 - a - b) for a, b in product(range(9), repeat=2) if a + b <= 8]
    weights: dict[tuple[int, ...], int] = {(0, 0, 0): 1}
    for _ in range(8):
        after: dict[tuple[int, ...], int] = {}
        for (a, b, c), weight in weights.items():
            for state in ((a + 1, b, c), (a, b + 1, c), (a, b, c + 1)):
                after[state] = after.get(state, 0) + weight
        weights = after
    assert law == Dist.of([(row, Fraction(weights[row], 3**8)) for row in rows])


def test_merged_vectors_are_an_assumption_of_the_law() -> None:
    found = enumerate_law(listed, None)
    assert found.assumptions == ("equal results of vectors were merged; dpcert/mechanisms/vectors is trusted",)
