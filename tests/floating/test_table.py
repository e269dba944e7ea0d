"""Evidence for docs/reference/float-code.md: each row of its two tables is held true by one test."""

import math
import os
import random
import re
import secrets
import statistics
import sys
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert import Coins, Unauditable
from dpcert.reading.paths.enumerator import enumerate_law

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "float-code.md"
OWN = np.random.default_rng()

EXACT: dict[str, Callable[[Any], Any]] = {
    "numpy.array": lambda x: np.array([x])[0],
    "math.sqrt": lambda x: math.sqrt(x),
    "math.fabs": lambda x: math.fabs(x - 0.5),
    "math.copysign": lambda x: math.copysign(x, -1.0),
    "math.floor": lambda x: math.floor(x * 8),
    "math.ceil": lambda x: math.ceil(x * 8),
    "math.trunc": lambda x: math.trunc(x * 8),
    "math.isnan": lambda x: x if not math.isnan(x) and not math.isinf(x) and math.isfinite(x) else 2.0,
    "float": lambda x: float(x),
    "round": lambda x: round(x * 8),
    "numpy.sqrt": np.sqrt,
    "numpy.floor": lambda x: np.floor(x * 8),
    "numpy.ceil": lambda x: np.ceil(x * 8),
    "numpy.trunc": lambda x: np.trunc(x * 8),
    "numpy.rint": lambda x: np.rint(x * 8),
    "numpy.round": lambda x: np.round(x, 1),
    "numpy.clip": lambda x: np.clip(x, 0.1, 0.7),
    "numpy.absolute": lambda x: np.absolute(x - 0.5),
    "numpy.sign": lambda x: np.sign(x - 0.5),
    "numpy.copysign": lambda x: np.copysign(x, -1.0),
    "numpy.minimum": lambda x: np.minimum(x, 0.7),
    "numpy.maximum": lambda x: np.maximum(x, 0.2),
    "numpy.less": lambda x: float(np.less(x, 0.2)),
}
ENCLOSED: dict[str, Callable[[Any], Any]] = {
    **{
        f"math.{name}": lambda x, name=name: getattr(math, name)(x)
        for name in ("log2", "log10", "log1p", "exp", "exp2", "expm1", "sinh", "tanh", "asinh", "atan", "erf", "erfc")
    },
    "math.log": lambda x: math.log(x, 3) + 1.0,
    "math.pow": lambda x: math.pow(x, 1.7),
    **{
        f"numpy.{name}": getattr(np, name)
        for name in ("log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "sinh", "tanh")
    },
    "numpy.power": lambda x: np.power(x, 1.7),
}
DECIDED: dict[str, Callable[[Any], Any]] = {
    "math.sin": math.sin,
    "math.fmod": lambda x: math.fmod(x, 0.3),
    "math.hypot": lambda x: math.hypot(x, 0.3),
    "numpy.cos": np.cos,
}
ROUTED: dict[str, Callable[[Any], Any]] = {
    "random.random": lambda x: random.random(),
    "random.Random()": lambda x: random.Random().random(),
    "random.SystemRandom()": lambda x: random.SystemRandom().random(),
    "secrets.randbelow": lambda x: secrets.randbelow(10**6) / 10**6,
    "os.urandom": lambda x: os.urandom(1)[0] / 256,
    "numpy.random.default_rng()": lambda x: np.random.default_rng().random(),
    "numpy.random.RandomState()": lambda x: np.random.RandomState().random_sample(),
    "Generator.random": lambda x: OWN.random(),
    "Generator.uniform": lambda x: OWN.uniform(),
    "Generator.integers": lambda x: OWN.integers(10**6) / 10**6,
    "Generator.laplace": lambda x: OWN.laplace(),
    "Generator.logistic": lambda x: OWN.logistic(),
    "Generator.gumbel": lambda x: OWN.gumbel(),
    "Generator.geometric": lambda x: OWN.geometric(0.4) / 8,
    "Generator.binomial": lambda x: OWN.binomial(3, 0.4) / 8,
    "Generator.multinomial": lambda x: float(OWN.multinomial(3, [0.5, 0.5])[0]) / 8,
    "Generator.choice": lambda x: OWN.choice([0.0, 0.5, 0.75], p=[0.25, 0.5, 0.25]),
    "Generator.standard_exponential": lambda x: OWN.standard_exponential(method="inv"),
    "numpy.random.random": lambda x: np.random.random(),
    "numpy.random.uniform": lambda x: np.random.uniform(),
    "numpy.random.randint": lambda x: np.random.randint(10**6) / 10**6,
    "numpy.random.exponential": lambda x: np.random.exponential(2.0),
    "numpy.random.geometric": lambda x: np.random.geometric(0.25) / 8,
    "numpy.random.rayleigh": lambda x: np.random.rayleigh(),
    "numpy.random.weibull": lambda x: np.random.weibull(1.5),
    "numpy.random.pareto": lambda x: np.random.pareto(1.5),
    "numpy.random.power": lambda x: np.random.power(1.5),
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "random.seed": lambda x: random.seed(3),
    "numpy.random.seed": lambda x: np.random.seed(3),
    "numpy.random.PCG64()": lambda x: np.random.PCG64(),
    "Generator.exponential": lambda x: OWN.exponential(),
    "Generator.normal": lambda x: OWN.normal(),
    "Generator.poisson": lambda x: OWN.poisson(3.0),
    "numpy.random.normal": lambda x: np.random.normal(),
}


def rows(heading: str) -> dict[str, str]:
    """Return {name: category} of the table under a heading of the page."""
    section = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = re.findall(r"^\| (`[^|]+`) \| (\w+) \|", section, re.MULTILINE)
    return {name: category for names, category in lines for name in re.findall("`([^`]+)`", names)}


def test_the_tables_and_their_tests_have_the_same_rows() -> None:
    expected = dict.fromkeys(EXACT, "exact") | dict.fromkeys(ENCLOSED, "enclosed") | dict.fromkeys(DECIDED, "decided")
    assert rows("Functions") == expected
    expected = dict.fromkeys(ROUTED, "routed") | dict.fromkeys(REFUSED, "refused")
    assert rows("Randomness that is not passed in") == expected


@pytest.mark.points(21)
@pytest.mark.parametrize("name", [*EXACT, *ENCLOSED])
def test_a_followed_function_has_a_law_without_a_tail(name: str) -> None:
    apply = (EXACT | ENCLOSED)[name]
    found = enumerate_law(lambda _, coins: bool(apply(coins.random() * 0.5 + 0.25) < 0.6), None)
    assert found.law.tail == 0
    assert found.leaves <= 12
    assert len(found.assumptions) == (name in ENCLOSED)
    assert all(name.removeprefix("math.") in words for words in found.assumptions)


@pytest.mark.parametrize("name", DECIDED)
def test_a_decided_function_leaves_a_tail(name: str) -> None:
    found = enumerate_law(lambda _, coins: bool(DECIDED[name](coins.random() * 0.5 + 0.25) < 0.6), None)
    assert found.law.tail == 1
    assert "needed as a plain" in " ".join(found.notes)


@pytest.mark.points(3)
@pytest.mark.parametrize("name", ROUTED)
def test_a_routed_name_draws_from_the_coins(name: str) -> None:
    function = ROUTED[name]

    found = enumerate_law(dpcert.redirect(lambda x: bool(function(x) < 0.3)), None)
    assert found.law.tail < Fraction(1, 1 << 90)
    assert 0 < found.law.prob(True) < 1


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_name_is_named(name: str) -> None:
    with pytest.raises(Unauditable) as caught:
        enumerate_law(dpcert.redirect(REFUSED[name]), None)
    words = (
        f"{name.split('.')[-1]} is no inverse transform" if "seed" not in name else "seeded draws what its seed says"
    )
    assert (words if "PCG64" not in name else "PCG64 is not followed") in str(caught.value)


NUMBERS = 1.0, 1e16, -1e16
total = sum


def test_a_sum_by_another_name_makes_up_for_rounding_as_it_does_on_plain_floats() -> None:
    def program(_: None, coins: Coins) -> float:
        return total((coins.below(8) / 8, *NUMBERS))

    found, plain = (enumerate_law(program, None, eager=each).law for each in (0, 1))
    assert found == plain


@pytest.mark.parametrize("row", [[], deque()])
def test_a_sum_within_an_operator_in_place_makes_up_for_rounding_as_on_plain_floats(row: Any) -> None:
    def program(_: None, coins: Coins) -> float:
        found = type(row)()
        found += map(total, [(coins.below(8) / 8, *NUMBERS)])
        return found[0]

    found, plain = (enumerate_law(program, None, eager=each).law for each in (0, 1))
    assert found == plain


def test_a_weighted_mean_is_that_of_plain_floats_or_is_refused() -> None:
    """From CPython 3.12 on `math.sumprod` takes another way for numbers that are no plain floats; replays see it."""

    def program(_: None, coins: Coins) -> float:
        return statistics.fmean((coins.below(8) / 8, *NUMBERS), (1, 1, 1, 1))

    plain = enumerate_law(program, None, eager=True).law
    if sys.version_info < (3, 12):
        assert enumerate_law(program, None).law == plain
        return
    with pytest.raises(Unauditable, match="the program can tell lazy coins from real ones"):
        enumerate_law(program, None)
