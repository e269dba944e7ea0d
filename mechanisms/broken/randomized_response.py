"""The faults of randomized-response."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Expected, integer, rational_ratio
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE

fault = FaultsOf(RANDOMIZED_RESPONSE, defaults={"epsilon": "ln(4)"})


@fault(
    "randomized-response-float",
    source="Warner 1965, in floating point",
    fault="a float for a probability that is none",
    edit=("coins.random() < keep / total", "coins.below(total) < keep"),
    about={"epsilon": "the claim; the fault shows where p is rounded up"},
    expected=Expected(0, 1, [0], f"7205759403792794/{2**53}", f"{2**53 - 7205759403792794}/{2**53}"),
)
def float_coin(settings: Settings) -> Callable[[int, Coins], int]:
    """randomized response with random() < e^epsilon / (e^epsilon + 1)"""
    ratio = rational_ratio(Epsilon.of(settings["epsilon"]))
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator
    return lambda bit, coins: bit if coins.random() < keep / total else 1 - bit


@fault(
    "randomized-response-modulo",
    source="Warner 1965, with a biased uniform number",
    fault="`% d` of random bits for a uniform number below d",
    edit=("coins.getrandbits(bits) % total", "coins.below(total)"),
    defaults={"epsilon": "ln(2)", "bits": "32"},
    about={"bits": "the bits reduced modulo d"},
    expected=Expected(0, 1, [0], f"2863311531/{2**32}", f"1431655765/{2**32}"),
)
def modulo_bias(settings: Settings) -> Callable[[int, Coins], int]:
    """randomized response whose uniform number is getrandbits(bits) % d"""
    ratio = rational_ratio(Epsilon.of(settings["epsilon"]))
    bits = integer(settings, "bits", least=1, greatest=4096)
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator
    return lambda bit, coins: bit if coins.getrandbits(bits) % total < keep else 1 - bit


@fault(
    "randomized-response-type",
    source="Warner 1965, with an outcome that leaks by its type",
    fault="`not bit` for `1 - bit`: 1 was kept, True was flipped",
    edit=("else not bit", "else 1 - bit"),
    defaults={"epsilon": "ln(3)"},
    expected=Expected(0, 1, [0], "3/4", "0"),
)
def type_leak(settings: Settings) -> Callable[[int, Coins], int]:
    """randomized response whose flipped answers have another type"""
    ratio = rational_ratio(Epsilon.of(settings["epsilon"]))
    keep, total = ratio.numerator, ratio.numerator + ratio.denominator
    return lambda bit, coins: bit if coins.below(total) < keep else not bit
