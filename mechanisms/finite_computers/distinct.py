"""Draws of distinct labels outside a set, which count the remaining labels and never list them."""

from collections.abc import Collection
from fractions import Fraction
from itertools import pairwise, permutations
from math import perm

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError


def _take(taken: list[int], rank: int) -> int:
    """Return the label that has `rank` smaller ones outside the sorted list `taken`, and put it into the list.

    The number of labels up to taken[i] and outside the list is taken[i] - i, which does not fall with i.
    """
    place = least(0, len(taken), lambda i: taken[i] - i > rank)
    taken.insert(place, rank + place)
    return rank + place


def distinct_sample(*, universe: int, held: Collection[int], amount: int, coins: Coins) -> tuple[int, ...]:
    """Draw a uniform sequence of `amount` distinct labels of 0 to universe - 1 that are not held.

    Requires: labels held are distinct and in the universe; amount <= universe - len(held).
    Claims:   `distinct_law`. The bounds of its draws disclose the number of held labels.
    Source:   finite-computers, Algorithm A.3 and Lemma A.1.
    Raises:   InputError where fewer labels are left, and for a label held twice or outside the universe.
    """
    taken = _set(held, universe)
    _enough(universe, len(held), amount)
    return tuple([_take(taken, coins.below(universe - len(taken))) for _ in range(amount)])


def distinct_elsewhere(
    *, universe: int, held: Collection[int], most: int, amount: int, wanted: int, coins: Coins
) -> tuple[int, ...]:
    """Draw the first `wanted` labels of a uniform sequence of `amount` distinct labels that are not held.

    It draws a uniform sequence of most + amount distinct labels of the whole universe, and skips those held. Among the
    labels not yet drawn, the lowest numbers stand for the held labels, and the other numbers for the rest in order. The
    draws do not depend on which labels are held or wanted; only the part of them that an audit decides does.

    Requires: labels held are distinct, in the universe, and at most `most`; wanted <= amount;
              most + amount <= universe.
    Claims:   `distinct_law` of `wanted` labels. The bounds of its draws are universe, universe - 1, ....
    Raises:   InputError where the universe is too small, and for a label held twice or outside it.
    """
    taken = _set(held, universe)
    _enough(universe, most, amount)
    ranks = [coins.below(universe - drawn) for drawn in range(most + amount)]
    skipped, labels = len(held), list[int]()
    for rank in ranks:
        if len(labels) == wanted:
            break
        if rank < skipped:
            skipped -= 1
        else:
            labels.append(_take(taken, rank - skipped))
    return tuple(labels)


def distinct_law(*, universe: int, held: Collection[int], amount: int) -> Dist:
    """Return the law of both samplers: uniform on the sequences of distinct labels that are not held."""
    free = [label for label in range(universe) if label not in held]
    each = Fraction(1, perm(len(free), amount))
    return Dist.of((sequence, each) for sequence in permutations(free, amount))


def _set(held: Collection[int], universe: int) -> list[int]:
    """Return the labels held, sorted, after seeing that they are a set of labels."""
    taken = sorted(held)
    wrong = [b for a, b in pairwise(taken) if a == b] + [label for label in taken if not 0 <= label < universe]
    if wrong:
        raise InputError(
            given=f"{len(taken)} labels held, with {wrong[0]} twice or outside the universe",
            needed=f"distinct labels from 0 to {universe - 1}",
            remedy="give each label once",
        )
    return taken


def _enough(universe: int, held: int, amount: int) -> None:
    if held + amount > universe:
        raise InputError(
            given=f"{amount} distinct labels outside {held} of {universe}",
            needed=f"a universe of at least {held + amount} labels",
            remedy="raise universe",
        )
