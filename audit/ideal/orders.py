"""The probability of an order of Gumbel noise of one scale: the exponential mechanism as it is drawn.

With W = e^(-r G), r the rate of the Gumbel noise G, W is exponential noise of rate 1, and G_i - G_j > t is
W_i e^(r c_i) < W_j e^(r c_j) for numbers c with c_j - c_i = -t. Where each variable but one is below exactly one
other, the chance of all that is the product over the variables of w_v / (sum of w_u over all u at or below v), with
the weights w_v = e^(-r c_v).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpcert.audit.ideal.measure import linked
from dpcert.audit.ideal.merge import needed
from dpcert.audit.ideal.normal import ball
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.mechanisms.ideal.exact import ONE, Exact, product_of, simplest
from dpcert.mechanisms.ideal.noise import Rate
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path

Order = list[tuple[int, Fraction, tuple[int, ...]]]
"""The variables of an order, those below others last: each with its number c, and with those next below it."""


def order_of(items: Sequence[Inequality]) -> Order | None:
    """Return the order that inequalities are; None where they are no tree in which each variable but one is below one
    other."""
    over: dict[int, tuple[int, Fraction]] = {}
    below: dict[int, list[int]] = {}
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
        below.setdefault(high, []).append(low)
    roots = {high for high, _ in over.values()} - set(over)
    if len(roots) != 1:
        return None
    place = {root: Fraction(0) for root in roots}
    names = [*roots]
    for name in names:
        for low in below.get(name, []):
            place[low] = place[name] + over[low][1]
            names.append(low)
    return [(name, place[name], tuple(below.get(name, ()))) for name in names]


def ordered(items: Sequence[Inequality], rate: Fraction) -> Any | None:
    """Return the chance of inequalities between Gumbel variables of one rate, as a ball; None where they are no tree in
    which each variable but one is below one other."""
    order = order_of(items)
    return None if order is None else _product(order, lambda place: ball(rate * place).exp(), ball(1))


def _product(order: Order, weight: Callable[[Fraction], Any], one: Any) -> Any:
    """Return the product over all variables of the weight of each over that of all at or below it."""
    found = one
    sums: dict[int, Any] = {}
    for name, place, below in reversed(order):
        own = whole = weight(place)
        for low in below:
            whole = whole + sums[low]
        sums[name] = whole
        found = found * (own / whole)
    return found


def in_closed_form(paths: Sequence[Sequence[Path]]) -> list[list[Path]]:
    """Return paths with the chance of each order of Gumbel noise in their weights; as they are where a comparison of
    Gumbel noise is no order."""
    found = [[_closed(path) for path in row] for row in paths]
    known = [[path for path in row if path is not None] for row in found]
    return known if [*map(len, known)] == [*map(len, found)] else [list(row) for row in paths]


def is_order(path: Path) -> bool:
    """Whether a path compares Gumbel noise, and each such comparison is of an order."""
    compared = any(path.laws[name].kind == "gumbel" for item in path.inequalities for name, _ in item.form if name >= 0)
    return compared and _closed(path) is not None


def _closed(path: Path) -> Path | None:
    weight, rest = path.weight, []
    for items in linked(path.inequalities):
        laws = {path.laws[name] if name >= 0 else None for item in items for name, _ in item.form}
        if not any(law is not None and law.kind == "gumbel" for law in laws):
            rest += items
            continue
        (law,) = laws if len(laws) == 1 else (None,)
        order = order_of(items if len(items) < 3 else needed(items, path.laws))
        if (
            law is None
            or order is None
            or any(part.terms and _meets(part, order) for part in noisy_parts(path.outcome))
        ):
            return None
        weight = product_of(weight, simplest(_product(order, partial(_power, law.rate), ONE)))
    return replace(path, weight=weight, inequalities=tuple(rest))


def _meets(part: Noisy | Rounded, order: Order) -> bool:
    return not {name for name, _ in part.terms}.isdisjoint(name for name, _, _ in order)


def _power(rate: Rate, place: Fraction) -> Exact:
    exponent = rate.factor * place
    return Exact.power(epsilon=exponent) if rate.power else Exact.power(number=exponent)
