"""Verdicts on counts of any size: by premises that the kernel checks, in bundles that cannot be edited into a lie."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
import dpcert.mechanisms.sample_and_threshold.sample_threshold as own
from dpcert.audit.decide import decide
from dpcert.audit.kernel.certificate import Malformed
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.broken.sample_threshold import threshold_late
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.targets.cases import case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.unbounded.bundle import Bundle
from dpcert.unbounded.rechecking import check_bundle
from dpcert.worker.results import write_certificate

SMALL = ("--set", "rate=1/4", "--set", "threshold=3", "--epsilon", "ln(3)", "--delta", "1/20")
CLOSED = ("--law-source", "closed-form")
MOVES = ("--neighbours", "substitute")


def one(done: Any) -> dict[str, Any]:
    (result,) = done.document["results"]
    assert isinstance(result, dict)
    return result


@pytest.fixture(scope="module")
def made(audited: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Bundles made by audits in processes, by neighbours."""
    folder = tmp_path_factory.mktemp("bundles")
    found = {}
    for name in ("element", "add-remove", "substitute"):
        done = audited("sample-threshold", *SMALL, "--neighbours", name, "--certificates", folder)
        assert done.status == 0
        found[name] = Path(one(done)["certificate"])
    return found


@pytest.fixture
def recheck(inside: Callable[..., Any], workers_inside: None) -> Callable[..., tuple[int, str]]:
    def run(path: Path, *options: object) -> tuple[int, str]:
        done = inside("recheck", path, *options)
        return done.status, done.out.strip() or done.err.strip()

    return run


@pytest.fixture
def edited(made: dict[str, Path], tmp_path: Path, recheck: Callable[..., Any]) -> Callable[..., tuple[int, str]]:
    """Re-check a bundle after an edit of its data."""

    def run(name: str, edit: Callable[[dict[str, Any]], object]) -> tuple[int, str]:
        data = json.loads(made[name].read_text())
        edit(data)
        path = tmp_path / "edited.json"
        path.write_text(json.dumps(data))
        found: tuple[int, str] = recheck(path)
        return found

    return run


# -- verdicts


def test_by_default_every_count_is_covered_and_the_least_delta_is_exact(quick: Callable[..., Any]) -> None:
    result = one(quick("sample-threshold"))
    claim = result["claim"]
    assert result["verdict"] == "verified"
    assert claim["sentence"].endswith("for counts that differ by one, on all counts")
    assert claim["parameters"]["kmax"] == "all"
    exactly = greatest_delta(rate=Fraction(1, 10), threshold=10, ratio=Fraction(20, 9)).delta
    assert result["delta"]["lo"] == result["delta"]["hi"]
    assert exact(result["delta"]["hi"], "delta") == exactly
    first, second = result["assumptions"]
    assert first.startswith("by the theorem of all counts (docs/all-counts.md) from 2 finite claims")
    assert second.startswith("above 30 people the program samples and reports as it does up to there")


@pytest.mark.parametrize("name", ["element", "add-remove", "substitute"])
def test_a_bundle_of_each_relation_is_accepted_with_its_sentence(
    made: dict[str, Path], recheck: Callable[..., Any], name: str
) -> None:
    status, line = recheck(made[name])
    assert status == 0
    words = {
        "element": "for counts that differ by one, on all counts",
        "add-remove": "for lists one of which is the other without one element, on all lists",
        "substitute": "for lists of one length that differ in one element, on all lists",
    }
    assert line.startswith("accepted: verified: ")
    assert line.endswith(words[name])


def test_each_premise_of_a_bundle_is_a_certificate_of_its_own(
    made: dict[str, Path], recheck: Callable[..., Any], tmp_path: Path
) -> None:
    for name, kinds in (("element", 2), ("substitute", 3)):
        premises = json.loads(made[name].read_text())["premises"]
        assert len({premise["target"] for premise in premises}) == kinds
        for place in (0, 1, -1):
            path = tmp_path / "premise.json"
            path.write_text(json.dumps(premises[place]))
            assert recheck(path)[0] == 0


def test_an_explicit_count_keeps_the_finite_scope(quick: Callable[..., Any]) -> None:
    result = one(quick("sample-threshold", "--set", "kmax=9"))
    assert result["claim"]["sentence"].endswith("on the 10 inputs 0 to 9")
    assert result["assumptions"] == []


