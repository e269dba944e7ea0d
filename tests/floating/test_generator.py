"""Evidence for led generators: from the same 53 bits the methods give numpy's own numbers, bit for bit."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcert import Coins, Unauditable
from dpcert.mechanisms.exact.coins import Plain
from dpcert.reading.led.coins import LedByCoins
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.routed import routed

RUNS = 600
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
    "success": ("binomial", (1, 0.3), {}),
    "failure": ("binomial", (1, 0.9), {}),
    "successes": ("binomial", (7, 0.4), {}),
    "many successes": ("binomial", (400, 0.07), {}),
    "few failures": ("binomial", (30, 0.8), {}),
    "no success": ("binomial", (5, 0.0), {}),
    "categories": ("multinomial", (5, [0.2, 0.5, 0.3]), {}),
    "categories in rows": ("multinomial", (2, [0.25, 0.0, 0.75], 2), {}),
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
    "success": ("binomial", (1, 0.3)),
    "failure": ("binomial", (1, 0.9)),
    "successes": ("binomial", (7, 0.4)),
    "many successes": ("binomial", (400, 0.07)),
    "few failures": ("binomial", (30, 0.8)),
    "no success": ("binomial", (5, 0.0)),
    "categories": ("multinomial", (5, [0.2, 0.5, 0.3])),
    "categories in rows": ("multinomial", (2, [0.25, 0.0, 0.75], 2)),
}


def coins_of(draws: Iterator[int]) -> Coins:
    """Coins whose random() takes the 53 bits given."""

    def draw(bound: int) -> int:
        assert bound == 1 << 53
        return next(draws)

    return Coins(Plain(draw))


def led(takes: str, coins: Coins) -> Any:
    """A generator that coins lead."""
    generators = LedByCoins([]).led
    generators.coins = coins
    return generators.generator(takes)


@pytest.mark.parametrize("name", GENERATOR)
def test_exact_twin_of_a_generator_of_numpy(name: str) -> None:
    method, arguments, settings = GENERATOR[name]
    raw = np.random.PCG64(SEED).random_raw(4 * RUNS + 10)
    own = led("rng", coins_of(int(word) >> 11 for word in raw))
    theirs = np.random.Generator(np.random.PCG64(SEED))
    for _ in range(RUNS):
        expected = getattr(theirs, method)(*arguments, **settings)
        found = getattr(own, method)(*arguments, **settings)
        assert (type(found), repr(found)) == (type(expected), repr(expected))


@pytest.mark.parametrize("name", STATE)
def test_exact_twin_of_the_global_generator_of_numpy(name: str) -> None:
    method, arguments = STATE[name]
    bits = np.random.MT19937()
    bits._legacy_seeding(SEED)
    raw = [int(word) for word in bits.random_raw(8 * RUNS + 20)]
    own = led("state", coins_of((a >> 5) * (1 << 26) + (b >> 6) for a, b in zip(raw[::2], raw[1::2], strict=True)))
    theirs = np.random.RandomState(SEED)
    for _ in range(RUNS):
        expected = getattr(theirs, method)(*arguments)
        found = getattr(own, method)(*arguments)
        assert (type(found), repr(found)) == (type(expected), repr(expected))


@pytest.mark.parametrize(
    ("program", "takes", "name"),
    [
        (lambda _, rng: rng.normal(), "rng", "numpy.random.Generator.normal is no inverse transform"),
        (lambda _, rng: rng.exponential(2.0), "rng", "numpy.random.Generator.exponential is no inverse transform"),
        (lambda _, rng: rng.standard_exponential(), "rng", "standard_exponential with method='zig'"),
        (lambda _, rng: rng.geometric(0.1), "rng", "numpy.random.Generator.geometric with p=0.1"),
        (lambda _, rng: rng.binomial(70, 0.5), "rng", "numpy.random.Generator.binomial with n=70 and p=0.5"),
        (lambda _, rng: rng.normal(), "state", "numpy.random.RandomState.normal"),
        (lambda _, rng: rng.geometric(1e-15), "state", "numpy.random.RandomState.geometric with p=1e-15"),
        (lambda _, rng: rng.weibull(0.0), "state", "numpy.random.RandomState.weibull with 0.0"),
        (lambda _, rng: rng.laplace(np.zeros(3)), "rng", "Generator.laplace with a ndarray for a parameter"),
    ],
)
def test_what_is_no_inverse_transform_is_refused_by_name(program: Callable[..., Any], takes: str, name: str) -> None:
    with pytest.raises(Unauditable) as caught:
        enumerate_law(routed(program, takes), None)
    assert name in str(caught.value)
    with pytest.raises(Unauditable) as led_too:
        program(None, led(takes, coins_of(iter([]))))
    assert name in str(led_too.value)


def test_exact_law_of_laplace_noise_below_its_mean() -> None:
    law = enumerate_law(routed(lambda _, rng: rng.laplace(1.0, 2.0) < 1.0, "rng"), None).law
    assert law.tail == 0  # u = 0 is drawn again, which is the same state
    assert abs(law.prob(True) - Fraction(1, 2)) <= Fraction(1, 1 << 52)
