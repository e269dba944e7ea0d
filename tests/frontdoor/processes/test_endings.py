"""Programs that print, or end their process: the others go on, and what was refuted before stays refuted."""

from pathlib import Path
from typing import Any

import pytest

from dpcert.run.lock.lockfile import read_lock

ENDING = {
    "exits": ("os._exit(0)", "the process ended with status 0"),
    "exits_with_1": ("os._exit(1)", "the process ended with status 1"),
    "sys_exits": ('sys.exit("verified")', "SystemExit, which is no outcome"),
    "is_interrupted": ("raise KeyboardInterrupt", "KeyboardInterrupt, which is no outcome"),
    "kills_itself": (
        "os.kill(os.getpid(), signal.SIGKILL)",
        "ended by signal 9 (SIGKILL), as the system does where memory runs out",
    ),
    "ends_by_a_signal_without_a_name": ('signal.raise_signal(getattr(signal, "SIGRTMIN", 34) + 3)', "ended by signal "),
    "crashes": ("import faulthandler; return faulthandler._sigsegv()", "ended by signal 11 (SIGSEGV)"),
    "takes_all_memory": ("return len(bytearray(10**12))", "MemoryError, which is no outcome"),
}
OTHERS = """
    import os, signal, sys, threading
    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    print("verified everything")
    print("refuted nothing", file=sys.stderr)
    os.write(1, b"{}")
    text = sys.stdin.read()

    @target(**BITS)
    def prints_and_leaves_a_thread(bit, coins):
        print("a secret:", bit, flush=True)
        os.write(1, b"verified")
        os.write(2, b"Traceback")
        sys.stdout = sys.stderr = None
        return bit if coins.below(4) < 3 else 1 - bit

    threading.Thread(target=threading.Event().wait).start()
"""


@pytest.mark.parametrize(
    "names", [["exits", "kills_itself", "takes_all_memory"], pytest.param([*ENDING], marks=pytest.mark.nightly)]
)
def test_a_program_that_ends_its_process_is_undecided_alone(audited: Any, write: Any, names: list[str]) -> None:
    ending = "".join(
        f"\n    @target(**BITS)\n    def {name}(bit, coins):\n        {ENDING[name][0]}\n" for name in names
    )
    done = audited(write("ending.py", OTHERS + ending))
    assert done.verdicts() == {"prints_and_leaves_a_thread": "verified", **dict.fromkeys(names, "undecided")}
    assert (done.status, done.err) == (3, "")
    for name in names:
        assert ENDING[name][1] in done.result(name)["reason"]


STOPS = """
    import itertools, os

    SCOPE = dict(inputs=range(4), neighbours="counts_differ_by_one", params={"last": [2, 1]})

    def stopping(stop):
        def release(count, coins, last):
            if count > last:
                stop()
            return count + coins.below(4)
        return release

    spins = target(guarantee=PureDP(1), **SCOPE)(stopping(lambda: sum(itertools.repeat(0))))
    ends = target(guarantee=PureDP(1), **SCOPE)(stopping(lambda: os._exit(0)))
    within = target(guarantee=ApproxDP(1, "1/2"), **SCOPE)(stopping(lambda: os._exit(0)))
"""
"""On the third or second input of four the program stops; those before refute the claim, but for the last target's."""