def test_a_claim_that_a_count_breaks_is_refuted_by_the_least_such_pair(quick: Callable[..., Any]) -> None:
    result = one(quick("sample-threshold", "--set", "threshold=2", "--delta", "1/1000"))
    assert (result["verdict"], result["worst"]["a"], result["worst"]["b"]) == ("refuted", 2, 1)
    assert result["notes"][0].startswith("so it is false that sample-threshold(rate=1/10, threshold=2, kmax=all) is ")
    assert one(quick("sample-threshold", "--delta", "0"))["verdict"] == "refuted"


def test_moves_are_refuted_by_two_bins_where_one_bin_is_within(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path
) -> None:
    """At the least delta of one bin, two bins that change need more."""
    rate, ratio = Fraction(1, 4), Fraction(11, 10)
    alone = greatest_delta(rate=rate, threshold=3, ratio=ratio).delta
    claim = ("--set", "rate=1/4", "--set", "threshold=3", "--epsilon", "ln(11/10)")
    delta = ("--delta", f"{alone.numerator}/{alone.denominator}")
    assert one(quick("sample-threshold", *claim, *delta))["verdict"] == "verified"
    refuted = one(quick("sample-threshold", *claim, *delta, *MOVES, "--certificates", tmp_path))
    assert refuted["verdict"] == "refuted"
    assert refuted["claim"]["sentence"].startswith("moved-person(")
    assert recheck(Path(refuted["certificate"]))[0] == 0


def test_a_delta_between_the_bounds_is_undecided_with_the_gap(quick: Callable[..., Any]) -> None:
    result = one(quick("sample-threshold", "--delta", "4e-8", *MOVES, *CLOSED))
    assert result["verdict"] == "undecided"
    assert (
        "3.7982e-8 is needed, by bins of 16 and 33 people and of 15 and 34, and 4.2942e-8 is enough"
        in (result["reason"])
    )
    lo, hi = (exact(result["delta"][side], side) for side in ("lo", "hi"))
    assert lo < Fraction(4, 10**8) < hi


def test_an_irrational_epsilon_and_laws_from_the_closed_form(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path
) -> None:
    result = one(quick("sample-threshold", "--epsilon", "1", *MOVES, *CLOSED, "--certificates", tmp_path))
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form")
    assert result["assumptions"][1].startswith("the law on every count is the closed form's")
    assert recheck(Path(result["certificate"]))[0] == 0


def test_premises_whose_laws_are_rounded_are_accepted(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path
) -> None:
    claim = ("--set", "rate=1/100", "--epsilon", "ln(51/50)", "--delta", "1e-4", *CLOSED)
    result = one(quick("sample-threshold", *claim, "--certificates", tmp_path))
    assert result["verdict"] == "verified"
    assert "rounded down to" in result["notes"][0]
    assert exact(result["tail"], "tail") > 0
    assert recheck(Path(result["certificate"]))[0] == 0


@pytest.mark.nightly
def test_the_kernel_refutes_theorem_2_for_people_who_move(quick: Callable[..., Any]) -> None:
    """The delta is the printed bound at threshold 445, rounded up to six digits."""
    bins = ("--set", "rate=1/3", "--set", "threshold=445", "--set", "left=849", "--set", "entered=1549")
    result = one(quick("moved-person", *bins, "--epsilon", "ln(3/2)", "--delta", "9.24262e-37", *CLOSED))
    assert result["verdict"] == "refuted"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--neighbours", "any"), "element, add-remove or substitute"),
        (("--neighbours", "l1"), "--set kmax=30"),
        (("--observe", "draws"), "how many draws there are tells the count"),
        (("--set", "kmax=every"), "kmax"),
    ],
)
def test_refused_in_one_line(quick: Callable[..., Any], arguments: tuple[str, ...], words: str) -> None:
    done = quick("sample-threshold", *arguments)
    assert done.status == 2
    assert words in done.refusal()


