"""Evidence that counts which are compared, added and returned have their law, and what asks more keeps a tail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import count_programs
import pytest
from count_programs import FOLLOWED, LOOKED_AT, NOT_FOLLOWED
from pair_programs import ASKED, DIFFERENCES, KEPT, OTHERS
from test_tails import FEW, unlike

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.reading.explore import read_law
from dpcert.reading.tails.far import Ends, common_starts

Program = Callable[[int, Coins], Any]
EIGHTH, SIXTEENTH = Fraction(1, 8), Fraction(1, 16)
R, S = Fraction(1, 2), Fraction(1, 4)  # of the programs of pairs


def name(program: Callable[..., Any]) -> str:
    return program.__name__


def ends_of(program: Program) -> Ends:
    found = read_law(program, 2, FEW, sums=True)
    assert found.ends is not None
    assert unlike(found) is None
    return found.ends


def on_numbers(program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, n: int, most: int) -> Iterator[Any]:
    """Yield the outcomes of a program whose calls return plain numbers up to `most`, with their probabilities."""
    bounds = FOLLOWED[program]
    for numbers in product(range(most + 1), repeat=len(bounds)):
        left = iter(numbers)
        for each in ("geometric", "rarer"):
            monkeypatch.setattr(count_programs, each, lambda coins, left=left: next(left))
        outcome = program(n, None)
        taken = len(numbers) - len([*left])
        if any(numbers[taken:]):
            continue  # the program asked for fewer
        yield (
            outcome,
            prod(
                (1 - Fraction(1, bound)) * Fraction(1, bound) ** j
                for bound, j in zip(bounds[:taken], numbers, strict=False)
            ),
        )


@pytest.mark.parametrize("program", FOLLOWED, ids=name)
def test_the_law_by_counts_is_that_of_the_program_on_plain_numbers(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    law = ends_of(program).listed(Fraction(1, 10**40))
    known: dict[Any, tuple[Any, Fraction]] = {}
    for outcome, p in on_numbers(program, monkeypatch, 2, 5):
        known[key(outcome)] = outcome, known.get(key(outcome), (None, Fraction(0)))[1] + p
    rest = 1 - sum(p for _, p in known.values())
    assert 0 < rest < Fraction(1, 2**14)
    assert len(known) > 1 or program is count_programs.far_away
    for outcome, p in known.values():
        assert p <= law.prob(outcome) + law.tail
        assert law.prob(outcome) <= p + rest


def test_the_difference_of_two_counts_is_two_series_by_its_formula() -> None:
    """i - j for ratios r and s: at x >= 0 (1 - r)(1 - s)/(1 - rs) r^x, and at -x as much with s."""
    law = ends_of(count_programs.difference).listed(Fraction(1, 10**40))
    zero = (1 - EIGHTH) * (1 - SIXTEENTH) / (1 - EIGHTH * SIXTEENTH)
    assert [law.prob(2 + x) for x in range(12)] == [zero * EIGHTH**x for x in range(12)]
    assert [law.prob(2 - x) for x in range(12)] == [zero * SIXTEENTH**x for x in range(12)]


def test_the_greater_of_two_counts_has_the_probabilities_of_its_formula() -> None:
    law = ends_of(count_programs.greatest).listed(Fraction(1, 10**60))

    def at_most(x: int) -> Fraction:
        return (1 - EIGHTH ** (x - 1)) * (1 - EIGHTH**x)  # of 2 + i and 1 + j

    assert [law.prob(x) for x in range(2, 20)] == [at_most(x) - at_most(x - 1) for x in range(2, 20)]


def test_a_comparison_with_a_far_number_is_exact() -> None:
    assert ends_of(count_programs.far_away).listed(Fraction(1, 2)).prob(True) == EIGHTH**499


@pytest.mark.parametrize("program", LOOKED_AT, ids=name)
def test_what_looks_at_a_count_as_at_any_number_has_its_law(program: Program) -> None:
    ends_of(program)


@pytest.mark.parametrize("program", [*NOT_FOLLOWED, *KEPT], ids=name)
def test_what_needs_a_count_as_a_number_keeps_its_tail(program: Program) -> None:
    found = read_law(program, 2, FEW, sums=True)
    assert found.ends is None
    assert found.law.tail > 0


def test_refused_a_series_that_a_program_makes() -> None:
    with pytest.raises(Unauditable, match="a Series is returned"):
        read_law(count_programs.forged, 2, FEW, sums=True)


# -- two loops that count


def of_pairs(returned: Callable[[int, int, int], Any]) -> tuple[dict[Any, tuple[Any, Fraction]], Fraction]:
    """The outcomes of the first pairs of two counts, and the probability of the others."""
    found: dict[Any, tuple[Any, Fraction]] = {}
    for i, j in product(range(40), repeat=2):
        outcome, p = returned(2, i, j), (1 - R) * R**i * (1 - S) * S**j
        found[key(outcome)] = outcome, found.get(key(outcome), (None, Fraction(0)))[1] + p
    return found, 1 - sum(p for _, p in found.values())


@pytest.mark.parametrize("program", DIFFERENCES, ids=name)
def test_the_difference_of_two_counts_has_the_law_of_its_formula(program: Program) -> None:
    """i - j for ratios r and s: at x >= 0 (1 - r)(1 - s)/(1 - rs) r^x, and at -x as much with s."""
    law = ends_of(program).listed(Fraction(1, 10**40))
    zero = (1 - R) * (1 - S) / (1 - R * S)
    assert [law.prob(2 + x) for x in range(40)] == [zero * R**x for x in range(40)]
    assert [law.prob(2 - x) for x in range(40)] == [zero * S**x for x in range(40)]


@pytest.mark.parametrize("program", OTHERS, ids=name)
def test_the_sum_of_two_counts_has_the_law_of_their_pairs(program: Program) -> None:
    law = ends_of(program).listed(Fraction(1, 10**40))
    for n in range(30):
        p = sum((1 - R) * R**i * (1 - S) * S ** (n - i) for i in range(n + 1))
        assert law.prob(OTHERS[program](2, n, 0)) == p


@pytest.mark.parametrize("program", [*ASKED, *KEPT], ids=name)
def test_what_asks_more_of_two_counts_has_no_wrong_law(program: Program) -> None:
    found = read_law(program, 2, FEW, sums=True)
    law, returned = Dist.like(found.law), {**ASKED, **KEPT}[program]
    if found.ends is not None:
        assert unlike(found) is None
        law = found.ends.listed(Fraction(1, 10**40))
    if returned is not None:
        expected, rest = of_pairs(returned)
        for outcome, p in expected.values():
            assert p - law.tail <= law.prob(outcome) <= p + rest


def test_laws_of_one_noise_have_common_starts() -> None:
    laws = [ends_of(program) for program in DIFFERENCES]
    starts = common_starts(laws)
    assert starts
    assert all(law.summed(starts) == laws[0].summed(starts) for law in laws)
