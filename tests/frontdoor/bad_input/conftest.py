"""What tests of bad input share."""

from collections.abc import Callable
from typing import Any

import pytest

from dpcert.worker.process import Children


@pytest.fixture(scope="module")
def refused(inside: Callable[..., Any], check_json: Callable[..., None]) -> Any:
    """Run a command line that must be refused by this process alone; return its line."""

    def never(*rest: Any, **more: Any) -> None:
        raise AssertionError("a process was started")

    def run(*arguments: object) -> str:
        line: str = inside(*arguments).refusal()
        done = inside(arguments[0], "--json", *arguments[1:])
        assert done.status == 2
        check_json("error", done.document)
        parts = done.document
        assert line == f"dpcert: {parts['given']}; needed: {parts['needed']}; {parts['remedy']}"
        return line

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Children, "reply", never)
        yield run
