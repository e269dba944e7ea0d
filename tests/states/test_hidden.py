"""Evidence that what a program hides where states could overlook it is told, or that the program is refused by name."""

from __future__ import annotations

from pathlib import Path

import hidden
import pytest

from dpcert.mechanisms.states.containers import table_of
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.replaying import replays

HIDING = [name for name, parts in hidden.PARTS.items() if not parts.get("read")]
OPEN = [name for name, parts in hidden.PARTS.items() if parts.get("read")]
SMALL, FULL = (4, 2), (24, 6)


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let replays not compare where they end: what a state leaves out is to be found without luck."""
    monkeypatch.setattr(replays, "key", lambda outcome: None)


def held(name: str, folder: Path, size: tuple[int, int]) -> list[str]:
    """Hold that a program has its law on each input, or is refused; return why."""
    program = hidden.load(name, folder, *size)
    laws = [hidden.truth(program, n, *size) for n in (0, 1)]
    assert laws[0] != laws[1]
    refused = []
    for n in (1, 0, 1):
        try:
            found = merged_law(program, n).law
        except NotRead as error:
            refused.append(str(error))
        else:
            assert found == laws[n], name
    return refused


@pytest.mark.points(40)
@pytest.mark.parametrize("name", HIDING)
@pytest.mark.usefixtures("blind")
def test_what_is_hidden_is_told_or_refused_by_name_without_replays(name: str, tmp_path: Path) -> None:
    for words in held(name, tmp_path, SMALL):
        assert "internal error" not in words


@pytest.mark.nightly
@pytest.mark.parametrize("name", HIDING)
def test_what_shows_after_a_rare_pattern_is_told_or_refused_by_name(name: str, tmp_path: Path) -> None:
    for words in held(name, tmp_path, FULL):
        assert replays.TELLS not in words


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.usefixtures("blind")
def test_programs_of_the_same_shape_that_hide_nothing_are_read(name: str, tmp_path: Path) -> None:
    assert held(name, tmp_path, SMALL) == []


def test_caught_sets_of_one_order_that_go_on_otherwise() -> None:
    made, popped, held = {1, 2, 3}, {1, 2, 3}, {1, 2, 3}
    popped.add(popped.pop())
    held.add(9)
    held.remove(9)
    assert [*made] == [*popped] == [*held]
    assert len({table_of(made), table_of(popped), table_of(held)}) == 3
    assert table_of(made) == table_of({1, 2, 3})
