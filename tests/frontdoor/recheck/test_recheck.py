"""`dpcert recheck`: what audits made is accepted, and another program or other limits are named."""

import json
from pathlib import Path
from typing import Any

import pytest

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