def test_where_no_premises_are_found_it_is_undecided(
    quick: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpcert.mechanisms.sample_and_threshold.all_counts.MOST", 3)
    result = one(quick("sample-threshold", "--set", "threshold=40", "--delta", "1e-9"))
    assert result["verdict"] == "undecided"
    assert result["reason"].startswith("the search for premises stopped")


@pytest.mark.parametrize("more", [(), MOVES])
@pytest.mark.parametrize(
    ("epsilon", "delta", "verdict"),
    [
        ("0", "0", "refuted"),
        ("0", "1/2", "verified"),
        ("1/1000", "1/2", "verified"),
        ("1000", "1e-9", "refuted"),
        ("1e9", "1/64", "verified"),
    ],
)
def test_an_epsilon_of_zero_near_it_and_astronomic(
    quick: Callable[..., Any], more: tuple[str, ...], epsilon: str, delta: str, verdict: str
) -> None:
    """At threshold 3 and rate 1/4 three people are shown with probability 1/64, and two never."""
    claim = (*SMALL[:4], "--epsilon", epsilon, "--delta", delta)
    if (more, verdict, epsilon) == (MOVES, "verified", "1e9"):
        claim = (*SMALL[:4], "--epsilon", epsilon, "--delta", "1/60")  # bounds at nodes are rounded up
    assert one(quick("sample-threshold", *claim, *CLOSED, *more))["verdict"] == verdict


def test_little_is_looked_at_where_laws_are_from_the_program_and_delta_has_room(quick: Callable[..., Any]) -> None:
    """The delta of counts of any size, at 90 people, would take minutes to be exact."""
    result = one(quick("sample-threshold", "--epsilon", "1/100", "--delta", "1/2"))
    assert result["verdict"] == "verified"
    exactly = greatest_delta(rate=Fraction(1, 10), threshold=10, ratio=Epsilon.of("1/100").exp_bounds(128)[0])
    assert exactly.reach > 60
    lo, hi = (exact(result["delta"][side], side) for side in ("lo", "hi"))
    assert lo < exactly.delta <= hi


def test_caught_a_certificate_of_some_counts_that_says_all(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path
) -> None:
    """On the counts 0 to 30 the claim holds, on all it is false: a certificate that names kmax=all is of neither."""
    assert one(quick("sample-threshold", *CLOSED, "--epsilon", "ln(91/90)", "--delta", "1/200"))["verdict"] == "refuted"
    case = case_of(
        CatalogueSpec("sample-threshold"),
        Options(epsilon="ln(91/90)", delta="1/200", law_source="closed-form"),
    )
    report = decide(case.subject, case.guarantee, again=case.subject.digests)
    assert report.certificate is not None
    assert report.certificate.verdict == "verified"
    status, line = recheck(write_certificate(tmp_path, report.certificate, case.spec))
    assert (status, "a bundle is needed for kmax=all" in line) == (1, True), line


# -- hand-edited bundles


def _reach(data: dict[str, Any], reach: int) -> None:
    """Lower the reach everywhere: in the hints, in the assumptions, and in what the premises say of themselves."""
    old = data["hints"]["reach"]
    data["hints"]["reach"] = reach
    for form in ("counts to {} one by one", "sampled of {} and {}", "above {} people"):
        there, here = (form.format(count, count + 1) for count in (old, reach))
        data["assumptions"] = [line.replace(there, here) for line in data["assumptions"]]


EDITS: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "the crowd's premise dropped": ("element", lambda data: data["premises"].pop(), "number of premises"),
    "a premise twice": ("element", lambda data: data["premises"].__setitem__(1, data["premises"][0]), "target of"),
    "premises exchanged": ("element", lambda data: data["premises"].reverse(), "target of premise 1"),
    "a smaller delta": ("element", lambda data: data.update(delta="0x1/0x64"), "sentence"),
    "a smaller epsilon": ("element", lambda data: data.update(epsilon="ln(2)"), "sentence"),
    "another threshold": ("element", lambda data: data["parameters"].update(threshold="2"), "sentence"),
    "another rate": ("element", lambda data: data["parameters"].update(rate="1/2"), "sentence"),
    "a finite kmax": ("element", lambda data: data["parameters"].update(kmax="30"), "kmax=all"),
    "another sentence": ("element", lambda data: data.update(sentence="it is private"), "sentence"),
    "another relation": ("element", lambda data: data.update(neighbours="substitute"), "at least one"),
    "a relation without a theorem": ("element", lambda data: data.update(neighbours="any"), "element, add-remove"),
    "another theorem": ("element", lambda data: data.update(theorem="all moves"), "theorem"),
    "another target": ("element", lambda data: data.update(target="sample-threshold-late"), "no theorem is about"),
    "no assumption": ("element", lambda data: data["assumptions"].pop(), "assumptions"),
    "another law source": ("element", lambda data: data.update(law_source="closed-form"), "assumptions"),
    "a lower reach": ("element", lambda data: _reach(data, 3), "parameters of premise 1"),
    "nodes for counts": (
        "element",
        lambda data: data["hints"].update(losing=[["0x3/0x1", "0x1/0x2"]]),
        "takes no nodes",
    ),
    "a node dropped": ("substitute", lambda data: data["hints"]["losing"].pop(1), "assumptions"),
    "every node dropped": ("substitute", lambda data: data["hints"].update(losing=[]), "at least one"),
    "a lower bound at a node": (
        "substitute",
        lambda data: data["hints"]["losing"][0].__setitem__(1, "0x1/0x100000"),
        "delta of premise 1",
    ),
    "a node moved": (
        "substitute",
        lambda data: data["hints"]["losing"][0].__setitem__(0, "0x65/0x64"),
        "epsilon of premise 1",
    ),
    "a reversed node moved": (
        "substitute",
        lambda data: data["hints"]["gaining"][0].__setitem__(0, "0x65/0x64"),
        "of premise",
    ),
    "no reversed node": ("substitute", lambda data: data["hints"].update(gaining=[]), "composed"),
    "a lower reach of moves": ("substitute", lambda data: _reach(data, 3), "parameters of premise 1"),
    "a delta that the nodes do not give": ("substitute", lambda data: data.update(delta="0x1/0x400"), "composed"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_caught_an_edited_bundle(edited: Callable[..., tuple[int, str]], edit: str) -> None:
    name, change, words = EDITS[edit]
    status, line = edited(name, change)
    assert (status, words in line) == (1, True), line


def test_caught_nodes_and_premises_that_agree_and_are_false(edited: Callable[..., tuple[int, str]]) -> None:
    """All that a bundle says of a node is lowered, consistently: then the kernel finds the pair that breaks it."""

    def lower(data: dict[str, Any]) -> None:
        small = "0x1/0x1000"
        data["hints"]["losing"][0][1] = small
        for premise in data["premises"][:2]:
            was = premise["sentence"].split(", ")
            premise["delta"] = small
            premise["sentence"] = premise["sentence"].replace(next(w for w in was if ")-diff" in w), _words())

    def _words() -> str:
        return "1/4096)-differentially private for counts that differ by one"

    status, line = edited("substitute", lower)
    assert status == 1
    assert "is not within the bound" in line, line


def _without(data: dict[str, Any], places: range) -> None:
    """Drop losing nodes with their premises, and make the rest of the bundle agree."""
    before = len(data["premises"])
    for place in reversed(places):
        del data["hints"]["losing"][place]
        del data["premises"][2 * place : 2 * place + 2]
    there, here = (f"from {count} finite claims" for count in (before, len(data["premises"])))
    data["assumptions"] = [line.replace(there, here) for line in data["assumptions"]]


def test_a_node_dropped_with_its_premises_is_fine_while_the_rest_is_enough(
    edited: Callable[..., tuple[int, str]],
) -> None:
    """The claim has room; without all nodes but the first, the composition says so."""
    status, line = edited("substitute", lambda data: _without(data, range(2, 3)))
    assert (status, line.partition(": ")[0]) == (0, "accepted"), line
    status, line = edited("substitute", lambda data: _without(data, range(1, len(data["hints"]["losing"]))))
    assert (status, "composed for two, are not within the guarantee" in line) == (1, True), line


def test_caught_a_reach_beyond_what_a_premise_takes(edited: Callable[..., tuple[int, str]]) -> None:
    def far(data: dict[str, Any]) -> None:
        _reach(data, 10**9)
        data["premises"][0]["parameters"]["kmax"] = str(10**9)

    status, line = edited("element", far)
    assert (status, "premise 1: kmax=1000000000" in line) == (1, True), line


def test_caught_a_crowd_too_small_with_premises_to_match(edited: Callable[..., tuple[int, str]]) -> None:
    """The reach is lowered consistently to a crowd that needs more than delta: the kernel rejects its premise."""

    def lower(data: dict[str, Any]) -> None:
        old = data["hints"]["reach"]
        _reach(data, 1)
        for premise, key in zip(data["premises"], ("kmax", "least"), strict=True):
            premise["parameters"][key] = "1"
            premise["sentence"] = premise["sentence"].replace(f"{key}={old}", f"{key}=1")
        first, second = data["premises"]
        first["inputs"], first["pairs"], first["laws"] = 2, 2, first["laws"][:2]
        first["sentence"] = first["sentence"].replace(f"the {old + 1} inputs 0 to {old}", "the inputs 0, 1")
        second["sentence"] = second["sentence"].replace(f"the inputs {old}, {old + 1}", "the inputs 1, 2")
        first["inputs_digest"], second["inputs_digest"] = _digest(0, 1), _digest(1, 2)

    status, line = edited("element", lower)
    assert status == 1
    assert "is not within the bound" in line, line


def _digest(*inputs: int) -> str:
    return Claim("", (), inputs, dpcert.counts_differ_by_one, dpcert.ApproxDP(0, 0)).inputs_digest()


def _leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    inner = [leaf for key, part in parts for leaf in _leaves(part, (*path, key))]
    yield from inner or [path]


def test_caught_every_single_edit_of_a_bundle(quick: Callable[..., Any], tmp_path: Path) -> None:
    """Each number, text and empty list is changed in turn, in two ways."""
    text = Path(one(quick("sample-threshold", *SMALL, *CLOSED, "--certificates", tmp_path))["certificate"]).read_text()
    assert check_bundle(Bundle.from_text(text.encode()), {}).inputs == "all counts"
    tried = 0
    for path in _leaves(json.loads(text)):
        for near in (True, False):
            data = json.loads(text)
            place = data
            for key in path[:-1]:
                place = place[key]
            was = place[path[-1]]
            place[path[-1]] = (was + 1 if isinstance(was, int) else f"{was} ") if near else "1"
            with pytest.raises((Rejected, Malformed)):
                check_bundle(Bundle.from_text(json.dumps(data).encode()), {})
            tried += 1
    assert tried > 150


MALFORMED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another schema": lambda data: data.update(schema="dpcert.bundle/3"),
    "a field too many": lambda data: data.update(note="trust me"),
    "a field too few": lambda data: data.pop("theorem"),
    "a node of another form": lambda data: data["hints"].update(losing=[["0x3/0x1"]]),
    "a node with a float": lambda data: data["hints"].update(losing=[[3.5, "0x0/0x1"]]),
    "a reach of 0": lambda data: data["hints"].update(reach=0),
    "a reach that is true": lambda data: data["hints"].update(reach=True),
    "an unknown hint": lambda data: data["hints"].update(more=[]),
    "parameters that are no texts": lambda data: data["parameters"].update(threshold=3),
    "an epsilon not in its shortest form": lambda data: data.update(epsilon="ln(6/2)"),
    "a delta above 1": lambda data: data.update(delta="0x3/0x2"),
    "a law source of one's own": lambda data: data.update(law_source="mine"),
    "a premise that is no certificate": lambda data: data["premises"].__setitem__(0, {"verdict": "verified"}),
    "premises that are no list": lambda data: data.update(premises={}),
}


@pytest.mark.parametrize("edit", MALFORMED)
def test_refused_as_malformed(edited: Callable[..., tuple[int, str]], edit: str) -> None:
    status, line = edited("element", MALFORMED[edit])
    assert status == 2
    assert line.startswith("malformed: ")


def test_refused_a_bundle_against_a_program_of_ones_own(
    made: dict[str, Path], recheck: Callable[..., Any], write: Callable[..., Path]
) -> None:
    path = write("own.py", "")
    status, line = recheck(made["element"], "--target", f"{path}:release")
    assert status == 2
    assert "it is about a built-in" in line


# -- a program that breaks its promise where no audited count is


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `sample-threshold` be the program that leaves the threshold out from 1,000 people on."""

    def swapped(*, rate: Fraction, threshold: int) -> Any:
        assert threshold_late.fault is not None
        return threshold_late.fault.place({"rate": str(rate), "threshold": str(threshold), "late": "1000"})

    monkeypatch.setattr(own, "sample_threshold", swapped)


def test_caught_a_threshold_that_is_left_out_for_crowds(quick: Callable[..., Any], late: None) -> None:
    for more in ((), MOVES):
        result = one(quick("sample-threshold", *SMALL, *more))
        assert result["verdict"] == "undecided"
        assert "no audited count reached line" in result["reason"]
        assert "greater ones may" in result["reason"]


def test_caught_at_recheck_too(made: dict[str, Path], recheck: Callable[..., Any], late: None) -> None:
    status, line = recheck(made["element"])
    assert status == 1
    assert "sources" in line or "no audited count reached" in line


def test_a_finite_audit_of_it_is_verified_as_far_as_it_says(quick: Callable[..., Any], late: None) -> None:
    result = one(quick("sample-threshold", *SMALL, "--set", "kmax=8"))
    assert result["verdict"] == "verified"
    assert result["unreached"]["lines"]


def test_no_theorem_is_about_a_fault(quick: Callable[..., Any]) -> None:
    done = quick("sample-threshold-late", "--set", "kmax=all", "--set", "late=1000", "--set", "threshold=10")
    assert done.status == 2
    assert "no theorem covers every count of sample-threshold-late" in done.refusal()
