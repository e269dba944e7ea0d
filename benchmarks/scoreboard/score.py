"""An auditor's answers beside the truth: each from a process of its own, with the processor time that it took."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoreboard.known import Known
from scoreboard.problem import NOT_PRIVATE, PRIVATE, UNDECIDED, Answer, Auditor

LIMIT = 20
"""Seconds of processor time for one answer."""
MEMORY = 6 << 30


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer to a known problem, and the seconds of processor time that it took."""

    known: Known
    answer: Answer
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the answer is the truth."""
        return self.answer.verdict == (PRIVATE if self.known.private else NOT_PRIVATE)

    @property
    def false_proof(self) -> bool:
        """Whether a claim that is false was called true."""
        return not self.known.private and self.answer.verdict == PRIVATE

    @property
    def missed(self) -> bool:
        """Whether a claim that is false was not called so."""
        return not self.known.private and self.answer.verdict != NOT_PRIVATE

    @property
    def false_alarm(self) -> bool:
        """Whether a claim that is true was called false."""
        return self.known.private and self.answer.verdict == NOT_PRIVATE

    @property
    def open(self) -> bool:
        """Whether a claim that is true was left undecided."""
        return self.known.private and self.answer.verdict == UNDECIDED

    def __str__(self) -> str:
        words = (
            "right" if self.right else "FALSE PROOF" if self.false_proof else "FALSE ALARM" if self.false_alarm else "-"
        )
        reason = self.answer.reason.replace("\n", " ")[:100]
        return f"{words}, {self.known.problem.id}, {self.answer.verdict}, {self.seconds:.1f} s, {reason}"


def asked(auditor: Auditor, each: Known, limit: int = LIMIT) -> Scored:
    """Return an auditor's answer, from a process of its own; undecided where that ends without one."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(auditor, each, limit, there))
    before = _children()
    child.start()
    there.close()
    try:
        answer = here.recv()
        child.join()
    except EOFError:
        child.join()
        late = f"no answer within {limit} s of processor time"
        ended = f"its process ended with status {child.exitcode} and no answer"
        answer = Answer(UNDECIDED, late if child.exitcode == -signal.SIGXCPU else ended)
    return Scored(each, answer, _children() - before)


def _answer(auditor: Auditor, each: Known, limit: int, there: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    try:
        answer = auditor(each.problem)
    except Exception as error:  # an auditor that fails has not answered
        answer = Answer(UNDECIDED, f"{type(error).__name__}: {error}")
    there.send(answer)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def together(ways: Sequence[Sequence[Scored]]) -> list[Scored]:
    """Return for each problem the first of several ways' answers that decides, with the seconds of all up to it."""
    found = []
    for answers in zip(*ways, strict=True):
        seconds = 0.0
        for scored in answers:
            seconds += scored.seconds
            if scored.answer.verdict != UNDECIDED:
                break
        found.append(Scored(scored.known, scored.answer, seconds))
    return found
