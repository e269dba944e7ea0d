"""People who move between bins: bounds that hold for brute force over pairs of counts, and a theorem that fails."""

from fractions import Fraction

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.moved import moved_delta, pair_delta
from dpcert.audit.profile import profile
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

CASES = [(Fraction(1, 2), 2, 4), (Fraction(1, 10), 2, 2), (Fraction(1, 4), 3, 3), (Fraction(1, 2), 3, 2)]


@pytest.mark.parametrize(("rate", "threshold", "ratio"), CASES)
def test_exact_twin_of_two_bins_by_their_joint_laws(rate: Fraction, threshold: int, ratio: int) -> None:
    law = sample_threshold_law(rate=rate, threshold=threshold)
    bounds = moved_delta(rate=rate, threshold=threshold, epsilon=Epsilon.ln(ratio))
    found = {}
    for k in range(1, 11):
        for j in range(1, 11):
            joint = law(k).product(law(j - 1)), law(k - 1).product(law(j))
            found[k, j] = hockey_stick(*joint, Fraction(ratio))
            assert found[k, j] == pair_delta(profile(law(k), law(k - 1)), law(j - 1), law(j), Fraction(ratio))
            assert found[k, j] <= bounds.hi
    assert bounds.lo >= max(found.values())
    if max(bounds.left, bounds.entered) <= 10:
        assert bounds.lo == found[bounds.left, bounds.entered]


@pytest.mark.parametrize(("rate", "threshold", "ratio"), CASES)
def test_moving_needs_at_least_what_leaving_needs(rate: Fraction, threshold: int, ratio: int) -> None:
    bounds = moved_delta(rate=rate, threshold=threshold, epsilon=Epsilon.ln(ratio))
    alone = greatest_delta(rate=rate, threshold=threshold, ratio=Fraction(ratio)).delta
    assert alone <= bounds.lo <= bounds.hi


def test_an_irrational_ratio_and_counts_in_the_hundreds_stay_within_the_bounds() -> None:
    rate, threshold, epsilon = Fraction(1, 10), 3, Epsilon.of("3/4")
    bounds = moved_delta(rate=rate, threshold=threshold, epsilon=epsilon)
    law = sample_threshold_law(rate=rate, threshold=threshold)
    ratio = epsilon.exp_bounds(128)[1]
    for k, j in ((150, 3), (9, 200), (120, 120)):
        assert pair_delta(profile(law(k), law(k - 1)), law(j - 1), law(j), ratio) <= bounds.hi
    assert bounds.hi < 2 * bounds.lo


def test_a_reach_too_short_still_bounds_from_above() -> None:
    near = moved_delta(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3), reach=4)
    far = moved_delta(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3), reach=30)
    assert near.hi >= far.hi >= far.lo >= near.lo


def test_refused_at_epsilon_zero() -> None:
    with pytest.raises(InputError, match="above 0"):
        moved_delta(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.of(0))
