"""Evidence that changes of the exact layer are noticed, each found by `benchmarks/mutants.py` and missed before."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.explore import Limits

Refusal = Callable[..., str]


def test_caught_a_run_that_asks_another_draw_of_the_same_bound(refusal: Refusal) -> None:
    runs: list[int] = []

    def program(_: object, coins: Coins) -> object:
        draws = coins.below(4), coins.below(4)
        runs.append(0)
        return draws[len(runs) % 2] <= 1

    refusal(program, "run again, it met other decisions", replay=False)


@pytest.mark.parametrize("bound", [3, 4, 5])
def test_a_plain_draw_is_enumerated_up_to_the_limit_of_runs(bound: int) -> None:
    found = exact_law(lambda _, coins: coins.below(bound), None, limits=Limits(max_runs=4), eager=True)
    assert found.law == (Dist.uniform(bound) if bound <= 4 else Dist.of({}, tail=1))


def test_a_law_is_unlike_what_is_no_law() -> None:
    for other in (1, "1", None, Fraction(1), {1: 1}):
        assert Dist.point(1).__eq__(other) is NotImplemented
        assert (Dist.point(1) == other) is False


def test_a_line_escapes_what_does_not_print_and_nothing_else() -> None:
    assert one_line("é\x00\u200bπ \n x") == r"é\x00\u200bπ x"
