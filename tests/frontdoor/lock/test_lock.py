"""The lock: what is unchanged starts no process, what has changed is found again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from locked_project import FILES, READ, Asked, Run, without_notes

from dpcert.run.lock.lockfile import read_lock
from dpcert.worker.reads.record import record_from


@pytest.mark.nightly
def test_an_unchanged_mechanism_has_its_result_at_once(
    inside: Run, project: Path, asked: Asked, tmp_path: Path
) -> None:
    command = ("audit", "mechanism.py", "--lock", "dpcert.lock", "--json")
    first = inside(*command)
    assert (first.status, sorted(asked.since())) == (1, ["Audit", "Audit", "ListTargets"])
    lock = (project / "dpcert.lock").read_bytes()
    second = inside(*command)
    assert (second.status, asked.since(), second.err) == (1, [], "")
    assert without_notes(second.document) == without_notes(first.document)
    note = "as locked in dpcert.lock: nothing that it rests on has changed"
    assert [result["notes"] for result in second.document["results"]] == [[note], [note]]
    assert (project / "dpcert.lock").read_bytes() == lock
    found = inside(*command, "--certificates", "kept").document["results"]
    assert asked.since() == []
    for result in found:
        name = result["target"].rpartition(":")[2]
        done = inside("recheck", result["certificate"], "--target", f"mechanism.py:{name}")
        assert (done.status, result["verdict"]) == (0, done.out.split()[1].rstrip(":"))
    asked.since()
    assert inside(*command, "--relock").status == 1
    assert sorted(asked.since()) == ["Audit", "Audit", "ListTargets"]


DRAWN = """
    import random

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def drawn(bit, rng: random.Random):
        return rng.choices([bit, 1 - bit], weights=[3, 1])[0]
"""


def test_a_certificate_written_beside_a_lock_names_the_files_that_a_recheck_finds(
    inside: Run, project: Path, write: Callable[..., Path]
) -> None:
    write("drawn.py", DRAWN)
    done = inside("audit", "drawn.py", "--lock", "dpcert.lock", "--certificates", "kept", "--json")
    (result,) = done.document["results"]
    done = inside("recheck", result["certificate"], "--target", "drawn.py:drawn")
    assert (done.status, done.out.split()[:2]) == (0, ["accepted:", "verified:"])


@pytest.mark.nightly
def test_a_built_in_is_locked_by_its_settings_and_options(inside: Run, project: Path, asked: Asked) -> None:
    command = ("audit", "randomized-response", "--lock", "dpcert.lock")
    assert inside(*command).status == 0
    assert inside(*command).status == 0
    assert asked.since() == ["Audit"]
    assert inside(*command, "--epsilon", "1/10").status == 1
    assert inside(*command, "--set", "epsilon=1").status == 0
    assert asked.since() == ["Audit", "Audit"]


def change(path: str, text: str | None) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        if text is None:
            (folder / path).unlink()
        else:
            (folder / path).write_text(text)

    return apply


CHANGES = {
    "a module that is imported": change("helper.py", FILES["helper.py"] + "\n"),
    "a module of constants, which executes nothing in a run": change("limits.py", "HEADS = 4"),
    "a module imported while running": change("late.py", "SIDES = 3"),
    "a data file": change("width.txt", "4"),
    "a part of a package": change("pieces/piece.py", "ONE = 2"),
    "a package's own file": change("pieces/__init__.py", ""),
    "a file that is gone": change("helper.py", None),
    "a package that takes a module's place": change("helper/__init__.py", "def flip(bit, kept): return bit"),
    "a package that takes a submodule's place": change("pieces/piece/__init__.py", "ONE = 1"),
    "a module that was missing": change("fast.py", ""),
    "a folder that was looked for": change("strict/any", ""),
    "a file that was looked for and not opened": change("flag", ""),
    "a variable asked for in bytes": lambda folder: os.environ.update(MODE="1"),
    "which warnings are errors": lambda folder: os.environ.update(PYTHONWARNINGS="error"),
    "a variable": lambda folder: os.environ.update(LEVEL="1"),
    "the way to modules": lambda folder: os.environ.update(PYTHONPATH=str(folder)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_anything_that_it_rests_on_is_seen(
    locked: tuple[Path, dict[str, Any], bytes],
    name: str,
    writer: Callable[[Path], Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, entry, _ = locked
    record = record_from(entry["record"])
    assert set(record.files) == READ
    assert record.machine == {}
    for file, text in FILES.items():  # the same files, elsewhere
        writer(tmp_path)(file, text, **({} if file == "mechanism.py" else {"head": ""}))
    assert record.unchanged(tmp_path)
    for variable in ("LEVEL", "MODE", "PYTHONPATH", "PYTHONWARNINGS"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    CHANGES[name](tmp_path)
    assert not record.unchanged(tmp_path)


LOOKS = """
    from importlib.util import find_spec

    HEADS = 3 if find_spec("fastnoise") is not None else 4

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < HEADS else 1 - bit
"""


@pytest.mark.nightly
def test_a_package_that_is_looked_for_and_not_imported_is_pinned(
    inside: Run, write: Any, tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("audit", write("looks.py", LOOKS), "--lock", tmp_path / "dpcert.lock")
    packages = tmp_path / "site-packages"
    write("site-packages/fastnoise/__init__.py", "", head="")
    write("site-packages/fastnoise-1.0.dist-info/METADATA", "Name: fastnoise\nVersion: 1.0\n", head="")
    monkeypatch.syspath_prepend(str(packages))
    assert (inside(*command).status, asked.since()) == (0, ["ListTargets", "Audit"])
    assert (inside(*command).status, asked.since()) == (0, [])
    shutil.rmtree(packages)
    assert (inside(*command).status, asked.since()) == (1, ["ListTargets", "Audit"])


def test_what_it_does_not_rest_on_may_change(locked: tuple[Path, dict[str, Any], bytes]) -> None:
    folder, entry, _ = locked
    record = record_from(entry["record"])
    (folder / "other.py").write_text("import helper")
    (folder / "NOTES.md").write_text("more")
    os.utime(folder / "mechanism.py", (0, 0))
    assert record.unchanged(folder)


def test_a_changed_mechanism_is_audited_again(inside: Run, project: Path, asked: Asked) -> None:
    command = ("audit", "mechanism.py:release", "--lock", "dpcert.lock")
    assert inside(*command).status == 0
    (project / "late.py").write_text("SIDES = 3")
    asked.since()
    done = inside(*command)
    assert (done.status, done.err, asked.since()) == (1, "", ["Audit"])
    assert inside(*command).status == 1
    assert asked.since() == []
    (project / "late.py").write_text("SIDES = 4")
    assert inside(*command).status == 0
    assert asked.since() == ["Audit"]


REMARKED = """
    import remarks

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        \"\"\"Half of the truth.\"\"\"
        if bit > 1:
            raise ValueError(bit)
        return bit if coins.below(4) < remarks.heads() else 1 - bit
