"""The faults of geometric."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.finite_computers.geometric import GEOMETRIC, State, inverse, ratio_of
from dpcert.mechanisms.mechanism import Expected

fault = FaultsOf(
    GEOMETRIC,
    defaults={"n": "2", "ratio": "2", "method": "flips"},
    about={"method": "the method of geometric that is meant"},
)


@fault(
    "geometric-early-stop",
    source="finite-computers, Section 1, on running time, applied to Algorithm 4.5",
    fault="flips that stop at the first failure, for as many flips whatever comes",
    edit=("if left == 0 or not growing:", "if left == 0:"),
    observes="outcome and draws",
    expected=Expected(0, 1, [(0, (3,))], "1/3", "0"),
)
def geometric_early_stop(settings: Settings) -> Callable[[int, Coins], int]:
    """the geometric mechanism by flips that stop when the noise is known; the draws are observed"""
    n, ratio = ratio_of(settings)
    a, b = ratio.numerator, ratio.denominator

    def flip(state: State, coins: Coins) -> State | Done[int]:
        left, distance, growing = state
        if left == 0 or not growing:
            return Done(distance)
        more = coins.below(a) < b and growing
        return left - 1, distance + more, more

    def release(count: int, coins: Coins) -> int:
        first = coins.below(a + b)
        sign = 0 if first < a - b else 1 if first < a else -1
        noisy = count + sign * coins.loop((n - 1, 1, sign != 0), flip)
        return min(max(noisy, 0), n)

    return release


@fault(
    "geometric-float",
    source="finite-computers, Algorithm 4.5, in floating point",
    fault="a float of 53 bits for a uniform number of more",
    edit=("coins.random() * d", "coins.below(d)"),
    defaults={"n": "6", "ratio": "512", "method": "draw"},
    expected=Expected(1, 0, [6], f"1/{2**45}", "0"),
)
def geometric_float(settings: Settings) -> Callable[[int, Coins], int]:
    """the geometric mechanism by inverse transform of a float below 1"""
    n, ratio = ratio_of(settings)
    d, find = inverse(n=n, ratio=ratio)
    return lambda count, coins: find(count, coins.random() * d)
