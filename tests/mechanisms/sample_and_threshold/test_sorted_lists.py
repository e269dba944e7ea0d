"""Many people audited by sorted lists: that their pairs are those of all lists, how many, and that verdicts say so."""

import pytest

from dpcert import InputError, Options, Refuted, Verified
from dpcert.audit.decide import decide, refuted_at
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.finite_computers.basic_histogram import MAX_LISTS
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.sample_and_threshold import threshold_histogram
from dpcert.mechanisms.sample_and_threshold.heavy_hitters import HEAVY_HITTERS
from dpcert.mechanisms.sample_and_threshold.quantile_search import QUANTILE_SEARCH
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import SORTED, THRESHOLD_HISTOGRAM, lists_up_to
from dpcert.mechanisms.sample_and_threshold.trie import TRIE
from dpcert.mechanisms.zoo import ZOO
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.cases import Case, built_in_case

NEAR = RELATIONS["add-remove"]
FAMILIES = [THRESHOLD_HISTOGRAM, HEAVY_HITTERS, QUANTILE_SEARCH, TRIE]
OWN_SCOPE = ("sample-threshold-histogram-fixed-size",)
"""Faults that are of a fixed number of people, with lists of their own."""
FAULTS = [each for each in ZOO if each.fault and each.fault.of in FAMILIES and each.name not in OWN_SCOPE]


def pairs(inputs: tuple[list[int], ...]) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the pairs of neighbours, each list sorted."""
    return {(tuple(sorted(a)), tuple(sorted(b))) for a in inputs for b in inputs if NEAR(a, b)}


@pytest.mark.parametrize(("n", "universe"), [(2, 3), (3, 2), (4, 2)])
def test_twin_the_pairs_of_all_lists_once_sorted_are_those_of_sorted_lists(
    n: int, universe: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = lists_up_to(n, universe)
    monkeypatch.setattr(threshold_histogram, "MAX_LISTS", len(whole.inputs) - 1)
    few = lists_up_to(n, universe)
    assert (whole.assumptions, few.assumptions) == ((), (SORTED,))
    assert [sorted(people) for people in few.inputs] == list(few.inputs)
    assert pairs(few.inputs) == pairs(whole.inputs)


@pytest.mark.parametrize("mechanism", FAMILIES, ids=lambda one: one.name)
def test_exact_twin_the_order_of_people_plays_no_part(mechanism: Mechanism) -> None:
    """Two people, on all lists; each program makes a tally of the people first."""
    instance = mechanism.build(mechanism.settings({"n": "2"}))
    assert instance.assumptions == ()
    assert instance.closed_form is not None
    for people in instance.inputs:
        law = enumerate_law(instance.program, people).law
        assert law == enumerate_law(instance.program, sorted(people)).law
        assert law == instance.closed_form(people) == instance.closed_form(sorted(people))


def case_of(mechanism: Mechanism, source: str) -> Case:
    names = {parameter.name for parameter in mechanism.parameters}
    settings = {"n": "8"} | ({"universe": "4"} if "universe" in names else {})
    return built_in_case(mechanism, settings, Options(law_source=source))


SLOW = [pytest.param(each, marks=pytest.mark.nightly) for each in (QUANTILE_SEARCH, TRIE)]


@pytest.mark.parametrize("mechanism", [THRESHOLD_HISTOGRAM, HEAVY_HITTERS, *SLOW], ids=lambda one: one.name)
def test_eight_people_of_four_labels_are_verified_by_sorted_lists(mechanism: Mechanism) -> None:
    case = case_of(mechanism, "closed-form")
    report = decide(case.subject, case.guarantee, again=case.subject.digests, certifies=False)
    assert isinstance(report.verdict, Verified)
    assert (len(report.claim.inputs), report.pairs, report.assumptions) == (495, 2640, (SORTED,))


@pytest.mark.parametrize("broken", FAULTS, ids=lambda one: one.name)
def test_caught_each_fault_at_eight_people(broken: Mechanism) -> None:
    case = case_of(broken, "program")
    seen = broken.fault.expected
    report = refuted_at(case.subject, case.guarantee, tuple(case.subject.inputs.index(one) for one in (seen.a, seen.b)))
    assert isinstance(report.verdict, Refuted)


def test_refused_more_sorted_lists_than_are_audited() -> None:
    with pytest.raises(InputError, match=f"at most {MAX_LISTS} sorted lists of up to n labels"):
        lists_up_to(9, 8)
