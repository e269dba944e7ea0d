"""Reports for other tools, `--junit`, `--sarif`, `--code-quality`: findings at the lines that define mechanisms."""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from dpcert.show.code_quality import SEVERITIES, code_quality_text
from dpcert.show.findings import Finding
from dpcert.show.junit import junit_text
from dpcert.show.place import Place, place_of, repository_of
from dpcert.show.sarif import RULES, sarif_text
from dpcert.targets.spec import FileSpec

Run = Callable[..., Any]

MECHANISM = """
    BITS = dict(inputs=[0, 1], neighbours="any")


    @target(
        guarantee=PureDP("ln(2)"), **BITS,
    )
    def leaks(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    holds = target(guarantee=PureDP("ln(3)"), **BITS, expect="refuted")(leaks.function)

    @target(guarantee=PureDP(0), **BITS)
    def prints(bit, coins):
        return str(coins.below(2**64))
"""
LINES = {"leaks": 11, "holds": 14, "prints": 17}
SCHEMAS = Path(__file__).parent / "schemas"
"""Of others; README.md there says whose."""


@functools.cache
def sarif_schema() -> Any:
    return jsonschema.Draft202012Validator(json.loads((SCHEMAS / "sarif-2.1.0.json").read_text()))


@functools.cache
def junit_schema() -> Any:
    return xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))


def checked_junit(text: str) -> ElementTree.Element:
    """Check a document against the schema that Jenkins' plugin has; return its one suite."""
    junit_schema().validate(text)
    (suite,) = ElementTree.fromstring(text)
    return suite


