"""Pictures of a report: computed in processes, or read from a file in which every part is checked."""

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from in_process import answer_of

import dpcert
from dpcert import Options, exact
from dpcert.show.numbers import number_of
from dpcert.show.pages.document import SCHEMA, read_document
from dpcert.show.pages.ink import height
from dpcert.targets.cases import case_of
from dpcert.targets.spec import CatalogueSpec, FileSpec
from dpcert.worker.auditing import Workplace
from dpcert.worker.jobs import Bar, Bars, Draw, Missing, Picture
from dpcert.worker.picture import OUTCOMES, picture_of, profile_points
from dpcert.worker.result import SeenEvent

EXAMPLES = Path(__file__).parents[2] / "examples"


def result(document: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (r for r in document["results"] if r["target"].endswith(name))
    assert isinstance(found, dict)
    return found


def test_the_document_has_the_results_of_an_audit_and_their_pictures(document: dict[str, Any]) -> None:
    assert document["schema"] == SCHEMA
    verdicts = {r["target"].rpartition(":")[2]: (r["verdict"], r["expected"]) for r in document["results"]}
    assert verdicts == {
        "loud": ("refuted", "refuted"),
        "many": ("refuted", "refuted"),
        "calm": ("verified", "verified"),
        "sample-threshold": ("verified", "verified"),
    }
    assert (document["verified"], document["refuted"], document["undecided"]) == (2, 2, 0)
    assert "reason" in result(document, "sample-threshold")["picture"]["profile"]
    assert result(document, ":calm")["picture"]["witness"] is None


def test_a_witness_has_two_laws_that_sum_to_one_and_its_event(document: dict[str, Any]) -> None:
    for name, count in ((":loud", 2), (":many", OUTCOMES)):
        found = result(document, name)
        picture, worst = found["picture"]["witness"], found["worst"]
        assert len(picture["rows"]) == count
        for side in ("p", "q"):
            shown = sum((number_of(row[side]) for row in picture["rows"]), number_of(picture["others"][side]))
            assert shown + number_of(picture["tail"][side]) == 1
            inside = sum((number_of(row[side]) for row in picture["rows"] if row["event"]), Fraction(0))
            assert inside == number_of(worst[side])
    assert picture["others"]["count"] == 42 - OUTCOMES


def test_the_points_of_a_profile_bound_it_from_both_sides() -> None:
    found = dpcert.profile("geosample", n=8, epsilon="1/2")
    picture = profile_points(found, dpcert.Epsilon.of("1/2"), Fraction(0))
    assert [height(at) for at, _, _ in picture.points] == sorted(height(at) for at, _, _ in picture.points)
    for at, lo, hi in picture.points:
        answer = found.delta_at(exact(at, "epsilon"))
        assert exact(hi, "delta") >= answer.hi
        assert exact(lo, "delta") <= exact(hi, "delta")
    least = found.epsilon_at(0).hi
    assert exact(picture.least, "epsilon") >= least
    assert picture.points[0][0] == "0"
    assert exact(picture.points[-1][1], "delta") == 0


def test_truth_values_and_the_numbers_that_equal_them_are_told_apart(tmp_path: Path) -> None:
    by_type = FileSpec(str(EXAMPLES / "leaks.py"), "by_type")
    witness = picture_of(case_of(by_type, Options()), SeenEvent(0, 1, [0], 1, "3/4", "0/1")).witness
    assert isinstance(witness, Bars)
    assert [json.dumps([row.outcome, row.event]) for row in witness.rows] == [
        "[false, false]",
        "[true, false]",
        "[0, true]",
        "[1, false]",
    ]
    (tmp_path / "typed.py").write_text(
        "import dpcert\n\n"
        "@dpcert.target(guarantee=dpcert.PureDP(1), inputs=[1, True], neighbours='any')\n"
        "def typed(value, coins):\n    return type(value).__name__\n"
    )
    case = case_of(FileSpec(str(tmp_path / "typed.py"), "typed"), Options())
    witness = picture_of(case, SeenEvent(True, 1, ["bool"], 1, "1/1", "0/1")).witness
    assert isinstance(witness, Bars)
    assert witness.rows == [Bar("int", "0/1", "1/1", False), Bar("bool", "1/1", "0/1", True)]


def test_laws_that_do_not_list_the_event_are_not_drawn_nor_a_profile_that_says_nothing() -> None:
    spec = FileSpec(str(EXAMPLES / "float_noise.py"), "numpys_laplace")
    case = case_of(spec, Options())
    worst = SeenEvent(0, 1, [{"float": "0x1p-1"}], 1, "1/2", "0/1")
    assert picture_of(case, worst) == Picture(
        Missing("they do not list the outcomes of the event"), Missing("the laws do not list enough outcomes for one")
    )


def test_the_picture_is_made_in_a_child_and_says_why_there_is_none(tmp_path: Path) -> None:
    spec = CatalogueSpec("randomized-response")
    case = case_of(spec, Options())
    assert picture_of(case, None).witness is None
    witness = picture_of(case, SeenEvent(7, 1, [0], 1, "1/1", "0/1")).witness
    assert witness == Missing("its inputs are not among those of the claim")
    assert answer_of(Draw(spec, Options(), None), Workplace(tmp_path)) == picture_of(case, None)


Command = Callable[..., Any]


@pytest.mark.nightly
def test_what_audit_and_report_print_is_taken(results: Path, tmp_path: Path, dpcert_command: Command) -> None:
    assert len(read_document(str(results)).results) == 4
    path = tmp_path / "audit.json"
    path.write_text(dpcert_command("audit", "randomized-response", "geosample-floor", "--json").out)
    done = dpcert_command("report", "--from", str(path), "--section", "claims", "--output", str(tmp_path / "p.html"))
    assert (done.status, done.err) == (1, "")
    text = (tmp_path / "p.html").read_text("utf-8")
    assert text.count("<svg") == 1
    assert "1 verified, 1 refuted, 0 undecided" in text


@pytest.mark.nightly
def test_what_samples_and_clocks_show_is_taken(tmp_path: Path, dpcert_command: Command) -> None:
    path = tmp_path / "audit.json"
    for options in (("--sampling", "--samples", "4000", "--seed", "1"), ("--timing", "duration", "--samples", "1000")):
        path.write_text(dpcert_command("audit", "geosample-floor", "--json", *options).out)
        done = dpcert_command(
            "report", "--from", str(path), "--section", "claims", "--output", str(tmp_path / "p.html")
        )
        assert done.status in (1, 3)
        assert "at confidence 0.999999" in (tmp_path / "p.html").read_text("utf-8")


PARTS: list[tuple[tuple[Any, ...], Any]] = [
    (("target",), 3),
    (("verdict",), "maybe"),
    (("claim", "epsilon"), "1.2.3"),
    (("claim", "delta"), "1/0"),
    (("claim", "parameters"), {"n": 1}),
    (("delta", "hi"), "0.5"),
    (("delta",), None),
    (("epsilon", "lo"), None),
    (("worst", "p"), "one half"),
    (("worst", "q"), "3/2"),
    (("worst", "event"), []),
    (("worst", "a"), {"tuple": 3}),
    (("worst",), None),
    (("pairs",), -1),
    (("notes",), [1]),
    (("method",), "sampling"),
    (("unreached",), {"file": "x"}),
    (("expected",), "no"),
    (("picture",), 3),
    (("picture", "profile"), {"points": []}),
    (("picture", "profile", "points"), [["0", "nan", "1"], ["1", "0", "0"]]),
    (("picture", "profile", "end"), "1e999999999"),
    (("picture", "witness", "tail", "p"), f"{10**400}/1"),
    (("picture", "witness", "rows"), [{"outcome": 1, "p": "1/2", "q": "1/2"}]),
]


@pytest.mark.parametrize(("place", "value"), PARTS, ids=[".".join(map(str, place)) for place, _ in PARTS])
def test_refused_a_malformed_part(
    document: dict[str, Any], tmp_path: Path, dpcert_command: Command, place: tuple[Any, ...], value: Any
) -> None:
    broken = copy.deepcopy(document)
    broken["results"] = broken["results"][:1]
    part = broken["results"][0]
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken))
    line = dpcert_command("report", "--from", str(path), "--output", str(tmp_path / "p.html")).refusal()
    assert "result 1: " in line
    assert not (tmp_path / "p.html").exists()


