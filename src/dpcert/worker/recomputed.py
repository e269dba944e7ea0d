"""The second computation of laws, in a process with another PYTHONHASHSEED, for one claim or for many in a row."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass
from typing import Protocol

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.targets.options import Options
from dpcert.targets.spec import Spec
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone, Digests, FindDigests, FindDigestsOfMany, FindDigestsOfPremises
from dpcert.worker.process import HASH_SEEDS, Child
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut


class Apart(DpcertError):
    """A claim among others has no answer, as their process was lost; it needs a process of its own."""


class Recomputed(Protocol):
    """The second computation of a claim's laws."""

    def digests(self, scope: str) -> Sequence[str]:
        """Wait for the digests of the laws and return them.

        Raises: Unauditable where the other process could not compute them, or computed another `scope` of pairs.
        """


class Second:
    """The second computation of the laws of one job, in a process that starts at once."""

    def __init__(self, job: FindDigests | FindDigestsOfPremises, folder: str | None, seconds: float | None) -> None:
        self.child = Child(job, _other_seed(), folder=folder, seconds=seconds)
        self.close = self.child.close

    def digests(self, scope: str) -> Sequence[str]:
        return _digests(lambda: self.child.reply(waits=False).delivered(), scope)


class Several:
    """The second computations of many claims' laws, in one process, in reverse order; callers ask by position."""

    def __init__(self, specs: Sequence[Spec], options: Options, folder: str | None, seconds: float | None) -> None:
        job = FindDigestsOfMany(list(specs), options)
        self.child = Child(job, _other_seed(), folder=folder, seconds=seconds)
        self.close = self.child.close
        self.answers: list[Digests | Alone | Failure] = []
        self.over = False

    def at(self, position: int) -> Part:
        return Part(self, position)

    def answer(self, position: int) -> Digests:
        """Wait for all, and return the answer about one claim.

        Raises: Apart where there are no answers; the error of a failure.
        """
        if not self.over:
            self.over = True
            with suppress(DpcertError):  # of which claim, each finds by itself
                self.answers = self.child.reply(waits=False).delivered().answers
        if not self.answers:
            raise Apart("the process that computed the laws a second time was lost")
        answer = self.answers[position]
        if isinstance(answer, Digests):
            return answer
        raise answer.error() if isinstance(answer, Failure) else Apart(answer.reason)


@dataclass(frozen=True, slots=True)
class Part:
    """The second computation of one of several claims."""

    several: Several
    position: int

    def digests(self, scope: str) -> Sequence[str]:
        return _digests(lambda: self.several.answer(self.position), scope)


def _other_seed() -> str:
    return HASH_SEEDS[os.environ.get("PYTHONHASHSEED") != HASH_SEEDS[1]]


def _digests(answer: Callable[[], Digests], scope: str) -> Sequence[str]:
    """Return the digests of an answer of the other process.

    Raises: Unauditable where the process could not compute them, or computed another `scope` of pairs.
    """
    try:
        computed = answer()
    except (TimedOut, ChildEnded, ChildFailed, InputError) as error:
        raise Unauditable(str(error)) from None
    if computed.scope != scope:
        raise Unauditable("the neighbour relation answered otherwise: it must depend on its two arguments alone")
    return computed.digests


def several(
    specs: Sequence[Spec], options: Options, *, folder: str | None = None, seconds: float | None = None
) -> AbstractContextManager[Several]:
    """Start the second computations of many claims and end them on leaving, as `second` does for one."""
    return closing(Several(specs, options, folder, seconds))


def second(
    job: FindDigests | FindDigestsOfPremises, *, folder: str | None = None, seconds: float | None = None
) -> AbstractContextManager[Second]:
    """Start the second computation and end it on leaving, however that happens.

    A worker passes its own `folder`, so that the process belongs to it, and its own `seconds`.
    """
    return closing(Second(job, folder, seconds))
