"""A project for tests of the lock: its files, which of them a verdict rests on, and the jobs that were asked."""

from collections.abc import Callable
from typing import Any

import pytest

from dpcert.run.lock.lockfile import key_of
from dpcert.worker.exchange import Reply
from dpcert.worker.jobs import Job
from dpcert.worker.process import Children

Run = Callable[..., Any]

FILES = {
    "mechanism.py": """
        import helper, limits
        from pieces import piece
        try:
            import fast
        except ImportError:
            fast = None
        import os

        WIDTH = int(open(os.path.join(os.path.dirname(__file__), "width.txt")).read())
        LEVEL = os.environ.get("LEVEL", "0")
        MODE = os.environb.get(b"MODE")
        STRICT = os.path.isdir(os.path.join(os.path.dirname(__file__), "strict"))
        FLAG = os.path.exists(os.path.join(os.path.dirname(__file__), "flag"))

        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            import late
            return helper.flip(bit, coins.below(late.SIDES) < limits.HEADS)

        @target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any")
        def leaks(bit, coins):
            return bit if coins.below(4) < 3 else 1 - bit
    """,
    "helper.py": "def flip(bit, kept): return bit if kept else 1 - bit",
    "limits.py": "HEADS = 3",
    "late.py": "SIDES = 4",
    "width.txt": "3",
    "pieces/__init__.py": "from . import piece",
    "pieces/piece.py": "ONE = 1",
}
READ = {*FILES, "strict", "flag"}


class Asked:
    """The jobs that were given to child processes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs: list[str] = []
        reply = Children.reply

        def counted(children: Children, job: Job[Any], **how: Any) -> Reply[Any]:
            self.jobs.append(type(job).__name__)
            return reply(children, job, **how)

        monkeypatch.setattr(Children, "reply", counted)

    def since(self) -> list[str]:
        jobs, self.jobs = self.jobs, []
        return jobs


def without_notes(document: Any) -> Any:
    return {**document, "results": [{**result, "notes": []} for result in document["results"]]}


def entry_of(name: str, size: int = 10) -> dict[str, Any]:
    return {
        "job": {"op": "audit", "spec": {"name": name}, "options": {}},
        "environment": {"python": "3"},
        "record": {},
        "answer": {"text": "x" * size},
        "certificate": None,
        "seals": {"key": "seal"},
    }


def index_of(*entries: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {key_of(entry["job"], entry["environment"]): entry for entry in entries}
