"""Two-sided geometric noise on all integers, exact and quick: a word of coins located in a table of powers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction

from dpcert.mechanisms.coins import summarize
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


def clamped_noise(*, n: int, ratio: Fraction, word: int = 64) -> Callable[[int, Coins], int]:
    """Release a count in [0, n] plus Z, clamped, where Pr[Z = z] is proportional to ratio^-|z|, in words of coins.

    Noise is drawn no further than n, where every count is clamped, so that the law is finite and an audit ends. The
    cost does not grow with n.

    Requires: n >= 1, ratio > 1; inputs 0..n.
    Claims:   (ln ratio, 0)-DP for counts that differ by one: the law of `geometric`.
    Source:   finite-computers, Algorithm 4.5, by short draws.
    Raises:   as `geometric_noise`.
    """
    a, b = ratio.numerator, ratio.denominator
    size = one_sided(ratio=ratio, word=word, most=n)

    @summarize
    def release(count: int, coins: Coins) -> int:
        first = coins.below(a + b)
        if first < a - b:
            return count
        noisy = count + 1 + size(coins) if first < a else count - 1 - size(coins)
        return min(max(noisy, 0), n)

    return release


def one_sided(*, ratio: Fraction, word: int = 64, most: int | None = None) -> Callable[[Coins], int]:
    """Draw G >= 0 with Pr[G >= m] = alpha^m for every m, where alpha = 1/ratio; or the lesser of G and `most`.

    With U uniform in [0, 1), G is the number of m >= 1 with U < alpha^m. A word has the first bits u of U. It decides,
    unless it is the integer part of some 2^word alpha^m; then one more draw has exactly the conditional probability, a
    fraction. Beyond the table the law starts again, since G has no memory.

    Requires: as `geometric_noise`; most >= 1 or None.
    Raises:   as `geometric_noise`.
    """
    if ratio <= 1:
        raise InputError(given=f"ratio {ratio}", needed="a ratio above 1", remedy="take e^epsilon, not e^-epsilon")
    powers = [(1 << word) / ratio]
    longest = ENTRIES if most is None else min(ENTRIES, most)
    while powers[-1] * 4 > (1 << word // 2) and len(powers) < longest:
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
        while most is None or beyond < most:
            u = coins.below(bound)
            place = bisect_left(floors, u)
            found = entries - place
            if found and floors[place] == u:
                # The word is the integer part of this power: the rest of U is below its fraction or not.
                rest = rests[place]
                found -= coins.below(rest.denominator) >= rest.numerator
            beyond += found
            if found < entries:
                break
        return beyond if most is None else min(beyond, most)

    return draw
