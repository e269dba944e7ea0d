"""On correct samplers false alarms are no more frequent than stated, by a one-sided exact binomial test.

`tests/audit/test_fit.py` holds the p-values valid exactly on small laws; here they are those of samplers that run.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from dpcert import Coins, Dist, seeded_coins
from dpcert.audit.fit import Classes, at_least
from dpcert.mechanisms.exact.outcome import key

ALPHA = 1e-6
"""The chance that blindly chosen seeds blame a valid p-value, for each test here."""
RATES = [Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)]
REPETITIONS = 1_000
CASES = {
    "randomized-response() of 1": 50,
    "joined-count() of [6, 1]": 100,
    "geosample() of 8": 250,
    "sbh() of 20": 250,
    "coins: shuffle": 250,
}
"""Each with the samples of one repetition."""
Judge = Callable[[Classes, list[int]], float]


def p_values(
    draw: Callable[[Coins], Any], law: Dist, coins: Coins, *, times: int, samples: int, judge: Judge
) -> list[float]:
    classes = Classes.of(law, samples)

    def once() -> float:
        counts = [0] * len(classes.names)
        for _ in range(samples):
            counts[classes.places[key(draw(coins))]] += 1
        return judge(classes, counts)

    return [once() for _ in range(times)]


def valid(classes: Classes, counts: list[int]) -> float:
    return classes.judge(counts).p


def too_frequent(found: list[float], rate: Fraction) -> bool:
    """Whether as many p-values at most the rate are a matter of chance with probability below ALPHA."""
    return at_least(len(found), rate, sum(p <= rate for p in found)) < ALPHA / len(RATES)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "samples"), CASES.items())
def test_rate_false_alarms_on_a_correct_sampler(name: str, samples: int, suite: tuple[Any, ...]) -> None:
    case = next(case for case in suite if case.name == name)
    coins = seeded_coins(Random(f"size of {name}").getrandbits(64))
    found = p_values(case.draw, case.law, coins, times=REPETITIONS, samples=samples, judge=valid)
    assert len(found) == REPETITIONS
    assert not any(too_frequent(found, rate) for rate in RATES)
    assert len(set(found)) > 1


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("randomized-response() of 1", lambda classes, counts: classes.judge(counts).p / 3),
        ("coins: shuffle", lambda classes, counts: min(cell_values(classes, counts))),
    ],
    ids=["a third of an exact p", "the least of all cells for one"],
)
def test_caught_a_p_value_that_is_too_small(name: str, fault: Judge, case_named: Callable[[str], Any]) -> None:
    case = case_named(name)
    coins = seeded_coins(Random(f"fault of {name}").getrandbits(64))
    found = p_values(case.draw, case.law, coins, times=REPETITIONS, samples=CASES[name], judge=fault)
    assert too_frequent(found, RATES[0])


def cell_values(classes: Classes, counts: list[int]) -> list[float]:
    rows = zip(classes.probabilities, counts, strict=True)
    return [
        min(at_least(classes.samples, p, x), at_least(classes.samples, 1 - p, classes.samples - x)) for p, x in rows
    ]


@pytest.mark.nightly
def test_rate_false_alarms_on_every_sampler(suite: tuple[Any, ...]) -> None:
    """A hundred repetitions of each case, all false alarms counted together."""
    found: list[float] = []
    for case in suite:
        coins = seeded_coins(Random(f"every size of {case.name}").getrandbits(64))
        found += p_values(case.draw, case.law, coins, times=100, samples=200, judge=valid)
    assert not any(too_frequent(found, rate) for rate in RATES)
