"""What is tested on a grid holds between its points, too: nightly, at points drawn anew in each run."""

from fractions import Fraction
from random import Random, SystemRandom
from types import ModuleType

import pytest

from dpcert.proofs.registry import CHECKS
from dpcert.proofs.weighted_sampling.checks import frequencies, shapes

from .off_grid import Grid, drawn, grids, off_grid, on_grids

HALVES = (Fraction(1, 2), Fraction(1))


@pytest.mark.nightly
def test_what_is_tested_on_a_grid_holds_between_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = SystemRandom().randrange(2**32)
    off_grid(Random(seed), lambda module, name, points: monkeypatch.setattr(module, name, points))
    red = {name: found.witness for name in on_grids() if not (found := CHECKS[name]()).holds}
    assert red == {}, f"seed {seed}"


def test_every_grid_is_moved_and_no_point_stays() -> None:
    moved: dict[tuple[str, str], Grid] = {}

    def note(module: ModuleType, name: str, points: Grid) -> None:
        moved[module.__name__, name] = points
        before = vars(module)[name]
        assert len(points) == len(before)
        assert min(before) < min(points) <= max(points) < max(before)

    assert off_grid(Random(1), note) == len(moved) > 40
    assert moved[frequencies.__name__, "RATIOS"] == moved[shapes.__name__, "RATIOS"]


def test_what_is_no_grid_stays() -> None:
    module = ModuleType("dpcert.proofs.weighted_sampling.checks.performance")
    vars(module).update(SWEEP=HALVES, ONE=HALVES[1], SIZES=(1, 2), small=HALVES, DELTAS=HALVES)
    assert [name for _, name, _ in grids({module.__name__: module})] == ["DELTAS"]


def test_caught_a_statement_that_holds_on_its_grid_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """pws-saturation with its form for delta <= 1/2 everywhere holds at 1 and 1/2, and fails at delta = 7/10."""

    def late(delta: Fraction, grown: Fraction) -> bool:
        return 2 * delta * grown > 1

    def fails(deltas: Grid) -> bool:
        phi = [(delta, delta / 2) for delta in deltas]  # at i = 1
        return any((value > 1 - delta) != late(delta, delta) for delta, value in phi)

    assert not fails(HALVES)
    assert any(fails(drawn(HALVES, Random(seed))) for seed in range(60))
    monkeypatch.setattr(shapes, "DELTAS", (Fraction(7, 10),))
    assert CHECKS["pws-saturation"]().holds
