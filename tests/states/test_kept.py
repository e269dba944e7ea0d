"""Evidence that readings of one program on several inputs share calls, and nothing that has changed since."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corpus_calls
import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.states.kept import Kept
from dpcert.mechanisms.states.read import merged_law

SIDES = {"sides": 3}


def sixes(n: int, coins: Coins) -> int:
    """Draw up to n times, until 0 comes."""
    count = 0
    while count < n and coins.below(SIDES["sides"]):
        count += 1
    return count


def shifted(x: int, coins: Coins) -> int:
    return x + sixes(4, coins)


CALLING = [each for name, each in sorted(vars(corpus_calls).items()) if name.startswith("called")]


@pytest.mark.points(5)
@pytest.mark.parametrize("program", CALLING, ids=lambda program: program.__name__)
def test_a_law_is_the_same_whatever_was_read_before(program: Callable[..., Any]) -> None:
    alone = {n: merged_law(program, n).law for n in (1, 2, 3)}
    for order in ((1, 2, 3), (3, 2, 1)):
        kept = Kept()
        for n in order:
            found = merged_law(program, n, kept=kept).law
            assert (found, found.digest()) == (alone[n], alone[n].digest())


def test_a_call_is_read_and_replayed_for_the_first_input_alone() -> None:
    kept = Kept()
    first, second = (merged_law(shifted, x, kept=kept) for x in (0, 1))
    assert second.law == exact_law(shifted, 1).law == first.law.map(lambda outcome: outcome + 1)
    assert second.states == 1 < first.states
    assert second.replays < first.replays


def test_what_changed_between_two_inputs_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    before = merged_law(shifted, 0, kept=kept).law
    monkeypatch.setitem(SIDES, "sides", 4)
    after = merged_law(shifted, 0, kept=kept).law
    assert after == exact_law(shifted, 0).law != before


def test_other_limits_or_another_order_of_branches_share_no_calls() -> None:
    kept = Kept()
    whole = merged_law(shifted, 0, kept=kept).states
    assert merged_law(shifted, 1, kept=kept, reverse=True).states == whole
    assert merged_law(shifted, 2, kept=kept, reverse=True, replay=False).states == whole
    assert merged_law(shifted, 3, kept=kept, reverse=True, replay=False).states < whole


def test_caught_what_a_call_of_an_earlier_input_assigns_to() -> None:
    """What the code of a call does to names counts for the inputs that use what it returns."""
    kept = Kept()
    merged_law(shifted, 0, kept=kept)
    home = kept.worlds[0].home
    home.stored.add("below")
    home.trusted.add("below")
    found = merged_law(shifted, 1, kept=kept)
    assert found.law == exact_law(shifted, 1).law
    assert found.states > 1  # with the earlier ones it is refused, and so it is read alone
