"""Estimates of frequencies from weighted sampling: intervals, the most likely frequency, and exact moments."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Any

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.logarithm import root_bounds
from dpcert.mechanisms.mechanism import rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_estimators import Moments, moments, unbiased
from dpcert.mechanisms.weighted_sampling.pws_grid import reported_on_grid
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import GridRow, grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.releasing.intervals import geometric_reach
from dpcert.releasing.keys import at_total, key_rows, shared_out
from dpcert.releasing.made import Estimates, Made, short

MOST_UNBIASED = 200
"""The greatest `imax` up to which unbiased estimates, whose numbers grow without use, are given unasked."""


def weighted(made: Made) -> Estimates:
    """Return for each key that weighted sampling reports an interval, its most likely frequency and its two estimates.

    A key without a value is reported as value 1. An error is the root of the mean squared error of a key of the most
    likely frequency. The estimate without bias is there up to MOST_UNBIASED, and for `unbiased=yes`.
    """
    wanted = made.take("unbiased").get("unbiased", "no")
    need(wanted in ("yes", "no"), f"unbiased={wanted}", "yes or no", "write --set unbiased=yes")
    table, shown, notes = _reports(made)
    imax, bits = len(table) - 1, table[0].bits
    frequencies, likely = likeliest(table)
    lowest, greatest = ends(table, made.beta)
    often = made.beta * (1 << bits)
    missed = max(i for i, row in enumerate(table) if row.unreported > often)
    notes += [
        f"each key is shown with an interval that misses its frequency with probability {made.beta} at most, and "
        + (
            f"even one of {imax} is not shown with a probability above {made.beta}"
            if missed == imax
            else f"one of more than {missed} is not shown with probability {made.beta} at most"
        ),
        f"frequencies above {imax} count as {imax}; the moments are those at the most likely frequency",
    ]
    even: tuple[Fraction, ...] = ()
    if len(likely) <= imax:
        notes.append("keys alone have no unbiased estimate of their frequencies")
    elif imax > MOST_UNBIASED and wanted == "no":
        notes.append(f"frequencies up to {imax} have an unbiased estimate of immense error: --set unbiased=yes for it")
    else:
        try:
            even = unbiased(rows=[row.row(i) for i, row in enumerate(table)], g=lambda i: i)
            total = sum((even[value] for _, value in shown), Fraction(0))
            notes.append(f"the sum of all frequencies is estimated without bias as {short(total)}")
        except InputError:
            notes.append("there is no unbiased estimate: some frequency is never reported as its own value")

    def errors(i: int, estimates: Sequence[Fraction]) -> Moments:
        row = table[i]
        own = (Fraction(0), *estimates[row.first + 1 : row.first + 1 + len(row.masses)])
        only = GridRow(bits, row.unreported, 0, row.masses).row(len(row.masses))
        return moments(row=only, estimates=own, meant=i)

    @cache
    def of_value(value: int) -> tuple[Any, ...]:
        i = frequencies[value]
        found = errors(i, likely)
        error = root_bounds(found.squared_error, 64)[1]
        least_biased: tuple[str, ...] = ()
        if even:
            least_biased = short(even[value]), short(root_bounds(errors(i, even).squared_error, 64)[1])
        between = lowest[value], None if greatest[value] == imax else greatest[value]
        return (
            *(i, short(likely[value]), *between, *least_biased),
            *(short(found.bias), short(found.variance), short(error)),
        )

    columns = (
        *("key", "frequency", "likelihood", "lo", "hi"),
        *(("unbiased", "unbiased_error") if even else ()),
        *("bias", "variance", "error"),
    )
    return made.table(columns, ((key, *of_value(value)) for key, value in shown), *notes)


def _reports(made: Made) -> tuple[list[GridRow], list[tuple[Any, int]], list[str]]:
    """Return the rows of the frequencies 0, 1, ... of a release, its keys with their values, and notes."""
    delta, bits, spend = made.number("delta"), int(made.number("bits")), Epsilon.of(made.parameters["epsilon"])
    if made.mechanism == "pws-private-threshold":
        noise, ratio = shared_out(spend, made.number("share"))
        (_, total), *keys = made.rows
        _, reported = at_total(int(total), size=made.number("size"), ratio=ratio, delta=delta, bits=bits)
        reach = geometric_reach(noise, made.beta)
        lo, hi = max(0, int(total) - reach), int(total) + reach
        note = f"the noisy total is {total}: the people are {lo} to {hi}, but with probability {made.beta} at most"
        return key_rows(reported, bits), [(key, 1) for _, key in keys], [note]
    imax, ratio = int(made.number("imax")), rational_ratio(spend)
    q = sampling_probabilities(made.parameters["q"], imax)
    if made.mechanism == "pws-keys":
        rows = key_rows(reported_on_grid(q=q, ratio=ratio, delta=delta, bits=bits), bits)
        return rows, [(key, 1) for (key,) in made.rows], []
    rows = list(grid_rows(q=q, ratio=ratio, delta=delta, bits=bits, cells=whole_cells(imax)))
    return rows, [(key, int(value)) for key, value in made.rows], []


def ends(table: Sequence[GridRow], beta: Fraction) -> tuple[list[int], list[int]]:
    """Return for each value two frequencies between which one lies that reports it.

    Claims: a key of any frequency in the table has, with probability beta at most, a report whose frequencies it is
            not between: the values above some one have its lower ends beyond it, and the values below some one its
            upper ends, and each of both has probability beta/2 at most.
    """
    values, last = _values(table), len(table) - 1
    lowest, greatest = [last] * (values + 1), [last] * (values + 1)

    def likely(mass: int) -> bool:
        return 2 * mass > beta * (1 << table[0].bits)

    reached, left = 0, values
    for i, row in enumerate(table):
        above = list(accumulate(reversed(row.masses)))[::-1]
        top = max((value for value, mass in enumerate(above, row.first + 1) if likely(mass)), default=0)
        for value in range(reached + 1, top + 1):
            lowest[value] = i
        reached = max(reached, top)
    for i in range(last, -1, -1):
        below = accumulate(table[i].masses)
        start = next((value for value, mass in enumerate(below, table[i].first + 1) if likely(mass)), values + 1)
        for value in range(start, left + 1):
            greatest[value] = i
        left = min(left, start - 1)
    return lowest, list(map(max, lowest, greatest))


def likeliest(table: Sequence[GridRow]) -> tuple[list[int], list[Fraction]]:
    """Return for each value the frequency that reports it most often, and the estimate: `maximum_likelihood`.

    A frequency reports few values: only these are compared, as integers.
    """
    found, heaviest = [0] * (_values(table) + 1), [0] * (_values(table) + 1)
    for i, row in enumerate(table):
        for value, mass in enumerate(row.masses, row.first + 1):
            if mass > heaviest[value]:
                found[value], heaviest[value] = i, mass
    reported = [1 - Fraction(row.unreported, 1 << row.bits) for row in table]
    return found, [i / reported[i] if i else Fraction(0) for i in found]


def _values(table: Sequence[GridRow]) -> int:
    return max(row.first + len(row.masses) for row in table)
