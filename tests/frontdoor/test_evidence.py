"""`dpcert evidence`: a folder that says what the verdicts say, and a checker of its own that refuses anything else."""

import ast
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_process import keep_inside

from dpcert import Dist, Epsilon
from dpcert.audit.kernel.certificate import embed
from dpcert.audit.kernel.divergence import Table, decide, hockey_stick
from dpcert.show.evidence import check
from dpcert.show.evidence.hazards import hazards_of

Run = Callable[..., Any]
Edit = Callable[[Path], None]

MECHANISM = """
    BITS = dict(inputs=[0, 1], neighbours="any")

    def response(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    holds = target(guarantee=PureDP("ln(3)"), **BITS)(response)
    leaks = target(guarantee=PureDP("ln(2)"), **BITS)(response)

    @target(guarantee=ApproxDP(1, "1/10"), inputs=range(3), neighbours=counts_differ_by_one)
    def noisy(count, coins):
        return count + coins.below(10)

    @target(guarantee=PureDP(0), **BITS)
    def open(bit, coins):
        return str(coins.below(2**64))
"""
PYTHON = [sys.executable, "-I", "-S"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, inside: Run, writer: Run) -> Path:
    """Write the evidence of a file with all verdicts, once."""
    folder = tmp_path_factory.mktemp("made")
    writer(folder)("release.py", MECHANISM)
    with pytest.MonkeyPatch.context() as patch:
        keep_inside(patch)
        patch.chdir(folder)
        done = inside("evidence", "release.py", "randomized-response", "--output", "evidence", "--max-runs", 200)
    assert (done.status, done.err) == (1, "")
    assert done.lines[-1] == "written: evidence; python evidence/check.py checks it"
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []
    return folder / "evidence"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Return a copy of the evidence."""
    return Path(shutil.copytree(made, tmp_path / "evidence"))


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def said(folder: Path) -> tuple[int, list[str]]:
    """Return what the checker of the folder says, run by Python alone."""
    done = subprocess.run([*PYTHON, folder / "check.py"], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def sealed(folder: Path) -> None:
    """Make the folder's digests and statement those of its files, as whoever forges it would."""
    evidence = read(folder / "evidence.json")
    evidence["files"] = {name: check.sha256((folder / name).read_bytes()) for name in evidence["files"]}
    (folder / "evidence.json").write_text(json.dumps(evidence))
    statement = check.statement(evidence, check.sha256((folder / "evidence.json").read_bytes()))
    (folder / "statement.json").write_text(json.dumps(statement))


def of(folder: Path, name: str) -> dict[str, Any]:
    """Return the target of a name in the evidence."""
    evidence = read(folder / "evidence.json")
    (found,) = (row for row in evidence["targets"] if row["target"].endswith(name))
    assert isinstance(found, dict)
    return found


def edited(folder: Path, name: str, kind: str, edit: Callable[[Any], None]) -> None:
    """Edit the certificate or the laws of a target, or its entry in the evidence, and seal the folder."""
    if kind == "entry":
        evidence = read(folder / "evidence.json")
        edit(next(row for row in evidence["targets"] if row["target"].endswith(name)))
        for verdict in ("verified", "refuted", "undecided"):
            evidence[verdict] = sum(row["verdict"] == verdict for row in evidence["targets"])
        (folder / "evidence.json").write_text(json.dumps(evidence))
    else:
        path = folder / of(folder, name)[kind]
        data = read(path)
        edit(data)
        path.write_text(json.dumps(data))
    sealed(folder)


def test_the_folder_checks_itself_with_python_alone(made: Path) -> None:
    status, lines = said(made)
    assert status == 0, lines
    kinds = {line.split(": ")[0].rpartition(":")[2].split()[-1]: line.split()[0] for line in lines[:-1]}
    assert kinds == {
        "holds": "recomputed",
        "leaks": "recomputed",
        "noisy": "recomputed",
        "open": "undecided",
        "randomized-response": "recomputed",
    }
    assert lines[-1] == "4 recomputed, 1 undecided"
    assert any("leaks: 3/4 > 2 * 1/4 + 0" in line for line in lines)
    assert any("noisy: 4 pairs, the greatest least delta is 1/10, at most 1/10" in line for line in lines)


