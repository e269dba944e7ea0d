"""Claims on many counts: all of them one by one, and counts of any size by a theorem."""

import json
from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize("n", [12_500, 25_000, 50_000, 100_000])
def test_audit_of_many_counts(benchmark: Any, dpcert: Callable[..., Any], n: int) -> None:
    settings = (f"imax={n}", "bits=64", "q=ppswor:1/1000000", "delta=1e-9")
    command = ["audit", "pws-keys", "--law-source", "closed-form", "--json", "--time-limit", "900"]
    words = [word for setting in settings for word in ("--set", setting)]
    usage = benchmark.pedantic(lambda: dpcert(*command, *words), rounds=1)
    (result,) = json.loads(usage.output)["results"]
    assert (result["verdict"], result["pairs"]) == ("verified", 2 * (n + 1))
    assert n > 100_000 or usage.processor < 60
    benchmark.extra_info.update(usage.as_info())


@pytest.mark.parametrize(
    ("relation", "delta", "verdict"),
    [
        ("add-remove", "437518e-42", "verified"),
        ("add-remove", "6e-37", "verified"),
        ("substitute", "437518e-42", "refuted"),
        ("substitute", "6e-37", "verified"),
    ],
)
def test_audit_of_counts_of_any_size(
    benchmark: Any, dpcert: Callable[..., Any], relation: str, delta: str, verdict: str
) -> None:
    """Threshold 480 at rate 1/2 for epsilon = ln 2, at the printed delta and at a greater one, each in 30 s."""
    command = ["audit", "sample-threshold", "--set", "rate=1/2", "--set", "threshold=480", "--epsilon", "ln(2)"]
    asked = [*command, "--delta", delta, "--neighbours", relation, "--time-limit", "900", "--json"]
    usage = benchmark.pedantic(lambda: dpcert(*asked, status=1 if verdict == "refuted" else 0), rounds=1)
    (result,) = json.loads(usage.output)["results"]
    assert result["verdict"] == verdict
    assert usage.processor < 30
    benchmark.extra_info.update(usage.as_info(), verdict=verdict)
