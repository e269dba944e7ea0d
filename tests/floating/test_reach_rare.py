"""Evidence for reach.py: what a program releases on rare draws alone is never called impossible."""

import bisect
import functools
import heapq
import math
import statistics
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert import Coins, Unauditable
from dpcert.mechanisms.exact.explore import Record
from dpcert.reading.container_rules import COMPENSATES
from dpcert.reading.floats.coarse import floats_in
from dpcert.reading.paths.reach import Impossible, never_releases, plain_run, probability_of

Program = Callable[[float, Coins], Any]
FLOATS = 1 << 53
HALF, LAST = FLOATS // 2, FLOATS - 1
SLIVER = 2.0**-40
DRAWS = ((0, 0, 0), (0, HALF, 1), (3, 0, 3), (1, 2, 3), (3, 2, 1), (HALF, HALF, 1), (HALF, 1, HALF), (LAST, LAST, LAST))
"""Numbers below 2^53 that make zeros, ties, tiny products, halves and ends."""


def floats(*numbers: int) -> Record:
    return tuple((FLOATS, number) for number in numbers)


def asked(program: Program, record: Record) -> list[Impossible | None]:
    """Return what is said of the floats that a program releases on some draws, where it is not refused."""
    outcome, drawn = plain_run(program, 0.5, record)
    answers: list[Impossible | None] = []
    for point in floats_in(outcome):
        try:
            assert probability_of(program, 0.5, point, drawn)
            answers.append(never_releases(program, 0.5, point))
        except Unauditable:
            pass
    return answers


def quotient(count: float, coins: Coins) -> float:
    v, u = coins.random() - SLIVER, coins.random()
    with np.errstate(all="ignore"):
        return 0.125 if np.divide(v, u) < -1e6 else 3.0


def wrapped(count: float, coins: Coins) -> float:
    i, j = coins.below(1 << 32) - (1 << 32), coins.below((1 << 31) + 2)
    return coins.random() * 0.0 + (0.125 if np.multiply(i, j) > 2.0**61 else 3.0)


def added_bools(count: float, coins: Coins) -> float:
    i, x = coins.below(1 << 30), np.float64(1.0) * coins.random() + 4.5
    equal: Any = x == i
    return float((equal + equal) * 0.125 + 1.0)


def compensated(count: float, coins: Coins) -> float:
    x, y = coins.random() * 2.0**-60, coins.random() - SLIVER
    return 3.0 if y >= 0 else sum([1.0, x, -1.0]) * 1.0


def products(count: float, coins: Coins) -> float:
    x, y = coins.random() * 2.0**-60, coins.random() - SLIVER
    summed: Any = getattr(math, "sumprod", None) or (lambda p, q: p[1])
    return 3.0 if y >= 0 else float(summed([1.0, x, 1.0], [1.0, 1.0, -1.0]))


def not_implemented(count: float, coins: Coins) -> float:
    point = 0.75 * 0.625
    found = [*filter(point.__ne__, [coins.random() * coins.random()])]
    return 3.0 if found else 0.125


def overflowing_round(count: float, coins: Coins) -> float:
    w, x = coins.random() - SLIVER, np.float64(8.0) * coins.random()
    y: Any = round(x if w < 0 else np.float64(1.0) * w, 308)
    return 0.125 if math.isinf(y) else 3.0


def own_tracer(count: float, coins: Coins) -> float:
    before = sys.gettrace()
    sys.settrace(None)
    x = coins.random() * coins.random()
    found = 3.0 if x != 0.25 or hasattr(x, "_node") else count
    sys.settrace(before)
    return found


