"""Evidence for choices: numpy's own choices from the same bits, and laws that are those of every draw."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations
from math import ceil
from typing import Any

import numpy as np
import pytest

from dpcert import Coins, Dist, Unauditable, redirect
from dpcert.mechanisms.exact.coins import Plain
from dpcert.reading.led.coins import LedByCoins
from dpcert.reading.paths.enumerator import enumerate_law

P = [0.1, 0.0, 0.25, 0.65]
SEED = 20240607


def routed(program: Callable[[Any], Any]) -> Callable[..., Any]:
    def given(value: int, rng: Any) -> Any:
        return program(rng)

    return redirect(given)


def law(program: Callable[[Any], Any]) -> Dist:
    found = enumerate_law(routed(program), 0)
    assert not found.law.tail_weight
    return found.law


def of_words(generator: Any) -> Coins:
    """Coins that take their bits from a real generator: doubles and bounded integers as it makes them."""

    def draw(bound: int) -> int:
        return int(generator.random() * 2**53) if bound == 1 << 53 else int(generator.integers(0, bound))

    return Coins(Plain(draw))


def led(coins: Coins) -> Any:
    """A generator that coins lead."""
    generators = LedByCoins([]).led
    generators.coins = coins
    return generators.generator("rng")


CALLS: dict[str, Callable[[Any], Any]] = {
    "a place": lambda rng: rng.choice(7),
    "by weight": lambda rng: rng.choice(4, p=P),
    "of texts": lambda rng: rng.choice(["a", "b", "c"]),
    "of numbers": lambda rng: rng.choice([1, 2.5]),
    "of an array": lambda rng: rng.choice(np.array([3, 1, 2], dtype=np.int8), p=[0.25, 0.25, 0.5]),
    "several": lambda rng: rng.choice(4, size=5, p=P),
    "in a shape": lambda rng: rng.choice([5, 6, 7], size=(2, 3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_exact_twin_of_numpys_choice(name: str) -> None:
    """From the same words a led generator gives numpy's own answer, type, dtype and shape included."""
    ours = led(of_words(np.random.default_rng(SEED)))
    numpys = np.random.default_rng(SEED)
    for _ in range(300):
        got, expected = CALLS[name](ours), CALLS[name](numpys)
        assert type(got) is type(expected)
        assert np.asarray(got).dtype == np.asarray(expected).dtype
        assert np.asarray(got).tobytes() == np.asarray(expected).tobytes()


def weights() -> list[Fraction]:
    sums = np.cumsum(P)
    sums /= sums[-1]
    ends = [0, *(min(1 << 53, ceil(Fraction(float(c)) * 2**53)) for c in sums)]
    return [Fraction(b - a, 1 << 53) for a, b in pairwise(ends)]


def test_the_law_of_a_choice_by_weight() -> None:
    assert law(lambda rng: rng.choice(4, p=P)) == Dist.of([(i, p) for i, p in enumerate(weights()) if p])
    words = ["a", "b", "c", "d"]
    rows = [(np.str_(word), p) for word, p in zip(words, weights(), strict=True) if p]
    assert law(lambda rng: rng.choice(words, p=P)) == Dist.of(rows)


def test_a_count_of_choices_is_merged() -> None:
    found = law(lambda rng: int((rng.choice(4, size=6, p=P) == 2).sum()))
    p = weights()[2]
    binomial = Dist.of([(1, p), (0, 1 - p)])
    assert found.prob(0) == (1 - p) ** 6
    assert found.prob(6) == p**6
    assert len(found) == 7
    assert binomial.prob(1) == p


ORDERS = list(permutations([1, 2, 3]))


def shuffled(rng: Any) -> Any:
    cards = [1, 2, 3]
    assert rng.shuffle(cards) is None
    return tuple(cards)


@pytest.mark.parametrize(
    "program",
    [
        shuffled,
        lambda rng: tuple(rng.permutation([1, 2, 3]).tolist()),
        lambda rng: tuple((rng.permutation(3) + 1).tolist()),
        lambda rng: tuple(rng.choice([1, 2, 3], size=3, replace=False).tolist()),
    ],
)
def test_orders_are_uniform(program: Callable[[Any], Any]) -> None:
    assert law(program) == Dist.of([(row, Fraction(1, 6)) for row in ORDERS])


def test_a_sample_without_replacement_is_uniform() -> None:
    found = law(lambda rng: tuple(rng.choice(4, size=2, replace=False).tolist()))
    assert found == Dist.of([(row, Fraction(1, 12)) for row in permutations(range(4), 2)])


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: rng.choice(3, p=[0.5, 0.6, 0.1]),
        lambda rng: rng.choice(3, p=[0.5, 0.5]),
        lambda rng: rng.choice(0),
        lambda rng: rng.choice([]),
        lambda rng: rng.choice(2, size=3, replace=False),
        lambda rng: rng.choice(2.5),
        lambda rng: rng.shuffle(3),
        lambda rng: rng.shuffle((1, 2)),
        lambda rng: rng.permutation(2.5),
    ],
)
def test_refused_as_numpy_refuses(call: Callable[[Any], Any]) -> None:
    with pytest.raises(Exception, match=r".*") as real:
        call(np.random.default_rng(1))
    with pytest.raises(type(real.value)) as ours:
        call(led(of_words(np.random.default_rng(1))))
    assert str(ours.value) == str(real.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: rng.choice([[1, 2], [3, 4]]),
        lambda rng: rng.choice(3, size=2, replace=False, p=[0.5, 0.25, 0.25], shuffle=False),
        lambda rng: rng.choice(3, size=2, replace=False, shuffle=False),
        lambda rng: rng.permutation(np.eye(2)),
        lambda rng: rng.shuffle(np.eye(2)),
        lambda rng: rng.choice([None, 1]),
    ],
)
def test_refused_by_name(call: Callable[[Any], Any]) -> None:
    with pytest.raises(
        Unauditable, match=r"is not followed|is followed|texts in a row|are not followed|no inverse|elements"
    ):
        law(call)