def test_its_files_are_of_their_schemas(made: Path) -> None:
    schemas = {path.stem: jsonschema.Draft202012Validator(read(path)) for path in (made / "schemas").iterdir()}
    for validator in schemas.values():
        validator.check_schema(validator.schema)
    schemas["evidence"].validate(read(made / "evidence.json"))
    schemas["statement"].validate(read(made / "statement.json"))
    laws = list((made / "laws").iterdir())
    assert len(laws) == 4
    for path in laws:
        schemas["laws"].validate(read(path))
    assert not schemas["evidence"].is_valid({**read(made / "evidence.json"), "more": 1})
    assert not schemas["laws"].is_valid({**read(laws[0]), "pairs": [[0]]})
    assert not schemas["statement"].is_valid({**read(made / "statement.json"), "_type": "other"})


def test_the_statement_is_about_the_sources_and_says_what_the_verdicts_say(made: Path) -> None:
    statement, source = read(made / "statement.json"), made.parent / "release.py"
    subject = {row["name"]: row["digest"]["sha256"] for row in statement["subject"]}
    assert subject["release.py"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert set(subject) == {"release.py", "dpcert/mechanisms/randomized_response.py"}
    predicate = statement["predicate"]
    assert predicate["result"] == "FAILED"
    assert predicate["passedTests"] == ["release.py:holds", "release.py:noisy", "randomized-response"]
    assert predicate["warnedTests"] == ["release.py:open"]
    assert predicate["failedTests"] == ["release.py:leaks"]
    digest = hashlib.sha256((made / "evidence.json").read_bytes()).hexdigest()
    assert predicate["configuration"] == [{"name": "evidence.json", "digest": {"sha256": digest}}]


@pytest.mark.parametrize(
    ("verdicts", "skipped", "errors", "result"),
    [
        (["verified"], 0, 0, "PASSED"),
        (["verified", "undecided"], 0, 0, "WARNED"),
        (["verified"], 1, 0, "WARNED"),
        (["verified", "refuted", "undecided"], 0, 0, "FAILED"),
        (["verified"], 0, 1, "FAILED"),
    ],
)
def test_a_statement_passes_where_all_is_verified(verdicts: list[str], skipped: int, errors: int, result: str) -> None:
    evidence = {
        "targets": [{"target": str(place), "verdict": verdict} for place, verdict in enumerate(verdicts)],
        "sources": [],
        "skipped": [{"target": "s", "reason": "r"}] * skipped,
        "errors": [{"given": "e"}] * errors,
    }
    assert check.statement(evidence, "0")["predicate"]["result"] == result


def _append(name: str) -> Edit:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + b"\n") and None


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (_append("report.html"), "the file report.html was changed"),
        (_append("check.py"), "the file check.py was changed"),
        (_append("hazards.md"), "the file hazards.md was changed"),
        (_append("evidence.json"), "statement.json is not what evidence.json leads to"),
        (lambda folder: (folder / "registry.yaml").unlink(), "the file registry.yaml is missing"),
        (lambda folder: (folder / "laws" / "more.json").write_text("{}") and None, "laws/more.json is not listed"),
        (lambda folder: (folder / "evidence.json").write_text("{}") and None, "malformed"),
        (lambda folder: (folder / "evidence.json").write_text('{"a": 0.5}') and None, "has the float 0.5"),
        (lambda folder: (folder / "statement.json").unlink(), "statement.json: "),
    ],
)
def test_caught_a_changed_file(folder: Path, edit: Edit, words: str) -> None:
    edit(folder)
    status, lines = said(folder)
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith("refused: ")
    assert words in lines[0]


def _heavier(laws: Any) -> None:
    """Move weight between two outcomes of the first law."""
    first, second, *_ = laws["laws"][0]["weights"]
    first[2], second[2] = second[2], first[2]


def _set(name: str, value: Any) -> Callable[[Any], None]:
    return lambda data: data.__setitem__(name, value)


