"""Refutations from samples are confirmed by a second set of runs, and all claims of a run share one rate of error.

Rates are tested one-sidedly and exactly, at ALPHA; the seeds are fixed.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert import ApproxDP, Claim, InputError, PureDP, Sampled
from dpcert.audit.relations import relation
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.limits import ConfidenceLimits

from ..rates import most_wrong

LOOK = 1000
"""Runs of each of the two confirmations of a gross violation."""


def claim_about(guarantee: ApproxDP) -> Claim:
    return Claim("m", (), (0, 1), relation("any"), guarantee)


def response(bit: int, rng: random.Random) -> int:
    """Answer `bit` in three of four runs, which needs an epsilon of ln(3)."""
    return bit if rng.random() < 0.75 else 1 - bit


def sampled(
    function: Callable[[int, random.Random], Any], guarantee: ApproxDP, *, seed: int, **options: Any
) -> Sampled:
    rng = random.Random(seed)
    return sample_claim(claim_about(guarantee), lambda bit: function(bit, rng), seed=seed, **options)


@pytest.mark.nightly
def test_caught_a_violation_that_a_second_set_of_runs_does_not_show() -> None:
    """A program that leaks until the first confirmation is over is not refuted, though that one alone refutes it."""
    runs = 0
    leaking = 10**9

    def program(bit: int, rng: random.Random) -> int:
        nonlocal runs
        runs += 1
        return bit if runs <= leaking else rng.randrange(2)

    always = sampled(program, PureDP("1"), seed=1)
    assert (always.refuted, always.looks, always.runs) == (True, 2, runs)
    runs, leaking = 0, always.runs - LOOK
    once = sampled(program, PureDP("1"), seed=1)
    assert not once.refuted
    assert str(once.reason).startswith("a violation was seen in a first set of runs, and not confirmed by a second; ")
    assert once.power == ()


def test_what_both_sets_show_is_stated() -> None:
    """The limits of a refutation are the weaker of both sets, and break the claim."""
    report = sampled(response, PureDP("1/10"), seed=2)
    assert report.refuted
    assert report.worst.again is not None
    assert report.worst.limits.refutes(PureDP("1/10").epsilon.exp_bounds(64)[1], Fraction(0))
    assert 1 < report.epsilon_lo.ratio <= 3
    half, third, two = Fraction(1, 2), Fraction(1, 3), Fraction(2)
    first, second = ConfidenceLimits(half, Fraction(1, 8), two), ConfidenceLimits(third, Fraction(1, 9), Fraction(3))
    assert first.weaker(second) == second.weaker(first) == ConfidenceLimits(third, Fraction(1, 8), two)


def test_the_more_claims_the_more_is_asked_of_each() -> None:
    """The same runs of one excess: enough for one claim, not for one of a thousand million."""
    reports = [sampled(response, PureDP("4/5"), seed=3, most_runs=9000, claims=claims) for claims in (1, 10**9)]
    assert [report.refuted for report in reports] == [True, False]
    assert [report.confidence for report in reports] == [1 - Fraction(1, 10**6)] * 2
    with pytest.raises(InputError, match="claims=0"):
        sampled(response, PureDP("1"), seed=1, claims=0)


def false_alarms(confidence: Fraction, invocations: int, claims: int, *, most_runs: int = 1000, split: int) -> int:
    """Count the invocations of so many true claims, none with room to spare, in which any is refuted."""
    options: dict[str, Any] = {"confidence": confidence, "claims": split, "most_runs": most_runs}
    seeds = [range(claims * i, claims * (i + 1)) for i in range(invocations)]
    return sum(any(sampled(response, PureDP("ln(3)"), seed=s, **options).refuted for s in own) for own in seeds)


@pytest.mark.nightly
def test_caught_claims_that_do_not_share_the_rate() -> None:
    """alpha = 1e-3: half of the invocations of 16 claims may be wrong; more are where each claim has all of that."""
    half = Fraction(1, 2)
    assert false_alarms(half, 40, 16, split=16) <= most_wrong(40, half)
    assert false_alarms(half, 40, 16, split=1) > most_wrong(40, half)


@pytest.mark.nightly
def test_false_alarms_of_a_whole_run_are_no_more_than_stated() -> None:
    """alpha = 1e-3: at most 1 in 10 of 200 invocations of four claims, with several looks, has a false refutation."""
    confidence = Fraction(9, 10)
    assert false_alarms(confidence, 200, 4, most_runs=8000, split=4) <= most_wrong(200, 1 - confidence)


def test_a_seed_gives_the_same_again() -> None:
    first, again, other = (sampled(response, PureDP("4/5"), seed=seed, most_runs=6000) for seed in (5, 5, 6))
    assert (first.seed, first) == (5, again)
    assert first.worst != other.worst
