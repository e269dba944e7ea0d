"""What is no certificate: damaged, of another type, or too large; and a check that takes too long."""

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

ENDLESS = """
import os

@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def release(bit, coins):
    while os.environ.get("ENDLESS"): pass
    return bit if coins.below(4) < 3 else 1 - bit
"""


def fields(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text())
    return data


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


@pytest.mark.nightly
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
