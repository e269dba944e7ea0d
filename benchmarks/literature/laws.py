"""The exact laws of the benchmark's mechanisms that are not products: the chance of each discrete outcome as a total.

`t` is the noise of the threshold for a sparse vector, the greatest noisy answer for a noisy maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from dpcert.mechanisms.exact.errors import InputError
from literature.exponentials import Piecewise, Total, laplace_above, laplace_below, laplace_density
from literature.exponentials import product as piecewise_product
from literature.samplers import BOUND, snapping_scale

Vector = Sequence[int]
Pattern = tuple[bool, ...]
Shape = Callable[[Fraction, Fraction], Piecewise]


def argmax(x: Vector, index: int, *, scale: Fraction, density: Shape, below: Shape) -> Total:
    """Return the chance that x_index has the greatest noisy answer."""
    others = (below(Fraction(value), scale) for i, value in enumerate(x) if i != index)
    return piecewise_product([density(Fraction(x[index]), scale), *others]).integral()


def answers(x: Vector, pattern: Pattern, *, threshold: Fraction, rho: Fraction, nu: Fraction) -> Total:
    """Return the chance that the first answers are TRUE and FALSE as the pattern says, whatever follows.

    rho and nu are the scales of the noise of the threshold, drawn once, and of each query.
    """
    factors = [laplace_density(Fraction(0), rho)]
    for value, true in zip(x, pattern, strict=False):
        factors.append((laplace_above if true else laplace_below)(value - threshold, nu))
    return piecewise_product(factors).integral()


def low_answer(x: Vector, *, threshold: Fraction, rho: Fraction, nu: Fraction, most: Fraction) -> Total:
    """Return the chance that all answers but the last are FALSE, and the last noisy answer is >= T + rho, <= most."""
    *first, last = x
    centre, top = last - threshold, most - threshold
    reached = laplace_below(centre, nu)
    everything = reached.value(top)
    chance = Piecewise((top,), (difference(everything, reached), {})) if top <= centre else None
    if chance is None:
        raise InputError(given=f"most={most}", needed="at most the last entry", remedy="take a lower number")
    factors = [laplace_density(Fraction(0), rho), chance]
    return piecewise_product([*factors, *(laplace_below(value - threshold, nu) for value in first)]).integral()


def high_numbers(
    x: Vector, pattern: Pattern, *, threshold: Fraction, rho: Fraction, nu: Fraction, least: Fraction
) -> Total:
    """Return the chance that the answers are as the pattern says, each noisy number at least `least` and T + rho."""
    factors, start = [laplace_density(Fraction(0), rho)], least - threshold
    for value, true in zip(x, pattern, strict=False):
        centre = value - threshold
        if true:
            above = laplace_above(centre, nu)
            below_start = {(Fraction(0), b): c for b, c in above.value(start).items()}
            later = tuple(point for point in above.points if point > start)
            pieces = (below_start, *(above.at(point) for point in (start, *later)))
            factors.append(Piecewise((start, *later), pieces))
        else:
            factors.append(laplace_below(centre, nu))
    return piecewise_product(factors).integral()


def difference(constant: Total, function: Piecewise) -> dict[tuple[Fraction, Fraction], Fraction]:
    """Return the terms of constant - function below the function's first point."""
    terms = {key: -value for key, value in function.pieces[0].items()}
    for exponent, factor in constant.items():
        terms[Fraction(0), exponent] = terms.get((Fraction(0), exponent), Fraction(0)) + factor
    return terms


def all_answers(x: Vector, *, threshold: Fraction, rho: Fraction, nu: Fraction, cap: int) -> dict[Pattern, Total]:
    """Return the chance of every sequence of answers that ends with the last of `cap` TRUEs, or with the last query.

    What all that begin alike have in common is multiplied once.
    """
    found: dict[Pattern, Total] = {}
    stack: list[tuple[Pattern, Piecewise]] = [((), laplace_density(Fraction(0), rho))]
    while stack:
        begun, function = stack.pop()
        if len(begun) == len(x) or sum(begun) == cap:
            found[begun] = function.integral()
            continue
        centre = x[len(begun)] - threshold
        for true, shape in ((False, laplace_below), (True, laplace_above)):
            stack.append(((*begun, true), function * shape(centre, nu)))
    return found


def classes(x: Vector, y: Vector) -> Iterator[Pattern]:
    """Yield one of each class of patterns without a cap: queries with the same entries in x and y are alike."""
    groups: dict[tuple[int, int], list[int]] = {}
    for i, entries in enumerate(zip(x, y, strict=True)):
        groups.setdefault(entries, []).append(i)
    for counts in product(*(range(len(places) + 1) for places in groups.values())):
        true = {i for places, count in zip(groups.values(), counts, strict=True) for i in places[:count]}
        yield tuple(i in true for i in range(len(x)))


def snapped(x: int) -> dict[float, Fraction]:
    """Return the law of the snapping mechanism as numpy computes it, where its logarithm is monotone.

    U is below a double u in (0, 1) with probability u: each double has its distance to the next. For either sign
    the outcome is monotone in U, and the doubles at which it changes are found by bisection on their bits, with the
    operations of the sampler.
    """
    scale, step = snapping_scale()
    centre = min(max(float(x), -BOUND), BOUND)
    law: dict[float, Fraction] = {}

    def outcome(bits: int, sign: float) -> float:
        u = np.array([bits], dtype=np.int64).view(np.float64)
        noisy = centre + sign * scale * np.log(u)
        return float(np.clip(step * np.rint(noisy / step), -BOUND, BOUND)[0]) + 0.0

    def number(bits: int) -> Fraction:
        return Fraction(float(np.array([bits], dtype=np.int64).view(np.float64)[0]))

    smallest, one = 1 << 52, int(np.array([1.0]).view(np.int64)[0])
    for sign in (1.0, -1.0):
        starts = [smallest]
        while starts[-1] < one:
            low, high = starts[-1], one
            here = outcome(low, sign)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if outcome(middle, sign) == here else (low, middle)
            starts.append(high)
        for first, last in pairwise(starts):
            edge = Fraction(0) if first == smallest else number(first)
            value = outcome(first, sign)
            law[value] = law.get(value, Fraction(0)) + (number(last) - edge) / 2
    return law