RARE = [
    (quotient, floats(3, 0)),
    (wrapped, ((1 << 32, 0), ((1 << 31) + 2, (1 << 31) + 1), (FLOATS, HALF))),
    (added_bools, ((1 << 30, 5), (FLOATS, HALF))),
    (compensated, floats(HALF, 3)),
    (products, floats(HALF, 3)),
    (not_implemented, floats(3 * FLOATS // 4, 5 * FLOATS // 8)),
    (overflowing_round, floats(3, HALF)),
    (own_tracer, floats(HALF, HALF)),
]


@pytest.mark.filterwarnings("ignore:NotImplemented should not be used", "ignore:overflow")
@pytest.mark.parametrize(("program", "record"), RARE)
def test_what_a_program_releases_on_rare_draws_is_not_called_impossible(program: Program, record: Record) -> None:
    assert plain_run(program, 0.5, record)[1] == record
    assert asked(program, record) in ([], [None])


def identities(count: float, coins: Coins) -> Any:
    u, v = coins.random(), coins.random()
    x = u * v
    return [x - x + count, x * 0.0 + count, (u + v) - v, (x + 0.5) / (x + 0.5), abs(-x) - x]


def zeros(count: float, coins: Coins) -> Any:
    x = coins.random() * (coins.random() - 0.5) * 1e-300 * 1e-300
    return x, -x, count + (x == 0.0), count if x else 2.0


def scaled(count: float, coins: Coins) -> float:
    return (coins.random() * 1e-160) * (coins.random() * 1e-160) * 2.0**1000 * 2.0**40 + count


def infinite(count: float, coins: Coins) -> float:
    x = (coins.random() * 1e200) * (coins.random() * 1e200)
    return count if math.isinf(x) or x - x != 0.0 else 3.0


def divided(count: float, coins: Coins) -> float:
    u = coins.random()
    try:
        return u / u + count * coins.random()
    except ZeroDivisionError:
        return 7.0


def whole(count: float, coins: Coins) -> float:
    x = coins.random() + coins.random()
    return count + int(x * 4.0) / 4 + round(x * 2.5) * 0.5 + round(x, 1)


def ordered(count: float, coins: Coins) -> Any:
    x, y, z = (coins.random() - 0.5 for _ in range(3))
    middle = sorted([x, y, z])[1]
    return count + max(x, y, z, 0.0) * min(x, y), count if x < y < z else 1.0 if x == y == z else 2.0, middle


def contained(count: float, coins: Coins) -> float:
    x, y, z = (coins.random() for _ in range(3))
    return count + [x * y, z, 0.5].index(z) + (x in [y, 0.25]) * 4.0 + [x, y, z].count(x) * 16.0


def searched(count: float, coins: Coins) -> Any:
    heap = [coins.random() for _ in range(3)]
    heapq.heapify(heap)
    return count + heapq.heappop(heap) - heap[0], bisect.bisect([0.1, 0.5], heap[0]) * 0.1, statistics.median(heap)


def noisy_max(count: float, coins: Coins) -> float:
    noisy = [i - math.log(-math.log(coins.random() + 1e-17)) for i in range(2)]
    return count + noisy.index(max(noisy)) * 0.5


def matched(count: float, coins: Coins) -> float:
    match coins.random() * coins.random():
        case 0.25:
            return count + 9.0
        case float(x) if x > 0.5:
            return count + x
        case x:
            return count - x


def powers(count: float, coins: Coins) -> Any:
    x = coins.random() - coins.random()
    return count + x**2 + x**3, np.power(x * x, 2.5), math.sinh(x * 700.0) * 1e-300


def waves(count: float, coins: Coins) -> Any:
    x = math.cos(coins.random() * 2.0**-30)
    return count + x - np.sin(7e15 * coins.random()), count if x >= 1.0 else 2.0


def roots(count: float, coins: Coins) -> float:
    u, v = coins.random(), coins.random()
    try:
        return count + math.sqrt((u - v) * (u + v) - (u * u - v * v))
    except ValueError:
        return 9.0


def large(count: float, coins: Coins) -> float:
    x = coins.random() * coins.random()
    return count + float(math.floor(x * 8.0) * 10**300) * 1e-300 + float(10**30) * x * 1e-30


def excepted(count: float, coins: Coins) -> float:
    x = coins.random() * coins.random()
    try:
        hash(x)
    except BaseException:
        return 9.0
    return count


def raised(count: float, coins: Coins) -> float:
    x = coins.random() * coins.random()
    if x < 0.25:
        raise ValueError("low")
    return count + x


def merged(count: float, coins: Coins) -> float:
    return count + quarters(coins) * 0.25 + coins.random()


@dpcert.summarize
def quarters(coins: Coins) -> int:
    return int(coins.random() * coins.random() * 4.0)


def cached(count: float, coins: Coins) -> Any:
    return functools.lru_cache(lambda x: x * 1.0)(coins.random() * coins.random())


def arrays(count: float, coins: Coins) -> Any:
    held = np.empty(2, dtype=object)
    held[0], held[1] = coins.random(), coins.random()
    return count + held.sum() + np.dot(held, held) + np.max(held)


def numpy_steps(count: float, coins: Coins) -> Any:
    x = np.multiply(coins.random(), coins.random() - 0.5)
    clipped = np.clip(x, -0.125, 0.1)
    return [np.where(clipped < 0.0, count, 2.0), np.sign(x) * 0.125, np.round(x, 3), float(~(x < 0.1))]


COMMON = [identities, zeros, scaled, infinite, divided, whole, ordered, contained, searched, noisy_max, matched]
COMMON += [powers, waves, roots, large, excepted, raised, merged, cached, arrays, numpy_steps]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", COMMON)
def test_nothing_that_a_program_releases_on_extreme_draws_is_called_impossible(program: Program) -> None:
    assert all(answer is None for numbers in DRAWS for answer in asked(program, floats(*numbers)))


def test_a_function_that_was_put_in_place_of_one_of_math_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    own = math.cos
    monkeypatch.setattr(math, "cos", lambda x: own(x) + (8.0 if 0.25 < x < 0.25 + 1e-9 else 0.0))

    def program(count: float, coins: Coins) -> float:
        return count + math.cos(coins.random() * coins.random())

    assert never_releases(program, 0.5, 9.25) is None  # of cosines, all between -1 and 1 is taken for possible
    assert never_releases(program, 0.5, 9.75) is not None
    assert never_releases(program, 0.5, 2.0) is not None


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (quotient, "which errors numpy raises"),
        (own_tracer, "gettrace is not followed"),
        (wrapped, "needed as a plain number"),
    ],
)
def test_why_is_named(program: Program, words: str) -> None:
    with pytest.raises(Unauditable, match=words):
        never_releases(program, 0.5, 0.125)


def test_sum_is_that_of_the_machine() -> None:
    assert (sum([1.0, 1e-20, -1.0]) != 0.0) == COMPENSATES
