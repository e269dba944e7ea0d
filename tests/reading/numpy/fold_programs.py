"""Programs of folds of arrays that are drawn, and of what else tells of the same draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from masked import written
from numpy.random import Generator


def totals(n: int, rng: Generator) -> Any:
    return (rng.random(3) < 0.25).sum(), rng.integers(-1, 2, size=2).sum(), np.sum(rng.integers(2, size=2))


def twice(n: int, rng: Generator) -> Any:
    """Of draws that are kept, both sums tell the same."""
    bits = rng.random(3) < 0.25
    return bits.sum(), np.sum(bits), bits


def kept_in_a_view(n: int, rng: Generator) -> Any:
    bits = rng.random(3) < 0.25
    view = bits[1:]
    del bits
    first = view.sum()
    return first, bool(view[0])


def kept_element_beside_a_sum(n: int, rng: Generator) -> Any:
    bits = rng.integers(2, size=3)
    first = bits[0] + 0
    total = bits.sum()
    return total, first


def of_one_draw_twice(n: int, rng: Generator) -> Any:
    """The same draw lies in two places of an array."""
    bits = rng.integers(2, size=2)
    return np.concatenate([bits, bits]).sum()


def narrowed(n: int, rng: Generator) -> Any:
    """One of the draws is known in part."""
    numbers = rng.integers(4, size=3)
    if numbers[0] < 2:
        return numbers.sum()
    return -1


def means(n: int, rng: Generator) -> Any:
    bits = rng.random(3) < 0.5
    return bits.mean(), np.mean(rng.integers(3, size=2)), (rng.random(2) < 0.5).astype(float).sum()


def narrow_totals(n: int, rng: Generator) -> Any:
    x = rng.integers(0, 100, size=2, dtype=np.int8)
    y = np.array([x[0] > 50, x[1] > 50]) * np.uint8(200)
    return y.sum(), type(y.sum()).__name__


def totals_that_wrap(n: int, rng: Generator) -> Any:
    """The total is too large for 64 bits."""
    x = rng.integers(0, 2, size=2) * np.int64(2**62)
    return x.sum() < 0, (rng.integers(0, 2, size=2).astype(np.uint64) * np.uint64(2**63)).sum()


def of_halves(n: int, rng: Generator) -> Any:
    """Sums of floats depend on their order."""
    x = np.where(rng.random(3) < 0.5, 0.1, 0.2)
    return x.sum(), x.mean(), x.max()


def of_signed_zeros(n: int, rng: Generator) -> Any:
    x = np.where(rng.random(2) < 0.25, -0.0, 0.0)
    return x.sum(), np.where(rng.random(2) < 0.25, -0.0, 1.0).mean()


def looped(n: int, rng: Generator) -> Any:
    """Nothing else tells of the array that the loop goes through."""
    count = 0
    for bit in rng.random(12) < 0.25:
        count += bool(bit)
    return count


def looped_and_kept(n: int, rng: Generator) -> Any:
    bits = rng.random(3) < 0.25
    count = 0
    for place, bit in enumerate(bits):
        if bit:
            count += place
            bits[-1] = False
    return count, bits


def looped_over_one_draw_twice(n: int, rng: Generator) -> Any:
    bits = rng.integers(2, size=2)
    count = 0
    for bit in np.concatenate([bits, bits]):
        count += int(bit)
    return count


def looped_by_two(n: int, rng: Generator) -> Any:
    """An iterator is a value that goes on."""
    it = iter(rng.integers(2, size=4))
    first = next(it)
    return first, sum(it), next(it, None), max(rng.integers(3, size=2)), [*(rng.random(2) < 0.5)]


def looped_within(n: int, rng: Generator) -> Any:
    row = rng.integers(2, size=2)
    return sum(a * b for a in row for b in row), any(rng.random(3) < 0.25), sum(rng.random(3) < 0.25)


def with_arguments(n: int, rng: Generator) -> Any:
    x = rng.integers(3, size=2)
    return x.sum(dtype=np.int8), x.sum(keepdims=True), x.sum(initial=5), np.sum(x, where=[True, False]), x.sum(axis=-1)


def of_nothing(n: int, rng: Generator) -> Any:
    try:
        return (rng.random(0) < 0.5).sum(), (rng.random(0) < 0.5).any(), rng.integers(3, size=0).max()
    except ValueError as error:
        return str(error)


def in_error(n: int, rng: Generator) -> Any:
    try:
        return rng.integers(3, size=2).argmax(axis=1)
    except ValueError as error:
        return str(error)


ROWS = {
    "by_a_method_that_is_kept": "bits = rng.random(3) < 0.25; total = bits.sum; return total(), total()",
    "kept_element": "bits = rng.random(2) < 0.25; first = bits[0]; del bits; return first",
    "kept_in_a_list": "row = list(rng.integers(2, size=3)); return np.sum(row), row",
    "any_and_all": "return (rng.random(3) < 0.25).any(), np.all(rng.random(3) < 0.25), rng.integers(2, size=2).any()",
    "extremes": "return rng.integers(3, size=2).max(), np.min(rng.integers(3, size=2)), (rng.random(2) < 0.5).max()",
    "places": "return np.argmax(rng.integers(3, size=3)), rng.integers(2, size=3).argmin()",
    "noisy_maximum": "counts = np.array([1.0, 2.0, 0.0]); return int(np.argmax(counts + rng.integers(0, 3, size=3)))",
    "running": "return np.cumsum(rng.random(3) < 0.25), rng.integers(2, size=(2, 1)).cumsum()",
    "in_axes": "x = rng.integers(2, size=(2, 2)); return x.sum(axis=0), x.sum(), x.max(axis=1), x.any(axis=None)",
}
PROGRAMS = (
    *written(globals(), ROWS, "n, rng: Generator"),
    *(totals, twice, kept_in_a_view, kept_element_beside_a_sum, of_one_draw_twice, narrowed, means, narrow_totals),
    *(totals_that_wrap, of_halves, of_signed_zeros, looped, looped_and_kept, looped_by_two, looped_within),
    *(looped_over_one_draw_twice, with_arguments, of_nothing, in_error),
)

REFUSED = {in_error: "AxisError"}
"""What is refused, by which words."""
