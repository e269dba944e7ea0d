"""Geometric noise by flips that stop at the first failure: the time that it takes is the noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.finite_computers.geometric import GEOMETRIC, State, ratio_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOMETRIC_EARLY_STOP"]


def geometric_early_stop(*, n: int, ratio: Fraction) -> Callable[[int, Coins], int]:
    """Release as `geometric_by_flips` does, but stop when the noise is known, where n draws in all are meant."""
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


def _build(settings: Mapping[str, str]) -> Instance:
    n, ratio = ratio_of(settings)
    program = geometric_early_stop(n=n, ratio=ratio)
    return replace(GEOMETRIC.build(settings), program=program, closed_form=None, observes="outcome and draws")


GEOMETRIC_EARLY_STOP = Mechanism(
    name="geometric-early-stop",
    words="the geometric mechanism by flips that stop when the noise is known; the draws are observed",
    source="finite-computers, Section 1, on running time, applied to Algorithm 4.5",
    parameters=(
        Parameter("n", "2", "the greatest count"),
        Parameter("ratio", "2", "e^(epsilon/2)"),
        Parameter("method", "flips", "the method of geometric that is meant"),
    ),
    build=_build,
    expect="refuted",
    twin="geometric",
    fault="flips that stop at the first failure, for as many flips whatever comes",
)
