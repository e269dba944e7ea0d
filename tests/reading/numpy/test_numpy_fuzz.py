"""Evidence that arrays of the machine are numpy's: random programs end as numpy ends on the same numbers."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz_numpy import tried

EACH = 10


def verdicts(first: int, count: int) -> Counter[str]:
    """How many programs had each verdict; a wrong one fails here with its source."""
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        source, verdict, why = tried(seed)
        assert verdict not in ("WRONG", "fault"), f"{source}\n{why}"
        found[verdict] += 1
    return found


@pytest.mark.parametrize("block", range(10))
def test_random_programs_end_as_numpy_does(block: int) -> None:
    assert verdicts(block * EACH, EACH)["same"] >= EACH / 2


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(100))
def test_more_random_programs_end_as_numpy_does(block: int) -> None:
    assert verdicts(10_000 + block * 200, 200)["same"] >= 100
