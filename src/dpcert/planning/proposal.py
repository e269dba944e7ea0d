"""The proposal of a search: an answer, the sense in which it is the best, and the audits that must confirm it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcert.mechanisms.exact.number import ratio_text
from dpcert.planning.question import Budget

OPTIMUM, SEARCH = "optimum", "search"
"""The kinds of an answer: no better parameter exists in the stated sense, or a search knows none."""


@dataclass(frozen=True, slots=True)
class PlannedAudit:
    """An audit to run: a shipped mechanism at some settings, the claim, and the verdict that is expected."""

    name: str
    settings: Mapping[str, str]
    epsilon: str
    delta: str
    neighbours: str
    expect: str = "verified"

    @classmethod
    def within(cls, budget: Budget, name: str, settings: Mapping[str, str], expect: str = "verified") -> PlannedAudit:
        """Return the audit of a claim that spends the whole budget."""
        return cls(name, settings, str(budget.epsilon), ratio_text(budget.delta), budget.audited, expect)


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """One point of a frontier: its parameters, and the audit that must confirm it, if any."""

    parameters: Mapping[str, str]
    check: PlannedAudit | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """The outcome of a search.

    `answer` is None where no parameter meets the budget. `scope` says for which inputs, and by which argument, the
    answer is private. `why` says in which sense it is the best, and `kind` is OPTIMUM or SEARCH. `answers` are audits
    that must be verified, `beyond` those of the next better parameters, which must be refuted. `paper` is the printed
    choice, from `source`; `bought` has lines on the gain by exactness; `utility` has figures on the user's own
    frequencies. `delta` bounds the least delta, in texts "p/q", where no audit of the answer does.
    """

    answer: Mapping[str, str] | None
    scope: str
    kind: str
    why: str
    source: str
    paper: Mapping[str, str] | None = None
    bought: tuple[str, ...] = ()
    answers: tuple[PlannedAudit, ...] = ()
    beyond: tuple[PlannedAudit, ...] = ()
    frontier: tuple[FrontierPoint, ...] | None = None
    utility: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()
    where: str = ""
    delta: tuple[str, str] | None = None
