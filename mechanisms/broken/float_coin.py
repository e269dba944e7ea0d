"""Randomized response with a coin of floats: k / 2^53 is less than a float near p a little too often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, rational_ratio
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE

__all__ = ["FLOAT_COIN"]


def float_coin(ratio: Fraction) -> Callable[[int, Coins], int]:
    """Release a bit as `randomized_response` does, with random() < p where below(total) < keep is meant."""
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator

    def release(bit: int, coins: Coins) -> int:
        return bit if coins.random() < keep / total else 1 - bit

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = float_coin(rational_ratio(Epsilon.of(settings["epsilon"])))
    return replace(RANDOMIZED_RESPONSE.build(settings), program=program, closed_form=None)


FLOAT_COIN = Mechanism(
    name="randomized-response-float",
    words="randomized response with random() < e^epsilon / (e^epsilon + 1)",
    source="Warner 1965, in floating point",
    parameters=(Parameter("epsilon", "ln(4)", "the claim; the fault shows where p is rounded up"),),
    build=_build,
    expect="refuted",
    twin="randomized-response",
    fault="a float for a probability that is none",
)
