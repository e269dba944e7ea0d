"""Evidence that libraries of which nothing is followed are refused by name, with what to do: on stand-ins of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import read_law


class Dispatcher:
    """What numba makes of a function."""

    def __init__(self, function: Any) -> None:
        self.__name__, self.py_func = function.__name__, function

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


class Frame:
    """A frame of pandas."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows


Dispatcher.__module__, Frame.__module__ = "numba.core.registry", "pandas.core.frame"
Frame.__init__.__module__ = "pandas.core.frame"


@Dispatcher
def doubled(x: int) -> int:
    return 2 * x


HELD = Frame([1, 2])
PROGRAMS: dict[str, tuple[Callable[..., Any], str]] = {
    "compiled": (lambda n, coins: doubled(n) + coins.below(2), "doubled is compiled by numba.*without the decorator"),
    "held": (lambda n, coins: len(HELD.rows) + coins.below(2), "Frame of pandas is not followed; take .to_numpy"),
    "made": (lambda n, coins: len(Frame([n]).rows) + coins.below(2), "Frame of pandas is not followed"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_refused_by_name(name: str) -> None:
    program, words = PROGRAMS[name]
    with pytest.raises(Unauditable, match=words):
        read_law(program, 1)


def test_a_library_that_is_only_asked_about_is_no_obstacle() -> None:
    law = read_law(lambda n, coins: isinstance(n, Frame) + coins.below(2), 1).law
    assert law.denominator == 2