FORGED: list[tuple[str, str, Callable[[Any], None], str]] = [
    ("holds", "laws", _heavier, "a law is not that of the certificate"),
    ("leaks", "laws", _heavier, "a law is not that of the certificate"),
    ("holds", "laws", lambda laws: laws["pairs"].pop(), "the pairs are not as many as certified"),
    ("holds", "laws", lambda laws: laws["inputs"].reverse(), "the inputs are not those of the certificate"),
    ("holds", "laws", lambda laws: laws["laws"].__setitem__(0, None), "the law of an input is not there"),
    ("noisy", "laws", lambda laws: laws["pairs"].__setitem__(0, laws["pairs"][1]), "the pairs are not as many"),
    ("noisy", "laws", lambda laws: laws["pairs"].__setitem__(0, [0, 2]), "a pair is there in one order alone"),
    ("holds", "laws", lambda laws: laws["laws"][0]["weights"].pop(), "not that of the certificate"),
    ("holds", "certificate", _set("epsilon", "ln(4)"), "the claimed epsilon is not that of the certificate"),
    ("noisy", "certificate", _set("delta", "0x1/0x5"), "the claimed delta is not that of the certificate"),
    ("holds", "certificate", _set("sentence", "all is well"), "the laws are of another claim"),
    ("leaks", "certificate", lambda data: data["witness"].update(a=1, b=1), "a law is not that of the certificate"),
    ("leaks", "certificate", lambda data: data["witness"].update(event=[]), "the event is not as stated"),
    ("leaks", "certificate", _set("verdict", "verified"), "the verdict is not that of the certificate"),
    ("leaks", "entry", _set("verdict", "verified"), "the verdict is not that of the certificate"),
    ("holds", "entry", _set("verdict", "refuted"), "the verdict is not that of the certificate"),
    ("open", "entry", _set("verdict", "verified"), "why there are no laws is not said"),
    ("open", "entry", lambda row: row.update(verdict="verified", without_laws="long"), "it is verified by no"),
    ("leaks", "entry", lambda row: row["worst"].update(p="2/3"), "the probabilities are not as stated"),
    ("holds", "entry", lambda row: row["epsilon"].update(hi="ln(2)"), "epsilon ln(2) is not enough"),
    ("holds", "entry", lambda row: row["epsilon"].update(lo="ln(4)"), "less than epsilon ln(4) is enough"),
    ("noisy", "entry", lambda row: row["delta"].update(lo="1/5", hi="1/4"), "the least delta is not as stated"),
    ("noisy", "entry", lambda row: row["delta"].update(lo="0/1", hi="1/100"), "the least delta is not as stated"),
    ("noisy", "entry", _set("pairs", 2), "not every pair was examined"),
]


@pytest.mark.parametrize(("name", "kind", "edit", "words"), FORGED)
def test_caught_a_forgery_whose_digests_fit(
    folder: Path, name: str, kind: str, edit: Callable[[Any], None], words: str
) -> None:
    edited(folder, name, kind, edit)
    lines: list[str] = []
    assert check.check(folder, lines.append) == 1
    refused = [line for line in lines if line.startswith("refused")]
    assert len(refused) == 1, lines
    assert name in refused[0]
    assert words in refused[0]


def _forged_law(folder: Path, name: str, law: Any) -> None:
    """Put a law in the place of the first one, and its digest into the certificate."""
    edited(folder, name, "laws", lambda laws: laws["laws"].__setitem__(0, law))
    digest = check.Law(law).digest()
    edited(folder, name, "certificate", lambda data: data["laws"].__setitem__(0, digest))


def test_caught_laws_that_do_not_have_the_verdict_though_all_digests_fit(folder: Path) -> None:
    law = embed(Dist.of([(0, "99/100"), (1, "1/100")]))
    _forged_law(folder, "holds", law)
    _forged_law(folder, "leaks", embed(Dist.of([(0, "1/2"), (1, "1/2")])))
    _forged_law(folder, "noisy", embed(Dist.from_weights([(0, 1)], 2)))
    lines: list[str] = []
    assert check.check(folder, lines.append) == 1
    words = {line.rpartition(": ")[0].split()[-1].rpartition(":")[2]: line.rpartition(": ")[2] for line in lines[:3]}
    assert words["holds"] == "a pair is not within the bound"
    assert words["leaks"] == "the probabilities are not as stated"
    assert words["noisy"] in ("a pair is not within the bound", "a tail is greater than stated")


def laws_of() -> st.SearchStrategy[Dist]:
    """Laws on a few outcomes, of which some are told apart by their types alone, with a tail or none."""
    outcomes = st.sampled_from([0, 1, True, "1", 1.0, (1,), None, -5, 2**70])
    rows = st.lists(st.tuples(outcomes, st.integers(0, 2**70)), min_size=1, max_size=6)
    return st.tuples(rows, st.integers(0, 3)).map(
        lambda drawn: Dist.from_weights(drawn[0], 1 + sum(weight for _, weight in drawn[0]) + drawn[1])
    )


@given(laws_of(), laws_of(), st.fractions(0, 3, max_denominator=50), st.sampled_from(["1", "3/2", "7"]))
def test_laws_deltas_and_digests_are_those_of_the_kernel(p: Dist, q: Dist, power: Fraction, ratio: str) -> None:
    mine = [check.Law(embed(law)) for law in (p, q)]
    assert [law.digest() for law in mine] == [p.digest(), q.digest()]
    assert [law.left() for law in mine] == [p.tail, q.tail]
    r = Fraction(ratio)
    assert check.divergence(*mine, r) == hockey_stick(p, q, r)
    assert check.least_delta(*mine, r, r) == decide(Table.of(p, q), r, r, Fraction(1))[1:]
    text = str(Epsilon(power, r))
    assert check.Epsilon.of(text) == check.Epsilon(power, r)
    low, high = next(iter(check.Epsilon.of(text).bounds()))
    theirs = Epsilon(power, r).exp_bounds(200)
    assert low <= theirs[1]
    assert theirs[0] <= high
    assert high - low <= low / 2**60


