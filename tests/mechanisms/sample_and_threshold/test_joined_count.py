"""One person who joins, and one who moves: exact twins of laws, and the identity that makes a distance a direction."""

from fractions import Fraction

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.all_counts import covering_reach, crowd_delta, one_count_delta
from dpcert.mechanisms.sample_and_threshold.joined_count import (
    JOINED_COUNT,
    distance_of,
    joined_count,
    joined_count_law,
)
from dpcert.mechanisms.sample_and_threshold.moved_person import MOVED_PERSON, moved_lists
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.reading.paths.enumerator import enumerate_law

CASES = [
    (Fraction(1, 2), 2, Fraction(3, 4)),
    (Fraction(1, 10), 1, Fraction(19, 20)),
    (Fraction(1, 3), 3, Fraction(4, 5)),
    (Fraction(2, 3), 2, Fraction(1, 3)),
]
"""Rate, threshold, keep; in the last one 1/keep is 1/(1 - rate), where nothing is needed."""


@pytest.mark.points(1)
@pytest.mark.parametrize(("rate", "threshold", "keep"), CASES)
def test_exact_twin_of_the_program_by_its_closed_form(rate: Fraction, threshold: int, keep: Fraction) -> None:
    program = joined_count(rate=rate, threshold=threshold, keep=keep)
    law = joined_count_law(rate=rate, threshold=threshold, keep=keep)
    for people in ([count, here] for count in range(1, 7) for here in (0, 1)):
        assert enumerate_law(program, people).law == law(people)
        if people[0] <= 3:
            assert enumerate_law(program, people, eager=True).law == law(people)


@pytest.mark.parametrize(("rate", "threshold", "keep"), CASES)
def test_the_distance_is_that_of_one_direction_and_no_other_pair_has_more(
    rate: Fraction, threshold: int, keep: Fraction
) -> None:
    law = joined_count_law(rate=rate, threshold=threshold, keep=keep)
    shown = sample_threshold_law(rate=rate, threshold=threshold)
    needed = []
    for count in range(1, 12):
        needed.append(hockey_stick(shown(count - 1), shown(count), 1 / keep))
        distance = distance_of(needed[-1], 1 / keep)
        assert law([count, 0]).total_variation(law([count, 1])) == distance
        assert needed[-1] == one_count_delta(rate=rate, threshold=threshold, ratio=1 / keep, count=count)[1]
    greatest = distance_of(max(needed), 1 / keep)
    for count in range(1, 11):
        for here in (0, 1):
            assert law([count, here]).total_variation(law([count + 1, here])) <= greatest
    assert (max(needed) == 0) is (keep == 1 - rate)


def test_the_claim_of_the_default_is_what_its_counts_need_and_no_more() -> None:
    instance = JOINED_COUNT.build(JOINED_COUNT.settings({}))
    assert instance.closed_form is not None
    laws = {tuple(people): instance.closed_form(people) for people in instance.inputs}
    assert instance.delta == max(laws[k, 0].total_variation(laws[k, 1]) for k in range(1, 7))


def test_refused_counts_without_end() -> None:
    settings = JOINED_COUNT.settings({"least": "5", "greatest": "4"})
    with pytest.raises(InputError, match="a greatest count from 5 to 2004"):
        JOINED_COUNT.build(settings)


@pytest.mark.parametrize(("left", "entered"), [(1, 1), (3, 2), (2, 4)])
def test_exact_twin_of_two_bins_by_the_laws_of_one(left: int, entered: int) -> None:
    settings = MOVED_PERSON.settings({"left": str(left), "entered": str(entered), "rate": "1/3"})
    instance = MOVED_PERSON.build(settings)
    before, after = moved_lists(left, entered)
    assert list(instance.inputs) == [before, after]
    assert (before.count(0), before.count(1)) == (left, entered - 1)
    assert (after.count(0), after.count(1)) == (left - 1, entered)
    bin_law = sample_threshold_law(rate=Fraction(1, 3), threshold=2)
    laws = [enumerate_law(instance.program, people).law for people in instance.inputs]
    assert instance.closed_form is not None
    assert laws == [instance.closed_form(people) for people in instance.inputs]
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(4)):
        joint = bin_law(left).product(bin_law(entered - 1)), bin_law(left - 1).product(bin_law(entered))
        assert hockey_stick(*laws, ratio) == hockey_stick(*joint, ratio)
        assert hockey_stick(*reversed(laws), ratio) == hockey_stick(*reversed(joint), ratio)


def test_a_covering_reach_has_a_crowd_within_delta_or_a_pair_beyond_it() -> None:
    rate, ratio = Fraction(1, 4), Fraction(2)
    for threshold in (1, 3):
        for delta in (Fraction(1, 4), Fraction(1, 20), Fraction(1, 300)):
            reach = covering_reach(rate=rate, threshold=threshold, ratio=ratio, delta=delta)
            needed = [
                max(one_count_delta(rate=rate, threshold=threshold, ratio=ratio, count=count))
                for count in range(1, reach + 1)
            ]
            assert max(needed[:-1], default=0) <= delta
            assert (needed[-1] > delta) is (max(needed) > delta)
            assert needed[-1] > delta or crowd_delta(rate=rate, ratio=ratio, count=reach) <= delta


def test_refused_where_no_count_covers_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.mechanisms.sample_and_threshold.all_counts.MOST", 5)
    with pytest.raises(InputError, match="greater epsilon"):
        covering_reach(rate=Fraction(1, 2), threshold=90, ratio=Fraction(101, 100), delta=Fraction(1, 10**9))
