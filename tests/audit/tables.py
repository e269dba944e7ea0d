"""What the tests of decide.py share: programs given by tables of weights, and their audit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from dpcert import ApproxDP, Coins, Report, Undecided
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject

OUTCOMES = ("a", "b", True, 1)
Program = Callable[[Any, Coins], Any]
Tables = Sequence[Sequence[int]]


def of_tables(tables: Tables) -> Program:
    """The program whose outcomes on input i have the weights tables[i]."""

    def program(i: int, coins: Coins) -> Any:
        u = coins.below(sum(tables[i]))
        for outcome, weight in zip(OUTCOMES, tables[i], strict=False):
            if u < weight:
                return outcome
            u -= weight
        raise AssertionError

    return program


def subject(program: Program, inputs: tuple[Any, ...] = (0, 1), neighbours: str = "any", **more: Any) -> Subject:
    return Subject("program", program, inputs, RELATIONS[neighbours], **more)


def audit(found: Subject, guarantee: ApproxDP, **more: Any) -> Report:
    return decide(found, guarantee, again=replace(found).digests, **more)


def reason(report: Report) -> str:
    assert isinstance(report.verdict, Undecided)
    assert report.certificate is None
    return report.verdict.reason


def flip(bit: int, coins: Coins) -> int:
    """Randomized response at ln 3."""
    return bit if coins.below(4) < 3 else 1 - bit


weights = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any)


def heard_of(found: Subject, guarantee: ApproxDP) -> tuple[list[Report], Report]:
    heard: list[Report] = []
    last = audit(found, guarantee, early=heard.append)
    return heard, last
