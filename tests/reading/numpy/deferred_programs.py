"""Programs of elements that are made of several draws, or by what is not monotone in one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

WEIGHTS = [0.5, 0.25, 0.25]


def chosen_beside_draws(n: int, rng: Generator) -> Any:
    bits = np.array([0, 1, n])
    return np.where(rng.random(3) < 0.5, bits, rng.integers(0, 2, size=3)).sum()


def weighted_choices(n: int, rng: Generator) -> Any:
    x = rng.choice(3, size=3, p=WEIGHTS)
    return (x == 1).sum()


def choices_in_no_order(n: int, rng: Generator) -> Any:
    return rng.choice([3, 1, 2], size=2, p=WEIGHTS).sum(), rng.choice([0.5, -0.5, 0.25], size=2)


def two_masks(n: int, rng: Generator) -> Any:
    u, v = rng.random(2) < 0.25, rng.random(2) < 0.5
    return (u & v).any(), (u | ~v).all(), (u ^ v).sum()


def of_two_masks_alone(n: int, rng: Generator) -> Any:
    return ((rng.random(3) < 0.5) & (rng.random(3) < 0.25)).sum()


def sums_and_products(n: int, rng: Generator) -> Any:
    return (rng.integers(0, 2, size=2) + rng.integers(1, 3, size=2)).sum(), (
        rng.integers(-1, 2, size=2) * rng.integers(0, 2, size=2)
    ).max()


def places_of_sums(n: int, rng: Generator) -> Any:
    noisy = np.array([0, n, 1]) + rng.integers(0, 2, size=3) - rng.integers(0, 2, size=3)
    return np.argmax(noisy)


def distances(n: int, rng: Generator) -> Any:
    x = rng.integers(-1, 3, size=2)
    return np.abs(x).sum(), np.count_nonzero(x), np.sign(x).min(), (np.abs(x) * 0.5).sum()


def twice_randomised(n: int, rng: Generator) -> Any:
    """A permanent response, and an instantaneous one of it."""
    bits = np.array([0, 1, n])
    kept = np.where(rng.random(3) < 0.25, 1 - bits, bits)
    return (rng.random(3) < np.where(kept == 1, 0.75, 0.25)).mean()


def kept_beside_a_sum(n: int, rng: Generator) -> Any:
    x = np.where(rng.random(3) < 0.5, np.array([0, 1, n]), rng.integers(0, 2, size=3))
    return x[0], x.sum(), x.tolist()


def draws_told_elsewhere(n: int, rng: Generator) -> Any:
    u = rng.random(2)
    v = (rng.random(2) < 0.25) * 1
    total = np.where(u < 0.5, v, 1 - v).sum()
    return total, u < 0.25


def one_draw_in_two_elements(n: int, rng: Generator) -> Any:
    u, v = rng.random(2) < 0.5, rng.integers(0, 2, size=2)
    return (u * v + (u & (v == 1))[::-1]).sum()


def in_a_loop(n: int, rng: Generator) -> Any:
    count = 0
    for bit in np.where(rng.random(3) < 0.5, np.array([0, 1, n]), rng.integers(0, 2, size=3)):
        count += int(bit)
    return count


def narrow_and_cast(n: int, rng: Generator) -> Any:
    x = rng.integers(0, 100, size=1, dtype=np.int8) // np.int8(60)
    y = (x + (rng.random(1) < 0.5)) * np.int8(100)
    return y.sum(), y.astype(float).sum(), (y > 100).any(), type(y.sum()).__name__


def along_axes(n: int, rng: Generator) -> Any:
    x = rng.random((2, 3)) < np.array([0.25, 0.5, 0.25 * n])
    return x.sum(axis=0), np.any(x, axis=1)


def stored(n: int, rng: Generator) -> Any:
    x = np.zeros(3)
    x[:2] = np.where(rng.random(2) < 0.5, rng.integers(0, 2, size=2), 2)
    x += 1
    y = np.concatenate([x, x[:1]]).reshape(2, 2)
    return y.sum(), float(y[0, 1]), bool(y[1, 0] > 0)


def of_signed_zeros(n: int, rng: Generator) -> Any:
    x = np.where(rng.random(2) < 0.25, -0.0, 0.0) * np.where(rng.random(2) < 0.5, 1.0, -1.0)
    return x.sum(), np.maximum(x, 0.0), x.max()


def divided(n: int, rng: Generator) -> Any:
    """Where both are 0, the quotient is NaN."""
    x = (rng.integers(0, 2, size=2) * 1.0) / rng.integers(0, 2, size=2)
    return (x > 0.5).sum(), np.isnan(x)


def too_large_for_its_type(n: int, rng: Generator) -> Any:
    x = np.zeros(1, np.int8)
    try:
        x[0] = int(rng.integers(0, 2)) * 200
    except OverflowError as error:
        return str(error)
    return x


def halves(n: int, rng: Generator) -> Any:
    """What it makes may be rounded, as floats are added in some order."""
    x = np.where(rng.random(3) < 0.5, 0.1, rng.integers(0, 2, size=3))
    return x.sum(), x.argmax()


PROGRAMS = (
    *(chosen_beside_draws, weighted_choices, choices_in_no_order, two_masks, of_two_masks_alone, sums_and_products),
    *(places_of_sums, distances, twice_randomised, kept_beside_a_sum, draws_told_elsewhere, one_draw_in_two_elements),
    *(in_a_loop, narrow_and_cast, along_axes, stored, of_signed_zeros, divided, too_large_for_its_type, halves),
)
