"""`dpcert watch`: it audits what a save changes, says nothing of the rest, and goes on after errors."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dpcert.commands.watch import looked_at, saves

ONE = """
@target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def {name}(bit, coins):
    return bit if coins.below({sides}) else 1 - bit
"""


@pytest.mark.nightly
def test_only_changes_are_audited_again(
    inside: Any, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", ONE.format(name="first", sides=4))
    write("b.py", ONE.format(name="second", sides=4))

    def steps(folders: Sequence[Path]) -> Iterator[None]:
        yield
        write("b.py", ONE.format(name="second", sides=50))
        yield
        write("a.py", "x = (", head="")
        yield
        write("a.py", ONE.format(name="first", sides=3))
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("dpcert.commands.watch.saves", steps)
    done = inside("watch", "a.py", "b.py")
    assert done.status == 130
    heads = [line.split(":")[0] for line in done.lines if line.startswith(("verified", "refuted"))]
    assert heads == ["verified   a.py", "verified   b.py", "refuted    b.py", "verified   a.py"]
    counted = [line.partition(", at ")[0] for line in done.lines if ", at " in line]
    assert counted == [
        "2 verified, 0 refuted, 0 undecided",
        "1 verified, 1 refuted, 0 undecided",
        "0 verified, 1 refuted, 0 undecided",
        "1 verified, 1 refuted, 0 undecided",
    ]
    (line,) = done.err.splitlines()
    assert "a.py does not import" in line


def test_a_save_is_noticed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept = []
    texts = ["x = 1", "x = 1", "x = 22", "x = 22"]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if not texts:
            raise KeyboardInterrupt
        text = texts.pop(0)
        if not (tmp_path / "a.py").exists() or (tmp_path / "a.py").read_text() != text:
            (tmp_path / "a.py").write_text(text)
        (tmp_path / "log.txt").write_text(str(slept))

    monkeypatch.setattr("dpcert.commands.watch.time.sleep", sleep)
    seen = []
    with suppress(KeyboardInterrupt):
        for _ in saves([tmp_path]):
            seen.append(len(slept))
    assert seen == [0, 1, 3]


def test_hidden_files_and_installed_ones_are_not_looked_at(tmp_path: Path) -> None:
    for name in ("a.py", "below/b.toml", ".git/c.py", "site-packages/d.py", ".e.py", "f.log"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    found = looked_at([tmp_path])
    assert {path.relative_to(tmp_path).as_posix() for path in found} == {"a.py", "below/b.toml"}
    os.utime(tmp_path / "a.py", ns=(time.time_ns(), time.time_ns() + 10**9))
    assert looked_at([tmp_path]) != found
