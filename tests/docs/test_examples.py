"""The examples give the verdicts that they declare, with and without the packages of the extras."""

import importlib.util
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo

ROOT = Path(__file__).resolve().parents[2]
Shell = Callable[[str, Path], tuple[int, str]]


@pytest.fixture(scope="module")
def audited(shell: Shell) -> tuple[int, dict[str, Any]]:
    """Give the exit status and the document of the audit of all examples."""
    status, printed = shell("dpcert audit examples --expect --jobs 2 --json", ROOT)
    return status, json.loads(printed)


@pytest.mark.nightly
def test_every_verdict_is_the_declared_one(audited: tuple[int, dict[str, Any]]) -> None:
    status, document = audited
    assert status == 0
    assert min(document[verdict] for verdict in ("verified", "refuted", "undecided")) > 0
    assert "errors" not in document


@pytest.mark.nightly
def test_every_file_is_audited_or_skipped_with_a_command(audited: tuple[int, dict[str, Any]]) -> None:
    _, document = audited
    here = {f"examples/{path.name}" for path in (ROOT / "examples").glob("*.py")}
    found = {result["target"].rpartition(":")[0] for result in document["results"]}
    skipped = {entry["target"]: entry["reason"] for entry in document.get("skipped", [])}
    assert found | skipped.keys() == here
    missing = importlib.util.find_spec("diffprivlib") is None
    reason = "needs diffprivlib: pip install 'dpcert[diffprivlib]'"
    optional = {name: reason for name in here if name.startswith("examples/diffprivlib_")}
    assert len(optional) == 6
    assert skipped == (optional if missing else {})


def test_every_example_is_described() -> None:
    page = (ROOT / "docs/start/examples.md").read_text()
    assert [path.name for path in (ROOT / "examples").glob("*.py") if f"| `{path.name}` |" not in page] == []


def probability_of_one(gamma: float, rounds: int = 30) -> tuple[Fraction, Fraction]:
    """Return bounds of the probability that the loop of comparisons ends on an odd count, for gamma <= 1."""
    lo, reached = Fraction(0), Fraction(1)
    for counter in range(1, rounds):
        above = min(int(Fraction(gamma / counter) * 2**53) + 1, 2**53)
        goes_on = Fraction(above, 2**53)  # Pr[k / 2^53 <= gamma / counter]
        lo += reached * (1 - goes_on) * (counter % 2)
        reached *= goes_on
    return lo, lo + reached


def least_delta_of_binary(epsilon: float) -> tuple[Fraction, Fraction]:
    """Return bounds of the delta that the law of the comparison `random() * (e + 1) > e` needs, without a run."""
    e = np.exp(epsilon)
    lo, hi = 0, 2**53  # the first k of 2^53 at which the label is flipped
    while lo < hi:
        middle = (lo + hi) // 2
        lo, hi = (lo, middle) if middle * 2.0**-53 * (e + 1) > e else (middle + 1, hi)
    ratio_lo, ratio_hi = dpcert.Epsilon.of(Fraction(epsilon)).exp_bounds(120)
    kept, flipped = Fraction(lo, 2**53), Fraction(2**53 - lo, 2**53)
    return kept - ratio_hi * flipped, kept - ratio_lo * flipped


@pytest.mark.parametrize("epsilon", [0.125, 0.1, 0.5, 1.0, 2.0, 4.0, 10.0])
def test_the_page_shows_by_how_much_binary_misses_its_epsilon(epsilon: float) -> None:
    page = (ROOT / "docs/start/examples.md").read_text()
    lo, hi = least_delta_of_binary(epsilon)
    units = f"{decimal_lo(lo * 2**53, 6)} to {decimal_hi(hi * 2**53, 6)} times 2^-53"
    assert f"epsilon = {epsilon}: least delta at most {decimal_hi(hi)}, which is {units}\n" in page


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0, 1.5])
def test_the_page_shows_the_law_of_the_comparisons(gamma: float) -> None:
    """The law in docs/start/examples.md is that of its float comparisons, computed without a single run."""
    p_lo, p_hi = probability_of_one(min(gamma, 1.0))
    if gamma > 1:  # a first coin at 1, then one at the rest
        q_lo, q_hi = probability_of_one(gamma - 1)
        p_lo, p_hi = p_lo * q_lo, p_hi * q_hi
    page = (ROOT / "docs/start/examples.md").read_text()
    shown = page[page.index(f"gamma = {gamma}\n") :].splitlines()[1:6]
    assert [line.split()[-1] for line in shown[:2]] == [decimal_lo(p_lo, 25), decimal_hi(p_hi, 25)]
    exp_lo, exp_hi = dpcert.Epsilon.of(Fraction(gamma)).exp_bounds(120)
    assert [line.split()[-1] for line in shown[2:4]] == [
        decimal_lo(1 / exp_hi, 25),
        decimal_hi(1 / exp_lo, 25),
    ]
    least, most = decimal_lo((p_lo - 1 / exp_lo) * 2**53), decimal_hi((p_hi - 1 / exp_hi) * 2**53)
    assert shown[4].startswith(f"  Pr[1] - e^-gamma is {least} to {most} times 2^-53; tail at most ")
