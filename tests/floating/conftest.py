"""What the tests of float code share: an exact twin by plain enumeration."""

from collections.abc import Callable
from typing import Any

import pytest

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.paths.enumerator import Followed, enumerate_law

Program = Callable[[Any, Coins], Any]
Twin = Callable[..., Followed]


@pytest.fixture(scope="session")
def twin() -> Twin:
    """Return a function that holds a program's law equal to its law by plain enumeration, and returns it."""

    def check(program: Program, value: object = None) -> Followed:
        found = enumerate_law(program, value)
        plain = enumerate_law(program, value, eager=True)
        assert plain.law.tail == 0, plain.notes
        assert found.law == plain.law, (found, plain)
        again = enumerate_law(program, value, reverse=True, replay=False)
        assert again.law.digest() == found.law.digest()
        return found

    return check
