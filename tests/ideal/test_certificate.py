"""Certificates on ideal noise: what is written is accepted, and each edit of it rejected."""

import json
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from dpcert import ApproxDP, Claim, Unauditable
from dpcert.audit.ideal import verdict
from dpcert.audit.ideal.certificates.certificate import IdealCertificate, check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.opening import opened_paths
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.certificate import Malformed
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.number import ratio_text

from .claims import STATED
from .programs import noisy_max, threshold


def released(count, rng):
    return count + rng.laplace()


def normal(count, rng):
    return count + rng.normal()


def normal_above(count, rng):
    return bool(count + rng.normal() > 1)


def claim(inputs, epsilon, delta=0, neighbours="counts_differ_by_one"):
    return Claim("program", (), tuple(inputs), RELATIONS[neighbours], ApproxDP(epsilon, delta))


def counted(records, rng):
    return len(records) + rng.laplace()


def labels(records, rng):
    noisy = {label: records.count(label) + rng.laplace() for label in sorted(set(records))}
    return {label: count for label, count in noisy.items() if count > 4}


LISTS = [], [1], [1, 2]
CASES = {
    "verified": (claim(range(3), 1), threshold),
    "refuted": (claim(range(3), "1/2"), threshold),
    "aligned": (claim(range(3), 1), released),
    "intervals": (claim(range(3), "1/2"), released),
    "normal": (claim(range(3), 1, "127/1000"), normal),
    "normal outcomes": (claim(range(3), 1, "1/5"), normal_above),
    "normal outcomes refuted": (claim(range(3), 1, "1/20"), normal_above),
    "lists": (claim(LISTS, 1, neighbours="add-remove"), counted),
    "labels": (claim([[], ["a"], ["a", "b"]], 1, "1/40", neighbours="add-remove"), labels),
    "maximum": (claim(product((0, 1), repeat=2), 1, neighbours="linf"), noisy_max),
}


@cache
def written(name):
    case, program = CASES[name]
    return certificate_of(decide_ideal(case, program), STATED).to_text().encode()


def certificate(name):
    return IdealCertificate.from_text(written(name))


def check(name, edited):
    case, program = CASES[name]
    check_ideal(edited, case, program, STATED)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("normal")])
def test_what_is_written_is_accepted(name):
    check(name, certificate(name))


def above(count, rng, epsilon):
    return bool(count + rng.laplace(scale=1 / epsilon) > 1)


def counted_for_every(records, rng, epsilon):
    return len(records) + rng.laplace(scale=1 / epsilon)


def compares(count, rng, epsilon):
    return bool(count + rng.laplace(scale=1 / epsilon if epsilon > 1 else 2 / epsilon) > 1)


EVERY = {
    "outcomes": (claim(range(3), 1), above, Range()),
    "delta": (claim(range(2), "9/10", "1/20"), above, Range(high=Fraction(1, 10))),
    "released": (claim(range(3), 1), lambda count, rng, epsilon: count + rng.laplace(scale=1 / epsilon), Range()),
    "lists": (claim(LISTS, 1, neighbours="add-remove"), counted_for_every, Range()),
    "refuted": (claim(range(3), "9/10"), above, Range(Fraction(2))),
    "refuted at one": (claim(range(3), "1/4"), compares, Range()),
}


@pytest.fixture(scope="module", params=EVERY)
def for_every(request):
    """Return the certificate of a claim of every epsilon, and its check against this or another claim."""
    case, program, within = EVERY[request.param]
    report = decide_every(
        program,
        case.inputs,
        case.neighbours,
        factor=case.guarantee.epsilon.rational,
        delta=case.guarantee.delta,
        within=within,
    )
    found = certificate_of_every(report, case, program, STATED, every="epsilon")

    def check(edited, case=case, program=program, within=within, every="epsilon"):
        check_ideal(edited, case, program, STATED, within=within, every=every)

    return IdealCertificate.from_text(found.to_text().encode()), check, case


