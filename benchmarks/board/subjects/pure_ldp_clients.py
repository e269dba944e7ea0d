"""Clients of pure-ldp, as a user calls them: epsilon = 1, four items."""

from fractions import Fraction

from pure_ldp.frequency_oracles.direct_encoding import DEClient
from pure_ldp.frequency_oracles.unary_encoding import UEClient

import dpcert

ITEMS = [1, 2, 3]
ROUNDED = dpcert.ApproxDP(epsilon=1 + Fraction(1, 10**9), delta=Fraction(1, 10**9))
"""The claim of epsilon = 1, with room for what is computed in doubles."""


@dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any")
def unary(item):
    return UEClient(1.0, 3).privatise(item)


@dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any")
def optimized_unary(item):
    return UEClient(1.0, 3, use_oue=True).privatise(item)


@dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any")
def direct(item):
    return DEClient(1.0, 3).privatise(item)
