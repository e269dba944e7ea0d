"""Randomized response: one bit, released as it is or flipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import bits
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, rational_ratio


def randomized_response(ratio: Fraction) -> Callable[[int, Coins], int]:
    """Return the program that releases a bit with probability ratio / (ratio + 1), else the other bit.

    Requires: ratio >= 1.
    Claims:   (ln(ratio), 0)-DP for any two bits; tight.
    Source:   Warner 1965.
    """
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator
    return lambda bit, coins: bit if coins.below(total) < keep else 1 - bit


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon = Epsilon.of(settings["epsilon"])
    ratio = rational_ratio(epsilon)

    def closed_form(bit: int) -> Dist:
        weights = [(bit, ratio.numerator), (1 - bit, ratio.denominator)]
        return Dist.from_weights(weights, ratio.numerator + ratio.denominator)

    return Instance(
        program=randomized_response(ratio),
        closed_form=closed_form,
        inputs=(0, 1),
        neighbours="any",
        epsilon=epsilon,
        domain=bits(),
    )


RANDOMIZED_RESPONSE = Mechanism(
    name="randomized-response",
    words="release one bit, flipped with probability 1 / (e^epsilon + 1)",
    source="Warner 1965",
    parameters=(Parameter("epsilon", "ln(3)", "the claimed epsilon; the coin uses a rational just below e^epsilon"),),
    build=_build,
)
