"""Evidence that masses are solved exactly."""

from __future__ import annotations

from fractions import Fraction

from dpcert.reading.solve import components, solve


def test_masses_without_a_loop_are_products() -> None:
    ways = [[(1, 3, 1), (2, 3, 2)], [(1, 2, -1), (1, 2, 2)], [(1, 1, -2)]]
    assert solve(ways, 0) == {-1: Fraction(1, 6), -2: Fraction(5, 6)}


def test_a_loop_is_left_with_what_elimination_says() -> None:
    ways = [[(1, 2, 1), (1, 2, -1)], [(1, 3, 0), (1, 3, 1), (1, 3, -2)]]
    assert solve(ways, 0) == {-1: Fraction(2, 3), -2: Fraction(1, 3)}


def test_what_is_not_explored_is_missing() -> None:
    ways = [[(1, 4, 1), (3, 4, -1)], None]
    assert solve(ways, 0) == {-1: Fraction(3, 4)}


def test_a_loop_without_an_exit_is_missing() -> None:
    ways = [[(1, 2, 1), (1, 2, -1)], [(1, 1, 1)]]
    assert solve(ways, 0) == {-1: Fraction(1, 2)}


def test_components_come_before_what_leads_to_them() -> None:
    ways = [[(1, 1, 1)], [(1, 2, 2), (1, 2, 0)], [(1, 1, -1)]]
    assert [sorted(each) for each in components(ways, 0)] == [[2], [0, 1]]
