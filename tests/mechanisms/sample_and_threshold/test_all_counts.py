"""Counts without end: exact twins by laws and by the kernel, the two post-processings, and caught faults."""

from fractions import Fraction
from itertools import islice

import pytest

from dpcert import Dist, Epsilon, InputError
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.sample_and_threshold import all_counts
from dpcert.mechanisms.sample_and_threshold.count_deltas import count_deltas, delta_bounds
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.sampled_count import with_more_people
from dpcert.reading.paths.enumerator import enumerate_law

CASES = [
    (Fraction(1, 10), 3, Fraction(2)),
    (Fraction(1, 2), 2, Fraction(3)),
    (Fraction(1, 4), 1, Fraction(3, 2)),
    (Fraction(1, 4), 4, Fraction(11, 10)),
    (Fraction(9, 10), 2, Fraction(2)),
]
"""Rate, threshold, e^epsilon; in the last two, e^epsilon (1 - rate) is below 1."""


@pytest.mark.parametrize(("rate", "threshold", "ratio"), CASES)
def test_exact_twin_of_each_delta_by_the_laws(rate: Fraction, threshold: int, ratio: Fraction) -> None:
    law = sample_threshold_law(rate=rate, threshold=threshold)
    for count in range(1, 15):
        found = all_counts.one_count_delta(rate=rate, threshold=threshold, ratio=ratio, count=count)
        laws = law(count), law(count - 1)
        assert found == (hockey_stick(*laws, ratio), hockey_stick(laws[1], laws[0], ratio))


@pytest.mark.parametrize(("rate", "threshold", "ratio"), CASES)
def test_exact_twin_of_the_greatest_by_brute_force_beyond_its_reach(
    rate: Fraction, threshold: int, ratio: Fraction
) -> None:
    found = all_counts.greatest_delta(rate=rate, threshold=threshold, ratio=ratio)
    counts = range(1, 2 * found.reach + 20)
    deltas = [all_counts.one_count_delta(rate=rate, threshold=threshold, ratio=ratio, count=count) for count in counts]
    assert found.delta == max(map(max, deltas))
    assert found.delta == deltas[found.count - 1][0 if found.more_first else 1]
    assert all(max(delta) <= found.beyond for delta in deltas[found.reach :])
    assert found.beyond <= found.delta


@pytest.mark.parametrize(("rate", "threshold", "ratio"), [*CASES, (Fraction(2, 3), 5, Fraction(3)), (*CASES[0][:2], 1)])
def test_twin_the_deltas_of_all_counts_from_carried_tails(rate: Fraction, threshold: int, ratio: Fraction) -> None:
    carried = {found.count: found for found in islice(count_deltas(rate=rate, threshold=threshold, ratio=ratio), 40)}
    for count in range(1, threshold + 40):
        more, fewer = all_counts.one_count_delta(rate=rate, threshold=threshold, ratio=Fraction(ratio), count=count)
        if count < threshold:
            assert (more, fewer, count in carried) == (0, 0, False)
            continue
        found = carried[count]
        assert (Fraction(found.more, found.whole), Fraction(found.fewer, found.whole)) == (more, fewer)
        assert found.most == max(more, fewer)
        assert not found.exceeds(found.most)
        assert found.exceeds(found.most * Fraction(999, 1000)) == (found.most > 0)


def test_the_sampled_number_of_a_crowd_tells_what_every_greater_one_releases() -> None:
    for rate, threshold, people in ((Fraction(1, 3), 2, 1), (Fraction(1, 10), 4, 3), (Fraction(1, 2), 1, 2)):
        later = with_more_people(people=people, rate=rate, threshold=threshold)
        for count in range(5):
            seen = sample_threshold_law(rate=rate, threshold=1)(count)
            law = seen.bind(lambda sampled, later=later: enumerate_law(later, sampled).law)
            assert law == sample_threshold_law(rate=rate, threshold=threshold)(count + people)


def test_the_bound_of_a_crowd_does_not_rise() -> None:
    for rate, _, ratio in CASES:
        bounds = [all_counts.crowd_delta(rate=rate, ratio=ratio, count=count) for count in range(30)]
        assert bounds == sorted(bounds, reverse=True)


