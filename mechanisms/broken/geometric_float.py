"""The geometric mechanism from a float: of 2^53 values, none is in a tail of less than 2^-53."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geometric import GEOMETRIC, inverse, ratio_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["GEOMETRIC_FLOAT"]


def geometric_float(*, n: int, ratio: Fraction) -> Callable[[int, Coins], int]:
    """Release as `geometric` does, from random() d where below(d) is meant."""
    d, find = inverse(n=n, ratio=ratio)
    return lambda count, coins: find(count, coins.random() * d)


def _build(settings: Mapping[str, str]) -> Instance:
    n, ratio = ratio_of(settings)
    return replace(GEOMETRIC.build(settings), program=geometric_float(n=n, ratio=ratio), closed_form=None)


GEOMETRIC_FLOAT = Mechanism(
    name="geometric-float",
    words="the geometric mechanism by inverse transform of a float below 1",
    source="finite-computers, Algorithm 4.5, in floating point",
    parameters=(
        Parameter("n", "6", "the greatest count"),
        Parameter("ratio", "512", "e^(epsilon/2)"),
        Parameter("method", "draw", "the method of geometric that is meant"),
    ),
    build=_build,
    expect="refuted",
    twin="geometric",
    fault="a float of 53 bits for a uniform number of more",
)
