"""`dpcert recheck`: 0 for a certificate that holds, 1 for a false one, 2 for what is no certificate; never another."""

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.show.lines import result_line
from dpcert.targets.catalogue import BUILT_IN

PROGRAM = """
    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any")
    def leaking(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), inputs=range(3), neighbours=lambda a, b: abs(a - b) == 1, params={"of": [4, 5]})
    def grid(count, coins, *, of):
        return count % 2 if coins.below(of) else 5
"""

ENDLESS = """
import os

@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def release(bit, coins):
    while os.environ.get("ENDLESS"): pass
    return bit if coins.below(4) < 3 else 1 - bit
"""


@pytest.fixture(scope="module")
def made(
    audited: Callable[..., Any], writer: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Certificates made by audits in processes, by name; and the program of a user's."""
    folder = tmp_path_factory.mktemp("certificates")
    path = writer(folder)("program.py", PROGRAM)
    done = audited("randomized-response", "geosample-strict", path, "--certificates", folder / "made")
    names = ("verified", "refuted", "release", "leaking", "grid4", "grid5")
    paths = (Path(result["certificate"]) for result in done.document["results"])
    return {"program": path, **dict(zip(names, paths, strict=True))}


@pytest.fixture
def recheck(
    inside: Callable[..., Any], workers_inside: None, check_json: Callable[..., None]
) -> Callable[..., tuple[int, str]]:
    """Re-check a certificate in this process; return the status and the line, after checking both forms."""

    def run(path: Path, *options: object) -> tuple[int, str]:
        done, told = (inside("recheck", path, *options, *form) for form in ((), ("--json",)))
        assert done.status == told.status
        if told.document["schema"] == "dpcert.error/1":
            check_json("error", told.document)
            return done.status, done.refusal()
        check_json("recheck", told.document)
        (line,) = done.lines
        assert told.document["line"] == line
        assert told.document["accepted"] is (done.status == 0)
        assert done.err == ""
        return done.status, line

    return run


@pytest.mark.parametrize(("delta", "verdict"), [("1e-7", "verified"), ("3e-8", "refuted"), ("1e-6", "verified")])
def test_a_certificate_of_rounded_laws_at_another_delta_is_accepted(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path, delta: str, verdict: str
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


@pytest.mark.parametrize("name", SHIPPED)
def test_a_certificate_of_what_ships_is_accepted(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    settings = [part for text in SHIPPED[name] for part in ("--set", text)]
    (result,) = quick(name, *settings, "--certificates", tmp_path, "--expect").document["results"]
    line = f"accepted: {result['verdict']}: {result['claim']['sentence']}"
    assert result["verdict"] == BUILT_IN[name].expect
    assert recheck(Path(result["certificate"])) == (0, line)


def test_a_certificate_is_accepted_in_a_process(command: Callable[..., Any], made: dict[str, Path]) -> None:
    done = command("recheck", made["verified"])
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("accepted: verified: randomized-response(epsilon=ln(3)) is (ln(3), 0)-")
    done = command("recheck", made["leaking"], "--target", f"{made['program']}:leaking")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("accepted: refuted: leaking is (ln(2), 0)-differentially private")


def test_a_users_program_is_the_one_that_is_named(recheck: Callable[..., Any], made: dict[str, Path]) -> None:
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


def test_a_program_whose_extra_is_not_installed_is_refused_with_the_command(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import dpcert\ndpcert.needs_extra('nowhere')\n{made['program'].read_text()}")
    status, line = recheck(made["release"], "--target", program)
    assert status == 2
    assert line == "dpcert: a program that needs nowhere; needed: its extra installed; pip install 'dpcert[nowhere]'"


def test_another_program_than_the_certified_one_is_rejected(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path
) -> None:
    """The text decides, even where the law stays the same."""
    text = made["program"].read_text()
    for change in (
        lambda: text.replace("coins.below(4) < 3", "coins.below(8) < 6"),
        lambda: text.replace("coins.below(4) < 3", "coins.below(4) < 2"),
        lambda: text + "# a remark\n",
        lambda: text.replace("inputs=[0, 1]", "inputs=[1, 0]"),
        lambda: text.replace('neighbours="any"', 'neighbours="element"'),
    ):
        path = tmp_path / "program.py"
        path.write_text(change())
        assert path.read_text() != text
        status, line = recheck(made["release"], "--target", f"{path}:release")
        assert (status, line.partition(":")[0]) == (1, "rejected")


# -- false certificates: every field in turn


def fields(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text())
    return data


CHANGES: dict[str, Any] = {
    "schema": "dpcert.certificate/3",
    "target": "geosample",
    "parameters": {"epsilon": "ln(2)"},
    "epsilon": "ln(4)",
    "delta": "0x1/0x2",
    "neighbours": "element",
    "inputs": 3,
    "inputs_digest": "0" * 64,
    "observes": "outcome and draws",
    "law_source": "closed-form",
    "verdict": "refuted",
    "sentence": "everything is (0, 0)-differentially private",
    "pairs": 4,
    "tail": "0x1/0x400",
    "laws": ["0" * 64, "1" * 64],
    "embedded": [],
    "witness": {"a": 0, "b": 1, "event": []},
    "sources": {"dpcert/mechanisms/randomized_response.py": "0" * 64},
    "max_runs": 100_001,
    "max_tail": "0x1/0x7",
    "max_draws": 0,
    "assumptions": ["it is sunny"],
    "versions": {"python": "CPython 3.9"},
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_no_field_can_be_another(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path, certificate: str, name: str
) -> None:
    data = fields(made[certificate])
    another = {"verdict": "verified", "neighbours": "any"}.get(name)
    data[name] = CHANGES[name] if data[name] != CHANGES[name] else another
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    assert recheck(path)[0] in (1, 2)


@pytest.mark.parametrize("name", CHANGES)
def test_no_field_can_be_missing_and_none_can_be_added(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path, name: str
) -> None:
    data = fields(made["verified"])
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({key: value for key, value in data.items() if key != name}))
    assert recheck(path) == (2, f"malformed: {path}: missing field {name!r}")
    path.write_text(json.dumps({**data, f"{name}_2": data[name]}))
    assert recheck(path) == (2, f"malformed: {path}: unknown field '{name}_2'")


@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_limits_are_those_of_the_run(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path, certificate: str
) -> None:
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


def test_limits_that_the_audit_had_are_given_again(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path
) -> None:
    (result,) = quick("geosample", "--set", "n=4", "--max-runs", "500", "--certificates", tmp_path).document["results"]
    path = Path(result["certificate"])
    assert recheck(path)[0] == 1
    assert recheck(path, "--max-runs", "500")[0] == 0


@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_another_python_or_dpcert_is_named(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path, certificate: str
) -> None:
    data = fields(made[certificate])
    path = tmp_path / "changed.json"
    for name in ("python", "dpcert"):
        here = data["versions"][name]
        path.write_text(json.dumps({**data, "versions": {**data["versions"], name: "0.0"}}))
        line = f"versions {name}: 0.0 in the certificate, {here} when recomputed; use these, or audit again"
        assert recheck(path) == (1, f"rejected: {line}")


@pytest.mark.parametrize("certificate", ["verified", "refuted"])
def test_an_assumption_that_was_added_is_named(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path, certificate: str
) -> None:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({**fields(made[certificate]), "assumptions": ["it is sunny"]}))
    line = "assumptions it is sunny: assumed in the certificate, not listed when recomputed; audit again"
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
    "merged": "equal states",
    "leaking": "equal states",
    "logged": "math.log",
    "shared": "the generator of the module random, which its functions share, is taken for fair coins",
}


def test_an_assumption_that_the_run_needs_cannot_be_taken_out(
    audited: Callable[..., Any], recheck: Callable[..., Any], writer: Callable[..., Any], tmp_path: Path
) -> None:
    """Of merged states, the machine's functions and shared generators; of verified claims and of refuted ones."""
    path = writer(tmp_path)("assuming.py", ASSUMING)
    for result in audited(path, "--certificates", tmp_path / "made").document["results"]:
        name = result["target"].rpartition(":")[2]
        certificate = Path(result["certificate"])
        data = fields(certificate)
        assert result["verdict"] == ("refuted" if name == "leaking" else "verified")
        (needed,) = data["assumptions"]
        assert result["assumptions"] == [needed]
        assert NEEDED[name] in needed
        assert f"; {needed}" in result_line(result)
        assert recheck(certificate, "--target", f"{path}:{name}")[0] == 0
        changed = tmp_path / "changed.json"
        changed.write_text(json.dumps({**data, "assumptions": []}))
        status, line = recheck(changed, "--target", f"{path}:{name}")
        assert (status, line) == (
            1,
            f"rejected: assumptions {needed}: not listed in the certificate, assumed when recomputed; audit again",
        )


def test_an_assumption_of_a_built_in_cannot_be_taken_out(
    quick: Callable[..., Any], recheck: Callable[..., Any], tmp_path: Path
) -> None:
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
    assert line.startswith(f"rejected: assumptions {data['assumptions'][0]}: not listed in the certificate")


def test_a_refutation_is_no_better_with_another_event_or_pair(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path
) -> None:
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


def test_another_programs_hash_is_rejected_by_name(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path
) -> None:
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
        assert line.startswith(f"rejected: sources {named}: ")
        assert line.endswith("; restore the files that were certified, or audit again")


def damaged(text: str, seed: int) -> str:
    """Return the text with one character changed for another of its kind: a digit, a letter, a bracket."""
    random_source = random.Random(seed)
    kinds = ("0123456789", "abcdef", "{}[]", '",:', "ghijklmnopqrstuvwxyz")
    while True:
        position = random_source.randrange(len(text))
        kind = next((kind for kind in kinds if text[position] in kind), "")
        if len(kind) > 1:
            other = random_source.choice([c for c in kind if c != text[position]])
            return text[:position] + other + text[position + 1 :]


@pytest.fixture(scope="module")
def anywhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged") / "certificate.json"


@given(seed=st.integers(0, 2**32), certificate=st.sampled_from(["verified", "refuted"]))
def test_one_changed_character_is_never_accepted(
    recheck_once: Callable[[Path], int], made: dict[str, Path], anywhere: Path, seed: int, certificate: str
) -> None:
    data = fields(made[certificate])
    anywhere.write_text(damaged(json.dumps(data), seed))
    assert recheck_once(anywhere) in (1, 2)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_junk_is_malformed(recheck_once: Callable[[Path], int], anywhere: Path, junk: bytes) -> None:
    anywhere.write_bytes(junk)
    assert recheck_once(anywhere) == 2


@given(st.data())
def test_a_field_of_another_type_is_malformed(
    recheck_once: Callable[[Path], int], made: dict[str, Path], anywhere: Path, data: st.DataObject
) -> None:
    whole = fields(made["verified"])
    name = data.draw(st.sampled_from(sorted(whole)))
    odd = st.sampled_from([None, True, -1, 0.5, 10**30, [], {}, "", "0x1/0x0", [[]], {"": None}])
    value = data.draw(odd.filter(lambda value: type(value) is not type(whole[name])))
    anywhere.write_text(json.dumps({**whole, name: value}))
    assert recheck_once(anywhere) == (0 if (name, value) == ("embedded", None) else 2)  # it need not be embedded


@pytest.fixture(scope="module")
def recheck_once(inside: Callable[..., Any]) -> Iterator[Callable[[Path], int]]:
    """Re-check in this process, seeing that it says one line; for examples by the dozen."""
    from dpcert.worker.auditing import Workplace
    from dpcert.worker.exchange import Reply
    from dpcert.worker.operations import answer_of
    from dpcert.worker.process import Children

    with pytest.MonkeyPatch.context() as patch:
        here = Workplace(Path(os.devnull))
        patch.setattr(Children, "ask", lambda children, job, timeout=None: Reply(answer_of(job, here)).delivered())

        def run(path: Path) -> int:
            done = inside("recheck", path)
            assert len((done.out + done.err).splitlines()) == 1
            assert (done.out + done.err).strip().isprintable()
            status: int = done.status
            return status

        yield run


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a certificate"),
        (b"\xff\xfe\x00", "not a certificate"),
        (b"[]", "a JSON list where an object was needed"),
        (b"null", "a JSON NoneType where an object was needed"),
        (b"{}", "missing field 'schema'"),
        (b'{"pairs": ' + b"9" * 10**6 + b"}", "an integer of 1000000 digits"),
        (b'{"pairs": 1.5}', "the number 1.5: a certificate has no floats"),
        (b'{"pairs": NaN}', "the number NaN"),
        (b'{"pairs": 1, "pairs": 1}', "an object repeats a key"),
        (b"[" * 10**6, "not a certificate"),
    ],
)
def test_what_is_no_certificate_says_why(
    recheck: Callable[..., Any], tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(content)
    status, line = recheck(path)
    assert status == 2
    assert line.startswith(f"malformed: {path}: ")
    assert words in line


def test_a_number_of_a_million_digits_is_refused_before_it_is_computed(
    recheck: Callable[..., Any], made: dict[str, Path], tmp_path: Path
) -> None:
    data = fields(made["verified"])
    path = tmp_path / "long.json"
    for name, value in (
        ("delta", f"0x{'1' * 10**6}/0x{'f' * 10**6}"),
        ("tail", "0x1/0x1" + "0" * 10**6),
        ("epsilon", "9" * 10**6),
        ("epsilon", f"ln({'9' * 10**6})"),
        ("epsilon", "1e1000000"),
        ("parameters", {"epsilon": "9" * 10**6}),
    ):
        path.write_text(json.dumps({**data, name: value}))
        status, line = recheck(path)
        assert status == 2
        assert len(line) < 1000


@pytest.mark.parametrize("name", ["missing.json", ".", "/dev/null"])
def test_a_path_without_a_certificate_is_malformed(recheck: Callable[..., Any], tmp_path: Path, name: str) -> None:
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
def test_a_wrong_target_is_one_line(
    recheck: Callable[..., Any], made: dict[str, Path], options: list[str], words: str
) -> None:
    status, line = recheck(made["release"], *(option.format(**made) for option in options))
    assert status == 2
    assert words in line


def test_a_check_that_takes_too_long_is_neither_accepted_nor_false(
    command: Callable[..., Any], audited: Callable[..., Any], writer: Callable[..., Any], tmp_path: Path
) -> None:
    program = writer(tmp_path)("program.py", ENDLESS)
    (result,) = audited(program, "--certificates", tmp_path).document["results"]
    slow = {"ENDLESS": "yes"}
    done = command("recheck", result["certificate"], "--target", program, "--time-limit", "1", env=slow)
    assert (done.status, done.err) == (3, "")
    (line,) = done.lines
    assert line.startswith("undecided: stopped by the time limit of 1 s of processor time (--time-limit), at line ")
    assert " of program.py (release)" in line
