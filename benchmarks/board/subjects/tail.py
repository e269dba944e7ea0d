"""OpenDP's bound of a Laplace tail before pull request 2802, told anew: floats, each step rounded as the code says."""

from fractions import Fraction
from math import exp, inf, nextafter

import dpcert

SCALE, TAIL = 3, 100


def down(number):
    """Return the greatest float that is not above a fraction."""
    near = float(number)
    return near if Fraction(near) <= number else nextafter(near, -inf)


def up(number):
    near = float(number)
    return near if Fraction(near) >= number else nextafter(near, inf)


def claimed(exponent):
    """Return a program that shows a rare key if its noise is above the tail, with half of e to this power as delta."""
    delta = Fraction(nextafter(exp(exponent), inf)) / 2

    @dpcert.target(guarantee=dpcert.ApproxDP(0, delta), inputs=[0, 1], neighbours="counts_differ_by_one", noise="ideal")
    def shown(count, rng):
        return bool(count and rng.laplace(0, SCALE) > TAIL)

    return shown


rounded_down, rounded_up = claimed(down(Fraction(-TAIL, SCALE))), claimed(up(Fraction(-TAIL, SCALE)))
