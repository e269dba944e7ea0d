"""People who move between bins: bounds that hold for brute force over pairs of counts, and a theorem that fails."""

from fractions import Fraction

import pytest

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.profile import profile
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds, move_hints, search_epsilon, two_bins_delta
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

CASES = [(Fraction(1, 2), 2, 4), (Fraction(1, 10), 2, 2), (Fraction(1, 4), 3, 3), (Fraction(1, 2), 3, 2)]


@pytest.mark.parametrize(("rate", "threshold", "ratio"), CASES)
def test_exact_twin_of_two_bins_by_their_joint_laws(rate: Fraction, threshold: int, ratio: int) -> None:
    law = sample_threshold_law(rate=rate, threshold=threshold)
    bounds = move_bounds(rate=rate, threshold=threshold, epsilon=Epsilon.ln(ratio))
    found = {}
    for k in range(1, 11):
        for j in range(1, 11):
            joint = law(k).product(law(j - 1)), law(k - 1).product(law(j))
            found[k, j] = hockey_stick(*joint, Fraction(ratio))
            assert found[k, j] == two_bins_delta(profile(law(k), law(k - 1)), law(j - 1), law(j), Fraction(ratio))
            assert found[k, j] <= bounds.hi
    assert bounds.lo >= max(found.values())
    if max(bounds.left, bounds.entered) <= 10:
        assert bounds.lo == found[bounds.left, bounds.entered]


@pytest.mark.parametrize(("rate", "threshold", "ratio"), CASES)
def test_moving_needs_at_least_what_leaving_needs(rate: Fraction, threshold: int, ratio: int) -> None:
    bounds = move_bounds(rate=rate, threshold=threshold, epsilon=Epsilon.ln(ratio))
    alone = greatest_delta(rate=rate, threshold=threshold, ratio=Fraction(ratio)).delta
    assert alone <= bounds.lo <= bounds.hi


def test_an_irrational_ratio_and_counts_in_the_hundreds_stay_within_the_bounds() -> None:
    rate, threshold, epsilon = Fraction(1, 10), 3, Epsilon.of("3/4")
    bounds = move_bounds(rate=rate, threshold=threshold, epsilon=epsilon)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    ratio = epsilon.exp_bounds(128)[1]
    for k, j in ((150, 3), (9, 200), (120, 120)):
        assert two_bins_delta(profile(law(k), law(k - 1)), law(j - 1), law(j), ratio) <= bounds.hi
    assert bounds.hi < 2 * bounds.lo


def test_a_reach_too_short_still_bounds_from_above() -> None:
    near = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3), most=4)
    far = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3))
    assert near.hi >= far.hi >= far.lo >= near.lo


def test_the_greatest_pair_is_found_where_single_steps_from_one_bins_end_elsewhere() -> None:
    """From bins of 4 and 3 people, each next best for the other is 4 and 7; 5 and 4 need more."""
    rate, threshold, ratio = Fraction(1, 2), 3, Fraction(11, 10)
    bounds = move_bounds(rate=rate, threshold=threshold, epsilon=Epsilon.ln(ratio))
    law = sample_threshold_law(rate=rate, threshold=threshold)
    pairs = {
        (k, j): hockey_stick(law(k).product(law(j - 1)), law(k - 1).product(law(j)), ratio)
        for k in range(1, 13)
        for j in range(1, 13)
    }
    assert (bounds.lo, pairs[4, 7]) == (max(pairs.values()), Fraction(19794921875, 10**11))
    assert pairs[bounds.left, bounds.entered] == bounds.lo == pairs[5, 4]


@pytest.mark.points(1)
@pytest.mark.parametrize(("rate", "threshold"), [(Fraction(1, 4), 3), (Fraction(1, 10), 2)])
def test_at_epsilon_zero_nodes_show_a_bound_that_no_pair_exceeds(rate: Fraction, threshold: int) -> None:
    bounds = move_bounds(rate=rate, threshold=threshold, epsilon=Epsilon.of(0))
    law = sample_threshold_law(rate=rate, threshold=threshold)
    for k in range(1, 16):
        for j in range(1, 16):
            joint = law(k).product(law(j - 1)), law(k - 1).product(law(j))
            assert hockey_stick(*joint, Fraction(1)) <= bounds.hi
    assert bounds.hi < 3 * bounds.lo
    claim = ApproxDP(0, bounds.hi * Fraction(21, 20))
    assert move_hints(bounds, rate=rate, guarantee=claim) is not None


def test_an_astronomic_epsilon_is_searched_below_it() -> None:
    assert search_epsilon(Epsilon.of(10**9)) == Epsilon.ln(1 << 1024)
    assert search_epsilon(Epsilon.of(700)) == Epsilon.of(700)
    bounds = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.of(10**9))
    assert bounds.lo == bounds.hi == Fraction(1, 64)
