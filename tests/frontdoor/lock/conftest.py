"""What tests of the lock share: a project, the jobs that were asked, and a state of the user's own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from locked_project import FILES, Asked, Run

import dpcert.run.lock.lock
import dpcert.run.lock.lockfile
from dpcert.run.lock.lockfile import read_lock
from dpcert.run.lock.seal import VARIABLE, own_key


@pytest.fixture(autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("LEVEL", raising=False)


@pytest.fixture(autouse=True, scope="module")
def one_installation() -> Iterator[None]:
    """Hold the digest of this package's sources as it is, whoever edits them while the tests run."""
    found = dpcert.run.lock.lock.environment()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpcert.run.lock.lock.environment", lambda: dict(found))
        yield


@pytest.fixture
def project(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        write(name, text, **({} if name == "mechanism.py" else {"head": ""}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


@pytest.fixture(scope="session")
def locked(
    inside: Run, writer: Callable[[Path], Callable[..., Path]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, dict[str, Any], bytes]]:
    """A project, the entry of its target `release`, and the key that sealed it."""
    folder = tmp_path_factory.mktemp("locked")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        for name, text in FILES.items():
            writer(folder)(name, text, **({} if name == "mechanism.py" else {"head": ""}))
        done = inside("audit", folder / "mechanism.py:release", "--lock", folder / "dpcert.lock")
        assert (done.status, done.err) == (0, "")
        key, _ = own_key()
        assert key is not None
        entries = read_lock(folder / "dpcert.lock").values()
        (entry,) = (e for e in entries if e["job"].get("spec", {}).get("function") == "release")
        yield folder, entry, key
