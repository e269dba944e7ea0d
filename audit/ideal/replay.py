"""One run of a program on a path that is known: what it asks is answered by the path's inequalities and draws."""

from __future__ import annotations

from dpcert.audit.ideal.run import Run
from dpcert.mechanisms.ideal.given import Given
from dpcert.mechanisms.ideal.path import Path


class Replay(Given, Run):
    """A run on a path; it is refused where it asks what the path leaves open."""

    def __init__(self, path: Path) -> None:
        super().__init__([])
        self.follow(path)