SEARCHES = (
    "align.align",
    "certificates.certificate.decide_ideal",
    "every_report.EverySearch.report",
    "release.best_alignment",
    "release.decide_release",
    "report.Search.report",
)


@pytest.fixture
def no_search(monkeypatch):
    """Return a function from which on every search fails."""

    def searched(*args, **settings):
        raise AssertionError("a recheck that searches")

    def forbid():
        for name in SEARCHES:
            monkeypatch.setattr(f"dpcert.audit.ideal.{name}", searched)

    return forbid


@pytest.mark.parametrize("name", ["verified", "refuted", "aligned", "intervals", "lists", "labels", "maximum"])
def test_a_recheck_searches_nothing(name, no_search):
    found = certificate(name)
    no_search()
    check(name, found)


def test_a_recheck_of_every_epsilon_searches_nothing(for_every, no_search):
    found, check, _ = for_every
    assert (found.at != "") == (found.verdict == "refuted")
    no_search()
    check(found)


@pytest.mark.parametrize("name", CASES)
def test_caught_the_other_verdict(name):
    found = certificate(name)
    other = "refuted" if found.verdict == "verified" else "verified"
    with pytest.raises(Rejected):
        check(name, replace(found, verdict=other))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "edit", [{"pairs": 3}, {"trees": []}, {"sentence": "no"}, {"assumptions": []}, {"sources": {}}, {"epsilon": "9"}]
)
def test_caught_edited_fields(name, edit):
    with pytest.raises(Rejected):
        check(name, replace(certificate(name), **edit))


@pytest.mark.parametrize(
    ("witness", "words"),
    [
        (None, "without a witness"),
        ({"a": 0, "b": 0, "event": []}, "no pair of inputs"),
        ({"a": 1, "b": 0, "event": []}, "does not violate"),
        ({"a": 0, "b": 2, "event": []}, "no pair of inputs"),
        ({"a": True, "b": 0, "event": []}, "no pair of inputs"),
        ({"a": 1, "b": 0, "event": 5}, "another form"),
    ],
)
def test_caught_a_witness_that_breaks_nothing(witness, words):
    with pytest.raises(Rejected, match=words):
        check("refuted", replace(certificate("refuted"), witness=witness))


@pytest.mark.parametrize("name", ["aligned", "lists", "labels"])
def test_caught_alignments_that_are_missing_wrong_or_no_alignments(name):
    found = certificate(name)
    rows = found.alignments
    assert rows
    for edited in (rows[1:], [[*rows[0][:3], [[0, "5/1"]], [], []], *rows[1:]], [["x"], *rows], [[0, 1, 2, 3]]):
        with pytest.raises(Rejected):
            check(name, replace(found, alignments=edited))


def test_caught_alignments_for_a_smaller_epsilon():
    case = claim(range(3), "1/2")
    edited = replace(certificate("aligned"), epsilon="1/2")
    with pytest.raises(Rejected, match="costs more than the claim"):
        check_ideal(edited, case, released, STATED)


def test_caught_a_program_that_has_changed():
    case, _ = CASES["verified"]
    with pytest.raises(Unauditable, match="leaves open"):
        check_ideal(certificate("verified"), case, lambda count, rng: bool(count + rng.laplace() > 2), STATED)


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: {**data, "more": 1},
        lambda data: {name: part for name, part in data.items() if name != "trees"},
        lambda data: {**data, "verdict": "perhaps"},
        lambda data: {**data, "pairs": True},
        lambda data: {**data, "witness": 3},
        lambda data: [data],
    ],
)
def test_refused_what_is_no_certificate(edit):
    data = json.loads(certificate("verified").to_text())
    with pytest.raises(Malformed):
        IdealCertificate.from_text(json.dumps(edit(data)).encode())


