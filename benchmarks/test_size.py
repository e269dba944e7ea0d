"""Sample-and-threshold on up to N people, from its closed form: exact for few, rounded down for many."""

import json
from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize("n", [250, 500, 1000, 2500, 5000])
def test_audit_of_many_people(benchmark: Any, dpcert: Callable[..., Any], n: int) -> None:
    command = ["audit", "sample-threshold", "--set", f"kmax={n}", "--law-source", "closed-form"]
    usage = benchmark.pedantic(lambda: dpcert(*command, "--json", "--time-limit", "900"), rounds=3 if n < 2500 else 1)
    (result,) = json.loads(usage.output)["results"]
    assert (result["verdict"], result["pairs"]) == ("verified", 2 * n)
    assert (result["tail"] == "0/1") == (n <= 250)
    benchmark.extra_info.update(usage.as_info())
