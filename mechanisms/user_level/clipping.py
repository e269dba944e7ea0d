"""Clipping: a user's histogram scaled down to a bounded norm, on a lattice, rounded down so that no norm is raised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, floor, isqrt

from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import short_text

MAX_INPUTS = 5_000
"""The greatest number of data sets to audit."""

Users = tuple[tuple[int, ...], ...]
"""A count of each item, for each user."""
Clip = Callable[[Sequence[int]], tuple[int, ...]]
"""A map from a user's counts to the summands, in units of 1/grid."""


def clip_l1(counts: Sequence[int], *, clip: Fraction, grid: int = 1) -> tuple[int, ...]:
    """Return h min(1, C/|h|_1) in units of 1/grid, each entry rounded down, for a user's counts h.

    Requires: clip > 0, grid >= 1, counts >= 0; counts that are all 0 stay so.
    Claims:   entries >= 0 of sum at most `sensitivity_l1(dimension=1, ...)`; less than one unit of each is lost.
    Source:   user-level-histograms, Algorithm 1, on a lattice.
    """
    top, bottom = clip.numerator, sum(counts) * clip.denominator
    if bottom <= top:
        return tuple([grid * count for count in counts])
    return tuple([count * grid * top // bottom for count in counts])


def clip_l2(counts: Sequence[int], *, clip: Fraction, grid: int = 1) -> tuple[int, ...]:
    """Return h min(1, C/|h|_2) in units of 1/grid, each entry rounded down, for a user's counts h.

    The norm may be irrational: squares decide whether it exceeds C, and floor(g h_j C/|h|_2) is the integer root of the
    floor of its square.

    Requires: clip > 0, grid >= 1, counts >= 0; counts that are all 0 stay so.
    Claims:   entries >= 0 of square sum at most `square_sensitivity_l2(dimension=1, ...)`; less than one unit of each
              is lost.
    Source:   user-level-histograms, Algorithm 1, on a lattice.
    """
    top, bottom = clip.numerator**2, sum([count * count for count in counts]) * clip.denominator**2
    if bottom <= top:
        return tuple([grid * count for count in counts])
    return tuple([isqrt(count * count * grid * grid * top // bottom) for count in counts])


def sensitivity_l1(*, dimension: int, clip: Fraction, grid: int = 1) -> int:
    """Return the greatest l1 distance, in units of 1/grid, of two sums between which one user is replaced.

    It is floor(g C) for one item and twice that for more; tight. (Two numbers in [0, k] are at most k apart; two
    vectors without negative entries at most the sum of their norms, as are those with different single items.)

    Source: user-level-histograms, Algorithm 1, whose scale is lost; docs/papers/user-level-clipping.md.
    """
    return min(dimension, 2) * floor(grid * clip)


def square_sensitivity_l2(*, dimension: int, clip: Fraction, grid: int = 1) -> int:
    """Return the greatest square of the l2 distance, in units of 1/grid, of two sums with one user replaced.

    It is floor(g C)^2 for one item, and at most 2 floor(g^2 C^2) for more: |a - b|^2 = |a|^2 + |b|^2 - 2 <a, b>, and
    the last product is no less than 0. Tight where g C is an integer: replacing a user costs sqrt(2) C and not 2 C.

    Source: user-level-histograms, Algorithm 1, whose scale is lost; docs/papers/user-level-clipping.md.
    """
    return floor(grid * clip) ** 2 if dimension == 1 else 2 * floor((grid * clip) ** 2)


def clipped_sum(users: Iterable[Sequence[int]], *, clipped: Clip, dimension: int) -> tuple[int, ...]:
    """Return the sum of the clipped histograms of all users, in the clip's units.

    Requires: every user has `dimension` counts.
    """
    total = [0] * dimension
    for counts in users:
        total = [entry + more for entry, more in zip(total, clipped(counts), strict=True)]
    return tuple(total)


def sparse_clipped_sum(users: Iterable[Sequence[tuple[int, int]]], *, clipped: Clip, dimension: int) -> tuple[int, ...]:
    """Return the sum of `clipped_sum` for users who are given by the counts of the items that they have.

    Requires: each user's items are distinct and from 0 to dimension - 1.
    Claims:   the same sum: a norm does not see counts of 0, and they clip to 0.
    """
    total = [0] * dimension
    for counts in users:
        for (item, _), more in zip(counts, clipped([count for _, count in counts]), strict=True):
            total[item] += more
    return tuple(total)


def shifts(clipped: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the differences of two clipped histograms, up to signs and the order of items; the shortest first.

    Signs and order do not matter for independent, symmetric noise with one law for all items.
    """
    differences = {
        tuple(sorted(abs(x - y) for x, y in zip(a, b, strict=True))) for a, b in combinations(sorted({*clipped}), 2)
    }
    return sorted(differences, key=lambda shift: (sum(x * x for x in shift), shift))


def histograms(*, dimension: int, most: int) -> list[tuple[int, ...]]:
    """Return every histogram of `dimension` items with counts from 0 to `most`."""
    return list(product(range(most + 1), repeat=dimension))


def datasets(*, users: int, dimension: int, most: int) -> tuple[Users, ...]:
    """Return every tuple of `users` histograms with counts from 0 to `most`.

    Raises: InputError where there are more than MAX_INPUTS.
    """
    amount = (most + 1) ** (dimension * users)
    if amount > MAX_INPUTS:
        raise InputError(
            given=f"users={users}, dimension={dimension}, most={most}, which make {short_text(amount)} data sets",
            needed=f"(most + 1)^(users dimension) <= {MAX_INPUTS}, the data sets to audit",
            remedy="lower one of them; the law depends on the sum alone: one user shows what a replacement costs",
        )
    return tuple(product(histograms(dimension=dimension, most=most), repeat=users))


ORDERLESS = (
    "assumed: the program's law depends on the sum over all users alone, and on no order of users; so a first user who "
    "is replaced, beside the others in order, stands for any user who is replaced"
)


def datasets_for_sums(*, users: int, dimension: int, most: int) -> tuple[tuple[Users, ...], tuple[str, ...]]:
    """Return the data sets of `datasets`, or where they are too many, a part of them and the assumption for the others.

    The part has a first user beside all others in order: where one user is replaced, put this user first in both data
    sets, and sort the others.

    Raises: InputError where there are more than MAX_INPUTS of the latter.
    """
    size = (most + 1) ** dimension
    few = size <= MAX_INPUTS and size * comb(size + users - 2, users - 1) <= MAX_INPUTS < size**users
    if not few:
        return datasets(users=users, dimension=dimension, most=most), ()
    each = histograms(dimension=dimension, most=most)
    others = list(combinations_with_replacement(each, users - 1))
    return tuple((first, *rest) for first in each for rest in others), (ORDERLESS,)


def users_domain(*, users: int, dimension: int) -> Domain:
    """Return the domain of the tuples, or lists, of `users` users, each with `dimension` counts >= 0 of any size."""

    def fault(value: object) -> str | None:
        if type(value) is not tuple and type(value) is not list:
            return f"which is of type {type(value).__name__}, not tuple or list"
        if len(value) != users:
            return f"which has {len(value)} users"
        for place, counts in enumerate(value):
            if type(counts) is not tuple and type(counts) is not list:
                return f"in which user {place} is of type {type(counts).__name__}, not tuple or list"
            if len(counts) != dimension:
                return f"in which user {place} has {len(counts)} counts"
            for count in counts:
                if type(count) is not int:
                    return f"in which user {place} has a count of type {type(count).__name__}, not int"
                if count < 0:
                    return f"in which user {place} has a count below 0"
        return None

    counts = "[" + ", ".join("0" for _ in range(min(dimension, 3))) + (", ...]" if dimension > 3 else "]")
    return Domain(
        f"a tuple or list of {users} users, each a tuple or list of {dimension} counts >= 0",
        fault,
        f"write [{counts}" + (", ...]" if users > 1 else "]"),
    )