@pytest.mark.parametrize("most", ["x", "-5", "0", "1e3.5"])
def test_refused_a_mechanism_s_parameters_that_cannot_be_drawn(
    document: dict[str, Any], tmp_path: Path, dpcert_command: Command, most: str
) -> None:
    result = copy.deepcopy(document["results"][0])
    result |= {"target": "pws-keys", "claim": {**result["claim"], "parameters": {"imax": most}}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**document, "results": [result]}))
    page = tmp_path / "p.html"
    done = dpcert_command("report", "--from", str(path), "--section", "weighted", "--output", str(page))
    assert "dpcert: imax" in done.refusal()
    assert not page.exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "schema None"),
        ('{"schema": "dpcert.audit/2", "results": []}', "schema 'dpcert.audit/2'"),
        ('{"schema": "dpcert.law/1", "law": []}', "schema 'dpcert.law/1'"),
        ('{"schema": "dpcert.audit/1", "results": {}}', "'results' is malformed"),
        ('{"schema": "dpcert.audit/1", "results": [3]}', "'results' is malformed"),
        ('{"schema": "dpcert.audit/1", "results": [{}]}', "result 1: 'target'"),
        ('{"schema": "dpcert.audit/1", "results": [], "skipped": [{}]}', "'skipped' is malformed"),
    ],
)
def test_refused_a_file_of_another_kind(tmp_path: Path, dpcert_command: Command, text: str, fault: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    assert fault in dpcert_command("report", "--from", str(path)).refusal()


def test_refused_a_file_that_is_away(tmp_path: Path, dpcert_command: Command) -> None:
    assert "No such file" in dpcert_command("report", "--from", str(tmp_path / "none.json")).refusal()
    assert "Is a directory" in dpcert_command("report", "--from", str(tmp_path)).refusal()
