"""Histograms audited on two labels: that the pairs are those of the whole, how large, and that the verdict says so."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from dpcert import ApproxDP, Dist, Options, Refuted, Verified
from dpcert.audit.decide import decide
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.cli import main
from dpcert.mechanisms.finite_computers.basic_histogram import (
    BASIC_HISTOGRAM,
    MAX_LISTS,
    TWO_LABELS,
    Sampler,
    basic_histogram_law,
    lists,
    scope_of,
)
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, stability_histogram_law
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.cases import built_in_case

SETTINGS = {"n": "3", "universe": "3", "epsilon": "1/2", "sampler": "geosample", "gamma": "1/7"}
SUBSTITUTE = RELATIONS["substitute"]


@pytest.mark.points(2)
@pytest.mark.parametrize("sampler", ["geosample", "fastsample"])
@pytest.mark.parametrize("threshold", [None, 0, 1])
def test_twin_every_pair_of_the_whole_has_the_divergences_of_a_pair_on_two_labels(
    sampler: str, threshold: int | None
) -> None:
    """All lists of three labels of three; x and y are those whose counts differ, taken as 0 and 1."""
    noise = Sampler.of({**SETTINGS, "sampler": sampler}).law

    def law_of(universe: int) -> Callable[[list[int]], Dist]:
        if threshold is None:
            return basic_histogram_law(universe=universe, law=noise)
        return stability_histogram_law(threshold=threshold, law=noise)

    whole, two = law_of(3), law_of(2)
    shared = {json.dumps(people): two(people) for length in (1, 2, 3) for people in lists(length, 2)}
    inputs = lists(3, 3)
    laws = [whole(people) for people in inputs]
    used = set()
    for (i, a), (j, b) in combinations(enumerate(inputs), 2):
        if not SUBSTITUTE(a, b):
            continue
        x, y = next((p, q) for p, q in zip(a, b, strict=True) if p != q)
        first, second = (json.dumps([0] * people.count(x) + [1] * people.count(y)) for people in (a, b))
        used |= {first, second}
        for ratio in (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(25, 16)):
            assert hockey_stick(laws[i], laws[j], ratio) == hockey_stick(shared[first], shared[second], ratio)
            assert hockey_stick(laws[j], laws[i], ratio) == hockey_stick(shared[second], shared[first], ratio)
    scope = two_labels(n=3)
    assert used == {json.dumps(people) for people in scope}


def two_labels(n: int) -> list[list[int]]:
    """Every way in which 1 to n people share labels 0 and 1."""
    return [[0] * zeros + [1] * ones for zeros in range(n + 1) for ones in range(n + 1 - zeros) if zeros + ones]


@pytest.mark.parametrize("mechanism", [BASIC_HISTOGRAM, STABILITY_HISTOGRAM], ids=lambda mechanism: mechanism.name)
def test_the_scope_is_two_labels_exactly_where_lists_are_too_many(mechanism: Mechanism) -> None:
    few = mechanism.build(mechanism.settings({"n": "4", "universe": "8"}))
    many = mechanism.build(mechanism.settings({"n": "5", "universe": "8"}))
    assert (len(few.inputs), few.assumptions) == (8**4, ())
    assert MAX_LISTS < 8**5
    assert sorted(map(json.dumps, many.inputs)) == sorted(map(json.dumps, two_labels(5)))
    assert many.assumptions == (TWO_LABELS,)
    pairs = sum(SUBSTITUTE(a, b) for a, b in combinations(many.inputs, 2))
    assert pairs == sum(range(1, 6))


def test_with_no_other_labels_everyone_has_one_of_the_two() -> None:
    scope = scope_of(20, 2, released=2)
    assert sorted(map(sum, scope.inputs)) == list(range(21))
    assert {len(people) for people in scope.inputs} == {20}


def test_many_labels_of_one_person_are_two_as_well() -> None:
    """A list for each label would do, but outcomes of a thousand counts would not."""
    built = BASIC_HISTOGRAM.build(BASIC_HISTOGRAM.settings({"n": "1", "universe": "1000"}))
    assert list(built.inputs) == [[0], [1]]
    assert len(enumerate_law(built.program, [0]).law) == 4


@pytest.mark.nightly
@pytest.mark.parametrize("universe", ["1000000", str(1 << 64)])
@pytest.mark.parametrize("mechanism", [BASIC_HISTOGRAM, STABILITY_HISTOGRAM], ids=lambda mechanism: mechanism.name)
def test_verified_at_many_labels_and_refuted_just_below(mechanism: Mechanism, universe: str) -> None:
    case = built_in_case(mechanism, {"n": "6", "universe": universe}, Options())
    report = decide(case.subject, case.guarantee, again=case.subject.digests)
    assert isinstance(report.verdict, Verified)
    assert report.verdict.assumptions == (TWO_LABELS,)
    assert report.pairs == 6 * 7
    assert report.delta_lo == report.delta_hi == case.guarantee.delta
    epsilon = case.guarantee.epsilon.ratio - Fraction(1, 10**30)
    delta = case.guarantee.delta - Fraction(1, 10**30)
    asked = ApproxDP(f"ln({epsilon})", 0) if delta < 0 else ApproxDP(case.guarantee.epsilon, delta)
    assert isinstance(decide(case.subject, asked, again=case.subject.digests).verdict, Refuted)


@pytest.mark.nightly
def test_twin_program_and_closed_form_on_two_labels() -> None:
    for mechanism in (BASIC_HISTOGRAM, STABILITY_HISTOGRAM):
        built = mechanism.build(mechanism.settings({"n": "5", "universe": "99"}))
        assert built.closed_form is not None
        for people in built.inputs:
            assert enumerate_law(built.program, people).law == built.closed_form(people)


@pytest.mark.nightly
def test_the_verdict_states_what_is_assumed(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    """On the screen, in the JSON and in the certificate, which is accepted again."""
    command = ["audit", "basic-histogram", "--set", "n=4", "--set", "universe=1000000"]
    assert main([*command, "--certificates", str(tmp_path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert TWO_LABELS in shown
    assert "lists of one length that differ in one element" in shown
    assert main([*command, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["assumptions"] == [TWO_LABELS]
    (certificate,) = tmp_path.iterdir()
    assert TWO_LABELS in json.loads(certificate.read_text())["assumptions"]
    assert main(["recheck", str(certificate)]) == 0


def test_a_subject_on_all_lists_assumes_nothing() -> None:
    case = built_in_case(BASIC_HISTOGRAM, {}, Options())
    assert case.subject.assumptions() == ()
    assert isinstance(case.subject, Subject)
