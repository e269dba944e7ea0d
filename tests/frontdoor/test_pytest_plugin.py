"""The pytest plugin: targets are tests; refuted fails, undecided is an error, and neither is ever a pass."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert.run.lock.lockfile import read_lock

MECHANISMS = """
    BITS = dict(inputs=[0, 1], neighbours="any")

    def keep(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    def prints(bit, coins):
        return str(coins.below(2**64))

    test_holds = target(guarantee=PureDP("ln(3)"), **BITS)(keep)
    test_fails = target(guarantee=PureDP("ln(2)"), **BITS)(keep)
    opens = target(guarantee=PureDP(0), **BITS)(prints)
    fails_as_declared = target(guarantee=PureDP("ln(2)"), **BITS, expect="refuted")(keep)
    holds_unlike_declared = target(guarantee=PureDP("ln(3)"), **BITS, expect="refuted")(keep)
    fails_unlike_declared = target(guarantee=PureDP("ln(2)"), **BITS, expect="undecided")(keep)
    opens_as_declared = target(guarantee=PureDP(0), **BITS, expect="undecided")(prints)

    @target(guarantee=PureDP(0), **BITS)
    def raises_unevenly(bit, coins):
        if bit:
            raise ValueError("one")
        return 0

    @target(guarantee=PureDP(0), **BITS)
    def never_stops(bit, coins):
        while True:
            pass

    @target(guarantee=PureDP("ln(3)"), **BITS, params={"of": [4, 5]})
    def grid(bit, coins, of):
        return bit if coins.below(of) < of - 1 else 1 - bit

    def test_plain():
        assert True
"""

OUTCOMES = {
    "test_holds": "PASSED",
    "test_fails": "FAILED",
    "opens": "FAILED",
    "fails_as_declared": "PASSED",
    "holds_unlike_declared": "FAILED",
    "fails_unlike_declared": "FAILED",
    "opens_as_declared": "PASSED",
    "raises_unevenly": "FAILED",
    "never_stops": "FAILED",
    "grid": "PASSED",
    "grid[1]": "FAILED",
    "test_plain": "PASSED",
}


def run_pytest(folder: Path, *arguments: str) -> tuple[int, str, dict[str, str]]:
    """Run pytest in a folder; return its status, its output, and the outcome of each test."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-p", "no:benchmark", *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        capture_output=True,
        text=True,
        check=False,
    )
    rows = re.findall(r"^(PASSED|FAILED|ERROR) [\w./]+::([\w.\[\]]+)", done.stdout, re.MULTILINE)
    return done.returncode, done.stdout + done.stderr, {name: outcome for outcome, name in rows}


