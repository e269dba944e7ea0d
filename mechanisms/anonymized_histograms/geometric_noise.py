"""Two-sided geometric noise on all integers, exact and quick: a word of coins located in a table of powers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError

ENTRIES = 1024


def geometric_noise(*, ratio: Fraction, word: int = 64) -> Callable[[Coins], int]:
    """Draw Z with Pr[Z = z] = (1 - alpha)/(1 + alpha) alpha^|z| for every integer z, where alpha = 1/ratio.

    Requires: ratio > 1; `word` is the number of bits of the first draw for the size.
    Claims:   the law is exact and unbounded; nothing is rounded to the word. More than two draws have a probability
              below (size of the table) 2^-word + ratio^-(size of the table).
    Source:   anonymized-histograms, Definition 3, its parameter read as e^-epsilon.
    Raises:   InputError for another ratio, or one so near 1 that the word does not tell its powers apart.
    """
    a, b = ratio.numerator, ratio.denominator
    size = one_sided(ratio=ratio, word=word)

    def draw(coins: Coins) -> int:
        first = coins.below(a + b)
        if first < a - b:
            return 0
        return 1 + size(coins) if first < a else -1 - size(coins)

    return draw


def one_sided(*, ratio: Fraction, word: int = 64) -> Callable[[Coins], int]:
    """Draw G >= 0 with Pr[G >= m] = alpha^m for every m, where alpha = 1/ratio.

    With U uniform in [0, 1), G is the number of m >= 1 with U < alpha^m. A word holds the first bits u of U; it
    decides unless it is the integer part of some 2^word alpha^m, and then one more draw has the conditional
    probability, a fraction, exactly. Beyond the table the law starts again, since G has no memory.

    Requires: as `geometric_noise`.
    Raises:   as `geometric_noise`.
    """
    if ratio <= 1:
        raise InputError(given=f"ratio {ratio}", needed="a ratio above 1", remedy="take e^epsilon, not e^-epsilon")
    powers = [(1 << word) / ratio]
    while powers[-1] * 4 > (1 << word // 2) and len(powers) < ENTRIES:
        powers.append(powers[-1] / ratio)
    floors = [power.numerator // power.denominator for power in reversed(powers)]
    rests = [power - power.numerator // power.denominator for power in reversed(powers)]
    if len(set(floors)) < len(floors):
        raise InputError(
            given=f"a ratio within 2^-{word // 2} of 1",
            needed=f"powers that {word} bits tell apart",
            remedy="take a larger epsilon",
        )
    bound, entries = 1 << word, len(powers)

    def draw(coins: Coins) -> int:
        beyond = 0
        while True:
            u = coins.below(bound)
            place = bisect_left(floors, u)
            found = entries - place
            if found and floors[place] == u:
                rest = rests[place]
                found -= coins.below(rest.denominator) >= rest.numerator
            if found < entries:
                return beyond + found
            beyond += entries

    return draw
