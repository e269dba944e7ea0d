"""The faults of pws-frequencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.broken.pws_keys import sampled
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Expected
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES, pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, sanitizer_rows

ZERO = Fraction(0)

fault = FaultsOf(
    PWS_FREQUENCIES,
    defaults={"epsilon": "ln(2)", "delta": "1/10", "imax": "4", "q": "1"},
    without=("algorithm", "bits"),
)


def draws_of(q: Sequence[Fraction], rows: Sequence[Row]) -> list[Callable[[Coins], int]]:
    """Return what draws the value of a sampled key, by its frequency."""
    return [drawn(row) for row in sanitizer_rows(q=q, rows=rows)]


def raised_each(before: Row, least: list[Fraction], left: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Raise the least entries from the greatest value down, each to ratio times its own in the row before, and delta.

    The values above share one delta with it where Algorithm 4 is meant.
    """
    row = [*least, ZERO]
    above = upper = ZERO
    for j in range(len(row), 0, -1):
        entry = before[j] if j < len(before) else ZERO
        upper += entry
        added = min(ratio * entry + delta - row[j - 1], left)
        row[j - 1] += added
        left -= added
        above += row[j - 1]
        if left == 0:
            break
    return row


@fault(
    "pws-frequencies-each",
    source="weighted-sampling, Algorithm 4, with U of one value for U of a suffix",
    fault="delta for each value for one delta in all",
    edit=("ratio * entry + delta - row[j - 1]", "ratio * upper + delta - above - row[j - 1]"),
    place=raised_each,
    expected=Expected(3, 2, [2, 3], "2/5", "1/10"),
)
def pws_frequencies_each(settings: Settings) -> Program:
    """pws-frequencies with a delta for every value"""
    q, ratio, delta = sampled(settings)
    return pws_frequencies(q=q, draws=draws_of(q, discrete_rows(q=q, ratio=ratio, delta=delta, second=raised_each)))


@fault(
    "pws-frequencies-shifted",
    source="weighted-sampling, Algorithm 2, with p_(w+1) for p_w",
    fault="the row of the next frequency",
    edit=("[*draws[1:], draws[-1]]", "draws"),
    expected=Expected(1, 0, [1], "1/5", "0"),
)
def pws_frequencies_shifted(settings: Settings) -> Program:
    """pws-frequencies that reports by the row of the next frequency"""
    q, ratio, delta = sampled(settings)
    draws = draws_of(q, discrete_rows(q=q, ratio=ratio, delta=delta))
    return pws_frequencies(q=q, draws=[*draws[1:], draws[-1]])


def least_reported(before: Row, pi: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return the least entries for the sets 1..j, where those for the sets 0..j are meant as well."""
    unreported = ZERO
    found: list[Fraction] = []
    total = mass = ZERO
    for entry in before[1:]:
        mass += entry
        found.append(max((mass - delta) / ratio - total + unreported, ZERO))
        total += found[-1]
    return found


@fault(
    "pws-frequencies-silent",
    source="weighted-sampling, Algorithm 4, first pass without its last term",
    fault="no term for the keys that are not reported in the first pass",
    edit=("unreported = ZERO", "unreported = max(before[0] / ratio - (1 - pi), ZERO)"),
    place=least_reported,
    defaults={"epsilon": "ln(3)", "delta": "1/4"},
    expected=Expected(2, 3, [1, 0], "3/4", "1/9"),
)
def pws_frequencies_silent(settings: Settings) -> Program:
    """pws-frequencies without the term for keys that are not reported"""
    q, ratio, delta = sampled(settings)
    return pws_frequencies(q=q, draws=draws_of(q, discrete_rows(q=q, ratio=ratio, delta=delta, first=least_reported)))


@fault(
    "pws-frequencies-true",
    source="weighted-sampling, Algorithm 2, keys sanitized and frequencies not",
    fault="the true frequency for the value drawn",
    edit=("frequency if value > 0 else 0", "value"),
    defaults={"q": "priority:1/4"},
    expected=Expected(2, 1, [2], "3/10", "0"),
)
def pws_frequencies_true(settings: Settings) -> Callable[[int, Coins], int]:
    """pws-frequencies that reports the frequency itself"""
    q, ratio, delta = sampled(settings)
    draws = draws_of(q, discrete_rows(q=q, ratio=ratio, delta=delta))

    def release(frequency: int, coins: Coins) -> int:
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return 0
        value = draws[place](coins)
        return frequency if value > 0 else 0

    return release


def no_entries(before: Row, pi: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return no least entries, where those of Algorithm 4's first pass are meant."""
    return [entry * 0 for entry in least_entries(before, pi, ratio, delta)]


@fault(
    "pws-frequencies-upward",
    source="weighted-sampling, Algorithm 4 without its first pass",
    fault="no first pass: the mass is moved up without a lower bound",
    edit=(
        "[entry * 0 for entry in least_entries(before, pi, ratio, delta)]",
        "least_entries(before, pi, ratio, delta)",
    ),
    place=no_entries,
    defaults={"delta": "1/5", "q": "1/2"},
    expected=Expected(2, 3, [1], "3/10", "0"),
)
def pws_frequencies_upward(settings: Settings) -> Program:
    """pws-frequencies that only moves mass upward"""
    q, ratio, delta = sampled(settings)
    return pws_frequencies(q=q, draws=draws_of(q, discrete_rows(q=q, ratio=ratio, delta=delta, first=no_entries)))
