"""What is tested on a grid holds between its points, too: nightly, at points drawn anew in each run."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from random import Random, SystemRandom
from types import ModuleType

import pytest

from dpcert.proofs.registry import CHECKS, MODULES, rows
from dpcert.proofs.weighted_sampling.checks import frequencies, shapes

DENOMINATORS = (7, 11, 13, 17, 23, 60)
FIXED = {
    ("weighted_sampling.checks.performance", "SWEEP"): "the points of a figure",
    ("weighted_sampling.checks.performance_estimates", "HALVES"): "a sequence that falls",
    ("weighted_sampling.checks.threshold_sampling", "TAUS"): "multiples of 1/120, on which the draw is uniform",
    ("user_level.checks.clip_threshold", "LAPLACE_FACTOR"): "bounds of a constant",
    ("user_level.checks.clip_threshold", "GAUSSIAN_FACTOR"): "bounds of a constant",
    ("user_level.checks.threshold_choice", "ETAS"): "multiples of 1/2, the unit of the mechanism",
}
"""Tuples of fractions that are no grid of free points, and what they are."""

Grid = tuple[Fraction, ...]


def on_grids() -> list[str]:
    """The checks behind rows that say tested."""
    found = dict.fromkeys(name for row in rows() if row.status == "tested" for name in row.methods if name in CHECKS)
    return list(found)


def grids(modules: Mapping[str, ModuleType]) -> Iterator[tuple[ModuleType, str, Grid]]:
    """Yield the tuples of fractions of modules, each with its module and name, but for the fixed ones."""
    for name, module in modules.items():
        for constant, value in vars(module).items():
            free = (name.removeprefix("dpcert.proofs."), constant) not in FIXED
            points = isinstance(value, tuple) and len(value) > 1 and all(isinstance(x, Fraction) for x in value)
            if constant.isupper() and free and points:
                yield module, constant, value


def drawn(grid: Grid, random: Random) -> Grid:
    """Return as many points, strictly between the ends of a grid."""
    low, high = min(grid), max(grid)

    def point() -> Fraction:
        parts = random.choice(DENOMINATORS)
        return low + (high - low) * Fraction(random.randrange(1, parts), parts)

    return tuple(point() for _ in grid)


def off_grid(random: Random, set_constant: Callable[[ModuleType, str, Grid], None]) -> int:
    """Put drawn points in place of each grid, equal ones for equal grids, and return how many grids there are."""
    modules = {name: import_module(name) for name in sorted({MODULES[check] for check in on_grids()})}
    points: dict[Grid, Grid] = {}
    found = list(grids(modules))
    for module, constant, grid in found:
        set_constant(module, constant, points.setdefault(grid, drawn(grid, random)))
    return len(found)


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