def checked_sarif(document: Any) -> Any:
    """Check a document against the published schema, and what is written key by key; return the one run."""
    sarif_schema().validate(document)
    assert document.keys() == {"$schema", "version", "runs"}
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert run.keys() == {"tool", "columnKind", "invocations", "results"}
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver.keys() == {"name", "semanticVersion", "rules"}
    identifiers = [rule["id"] for rule in driver["rules"]]
    assert identifiers == [f"dpcert/{name}" for name in RULES]
    for rule in driver["rules"]:
        assert rule.keys() == {"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"}
        assert all(rule[name]["text"] for name in ("shortDescription", "fullDescription", "help"))
        assert rule["defaultConfiguration"]["level"] in ("error", "warning")
    (invocation,) = run["invocations"]
    assert invocation.keys() == {"executionSuccessful", "exitCode", "toolExecutionNotifications"}
    assert type(invocation["executionSuccessful"]) is bool
    for note in invocation["toolExecutionNotifications"]:
        assert note.keys() == {"level", "message"}
    for result in run["results"]:
        assert result.keys() == {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"}
        assert identifiers[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert location.keys() - {"physicalLocation"} == {"logicalLocations"}
        if "physicalLocation" in location:
            place = location["physicalLocation"]
            assert place.keys() == {"artifactLocation", "region"}
            assert place["region"].keys() == {"startLine"}
            assert place["region"]["startLine"] >= 1
            uri = place["artifactLocation"]["uri"]
            relative = not uri.startswith("file:///")
            assert place["artifactLocation"].get("uriBaseId") == ("%SRCROOT%" if relative else None)
            assert relative is not uri.startswith("/")
            assert uri.isascii()
            assert " " not in uri
        assert all(len(value) == 64 for value in result["partialFingerprints"].values())
    return run


def checked_quality(text: str) -> list[dict[str, Any]]:
    """Check a report by what GitLab's documentation asks of each entry; return the entries."""
    entries: list[dict[str, Any]] = json.loads(text)
    assert type(entries) is list
    for entry in entries:
        assert entry.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"].keys() == {"path", "lines"}
        path = entry["location"]["path"]
        assert path
        assert not path.startswith(("/", "./", "../"))
        assert entry["location"]["lines"].keys() == {"begin"}
        assert entry["location"]["lines"]["begin"] >= 1
        assert entry["description"]
    prints = [entry["fingerprint"] for entry in entries]
    assert len(set(prints)) == len(prints)
    return entries


@pytest.fixture
def project(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    write("src/ein weg/mechanism.py", MECHANISM)
    monkeypatch.chdir(tmp_path / "src")
    return tmp_path


def test_a_refutation_annotates_the_mechanisms_line(quick: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = quick("ein weg/mechanism.py", "missing.py", "--sarif", "out/it.sarif", "--junit", "it.xml")
    assert done.status == 2
    document = json.loads((project / "src/out/it.sarif").read_text())
    run = checked_sarif(document)
    found = {result["locations"][0]["logicalLocations"][0]["name"]: result for result in run["results"]}
    assert {name: result["ruleId"] for name, result in found.items()} == {
        "leaks": "dpcert/refuted",
        "prints": "dpcert/undecided",
    }
    for name, result in found.items():
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "src/ein%20weg/mechanism.py"
        assert place["region"] == {"startLine": LINES[name]}
    text = found["leaks"]["message"]["text"]
    assert text.startswith("refuted: ")
    assert "event {0} has probability 3/4" in text
    (invocation,) = run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (2, False)
    (note,) = invocation["toolExecutionNotifications"]
    assert "missing.py" in note["message"]["text"]

    suite = checked_junit((project / "src/it.xml").read_text())
    counted = {name: suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "4", "failures": "2", "errors": "1", "skipped": "0"}
    cases = {case.attrib["name"].partition(":")[0]: case for case in suite}
    for name, line in LINES.items():
        assert cases[name].attrib["classname"] == "src/ein weg/mechanism.py"
        assert all(str(told.text).startswith(f"src/ein weg/mechanism.py:{line}\n") for told in cases[name])
        assert float(cases[name].attrib["time"]) >= 0
    assert [part.tag for part in cases["leaks"]] == ["failure"]
    assert [part.tag for part in cases["prints"]] == ["failure"]
    assert not list(cases["holds"])
    assert "3/4 on 0 > 2 * 1/4 on 1 + 0: 0.75 > 0.5" in str(cases["leaks"][0].text)


def test_with_expect_what_is_not_as_declared_is_found(quick: Run, project: Path) -> None:
    done = quick("ein weg/mechanism.py", "--expect", "--sarif", "it.sarif", "--junit", "it.xml")
    assert done.status == 1
    run = checked_sarif(json.loads((project / "src/it.sarif").read_text()))
    kinds = [result["ruleId"].partition("/")[2] for result in run["results"]]
    assert kinds == ["refuted", "unexpected", "undecided"]
    assert run["results"][1]["message"]["text"].startswith("verified, but declared refuted: ")
    suite = checked_junit((project / "src/it.xml").read_text())
    assert (suite.attrib["failures"], suite.attrib["errors"]) == ("3", "0")


def test_a_built_in_has_no_line_and_a_run_without_findings_is_a_document(quick: Run, project: Path) -> None:
    assert quick("randomized-response", "--epsilon", "1/10", "--sarif", "it.sarif").status == 1
    run = checked_sarif(json.loads((project / "src/it.sarif").read_text()))
    assert [result["locations"] for result in run["results"]] == [
        [{"logicalLocations": [{"name": "randomized-response"}]}]
    ]
    assert quick("randomized-response", "--sarif", "it.sarif", "--junit", "it.xml").status == 0
    run = checked_sarif(json.loads((project / "src/it.sarif").read_text()))
    assert (run["results"], run["invocations"][0]["exitCode"]) == ([], 0)
    suite = checked_junit((project / "src/it.xml").read_text())
    assert [suite.attrib[name] for name in ("tests", "failures", "errors")] == ["1", "0", "0"]


def test_fingerprints_stay_when_lines_move(quick: Run, project: Path) -> None:
    def prints() -> list[Any]:
        quick("ein weg/mechanism.py:leaks", "--sarif", "it.sarif")
        run = json.loads((project / "src/it.sarif").read_text())["runs"][0]
        return [(r["partialFingerprints"], r["locations"][0]["physicalLocation"]["region"]) for r in run["results"]]

    before = prints()
    path = project / "src/ein weg/mechanism.py"
    path.write_text("\n\n" + path.read_text())
    after = prints()
    assert [row[0] for row in after] == [row[0] for row in before]
    assert [row[1] for row in after] == [{"startLine": LINES["leaks"] + 2}]


ALIKE = """
    def made(of):
        @target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return bit if coins.below(of) < of - 1 else 1 - bit
        return release

    four, five = made(4), made(5)
"""


def test_fingerprints_of_targets_with_one_name_of_functions_are_their_own(
    quick: Run, project: Path, write: Any
) -> None:
    write("src/alike.py", ALIKE)
    assert len(quality(quick, project, "alike.py", "--sarif", "it.sarif")) == 2
    results = checked_sarif(json.loads((project / "src/it.sarif").read_text()))["results"]
    assert len({result["partialFingerprints"]["dpcertClaim/v1"] for result in results}) == 2


def quality(quick: Run, project: Path, *arguments: str) -> list[dict[str, Any]]:
    quick(*arguments, "--code-quality", "quality.json")
    return checked_quality((project / "src/quality.json").read_text())


def test_a_merge_request_shows_findings_at_their_lines(quick: Run, project: Path) -> None:
    entries = quality(quick, project, "ein weg/mechanism.py")
    assert [(entry["check_name"], entry["severity"], entry["location"]) for entry in entries] == [
        (f"dpcert/{kind}", severity, {"path": "src/ein weg/mechanism.py", "lines": {"begin": LINES[name]}})
        for name, kind, severity in (("leaks", "refuted", "critical"), ("prints", "undecided", "major"))
    ]
    assert "event {0} has probability 3/4" in entries[0]["description"]
    kinds = [entry["check_name"] for entry in quality(quick, project, "ein weg/mechanism.py", "--expect")]
    assert kinds == ["dpcert/refuted", "dpcert/unexpected", "dpcert/undecided"]
    path = project / "src/ein weg/mechanism.py"
    path.write_text("\n\n" + path.read_text())
    moved = quality(quick, project, "ein weg/mechanism.py")
    assert [entry["fingerprint"] for entry in moved] == [entry["fingerprint"] for entry in entries]
    assert [entry["location"]["lines"]["begin"] for entry in moved] == [LINES["leaks"] + 2, LINES["prints"] + 2]


def test_what_has_no_line_in_the_repository_is_not_in_the_merge_request(
    quick: Run, project: Path, write: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "mechanism.py"
    elsewhere.write_text((project / "src/ein weg/mechanism.py").read_text())
    assert quality(quick, project, "randomized-response", "--epsilon", "1/10") == []
    assert quality(quick, project, str(elsewhere), "missing.py") == []
    assert quality(quick, project, "ein weg/mechanism.py:holds") == []


def test_a_target_named_twice_is_one_finding_of_a_merge_request(quick: Run, project: Path) -> None:
    assert len(quality(quick, project, *2 * ["ein weg/mechanism.py:leaks"])) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("option", ["--junit", "--sarif", "--code-quality"])
def test_a_report_goes_where_a_link_leads_and_the_link_stays(inside: Run, project: Path, option: str) -> None:
    """As /dev/stdout is a link, to a file where standard output is one."""
    link, file = project / "link", project / "file"
    for text in ("what was there before", None):
        if text is not None:
            file.write_text(text)
        else:
            file.unlink()
        link.unlink(missing_ok=True)
        link.symlink_to(file)
        assert inside("audit", "randomized-response", option, link).status == 0
        assert (link.is_symlink(), file.is_symlink(), file.read_text()[:1] in "<{[") == (True, False, True)


@pytest.mark.nightly
@pytest.mark.parametrize("option", ["--junit", "--sarif", "--code-quality"])
def test_a_report_that_cannot_be_written_is_named_after_the_verdicts(inside: Run, project: Path, option: str) -> None:
    (project / "src/file").write_text("")
    done = inside("audit", "randomized-response", option, "file/it")
    assert f"{option} file/it: " in done.refusal()
    assert done.lines[-1] == "1 verified, 0 refuted, 0 undecided"
    done = inside("audit", "randomized-response", option, "/dev/null")
    assert done.status == 0
    assert Path("/dev/null").is_char_device()


def test_a_file_that_a_link_leads_to_is_in_the_repository(write: Any, tmp_path: Path) -> None:
    """As a path that pytest was given; the command line's are without links."""
    write("real/mechanism.py", MECHANISM)
    (tmp_path / "real" / ".git").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    place = place_of(FileSpec(str(link / "mechanism.py"), "leaks"), repository_of(link))
    assert (place.inside, place.uri, place.line) == (True, "mechanism.py", LINES["leaks"])


def test_any_text_is_valid_in_all(tmp_path: Path) -> None:
    odd = "\x00\x1b[31m<&>\"'\ud800]]>\U0001f600\ufffe"
    place = Place(tmp_path / "a\x01\u00e9.py", 3, tmp_path)
    found = [
        Finding(odd, kind, "refuted", odd, odd, odd, 0.5, where)
        for kind in (*RULES, "skipped", "error", "passed")
        for where in (place, None)
    ]
    suite = checked_junit(junit_text(found))
    assert len(suite) == len(found)
    message = suite[0][0].attrib["message"]
    assert message == "\\x00\\x1b[31m<&>\"'\\ud800]]>\U0001f600\\ufffe"
    text = sarif_text(found, 1)
    text.encode()
    checked_sarif(json.loads(text))
    text = code_quality_text(found)
    text.encode()
    assert [entry["severity"] for entry in checked_quality(text)] == [SEVERITIES[kind] for kind in RULES]


def test_caught_documents_that_the_schemas_do_not_allow(tmp_path: Path) -> None:
    found = [Finding("it", "refuted", "refuted", "it", "it", "it", 1234.5, Place(tmp_path / "it.py", 3, tmp_path))]
    text = junit_text(found)
    checked_junit(text)
    for old, new in ((' name="it: it"', ""), ("<testcase ", '<testcase line="3" '), ("1234.500", "soon")):
        assert old in text
        with pytest.raises(xmlschema.XMLSchemaValidationError):
            checked_junit(text.replace(old, new))
    document = sarif_text(found, 1)
    checked_sarif(json.loads(document))
    for old, new in (
        ('"level": "error"', '"level": "bad"'),
        ('"startLine": 3', '"startLine": 0'),
        ("ruleId", "rule_id"),
    ):
        assert old in document
        with pytest.raises(jsonschema.ValidationError):
            checked_sarif(json.loads(document.replace(old, new)))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(): pass", 1),
        ("\n@a\n@b(\n)\nasync def f(): pass", 5),
        ("f = 1\n\nf = g(\n2)", 3),
        ("if x:\n    pass\nelse:\n    f: int = 3", 4),
        ("try:\n    from a import f\nexcept ImportError:\n    f = None", 4),
        ("import a.b as f", 1),
        ("(g, f) = 1, 2", 1),
        ("\nfor f in x: pass", 2),
        ("x = [f for f in y]", 1),
        ("\nwith a as (b, f): pass", 2),
        ("x = 1\ndef g():\n    f = 2", 1),
        ("def f(:", 1),
        ("", 1),
    ],
)
def test_the_line_of_a_name(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "it.py"
    path.write_text(text)
    found = place_of(FileSpec(str(path), "f"), tmp_path)
    assert (found.line, found.name) == (line, "it.py")
