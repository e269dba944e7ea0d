"""Mixing that skips the draw it does not need: the draws tell which of the two programs is released."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.finite_computers.mixing import MIXING, rounded_geosample
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

__all__ = ["MIXING_EARLY_EXIT"]

X = TypeVar("X")
R = TypeVar("R")


def mixed_early_exit(
    program: Callable[[X, Coins], R], other: Callable[[Coins], R], gamma: Fraction
) -> Callable[[X, Coins], R]:
    """Release as `mixed` does, but run `other` only where it is released, where both are meant to be run."""
    weight = int(1 / gamma)

    def release(value: X, coins: Coins) -> R:
        meant = program(value, coins)
        if coins.below(weight) != 0:
            return meant
        return other(coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = MIXING.build(settings)
    n, bits = integer(settings, "n", least=1), integer(settings, "bits", least=1)
    program = rounded_geosample(n=n, k=noise_exponent(inverse(settings, "epsilon")), bits=bits)
    early = mixed_early_exit(program, lambda coins: coins.below(n + 1), inverse(settings, "gamma"))
    return replace(meant, program=early, closed_form=None, observes="outcome and draws")


MIXING_EARLY_EXIT = Mechanism(
    name="mixing-early-exit",
    words="mixing that returns before the draw that it does not need; the draws are observed",
    source="finite-computers, Algorithm 3.1, step by step",
    parameters=(
        Parameter("n", "2", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer; the claim is that of geosample"),
        Parameter("bits", "8", "geosample's probabilities are rounded to multiples of 2^-bits"),
        Parameter("gamma", "1/10", "the weight of the uniform count"),
    ),
    build=_build,
    expect="refuted",
    twin="mixing",
    fault="an early exit: a draw is made only where it is needed",
)
