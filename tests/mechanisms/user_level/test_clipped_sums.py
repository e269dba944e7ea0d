"""Clipped sums: programs against closed forms, tight claims, what is drawn beyond the clamp, and every shift."""

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from dpcert import ApproxDP, Epsilon, Limits, Refuted, Report, Verified, seeded_coins
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.epsilons import at_most, less
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import (
    CLIPPED_SUM_L1,
    claimed,
    clipped_sum_l1,
    finish,
    ratio_within,
    unbounded_clipped_sum_l1,
)
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2, clipped_sum_l2, noise_of
from dpcert.mechanisms.user_level.clipping import clip_l1, clip_l2, square_sensitivity_l2
from dpcert.mechanisms.user_level.discrete_gaussian import discrete_gaussian, exp_coin
from dpcert.mechanisms.user_level.gaussian_profile import delta_bounds, enclose
from dpcert.reading.paths.enumerator import enumerate_law


@pytest.mark.points(1)
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, marks=pytest.mark.nightly),
        {"clip": "3/2", "users": "1"},
        {"dimension": "1", "users": "3"},
        {"dimension": "3", "users": "1", "most": "1"},
        {"epsilon": "ln(16)", "users": "1"},
        {"clip": "5/3", "grid": "3", "users": "1", "epsilon": "1/3"},
    ],
    ids=str,
)
def test_l1_is_its_closed_form_and_its_claim_is_tight(audit: Any, settings: dict[str, str]) -> None:
    instance = CLIPPED_SUM_L1.build(CLIPPED_SUM_L1.settings(settings))
    assert instance.closed_form is not None
    for value in instance.inputs[:: max(1, len(instance.inputs) // 9)]:
        found = enumerate_law(instance.program, value).law
        assert found == instance.closed_form(value)
        assert found.tail == 0
    report = audit(CLIPPED_SUM_L1, settings)
    assert isinstance(report.verdict, Verified)
    assert report.epsilon_lo == report.epsilon_hi == instance.epsilon
    assert at_most(instance.epsilon, Epsilon.of(CLIPPED_SUM_L1.settings(settings)["epsilon"]))


def test_caught_l1_with_a_little_less_than_its_epsilon(audit: Any) -> None:
    settings = {"dimension": "1", "users": "3"}
    instance = CLIPPED_SUM_L1.build(CLIPPED_SUM_L1.settings(settings))
    below = Epsilon.ln(instance.epsilon.ratio - Fraction(1, 10**30))
    assert isinstance(audit(CLIPPED_SUM_L1, settings, epsilon=below).verdict, Refuted)


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
@pytest.mark.parametrize("epsilon", ["1/100", "1/3", "ln(2)", "1", "2", "ln(1024)", "20"])
def test_the_ratio_is_the_greatest_of_its_kind(epsilon: str, steps: int) -> None:
    meant = Epsilon.of(epsilon)
    ratio = ratio_within(meant, steps)
    assert at_most(Epsilon.ln(ratio**steps), meant)
    assert ratio.denominator == 1 or ratio - 1 == Fraction(1, ratio.denominator)
    more = ratio + 1 if ratio >= 2 else 1 + Fraction(1, ratio.denominator - 1)
    assert less(meant, Epsilon.ln(more**steps))


def test_the_ratio_ends_at_two_to_the_32() -> None:
    assert ratio_within(Epsilon.of(1000), 1) == 2**32 - 1


@pytest.mark.points(1)
@pytest.mark.parametrize("ratio", [Fraction(4), pytest.param(Fraction(3, 2), marks=pytest.mark.nightly)])
@pytest.mark.parametrize("greatest", [1, 3])
def test_twin_what_is_drawn_beyond_the_clamp_makes_the_noise_unbounded(ratio: Fraction, greatest: int) -> None:
    """For every sum in [0, greatest], each integer has the mass (r - 1)/(r + 1) r^-|z - sum|, tails in powers."""
    stage = geometric_law(n=greatest, ratio=ratio)
    limits = Limits(max_tail=Fraction(1, 10**3))

    def beyond(end: int) -> dict[int, Fraction]:
        law = enumerate_law(lambda _, c: finish((end,), c, greatest=greatest, ratio=ratio)[0], None, limits=limits).law
        return {z: p for z, p in law.items() if abs(z - end) <= 3}

    ends = {0: beyond(0), greatest: beyond(greatest)}
    for count in range(greatest + 1):
        law = {z: p for z, p in stage(count).items() if z not in ends}
        for end, found in ends.items():
            for z, p in found.items():
                law[z] = law.get(z, Fraction(0)) + p * stage(count).prob(end)
        assert law.keys() == set(range(-3, greatest + 4))
        assert law == {z: (ratio - 1) / (ratio + 1) / ratio ** abs(z - count) for z in law}


def test_the_unbounded_sum_samples_what_the_finished_stage_does() -> None:
    """2,000 draws each of a sum of 0 in [0, 2]: both means are within 6 deviations of 0; alpha below 1e-8."""
    ratio, clipped = Fraction(3, 2), partial(clip_l1, clip=Fraction(1))
    stage = clipped_sum_l1(clipped=clipped, dimension=1, greatest=2, ratio=ratio)
    whole = unbounded_clipped_sum_l1(clipped=clipped, dimension=1, ratio=ratio)
    coins, users = seeded_coins(3), ((0,), (0,))
    finished = [finish(stage(users, coins), coins, greatest=2, ratio=ratio)[0] for _ in range(2000)]
    unbounded = [whole(users, coins)[0] for _ in range(2000)]
    variance = 2 * ratio / (ratio - 1) ** 2
    for found in (finished, unbounded):
        assert sum(found) ** 2 < 36 * 2000 * variance
        assert min(found) < -2
        assert max(found) > 4


@pytest.mark.nightly
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"grid": "1"}, marks=pytest.mark.nightly),
        pytest.param({"users": "1", "sigma": "5/4", "reach": "5/2"}, marks=pytest.mark.nightly),
        {"dimension": "1", "users": "3", "epsilon": "1/2"},
        pytest.param({"dimension": "3", "users": "1", "grid": "1", "reach": "2"}, marks=pytest.mark.nightly),
        pytest.param(
            {"dimension": "1", "users": "1", "method": "chains", "sigma": "1/2", "depth": "4"},
            marks=pytest.mark.nightly,
        ),
    ],
    ids=str,
)
def test_l2_is_its_closed_form_and_needs_the_delta_that_it_claims(audit: Any, settings: dict[str, str]) -> None:
    instance = CLIPPED_SUM_L2.build(CLIPPED_SUM_L2.settings(settings))
    assert instance.closed_form is not None
    for value in instance.inputs[:: max(1, len(instance.inputs) // 5)]:
        found = enumerate_law(instance.program, value).law
        assert found == instance.closed_form(value)
        assert found.tail == 0
    report = audit(CLIPPED_SUM_L2, settings)
    assert isinstance(report.verdict, Verified)
    assert report.delta_hi <= instance.delta < report.delta_lo * Fraction(101, 100)
    assert isinstance(audit(CLIPPED_SUM_L2, settings, delta=instance.delta * Fraction(99, 100)).verdict, Refuted)


@pytest.mark.nightly
def test_l2_by_chains_and_by_one_draw_is_one_law() -> None:
    settings = {"dimension": "1", "users": "1", "reach": "2"}
    draw, chains = (
        CLIPPED_SUM_L2.build(CLIPPED_SUM_L2.settings({**settings, "method": method})) for method in ("draw", "chains")
    )
    for value in draw.inputs:
        assert enumerate_law(draw.program, value).law == enumerate_law(chains.program, value).law


def test_noise_fits_the_sensitivity() -> None:
    settings = CLIPPED_SUM_L2.settings({"sigma": "3/2", "reach": "5"})
    for dimension, variance in ((1, Fraction(9, 4) * 16), (2, Fraction(9, 4) * 32), (7, Fraction(9, 4) * 32)):
        square = square_sensitivity_l2(dimension=dimension, clip=Fraction(2), grid=2)
        noise = noise_of(settings, square=square)
        assert noise.variance == variance
        assert noise.reach**2 <= 25 * variance < (noise.reach + 1) ** 2


def test_the_longest_replacement_is_the_worst_of_the_default_scope() -> None:
    """Its delta, uncut, is that of the shift (2, 2), two users with one item each; the cut noise needs more."""
    settings = CLIPPED_SUM_L2.settings({})
    instance = CLIPPED_SUM_L2.build(settings)
    noise = enclose(variance=noise_of(settings, square=8).variance)
    found = {shift: delta_bounds(noise, shift, instance.epsilon) for shift in ((2, 2), (0, 2), (1, 1), (1, 2))}
    assert all(found[2, 2][0] > hi for shift, (_, hi) in found.items() if shift != (2, 2))
    assert found[2, 2][1] < instance.delta < found[2, 2][0] + Fraction(1, 200)


def test_production_takes_any_number_of_users_and_counts() -> None:
    users = tuple((count, 10**6, 0) for count in range(500))
    coins = seeded_coins(1)
    first = unbounded_clipped_sum_l1(clipped=partial(clip_l1, clip=Fraction(5)), dimension=3, ratio=Fraction(9, 8))
    second = clipped_sum_l2(
        clipped=partial(clip_l2, clip=Fraction(5)), dimension=3, noise=discrete_gaussian(variance=Fraction(100))
    )
    assert [len(release(users, coins)) for release in (first, second)] == [3, 3]
    assert abs(first(users, coins)[2]) < 500


def seen(mechanism: Mechanism, settings: dict[str, str], limits: Limits) -> Report:
    """Audit a mechanism at its claim for an adversary who sees the bounds of the draws as well."""
    instance = mechanism.build(mechanism.settings(settings))
    subject = Subject(
        mechanism.name,
        instance.program,
        instance.inputs,
        RELATIONS[instance.neighbours],
        observes="outcome and draws",
        limits=limits,
    )
    return decide(subject, ApproxDP(instance.epsilon, instance.delta), again=subject.digests)


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("mechanism", "settings"), [(CLIPPED_SUM_L1, {"users": "1"}), (CLIPPED_SUM_L2, {"users": "1", "grid": "1"})]
)
def test_one_draw_for_each_count_tells_nothing(mechanism: Mechanism, settings: dict[str, str]) -> None:
    assert isinstance(seen(mechanism, settings, Limits()).verdict, Verified)


def test_caught_that_the_number_of_coins_tells_what_they_show() -> None:
    """An odd number of flips is True, an even one False, but for the last before the cut."""
    law = enumerate_law(lambda _, coins: exp_coin(Fraction(1, 2), 4, coins), None, draws=True).law
    assert dict(law.items()) == {
        (True, (2,)): Fraction(1, 2),
        (False, (2, 4)): Fraction(3, 8),
        (True, (2, 4, 6)): Fraction(5, 48),
        (False, (2, 4, 6, 8)): Fraction(7, 384),
        (True, (2, 4, 6, 8)): Fraction(1, 384),
    }


@pytest.mark.nightly
def test_caught_that_the_coins_of_the_chains_tell_the_noise() -> None:
    """At the same claim the outcome alone is within its delta; a tail is left, and counted against neither."""
    settings = {"users": "1", "dimension": "1", "grid": "1", "method": "chains", "depth": "1", "reach": "1"}
    report = seen(CLIPPED_SUM_L2, settings, Limits(max_tail=Fraction(1, 100)))
    assert isinstance(report.verdict, Refuted)
    assert isinstance(seen(CLIPPED_SUM_L2, {**settings, "method": "draw"}, Limits()).verdict, Verified)


def test_the_claim_is_what_is_spent_while_that_is_short_to_write() -> None:
    short, long = claimed(Epsilon.of(2), Fraction(3, 2), 4), claimed(Epsilon.of(2), Fraction(501, 500), 1000)
    assert short == Epsilon.ln("81/16")
    assert long == Epsilon.of(2)
    assert at_most(Epsilon.ln(Fraction(501, 500) ** 1000), long)
