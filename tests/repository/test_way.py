"""The way of a job: the calls from the command to the program, as docs/explanation/architecture.md has them.

A call is a frame of this package; a list comprehension is none, though Python 3.11 makes a frame for it.
"""

import inspect
import re
import socket
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from in_process import answer_of

from dpcert.cli import main
from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.machine import Machine
from dpcert.targets.options import Options
from dpcert.targets.spec import FileSpec
from dpcert.worker import process
from dpcert.worker.auditing import Workplace
from dpcert.worker.jobs import Audit, Audited

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "architecture.md").read_text()
LISTED = re.findall(r"^\| `([\w.<>]+)` \|", PAGE, flags=re.MULTILINE)
COUNTED = {way: int(count) for way, count in re.findall(r"^\| by ([\w ]+) \| (\d+) \|", PAGE, flags=re.MULTILINE)}
TARGETS = """
CLAIM = {"guarantee": dpcert.PureDP("ln(3)"), "inputs": [0, 1], "neighbours": "any"}


@dpcert.target(**CLAIM)
def told(bit, coins):
    with open(__file__ + ".calls", "a") as file:
        print(*calls_to(sys._getframe(1)), file=file)
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


def calls_to(frame: FrameType | None) -> list[str]:
    """Return the calls of this package that lead to a frame, outermost first."""
    found: list[str] = []
    while frame is not None:
        name = f"{getattr(frame.f_globals.get('__spec__'), 'name', '')}.{frame.f_code.co_qualname}"
        if name.startswith("dpcert.") and not name.endswith(("comp>", "<module>")):
            found.insert(0, name.removeprefix("dpcert.").replace("<locals>.", ""))
        frame = frame.f_back
    return found


@pytest.fixture
def targets(tmp_path: Path) -> Path:
    path = tmp_path / "targets.py"
    imports = "import random\nimport sys\nfrom types import FrameType\n\nimport dpcert\nimport numpy as np\n\n\n"
    path.write_text(f"{imports}{inspect.getsource(calls_to)}{TARGETS}")
    return path


def test_the_page_lists_the_calls_of_an_audit(targets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    command = threading.get_ident()

    class Seen(process.Forked):
        def __init__(self, server: socket.socket) -> None:
            if threading.get_ident() != command:  # which has a process list the file's targets
                waits = calls_to(sys._current_frames()[command])
                waits = waits[: waits.index("run.audits.audit_all") + 1]
                begun.append([*waits, *calls_to(sys._getframe(1))])
            super().__init__(server)

    monkeypatch.setattr(process, "Forked", Seen)
    main(["audit", f"{targets}:told"])
    first, *_ = targets.with_name("targets.py.calls").read_text().splitlines()
    assert [*begun[0], *first.split()] == LISTED
    assert COUNTED["paths"] == len(LISTED)


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
    targets: Path, monkeypatch: pytest.MonkeyPatch, way: str, function: str, options: Options, kind: type, name: str
) -> None:
    real, seen = getattr(kind, name), list[list[str]]()

    def first(*given: Any, **more: Any) -> Any:
        seen.append(calls_to(sys._getframe(1)))
        return real(*given, **more)

    monkeypatch.setattr(kind, name, first)
    found = answer_of(Audit(FileSpec(str(targets), function, 0), options), Workplace(targets.parent))
    assert isinstance(found, Audited)
    assert len(seen[0]) + LISTED.index("worker.auditing.audit") == COUNTED[way], seen[0]
