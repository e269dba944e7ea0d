"""Evidence for coverage.py: the unreached lines and branches of programs written out below, beside other tracers too.

Lines are counted from the line of the `def`, which is 0.
"""

import _thread
import fractions
import functools
import importlib
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeVar

import pytest

from dpcert import ApproxDP, Coins, Report
from dpcert.audit.coverage import Coverage, Unreached, code_of
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.reading.paths.watch import refuse_hidden_randomness

R = TypeVar("R")


def alone(work: Callable[[], R]) -> R:
    """Do some work in a thread that no tracer follows: the tests themselves may be traced."""
    found: list[R] = []
    done = _thread.allocate_lock()

    def run() -> None:
        try:
            found.append(work())
        finally:
            done.release()

    done.acquire()
    _thread.start_new_thread(run, ())
    with done:
        (result,) = found
    return result


def loops(x: int) -> int:
    total = 0
    for i in range(x):
        total += i
        if i > 50:
            break
    else:
        total = -1
    while x > 0:
        x -= 1
        if x == 77:
            continue
        total += 1
    return total


def watch(program: Callable[[int], Any], *inputs: int) -> Coverage:
    def work() -> Coverage:
        coverage = Coverage(program)
        for x in inputs:
            with coverage.observe() as observer, refuse_hidden_randomness(observer):
                program(x)
        return coverage

    return alone(work)


def straight(x: int) -> int:
    """A docstring is no line."""
    y = 2 * x
    # nor is a comment

    return y + 1


def two_arms(x: int) -> list[int]:
    if x > 5:
        y, *_ = [1], x
    else:
        y = []
    if x > 100:
        y.append(x)
    return y


def one_arm(x: int) -> int:
    y = 0
    if x > 5:
        y = 1
    return y


def handlers(x: int) -> int:
    try:
        y = 1 // x
    except ZeroDivisionError:
        y = 0
    except ValueError:
        y = 9
    finally:
        x = 3
    return y


def inner(x: int) -> int:
    def used(y: int) -> int:
        if y:
            return 1
        return 2

    def unused(y: int) -> int:
        if y:
            return 3
        return 4

    return used(x)


def cases(x: int) -> str:
    match x:
        case 0:
            return "zero"
        case 1:
            return "one"
        case _:
            return "many"


def refuses(x: int) -> int:
    if x < 0:
        raise ValueError(x)
    return x


def spread(x: int) -> int:
    return (
        1
        if x > 5
        else 2
    )  # fmt: skip


def on_one_line(x: int) -> Any:
    a = [i for i in range(x) if i > 100]
    b = x > 3 and x < 10
    return a if x > 5 else b


def countdown(x: int) -> int:
    if x > 0:
        return countdown(x - 1)
    return x


def forever(x: int) -> int:
    while True:
        x -= 1
        if x < 0:
            return x


def lazily(x: int) -> int:
    return sum(
        i
        for i in range(x)
    )  # fmt: skip


def unreached(program: Callable[..., Any], *inputs: int) -> tuple[list[int], list[tuple[int, int]]]:
    """The unreached lines and branches, counted from the `def`."""
    found = watch(program, *inputs).unreached()
    if found is None:
        return [], []
    assert found.file == program.__code__.co_filename
    code = code_of(program)
    first = code.co_firstlineno
    return [line - first for line in found.lines], [(a - first, b - first) for a, b in found.branches]


@pytest.mark.parametrize(("program", "inputs", "lines", "branches"), [
    (straight, [1], [], []), (two_arms, [1], [2, 6], [(1, 2), (5, 6)]), (two_arms, [9], [4, 6], [(1, 4), (5, 6)]),
    (two_arms, [1, 9], [6], [(5, 6)]), (two_arms, [1, 101], [], []), (one_arm, [1], [3], [(2, 3)]),
    (one_arm, [9], [], [(2, 4)]), (one_arm, [9, 1], [], []), (loops, [3], [5, 11], [(4, 5), (10, 11)]),
    (loops, [0], [3, 4, 5, 9, 10, 11, 12], [(8, 9)]), (loops, [60], [7, 11], [(2, 7), (10, 11)]),
    (loops, [3, 60, 78], [], []), (handlers, [1], [3, 4, 5, 6], []), (handlers, [1, 0], [5, 6], [(3, 5)]),
    (inner, [1], [4, 7, 8, 9], [(2, 4)]), (inner, [0, 1], [7, 8, 9], []), (cases, [0], [4, 5, 6, 7], [(2, 4)]),
    (cases, [2], [3, 5], [(2, 3), (4, 5)]), (cases, [0, 1, 2], [], []), (refuses, [1], [2], [(1, 2)]),
    (spread, [1], [2], [(3, 2)]), (spread, [1, 9], [], []), (on_one_line, [1], [], []), (countdown, [2], [], []),
    (countdown, [0], [2], [(1, 2)]), (forever, [2], [], []), (lazily, [3], [], []),
])  # fmt: skip
def test_what_no_input_reached(
    program: Callable[..., Any], inputs: list[int], lines: list[int], branches: list[tuple[int, int]]
) -> None:
    assert unreached(program, *inputs) == (lines, branches)


