"""Exit statuses: 0, 1, 2, 3, 70 with precedence 70, 2, 1, 3, 0, whatever the order and whatever else is asked."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.run.audits import Outcome
from dpcert.run.single import TimedAnswer
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut, Trouble

TARGETS = """
    BITS = dict(inputs=[0, 1], neighbours="any")

    def keep(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    def prints(bit, coins):  # its outcomes are too many to tell
        return str(coins.below(2**64))

    holds = target(guarantee=PureDP("ln(3)"), **BITS)(keep)
    fails = target(guarantee=PureDP("ln(2)"), **BITS)(keep)
    opens = target(guarantee=PureDP(0), **BITS)(prints)
    holds_unlike_declared = target(guarantee=PureDP("ln(3)"), **BITS, expect="refuted")(keep)
    fails_as_declared = target(guarantee=PureDP("ln(2)"), **BITS, expect="refuted")(keep)
    fails_unlike_declared = target(guarantee=PureDP("ln(2)"), **BITS, expect="undecided")(keep)
    opens_as_declared = target(guarantee=PureDP(0), **BITS, expect="undecided")(prints)
    opens_unlike_declared = target(guarantee=PureDP(0), **BITS, expect="refuted")(prints)
"""


@pytest.fixture
def path(write: Callable[..., Path]) -> Path:
    return write("targets.py", TARGETS)


STATUS = {"holds": 0, "fails": 1, "opens": 3, "missing": 2}


@pytest.mark.points(4)
@pytest.mark.parametrize("names", [names for k in (1, 2, 4) for names in itertools.permutations(STATUS, k)])
def test_the_status_is_the_gravest_in_any_order(quick: Any, path: Path, names: tuple[str, ...]) -> None:
    done = quick(*(f"{path}:{name}" for name in names))
    found = {STATUS[name] for name in names}
    assert done.status == next(status for status in (2, 1, 3, 0) if status in found)
    if names != ("missing",):
        audited = [name for name in names if name != "missing"]
        assert list(done.verdicts()) == audited  # the others still ran
        assert len(done.document.get("errors", [])) == len(names) - len(audited)
    assert len(done.err.splitlines()) == names.count("missing")


@pytest.mark.points(5)
@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["holds"], 0),
        (["fails_as_declared"], 0),
        (["opens_as_declared"], 0),
        (["holds", "fails_as_declared", "opens_as_declared"], 0),
        (["fails"], 1),
        (["holds_unlike_declared"], 1),
        (["fails_unlike_declared"], 1),
        (["opens"], 3),
        (["opens_unlike_declared"], 3),
        (["opens_unlike_declared", "holds_unlike_declared"], 1),
        (["fails_as_declared", "missing"], 2),
    ],
)
def test_expect_is_0_for_declared_verdicts_alone(quick: Any, path: Path, names: list[str], status: int) -> None:
    assert quick(*(f"{path}:{name}" for name in names), "--expect").status == status


def test_without_expect_what_is_declared_does_not_matter(quick: Any, path: Path) -> None:
    assert quick(f"{path}:fails_as_declared").status == 1
    assert quick(f"{path}:opens_as_declared").status == 3
    assert quick(f"{path}:holds_unlike_declared").status == 0


def test_an_internal_error_outweighs_all_else(quick: Any, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(subject: Any, *rest: Any, **more: Any) -> Any:
        raise ZeroDivisionError("a fault of our own\nin two lines")

    names = [f"{path}:{name}" for name in STATUS]
    monkeypatch.setattr("dpcert.worker.auditing.decide", broken)
    done = quick(*names)
    assert done.status == 70
    lines = done.err.splitlines()
    assert len(lines) == 4
    assert all(line.startswith("dpcert: internal error: ZeroDivisionError: a fault") for line in lines[1:])
    assert done.document["schema"] == "dpcert.error/1"


def test_an_error_of_this_process_is_a_line_and_70(
    inside: Any, monkeypatch: pytest.MonkeyPatch, check_json: Any
) -> None:
    def broken(*rest: Any, **more: Any) -> Any:
        raise AttributeError("a fault of our own")

    monkeypatch.setattr("dpcert.commands.audit.audit_all", broken)
    line = inside("audit", "geosample").refusal(70)
    assert "internal error: AttributeError: a fault of our own (test_statuses.py, line " in line
    done = inside("audit", "geosample", "--json")
    assert done.status == 70
    check_json("error", done.document)


@pytest.mark.parametrize("statuses", list(itertools.permutations([70, 2, 3])))
def test_precedence_among_troubles(statuses: tuple[int, ...]) -> None:
    troubles = [Trouble("given", "needed", "remedy", status) for status in statuses]
    for k in range(1, 4):
        found = set(statuses[:k])
        expected = next(status for status in (70, 2, 1, 3) if status in found)
        assert Outcome(troubles=troubles[:k]).status(expect=False) == expected
        assert Outcome(troubles=troubles[:k]).status(expect=True) == expected


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["audit", "--help"], ["recheck", "-h"]])
def test_help_and_version_are_no_errors(inside: Any, arguments: list[str]) -> None:
    done = inside(*arguments)
    assert (done.status, done.err) == (0, "")
    assert done.out


def test_help_states_the_exit_statuses(inside: Any) -> None:
    words = " ".join(inside("audit", "--help").out.split())
    assert "Exit status: 0 everything asked for was verified" in words
    assert "70 internal error" in words
    assert "0 accepted, 1 well formed but false, 2 malformed" in " ".join(inside("recheck", "--help").out.split())


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputError(given="a", needed="b", remedy="c"), 2),
        (Unauditable("it cannot be followed"), 3),
        (TimedOut("stopped by the time limit"), 3),
        (ChildEnded("the process ended", 1), 3),
        (ChildFailed("IndexError: of our own"), 70),
    ],
)
def test_an_error_that_is_raised_again_has_its_status(error: DpcertError, status: int) -> None:
    trouble = Trouble.of(error)
    assert trouble.status == status
    assert Trouble.of(trouble.error()) == trouble


def test_an_error_in_an_audit_of_a_plan_is_70(
    inside: Any, workers_inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = Trouble.of(ChildFailed("IndexError: of our own"))
    monkeypatch.setattr(
        "dpcert.run.planning.audit_one", lambda label, spec, run: TimedAnswer(label, spec, trouble, 0.0)
    )
    line = inside("plan", "geosample", "--epsilon", "1/10", "--neighbours", "counts_differ_by_one").refusal(status=70)
    assert "internal error: IndexError: of our own" in line
