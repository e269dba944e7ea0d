"""The literature's mechanisms as they are written down: one run at a time, in plain Python.

Every program draws its noise before it starts, so that a run of `samplers.py` on the same generator sees the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from literature.noise import exponential, laplace, uniform_open
from literature.samplers import ABORT, ABORTED, BOUND, DENOMINATOR, EPSILON, FALSE, FILTER_BITS, bloom

Vector = Sequence[int]
Generator = np.random.Generator


def laplace_mechanism(q: Vector, rng: Generator) -> float:
    """Return q0 + Lap(1/eps)."""
    return float(q[0] + laplace(rng, 1 / EPSILON, 1)[0])


def laplace_fixed(q: Vector, rng: Generator) -> float:
    """Return the snapping mechanism of q0."""
    scale = (1 + BOUND * 2.0**-49) / EPSILON
    step = 1.0
    while step < scale:
        step *= 2
    sign = 1.0 if rng.integers(0, 2, 1, dtype=np.int8)[0] else -1.0
    noisy = clamp(q[0]) + sign * scale * math.log(uniform_open(rng, 1)[0])
    return clamp(step * round(noisy / step)) + 0.0


def clamp(value: float) -> float:
    """Return the value, or the end of [-B, B] that is nearest to it."""
    return float(max(-BOUND, min(BOUND, value)))


def noisy_hist_1(q: Vector, rng: Generator) -> list[float]:
    """Return q_i + Lap(1/eps) for all i."""
    return [float(a + z) for a, z in zip(q, laplace(rng, 1 / EPSILON, len(q)), strict=True)]


def noisy_hist_2(q: Vector, rng: Generator) -> list[float]:
    """Return q_i + Lap(eps) for all i."""
    return [float(a + z) for a, z in zip(q, laplace(rng, EPSILON, len(q)), strict=True)]


def report_noisy_max_1(q: Vector, rng: Generator) -> int:
    """Return argmax q_i + Lap(2/eps)."""
    noisy = [a + z for a, z in zip(q, laplace(rng, 2 / EPSILON, len(q)), strict=True)]
    return noisy.index(max(noisy))


def report_noisy_max_2(q: Vector, rng: Generator) -> int:
    """Return argmax q_i + Exp(2/eps)."""
    noisy = [a + z for a, z in zip(q, exponential(rng, 2 / EPSILON, len(q)), strict=True)]
    return noisy.index(max(noisy))


def report_noisy_max_3(q: Vector, rng: Generator) -> float:
    """Return max q_i + Lap(2/eps)."""
    return float(max(a + z for a, z in zip(q, laplace(rng, 2 / EPSILON, len(q)), strict=True)))


def report_noisy_max_4(q: Vector, rng: Generator) -> float:
    """Return max q_i + Exp(2/eps)."""
    return float(max(a + z for a, z in zip(q, exponential(rng, 2 / EPSILON, len(q)), strict=True)))


def svt_1(q: Vector, rng: Generator, *, c: int = 1, threshold: float = 0.5) -> list[int]:
    """Return TRUE iff q_i + nu_i >= T + rho; after c TRUEs ABORT."""
    epsilon_1 = epsilon_2 = EPSILON / 2
    rho = laplace(rng, 1 / epsilon_1, 1)[0]
    nu = laplace(rng, 2 * c / epsilon_2, len(q))
    found, count = [], 0
    for a, z in zip(q, nu, strict=True):
        if count == c:
            found.append(ABORTED)
        elif a + z >= threshold + rho:
            found.append(1)
            count += 1
        else:
            found.append(0)
    return found


def svt_2(q: Vector, rng: Generator, *, c: int = 1, threshold: float = 1.0) -> list[int]:
    """Return as `svt_1`, rho ~ Lap(c/eps1) being drawn again after every TRUE."""
    epsilon_1 = epsilon_2 = EPSILON / 2
    rhos = list(laplace(rng, c / epsilon_1, c))
    nu = laplace(rng, 2 * c / epsilon_2, len(q))
    found = []
    for a, z in zip(q, nu, strict=True):
        if not rhos:
            found.append(ABORTED)
        elif a + z >= threshold + rhos[0]:
            found.append(1)
            rhos.pop(0)
        else:
            found.append(0)
    return found


def svt_3(q: Vector, rng: Generator, *, c: int = 1, threshold: float = 1.0) -> list[float]:
    """Return q_i + nu_i where it is >= T + rho, else FALSE; after c numbers ABORT."""
    epsilon_1 = epsilon_2 = EPSILON / 2
    rho = laplace(rng, 1 / epsilon_1, 1)[0]
    nu = laplace(rng, c / epsilon_2, len(q))
    found, count = [], 0
    for a, z in zip(q, nu, strict=True):
        if count == c:
            found.append(ABORT)
        elif a + z >= threshold + rho:
            found.append(float(a + z))
            count += 1
        else:
            found.append(FALSE)
    return found


def svt_4(q: Vector, rng: Generator, *, c: int = 1, threshold: float = 1.0) -> list[int]:
    """Return as `svt_1`, eps1 = eps/4, rho ~ Lap(1/eps1), nu ~ Lap(1/eps2)."""
    epsilon_1, epsilon_2 = EPSILON / 4, 3 * EPSILON / 4
    rho = laplace(rng, 1 / epsilon_1, 1)[0]
    nu = laplace(rng, 1 / epsilon_2, len(q))
    found: list[int] = []
    for a, z in zip(q, nu, strict=True):
        if found.count(1) == c:
            found.append(ABORTED)
        else:
            found.append(int(a + z >= threshold + rho))
    return found


def svt_5(q: Vector, rng: Generator, *, threshold: float = 1.0) -> list[int]:
    """Return TRUE iff q_i >= T + rho."""
    rho = laplace(rng, 2 / EPSILON, 1)[0]
    return [int(a >= threshold + rho) for a in q]


def svt_6(q: Vector, rng: Generator, *, threshold: float = 1.0) -> list[int]:
    """Return TRUE iff q_i + nu_i >= T + rho."""
    rho = laplace(rng, 2 / EPSILON, 1)[0]
    return [int(a + z >= threshold + rho) for a, z in zip(q, laplace(rng, 2 / EPSILON, len(q)), strict=True)]


def numerical_svt(q: Vector, rng: Generator, *, c: int = 2, threshold: float = 1.0) -> list[float]:
    """Return q_i + fresh noise where q_i + nu_i >= T + rho, else 0; after c numbers ABORT."""
    rho = laplace(rng, 3 / EPSILON, 1)[0]
    nu = laplace(rng, 6 * c / EPSILON, len(q))
    fresh = laplace(rng, 3 * c / EPSILON, len(q))
    found, count = [], 0
    for a, z, w in zip(q, nu, fresh, strict=True):
        if count == c:
            found.append(ABORT)
        elif a + z >= threshold + rho:
            found.append(float(a + w))
            count += 1
        else:
            found.append(0.0)
    return found


def svt_34_parallel(q: Vector, rng: Generator) -> list[float]:
    """Return SVT3 and SVT4 with c = 2, one after the other."""
    return [*svt_3(q, rng, c=2), *map(float, svt_4(q, rng, c=2))]


def laplace_parallel(q: Vector, rng: Generator) -> list[float]:
    """Return q0 + Lap(20/eps), 20 times."""
    return [float(q[0] + z) for z in laplace(rng, 20 / EPSILON, 20)]


def prefix_sum(q: Vector, rng: Generator) -> list[float]:
    """Return the sums of the first k noisy entries."""
    total, found = 0.0, []
    for a, z in zip(q, laplace(rng, 1 / EPSILON, len(q)), strict=True):
        total += a + z
        found.append(float(total))
    return found


def truncated_geometric(q: Vector, rng: Generator) -> int:
    """Return q0 plus noise of density proportional to (8/9)^|z|, clamped to [0, 5], by the inverse of its law."""
    u = int(rng.integers(1, DENOMINATOR + 1, 1)[0])
    weights = [0] * 6
    for z in range(-40, 41):
        inside = min(max(q[0] + z, 0), 5)
        weights[inside] += 9 ** (40 - abs(z)) * 8 ** abs(z) * (9 if abs(z) == 40 else 1)
    whole, total = sum(weights), 0
    for z, weight in enumerate(weights):
        total += weight
        if u * whole <= DENOMINATOR * total:
            return z
    raise AssertionError


def one_time_rappor(q: Vector, rng: Generator) -> list[int]:
    """Return the Bloom filter of q0 under permanent randomized response, f = 0.95."""
    found = []
    for bit, turn in zip(bloom(q[0]), rng.integers(0, 40, FILTER_BITS, dtype=np.uint8), strict=True):
        found.append(1 if turn < 19 else 0 if turn < 38 else bit)
    return found


def rappor(q: Vector, rng: Generator) -> list[int]:
    """Return that with f = 0.75, under instantaneous randomized response, p = 0.45, q = 0.55."""
    turns = rng.integers(0, 8, FILTER_BITS, dtype=np.uint8)
    again = rng.integers(0, 20, FILTER_BITS, dtype=np.uint8)
    found = []
    for bit, turn, last in zip(bloom(q[0]), turns, again, strict=True):
        kept = 1 if turn < 3 else 0 if turn < 6 else bit
        found.append(int(last < (11 if kept else 9)))
    return found
