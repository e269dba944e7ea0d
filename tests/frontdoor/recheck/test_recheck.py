"""`dpcert recheck`: true certificates are accepted, and false ones named; `tests/kernel` falsifies every field."""

import json
from pathlib import Path
from typing import Any

import pytest

from dpcert.show.lines import result_line
from dpcert.targets.catalogue import BUILT_IN


@pytest.mark.nightly
@pytest.mark.parametrize(("delta", "verdict"), [("1e-7", "verified"), ("3e-8", "refuted"), ("1e-6", "verified")])
def test_a_certificate_of_rounded_laws_at_another_delta_is_accepted(
    quick: Any, recheck: Any, tmp_path: Path, delta: str, verdict: str
) -> None:
    claim = ("--set", "kmax=290", "--law-source", "closed-form", "--delta", delta)
    done = quick("sample-threshold", *claim, "--certificates", tmp_path)
    (result,) = done.document["results"]
    assert result["verdict"] == verdict
    assert "rounded down to" in result["notes"][0]
    path = Path(result["certificate"])
    status, line = recheck(path)
    assert (status, line.partition(": ")[2].partition(":")[0]) == (0, verdict)
    document = json.loads(path.read_text())
    assert "dpcert/mechanisms/rounding.py" in document["sources"]
    document["delta"] = "0x1/0xa"
    path.write_text(json.dumps(document))
    assert recheck(path)[0] == 1


SHIPPED = {
    "randomized-response": (),
    "geosample": ("n=4",),
    "sample-threshold": ("kmax=5", "threshold=3"),
    "geosample-strict": (),
    "geosample-exponent": (),
    "sample-threshold-strict": (),
    "randomized-response-modulo": (),
    "randomized-response-type": (),
}


@pytest.mark.points(2)
@pytest.mark.parametrize("name", SHIPPED)
def test_a_certificate_of_what_ships_is_accepted(quick: Any, recheck: Any, tmp_path: Path, name: str) -> None:
    settings = [part for text in SHIPPED[name] for part in ("--set", text)]
    (result,) = quick(name, *settings, "--certificates", tmp_path, "--expect").document["results"]
    line = f"accepted: {result['verdict']}: {result['claim']['sentence']}"
    assert result["verdict"] == BUILT_IN[name].expect
    assert recheck(Path(result["certificate"])) == (0, line)


@pytest.mark.nightly
def test_a_certificate_is_accepted_in_a_process(command: Any, made: dict[str, Path]) -> None:
    done = command("recheck", made["verified"])
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("accepted: verified: randomized-response(epsilon=ln(3)) is (ln(3), 0)-")
    done = command("recheck", made["leaking"], "--target", f"{made['program']}:leaking")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("accepted: refuted: leaking is (ln(2), 0)-differentially private")


@pytest.mark.nightly
def test_of_several_certificates_each_has_its_line_and_the_least_status_of_a_failure_is_theirs(
    inside: Any, made: dict[str, Path], tmp_path: Path
) -> None:
    good, malformed, false = made["verified"], tmp_path / "malformed.json", tmp_path / "false.json"
    malformed.write_text("{")
    document = json.loads(good.read_text())
    false.write_text(json.dumps({**document, "epsilon": "0"}))
    for paths, status in (((good, good), 0), ((good, malformed), 2), ((malformed, false, good), 1)):
        done = inside("recheck", *map(str, paths))
        assert (done.status, len(done.out.splitlines())) == (status, len(paths))


def test_a_users_program_is_the_one_that_is_named(recheck: Any, made: dict[str, Path]) -> None:
    program = made["program"]
    for name in ("release", "leaking", "grid4", "grid5"):
        assert recheck(made[name], "--target", f"{program}:{name.rstrip('45')}")[0] == 0
        assert recheck(made[name], "--target", program)[0] == 0  # the certificate says which function
    assert recheck(made["release"], "--target", f"{program}:leaking")[0] == 1
    assert recheck(made["verified"], "--target", f"{program}:release")[0] == 1
    status, line = recheck(made["release"])
    assert (status, line) == (
        2,
        "dpcert: the certificate is about 'release', which is no built-in; needed: its program; "
        "add --target FILE.py:release",
    )


