"""The probability of an order of Gumbel noise of one scale: the exponential mechanism as it is drawn.

With W = e^(-r G), r the rate of the Gumbel noise G, W is exponential noise of rate 1, and G_i - G_j > t is
W_i e^(r c_i) < W_j e^(r c_j) for numbers c with c_j - c_i = -t. Where each variable but one is below exactly one
other, the chance of all that is the product over the variables of w_v / (sum of w_u over all u at or below v), with
the weights w_v = e^(-r c_v).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.normal import ball
from dpcert.mechanisms.ideal.path import Inequality


def ordered(items: Sequence[Inequality], rate: Fraction) -> Any | None:
    """Return the chance of inequalities between Gumbel variables of one rate, as a ball; None where they are no tree in
    which each variable but one is below one other."""
    over: dict[int, tuple[int, Fraction]] = {}
    names: set[int] = set()
    for item in items:
        if sorted(c for _, c in item.form) != [-1, 1]:
            return None
        high, low = (name for name, _ in sorted(item.form, key=lambda part: -part[1]))
        least = Fraction(item.threshold)
        if not item.above:
            high, low, least = low, high, -least
        if low in over:
            return None
        over[low] = high, least
        names |= {high, low}
    roots = names - set(over)
    if len(roots) != 1:
        return None
    return _product(roots.pop(), over, rate)


def _product(root: int, over: dict[int, tuple[int, Fraction]], rate: Fraction) -> Any:
    """Return the product over all variables: `over` says which other one each is below, and by how much at least."""
    below: dict[int, list[int]] = {}
    for name, (high, _) in over.items():
        below.setdefault(high, []).append(name)
    place = {root: Fraction(0)}
    order = [root]
    for name in order:
        for low in below.get(name, []):
            place[low] = place[name] + over[low][1]
            order.append(low)
    found = ball(1)
    sums: dict[int, Any] = {}
    for name in reversed(order):
        weight = (ball(rate * place[name])).exp()
        sums[name] = weight + sum((sums[low] for low in below.get(name, [])), ball(0))
        found *= weight / sums[name]
    return found
