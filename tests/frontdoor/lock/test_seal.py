"""The seal of a lock: nothing forged counts, a key is the user's own, and other machines seal beside it."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from locked_project import Asked, Run

from dpcert.run.lock.lockfile import read_lock
from dpcert.run.lock.seal import VARIABLE, key_file, own_key, seal_of
from dpcert.worker.whereabouts import HOMES


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not isinstance(value, dict | list) or not value:
        yield way
    for name, part in parts:
        yield from leaves(part, (*way, name))


def test_the_sources_of_an_environment_are_those_of_all_rooms() -> None:
    digested = {path for home in HOMES for path in Path(home).rglob("*.py")}
    names = {name for name in sys.modules if name.partition(".")[0] == "dpcert"}
    files = {Path(str(sys.modules[name].__file__)) for name in names}
    assert {"dpcert.reading", "dpcert.audit.kernel", "dpcert.worker.jobs"} <= names
    assert files <= digested


def test_every_edit_of_an_entry_breaks_its_seal(locked: tuple[Path, dict[str, Any], bytes]) -> None:
    _, entry, key = locked
    seal = seal_of(key)
    assert seal.holds(entry)
    ways = [way for way in leaves(entry) if way[0] != "seals"]
    assert len(ways) > 60
    for way in ways:
        forged = json.loads(json.dumps(entry))
        place = forged
        for name in way[:-1]:
            place = place[name]
        place[way[-1]] = [place[way[-1]]]
        assert not seal.holds(forged), way
    assert not seal.holds({**entry, "seals": {}})
    other = seal_of(b"another key")
    resealed = {**entry, "seals": {other.name: other.of(entry)}}
    assert not seal.holds(resealed)
    for text in (other.of(entry), "", "\ud800"):
        assert not seal.holds({**entry, "seals": {seal.name: text}})


def test_a_forged_lock_gives_no_verdict(inside: Run, project: Path, asked: Asked) -> None:
    """A refuted mechanism whose entry says verified, sealed again with a key of the forger's."""
    command = ("audit", "mechanism.py:leaks", "--lock", "dpcert.lock")
    assert inside(*command).status == 1
    lock = project / "dpcert.lock"
    forger = seal_of(b"the forger's own")
    data = json.loads(lock.read_text().replace('"verdict": "refuted"', '"verdict": "verified"'))
    for entry in data["entries"]:
        entry["seals"] = {forger.name: forger.of(entry)}
    lock.write_text(json.dumps(data))
    asked.since()
    done = inside(*command)
    assert (done.status, "Audit" in asked.since(), done.out.split()[0]) == (1, True, "refuted")
    words = "1 entry is not sealed with a key of this machine, or edited since; found again"
    assert done.err == f"dpcert: dpcert.lock: {words}\n"
    assert inside(*command).err == ""


@pytest.mark.nightly
def test_an_entry_of_another_version_or_python_is_found_again(inside: Run, project: Path, asked: Asked) -> None:
    command = ("audit", "randomized-response", "--lock", "dpcert.lock")
    assert inside(*command).status == 0
    lock = project / "dpcert.lock"
    key, _ = own_key()
    assert key is not None
    seal = seal_of(key)
    for name, value in (("dpcert", "0.0.9"), ("sources", "0" * 64), ("python", "CPython 3.10.1")):
        data = json.loads(lock.read_text())
        for entry in data["entries"]:
            entry["environment"][name] = value
            entry["seals"] = {seal.name: seal.of(entry)}
        lock.write_text(json.dumps(data))
        asked.since()
        done = inside(*command)
        assert (done.status, "Audit" in asked.since()) == (0, True)
        words = "1 entry is of another version of dpcert or Python, or another platform; found again"
        assert done.err == f"dpcert: dpcert.lock: {words}\n"
    pythons = {entry["environment"]["python"] for entry in read_lock(lock).values()}
    assert len(pythons) == 2  # those of another Python stay for it
    assert inside(*command).err == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value"),
        ('<<<<<<< ours\n{"schema": "dpcert.lock/1", "entries": []}\n', "Expecting value"),
        ('{"schema": "dpcert.lock/2", "entries": []}', "a lock of the form 'dpcert.lock/2'"),
        ("[]", "a lock of the form 'None'"),
        ('{"schema": "dpcert.lock/1", "entries": {}}', "a lock that was edited"),
        ('{"schema": "dpcert.lock/1", "entries": [], "more": 1}', "a lock that was edited"),
        ('{"schema": "dpcert.lock/1", "entries": [{"job": {}}]}', "a lock that was edited"),
        ('{"schema": "dpcert.lock/1", "entries": [], "entries": []}', "repeats a key"),
        ("[" * 100_000, "."),
        ("\ufffe\x00", "."),
    ],
)
def test_what_is_no_lock_is_refused_and_left_as_it_is(inside: Run, project: Path, text: str, words: str) -> None:
    lock = project / "dpcert.lock"
    lock.write_text(text)
    done = inside("audit", "mechanism.py", "--lock", "dpcert.lock")
    line = done.refusal()
    assert re.search(words, line)
    assert "dpcert.lock" in line
    assert lock.read_text() == text


def test_the_key_is_made_once_for_the_user_alone_and_not_handed_to_programs(
    inside: Run, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, reason = own_key()
    assert (key is not None, reason) == (True, "")
    assert own_key() == (key, "")
    assert key_file().stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv(VARIABLE, "the team's own, long enough")
    shared, _ = own_key()
    assert shared not in (None, key)
    assert VARIABLE not in os.environ
    monkeypatch.setenv(VARIABLE, "short")
    assert own_key() == (None, f"{VARIABLE} has fewer than 16 characters")
    path = write(
        "asks.py",
        f"""
        import os
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def secret(bit, coins): return os.environ.get({VARIABLE!r}) is not None and bit
        """,
    )
    monkeypatch.setenv(VARIABLE, "the team's own, long enough")
    assert inside("audit", path, "--lock", tmp_path / "dpcert.lock").status == 0


@pytest.mark.nightly
def test_without_a_key_nothing_is_locked(
    inside: Run, project: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(project / "file"))
    command = ("audit", "mechanism.py:release", "--lock", "dpcert.lock")
    for _ in range(2):
        done = inside(*command)
        assert done.status == 0
        assert done.err.startswith("dpcert: dpcert.lock is not used, as there is no key to seal it: ")
        assert asked.since() == ["ListTargets", "Audit"]
    assert not (project / "dpcert.lock").exists()


@pytest.mark.nightly
def test_two_machines_seal_one_entry_and_each_trusts_its_own_seal(
    inside: Run, project: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("audit", "randomized-response", "--lock", "dpcert.lock")
    for state in ("one", "two"):
        monkeypatch.setenv("XDG_STATE_HOME", str(project / state))
        assert inside(*command).status == 0
        assert asked.since() == ["Audit"]
    for state in ("one", "two"):
        monkeypatch.setenv("XDG_STATE_HOME", str(project / state))
        assert inside(*command).status == 0
        assert asked.since() == []
    assert {len(entry["seals"]) for entry in read_lock(project / "dpcert.lock").values()} == {2}
