"""A weighted sample and its sanitizer: Algorithm 2 of weighted sampling, applied to a sample without the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import on_one_denominator
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import GridRow
from dpcert.mechanisms.weighted_sampling.pws_rows import Row


def sanitizer_rows(*, q: Sequence[Fraction], rows: Sequence[Row]) -> list[Row]:
    """Return p_1, p_2, ...: p_i are the probabilities that a sampled key of frequency i is not reported, or reported as
    1, 2, ...

    Where q_i = 0, no key of frequency i is sampled, and p_i says that it is not reported.

    Requires: rows 0, 1, ..., len(q); row i reports with probability at most q_i.
    Claims:   sampling with q_i and then reporting by p_i is reporting by row i: p_ij = pi_ij / q_i for j >= 1.
    Source:   weighted-sampling, Algorithm 2 and Section 5 (p_ij); Appendix C.1 for densities.
    """
    return [
        ((row[0] - (1 - most)) / most, *(entry / most for entry in row[1:])) if most else row
        for most, row in zip(q, rows[1:], strict=True)
    ]


def sanitize(*, sanitizer: Sequence[Row]) -> Callable[[Sequence[tuple[str, int]], Coins], tuple[tuple[str, int], ...]]:
    """Report each key of a sample with a value drawn by its frequency's row, or drop it: the data are not needed.

    Requires: `sanitizer[i - 1]` is the row of a sampled key of frequency i, as `sanitizer_rows` gives it.
    Claims:   on a sample taken with q, each key of the data is reported by its row of end-to-end probabilities,
              independently of the others.
    Source:   weighted-sampling, Algorithm 2, sanitized keys and frequencies.
    Raises:   InputError for a key that occurs twice, and for a frequency that is no integer from 1 to the greatest.
    """
    draws = [drawn(row) for row in sanitizer]
    frequencies = counts(len(draws), least=1, noun="frequency", raising="imax")

    def release(sample: Sequence[tuple[str, int]], coins: Coins) -> tuple[tuple[str, int], ...]:
        seen: set[str] = set()
        for key, frequency in sample:
            frequencies.require(frequency, "frequency")
            if key in seen:
                raise InputError(
                    given=f"the key {key!r} twice in a sample",
                    needed="each key once, with its frequency",
                    remedy="add its frequencies up before sampling",
                )
            seen.add(key)
        reported = ((key, draws[frequency - 1](coins)) for key, frequency in sorted(sample))
        return tuple((key, value) for key, value in reported if value > 0)

    return release


def sample_keys(*, q: Sequence[Fraction]) -> Callable[[Mapping[str, int], Coins], tuple[tuple[str, int], ...]]:
    """Keep each key of the data, with its frequency i, with probability q_i, independently of the others.

    Requires: q non-decreasing in [0, 1].
    Source:   weighted-sampling, Algorithm 1 (threshold sampling has q_i = Pr[u <= tau f(i)]) and Section 3.1.
    Raises:   InputError for a frequency that is no integer from 1 to the greatest.
    """
    frequencies = counts(len(q), least=1, noun="frequency", raising="imax")

    def release(data: Mapping[str, int], coins: Coins) -> tuple[tuple[str, int], ...]:
        for frequency in data.values():
            frequencies.require(frequency, "frequency")
        return tuple((key, frequency) for key, frequency in sorted(data.items()) if coins.bernoulli(q[frequency - 1]))

    return release


def drawn(row: Row) -> Callable[[Coins], int]:
    """Return the program that draws a place of the row by its probability, from one uniform number."""
    weights, denominator = on_one_denominator(list(row))
    return _placed([place for place, weight in enumerate(weights) if weight], weights, denominator)


def drawn_on_grid(row: GridRow, most: Fraction) -> Callable[[Coins], int]:
    """Return the program that draws a place of the row of a key sampled with probability `most`, as `drawn` does.

    Claims: sampling with `most` and then drawing from it is drawing from the row.
    """
    whole = most.numerator << row.bits
    if not whole:
        return lambda coins: 0
    weights = {place: mass * most.denominator for place, mass in enumerate(row.masses, row.first + 1) if mass}
    unreported = whole - sum(weights.values())
    values = [0, *weights] if unreported else [*weights]
    return _placed(values, {0: unreported, **weights}, whole)


def _placed(
    values: Sequence[int], weights: Sequence[int] | Mapping[int, int], denominator: int
) -> Callable[[Coins], int]:
    """Return the program that draws one of the values by its weight, by bisection."""
    tops = list(accumulate(weights[value] for value in values))

    def draw(coins: Coins) -> int:
        u = coins.below(denominator)
        return values[least(0, len(tops) - 1, lambda place: u < tops[place])]

    return draw
