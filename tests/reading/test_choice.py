"""Evidence for the choice between paths and states, and for the words about states that are many."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import programs_that_grow as growing
import pytest

import dpcert
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading import explore
from dpcert.reading.choice import FEW, LEFT
from dpcert.reading.explore import Limits as StateLimits
from dpcert.reading.explore import read_law
from dpcert.reading.paths.enumerator import Limits, enumerate_law
from dpcert.reading.paths.slow import SLOW

COUNT, WHOLE = "keep of it only what is read again, such as a count", "add up integers, and make a float of the sum"
GROWING = [
    (growing.grows_list, growing.grows_list, "seen.append", "'seen' grows", COUNT),
    (growing.grows_set, growing.grows_set, "seen.add", "'seen' grows", COUNT),
    (growing.grows_dict, growing.grows_dict, "seen[i] =", "'seen' grows", COUNT),
    (growing.grows_attribute, growing.Holder.take, "self.seen.append", "'self.seen' grows", COUNT),
    (growing.grows_float, growing.grows_float, "total +=", "'total' differs", WHOLE),
    (growing.product, growing.product, "total = total", "'total' differs", "keep of it only what is read again"),
]


def test_a_way_is_followed_to_one_depth_whatever_the_order() -> None:
    def rare(_: object, coins: Coins) -> bool:
        while coins.below(3) == 0:
            pass
        return coins.below(1 << 200) == 0

    laws = [read_law(rare, None, reverse=reverse).law for reverse in (False, True)]
    assert laws[0] == laws[1]
    assert Dist.like(laws[0]) == Dist.of([(True, Fraction(1, 1 << 200)), (False, 1 - Fraction(1, 1 << 200))])


def test_the_shipped_way_takes_states_where_paths_leave_a_tail_and_says_so() -> None:
    def die(_: object, coins: Coins) -> int:
        while True:
            u = coins.getrandbits(3)
            if u < 6:
                return u + 1

    found = enumerate_law(die, None)
    assert found.law == Dist.of(dict.fromkeys(range(1, 7), "1/6"))
    assert found.sources == ("states",)
    again = enumerate_law(die, None, reverse=True, replay=False)
    assert again.law.digest() == found.law.digest()
    assert enumerate_law(die, None, draws=True).law.tail > 0


@pytest.mark.parametrize(("program", "place", "line", "words", "remedy"), GROWING)
def test_where_states_are_too_many_the_variable_that_differs_is_named(
    program: Callable[..., Any],
    place: Callable[..., Any],
    line: str,
    words: str,
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(SLOW, "tell", lambda *both: told.append(both))
    monkeypatch.setattr(explore, "MANY", 50)
    lines, first = inspect.getsourcelines(place)
    at = first + next(i for i, text in enumerate(lines) if line in text)
    where = f"programs_that_grow.py:{at}, in {place.__qualname__}: {words}"
    with pytest.raises(Unauditable) as caught:
        read_law(program, 20, StateLimits(states=200))
    assert str(caught.value) == f"more than 200 states are needed: {where}; {remedy}"
    assert told == [(f"its states are many: {where}", remedy)] * len(told)
    assert told


def test_nothing_is_told_of_a_reading_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(SLOW, "tell", lambda *both: told.append(both))
    monkeypatch.setattr(explore, "MANY", 300)
    monkeypatch.setattr(explore, "FEW", 10_000)  # so that each state is followed by itself
    enumerate_law(growing.grows_list, 9)
    assert told[-2][0].startswith("its states are many")
    assert told[-1] == ("", "")
    found = enumerate_law(named, 20, limits=Limits(max_runs=50))
    assert found.law.tail > 0
    assert told[-1][0] in found.notes
    assert told[-1][0].startswith("states were not merged: a call of globals is not followed")


def named(n: int, coins: Coins) -> int:
    count = 0
    for _ in range(n):
        count += coins.random() < 0.5
        assert globals()
    return count


CACHE: dict[int, int] = {}


def cached(n: int, coins: Coins) -> int:
    count = 0
    for i in range(n):
        CACHE.setdefault(i, i * i)
        count += CACHE[i] * int(coins.below(2))
    return count


def counted_on(n: int, coins: Coins) -> int:
    CACHE[0] = CACHE.get(0, 0) + 1
    return CACHE[0] + sum(coins.random() < 0.5 for _ in range(n))


def test_what_a_run_leaves_behind_is_an_assumption_unless_the_next_run_shows_it() -> None:
    found = enumerate_law(cached, 12, limits=Limits(max_runs=50))
    assert found.law.tail == 0
    assert found.assumptions == (f"{LEFT}test_choice.CACHE",)
    CACHE.clear()
    found = enumerate_law(counted_on, 12, limits=Limits(max_runs=50))
    assert found.law.tail > 0
    assert any("when CPython runs it on the same numbers" in note for note in found.notes)
    CACHE.clear()


@pytest.mark.nightly
def test_a_plain_loop_is_verified_and_its_certificate_names_the_layer() -> None:
    @dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=range(2), neighbours=dpcert.counts_differ_by_one)
    def rejected(count: int, coins: Coins) -> int:
        while True:
            u = coins.below(8)
            if u < 3:
                return count if u < 2 else 1 - count

    report = dpcert.audit(rejected).seen
    assert type(report.verdict).__name__ == "Verified"
    assert report.tail == 0
    assert "states" in report.law_source
    assert report.certificate is not None
    assert "dpcert/reading/keys.py" in report.certificate.sources


def test_a_number_of_more_values_than_the_first_paths_is_enumerated_up_to_the_limit_of_runs() -> None:
    found = enumerate_law(lambda _, coins: coins.below(FEW + 1), None)
    assert (found.law, found.notes, found.assumptions) == (Dist.uniform(FEW + 1), (), ())
    cut = enumerate_law(lambda _, coins: coins.below(FEW + 1), None, limits=Limits(max_runs=FEW))
    assert cut.law.tail == 1
    assert cut.notes == ("a draw with 9 undecided bits was needed as a plain number",)


def test_the_machine_is_loaded_outside_of_the_watches_of_a_program() -> None:
    """numpy comes with it, and draws random bits when it is loaded: in a fresh process that is no draw of a program."""
    lines = (
        "import sys",
        "from dpcert.reading.paths.enumerator import enumerate_law",
        "def kept(n, coins): return sum(coins.random() < 0.1 for _ in range(n))",
        "assert 'numpy' not in sys.modules",
        "print(enumerate_law(kept, 30).law.tail, 'numpy' in sys.modules)",
    )
    found = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["0", "True"]
