"""Audits on a cluster: refused where a worker reads or has what is another here."""

import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from sweeps import CHECKED

import dpcert
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run import pool, remote
from dpcert.run.remote import agreed, differing, read_on_import
from dpcert.targets.cases import pick
from dpcert.worker.codec import encode
from dpcert.worker.jobs import ListTargets
from dpcert.worker.process import Children
from dpcert.worker.reads.record import Record
from dpcert.worker.troubles import ChildEnded


@pytest.mark.nightly
def test_an_audit_on_a_cluster_is_the_same_as_at_home(command: Any, write: Any, cluster: Any, tmp_path: Path) -> None:
    path = write("checked.py", CHECKED)
    folder = tmp_path / "certificates"
    arguments = ("audit", path, "geosample-strict", "--json", "--certificates", folder)
    there = command(*arguments, "--dask", cluster.scheduler_address)
    assert (there.status, there.err) == (1, "")
    written = sorted(folder.iterdir())
    assert len(written) == 3
    kept = [file.read_text() for file in written]
    here = command(*arguments)
    assert here.document == there.document
    assert [file.read_text() for file in sorted(folder.iterdir())] == kept
    (holds,) = [result for result in there.document["results"] if result["target"].endswith(":holds")]
    assert command("recheck", holds["certificate"], "--target", f"{path}:holds").status == 0


def test_a_scheduler_that_is_away_is_one_line(inside: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "WAIT", 0.5)
    done = inside("audit", "randomized-response", "--dask", "tcp://127.0.0.1:1")
    assert "--dask tcp://127.0.0.1:1: no scheduler answers" in done.refusal()
    assert "no scheduler answers" in inside("audit", "randomized-response", "--dask", "nonsense://x").refusal()


def test_without_the_package_the_extra_is_named(inside: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install 'dpcert[dask]'" in inside("audit", "randomized-response", "--dask", "x").refusal()


USES = """
    import helper

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def answer(bit, coins):
        import late
        return bit if coins.below(late.SIDES) < helper.HEADS else 1 - bit
"""


@pytest.fixture(name="uses")
def uses_fixture(write: Callable[..., Path]) -> dpcert.Target:
    """A target that imports one file when it is imported, and another when it runs."""
    write("helper.py", "HEADS = 3", head="")
    write("late.py", "SIDES = 4", head="")
    return pick(write("uses.py", USES), "answer")


def refused(target: dpcert.Target, executor: Executor) -> str:
    with pytest.raises(InputError) as caught:
        next(dpcert.sweep(target, executor=executor))
    assert caught.value.needed == "the same files and versions everywhere"
    return caught.value.given.removeprefix(f"{target.name}: ")


@pytest.mark.nightly
def test_another_file_or_version_on_a_worker_is_refused_before_it_runs(uses: dpcert.Target, tmp_path: Path) -> None:
    file = str(tmp_path / "uses.py")
    same = agreed(read_on_import(file, functools.partial(Children().reply, recording=True)).files)

    def answer(expected: dict[str, str | None]) -> dict[str, Any]:
        return remote.asked("ListTargets", encode(ListTargets(file)), 30, expected)["answer"]

    names = {"dpcert", "the source of dpcert", "Python", str(tmp_path / "uses.py"), str(tmp_path / "helper.py")}
    assert same.keys() == names
    assert "specs" in answer(same)
    for name in names:
        assert answer({**same, name: "0"})["given"] == f"{name}, which is another on a worker"
    (tmp_path / "helper.py").unlink()
    assert answer(same)["given"] == f"{tmp_path / 'helper.py'}, which is not there on a worker"


class Edited(ThreadPoolExecutor):
    """An executor whose worker sees another text in one file."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(1)
        self.path, self.text = path, text

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        before = self.path.read_text()
        self.path.write_text(self.text)
        try:
            done = super().submit(function, *arguments, **named)
            done.result()
        finally:
            self.path.write_text(before)
        return done


@pytest.mark.points(1)
@pytest.mark.parametrize(("name", "text"), [("helper.py", "HEADS = 1"), ("late.py", "SIDES = 8")])
def test_a_worker_with_another_version_of_an_imported_file_is_refused_by_that_files_name(
    uses: dpcert.Target, tmp_path: Path, name: str, text: str
) -> None:
    with Edited(tmp_path / name, text) as executor:
        assert refused(uses, executor) == f"{tmp_path / name}, which is another on a worker"


@pytest.mark.nightly
def test_refused_module_found_elsewhere(uses: dpcert.Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker's process has another way to modules; the file that is used here lies there, too, and is not used."""
    for folder, text in (("here", "HEADS = 3"), ("there", "HEADS = 2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helper.py").write_text(text)
    (tmp_path / "helper.py").unlink()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "there"))
    with pool.processes(1) as executor:
        assert executor.submit(os.getpid).result() != os.getpid()
        monkeypatch.delenv("PYTHONPATH")
        monkeypatch.syspath_prepend(str(tmp_path / "here"))
        given = refused(uses, executor)
    assert given == f"{tmp_path / 'here/helper.py'}, in place of which a worker reads another"