@pytest.mark.nightly
def test_a_program_without_its_extra_is_refused_with_the_command(
    recheck: Any, made: dict[str, Path], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import dpcert\ndpcert.needs_extra('nowhere')\n{made['program'].read_text()}")
    status, line = recheck(made["release"], "--target", program)
    assert status == 2
    assert line == "dpcert: a program that needs nowhere; needed: its extra installed; pip install 'dpcert[nowhere]'"


def test_another_program_than_the_certified_is_rejected(recheck: Any, made: dict[str, Path], tmp_path: Path) -> None:
    """The text decides, even where the law stays the same."""
    text = made["program"].read_text()
    for change in (
        lambda: text.replace("coins.below(4) < 3", "coins.below(8) < 6"),
        lambda: text.replace("coins.below(4) < 3", "coins.below(4) < 2"),
        lambda: text + "# a remark\n",
        lambda: text.replace("inputs=[0, 1]", "inputs=[1, 0]"),
        lambda: text.replace('neighbours="any"', 'neighbours="counts_differ_by_one"'),
    ):
        path = tmp_path / "program.py"
        path.write_text(change())
        assert path.read_text() != text
        status, line = recheck(made["release"], "--target", f"{path}:release")
        assert (status, line.partition(":")[0]) == (1, "rejected")


def test_a_certificate_without_its_program_fails_alone(
    made: dict[str, Path], inside: Any, workers_inside: None
) -> None:
    done = inside("recheck", made["release"], made["verified"])
    assert (done.status, done.err) == (2, "")
    first, second = done.lines
    assert first.startswith("not checked: ")
    assert "--target" in first
    assert second.startswith("accepted: verified")


ENDLESS = """
import os

@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def release(bit, coins):
    while os.environ.get("ENDLESS"): pass
    return bit if coins.below(4) < 3 else 1 - bit
"""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a certificate"),
        (b"{}", "missing field 'schema'"),
        (b'{"pairs": ' + b"9" * 10**6 + b"}", "an integer of 1000000 digits"),
    ],
)
def test_what_is_no_certificate_says_why(recheck: Any, tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(content)
    status, line = recheck(path)
    assert status == 2
    assert line.startswith(f"malformed: {path}: ")
    assert words in line


@pytest.mark.parametrize("name", ["missing.json", ".", "/dev/null"])
def test_a_path_without_a_certificate_is_malformed(recheck: Any, tmp_path: Path, name: str) -> None:
    assert recheck(tmp_path / name)[0] == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--target", "geosample"], "needed: FILE.py:function; leave it out for a built-in"),
        (["--target", ""], "needed: FILE.py:function"),
        (["--target", "missing.py:release"], "missing.py"),
        (["--target", "{program}:releas"], "did you mean 'release'?"),
        (["--time-limit", "0"], "needed: seconds above 0"),
        (["--time-limit", "-3"], "needed: seconds above 0"),
        (["--targt", "x.py:f"], "Did you mean '--target'?"),
    ],
)
def test_a_wrong_target_is_one_line(recheck: Any, made: dict[str, Path], options: list[str], words: str) -> None:
    status, line = recheck(made["release"], *(option.format(**made) for option in options))
    assert status == 2
    assert words in line


@pytest.mark.nightly
def test_a_check_too_long_is_neither_accepted_nor_false(
    command: Any, audited: Any, writer: Any, tmp_path: Path
) -> None:
    program = writer(tmp_path)("program.py", ENDLESS)
    (result,) = audited(program, "--certificates", tmp_path).document["results"]
    slow = {"ENDLESS": "yes"}
    done = command("recheck", result["certificate"], "--target", program, "--time-limit", "1", env=slow)
    assert (done.status, done.err) == (3, "")
    (line,) = done.lines
    assert line.startswith("undecided: stopped by the time limit of 1 s of processor time (--time-limit), at line ")
    assert " of program.py (release)" in line


def fields(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


@pytest.mark.points(1)
@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_limits_are_those_of_the_run(recheck: Any, made: dict[str, Path], tmp_path: Path, certificate: str) -> None:
    data = fields(made[certificate])
    path = tmp_path / "changed.json"
    for name, value, words in (("max_runs", 5000, "5000"), ("max_tail", "0x1/0x7", "1/7"), ("max_draws", 9, "9")):
        option = f"--{name.replace('_', '-')}"
        path.write_text(json.dumps({**data, name: value}))
        status, line = recheck(path)
        assert status == 1
        assert line.startswith(f"rejected: the certificate says {option} {words}, and this run has ")
        assert line.endswith(f"recheck with {option} {words} if the audit had it, else audit again")
        assert recheck(path, option, words)[0] == 0
        assert recheck(made[certificate], option, words)[0] == 1


def test_limits_that_the_audit_had_are_given_again(quick: Any, recheck: Any, tmp_path: Path) -> None:
    (result,) = quick("geosample", "--set", "n=4", "--max-runs", "500", "--certificates", tmp_path).document["results"]
    path = Path(result["certificate"])
    assert recheck(path)[0] == 1
    assert recheck(path, "--max-runs", "500")[0] == 0


@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_another_python_or_dpcert_is_said(
    recheck: Any, made: dict[str, Path], tmp_path: Path, certificate: str
) -> None:
    data = fields(made[certificate])
    path = tmp_path / "changed.json"
    for name in ("python", "dpcert"):
        here = data["versions"][name]
        path.write_text(json.dumps({**data, "versions": {**data["versions"], name: "0.0"}}))
        line = f"versions {name} is 0.0 in the certificate and {here} when recomputed; use these, or audit again"
        assert recheck(path) == (1, f"rejected: {line}")


@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_an_added_assumption_is_named(recheck: Any, made: dict[str, Path], tmp_path: Path, certificate: str) -> None:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({**fields(made[certificate]), "assumptions": ["it is sunny"]}))
    line = "assumptions it is sunny is assumed in the certificate and not listed when recomputed; audit again"
    assert recheck(path) == (1, f"rejected: {line}")


