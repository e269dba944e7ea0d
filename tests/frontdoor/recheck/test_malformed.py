"""What is no certificate, a wrong target, and a check that takes too long; `tests/kernel` has damages of all kinds."""

from pathlib import Path
from typing import Any

import pytest

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
