"""Private weighted sampling at size: probabilities of many frequencies, rows of many values, a sample from a file."""

import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_grid import grid_probabilities
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import cell_ends, grid_rows
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities

ROOT = Path(__file__).resolve().parents[1]
BITS = 128


def ratio_of(epsilon: str) -> Fraction:
    return Epsilon.of(epsilon).exp_bounds(64)[0]


@pytest.mark.parametrize(
    ("n", "source"),
    [*((n, "exact") for n in (500, 1000, 2000, 4000)), *((n, "grid") for n in (4000, 10_000, 100_000, 1_000_000))],
)
def test_many_probabilities(benchmark: Any, n: int, source: str) -> None:
    """Algorithm 3 for epsilon = 1/1000, delta = 10^-9 and ppswor of tau = 10^-6, where it does not reach q."""
    ratio, delta = ratio_of("1/1000"), Fraction(1, 10**9)

    def probabilities() -> list[Any]:
        q = sampling_probabilities("ppswor:1/1000000", n)
        if source == "exact":
            return reporting_probabilities(q=q, ratio=ratio, delta=delta)
        return list(grid_probabilities(q=q, ratio=ratio, delta=delta, bits=BITS))

    found = benchmark.pedantic(probabilities, rounds=3 if n <= 1000 else 1)
    assert all(a <= b for a, b in pairwise(found))
    bits = BITS if source == "grid" else max(p.denominator.bit_length() for p in found)
    benchmark.extra_info.update({"bits": bits})


@pytest.mark.parametrize(
    ("n", "source"),
    [*((n, "exact") for n in (25, 50, 100, 200)), *((n, "grid") for n in (100, 200, 1000, 2000, 4000, 8000))],
)
def test_many_values(benchmark: Any, n: int, source: str) -> None:
    """Algorithm 5 for epsilon = 1/10, delta = 10^-6 and ppswor of tau = 1/300."""
    q, ratio, delta = sampling_probabilities("ppswor:1/300", n), ratio_of("1/10"), Fraction(1, 10**6)

    def rows() -> int:
        if source == "exact":
            return len(density_rows(q=q, ratio=ratio, delta=delta)[1])
        cells = cell_ends(q=q, ratio=ratio, delta=delta, bits=BITS)
        made = list(grid_rows(q=q, ratio=ratio, delta=delta, bits=BITS, cells=cells))
        assert len(made) == n + 1
        return sum(map(len, cells))

    cells = benchmark.pedantic(rows, rounds=3 if n <= 100 else 1)
    assert n <= cells <= 3 * n
    benchmark.extra_info.update({"cells": cells})


@pytest.mark.parametrize("n", [10**5, 10**6, 10**7])
def test_sample_from_a_file(benchmark: Any, tmp_path: Path, measured_command: Callable[..., Any], n: int) -> None:
    """Keys with frequencies of density proportional to 1/w^2, in random order."""
    source, target, draw = tmp_path / "sample.csv", tmp_path / "sanitized.csv", random.Random(1).paretovariate
    with source.open("w", encoding="ascii") as file:
        file.writelines(f"key{i},{int(draw(1))}\n" for i in range(n))
    command = [sys.executable, str(ROOT / "examples" / "sanitize_sample.py"), str(source), str(target)]
    usage = benchmark.pedantic(lambda: measured_command(*command), rounds=1)
    lines = int(subprocess.run(["wc", "-l", target], capture_output=True, check=True).stdout.split()[0])
    assert n // 100 < lines < n // 10
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    benchmark.extra_info.update({**usage.as_info(), "size": source.stat().st_size})
