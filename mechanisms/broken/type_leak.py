"""Randomized response whose flipped answers are bools and whose kept ones are ints: equal, but not the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, rational_ratio
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE

__all__ = ["TYPE_LEAK"]


def type_leak(ratio: Fraction) -> Callable[[int, Coins], int]:
    """Release a bit as `randomized_response` does, with `not bit` where `1 - bit` is meant."""
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator

    def release(bit: int, coins: Coins) -> int:
        return bit if coins.below(total) < keep else not bit

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return replace(
        RANDOMIZED_RESPONSE.build(settings),
        program=type_leak(rational_ratio(Epsilon.of(settings["epsilon"]))),
        closed_form=None,
    )


TYPE_LEAK = Mechanism(
    name="randomized-response-type",
    words="randomized response whose flipped answers have another type",
    source="Warner 1965, with an outcome that leaks by its type",
    parameters=RANDOMIZED_RESPONSE.parameters,
    build=_build,
    expect="refuted",
    twin="randomized-response",
    fault="`not bit` for `1 - bit`: 1 was kept, True was flipped",
)