@pytest.fixture(scope="module")
def project(writer: Callable[..., Callable[..., Path]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    budget = '[tool.dpcert]\nbudgets = { "test_mechanisms.py:never_stops" = 1.5 }\n'
    writer(folder)("pyproject.toml", f"[tool.pytest.ini_options]\n{budget}", head="")
    writer(folder)("test_mechanisms.py", MECHANISMS)
    return folder


@pytest.fixture(scope="module")
def ran(project: Path) -> tuple[int, str, dict[str, str]]:
    return run_pytest(project)


@pytest.mark.nightly
def test_each_target_is_a_test_with_the_outcome_of_its_verdict(ran: tuple[int, str, dict[str, str]]) -> None:
    status, _, outcomes = ran
    assert outcomes == OUTCOMES
    assert status == 1


@pytest.mark.nightly
def test_a_failure_shows_the_pair_the_event_its_chances_and_a_line_to_paste(
    ran: tuple[int, str, dict[str, str]],
) -> None:
    _, out, _ = ran
    expected = """\
  event    {0}: 3/4 on 0 > 2 * 1/4 on 1 + 0: 0.75 > 0.5; makes even odds 3 to 1
           for 0
  size     least epsilon ln(3), least delta 1/4
  test     def test_fails_event(): dpcert.assert_event(test_fails, a=0, b=1, event=[0])
"""
    assert expected in out
    assert "dpcert.assert_event(raises_unevenly, a=0, b=1, event=[0])" in out
    assert "dpcert.assert_event(grid, a=0, b=1, event=[0], of=5)" in out
    assert "verified, but refuted was expected" in out
    assert "Traceback" not in out
    assert "src/dpcert" not in out  # no stack of ours
    assert len(out.splitlines()) < 150


def test_an_error_shows_the_reason(project: Path) -> None:
    _, out, _ = run_pytest(project, "-k", "opens and not declared")
    assert "undecided  " in out
    assert "undecided bits was needed as a plain number" in out


@pytest.mark.nightly
def test_the_time_limit_of_a_target_is_the_configurations(ran: tuple[int, str, dict[str, str]]) -> None:
    _, out, _ = ran
    assert "because  stopped by the time limit of 1.5 s" in out
    assert "next     raise --time-limit, or audit fewer or smaller inputs" in out


@pytest.mark.nightly
def test_pasted_lines_fail_until_a_mend(ran: tuple[int, str, dict[str, str]], writer: Any, tmp_path: Path) -> None:
    _, out, _ = ran
    found = re.findall(r"^ +test +(def test_\w+\(\): .+)$", out, re.MULTILINE)
    lines = list(dict.fromkeys(found))  # under CI=true pytest repeats whole messages in its summary
    kept = [line for line in lines if "raises_unevenly" not in line]
    assert (len(lines), len(kept)) == (4, 3)
    tests = "\n".join(re.sub(r"test_\w+", f"test_event{i}", line, count=1) for i, line in enumerate(kept))
    path = writer(tmp_path)("test_kept.py", MECHANISMS)
    text = f"{path.read_text()}\n{tests}\n"
    for mended, outcome in ((text, "FAILED"), (text.replace("< 3", "< 2").replace("of - 1", "3"), "PASSED")):
        path.write_text(mended)
        _, _, outcomes = run_pytest(tmp_path, "-k", "test_event")
        assert outcomes == dict.fromkeys(("test_event0", "test_event1", "test_event2"), outcome)


CONFIGURED = """
[tool.pytest.ini_options]
testpaths = ["tests"]

[tool.dpcert]
targets = {targets}
"""


@pytest.mark.nightly
def test_targets_of_the_configuration_are_tests_unless_some_files_are_asked_for(write: Any, tmp_path: Path) -> None:
    write("pyproject.toml", CONFIGURED.format(targets='["src/mechanisms.py:test_holds", "more"]'), head="")
    write("src/mechanisms.py", MECHANISMS)
    write("more/leaking.py", "leaks = target(guarantee=PureDP(0), inputs=[0, 1], neighbours='any')(lambda x, coins: x)")
    write("tests/test_one.py", "def test_one(): pass", head="")
    status, _, outcomes = run_pytest(tmp_path)
    assert (status, outcomes) == (1, {"test_one": "PASSED", "test_holds": "PASSED", "leaks": "FAILED"})
    status, _, outcomes = run_pytest(tmp_path, "tests/test_one.py")
    assert (status, outcomes) == (0, {"test_one": "PASSED"})


@pytest.mark.nightly
def test_a_target_that_is_imported_is_collected_once(write: Any, tmp_path: Path) -> None:
    write(
        "pyproject.toml",
        '[tool.pytest.ini_options]\npythonpath = "."\n[tool.dpcert]\ntargets = ["noise.py"]\n',
        head="",
    )
    write(
        "noise.py",
        """
        def honest(bit, coins): return bit if coins.below(4) else 1 - bit

        first = target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")(honest)
        second = target(guarantee=PureDP("ln(4)"), inputs=[0, 1], neighbours="any")(honest)
    """,
    )
    write("test_a.py", "from noise import first\ndef test_one(): pass", head="")
    write("test_b.py", "from noise import first as again\ndef test_two(): pass", head="")
    status, _, outcomes = run_pytest(tmp_path)
    assert (status, outcomes) == (0, dict.fromkeys(("first", "test_one", "test_two", "second"), "PASSED"))
    status, _, outcomes = run_pytest(tmp_path, "test_b.py::again", "test_b.py")
    assert (status, outcomes) == (0, dict.fromkeys(("again", "test_two"), "PASSED"))


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ('"mechanisms.py"', "needed: targets: a list of texts"),
        ("[3]", "needed: targets: a list of texts"),
        ('["missing.py"]', "no such file or folder"),
        ('["geosample"]', "needed: a file or a folder"),
        ("[]\ntime-limits = 3", "did you mean 'time-limit'?"),
        ("[]\ntime-limit = 0", "needed: time-limit: seconds above 0"),
        ('["bad.py"]', "does not import: SyntaxError"),
        ('["mechanisms.py:test_hold"]', "did you mean 'test_holds'?"),
    ],
)
def test_refused_configuration(write: Any, tmp_path: Path, targets: str, words: str) -> None:
    write("pyproject.toml", CONFIGURED.format(targets=targets), head="")
    write("mechanisms.py", MECHANISMS)
    write("bad.py", "x = (")
    write("tests/test_one.py", "def test_one(): pass", head="")
    status, out, _ = run_pytest(tmp_path)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert words in out
    assert "Traceback" not in out


@pytest.mark.nightly
@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf"])
def test_refused_time_limit(tmp_path: Path, limit: str) -> None:
    status, out, _ = run_pytest(tmp_path, f"--dpcert-time-limit={limit}")
    assert status == pytest.ExitCode.USAGE_ERROR
    assert f"--dpcert-time-limit {limit}; needed: seconds above 0" in out


