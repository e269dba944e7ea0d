"""The noise of the benchmark's mechanisms, drawn many at once from a numpy generator."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Shape = int | tuple[int, ...]


def exponential(rng: np.random.Generator, scale: float, shape: Shape) -> Array:
    """Return Exp(scale): the density is e^(-x / scale) / scale for x >= 0."""
    noise = rng.standard_exponential(shape)
    noise *= scale
    return noise


def laplace(rng: np.random.Generator, scale: float, shape: Shape) -> Array:
    """Return Lap(scale): an exponential with a random sign, three times as fast as numpy's own."""
    noise = exponential(rng, scale, shape)
    signs = rng.integers(0, 2, shape, dtype=np.int8)
    signs *= 2
    signs -= 1
    noise *= signs
    return noise


def uniform_open(rng: np.random.Generator, shape: Shape) -> Array:
    """Return U, uniform in (0, 1) and rounded down to a double: each double comes with its distance to the next."""
    mantissa = rng.integers(1 << 52, 1 << 53, shape)
    return np.ldexp(mantissa.astype(np.float64), -52 - rng.geometric(0.5, shape))
