"""From Renyi, zero-concentrated and f-differential privacy to epsilon and delta, as certified bounds.

The way there is `renyi_bounds` and `zcdp` of `audit/renyi.py`, and `Profile.trade_off`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt

from dpcert.audit.profile import Profile
from dpcert.audit.searched import ln
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.logarithm import ln_bounds

_BITS = 128
_GRID = 1 << 20


def epsilon_of_renyi(order: object, divergence: object, delta: object) -> Fraction:
    """Return an epsilon at which delta is enough, for a Renyi divergence of at most this at an order > 1.

    Claims: it is divergence + (ln(1/delta) + (order - 1) ln(1 - 1/order) - ln(order)) / (order - 1), rounded up, or 0.
    Source: Canonne, Kamath, Steinke 2020, Proposition 12.
    Raises: InputError unless order > 1, divergence >= 0 and 0 < delta <= 1.
    """
    a, spent, lost = exact(order, "order"), exact(divergence, "divergence"), _unit(delta)
    if a <= 1 or spent < 0:
        given = f"a divergence of {ratio_text(spent)} at order {ratio_text(a)}"
        raise InputError(given=given, needed="one >= 0 at an order > 1", remedy="mend it")
    gain = ln_bounds(1 / lost, _BITS)[1] - (a - 1) * ln_bounds(a / (a - 1), _BITS)[0]
    return max(Fraction(0), spent + (gain - ln_bounds(a, _BITS)[0]) / (a - 1))


def epsilon_of_zcdp(rho: object, delta: object) -> Fraction:
    """Return an epsilon at which delta is enough, for rho-zero-concentrated privacy: the best found over orders.

    Any order gives a true bound; floats choose it.
    Source: as `epsilon_of_renyi`, where the divergence at each order a is a rho.
    Raises: InputError unless rho >= 0 and 0 < delta <= 1.
    """
    least, most = exact(rho, "rho"), _unit(delta)
    if least < 0:
        raise InputError(given=f"rho = {ratio_text(least)}", needed="a number >= 0", remedy="mend it")
    if least == 0:
        return Fraction(0)
    spent, lost = float(least), -ln(most)
    low, high = 1 + 1e-9, 3 + 2 * sqrt(max(1.0, lost) / spent)

    def at(a: float) -> float:
        return a * spent + (lost + (a - 1) * log(1 - 1 / a) - log(a)) / (a - 1)

    for _ in range(80):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, second) if at(first) < at(second) else (first, high)
    order = 1 + Fraction(max(1, round((low - 1) * _GRID)), _GRID)
    return epsilon_of_renyi(order, order * least, most)


def from_trade_off(curve: Sequence[tuple[Fraction, Fraction]]) -> Profile:
    """Return the profile of f-differential privacy, from the vertices (type I error, least type II error) of f.

    Claims: `trade_off` of the result is the curve again, and 0 beyond its last vertex.
    Source: Dong, Roth, Su 2022, Proposition 2.12: the two are convex conjugates.
    Raises: InputError unless the curve starts at type I error 0, falls, is convex, and ends at type II error 0.
    """
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) if b[0] > a[0] else Fraction(0) for a, b in pairwise(curve)]
    starts = bool(curve) and curve[0][0] == 0 and 0 <= curve[0][1] <= 1 and curve[-1][0] <= 1 and curve[-1][1] == 0
    if not starts or any(slope >= 0 for slope in slopes) or any(a > b for a, b in pairwise(slopes)):
        needed = "a convex curve that falls from type I error 0 to type II error 0"
        raise InputError(given=f"{len(curve)} vertices", needed=needed, remedy="list them by type I error")
    rows = [(-slope, b[0] - a[0]) for slope, (a, b) in zip(slopes, pairwise(curve), strict=True)]
    return Profile.from_ratios(rows, 1 - curve[0][1], 1 - curve[-1][0])


def _unit(delta: object) -> Fraction:
    found = exact(delta, "delta")
    if not 0 < found <= 1:
        raise InputError(given=f"delta = {ratio_text(found)}", needed="a number in (0, 1]", remedy='write "1e-6"')
    return found
