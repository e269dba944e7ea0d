"""Programs that release what is made of undecided answers: randomised responses, as practitioners write them."""

from __future__ import annotations

from typing import Any

import numpy as np
from masked import written
from numpy.random import Generator


def flipped_truths(n: int, rng: Generator) -> Any:
    truths = np.array([True, False, bool(n)])
    mask = rng.random(3) < 0.25
    return truths ^ mask, ~mask, np.logical_not(mask), mask == truths, mask != 1


def powers(n: int, rng: Generator) -> Any:
    mask = rng.random(2) < 0.25
    return mask**2, (mask * 3) ** 2, 2 ** (mask * 2), (mask * 5) // 2, (mask * 7) & 5, (mask * 1) << 3, -(mask * 1)


def narrow(n: int, rng: Generator) -> Any:
    """What is made of an answer may wrap."""
    mask = (rng.random(2) < 0.25).astype(np.uint8)
    return mask * np.uint8(200) + np.uint8(100), mask - np.uint8(1), -mask


def divided(n: int, rng: Generator) -> Any:
    """Where the answer is no, it is divided by 0."""
    mask = rng.random(1) < 0.25
    return 1 / mask > 2


def folded(n: int, rng: Generator) -> Any:
    bits = np.array([0, 1, n])
    noisy = np.where(rng.random(3) < 0.25, 1 - bits, bits)
    return noisy.sum(), (noisy * 2.5).max(), (noisy == 1).mean()


def kept_apart(n: int, rng: Generator) -> Any:
    """Two of one draw."""
    u = rng.random(2)
    return (u < 0.25) ^ (u < 0.5), (u < 0.2) + 2 * (u < 0.5)


def one_hot(n: int, rng: Generator) -> Any:
    """Optimised unary encoding."""
    hot = np.zeros(3)
    hot[n] = 1
    return (rng.random(3) < np.where(hot == 1, 0.5, 0.25)).astype(int)


def k_ary(n: int, rng: Generator) -> Any:
    """k-ary randomised response."""
    if rng.random() < 0.5:
        return n
    return rng.integers(4)


ROWS = {
    "flipped": "bits = np.array([0, 1, n]); return np.where(rng.random(3) < 0.25, 1 - bits, bits)",
    "flipped_by_xor": "bits = np.array([0, 1, n]); return bits ^ (rng.random(3) < 0.25)",
    "flipped_by_a_remainder": "return (np.array([0, 1, n]) + (rng.random(3) < 0.25)) % 2",
    "listed": "return np.where(rng.random(3) < 0.25, [0, 1, 2], [5.5, 1.0, -0.0])",
    "chosen_numbers": "return np.where(rng.random(3) < 0.25, 1, 0), np.where(rng.random(()) < 0.25, -1.0, 2)",
    "chosen_among_draws": "return np.where(rng.random(2) < 0.5, np.array([1, 0]), rng.integers(0, 2, size=2))",
    "with_thresholds": "return rng.random(3) < np.array([0.1, 0.2, 0.3 * n])",
    "in_place": "bits = np.array([0, 1, n]); bits ^= rng.random(3) < 0.25; bits[0] += rng.random() < 0.5; return bits",
    "assigned": "v = (rng.random(3) < 0.25) * 1; v[1] = n; return v",
}
PROGRAMS = (
    *written(globals(), ROWS, "n, rng: Generator"),
    *(flipped_truths, narrow, divided, folded, kept_apart, one_hot, k_ary),
)

OF_OTHER_TYPES = (powers,)
"""Programs of which the stand-ins do not give numpy's own types."""