def test_another_version_of_a_package_on_a_worker_is_refused() -> None:
    none = Record({}, {}, {}, (), {}, {})
    same = replace(none, packages={"numpy": version("numpy"), "of-no-one": "1"})
    assert differing({"Python": "3"}, none, same) is None
    other = replace(none, packages={"numpy": "0.1"})
    assert differing({"Python": "3"}, none, other) == f"numpy {version('numpy')}, which is 0.1 on a worker"


FALLBACK = """
    def found():
        try:
            import fastnoise
        except ImportError:
            return 3
        return fastnoise.HEADS

    {then}

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def answer(bit, coins):
        return bit if coins.below(4) < {heads} else 1 - bit
"""
ON_IMPORT = FALLBACK.format(then="HEADS = found()", heads="HEADS")
WHEN_RUN = FALLBACK.format(then="", heads="found()")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("text", "there", "words"),
    [
        (ON_IMPORT, True, "the module fastnoise, which is not here and found on a worker"),
        (ON_IMPORT, False, "fastnoise 1.0, which a worker does without"),
        (WHEN_RUN, False, "the module fastnoise, which is here and not found on a worker"),
    ],
)
def test_a_worker_that_has_or_lacks_a_package_that_the_file_can_do_without_is_refused(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, there: bool, words: str
) -> None:
    """With the package the truth is never lied about, and the claim is false; without it, it holds."""
    target = pick(write("fallback.py", text), "answer")
    packages = tmp_path / "site-packages"
    for name, content in (
        ("fastnoise/__init__.py", "HEADS = 4"),
        ("fastnoise-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: fastnoise\nVersion: 1.0\n"),
    ):
        (packages / name).parent.mkdir(parents=True)
        (packages / name).write_text(content)
    if there:
        monkeypatch.setenv("PYTHONPATH", str(packages))
    with pool.processes(1) as executor:
        assert executor.submit(os.getpid).result() != os.getpid()
        monkeypatch.delenv("PYTHONPATH", raising=False)
        if not there:
            monkeypatch.syspath_prepend(str(packages))
        assert refused(target, executor) == words


@pytest.mark.nightly
def test_a_module_that_is_looked_for_and_not_imported_is_no_difference(write: Any) -> None:
    text = """
    from importlib.util import find_spec

    FOUND = [find_spec(name) is not None for name in ("this", "fractions", "yaml", "nowhere")]

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def answer(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
    """
    target = pick(write("looks.py", text), "answer")
    with ThreadPoolExecutor(1) as executor:
        assert dpcert.audit(target, executor=executor).verdict == "verified"


@pytest.mark.nightly
@pytest.mark.parametrize("there", ["2", None])
def test_a_worker_with_another_value_of_a_variable_that_is_asked_for_is_refused(
    write: Any, monkeypatch: pytest.MonkeyPatch, there: str | None
) -> None:
    text = """
    import os

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def answer(bit, coins):
        return bit if coins.below(4) < int(os.environ.get("HEADS", "3")) else 1 - bit
    """
    target = pick(write("heads.py", text), "answer")
    if there is not None:
        monkeypatch.setenv("HEADS", there)
    with pool.processes(1) as executor:
        assert executor.submit(os.getpid).result() != os.getpid()
        monkeypatch.setenv("HEADS", "4")
        assert refused(target, executor) == "the variable HEADS, which is another on a worker"
        monkeypatch.delenv("HEADS")
        if there is None:
            assert next(dpcert.sweep(target, executor=executor)).verdict == "verified"


@pytest.mark.nightly
def test_an_interrupt_gives_up_the_jobs_of_an_executor(write: Any) -> None:
    path = write("checked.py", CHECKED)
    released = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        busy = executor.submit(released.wait, 60)
        running = remote.Remote(executor)
        threading.Timer(0.5, running.end).start()
        with pytest.raises(ChildEnded, match="interrupted"):
            running.reply(ListTargets(str(path)))
        with pytest.raises(ChildEnded, match="interrupted"):
            running.reply(ListTargets(""))
        assert not busy.done()
        released.set()
