"""Evidence for generator.py: from the same 53 bits the methods give numpy's own numbers, bit for bit."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.floating.stand_ins import StandIns

RUNS = 3000
SEED = 20240607

GENERATOR: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "random": ("random", (), {}),
    "uniform": ("uniform", (-1.5, 2.7), {}),
    "laplace": ("laplace", (0.3, 1.7), {}),
    "logistic": ("logistic", (0.3, 1.7), {}),
    "gumbel": ("gumbel", (0.3, 1.7), {}),
    "inverse exponential": ("standard_exponential", (), {"method": "inv"}),
    "geometric": ("geometric", (0.4,), {}),
    "certain": ("geometric", (1.0,), {}),
}
STATE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "random_sample": ("random_sample", ()),
    "rand": ("rand", ()),
    "random": ("random", ()),
    "uniform": ("uniform", (-1.5, 2.7)),
    "laplace": ("laplace", (0.3, 1.7)),
    "logistic": ("logistic", (0.3, 1.7)),
    "gumbel": ("gumbel", (0.3, 1.7)),
    "standard_exponential": ("standard_exponential", ()),
    "exponential": ("exponential", (2.3,)),
    "rayleigh": ("rayleigh", (2.0,)),
    "weibull": ("weibull", (1.5,)),
    "pareto": ("pareto", (1.5,)),
    "power": ("power", (1.5,)),
    "geometric by search": ("geometric", (0.4,)),
    "geometric by logarithm": ("geometric", (0.2,)),
    "geometric of rare": ("geometric", (3e-11,)),
}


def coins_of(draws: Iterator[int]) -> Coins:
    """Coins whose random() takes the 53 bits given."""

    def draw(bound: int) -> int:
        assert bound == 1 << 53
        return next(draws)

    return Coins(Plain(draw))


@pytest.mark.parametrize("name", GENERATOR)
def test_exact_twin_of_a_generator_of_numpy(name: str) -> None:
    method, arguments, settings = GENERATOR[name]
    raw = np.random.PCG64(SEED).random_raw(RUNS + 10)
    own = StandIns().generator_on(coins_of(int(word) >> 11 for word in raw))
    theirs = np.random.Generator(np.random.PCG64(SEED))
    for _ in range(RUNS):
        expected = getattr(theirs, method)(*arguments, **settings)
        found = getattr(own, method)(*arguments, **settings)
        assert (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize("name", STATE)
def test_exact_twin_of_the_global_generator_of_numpy(name: str) -> None:
    method, arguments = STATE[name]
    bits = np.random.MT19937()
    bits._legacy_seeding(SEED)
    raw = [int(word) for word in bits.random_raw(2 * RUNS + 20)]
    own = StandIns().state_on(
        coins_of((a >> 5) * (1 << 26) + (b >> 6) for a, b in zip(raw[::2], raw[1::2], strict=True))
    )
    theirs = np.random.RandomState(SEED)
    for _ in range(RUNS):
        expected = getattr(theirs, method)(*arguments)
        found = getattr(own, method)(*arguments)
        assert (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize(
    ("routed", "bounds"),
    [
        (lambda c: StandIns().generator_on(c).integers(5), map(np.int64, range(5))),
        (lambda c: StandIns().generator_on(c).integers(2, 5), map(np.int64, range(2, 5))),
        (lambda c: StandIns().generator_on(c).integers(2, 5, endpoint=True), map(np.int64, range(2, 6))),
        (lambda c: StandIns().state_on(c).randint(5), range(5)),
        (lambda c: StandIns().state_on(c).randint(-2, 5), range(-2, 5)),
    ],
)
def test_exact_law_of_integers(routed: Callable[[Coins], Any], bounds: Iterable[Any]) -> None:
    assert enumerate_law(lambda _, coins: routed(coins), None).law == Dist.uniform(bounds)


@pytest.mark.parametrize(
    ("routed", "name"),
    [
        (lambda c: StandIns().generator_on(c).normal(), "numpy.random.Generator.normal"),
        (lambda c: StandIns().generator_on(c).exponential(2.0), "numpy.random.Generator.exponential"),
        (lambda c: StandIns().generator_on(c).standard_exponential(), "standard_exponential with method='zig'"),
        (lambda c: StandIns().generator_on(c).geometric(0.1), "numpy.random.Generator.geometric with p=0.1"),
        (lambda c: StandIns().generator_on(c).binomial(5, 0.5), "numpy.random.Generator.binomial"),
        (lambda c: StandIns().state_on(c).normal(), "numpy.random.normal"),
        (lambda c: StandIns().state_on(c).geometric(1e-15), "numpy.random.geometric with p=1e-15"),
        (lambda c: StandIns().state_on(c).weibull(0.0), "numpy.random.weibull with 0.0"),
        (lambda c: StandIns().generator_on(c).laplace(np.zeros(3)), "Generator.laplace with a ndarray for a parameter"),
    ],
)
def test_what_is_no_inverse_transform_is_refused_by_name(routed: Callable[[Coins], Any], name: str) -> None:
    with pytest.raises(Unauditable) as caught:
        enumerate_law(lambda _, coins: routed(coins), None)
    assert name in str(caught.value)
    assert "cannot be routed to coins" in str(caught.value)


def test_exact_law_of_laplace_noise_below_its_mean() -> None:
    law = enumerate_law(lambda _, coins: StandIns().generator_on(coins).laplace(1.0, 2.0) < 1.0, None).law
    low, high = law.prob(True), law.prob(True) + law.tail
    assert low <= 0.5 <= high + 2.0**-52
    assert law.tail < 2.0**-100  # u = 0 is drawn again


def test_draws_of_a_size_are_arrays_of_decided_numbers() -> None:
    law = enumerate_law(lambda _, coins: StandIns().generator_on(coins).integers(3, size=2), None).law
    assert len(law) == 9
    assert all(isinstance(outcome, np.ndarray) and outcome.shape == (2,) for outcome in law.outcomes())
    assert math.isclose(float(sum(law.prob(outcome) for outcome in law.outcomes())), 1.0)
