"""Evidence for numpy's functions on undecided numbers: they are the very functions, and arrays hold decided numbers."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.paths.enumerator import Followed, enumerate_law

Twin = Callable[..., Followed]
QUARTER = Fraction(1, 4)

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "sinh": np.sinh,
    "tanh": np.tanh,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "negative": np.negative,
    "absolute": np.abs,
    "sign": np.sign,
    "signbit": np.signbit,
    "isfinite": np.isfinite,
    "minimum": lambda x: np.minimum(x, 0.5),
    "maximum": lambda x: np.maximum(0.5, x),
    "add": lambda x: np.add(x, 0.25),
    "subtract": lambda x: np.subtract(0.25, x),
    "multiply": lambda x: np.float64(3.0) * x,
    "divide": lambda x: np.divide(x, 3.0),
    "divided": lambda x: np.float64(3.0) / x,
    "power": lambda x: np.power(x, 1.5),
    "powers": lambda x: np.power(1.5, x),
    "copysign": lambda x: np.copysign(x, -1.0),
    "less": lambda x: np.less(x, 0.25),
    "greater": lambda x: np.greater(0.25, x),
    "equal": lambda x: np.equal(x, 0.25),
    "hypot": lambda x: np.hypot(x, 1.0),
    "sum": lambda x: np.add.reduce([x, x]),
    "round": lambda x: np.round(x, 1),
    "whole": np.round,
    "tens": lambda x: np.round(x * 100, -1),
    "clipped": lambda x: np.clip(x, None, 0.5),
    "below": lambda x: x < np.array([0.1, 0.5, 0.25]),
    "above": lambda x: np.array([[0.1], [0.5]]) >= x,
    "between": lambda x: np.array([0, 1]) < x,
    "array": lambda x: np.array([x, 0.5]),
    "stack": lambda x: np.arange(3) + x,
    "clip": lambda x: np.clip(x, 0.1, 0.9),
}


NANS = frozenset({"log", "log2", "log10", "sqrt", "power"})
"""Functions that give NaN for some negative number, of which the machine knows none that is single."""


@pytest.mark.points(6)
@pytest.mark.filterwarnings("ignore:divide by zero|invalid value:RuntimeWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shift", [0, 1, -3])
def test_exact_twin_of_a_function_of_numpy(twin: Twin, name: str, shift: int) -> None:
    def program(_: None, coins: Coins) -> Any:
        return FUNCTIONS[name]((coins.below(9) + shift) / 8)

    if shift < 0 and name in NANS:
        found = enumerate_law(program, None)
        assert found.law.tail == 1
        assert "NaN" in " ".join(found.notes)
    else:
        twin(program)


@pytest.mark.parametrize("name", ["log", "exp2", "sqrt"])
def test_exact_twin_of_a_function_of_an_integer(twin: Twin, name: str) -> None:
    twin(lambda _, coins: FUNCTIONS[name](coins.below(9) + 1) < 1.5)


@pytest.mark.parametrize(
    "ask",
    [
        lambda u: np.log(u) < np.log(0.25) if u > 0 else True,
        lambda u: np.sqrt(u) < 0.5,
        lambda u: np.float64(1.0) + u < 1.25 - 2.0**-52,
        lambda u: np.floor(u * 4) == 0.0,
        lambda u: np.sign(u - 0.25) == -1.0,
        lambda u: np.less(u, 0.25),
        lambda u: np.abs(u - 0.5) > 0.375,
        lambda u: np.round(u * 2 + 0.25) > 0.5 and u < 0.375,
        lambda u: np.clip(u, 0.1, 0.9) < 0.25,
        lambda u: np.argmax(u < np.array([0.25, 0.5, 1.0])) == 0,
    ],
)
def test_numpy_is_followed_at_the_resolution_of_the_machine(ask: Callable[[Any], Any]) -> None:
    found = enumerate_law(lambda _, coins: bool(ask(coins.random())), None)
    assert found.law.tail == 0
    assert abs(found.law.prob(True) - QUARTER) <= Fraction(4, 1 << 53)
    assert found.leaves <= 6


def test_an_array_of_many_values_is_given_up_by_name() -> None:
    found = enumerate_law(lambda _, coins: np.array([coins.random()]), None)
    assert found.law.tail == 1
    assert any("is needed as a plain number" in note for note in found.notes)


def test_a_power_of_numpys_double_is_that_of_its_operator() -> None:
    found = enumerate_law(lambda _, coins: np.float64(1.5) ** coins.random() < 1.2, None)
    assert found.law.tail == 0
    assert "numpy.float64 ** float lies within" in found.assumptions[0]


def test_a_logarithm_of_zero_is_minus_infinity() -> None:
    with np.errstate(divide="ignore"):
        found = enumerate_law(lambda _, coins: bool(np.log(coins.random()) == -math.inf), None)
    assert found.law.prob(True) == Fraction(1, 1 << 53)
