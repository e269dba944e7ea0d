"""The snapping mechanism of diffprivlib, exactly: a sign, a mantissa of 52 bits, and words that give an exponent."""

import copy
import functools
from collections.abc import Callable
from typing import Any

from dpcert.libraries.steps import Fixed, Steps, steps
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key

MANTISSA = 52
WORD = 32
FARTHEST = 30
"""The most words of 0; the least uniform number is then about 2^-1000."""


def snapped(mechanism: Any) -> Callable[[Any, Coins], Any]:
    """Return a `Snapping` object as a program (value, coins) with the same draws, in another order.

    Its uniform number is (2^52 + m) 2^-e with m uniform on 52 bits. The exponent comes from words of 32 bits: after a
    word 0, another is drawn. The program draws no more words once all numbers that are still possible have one outcome.
    For a sign and words, the outcome is a step function of m: the logarithm is monotone up to rounding, and the code
    after it is monotone.

    Claims: on coins, the law is the object's, by the steps of the object's own code.
    """

    def released(value: Any, sign: int, mantissa: int, *words: int) -> Any:
        again = copy.copy(mechanism)
        again._rng = Fixed(sign, mantissa, *words)
        return float(again.randomise(value))

    @functools.cache
    def cut(value: Any, sign: int, zeros: int) -> Steps:
        words = [*[0] * (zeros // WORD), 1 << (WORD - 1 - zeros % WORD)]
        return steps(lambda m: released(value, sign, m, *words), count=1 << MANTISSA)

    @functools.cache
    def settled(value: Any, sign: int, words: int) -> tuple[bool, Any]:
        """Return whether only one outcome is left after `words` words of 0, and the outcome of the nearest number."""
        nearest = released(value, sign, (1 << MANTISSA) - 1, *[0] * words, (1 << WORD) - 1)
        farthest = released(value, sign, 0, *[0] * FARTHEST, 1)
        return key(nearest) == key(farthest), nearest  # as outcomes: 0.0 is not -0.0

    def program(value: Any, coins: Coins) -> Any:
        sign = int(coins.below(2))
        for words in range(FARTHEST):
            word = coins.below(1 << WORD)
            if word != 0:
                return cut(value, sign, words * WORD + WORD - int(word.bit_length())).draw(coins)
            single, outcome = settled(value, sign, words + 1)
            if single:
                return outcome
        raise Unauditable(f"{FARTHEST} words of 0 do not lead to one outcome")

    return program
