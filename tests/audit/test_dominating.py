"""Dominating pairs from bounds at points: against families of laws, their exact profiles, and two bins at once."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from dpcert.audit.dominating import Node, both_moves, dominating_pair
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError

FAMILY = [
    (Dist.from_weights([(0, 1), (1, 2), (2, 5)], 8), Dist.from_weights([(0, 3), (1, 3), (2, 2)], 8)),
    (Dist.from_weights([(0, 7), (3, 1)], 8), Dist.from_weights([(0, 5), (1, 3)], 8)),
    (Dist.point(0), Dist.from_weights([(0, 2), (1, 1)], 3)),
]
RATIOS = [Fraction(n, 6) for n in range(40)]
ABOVE = [Fraction(1), Fraction(4, 3), Fraction(2), Fraction(7, 2)]


def greatest(family: Sequence[tuple[Dist, Dist]], ratio: Fraction) -> Fraction:
    return max(hockey_stick(p, q, ratio) for p, q in family)


def nodes(family: Sequence[tuple[Dist, Dist]], points: Sequence[Fraction]) -> list[Node]:
    return [(at, greatest(family, at)) for at in points]


REVERSED = [(q, p) for p, q in FAMILY]


def pair_of(points: Sequence[Fraction], others: Sequence[Fraction]) -> tuple[Dist, Dist]:
    return dominating_pair(nodes(FAMILY, points), nodes(REVERSED, others))


@pytest.mark.parametrize("others", [[], [Fraction(3, 2)], [Fraction(6, 5), Fraction(2), Fraction(5)]])
def test_the_pair_is_nowhere_below_any_of_the_family_in_both_orders(others: list[Fraction]) -> None:
    p, q = pair_of(ABOVE, others)
    assert p.tail == q.tail == 0
    for ratio in RATIOS:
        assert hockey_stick(p, q, ratio) >= greatest(FAMILY, ratio)
        assert hockey_stick(q, p, ratio) >= greatest(REVERSED, ratio)


def test_it_meets_the_bounds_at_their_points_exactly() -> None:
    others = [Fraction(6, 5), Fraction(2)]
    p, q = pair_of(ABOVE, others)
    for at in ABOVE:
        assert hockey_stick(p, q, at) == greatest(FAMILY, at)
    for at in others:
        assert hockey_stick(q, p, at) == greatest(REVERSED, at)


def test_between_points_it_is_the_chord_and_beyond_the_last_the_last_bound() -> None:
    p, q = dominating_pair([(Fraction(1), Fraction(1, 2)), (Fraction(3), Fraction(1, 8))])
    assert [hockey_stick(p, q, Fraction(n)) for n in (0, 1, 2, 3, 9)] == [
        1,
        Fraction(1, 2),
        Fraction(5, 16),
        Fraction(1, 8),
        Fraction(1, 8),
    ]
    assert hockey_stick(p, q, Fraction(1, 2)) == Fraction(3, 4)


def test_a_bound_above_the_chord_of_others_is_of_no_use() -> None:
    loose = dominating_pair([(Fraction(1), Fraction(1, 2)), (Fraction(2), Fraction(2, 5)), (Fraction(3), Fraction(0))])
    tight = dominating_pair([(Fraction(1), Fraction(1, 2)), (Fraction(3), Fraction(0))])
    for ratio in RATIOS:
        assert hockey_stick(*loose, ratio) == hockey_stick(*tight, ratio)
    rising = dominating_pair([(Fraction(1), Fraction(1, 4)), (Fraction(2), Fraction(1))])
    assert hockey_stick(*rising, Fraction(5)) == Fraction(1, 4)


def test_the_profile_of_a_reversed_pair_is_1_minus_e_plus_e_times_that_at_its_inverse() -> None:
    for p, q in FAMILY:
        for ratio in RATIOS[1:]:
            assert hockey_stick(q, p, ratio) == 1 - ratio + ratio * hockey_stick(p, q, 1 / ratio)


def test_dominating_pairs_compose_over_every_two_of_the_family() -> None:
    pair = both_moves(pair_of(ABOVE, [Fraction(3, 2), Fraction(4)]))
    for (p, q), (r, s) in product(FAMILY, REVERSED):
        for ratio in RATIOS:
            assert hockey_stick(p.product(r), q.product(s), ratio) <= hockey_stick(*pair, ratio)
    first, second = pair
    assert len(first) == len(second)
    assert first.map(lambda outcome: outcome[::-1]) == second


@pytest.mark.parametrize(
    ("losing", "gaining", "words"),
    [
        ([], [], "at least one"),
        ([(Fraction(1, 2), Fraction(1, 2))], [], "E >= 1"),
        ([(Fraction(1), Fraction(3, 2))], [], "in [0, 1]"),
        ([(Fraction(2), Fraction(-1, 9))], [], "in [0, 1]"),
        ([(Fraction(1), Fraction(1, 2))], [(Fraction(1), Fraction(1, 2))], "E > 1"),
        ([(Fraction(1), Fraction(1, 2))], [(Fraction(2), Fraction(2))], "in [0, 1]"),
    ],
)
def test_refused_nodes(losing: list[Node], gaining: list[Node], words: str) -> None:
    with pytest.raises(InputError) as refused:
        dominating_pair(losing, gaining)
    assert words in str(refused.value)


def test_a_reversed_bound_can_be_no_less_than_what_any_pair_needs() -> None:
    """From 0 at E = 2 reversed, every ratio p/q is at least 1/2: so the bound at 1/2 is 1 - 1/2, the least there is."""
    p, q = dominating_pair([(Fraction(1), Fraction(1, 4))], [(Fraction(2), Fraction(0))])
    assert hockey_stick(p, q, Fraction(1, 2)) == Fraction(1, 2)
    assert hockey_stick(q, p, Fraction(2)) == 0
