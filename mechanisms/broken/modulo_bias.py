"""Randomized response whose uniform number is made by `% d` from bits: the small remainders come too often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE

__all__ = ["MODULO_BIAS"]


def modulo_bias(*, ratio: Fraction, bits: int) -> Callable[[int, Coins], int]:
    """Release a bit as `randomized_response` does, with getrandbits(bits) % d where below(d) is meant."""
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator

    def release(bit: int, coins: Coins) -> int:
        return bit if coins.getrandbits(bits) % total < keep else 1 - bit

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    ratio = rational_ratio(Epsilon.of(settings["epsilon"]))
    bits = integer(settings, "bits", least=1, greatest=4096)
    meant = RANDOMIZED_RESPONSE.build({"epsilon": settings["epsilon"]})
    return replace(meant, program=modulo_bias(ratio=ratio, bits=bits), closed_form=None)


MODULO_BIAS = Mechanism(
    name="randomized-response-modulo",
    words="randomized response whose uniform number is getrandbits(bits) % d",
    source="Warner 1965, with a biased uniform number",
    parameters=(Parameter("epsilon", "ln(2)", "the claim"), Parameter("bits", "32", "the bits reduced modulo d")),
    build=_build,
    expect="refuted",
    twin="randomized-response",
    fault="`% d` of random bits for a uniform number below d",
)
