"""The way of a job: the calls from the command to the program, as docs/explanation/architecture.md lists them.

A call is a frame of this package; a list comprehension is none, though Python 3.11 makes a frame for it.
"""

import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import dpcert
from dpcert.cli import main
from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.machine import Machine
from dpcert.targets.options import Options
from dpcert.targets.spec import FileSpec
from dpcert.worker import process
from dpcert.worker.auditing import Workplace
from dpcert.worker.jobs import Audit, Audited
from dpcert.worker.operations import answer_of

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "architecture.md"
TARGETS = """
import random
import sys

import dpcert
import numpy as np

CLAIM = {"guarantee": dpcert.PureDP("ln(3)"), "inputs": [0, 1], "neighbours": "any"}


@dpcert.target(**CLAIM)
def told(bit, coins):
    frame = sys._getframe(1)
    with open(__file__ + ".calls", "a") as file:
        while frame is not None:
            print(frame.f_code.co_filename, frame.f_code.co_qualname, file=file)
            frame = frame.f_back
        print(file=file)
    return bit ^ (coins.below(4) == 0)


@dpcert.target(**CLAIM)
def drawn(bit, coins):
    return bit ^ (coins.below(4) == 0)


@dpcert.target(**CLAIM)
def routed(bit, rng: random.Random):
    return bit ^ (rng.randrange(4) == 0)


@dpcert.target(**CLAIM, noise="ideal")
def noisy(bit, rng: np.random.Generator):
    return bit + rng.laplace(0, 1)
"""
HOME = Path(dpcert.__file__).parent
FOLDERS = {os.path.realpath(folder): folder.name for folder in HOME.iterdir() if folder.is_dir()}
FRAMES_ALONE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<module>")


def call_at(file: str, name: str) -> str | None:
    """Return a frame's call by its module and its name, None where it is none of this package."""
    path, own = os.path.realpath(file), {os.path.realpath(HOME): "", **FOLDERS}
    home = max((folder for folder in own if path.startswith(folder + os.sep)), key=len, default=None)
    if home is None or name.endswith(FRAMES_ALONE):
        return None
    module = [own[home], *Path(path).relative_to(home).with_suffix("").parts]
    return ".".join([*filter(None, module), name.replace("<locals>.", "")])


def calls_to(frame: FrameType | None) -> list[str]:
    """Return the calls that lead to a frame and are of this package, outermost first."""
    found = []
    while frame is not None:
        found.append(call_at(frame.f_code.co_filename, frame.f_code.co_qualname))
        frame = frame.f_back
    return [call for call in reversed(found) if call is not None]


def listed() -> list[str]:
    """Return the calls that the page lists."""
    return re.findall(r"^\| `([\w.<>]+)` \|", PAGE.read_text(), flags=re.MULTILINE)


def counted() -> dict[str, int]:
    """Return the number of calls that the page says of each way to a verdict."""
    found = re.findall(r"^\| by ([\w ]+) \| (\d+) \|", PAGE.read_text(), flags=re.MULTILINE)
    return {way: int(count) for way, count in found}


@pytest.fixture
def targets(tmp_path: Path) -> Path:
    path = tmp_path / "targets.py"
    path.write_text(TARGETS)
    return path


def test_the_page_lists_the_calls_of_an_audit(targets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    own = threading.get_ident()

    class Seen(process.Forked):
        def __init__(self, address: str, folder: str) -> None:
            if threading.get_ident() != own:  # in that thread the file's targets are listed
                waiting = calls_to(sys._current_frames()[own])
                waiting = waiting[: waiting.index("run.batches.audited") + 1]
                begun.append([*waiting, *calls_to(sys._getframe(1)), "worker.forking.Forked.__init__"])
            super().__init__(address, folder)

    monkeypatch.setattr(process, "Forked", Seen)
    main(["audit", f"{targets}:told"])
    first, *_ = targets.with_name("targets.py.calls").read_text().split("\n\n")
    there = [call_at(*line.split(" ", 1)) for line in reversed(first.splitlines())]
    assert [*begun[0], *filter(None, there)] == listed()
    assert counted()["paths"] == len(listed())


@pytest.mark.parametrize(
    ("way", "function", "options", "kind", "name"),
    [
        ("paths", "drawn", Options(), Coins, "below"),
        ("states", "routed", Options(), Machine, "go"),
        ("samples", "drawn", Options(sampling=True, samples=1000), Coins, "below"),
        ("ideal noise", "noisy", Options(), Machine, "go"),
    ],
)
def test_the_page_counts_the_calls_of_each_way(
    targets: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    function: str,
    options: Options,
    kind: type,
    name: str,
) -> None:
    real: Callable[..., Any] = getattr(kind, name)
    seen: list[list[str]] = []

    def first(*given: Any, **more: Any) -> Any:
        seen.append(calls_to(sys._getframe(1)))
        return real(*given, **more)

    monkeypatch.setattr(kind, name, first)
    found = answer_of(Audit(FileSpec(str(targets), function, 0), options), Workplace(targets.parent))
    assert isinstance(found, Audited)
    before = listed().index("worker.operations.answer_of")
    assert before + len(seen[0]) == counted()[way], seen[0]
