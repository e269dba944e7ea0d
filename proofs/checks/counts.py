"""Checks of the noisy counts of finite-computers, Section 4."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.evidence import within

__all__ = ["COUNTS"]

GEOSAMPLE_GRID = [(n, k) for n in range(1, 7) for k in range(1, 5)]
FASTSAMPLE_GRID: list[dict[str, Any]] = [
    {"n": n, "epsilon": Fraction(1, inverse), "gamma": gamma}
    for n in range(1, 6)
    for inverse in (1, 2, 3)
    for gamma in (Fraction(1, 2), Fraction(1, 10))
]


def geosample_law_check() -> Finding:
    """F(z)/d of Algorithm 4.8 is the clamped geometric distribution function, and the program's law has it."""

    def witnesses() -> Iterator[str]:
        for n, k in GEOSAMPLE_GRID:
            ratio = 1 + Fraction(1, 2**k)
            d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)
            for c in range(n + 1):
                law = enumerate_law(geosample(n=n, k=k), c).law
                if law != geosample_law(n=n, k=k)(c):
                    yield f"n = {n}, k = {k}, c = {c}: program and closed form differ"
                for z in range(n):
                    printed = (
                        2 ** (k * (c - z)) * (2**k + 1) ** (n - (c - z))
                        if z < c
                        else d - 2 ** (k * (z - c + 1)) * (2**k + 1) ** (n - 1 - (z - c))
                    )
                    geometric = (
                        ratio / (ratio + 1) / ratio ** (c - z) if z <= c else 1 - 1 / (ratio + 1) / ratio ** (z - c)
                    )
                    below = sum((law.prob(x) for x in range(z + 1)), Fraction(0))
                    if not Fraction(printed, d) == geometric == below:
                        yield f"n = {n}, k = {k}, c = {c}, z = {z}"

    return first(witnesses())


def geosample_private() -> Finding:
    """GeoSample is (ln(1 + 2^-k), 0)-DP for counts that differ by one."""
    return first(
        f"n = {n}, k = {k}"
        for n, k in GEOSAMPLE_GRID
        if not within(
            [enumerate_law(geosample(n=n, k=k), c).law for c in range(n + 1)],
            Epsilon.ln(1 + Fraction(1, 2**k)),
            Fraction(0),
        )
    )


def geosample_monotone() -> Finding:
    """GeoSample(c, u) does not decrease in u: every u is tried, or those beside its jumps where d is beyond 3,000."""

    def witnesses() -> Iterator[str]:
        for n, k in GEOSAMPLE_GRID:
            d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)
            release = geosample(n=n, k=k)
            for c in range(n + 1):
                law = geosample_law(n=n, k=k)(c)
                jumps = accumulate(int(law.prob(z) * d) for z in range(n))
                beside = range(d) if d <= 3_000 else sorted({0, d - 1, *(u - i for u in jumps for i in (0, 1))})
                outcomes = [release(c, Coins(Recorded([(d, u)]))) for u in beside]
                if outcomes != sorted(outcomes):
                    yield f"n = {n}, k = {k}, c = {c}"

    return first(witnesses())


def fastsample_law_check() -> Finding:
    """The program of Algorithm 4.11 has the law that Lemma 4.12 describes."""
    return first(
        f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}, c = {c}"
        for grid in FASTSAMPLE_GRID
        for c in range(int(grid["n"]) + 1)
        if enumerate_law(_fastsample(grid), c).law != _fastsample_law(grid)(c)
    )


def fastsample_monotone() -> Finding:
    """FastSample(c, u) does not decrease in u: it is tried beside each u at which its law's sums say that it jumps."""

    def witnesses() -> Iterator[str]:
        for grid in FASTSAMPLE_GRID:
            release = _fastsample(grid)
            for c in range(int(grid["n"]) + 1):
                (_, bounds), *_ = enumerate_law(release, c, draws=True).law.outcomes()
                law, d, u = _fastsample_law(grid)(c), int(bounds[0]), 0
                for z in range(int(grid["n"]) + 1):
                    first_u, u = u, u + int(law.prob(z) * d)
                    ends = [release(c, Coins(Recorded([(d, v)]))) for v in (first_u, u - 1)]
                    if ends != [z, z]:
                        yield f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}, c = {c}, z = {z}"

    return first(witnesses())


def _fastsample(grid: dict[str, Any]) -> Callable[[int, Coins], int]:
    return fastsample(n=grid["n"], epsilon=grid["epsilon"], gamma=grid["gamma"])


def _fastsample_law(grid: dict[str, Any]) -> Callable[[int], Dist]:
    return fastsample_law(n=grid["n"], epsilon=grid["epsilon"], gamma=grid["gamma"])


def fastsample_private() -> Finding:
    """FastSample is (epsilon/2, 0)-DP for counts that differ by one."""
    return first(
        f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}"
        for grid in FASTSAMPLE_GRID
        if not within(
            [_fastsample_law(grid)(c) for c in range(int(grid["n"]) + 1)],
            Epsilon.of(Fraction(grid["epsilon"]) / 2),
            Fraction(0),
        )
    )


COUNTS: dict[str, Callable[[], Finding]] = {
    "fastsample-law": fastsample_law_check,
    "fastsample-monotone": fastsample_monotone,
    "fastsample-private": fastsample_private,
    "geosample-law": geosample_law_check,
    "geosample-monotone": geosample_monotone,
    "geosample-private": geosample_private,
}