@pytest.mark.nightly
def test_the_plugin_has_the_projects_lock_and_report(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write("pyproject.toml", '[tool.dpcert]\ntargets = ["mechanisms.py"]\nlock = "dpcert.lock"\n', head="")
    write(
        "mechanisms.py",
        """
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def leaks(bit, coins):
            return bit
        """,
    )
    lock, report = tmp_path / "dpcert.lock", tmp_path / "it.sarif"
    for _ in range(2):
        status, out, outcomes = run_pytest(tmp_path, "--dpcert-sarif", "it.sarif", "--junitxml", "it.xml")
        assert (status, outcomes) == (1, {"leaks": "FAILED"})
        assert "dpcert: dpcert.lock" not in out
        assert '"startLine": 6' in report.read_text()
        assert '"uri": "mechanisms.py"' in report.read_text()
    lock.write_text(lock.read_text().replace('"refuted"', '"verified"'))
    status, out, outcomes = run_pytest(tmp_path)
    assert (status, outcomes) == (1, {"leaks": "FAILED"})
    assert "dpcert: dpcert.lock: 1 entry is not sealed with a key of this machine, or edited since; found again" in out
    lock.write_text("<<<<<<<")
    status, out, outcomes = run_pytest(tmp_path)
    assert (status, outcomes) == (pytest.ExitCode.USAGE_ERROR, {})
    assert "needed: a lock that dpcert wrote" in out
    status, out, outcomes = run_pytest(tmp_path, "--dpcert-no-lock", "--dpcert-sarif", "mechanisms.py/it")
    assert (status, outcomes) == (pytest.ExitCode.USAGE_ERROR, {"leaks": "FAILED"})
    assert "dpcert: --dpcert-sarif mechanisms.py/it: " in out


@pytest.mark.nightly
def test_the_workers_of_xdist_share_the_lock_and_their_findings_are_in_one_report(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shared key is what seals, and no key of the user's is made."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("DPCERT_LOCK_KEY", "a key that is long enough")
    write("pyproject.toml", '[tool.dpcert]\nlock = "dpcert.lock"\n', head="")
    write(
        "test_mechanisms.py",
        """
        def keep(bit, coins):
            return bit if coins.below(4) < 3 else 1 - bit

        holds = target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")(keep)
        leaks = target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any")(keep)
        other = target(guarantee=PureDP("1/2"), inputs=[0, 1], neighbours="any")(keep)
        """,
    )
    status, _, _ = run_pytest(tmp_path, "-n", "2", "--dpcert-sarif", "it.sarif")
    assert status == 1
    (run,) = json.loads((tmp_path / "it.sarif").read_text())["runs"]
    assert run["invocations"][0]["exitCode"] == 1
    names = [result["locations"][0]["logicalLocations"][0]["name"] for result in run["results"]]
    assert sorted(names) == ["leaks", "other"]
    assert not (tmp_path / "state").exists()
    entries = read_lock(tmp_path / "dpcert.lock").values()
    assert len(entries) == 3
    assert len({name for entry in entries for name in entry["seals"]}) == 1


@pytest.mark.nightly
def test_what_a_lost_worker_of_xdist_had_found_is_missed_aloud(write: Any, tmp_path: Path) -> None:
    write(
        "test_mechanisms.py",
        """
        import os

        def test_ends_the_worker():
            os._exit(1)
        """,
    )
    status, _, _ = run_pytest(tmp_path, "-n", "1", "--max-worker-restart", "0", "--dpcert-sarif", "it.sarif")
    assert status != 0
    (run,) = json.loads((tmp_path / "it.sarif").read_text())["runs"]
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 70)
    assert "a worker of pytest-xdist was lost" in invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.nightly
def test_the_report_is_written_without_the_lock(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write("pyproject.toml", '[tool.dpcert]\ntargets = ["mechanisms.py"]\nlock = "away/dpcert.lock"\n', head="")
    write(
        "mechanisms.py",
        """
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def leaks(bit, coins):
            return bit
        """,
    )
    status, out, outcomes = run_pytest(tmp_path, "--dpcert-sarif", "it.sarif")
    assert (status, outcomes) == (pytest.ExitCode.USAGE_ERROR, {"leaks": "FAILED"})
    assert "needed: a lock file that can be written" in out
    assert "dpcert/refuted" in (tmp_path / "it.sarif").read_text()


MARKED = """
    import pytest
    BITS = dict(inputs=[0, 1], neighbours="any")

    @pytest.mark.long
    @target(guarantee=PureDP(0), **BITS)
    def left_out(bit, coins):
        return bit

    @pytest.mark.filterwarnings("default")
    @target(guarantee=PureDP("ln(3)"), **BITS)
    def marked(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    class TestIt:
        @target(guarantee=PureDP(0), **BITS)
        def test_in_class(bit, coins):
            return bit

        also = marked

        def test_makes_one_while_it_runs(self):
            target(guarantee=PureDP(0), **BITS)(lambda bit, coins: bit)

    LOST = [target(guarantee=PureDP(0), **BITS)(lambda bit, coins: bit)]
"""


@pytest.mark.nightly
def test_lost_targets_are_errors_and_marks_are_heard(writer: Any, tmp_path: Path) -> None:
    writer(tmp_path)("test_marked.py", MARKED)
    status, out, _ = run_pytest(tmp_path, "-m", "not long")
    assert status == 1
    assert "2 passed, 1 deselected, " in out
    assert "ERROR test_marked.py::test_in_class[line " in out
    for words in ("is in the class TestIt, so nothing audits it", "is in LOST, a list, so nothing audits it"):
        assert words in out
    assert run_pytest(tmp_path, "test_marked.py::marked")[0] == 0
