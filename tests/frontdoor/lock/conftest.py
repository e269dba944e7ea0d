"""What tests of the lock share: a project, the jobs that were asked, and a state of the user's own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from locked_project import FILES, Asked

import dpcert.run.lock.lock
import dpcert.run.lock.lockfile
from dpcert.run.lock.seal import VARIABLE


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
