"""Moments of a sum of independent losses, in floats: they choose tilts and grids, and no bound rests on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEEPEST, _MOST = 1e5, 60

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Cumulants:
    """A sum of independent draws: places and logarithms of masses of each law, with the number of draws."""

    parts: Sequence[tuple[Floats, Floats, int]]

    @classmethod
    def of(cls, parts: Iterable[tuple[Sequence[tuple[float, float]], int]]) -> Cumulants:
        """Return the sum of draws from rows of place and logarithm of mass each, with their numbers; none are empty."""
        return cls([(*np.array(rows, np.float64).T, times) for rows, times in parts])

    def at(self, tilt: float) -> tuple[float, float, float]:
        """Return the logarithm of the moment E e^(tilt x), and the mean and the variance of the law so tilted."""
        moment = mean = variance = 0.0
        for places, heights, times in self.parts:
            weights = heights + tilt * places
            top = float(weights.max())
            weights = np.exp(weights - top)
            whole = float(weights.sum())
            middle = float((weights * places).sum()) / whole
            moment += times * (top + float(np.log(whole)))
            mean += times * middle
            variance += times * float((weights * (places - middle) ** 2).sum()) / whole
        return moment, mean, variance

    def tilt_to(self, goal: float) -> float:
        """Return about the tilt >= 0 that puts the mean at a goal."""

        def gap(tilt: float) -> tuple[float, float, float]:
            _, mean, variance = self.at(tilt)
            return goal - mean, variance, variance / 16

        return _solved(gap)

    def tilt_for(self, rate: float) -> float:
        """Return about the tilt >= 0 at whose mean x Chernoff's bound of the mass beyond x is e^-rate."""

        def gap(tilt: float) -> tuple[float, float, float]:
            moment, mean, variance = self.at(tilt)
            return rate - tilt * mean + moment, tilt * variance, 1e-4 * rate**2

        return _solved(gap)


def _solved(gap: Callable[[float], tuple[float, float, float]]) -> float:
    """Return about the tilt at which a gap, with its fall and the square of the part nearby, is no longer positive."""
    tilt, low, high = 0.0, 0.0, _STEEPEST
    for _ in range(_MOST):
        missing, slope, near = gap(tilt)
        if missing > 0:
            low = tilt
        else:
            high = tilt
        if high == 0 or missing**2 <= near:
            break
        step = tilt + missing / slope if slope else low
        tilt = step if low < step < high else (low + min(high, 4 * low + 1e-3)) / 2
    return tilt