def test_caught_edits_of_a_certificate_of_every_epsilon(for_every):
    found, check, case = for_every
    other = "refuted" if found.verdict == "verified" else "verified"
    edits = [{"verdict": other}, {"trees": []}, {"every": ""}, {"epsilon": "2"}, {"pairs": 99}, {"at": "-1/1"}]
    edits += [{"at": "1/1" if found.at != "1/1" else ""}, {"at": "x"}]
    edits += [{"alignments": found.alignments[1:]}] if found.alignments else []
    edits += [{"witness": {**found.witness, "event": []}}] if found.witness else []
    for edit in edits:
        with pytest.raises((Rejected, Unauditable)):
            check(replace(found, **edit))
    with pytest.raises(Rejected):
        check(found, every="scale")
    less = replace(case, guarantee=ApproxDP(case.guarantee.epsilon.rational / 9, case.guarantee.delta / 9))
    if found.verdict == "verified":
        with pytest.raises(Rejected):
            check(
                replace(found, epsilon=str(less.guarantee.epsilon), delta=ratio_text(less.guarantee.delta)), case=less
            )


def test_caught_a_refutation_outside_the_range():
    case, program, within = EVERY["refuted"]
    report = decide_every(program, case.inputs, case.neighbours, factor=Fraction(9, 10), within=within)
    found = certificate_of_every(report, case, program, STATED, every="epsilon")
    with pytest.raises(Rejected, match="no epsilon of the claim"):
        check_ideal(found, case, program, STATED, within=Range(high=Fraction(1)), every="epsilon")
    with pytest.raises(Rejected, match="no epsilon of the claim"):
        check_ideal(replace(found, every=""), case, program, STATED)


def test_caught_what_holds_at_one_epsilon_for_every_one():
    case = claim(range(3), 1)
    found = certificate_of(decide_ideal(case, above, epsilon=Fraction(1)), STATED)
    assert found.verdict == "verified"
    with pytest.raises(Rejected, match="not verified for every one"):
        check_ideal(replace(found, every="epsilon", at="1/1"), case, above, STATED, within=Range(), every="epsilon")


def test_nothing_is_certified_of_what_is_undecided():
    case = claim([0], 1)
    assert certificate_of(decide_ideal(case, threshold), STATED) is None


def wider_for_integers(count, rng):
    return count + rng.laplace(scale=2 if isinstance(count, int) else 1)


def another_name_for_integers(count, rng):
    noisy = count + rng.laplace()
    return ("integer" if isinstance(count, int) and noisy > 5 else "number", noisy)


def asks_more_of_integers(count, rng):
    noisy = count + rng.laplace()
    return ("high" if noisy > 5 else "low") if not isinstance(count, int) or noisy < 9 else "very high", noisy


@pytest.mark.parametrize("program", [wider_for_integers, another_name_for_integers, asks_more_of_integers])
def test_caught_open_inputs_on_which_a_program_does_something_else(program):
    """Its inputs are integers, and open ones are not: what it does on those is aligned pair by pair alone."""
    case = claim(range(3), 1)
    report = decide_ideal(case, program)
    assert report.method == "pairs"
    with pytest.raises(Unauditable, match=r"open|other noise"):
        opened_paths(case, program, list(case.pairs()))
    check_ideal(certificate_of(report, STATED), case, program, STATED)


RUN = {"explore", "led", "points", "routed", "outcomes", "opening", "folding", "verdict"}
READ = {"checker", "certificate", "leaves", "turns"}


@pytest.mark.parametrize("name", ["verified", "refuted", "aligned", "intervals", "lists", "labels", "maximum"])
def test_a_recheck_runs_the_checker_and_what_runs_the_program_alone(name):
    found = certificate(name)
    codes = set()

    def note(frame, event, argument):
        if event == "call":
            codes.add(frame.f_code)

    sys.setprofile(note)
    try:
        check(name, found)
    finally:
        sys.setprofile(None)
    files = (Path(code.co_filename) for code in codes)
    reached = {path.stem for path in files if path.is_relative_to(Path(verdict.__file__).parent)}
    assert reached <= RUN | READ
    assert reached >= READ | {"led", "explore"}