ASSUMING = """
    import math, random

    @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any", expect="verified")
    def merged(bit, coins):
        heads = 0
        while coins.below(3):
            heads = 1 - heads
        return heads

    @target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any", expect="refuted")
    def leaking(bit, coins):
        while coins.below(3):
            bit = bit
        return bit

    @target(guarantee=PureDP("ln(9)"), inputs=[0, 1], neighbours="any")
    def logged(bit, coins):
        return -math.log(1 - coins.random()) < (1 if bit else 2)

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    @dpcert.redirect()
    def shared(bit):
        return bit ^ (random.random() < 0.25)
"""

NEEDED = {
    "logged": "math.log",
    "shared": "the generator of the module random, which its functions share, is taken for fair coins",
}


@pytest.mark.nightly
def test_an_assumption_that_the_run_needs_cannot_go(audited: Any, recheck: Any, writer: Any, tmp_path: Path) -> None:
    """Of the functions of the machine, shared generators, and the source of merged states; verified or refuted."""
    path = writer(tmp_path)("assuming.py", ASSUMING)
    for result in audited(path, "--certificates", tmp_path / "made").document["results"]:
        name = result["target"].rpartition(":")[2]
        certificate = Path(result["certificate"])
        data = fields(certificate)
        assert result["verdict"] == ("refuted" if name == "leaking" else "verified")
        assert result["law_source"] == ", ".join(data["law_source"])
        changed = tmp_path / "changed.json"
        if name not in NEEDED:
            assert ("states" in data["law_source"], data["assumptions"]) == (True, [])
            changed.write_text(json.dumps({**data, "law_source": ["paths"]}))
            status, line = recheck(changed, "--target", f"{path}:{name}")
            assert (status, line.startswith("rejected: law_source is ['paths'] in the certificate and ")) == (1, True)
            continue
        (needed,) = data["assumptions"]
        assert result["assumptions"] == [needed]
        assert NEEDED[name] in needed
        assert f"; {needed}" in result_line(result)
        assert recheck(certificate, "--target", f"{path}:{name}")[0] == 0
        changed.write_text(json.dumps({**data, "assumptions": []}))
        status, line = recheck(changed, "--target", f"{path}:{name}")
        assert (status, line) == (
            1,
            f"rejected: assumptions {needed} is not listed in the certificate and assumed when recomputed; audit again",
        )


@pytest.mark.nightly
def test_an_assumption_of_a_built_in_cannot_be_taken_out(quick: Any, recheck: Any, tmp_path: Path) -> None:
    (result,) = quick(
        "basic-histogram", "--set", "n=4", "--set", "universe=1000000", "--certificates", tmp_path
    ).document["results"]
    path = Path(result["certificate"])
    data = fields(path)
    assert data["assumptions"] == result["assumptions"] != []
    assert recheck(path)[0] == 0
    path.write_text(json.dumps({**data, "assumptions": []}))
    status, line = recheck(path)
    assert status == 1
    assert line.startswith(f"rejected: assumptions {data['assumptions'][0]} is not listed in the certificate")


def test_a_refutation_has_no_other_event_or_pair(recheck: Any, made: dict[str, Path], tmp_path: Path) -> None:
    data = fields(made["refuted"])
    path = tmp_path / "changed.json"
    witness = data["witness"]
    for change in (
        {"a": witness["b"], "b": witness["a"]},
        {"a": 0, "b": 3},
        {"a": 99},
        {"event": []},
        {"event": witness["event"] * 2},
        {"event": ["f" * 64]},
    ):
        path.write_text(json.dumps({**data, "witness": {**witness, **change}}))
        assert recheck(path)[0] == 1


def test_another_programs_hash_is_rejected_by_name(recheck: Any, made: dict[str, Path], tmp_path: Path) -> None:
    data = fields(made["verified"])
    path = tmp_path / "changed.json"
    name, digest = next(iter(data["sources"].items()))
    for sources, named in (
        ({**data["sources"], name: digest[::-1]}, name),
        ({key: value for key, value in data["sources"].items() if key != name}, name),
        ({**data["sources"], "more.py": digest}, "more.py"),
    ):
        path.write_text(json.dumps({**data, "sources": sources}))
        status, line = recheck(path)
        assert status == 1
        assert line.startswith(f"rejected: sources {named} is ")
        assert line.endswith("; restore the files that were certified, or audit again")
