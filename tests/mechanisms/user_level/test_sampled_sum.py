"""Clipped sums of a sample of users: the program's law, the claim, and a sample that is not taken."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Epsilon, Refuted, Report, Verified, seeded_coins
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.user_level.clipped_sum_l1 import CLIPPED_SUM_L1, clipped_sum_l1
from dpcert.mechanisms.user_level.clipping import clip_l1
from dpcert.mechanisms.user_level.sampled_sum_l1 import (
    SAMPLED_SUM_L1,
    inner_step,
    outer_epsilon,
    sampled_sum_l1,
    sampled_sum_l1_law,
    sampled_users,
)
from dpcert.reading.paths.enumerator import enumerate_law

Audit = Callable[..., Report]
PARTS: dict[str, Any] = {
    "rate": Fraction(1, 3),
    "clipped": partial(clip_l1, clip=Fraction(1)),
    "dimension": 2,
    "greatest": 2,
    "ratio": Fraction(2),
}
SMALL = {"grid": "1", "most": "1"}


def test_exact_twin_the_law_is_a_mixture_over_samples() -> None:
    program, law = sampled_sum_l1(**PARTS), sampled_sum_l1_law(**PARTS)
    for users in (((0, 1), (2, 0)), ((1, 1), (0, 0)), ((3, 1), (3, 1))):
        assert enumerate_law(program, users).law == law(users)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("text", ["ln(2)", "ln(9/7)", "ln(50)", "1"])
def test_the_step_inside_is_the_greatest_within_epsilon(text: str, dimension: int) -> None:
    rate, epsilon = Fraction(1, 5), Epsilon.of(text)
    step = inner_step(epsilon, rate, dimension=dimension)
    assert at_most(outer_epsilon(step, rate, dimension=dimension), epsilon)
    assert not at_most(outer_epsilon(step * (1 + Fraction(1, 10**15)), rate, dimension=dimension), epsilon)


@pytest.mark.parametrize(("dimension", "epsilon", "less"), [("2", "ln(2)", "ln(19/10)"), ("1", "ln(5/2)", "ln(12/5)")])
def test_the_claim_is_verified_and_tight(audit: Audit, dimension: str, epsilon: str, less: str) -> None:
    settings = {**SMALL, "users": "1", "rate": "1/2", "dimension": dimension, "epsilon": epsilon}
    assert SAMPLED_SUM_L1.build(SAMPLED_SUM_L1.settings(settings)).epsilon == Epsilon.of(epsilon)
    assert isinstance(audit(SAMPLED_SUM_L1, settings).verdict, Verified)
    assert isinstance(audit(SAMPLED_SUM_L1, {**settings, "users": "2"}).verdict, Verified)
    assert isinstance(audit(SAMPLED_SUM_L1, settings, epsilon=less).verdict, Refuted)


def test_caught_the_noise_of_a_sample_without_the_sample(audit: Audit) -> None:
    step = inner_step(Epsilon.ln(2), Fraction(1, 2), dimension=2)
    settings = {**SMALL, "users": "1", "epsilon": str(Epsilon.ln(step**2))}
    assert isinstance(audit(CLIPPED_SUM_L1, settings, epsilon="ln(2)").verdict, Refuted)


def test_twin_a_release_adds_up_the_sample_of_the_audited_program(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("".join(f"u{user},a\n" for user in range(400)))
    found = dpcert.release(
        "sampled-sum-l1",
        path,
        tmp_path / "out.json",
        epsilon=100,
        settings={"clip": "1", "rate": "1/4"},
        labels=["a", "b"],
        coins=seeded_coins(3),
    )
    kept = list(sampled_users([(1, 0)] * 400, rate=Fraction(1, 4), coins=seeded_coins(3)))
    assert 60 < len(kept) < 140
    assert found.released == (("a", str(len(kept))), ("b", "0"))
    quiet = clipped_sum_l1(clipped=PARTS["clipped"], dimension=2, greatest=400, ratio=Fraction(1 << 30))
    assert quiet(tuple(kept), seeded_coins(3)) == (len(kept), 0)
    assert "divide by 1/4" in found.notes["reading"]
    assert found.parameters["rate"] == "1/4"