def test_the_order_of_inputs_does_not_matter() -> None:
    assert unreached(loops, 78, 60, 3) == ([], [])
    assert unreached(two_arms, 9, 1) == unreached(two_arms, 1, 9, 1)


def test_a_run_that_ends_by_an_exception_counts() -> None:
    def work() -> Unreached | None:
        coverage = Coverage(refuses)
        with pytest.raises(ValueError, match="-1"), coverage.observe() as observer, refuse_hidden_randomness(observer):
            refuses(-1)
        return coverage.unreached()

    found = alone(work)
    assert found.lines == (refuses.__code__.co_firstlineno + 3,)


def test_runs_outside_do_not_count_and_the_tracer_is_put_back() -> None:
    def work() -> Unreached | None:
        coverage = Coverage(two_arms)
        with coverage.observe() as observer, refuse_hidden_randomness(observer):
            two_arms(1)
            assert sys.gettrace() is not None
        two_arms(101)
        assert sys.gettrace() is None
        return coverage.unreached()

    found = alone(work)
    assert found is not None
    assert found == watch(two_arms, 1).unreached()


def test_helpers_in_the_file_of_the_program_count_once_they_run() -> None:
    def program(x: int) -> list[int]:
        return two_arms(x)

    first = two_arms.__code__.co_firstlineno
    found = watch(program, 1).unreached()
    assert found == Unreached(__file__, (first + 2, first + 6), ((first + 1, first + 2), (first + 5, first + 6)))
    assert watch(program, 1, 101).unreached() is None


def test_nothing_is_said_of_a_program_that_ran_elsewhere() -> None:
    assert watch(two_arms).unreached() is None


def test_other_files_are_noted_and_not_traced() -> None:
    def program(x: int) -> Fraction:
        return Fraction(x, 3) + 1

    coverage = watch(program, 1)
    assert coverage.unreached() is None
    assert {__file__, fractions.__file__} <= coverage.files


def test_the_code_behind_a_callable_is_found() -> None:
    class Callable_:
        def __call__(self, x: int) -> int:
            return one_arm(x)

        def method(self, x: int) -> int:
            return x

    @functools.wraps(two_arms)
    def wrapped(x: int) -> list[int]:
        return two_arms(x)

    assert code_of(two_arms) is two_arms.__code__
    assert code_of(wrapped) is two_arms.__code__
    assert code_of(functools.partial(functools.partial(one_arm))) is one_arm.__code__
    assert code_of(Callable_()) is Callable_.__call__.__code__
    assert code_of(Callable_().method) is Callable_.method.__code__


def test_an_object_that_has_every_attribute_is_looked_into_and_not_for_ever() -> None:
    class Everything:
        func = straight

        def __getattr__(self, name: str) -> Any:
            return self

        def __call__(self, x: int) -> int:
            return x

    assert code_of(Everything()) is Everything.__call__.__code__


@pytest.mark.parametrize("program", [len, max, int, functools.partial(max, 1), None, 3])
def test_what_is_no_python_code_has_no_coverage(program: Any) -> None:
    assert code_of(program) is None
    coverage = Coverage(program)
    with coverage.observe() as observer, refuse_hidden_randomness(observer):
        straight(1)
    assert coverage.unreached() is None


def test_where_the_program_sets_a_tracer_nothing_is_said_to_be_unreached() -> None:
    def tracer(frame: Any, event: str, argument: Any) -> Any:
        return tracer

    def program(x: int) -> list[int]:
        sys.settrace(tracer)
        try:
            return two_arms(x)
        finally:
            sys.settrace(None)

    coverage = watch(program, 1)
    assert coverage.unreached() is None
    assert "a tracer was set or stopped" in coverage.note


def test_code_of_another_file_counts_also_with_the_globals_of_one_that_ran() -> None:
    code = two_arms.__code__.replace(co_filename=functools.__file__)
    elsewhere = FunctionType(code, globals())

    def program(x: int) -> Any:
        return [two_arms(x), elsewhere(x)]

    assert {__file__, functools.__file__} <= watch(program, 1).files


def test_a_module_asked_for_by_name_counts_each_time() -> None:
    def program(x: int) -> Any:
        return [importlib.import_module(name) for name in ("json", "csv")][x]

    assert watch(program, 0, 1).names == {"json", "csv"}


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
    assert audited(0, 1) == Unreached("test_coverage.py", (3,), ((2, 3),))
    assert audited(5, 6) == Unreached("test_coverage.py", (4,), ((2, 4),))
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
