"""False certificates: limits, versions, assumptions, events and sources; `tests/kernel` falsifies every field."""

import json
from pathlib import Path
from typing import Any

import pytest

from dpcert.show.lines import result_line


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
