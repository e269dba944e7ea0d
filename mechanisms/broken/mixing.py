"""The faults of mixing."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers import mixing
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import Expected, integer, inverse

fault = FaultsOf(mixing.MIXING, defaults={"n": "12", "epsilon": "1", "bits": "8", "gamma": "1/2"})


@fault(
    "geosample-rounded",
    source="finite-computers, Section 3, step 2 without step 3",
    fault="a tail lost in rounding, without the mixing that brings it back",
    edit=(
        "mixing.rounded_geosample(n=n, k=k, bits=bits)",
        "mixing.mixed(mixing.rounded_geosample(n=n, k=k, bits=bits), lambda coins: coins.below(n + 1), "
        'inverse(settings, "gamma"))',
    ),
    expected=Expected(1, 0, [11], "1/256", "0"),
)
def geosample_rounded(settings: Settings) -> Program:
    """geosample with its probabilities rounded to multiples of 2^-bits, and no mixing"""
    n, bits = integer(settings, "n", least=1), integer(settings, "bits", least=1)
    k = noise_exponent(inverse(settings, "epsilon"))
    return mixing.rounded_geosample(n=n, k=k, bits=bits)


@fault(
    "mixing-early-exit",
    source="finite-computers, Algorithm 3.1, step by step",
    fault="an early exit: a draw is made only where it is needed",
    edit=(
        "if coins.below(weight) != 0:\n            return meant\n        return coins.below(n + 1)",
        "instead = coins.below(n + 1)\n        return instead if coins.below(weight) == 0 else meant",
    ),
    defaults={"n": "2", "epsilon": "1/2", "gamma": "1/10"},
    observes="outcome and draws",
    expected=Expected(0, 1, [(0, (256, 10))], "1278/2560", "1017/2560"),
)
def mixing_early_exit(settings: Settings) -> Callable[[int, Coins], int]:
    """mixing that returns before the draw that it does not need; the draws are observed"""
    n, bits = integer(settings, "n", least=1), integer(settings, "bits", least=1)
    program = mixing.rounded_geosample(n=n, k=noise_exponent(inverse(settings, "epsilon")), bits=bits)
    weight = int(1 / inverse(settings, "gamma"))

    def release(count: int, coins: Coins) -> int:
        meant = program(count, coins)
        if coins.below(weight) != 0:
            return meant
        return coins.below(n + 1)

    return release