"""
HEADS = "def heads():\n    'Three.'\n    return 3"


@pytest.mark.points(1)
@pytest.mark.parametrize("inputs", ["[0, 1, 2]", "[0, 1]"])
def test_a_comment_or_a_docstring_is_not_audited_again_but_for_lines_that_are_shown(
    inside: Run, write: Any, tmp_path: Path, asked: Asked, inputs: str
) -> None:
    """On inputs up to 1 a line is never reached, and its number shown; on 2 it is, and the claim false."""
    path, helper = write("it.py", REMARKED.replace("[0, 1]", inputs)), write("remarks.py", HEADS, head="")
    command = ("audit", path, "--lock", tmp_path / "dpcert.lock", "--json")
    (first,) = inside(*command).document["results"]
    path.write_text("# a remark\n" + path.read_text().replace("Half of", "Some of"))
    helper.write_text(HEADS.replace("Three", "So many") + "  # of four\n")
    asked.since()
    (found,) = inside(*command).document["results"]
    if first["unreached"] is None:
        assert (asked.since(), found["verdict"]) == ([], "refuted")
    else:
        assert asked.since() == ["Audit"]
        assert found["unreached"]["lines"] == [line + 1 for line in first["unreached"]["lines"]]
    helper.write_text(HEADS.replace("3", "2"))
    assert inside(*command).document["results"][0] != found
    assert asked.since()[-1] == "Audit"


@pytest.mark.nightly
def test_caught_docstring_that_the_program_reads(inside: Run, write: Any, tmp_path: Path, asked: Asked) -> None:
    text = """
        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins): return bit if coins.below(4) < len(half.__doc__) else 1 - bit
        def half():
            "abc"
    """
    path = write("it.py", text)
    command = ("audit", path, "--lock", tmp_path / "dpcert.lock")
    assert inside(*command).status == 0
    path.write_text(path.read_text().replace('"abc"', '"abcd"'))
    assert inside(*command).status == 1


@pytest.mark.nightly
def test_a_certificate_of_a_file_with_new_comments_is_anew(
    inside: Run, write: Any, tmp_path: Path, asked: Asked
) -> None:
    path = write("it.py", "@target(guarantee=PureDP(0), inputs=[0, 1], neighbours='any')\ndef it(x, coins): return 0")
    command = ("audit", path, "--lock", tmp_path / "dpcert.lock", "--json")
    assert inside(*command).status == 0
    path.write_text(path.read_text() + "\n# a remark")
    asked.since()
    (result,) = inside(*command, "--certificates", tmp_path / "kept").document["results"]
    assert asked.since() == ["Audit"]
    assert inside("recheck", result["certificate"], "--target", f"{path}:it").status == 0
    assert inside(*command, "--certificates", tmp_path / "kept").status == 0
    assert asked.since() == ["Recheck"]


@pytest.mark.points(3)
@pytest.mark.parametrize(
    ("asked", "locked"),
    [
        ("os.path.isfile(__file__)", 1),
        ("os.access(__file__, os.X_OK)", 0),
        ("os.path.islink(__file__)", 0),
        ("os.path.getmtime(__file__)", 0),
        ("os.path.samefile(__file__, __file__)", 0),
        ("posix.stat(__file__)", 0),
    ],
)
def test_kinds_times_and_rights_of_files_are_free(
    inside: Run, write: Any, tmp_path: Path, asked: str, locked: int
) -> None:
    text = f"import os, posix\n{asked}\n@target(guarantee=PureDP(0), inputs=[0, 1], neighbours='any')\n"
    path, lock = write("it.py", f"{text}def it(x, coins): return 0"), tmp_path / "dpcert.lock"
    assert inside("audit", path, "--lock", lock).status == 0
    assert lock.exists() == locked


def test_a_variable_of_python_counts_where_no_code_reads_it(
    inside: Run, write: Any, tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("it.py", "@target(guarantee=PureDP(0), inputs=[0, 1], neighbours='any')\ndef it(x, coins): return 0")
    command = ("audit", path, "--lock", tmp_path / "dpcert.lock")
    assert inside(*command).status == 0
    asked.since()
    assert inside(*command).status == 0
    assert "Audit" not in asked.since()
    monkeypatch.setenv("PYTHONINTMAXSTRDIGITS", "0")
    assert inside(*command).status == 0
    assert "Audit" in asked.since()


def test_what_cannot_be_pinned_is_named_and_not_locked(inside: Run, write: Any, tmp_path: Path) -> None:
    path = write(
        "reads.py",
        """
        import os, pathlib, posix, socket, subprocess
        pathlib.Path(__file__).exists() and os.path.getsize(__file__)
        pathlib.Path(__file__).stat().st_mtime
        os.listdir(".")
        dict(os.environ)
        dict(posix.environ) == posix.environ.copy()
        open("/proc/self/environ", "rb").close()
        os.path.samefile("/dev/shm", ".")
        os.close(os.open("self", os.O_RDONLY, dir_fd=posix.open("/proc", os.O_RDONLY)))
        open(os.path.join(os.path.dirname(__file__), "up", os.pardir, "table")).close()
        subprocess.run(["true"])
        socket.getaddrinfo("localhost", 1)
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def nothing(bit, coins): return coins.below(2)
        """,
    )
    (tmp_path / "below" / "up").mkdir(parents=True)
    (tmp_path / "below" / "table").touch()
    (path.parent / "up").symlink_to(tmp_path / "below" / "up")
    lock = tmp_path / "dpcert.lock"
    done = inside("audit", path, "--lock", lock)
    assert done.status == 0
    reasons = (
        "the kind, times or rights of a file, a folder's list of files (os.listdir), the whole environment, "
        "posix.environ, /proc/self/environ, /dev/shm, a path below an open folder, the folder above a link, "
        "subprocess.Popen, socket.getaddrinfo"
    )
    line = f"{path}:nothing is not locked: it reads what cannot be pinned: {reasons}"
    assert done.err == f"dpcert: dpcert.lock: {line}\n"
    assert not lock.exists()


@pytest.mark.nightly
def test_undecided_and_sampled_results_are_not_locked(inside: Run, write: Any, tmp_path: Path) -> None:
    path = write(
        "open.py",
        """
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def prints(bit, coins): return str(coins.below(2**64))
        """,
    )
    lock = tmp_path / "dpcert.lock"
    assert inside("audit", path, "--lock", lock).status == 3
    assert inside("audit", path, "--lock", lock, "--sampling", "--samples", "4000").status == 3
    assert [entry["job"]["op"] for entry in read_lock(lock).values()] == ["specs"]