@pytest.mark.parametrize("text", ["-1", "ln(1/2)", "2001", "one"])
def test_refused_epsilons(text: str) -> None:
    with pytest.raises((check.Refused, ValueError)):
        check.Epsilon.of(text)


def test_the_checker_imports_the_standard_library_alone() -> None:
    tree = ast.parse(files("dpcert.show.evidence").joinpath("check.py").read_text("utf-8"))
    names = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [str(node.module)])
    }
    assert names <= sys.stdlib_module_names
    assert "dpcert" not in names


def test_the_registry_part_has_the_fields_of_the_registry_alone(made: Path) -> None:
    deployment = read(made / "registry.yaml")["deployment"]
    assert {part: set(fields) for part, fields in deployment.items()} == {
        "privacy_loss": {"privacy_unit_details"},
        "implementation": {"mechanisms", "justification"},
    }
    words = deployment["implementation"]["justification"]
    assert "3 verified, 1 refuted, 1 undecided" in words
    assert "- refuted: response is (ln(2), 0)-differentially private" in words
    assert all(isinstance(text, str) for fields in deployment.values() for text in fields.values())


def test_hazards_claim_no_more_than_the_verdicts(made: Path) -> None:
    evidence = read(made / "evidence.json")
    rows = {row["hazard"]: row for row in evidence["hazards"]}
    said_of = rows["Implementation"]["says"]
    assert "verified: `release.py:holds`, `release.py:noisy`, `randomized-response`" in said_of
    assert "refuted: `release.py:leaks`; undecided: `release.py:open`" in said_of
    assert rows["Meaning of delta"]["says"].endswith("`release.py:noisy`")
    assert rows["Composition"]["status"] == "outside the tool"
    assert "not compared with" in (made / "hazards.md").read_text("utf-8").replace("were not", "not")
    undecided = [row for row in evidence["targets"] if row["verdict"] == "undecided"]
    statuses = {row["hazard"]: row["status"] for row in hazards_of(undecided)}
    assert statuses["Implementation"] == statuses["Finite numbers"] == statuses["Errors and messages"]
    assert statuses["Implementation"] == "outside the tool"
    assert statuses["Meaning of delta"] == "not applicable"
    assert {row["status"] for row in hazards_of([])} == {"outside the tool", "not applicable"}


def test_a_former_folder_is_replaced_and_anything_else_is_left_alone(
    folder: Path, inside: Run, workers_inside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (folder / "notes.txt").write_text("mine")
    refused = inside("evidence", "randomized-response", "--output", folder).refusal()
    assert "where notes.txt is" in refused
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "laws").exists()
    (folder / "notes.txt").unlink()
    done = inside("evidence", "randomized-response", "--output", folder)
    assert (done.status, done.err) == (0, "")
    assert said(folder)[1][-1] == "1 recomputed"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evidence"]
    done = inside("evidence", "nothing-of-that-name", "--output", "new")
    assert "nothing-of-that-name" in done.refusal()
    assert not Path("new").exists()
    (tmp_path / "file").write_text("")
    assert "which is no folder" in inside("evidence", "randomized-response", "--output", "file").refusal()
    assert "--output file/below" in inside("evidence", "randomized-response", "--output", "file/below").refusal()


def test_what_has_no_laws_is_said_not_to_be_recomputed(
    tmp_path: Path, inside: Run, workers_inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dpcert.audit.decide.MAX_KEPT", 10)
    assert inside("evidence", "randomized-response", "--output", "out").status == 0
    status, lines = said(tmp_path / "out")
    assert status == 0
    assert lines[0].startswith("not recomputed verified randomized-response: its laws are longer than")
    assert lines[1] == "1 not recomputed"


def test_caught_a_source_that_changes_meanwhile(
    write: Run, tmp_path: Path, inside: Run, workers_inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("release.py", MECHANISM)
    own = __import__("dpcert.show.evidence.document", fromlist=["source_of"])
    monkeypatch.setattr(own, "source_of", lambda spec, root: ("release.py", "0" * 64))
    done = inside("evidence", "release.py:holds", "--output", "out")
    assert "release.py, which has changed while it was audited" in done.refusal()
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".pyc") == ["release.py"]
