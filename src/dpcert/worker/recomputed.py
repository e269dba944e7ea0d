"""The second computation of laws, in a process with another PYTHONHASHSEED, for one claim or for many in a row."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone, Digests, FindDigests, FindDigestsOfMany, FindDigestsOfPremises
from dpcert.worker.process import HASH_SEEDS, Child
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut

Recomputation = FindDigests | FindDigestsOfMany | FindDigestsOfPremises


class Apart(DpcertError):
    """A claim among others has no answer, as their process was lost; it needs a process of its own."""


class Second:
    """The second computation of laws, in a process that starts at once; leaving `with` ends it, however that happens.

    A worker passes its own `folder`, so that the process belongs to it, and its own `seconds`. The process takes the
    last of many claims first.
    """

    def __init__(self, job: Recomputation, *, folder: str | None = None, seconds: float | None = None) -> None:
        other = HASH_SEEDS[os.environ.get("PYTHONHASHSEED") != HASH_SEEDS[1]]
        self.child: Child[Any] = Child(job, other, folder=folder, seconds=seconds)
        self.answers: list[Digests | Alone | Failure] | None = None  # about many claims, once the process has answered

    def __enter__(self) -> Second:
        return self

    def __exit__(self, *error: object) -> None:
        self.child.close()

    def digests(self, scope: str, position: int | None = None) -> Sequence[str]:
        """Wait for the digests of the laws and return them; `position` is that of a claim among many.

        Raises: Unauditable where the other process could not compute them, or computed another `scope` of pairs; Apart
                where a claim among many needs a process of its own.
        """
        try:
            answer = self.child.reply(waits=False).delivered() if position is None else self._among(position)
        except (TimedOut, ChildEnded, ChildFailed, InputError) as error:
            raise Unauditable(str(error)) from None
        if answer.scope != scope:
            raise Unauditable("the neighbour relation answered otherwise: it must depend on its two arguments alone")
        return list(answer.digests)

    def _among(self, position: int) -> Digests:
        if self.answers is None:
            self.answers = []
            with suppress(DpcertError):  # it does not say of which claim: each is audited again by itself
                self.answers = self.child.reply(waits=False).delivered().answers
        if not self.answers:
            raise Apart("the process that computed the laws a second time was lost")
        match self.answers[position]:
            case Digests() as answer:
                return answer
            case Alone(reason):
                raise Apart(reason)
            case failure:
                raise failure.error()