def _kept(law: Dist, kept: Fraction, threshold: int) -> Dist:
    """Return the law after each person shown is kept with this probability and the threshold applied again."""
    return law.bind(sample_threshold_law(rate=kept, threshold=threshold))


def test_a_lower_rate_is_a_post_processing() -> None:
    rate, kept, threshold = Fraction(1, 2), Fraction(1, 3), 3
    for count in range(8):
        shown = sample_threshold_law(rate=rate, threshold=threshold)(count)
        assert _kept(shown, kept, threshold) == sample_threshold_law(rate=rate * kept, threshold=threshold)(count)


def test_a_higher_threshold_is_a_post_processing() -> None:
    for count in range(8):
        shown = sample_threshold_law(rate=Fraction(1, 3), threshold=2)(count)
        again = shown.map(lambda v: v if v >= 4 else 0)
        assert again == sample_threshold_law(rate=Fraction(1, 3), threshold=4)(count)


def test_the_least_threshold_and_the_one_below_it() -> None:
    rate, ratio, delta = Fraction(1, 10), Fraction(2), Fraction(1, 10**6)
    found = all_counts.least_threshold(rate=rate, ratio=ratio, delta=delta)
    assert all_counts.greatest_delta(rate=rate, threshold=found, ratio=ratio).delta <= delta
    assert all_counts.greatest_delta(rate=rate, threshold=found - 1, ratio=ratio).delta > delta
    assert all_counts.least_threshold(rate=rate, ratio=ratio, delta=delta, most=found - 1) is None


def test_the_least_threshold_near_a_rate_of_1_is_found_in_seconds() -> None:
    rate, ratio, delta = Fraction(99, 100), Epsilon.of("1").exp_bounds(128)[0], Fraction(1, 10**6)
    found = all_counts.least_threshold(rate=rate, ratio=ratio, delta=delta)
    assert found == 3372
    below = count_deltas(rate=rate, threshold=found - 1, ratio=ratio)
    assert any(each.exceeds(delta) for each in islice(below, 20))
    shown = count_deltas(rate=rate, threshold=found, ratio=ratio)
    reach = all_counts.covering_reach(rate=rate, threshold=found, ratio=ratio, delta=delta)
    assert not any(each.exceeds(delta) for each in islice(shown, reach + 1 - found))
    assert all_counts.crowd_delta(rate=rate, ratio=ratio, count=reach) <= delta


def test_the_greatest_rate_and_the_one_above_it() -> None:
    ratio, delta = Fraction(2), Fraction(1, 1000)
    found = all_counts.greatest_rate(threshold=4, ratio=ratio, delta=delta, steps=100)
    assert all_counts.greatest_delta(rate=found, threshold=4, ratio=ratio).delta <= delta
    assert all_counts.greatest_delta(rate=found + Fraction(1, 100), threshold=4, ratio=ratio).delta > delta
    assert all_counts.greatest_rate(threshold=1, ratio=ratio, delta=Fraction(1, 1000), steps=100) is None
    assert all_counts.greatest_rate(threshold=1, ratio=ratio, delta=Fraction(99, 100), steps=100) == Fraction(99, 100)


def test_refused_where_no_count_settles_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.mechanisms.sample_and_threshold.all_counts.MOST", 5)
    with pytest.raises(InputError, match="greater epsilon"):
        all_counts.greatest_delta(rate=Fraction(1, 100), threshold=50, ratio=Fraction(101, 100))


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(1, 3)])
@pytest.mark.parametrize("threshold", [1, 2, 20])
@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(11, 10), Fraction(2), Fraction(50)])
@pytest.mark.parametrize("places", [20, 80])
def test_bounds_of_running_sums_are_within_two_units(
    rate: Fraction, threshold: int, ratio: Fraction, places: int
) -> None:
    exactly = islice(count_deltas(rate=rate, threshold=threshold, ratio=ratio), 100)
    more, fewer = (
        delta_bounds(rate=rate, threshold=threshold, ratio=ratio, more=more, places=places) for more in (True, False)
    )
    for found, above, below in zip(exactly, more, fewer, strict=False):
        for exact_part, bound in ((found.more, above), (found.fewer, below)):
            assert 0 <= bound - Fraction(exact_part << places, found.whole) < 2
