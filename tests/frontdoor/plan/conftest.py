"""The fixture of tests of plans."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def planned(inside: Callable[..., Any], workers_inside: None) -> Callable[..., Any]:
    """Plan in this process, its workers too, and return the document."""

    def plan(*arguments: object, status: int = 0) -> Any:
        done = inside("plan", *arguments, "--json")
        assert (done.status, done.err) == (status, "")
        return done.document

    return plan
