"""The front door of timing audits, on the real clock: leaks that no machine hides, the zoo's, and what is refused.

Each run may refute a constant-time program with a chance of 1e-3; none here is one, but where that is said.
"""

from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.exact.errors import InputError

TEXT = """
    import time

    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    def answer(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(**BITS, expect="refuted")
    def hurried(bit, coins):
        found = answer(bit, coins)
        return found if found == 0 else found + 0 * sum(range(3000 * bit))

    @target(**BITS, expect="undecided")
    def padded(bit, coins):
        until = time.perf_counter_ns() + 50_000
        found = answer(bit, coins)
        while time.perf_counter_ns() < until:
            pass
        return found

    @target(guarantee=PureDP("1/10"), inputs=[0, 1], neighbours="any", expect="refuted")
    def alone(bit):
        sum(range(5000 * bit))
"""


@pytest.mark.nightly
def test_leaks_are_refuted_and_a_padded_program_is_not(quick: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    done = quick(path, "--timing", "both", "--expect", "--samples", "20000")
    assert done.status == 0
    refuted = done.result("hurried")
    assert refuted["timing"]["observes"] == "both"
    assert refuted["claim"]["sentence"].startswith("hurried, its running time observed as well, is (ln(3), 0)-")
    assert (refuted["confidence"], refuted["power"]) == ("999999/1000000", None)
    undecided = done.result("padded")
    assert undecided["reason"] == "no leak found"
    assert "replays" in undecided["power"]
    assert undecided["timing"]["delay"] < 50_000_000


@pytest.mark.nightly
def test_the_time_alone_the_statuses_and_the_notes(quick: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    options = ("--timing", "duration", "--samples", "20000", "--resolution", "100", "--certificates", path.parent / "c")
    done = quick(f"{path}:alone", f"{path}:padded", *options)
    assert done.status == 1
    assert done.verdicts() == {"alone": "refuted", "padded": "undecided"}
    found = done.result("alone")
    assert "nothing observed but its running time" in found["claim"]["sentence"]
    assert found["timing"]["resolution"] == 100
    assert any("no certificate" in note for note in found["notes"])
    assert any("multiples of 100 ns" in note for note in found["notes"])
    assert not (path.parent / "c").exists()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name", ["geosample-short-draw", "geometric-early-stop", "sparse-histogram-draws", "mixing-early-exit"]
)
def test_caught_the_timing_leaks_of_the_zoo(inside: Any, workers_inside: None, name: str) -> None:
    (line, _) = inside(
        *("audit", name, "--timing", "both", "--samples", "200000", "--time-limit", "100", "--format", "oneline")
    ).lines
    assert line.startswith(f"{name}: refuted: ")
    for words in (
        ", its running time observed as well, is",
        "at confidence 0.999999: epsilon >= ",
        " (median ",
        " ns)",
    ):
        assert words in line


@pytest.mark.nightly
def test_a_padded_program_is_not_refuted_over_repeated_audits(quick: Any, write: Any) -> None:
    """alpha = 1e-3 for each of 30 audits at most, were its time constant; one refutation is let pass, two are not."""
    path = write("user.py", TEXT)
    options = ("--timing", "both", "--samples", "50000", "--time-limit", "60")
    found = [quick(f"{path}:padded", *options).verdicts()["padded"] for _ in range(30)]
    assert found.count("refuted") <= 1


def hurried(bit: int, coins: dpcert.Coins) -> int:
    return coins.below(2) + 0 * sum(range(3000 * bit))


def test_from_python() -> None:
    found = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any")(hurried)
    report = dpcert.audit(found, method="clock", options=dpcert.Options(timing="both", samples=20_000, seed=1)).seen
    assert report.refuted
    assert report.medians[0] != report.medians[1]
    with pytest.raises(InputError, match="both or duration"):
        dpcert.audit(found, method="clock", options=dpcert.Options(timing="neither"))
