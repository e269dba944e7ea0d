"""What holds for all tests: an example of a property takes as long as it takes, and programs know of no other test."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# A time limit on each example tells how busy the machine is, and nothing of the property.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def alone() -> Iterator[None]:
    """Hide from the programs that a test starts, pytest among them, that it is one of several workers."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
            patch.delenv(name, raising=False)
        yield
