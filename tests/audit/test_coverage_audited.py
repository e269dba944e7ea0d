"""What an audit says its inputs did not reach, beside other tracers too."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from dpcert import ApproxDP, Coins, Report
from dpcert.audit.coverage import Coverage, Unreached
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.reading.paths.watch import refuse_hidden_randomness

from .traced import R, alone, loops, watch


def capped(x: int, coins: Coins) -> int:
    y = x + coins.below(3)
    if y > 4:
        return 4
    return y


def audit(*inputs: int) -> Report:
    subject = Subject("capped", capped, inputs, RELATIONS["counts_differ_by_one"])
    return decide(subject, ApproxDP("1", "1/2"), again=subject.digests)


def audited(*inputs: int) -> Unreached | None:
    first = capped.__code__.co_firstlineno
    report = alone(lambda: audit(*inputs))
    if report.unreached is None:
        return None
    lines = tuple(line - first for line in report.unreached.lines)
    branches = tuple((a - first, b - first) for a, b in report.unreached.branches)
    return Unreached(Path(report.unreached.file).name, lines, branches)


def test_an_audit_reports_what_its_inputs_did_not_reach() -> None:
    assert audited(0, 1) == Unreached("test_coverage_audited.py", (3,), ((2, 3),))
    assert audited(5, 6) == Unreached("test_coverage_audited.py", (4,), ((2, 4),))
    assert audited(2, 3) is None


class Stack:
    """A tracer that keeps the stack of what runs, as coverage's does; a greedy one sets itself anew, as that in C."""

    def __init__(self, *, greedy: bool, lines: bool) -> None:
        self.greedy, self.wants_lines = greedy, lines
        self.running: list[CodeType] = []
        self.called: list[CodeType] = []
        self.lines: list[int] = []
        self.wrong: list[str] = []

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "call":
            self.running.append(frame.f_code)
            self.called.append(frame.f_code)
            frame.f_trace_lines = self.wants_lines
            if self.greedy:
                sys.settrace(self.trace)
        elif event == "line" and frame.f_code.co_filename == __file__:
            self.lines.append(frame.f_lineno)
        elif event == "return" and (not self.running or self.running.pop() is not frame.f_code):
            self.wrong.append(frame.f_code.co_qualname)
        return self.trace

    def follow(self, work: Callable[[], R]) -> R:
        def run() -> R:
            sys.settrace(self.trace)
            try:
                return work()
            finally:
                assert sys.gettrace() == self.trace
                sys.settrace(None)

        return alone(run)


@pytest.mark.points(1)
@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("greedy", [False, True])
def test_an_active_tracer_sees_every_call_and_return_and_the_report_is_the_same(greedy: bool, lines: bool) -> None:
    tracer = Stack(greedy=greedy, lines=lines)
    report = tracer.follow(lambda: audit(0, 1))
    assert (tracer.wrong, tracer.running) == ([], [])
    assert tracer.called.count(capped.__code__) > 2
    first = capped.__code__.co_firstlineno
    assert {line - first for line in tracer.lines if first < line < first + 5} == ({1, 2, 4} if lines else set())
    plain = alone(lambda: audit(0, 1))
    assert plain.unreached is not None
    assert plain.certificate is not None
    assert report == plain


@pytest.mark.parametrize("inputs", [[3], [3, 60, 78]])
def test_what_is_reached_beside_a_tracer_is_what_is_reached_alone(inputs: list[int]) -> None:
    def work() -> Coverage:
        coverage = Coverage(loops)
        for x in inputs:
            with coverage.observe() as observer, refuse_hidden_randomness(observer):
                loops(x)
        return coverage

    followed, plain = Stack(greedy=False, lines=False).follow(work), watch(loops, *inputs)
    assert (followed.unreached(), followed.files >= plain.files, followed.note) == (plain.unreached(), True, None)


def test_where_a_tracer_stops_itself_nothing_is_said_to_be_unreached() -> None:
    def once(frame: FrameType, event: str, argument: Any) -> Any:
        if sys.gettrace() is not once:
            sys.settrace(None)

    def work() -> Report:
        sys.settrace(once)
        return audit(0, 1)

    report = alone(work)
    assert report.unreached is None
    assert report.notes == (
        f"what no input reached is not known, as a tracer was set or stopped: {__name__}.{once.__qualname__}",
    )
