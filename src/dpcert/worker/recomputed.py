"""Laws computed a second time, in a process with another PYTHONHASHSEED: of one case, or of many in a row."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.targets.cases import Options, Spec
from dpcert.worker.process import HASH_SEEDS, Child, delivered
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut

__all__ = ["Apart", "Second", "second", "several"]


class Apart(DpcertError):
    """A claim has no answer among others, whose process was lost; it is to be audited by itself."""


class Second:
    """The second computation of a case's laws, in a process with another PYTHONHASHSEED, started at once."""

    def __init__(self, spec: Spec, options: Options, folder: str | None, seconds: float | None) -> None:
        seed = HASH_SEEDS[os.environ.get("PYTHONHASHSEED") != HASH_SEEDS[1]]
        job = {"op": "digests", "spec": spec, "options": asdict(options)}
        self.child = Child(job, seed, folder=folder, seconds=seconds)

    def digests(self, scope: str) -> Sequence[str]:
        """Wait for the digests and return them.

        Raises: Unauditable where the other process could not compute them, or found another `scope` of pairs.
        """
        return _digests(lambda: self.child.result(waits=False), scope)


class Several:
    """The second computations of many cases' laws, in one process, in reverse; each is asked for by its position."""

    def __init__(self, specs: Sequence[Spec], options: Options, folder: str | None, seconds: float | None) -> None:
        seed = HASH_SEEDS[os.environ.get("PYTHONHASHSEED") != HASH_SEEDS[1]]
        job = {"op": "all-digests", "specs": list(specs), "options": asdict(options)}
        self.child = Child(job, seed, folder=folder, seconds=seconds)
        self.answers: list[dict[str, Any]] = []
        self.over = False

    def at(self, position: int) -> Part:
        """Return the second computation of one case."""
        return Part(self, position)

    def answer(self, position: int) -> dict[str, Any]:
        """Wait for all, and return the answer about one case.

        Raises: Apart where there are no answers; as `Child.result`.
        """
        if not self.over:
            self.over = True
            with contextlib.suppress(DpcertError):  # of which case, each finds by itself
                self.answers = self.child.result(waits=False)["answers"]
        if not self.answers:
            raise Apart("the process that computed the laws a second time was lost")
        return delivered(self.answers[position])


@dataclass(frozen=True, slots=True)
class Part:
    """The second computation of one of several cases."""

    several: Several
    position: int

    def digests(self, scope: str) -> Sequence[str]:
        """Return the digests, as `Second.digests` does."""
        return _digests(lambda: self.several.answer(self.position), scope)


def _digests(answer: Callable[[], dict[str, Any]], scope: str) -> Sequence[str]:
    """Return the digests of an answer of the other process.

    Raises: Unauditable where it could not compute them, or found another `scope` of pairs.
    """
    try:
        found = answer()
    except (TimedOut, ChildEnded, ChildFailed, InputError) as error:
        raise Unauditable(str(error)) from None
    if found["scope"] != scope:
        raise Unauditable("the neighbour relation answered otherwise: it must depend on its two arguments alone")
    laws: list[str] = found["digests"]
    return laws


@contextlib.contextmanager
def several(
    specs: Sequence[Spec], options: Options, *, folder: str | None = None, seconds: float | None = None
) -> Iterator[Several]:
    """Start the second computations of many cases and end them on leaving, as `second` does for one."""
    running = Several(specs, options, folder, seconds)
    try:
        yield running
    finally:
        running.child.close()


@contextlib.contextmanager
def second(
    spec: Spec, options: Options, *, folder: str | None = None, seconds: float | None = None
) -> Iterator[Second]:
    """Start the second computation and end it on leaving, however that happens.

    A worker gives its own `folder`, for the process to belong to it, and the `seconds` that it was given itself.
    """
    running = Second(spec, options, folder, seconds)
    try:
        yield running
    finally:
        running.child.close()
