"""What the tests of the coins share: an exact twin, and a refusal."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert import Coins, Dist, Unauditable
from dpcert.reading.paths.enumerator import Enumeration, Limits, enumerate_law

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "coins.md"
Program = Callable[[Any, Coins], Any]
Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]


@pytest.fixture(scope="session")
def twin() -> Twin:
    """Return a function that holds a program's law equal to its law by plain enumeration, and returns it."""

    def check(program: Program, value: object = None, *, limits: Limits | None = None) -> Enumeration:
        found = enumerate_law(program, value, limits=limits)
        plain = enumerate_law(program, value, limits=limits, eager=True)
        assert plain.law.tail == 0, plain.notes
        assert found.law == plain.law, (found, plain)
        again = enumerate_law(program, value, limits=limits, reverse=True, replay=False)
        assert again.law.digest() == found.law.digest()
        assert again.leaves == found.leaves
        return found

    return check


@pytest.fixture(scope="session")
def refusal() -> Refusal:
    """Return a function that holds a program unauditable, for a reason with the given texts in it."""

    def check(program: Program, *texts: str, value: object = None, **settings: Any) -> str:
        with pytest.raises(Unauditable) as caught:
            enumerate_law(program, value, **settings)
        reason = str(caught.value)
        assert "\n" not in reason
        for text in texts:
            assert text in reason
        return reason

    return check


@pytest.fixture(scope="session")
def law() -> Callable[..., Dist]:
    """Return a function that enumerates a program on no particular input."""

    def enumerate_(program: Callable[[Coins], Any], **settings: Any) -> Dist:
        return enumerate_law(lambda _, coins: program(coins), None, **settings).law

    return enumerate_


@pytest.fixture(scope="session")
def page() -> Path:
    """The page on coins."""
    return PAGE


@pytest.fixture(scope="session")
def table(page: Path) -> Callable[[str], dict[str, str]]:
    """Return a function that reads {operation: category} from the table under a heading of the page on coins."""

    def read(heading: str) -> dict[str, str]:
        section = page.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n#")[0]
        found: dict[str, str] = {}
        for line in section.splitlines():
            if line.startswith("| `"):
                operation, category, _ = line.replace(r"\|", "\0").strip("|").split("|")
                for name in re.findall("`([^`]+)`", operation.replace("\0", "|")):
                    assert name not in found, name
                    found[name] = category.strip()
        return found

    return read
