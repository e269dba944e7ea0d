"""Premises of sample-and-threshold and their conclusions, hints from which nothing follows, and the printed bounds."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb

import pytest

from dpcert import ApproxDP, Epsilon, InputError
from dpcert.audit.profile import profile
from dpcert.audit.unbounded.sample_and_threshold.premises import Hints
from dpcert.audit.unbounded.sample_and_threshold.printed_bounds import (
    BOUNDS,
    ParameterPoint,
    compared,
    exact_upper_sum,
    lemma_3,
    needed,
    theorem_2,
)
from dpcert.audit.unbounded.sample_and_threshold.theorem import SAMPLE_AND_THRESHOLD
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds, two_bins_delta
from dpcert.audit.unbounded.theorem import Conclusion, UnboundedClaim, Unfounded
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta, sample_threshold_law

PARAMETERS = {"rate": "1/4", "threshold": "3", "kmax": "all"}


@pytest.fixture
def concluded() -> Callable[..., Conclusion]:
    def conclude(
        hints: Hints, delta: str = "1/20", neighbours: str = "counts_differ_by_one", **changes: str
    ) -> Conclusion:
        guarantee, parameters = ApproxDP("ln(3)", delta), {**PARAMETERS, **changes}
        claim = UnboundedClaim("sample-threshold", parameters, guarantee, neighbours, "program")
        return SAMPLE_AND_THRESHOLD.conclusion(claim, hints.as_data())

    return conclude


def test_all_counts_need_two_claims_that_meet_at_the_reach(concluded: Callable[..., Conclusion]) -> None:
    found = concluded(Hints(7))
    here, beyond = found.premises
    assert (here.mechanism, dict(here.settings)["kmax"]) == ("sample-threshold", "7")
    assert (beyond.mechanism, dict(beyond.settings)["least"]) == ("sampled-count", "7")
    for premise in found.premises:
        assert (premise.guarantee, premise.neighbours) == (ApproxDP("ln(3)", "1/20"), "counts_differ_by_one")
    assert (here.refutes, beyond.refutes) == (True, False)
    lists = concluded(Hints(7), neighbours="add-remove")
    assert (lists.premises, lists.inputs, found.inputs) == (found.premises, "all lists", "all counts")


def test_all_moves_need_points_and_one_claim_that_ties_them_to_the_program(
    concluded: Callable[..., Conclusion],
) -> None:
    bounds = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3))
    found = concluded(bounds.hints, neighbours="substitute")
    (tie,) = found.premises
    assert (tie.mechanism, tie.neighbours, tie.refutes) == ("sample-threshold", "counts_differ_by_one", False)
    assert tie.settings == (("rate", "1/4"), ("threshold", "3"), ("kmax", "9"))
    assert tie.guarantee.delta == greatest_delta(rate=Fraction(1, 4), threshold=3, ratio=Fraction(8, 3)).delta


def test_more_counts_than_the_kernel_takes_need_the_tie_alone(concluded: Callable[..., Conclusion]) -> None:
    asked = partial(concluded, threshold="100", rate="1/2")
    (tie,) = asked(Hints(200), delta="1/1000").premises
    assert tie.settings == (("rate", "1/2"), ("threshold", "8"), ("kmax", "24"))
    needed = greatest_delta(rate=Fraction(1, 2), threshold=100, ratio=Fraction(3))
    assert asked(Hints(200), delta=ratio_text(needed.delta)).premises == (tie,)
    less = ratio_text(needed.delta - Fraction(1, 10**60))
    with pytest.raises(Unfounded, match=f"{needed.count} people and one fewer need more than delta"):
        asked(Hints(200), delta=less)
    with pytest.raises(Unfounded, match="the number sampled of 100 people needs more than delta"):
        asked(Hints(100), delta=ratio_text(needed.delta))


def test_hints_survive_their_data() -> None:
    hints = Hints(9, 4, (8, 16, 40))
    assert Hints.from_data(hints.as_data()) == hints


@pytest.mark.parametrize(
    ("hints", "changes", "words"),
    [
        (Hints(7, 1, (2,)), {}, "takes no points"),
        (Hints(7), {"kmax": "30"}, "kmax=all"),
        (Hints(7), {"neighbours": "substitute"}, "at least one"),
        (Hints(7, 4, (1, 15)), {"neighbours": "substitute"}, "at least one"),
        (Hints(7, 4, (16, 48)), {"neighbours": "substitute"}, "composed for two"),
    ],
)
def test_refused_hints_from_which_it_does_not_follow(
    concluded: Callable[..., Conclusion], hints: Hints, changes: dict[str, str], words: str
) -> None:
    with pytest.raises(Unfounded) as refused:
        concluded(hints, **changes)
    assert words in str(refused.value)


@pytest.mark.parametrize("changes", [{"rate": "1"}, {"threshold": "0"}, {"neighbours": "l1"}])
def test_refused_parameters(concluded: Callable[..., Conclusion], changes: dict[str, str]) -> None:
    with pytest.raises(InputError):
        concluded(Hints(7), **changes)


def test_a_theorem_for_three_relations_alone(concluded: Callable[..., Conclusion]) -> None:
    assert [concluded(Hints(7), neighbours=name).theorem for name in ("counts_differ_by_one", "add-remove")] == [
        "all counts"
    ] * 2
    assert SAMPLE_AND_THRESHOLD.names["substitute"] == "all moves"
    with pytest.raises(InputError, match="counts_differ_by_one, add-remove or substitute"):
        SAMPLE_AND_THRESHOLD.require(neighbours="replace-user", observes=None)


BOX = [
    ParameterPoint(threshold, rate, factor / (1 - rate))
    for threshold in (1, 2, 4)
    for rate in (Fraction(1, 10), Fraction(1, 2))
    for factor in (Fraction(1), Fraction(2))
]


@pytest.mark.parametrize("point", BOX, ids=str)
def test_exact_twin_of_theorem_2_by_an_integral_power(point: ParameterPoint) -> None:
    """The bound is (p/q)^tau e^(epsilon tau (1 - q)/q): a power of it is rational."""
    bounds, q = theorem_2(point), point.quota
    power = point.threshold * (1 - q) / q
    exactly = (point.rate / q) ** (point.threshold * power.denominator) * point.ratio**power.numerator
    assert bounds[0] ** power.denominator <= exactly <= bounds[1] ** power.denominator
    assert bounds[1] - bounds[0] < Fraction(1, 1 << 100)
    assert bounds[0] <= kl_delta(rate=point.rate, threshold=point.threshold, ratio=point.ratio)


def test_lemma_3_is_looser_than_theorem_2_where_it_speaks() -> None:
    spoken = 0
    for point in BOX:
        loose, tight = lemma_3(point), theorem_2(point)
        if loose is not None:
            spoken += 1
            assert tight[1] <= loose[0]
    assert 0 < spoken < len(BOX)
    assert theorem_2(ParameterPoint(2, Fraction(1, 2), Fraction(3, 2))) is None


def test_exact_twin_of_a_tail_by_counting() -> None:
    """p = 1/2, e^epsilon = 2: q = 3/4, and tau/q = 8/3 for tau = 2."""
    point = ParameterPoint(2, Fraction(1, 2), Fraction(2))
    sums = [exact_upper_sum(point, up=up, above=above) for up in (False, True) for above in (False, True)]
    ways = [comb(2, 2), 0, comb(3, 2) + comb(3, 3), comb(3, 3)]
    assert sums == [(Fraction(w, d), Fraction(w, d)) for w, d in zip(ways, (4, 4, 8, 8), strict=True)]


def test_on_a_small_box_at_least_holds_and_more_than_fails_from_one_person_on() -> None:
    for moves in (False, True):
        found = compared(BOX, moves=moves)
        assert found.keys() == BOUNDS.keys()
        for name in ("Theorem 2", "Lemma 3", "at least tau of tau/q, rounded up"):
            assert not found[name]["fails"]
            assert not found[name]["open"]
        fails = found["more than tau of tau/q, rounded down"]["fails"]
        assert fails[0] == ParameterPoint(1, Fraction(1, 10), Fraction(10, 9))
        lo, hi = needed(fails[0], moves=moves)
        assert lo <= hi
        assert lo >= fails[0].rate
    assert needed(BOX[0], moves=False)[0] <= needed(BOX[0], moves=True)[0]


@pytest.fixture
def exceeds() -> Callable[..., bool]:
    """Whether bins of `left` and `entered` - 1 people need more than Theorem 2 prints as one person moves."""

    def decide(rate: Fraction, threshold: int, ratio: Fraction, left: int, entered: int) -> bool:
        law = sample_threshold_law(rate=rate, threshold=threshold)
        found = two_bins_delta(profile(law(left), law(left - 1)), law(entered - 1), law(entered), ratio)
        bounds = theorem_2(ParameterPoint(threshold, rate, ratio))
        assert found > bounds[1] or found < bounds[0]
        return found > bounds[1]

    return decide


@pytest.mark.parametrize(
    ("rate", "threshold", "ratio", "left", "entered"),
    [(Fraction(1, 3), 445, Fraction(3, 2), 849, 1549), (Fraction(1, 2), 479, Fraction(2), 666, 1088)],
)
def test_caught_theorem_2_for_people_who_move_and_not_one_threshold_below(
    exceeds: Callable[..., bool], rate: Fraction, threshold: int, ratio: Fraction, left: int, entered: int
) -> None:
    assert exceeds(rate, threshold, ratio, left, entered)
    assert not exceeds(rate, threshold - 1, ratio, left, entered)
