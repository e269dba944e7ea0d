"""Samples and shuffles: exact twins by the laws of the programs themselves, and bounds above what mechanisms need."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import dpcert
from dpcert import Dist, Epsilon, InputError, shuffled, shuffled_response
from dpcert.audit.amplification import subsampled
from dpcert.audit.between import Between
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
