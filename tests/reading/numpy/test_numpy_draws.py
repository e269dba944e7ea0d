"""Evidence that draws of numpy's generators are read as numpy draws: random programs, often run by numpy itself."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz_draws import tried

EACH = 8


def verdicts(first: int, count: int) -> Counter[str]:
    """How many programs had each verdict; a wrong one fails here with its source."""
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        source, verdict, why = tried(seed)
        assert verdict != "WRONG", f"{source}\n{why}"
        found[verdict] += 1
    return found


@pytest.mark.parametrize("block", range(2))
def test_random_programs_draw_as_numpy_does(block: int) -> None:
    assert verdicts(block * EACH, EACH)["same"] >= EACH // 2


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(50))
def test_more_random_programs_draw_as_numpy_does(block: int) -> None:
    assert verdicts(10_000 + block * 100, 100)["same"] >= 80
