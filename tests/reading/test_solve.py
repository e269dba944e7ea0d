"""Evidence that masses are solved exactly."""

from __future__ import annotations

from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.explore import read_law
from dpcert.reading.solve import Mass, components, solve, solved


def test_masses_without_a_loop_are_products() -> None:
    ways = [[(1, 3, 1), (2, 3, 2)], [(1, 2, -1), (1, 2, 2)], [(1, 1, -2)]]
    assert solve(ways, 0) == {-1: Fraction(1, 6), -2: Fraction(5, 6)}


def test_masses_of_a_draw_that_is_cut_again_and_again_stay_in_its_unit() -> None:
    ways = [[(1, 9 - place, -1 - place), (8 - place, 9 - place, place + 1)] for place in range(8)]
    ways.append([(1, 1, -9)])
    assert solved(ways, 0) == {-1 - place: Mass(1, 9) for place in range(9)}


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


def test_a_finite_chain_has_no_tail_however_rare_its_states_are() -> None:
    def kept(n: int, coins: Coins) -> int:
        return sum(1 for _ in range(n) if coins.below(1000) == 0)

    reading = read_law(kept, 20)
    assert reading.law.tail == 0
    assert reading.law == Dist.binomial(20, "1/1000")
    assert not reading.left


def test_a_chain_without_end_has_a_tail() -> None:
    def geometric(n: int, coins: Coins) -> int:
        k = 0
        while coins.below(2):
            k += 1
        return k

    law = read_law(geometric, 0).law
    assert 0 < law.tail < Fraction(1, 10**30)


def test_a_loop_that_forgets_is_solved() -> None:
    def repeated(n: int, coins: Coins) -> str:
        while (u := coins.below(6)) > 2:
            pass
        return "abc"[u]

    law = read_law(repeated, 0).law
    assert law == Dist.uniform("abc")
    assert law.tail == 0
