"""Checks of how far sanitized frequencies are apart: Theorems 5.1, C.2 and D.1 and Corollary 6.1 of weighted-sampling.

A scheme is given by rows on cells: row i is the probability of no report, and then the mass of each cell
(z_(j-1), z_j], spread evenly. F_i(z) is the probability of no report or a value at most z.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries
from dpcert.proofs.check import check, checks, smallest
from dpcert.proofs.evidence import within
from dpcert.proofs.weighted_sampling.checks.frequencies import RATIOS, integral_delta, rows_grid

ZERO = Fraction(0)
ONE = Fraction(1)
HALF = Fraction(1, 2)
DELTAS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 5), Fraction(1, 10))
LOWERED = (("1/2", "1/8, 1/2"), ("1/2", "0, 1/2"), ("1/2", "1/4, 1/2"), ("1", "1/10, 1"), ("1", "0, 1"))
"""Rates with which keys are sampled, and lower ones that a sanitizer can make of them by dropping keys first."""


def _padded(row: Row, width: int) -> list[Fraction]:
    return [*row, *[ZERO] * (width - len(row))]


def concordance(high: Row, low: Row) -> Fraction:
    """Return the probability that the first of two values is the greater, and half of that that they are equal."""
    width = max(len(high), len(low))
    below = total = ZERO
    for p, q in zip(_padded(high, width), _padded(low, width), strict=True):
        total += p * (below + q / 2)
        below += q
    return total


def separation(high: Row, low: Row, alpha: Fraction) -> Fraction:
    """Return T(alpha) = F_high(z) for the least z with F_low(z) = alpha.

    Requires: rows on the same cells; low[0] < alpha < 1.
    """
    reached, other = low[0], high[0]
    for mass, more in zip(low[1:], high[1:], strict=True):
        if reached + mass >= alpha:
            return other + more * (alpha - reached) / mass
        reached += mass
        other += more
    return other


@check("pws-separation-composes")
def pws_separation_composes() -> Iterator[str]:
    """T_(i+2, i)(alpha) = T_(i+2, i+1)(T_(i+1, i)(alpha)) for the densities of Algorithm 5."""
    for where, _, _, _, rows in rows_grid(5):
        for i in range(len(rows) - 2):
            low, middle, high = rows[i : i + 3]
            for alpha in {a / 2 + b / 2 for a, b in pairwise(accumulate(low)) if a < b}:
                step = separation(middle, low, alpha)
                if middle[0] < step < 1 and separation(high, low, alpha) != separation(high, middle, step):
                    yield f"{where}, i = {i}"


def _lowered() -> Iterator[tuple[Fraction, Fraction, str, str, list[Row], list[Row]]]:
    for ratio, delta, (text, lower) in product(RATIOS, DELTAS, LOWERED):
        samplings = (sampling_probabilities(each, 4) for each in (text, lower))
        rows, other = (density_rows(q=q, ratio=ratio, delta=delta)[0] for q in samplings)
        yield ratio, delta, text, lower, rows, other


@check("pws-separation-printed")
@smallest
def pws_separation_printed() -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """No private sanitizer on the same sample, Algorithm 5 on fewer keys among them, has a smaller T for i_1 > i_2."""
    for ratio, delta, text, lower, rows, other in _lowered():
        for i in range(2, 5):
            edges = sorted({x for x in (*accumulate(rows[i - 1]), *accumulate(other[i - 1])) if x <= 1})
            for alpha in (a / 2 + b / 2 for a, b in pairwise(edges)):
                if max(rows[i - 1][0], other[i - 1][0]) < alpha < 1:
                    most = separation(rows[i], rows[i - 1], alpha)
                    less = separation(other[i], other[i - 1], alpha)
                    if less < most and within([Dist.of(enumerate(row)) for row in other], Epsilon.ln(ratio), delta):
                        yield (
                            i,
                            ratio,
                            -delta,
                            (
                                f"e^epsilon = {ratio}, delta = {delta}, q = {text}, i_1 = {i}, i_2 = {i - 1}, "
                                f"alpha = {alpha}: T = {most}, and {less} by the scheme for q = {lower}"
                            ),
                        )


@check("pws-concordance-printed")
@smallest
def pws_concordance_printed() -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """No private sanitizer on the same sample orders a pair of keys correctly with a greater probability."""
    for ratio, delta, text, lower, rows, other in _lowered():
        for k, i in combinations(range(1, 5), 2):
            most, more = concordance(rows[i], rows[k]), concordance(other[i], other[k])
            if more > most and within([Dist.of(enumerate(row)) for row in other], Epsilon.ln(ratio), delta):
                yield (
                    i,
                    ratio,
                    -delta,
                    (
                        f"e^epsilon = {ratio}, delta = {delta}, q = {text}, frequencies {i} and {k}: {most}, "
                        f"and {more} by the scheme for q = {lower}"
                    ),
                )


@check("pws-concordance-among-optimal")
def pws_concordance_among_optimal() -> Iterator[str]:
    """Algorithm 5 orders each pair correctly at least as often as Algorithm 4, which reports keys as often."""
    for (where, _, _, _, rows), (_, _, _, _, discrete) in zip(rows_grid(5, 5), rows_grid(4, 5), strict=True):
        for k, i in combinations(range(6), 2):
            if concordance(rows[i], rows[k]) < concordance(discrete[i], discrete[k]):
                yield f"{where}, frequencies {i} and {k}"


@checks(
    {
        "pws-rows-unsampled-printed": lambda _: DELTAS,
        "pws-rows-unsampled-corrected": lambda ratio: [integral_delta(ratio, length) for length in range(4)],
    }
)
@smallest
def _without_sampling(
    deltas: Callable[[Fraction], Sequence[Fraction]],
) -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """Without sampling, Algorithm 4 separates as far as Algorithm 5, whatever delta; corrected, for integral L."""
    for ratio in RATIOS:
        for delta in deltas(ratio):
            q = [Fraction(1)] * 5
            discrete = discrete_rows(q=q, ratio=ratio, delta=delta)
            rows, _ = density_rows(q=q, ratio=ratio, delta=delta)
            for k, i in combinations(range(6), 2):
                found, best = concordance(discrete[i], discrete[k]), concordance(rows[i], rows[k])
                if found != best:
                    where = f"e^epsilon = {ratio}, delta = {delta}, frequencies {i} and {k}"
                    yield (
                        i,
                        ratio,
                        -delta,
                        f"{where}: Algorithm 4 orders them with {found}, Algorithm 5 with {best}",
                    )


def _pair_formula(high: Row, low: Row) -> Fraction:
    """Return formula (39): T is linear on each cell, where its integral is its middle value times the mass."""
    integral = sum(
        (mass * (1 - separation(high, low, low[0] + before + mass / 2)) for before, mass in _cells(low)), ZERO
    )
    return low[0] * (1 - high[0]) + HALF * low[0] * high[0] + integral


def _cells(row: Row) -> list[tuple[Fraction, Fraction]]:
    """Return for each cell with mass the mass of those before it, and its own."""
    return [(above - mass, mass) for above, mass in zip(accumulate(row[1:]), row[1:], strict=True) if mass]


@check("pws-pair-formula")
def pws_pair_formula() -> Iterator[str]:
    """(39) is the probability that two keys are in order, ties counted half."""
    return (
        f"{where}, frequencies {i} and {k}"
        for where, _, _, _, rows in rows_grid(5, 4)
        for k, i in combinations(range(5), 2)
        if _pair_formula(rows[i], rows[k]) != concordance(rows[i], rows[k])
    )


def _one_key(low: Row, middle: Row, high: Row) -> Fraction:
    """Return the probability that the middle key is in order with both others, case by case for each cell."""
    total = middle[0] * (1 - high[0] / 2) * low[0] / 2
    under, over = low[0], 1 - high[0]
    for x, y, z in zip(low[1:], middle[1:], high[1:], strict=True):
        over -= z
        total += y * (under * over + under * z / 2 + x * over / 2 + x * z / 6)
        under += x
    return total


def _one_key_formula(low: Row, middle: Row, high: Row, term: Fraction) -> Fraction:
    """Return formula (40) with its first term: on a cell the integrand is a product of two linear functions."""
    total, under, over = term, low[0], 1 - high[0]
    for x, y, z in zip(low[1:], middle[1:], high[1:], strict=True):
        total += y * (under * over + (2 * under + x) * (2 * over - z) + (under + x) * (over - z)) / 6
        under, over = under + x, over - z
    return total


@checks(
    {
        "pws-one-key-quantiles": lambda low, middle, high: middle[0] * (1 - high[0]) * low[0] / 2,
        "pws-one-key-corrected": lambda low, middle, high: middle[0] * (1 - high[0] / 2) * low[0] / 2,
    }
)
@smallest
def _one_key_finding(term: Callable[[Row, Row, Row], Fraction]) -> Iterator[tuple[Fraction, Fraction, str]]:
    """(40) without the factor f_x(alpha): where the key is not reported, the greater ones must be; corrected, a greater
    key that is not reported either is in order with probability 1/2, as (39) has it.
    """
    for where, ratio, delta, _, rows in rows_grid(5, 4):
        low, middle, high = rows[1:4]
        found, meant = _one_key_formula(low, middle, high, term(low, middle, high)), _one_key(low, middle, high)
        if found != meant:
            yield (
                ratio,
                -delta,
                f"{where}, frequency 2 among 1 and 3: (40) gives {found}, the probability is {meant}",
            )


@check("pws-one-key-printed")
@smallest
def pws_one_key_printed() -> Iterator[tuple[Fraction, Fraction, str]]:
    """(40) as printed: the integral has a factor f_x(alpha), and where x is not reported, the greater ones must be.

    The factor is read where the density of frequency 2 is constant on (0, 1], so that it is one number.
    """
    for ratio, delta in product(RATIOS, DELTAS):
        rows, ends = density_rows(q=[ONE] * 4, ratio=ratio, delta=delta)
        low, middle, high = (rows[i] for i in (1, 2, 3))
        density = {
            mass / (end - begin) for mass, begin, end in zip(middle[1:], [ZERO, *ends], ends, strict=False) if end <= 1
        }
        if len(density) == 1:
            term = middle[0] * (1 - high[0]) * low[0] / 2
            found = term + density.pop() * _one_key_formula(low, middle, high, ZERO)
            meant = _one_key(low, middle, high)
            if found != meant:
                where = f"e^epsilon = {ratio}, delta = {delta}, q = 1, frequency 2 among 1 and 3"
                yield ratio, -delta, f"{where}: (40) gives {found}, the probability is {meant}"


@checks({"pws-pair-moves-printed": False, "pws-pair-moves-corrected": True})
@smallest
def _pair_moves(falls: bool) -> Iterator[tuple[Fraction, Fraction, str]]:
    """(39) does not decrease where T grows, for i_1 > i_2: with T = 1 everywhere it is at least that with T = 0
    everywhere; corrected, it is at most that.
    """

    def formula(low: Row, high: Row, t: int) -> Fraction:
        return low[0] * (1 - high[0]) + HALF * low[0] * high[0] + (1 - low[0]) * (1 - t)

    for where, ratio, delta, _, rows in rows_grid(5, 3):
        least, most = formula(rows[1], rows[2], 1), formula(rows[1], rows[2], 0)
        if least != most and (least < most) is not falls:
            yield ratio, -delta, f"{where}, frequencies 2 and 1: (39) is {most} with T = 0, {least} with T = 1"


def falls_short(before: Row, row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """Whether the second pass ends inside a value, or the first one's breakpoint lies inside one.

    Source: weighted-sampling, Appendix C.2, (i) and (ii), with the row before and e^epsilon times the mass at 0 in
    (ii), by which the first pass goes.
    """
    budget = delta - ratio * max(before[0] / ratio - row[0], ZERO)
    masses_before = [sum(before[1 : j + 1], ZERO) for j in range(len(before))]
    if budget > 0 and budget not in masses_before and budget < masses_before[-1]:
        return True
    least = [*least_entries(before, 1 - row[0], ratio, delta), ZERO]
    left = 1 - row[0] - sum(least)
    for j in range(len(least), 0, -1):
        room = ratio * sum(before[j:], ZERO) + delta - sum(row[j + 1 :], ZERO) - least[j - 1]
        if room >= left:
            return 0 < left < room
        left -= room
    return False


@check("pws-short-of-separation")
def short_of_separation() -> Iterator[str]:
    """Algorithm 4 orders neighbouring frequencies less well than Algorithm 5 only after a row of either kind."""
    for (where, ratio, delta, _, rows), (*_, fine) in zip(rows_grid(4), rows_grid(5), strict=True):
        for i in range(1, len(rows)):
            if falls_short(rows[i - 1], rows[i], ratio, delta):
                break
            if concordance(rows[i], rows[i - 1]) != concordance(fine[i], fine[i - 1]):
                yield f"{where}, i = {i}"
