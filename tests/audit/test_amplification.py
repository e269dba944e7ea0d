"""Samples and shuffles: exact twins by the laws of the programs themselves, and bounds; uses composed in one call."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, cast

import pytest

import dpcert
from dpcert import Dist, Epsilon, InputError, compose, shuffled, shuffled_response
from dpcert.audit.amplification import subsampled
from dpcert.audit.between import Between
from dpcert.audit.composition import Canonical
from dpcert.audit.curves import maximum
from dpcert.audit.profile import Profile, profile

RATIOS = [Fraction(1), Fraction(6, 5), Fraction(2), Fraction(7)]


def both(p: Dist, q: Dist) -> Profile:
    found = maximum([profile(p, q), profile(q, p)])
    assert isinstance(found, Profile)
    return found


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("weights", [([3, 1, 0], [1, 3, 0]), ([5, 2, 1], [1, 3, 4]), ([0, 1, 1], [1, 1, 0])])
def test_exact_twin_of_a_sample_by_its_mixture(rate: Fraction, weights: tuple[list[int], list[int]]) -> None:
    """For a pair that is the worst of its mechanism in both orders, what is claimed of a sample is needed."""
    p, q = (Dist.from_weights(enumerate(side), sum(side)) for side in weights)
    mixed = Dist.mix([(rate, p), (1 - rate, q)])
    other = Dist.mix([(rate, q), (1 - rate, p)])
    found = subsampled(both(p, q), rate)
    assert isinstance(found, Profile)
    needed = maximum([profile(mixed, q), profile(q, mixed), profile(other, p), profile(p, other)])
    assert isinstance(needed, Profile)
    for ratio in RATIOS:
        assert needed.delta(ratio) <= found.delta(ratio)
        if weights[0] == [3, 1, 0]:
            assert needed.delta(ratio) == found.delta(ratio)


def test_a_sample_of_everyone_is_the_mechanism() -> None:
    one = both(Dist.of({0: "3/4", 1: "1/4"}), Dist.of({0: "1/8", 1: "7/8"}))
    assert subsampled(one, Fraction(1)) == one


def test_an_enclosed_profile_stays_between_its_sides() -> None:
    p, q = Dist.of({0: "3/4", 1: "1/4"}), Dist.of({0: "1/4", 1: "3/4"})
    wide = both(Dist.of({0: "7/8", 1: "1/8"}), Dist.of({0: "1/8", 1: "7/8"}))
    found = subsampled(Between(both(p, q), wide), Fraction(1, 3))
    assert isinstance(found, Between)
    assert found.lower == subsampled(both(p, q), Fraction(1, 3))
    assert found.upper == subsampled(wide, Fraction(1, 3))


@pytest.mark.parametrize("people", [1, 2, 4])
def test_exact_twin_of_shuffled_responses_by_all_reports(people: int) -> None:
    ratio = Fraction(3)
    found = shuffled_response(people, ratio)
    assert isinstance(found, Profile)

    def law(bits: tuple[int, ...]) -> Dist:
        chances = [
            [(0, Fraction(1, 4)), (1, Fraction(3, 4))] if bit else [(0, Fraction(3, 4)), (1, Fraction(1, 4))]
            for bit in bits
        ]
        rows: dict[int, Fraction] = {}
        for reports in product(*chances):
            chance = Fraction(1)
            for _, share in reports:
                chance *= share
            total = sum(report for report, _ in reports)
            rows[total] = rows.get(total, Fraction(0)) + chance
        return Dist.of(rows)

    pairs = []
    for others in product((0, 1), repeat=people - 1):
        one, zero = law((1, *others)), law((0, *others))
        pairs += [profile(one, zero), profile(zero, one)]
    assert found == maximum(pairs)


@pytest.mark.parametrize("people", [1, 5, 20])
def test_clones_bound_shuffled_responses(people: int) -> None:
    ratio = Fraction(3)
    exactly, bound = shuffled_response(people, ratio), shuffled(people, ratio)
    assert isinstance(exactly, Profile)
    assert isinstance(bound, Profile)
    assert all(exactly.delta(at) <= bound.delta(at) for at in RATIOS)
    if people == 1:
        assert bound == exactly
    else:
        assert bound.delta_at(Epsilon.ln(2)).hi < (shuffled(people - 1, ratio).delta_at(Epsilon.ln(2)).lo or 0)


def test_refused_rates_and_numbers() -> None:
    one = both(Dist.of({0: "3/4", 1: "1/4"}), Dist.of({0: "1/4", 1: "3/4"}))
    for rate in (Fraction(0), Fraction(3, 2)):
        with pytest.raises(InputError, match="rate"):
            subsampled(one, rate)
    for people, ratio in ((0, Fraction(2)), (201, Fraction(2)), (3, Fraction(1, 2))):
        with pytest.raises(InputError):
            shuffled_response(people, ratio)
        with pytest.raises(InputError):
            shuffled(people, ratio)


def test_twin_public_functions_take_texts_and_any_profile() -> None:
    claim = dpcert.profile("geosample", n=3, epsilon="1/2")
    assert isinstance(claim.curve, Profile)
    assert dpcert.subsampled(claim, "1/10") == claim.subsampled("1/10") == subsampled(claim.curve, Fraction(1, 10))
    assert dpcert.renyi(claim, "5/2") == claim.renyi("5/2") == dpcert.renyi(claim.curve, Fraction(5, 2))
    assert dpcert.zcdp(claim) == claim.zcdp()
    assert dpcert.shuffled_response(5, "3").delta_at("1/5") == shuffled_response(5, Fraction(3)).delta_at(
        Epsilon.of("1/5")
    )
    everything = dpcert.profile_on_all("sample-threshold", rate="1/10", threshold=2)
    assert dpcert.renyi(everything, "2").method == "enclosed"
    assert dpcert.subsampled(everything, "1/2").delta_at("1/5").hi < everything.delta_at("1/5").hi


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (lambda: dpcert.subsampled("a", "1/2"), "a str"),
        (lambda: dpcert.zcdp(dpcert.PureDP(1)), "a PureDP"),
        (lambda: dpcert.shuffled(5, 3.0), "3.0"),
        (lambda: dpcert.shuffled(5, "1/2"), "a ratio of 1/2"),
        (lambda: dpcert.epsilon_of_renyi("1", "1", "1e-6"), "at order 1"),
        (lambda: dpcert.epsilon_of_zcdp(0.5, "1e-6"), "0.5"),
        (lambda: dpcert.epsilon_of_zcdp("1/2", "0"), "delta = 0"),
        (lambda: dpcert.profile("sample-threshold", kmax="all"), "dpcert.profile_on_all"),
    ],
)
def test_refused_uses(call: Callable[[], Any], given: str) -> None:
    with pytest.raises(InputError, match=given):
        call()


ONE = profile(Dist.of({0: "5/8", 1: "2/8", 2: "1/8"}), Dist.of({0: "1/8", 1: "3/8", 2: "4/8"}))
PURE = dpcert.PureDP("ln(3)")


def test_exact_twin_of_few_uses() -> None:
    found = compose([ONE, (PURE, 2), ONE])
    exactly = ONE.compose(ONE).compose(Canonical(Epsilon.ln(3), Fraction(0)).at(Fraction(3)).power(2))
    for epsilon in ("0", "ln(2)", "ln(20)"):
        assert found.delta_at(epsilon).lo == found.delta_at(epsilon).hi == exactly.delta_at(Epsilon.of(epsilon)).lo
    assert found.ratio_at("1/10").hi == exactly.least_ratio(Fraction(1, 10))
    answer = found.epsilon_at("1/10")
    assert answer.lo is not None
    assert Epsilon.of(answer.lo).exp_bounds(64)[0] <= exactly.least_ratio(Fraction(1, 10))


def test_a_verdict_stands_for_its_guarantee_and_a_claim_for_its_profile() -> None:
    @dpcert.target(guarantee=PURE, inputs=(0, 1), neighbours="any")
    def response(bit: int, coins: Any) -> int:
        return bit if coins.below(4) else 1 - bit

    verdict = dpcert.audit(response).seen.verdict
    assert isinstance(verdict, dpcert.Verified)
    assert compose([(verdict, 3)]).delta_at("1").hi == compose([(PURE, 3)]).delta_at("1").hi
    claim = dpcert.profile(response)
    assert compose([claim]).delta_at("1").hi == claim.delta_at("1").hi


def test_an_enclosed_profile_gives_both_sides() -> None:
    wide = profile(Dist.of({0: "7/8", 1: "1/8"}), Dist.of({0: "1/8", 1: "7/8"}))
    narrow = profile(Dist.of({0: "3/4", 1: "1/4"}), Dist.of({0: "1/4", 1: "3/4"}))
    answer = compose([(Between(narrow, wide), 2)]).delta_at("ln(2)")
    assert answer.lo == narrow.power(2).delta(2)
    assert answer.hi == wide.power(2).delta(2)
    assert answer.method == "enclosed"


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("times", "delta"), [(30, "1e-6"), (10_000, "1e-5")])
def test_rounds_in_time_and_close(times: int, delta: str) -> None:
    """The profile of sample-threshold took 46 seconds for 30 rounds on a grid that was too fine."""
    one = dpcert.profile("sample-threshold", kmax=30, options=dpcert.Options(law_source="closed-form"))
    together = compose([(one, times)])
    answer = together.epsilon_at(delta)
    assert answer.lo <= answer.hi <= answer.lo * Fraction(101, 100)
    below, above = (together.delta_at(epsilon) for epsilon in (answer.lo, answer.hi))
    assert (below.hi or 0) >= Fraction(delta) >= (above.lo or 0)


def test_refused_uses_together() -> None:
    with pytest.raises(InputError, match="no pair"):
        compose([])
    with pytest.raises(InputError, match="a str"):
        compose([cast("Any", "twice")])
    with pytest.raises(InputError, match="0 compositions"):
        compose([(ONE, 0)])