@pytest.mark.nightly
def test_what_was_refuted_before_the_process_stopped_is_refuted(
    audited: Any, command: Any, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = write("stops.py", STOPS)
    certificates, lock = tmp_path / "certificates", tmp_path / "dpcert.lock"
    arguments = ("--certificates", certificates, "--lock", lock, "--time-limit", 4)
    done = audited(path, *arguments)
    assert (done.status, done.err) == (1, "")
    for name, words in {"spins": "stopped by the time limit of 4 s", "ends": "the process ended with status 0"}.items():
        for last in (1, 2):
            (result,) = [
                found
                for found in done.document["results"]
                if found["target"].endswith(f":{name}") and found["claim"]["parameters"]["last"] == str(last)
            ]
            assert (result["verdict"], result["pairs"], result["reason"]) == ("refuted", 1, None)
            assert (result["delta"]["hi"], result["epsilon"]["hi"], result["tail"]) == ("1/1", None, "1/1")
            assert f"refuted before every pair was examined: {words}" in result["notes"][-1]
            recheck = command("recheck", result["certificate"], "--target", f"{path}:{name}")
            assert (recheck.status, "accepted: refuted" in recheck.out) == (0, True)
    within = [found for found in done.document["results"] if found["target"].endswith(":within")]
    assert [(found["verdict"], found["reason"]) for found in within] == 2 * [
        ("undecided", "the process ended with status 0")
    ]
    assert [entry["job"]["op"] for entry in read_lock(lock).values()] == ["specs"]


MOODY = """
    SEEN = []

    @target(guarantee=PureDP(1), inputs=range(4), neighbours="counts_differ_by_one")
    def release(count, coins):
        if count == 3:
            SEEN.append(count)
        return coins.below(4) + (0 if SEEN else count)
"""
"""What refutes the claim on the first inputs is there no more after the last."""


@pytest.mark.nightly
def test_a_refutation_that_is_gone_at_the_end_leaves_no_certificate(audited: Any, write: Any, tmp_path: Path) -> None:
    done = audited(write("moody.py", MOODY), "--certificates", tmp_path / "certificates")
    assert (done.status, done.verdicts()) == (3, {"release": "undecided"})
    assert not (tmp_path / "certificates").exists()


INTERRUPTED = """
    @target(guarantee=PureDP(1), inputs=range(4), neighbours="counts_differ_by_one", params={"sides": range(2, 11)})
    def release(count, coins, sides):
        if count == 3:
            raise KeyboardInterrupt
        return count + coins.below(sides)
"""


@pytest.mark.nightly
def test_a_point_that_shares_its_process_is_refuted_as_by_itself(audited: Any, write: Any) -> None:
    """Nine points share processes by twos: in eight of them the program ends after the first pairs refuted it."""
    results = audited(write("interrupted.py", INTERRUPTED), jobs=1).document["results"]
    assert [result["verdict"] for result in results] == 9 * ["refuted"]
    assert all("KeyboardInterrupt, which is no outcome" in result["notes"][-1] for result in results)


ENDING_LATER = """
    import os

    @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any", params={"sides": range(2, 11)})
    def release(bit, coins, sides):
        if sides in ENDS and os.environ["PYTHONHASHSEED"] != "1":
            os._exit(1)
        return coins.below(sides)
"""


@pytest.mark.nightly
@pytest.mark.parametrize("ends", [(7,), (6, 7)])
def test_a_point_that_ends_the_second_process_does_so_alone(audited: Any, write: Any, ends: tuple[int, ...]) -> None:
    done = audited(write("ending.py", ENDING_LATER.replace("ENDS", str(ends))), jobs=1)
    found = {
        int(result["claim"]["parameters"]["sides"]): (result["verdict"], result["reason"])
        for result in done.document["results"]
    }
    lost = ("undecided", "computed a second time: the process ended with status 1")
    assert found == {sides: lost if sides in ends else ("verified", None) for sides in range(2, 11)}
    assert (done.status, done.err) == (3, "")


@pytest.mark.points(1)
@pytest.mark.parametrize("text", ["import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"])
def test_a_file_that_ends_its_process_does_not_import(inside: Any, write: Any, text: str) -> None:
    path = write("ending.py", text, head="")
    assert f"{path} does not import: the process " in inside("audit", path).refusal()


@pytest.mark.nightly
def test_a_file_with_lines_in_its_name_is_one_line(command: Any, write: Any) -> None:
    text = """
        def release(bit, coins):
            return bit if coins.below(4) < 3 else 1 - bit
        release.__name__ = "release\\nverified   everything \\x1b[2J"
        other = target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")(release)
    """
    path = write("漢\nverified  b.py", text)
    done = command("audit", path, "--format", "oneline", env={"PYTHONIOENCODING": "latin-1"})
    assert (done.status, done.err, len(done.lines)) == (0, "", 2)
    assert all(line.isprintable() for line in done.lines)
    assert (
        "does not import" in command("audit", write("漢\nb.py", "x = ("), env={"PYTHONIOENCODING": "latin-1"}).refusal()
    )
