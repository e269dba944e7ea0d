"""What holds for all tests: how many examples a property is tried on, and that programs know of no other test.

A plain run tries each property on 25 examples, the same in every run; `--hypothesis-profile=thorough` on 400 new ones.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# A time limit on each example tells how busy the machine is, and nothing of the property.
settings.register_profile("short", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile("short")


@pytest.fixture(scope="session", autouse=True)
def alone() -> Iterator[None]:
    """Hide from the programs that a test starts, pytest among them, that it is one of several workers."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
            patch.delenv(name, raising=False)
        yield
