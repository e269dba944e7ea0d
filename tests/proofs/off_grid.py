"""Grids of checks, and points drawn between their ends in place of them."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from random import Random
from types import ModuleType

from dpcert.proofs.registry import CHECKS, MODULES, rows

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
