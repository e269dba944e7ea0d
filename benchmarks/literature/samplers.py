"""The literature's mechanisms, many runs at once: `sample(x, n, rng)` returns n runs on x along the first axis.

Lap(b) and Exp(b) have scale b; x is a vector of query answers. Runs that answer TRUE and FALSE are arrays of 1 and 0,
with -1 for ABORT; those that answer numbers have the floats `FALSE` and `ABORT` below in their place. `plain.py` has
every mechanism a second time, one run at a time in plain Python, and a test holds the two equal run by run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from literature.noise import Array, exponential, laplace, uniform_open

EPSILON = 0.1
ABORTED = -1
FALSE, ABORT = -1000.0, -2000.0
BOUND = 100.0
FILTER_BITS, HASHES = 20, 4
DENOMINATOR = 111537

Vector = Sequence[int]
Generator = np.random.Generator


def shifted(x: Vector, noise: Array) -> Array:
    """Return x plus each row of noise, in place."""
    noise += np.asarray(x)
    return noise


def laplace_mechanism(x: Vector, n: int, rng: Generator) -> Array:
    """Return x0 + Lap(1/eps), a float each."""
    noisy = laplace(rng, 1 / EPSILON, n)
    noisy += x[0]
    return noisy


def laplace_fixed(x: Vector, n: int, rng: Generator) -> Array:
    """Return Mironov's snapping mechanism, a float each: clamp(round(clamp(x0) + s scale ln U)).

    A zero is 0.0 and never -0.0, which would show the sign of what was rounded.
    """
    scale, step = snapping_scale()
    signs = 2.0 * rng.integers(0, 2, n, dtype=np.int8) - 1
    noisy = min(max(float(x[0]), -BOUND), BOUND) + signs * scale * np.log(uniform_open(rng, n))
    found: Array = np.clip(step * np.rint(noisy / step), -BOUND, BOUND) + 0.0
    return found


def snapping_scale() -> tuple[float, float]:
    """Return the scale of the noise, and the least power of two that is not below it."""
    scale = (1 + BOUND * 2.0**-49) / EPSILON
    return scale, 2.0 ** math.ceil(math.log2(scale))


def noisy_hist_1(x: Vector, n: int, rng: Generator) -> Array:
    """Return x_i + Lap(1/eps) for all i."""
    return shifted(x, laplace(rng, 1 / EPSILON, (n, len(x))))


def noisy_hist_2(x: Vector, n: int, rng: Generator) -> Array:
    """Return x_i + Lap(eps) for all i: the scale turned upside down."""
    return shifted(x, laplace(rng, EPSILON, (n, len(x))))


def report_noisy_max_1(x: Vector, n: int, rng: Generator) -> Array:
    """Return the index of the greatest x_i + Lap(2/eps)."""
    found: Array = shifted(x, laplace(rng, 2 / EPSILON, (n, len(x)))).argmax(axis=1)
    return found


def report_noisy_max_2(x: Vector, n: int, rng: Generator) -> Array:
    """Return the index of the greatest x_i + Exp(2/eps)."""
    found: Array = shifted(x, exponential(rng, 2 / EPSILON, (n, len(x)))).argmax(axis=1)
    return found


def report_noisy_max_3(x: Vector, n: int, rng: Generator) -> Array:
    """Return the greatest x_i + Lap(2/eps) itself."""
    found: Array = shifted(x, laplace(rng, 2 / EPSILON, (n, len(x)))).max(axis=1)
    return found


def report_noisy_max_4(x: Vector, n: int, rng: Generator) -> Array:
    """Return the greatest x_i + Exp(2/eps) itself."""
    found: Array = shifted(x, exponential(rng, 2 / EPSILON, (n, len(x)))).max(axis=1)
    return found


def capped(above: Array, c: int) -> tuple[Array, Array]:
    """Return where the answer is TRUE, and where the run is over: after c answers TRUE."""
    before = np.cumsum(above, axis=1, dtype=np.int16)
    before -= above
    over = before >= c
    return above & ~over, over


def answers(above: Array, c: int) -> Array:
    """Return 1 for TRUE, 0 for FALSE and -1 for ABORT."""
    true, over = capped(above, c)
    found = true.astype(np.int8)
    found[over] = ABORTED
    return found


def svt_1(x: Vector, n: int, rng: Generator, *, c: int = 1, threshold: float = 0.5) -> Array:
    """Return answers of x_i + Lap(2c/eps2) >= T + rho, rho ~ Lap(1/eps1) once; ABORT after c TRUEs."""
    rho = laplace(rng, 2 / EPSILON, (n, 1))
    nu = laplace(rng, 4 * c / EPSILON, (n, len(x)))
    return answers(shifted(x, nu) >= threshold + rho, c)


def svt_2(x: Vector, n: int, rng: Generator, *, c: int = 1, threshold: float = 1.0) -> Array:
    """Return answers as `svt_1`, with rho ~ Lap(c/eps1) drawn again after every TRUE."""
    rho = laplace(rng, 2 * c / EPSILON, (n, c))
    nu = laplace(rng, 4 * c / EPSILON, (n, len(x)))
    found = np.full((n, len(x)), ABORTED, dtype=np.int8)
    turns, rows = np.zeros(n, dtype=np.int64), np.arange(n)
    for i, value in enumerate(x):
        running = turns < c
        above = value + nu[:, i] >= threshold + rho[rows, np.minimum(turns, c - 1)]
        found[running, i] = above[running]
        turns += running & above
    return found


def svt_3(x: Vector, n: int, rng: Generator, *, c: int = 1, threshold: float = 1.0) -> Array:
    """Return x_i + Lap(c/eps2) itself where it is >= T + rho, rho ~ Lap(1/eps1); FALSE below, ABORT after c."""
    rho = laplace(rng, 2 / EPSILON, (n, 1))
    noisy = shifted(x, laplace(rng, 2 * c / EPSILON, (n, len(x))))
    true, over = capped(noisy >= threshold + rho, c)
    noisy[~true] = FALSE
    noisy[over] = ABORT
    return noisy


def svt_4(x: Vector, n: int, rng: Generator, *, c: int = 1, threshold: float = 1.0) -> Array:
    """Return answers with eps1 = eps/4, eps2 = 3 eps/4: rho ~ Lap(1/eps1), nu ~ Lap(1/eps2) whatever c is."""
    rho = laplace(rng, 4 / EPSILON, (n, 1))
    nu = laplace(rng, 4 / (3 * EPSILON), (n, len(x)))
    return answers(shifted(x, nu) >= threshold + rho, c)


def svt_5(x: Vector, n: int, rng: Generator, *, threshold: float = 1.0) -> Array:
    """Return answers of x_i >= T + rho, rho ~ Lap(2/eps): no noise on queries, and no end."""
    rho = laplace(rng, 2 / EPSILON, (n, 1))
    return (np.asarray(x) >= threshold + rho).astype(np.int8)


def svt_6(x: Vector, n: int, rng: Generator, *, threshold: float = 1.0) -> Array:
    """Return answers of x_i + Lap(2/eps) >= T + rho, rho ~ Lap(2/eps): no end."""
    rho = laplace(rng, 2 / EPSILON, (n, 1))
    nu = laplace(rng, 2 / EPSILON, (n, len(x)))
    return (shifted(x, nu) >= threshold + rho).astype(np.int8)


def numerical_svt(x: Vector, n: int, rng: Generator, *, c: int = 2, threshold: float = 1.0) -> Array:
    """Return x_i + fresh Lap(3c/eps) where x_i + Lap(6c/eps) >= T + rho, rho ~ Lap(3/eps); else 0; ABORT after c."""
    rho = laplace(rng, 3 / EPSILON, (n, 1))
    nu = laplace(rng, 6 * c / EPSILON, (n, len(x)))
    fresh = laplace(rng, 3 * c / EPSILON, (n, len(x)))
    true, over = capped(shifted(x, nu) >= threshold + rho, c)
    found = np.where(true, shifted(x, fresh), 0.0)
    found[over] = ABORT
    return found


def svt_34_parallel(x: Vector, n: int, rng: Generator) -> Array:
    """Return SVT3(x) and SVT4(x), independent of each other, with c = 2: 20 floats, the last ten 1, 0 and -1."""
    return np.concatenate([svt_3(x, n, rng, c=2), svt_4(x, n, rng, c=2)], axis=1)


def laplace_parallel(x: Vector, n: int, rng: Generator) -> Array:
    """Return 20 independent x0 + Lap(20/eps)."""
    noisy = laplace(rng, 20 / EPSILON, (n, 20))
    noisy += x[0]
    return noisy


def prefix_sum(x: Vector, n: int, rng: Generator) -> Array:
    """Return the sums of the first k of x_i + Lap(1/eps), for each k."""
    return np.cumsum(shifted(x, laplace(rng, 1 / EPSILON, (n, len(x)))), axis=1)


def truncated_geometric(x: Vector, n: int, rng: Generator) -> Array:
    """Return GeoSample of the count x0 with k = 3, n = 5: the least z with U <= F(z), U uniform in 1..d."""
    table = np.array([cumulative(x[0], z) for z in range(5)])
    return np.searchsorted(table, rng.integers(1, DENOMINATOR + 1, n), side="left").astype(np.int8)


def cumulative(count: int, z: int) -> int:
    """Return d times the chance of at most z, for z from 0 to 4: with 2^k = 8, d = 17 9^4."""
    if z < count:
        return int(8 ** (count - z) * 9 ** (5 - (count - z)))
    return int(DENOMINATOR - 8 ** (z - count + 1) * 9 ** (4 - (z - count)))


def bloom(value: int) -> tuple[int, ...]:
    """Return the 20 bits of a value's Bloom filter: 4 bits, Murmur3 with seeds 0 to 3 of its decimal text, mod 20.

    The hash is signed, as the library returns it by default; the remainder is not negative.

    Raises: ModuleNotFoundError without mmh3: `pip install "dpcert[experiments]"`.
    """
    import mmh3

    found = {mmh3.hash(str(value), seed) % FILTER_BITS for seed in range(HASHES)}
    return tuple(int(bit in found) for bit in range(FILTER_BITS))


def one_time_rappor(x: Vector, n: int, rng: Generator) -> Array:
    """Return the Bloom filter of x0, each bit 1 w.p. f/2, 0 w.p. f/2, kept w.p. 1 - f, for f = 19/20."""
    turn = rng.integers(0, 40, (n, FILTER_BITS), dtype=np.uint8)
    return (np.where(turn < 38, turn < 19, bloom(x[0]))).astype(np.int8)


def rappor(x: Vector, n: int, rng: Generator) -> Array:
    """Return one-time RAPPOR with f = 3/4, each bit then reported 1 w.p. q = 11/20 if set, else p = 9/20."""
    turn = rng.integers(0, 8, (n, FILTER_BITS), dtype=np.uint8)
    kept = np.where(turn < 6, turn < 3, bloom(x[0]))
    again = rng.integers(0, 20, (n, FILTER_BITS), dtype=np.uint8)
    return (again < np.where(kept, 11, 9)).astype(np.int8)
