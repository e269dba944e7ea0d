"""Evidence that arrays of the machine, and draws of generators, are numpy's: random programs, run by numpy as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import fuzz_draws
import fuzz_numpy
import pytest

EACH, MANY = 10, 200
ARRAYS, DRAWS = fuzz_numpy.tried, fuzz_draws.tried


def verdicts(tried: Callable[[int], Any], first: int, count: int) -> Counter[str]:
    """How many programs had each verdict; a wrong one fails here with its source."""
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        source, verdict, why = tried(seed)
        assert verdict not in ("WRONG", "fault"), f"{source}\n{why}"
        found[verdict] += 1
    return found


@pytest.mark.parametrize(("tried", "blocks"), [(ARRAYS, 10), (DRAWS, 2)], ids=["arrays", "draws"])
def test_random_programs_end_as_numpy_does(tried: Callable[[int], Any], blocks: int) -> None:
    for block in range(blocks):
        assert verdicts(tried, block * EACH, EACH)["same"] >= EACH // 2


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(100))
@pytest.mark.parametrize(("tried", "least"), [(ARRAYS, 100), (DRAWS, 160)], ids=["arrays", "draws"])
def test_more_random_programs_end_as_numpy_does(tried: Callable[[int], Any], least: int, block: int) -> None:
    assert verdicts(tried, 10_000 + block * MANY, MANY)["same"] >= least
