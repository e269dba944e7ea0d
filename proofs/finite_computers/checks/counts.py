"""Checks of the noisy counts of finite-computers, Section 4."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import isqrt
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins, Recorded
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law
from dpcert.proofs.check import check, checks
from dpcert.proofs.evidence import within
from dpcert.reading.paths.enumerator import enumerate_law

ONE = Fraction(1)

GEOSAMPLE_GRID = [(n, k) for n in range(1, 7) for k in range(1, 5)]
FASTSAMPLE_GRID: list[dict[str, Any]] = [
    {"n": n, "epsilon": Fraction(1, inverse), "gamma": gamma}
    for n in range(1, 6)
    for inverse in (1, 2, 3)
    for gamma in (Fraction(1, 2), Fraction(1, 10))
]


@check("geosample-law")
def geosample_law_check() -> Iterator[str]:
    """F(z)/d of Algorithm 4.8 is the clamped geometric distribution function, and the program's law has it."""
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
                geometric = ratio / (ratio + 1) / ratio ** (c - z) if z <= c else 1 - 1 / (ratio + 1) / ratio ** (z - c)
                below = sum((law.prob(x) for x in range(z + 1)), Fraction(0))
                if not Fraction(printed, d) == geometric == below:
                    yield f"n = {n}, k = {k}, c = {c}, z = {z}"


@check("geosample-private")
def geosample_private() -> Iterator[str]:
    """GeoSample is (ln(1 + 2^-k), 0)-DP for counts that differ by one."""
    return (
        f"n = {n}, k = {k}"
        for n, k in GEOSAMPLE_GRID
        if not within(
            [enumerate_law(geosample(n=n, k=k), c).law for c in range(n + 1)],
            Epsilon.ln(1 + Fraction(1, 2**k)),
            Fraction(0),
        )
    )


@check("geosample-monotone")
def geosample_monotone() -> Iterator[str]:
    """GeoSample(c, u) does not decrease in u: every u is tried, or those beside its jumps where d is beyond 3,000."""
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


@check("fastsample-law")
def fastsample_law_check() -> Iterator[str]:
    """The program of Algorithm 4.11 has the law that Lemma 4.12 describes."""
    return (
        f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}, c = {c}"
        for grid in FASTSAMPLE_GRID
        for c in range(int(grid["n"]) + 1)
        if enumerate_law(_fastsample(grid), c).law != _fastsample_law(grid)(c)
    )


@check("fastsample-monotone")
def fastsample_monotone() -> Iterator[str]:
    """FastSample(c, u) does not decrease in u: it is tried beside each u at which its law's sums say that it jumps."""
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


def _fastsample(grid: dict[str, Any]) -> Callable[[int, Coins], int]:
    return fastsample(n=grid["n"], epsilon=grid["epsilon"], gamma=grid["gamma"])


def _fastsample_law(grid: dict[str, Any]) -> Callable[[int], Dist]:
    return fastsample_law(n=grid["n"], epsilon=grid["epsilon"], gamma=grid["gamma"])


@check("fastsample-private")
def fastsample_private() -> Iterator[str]:
    """FastSample is (epsilon/2, 0)-DP for counts that differ by one."""
    return (
        f"n = {grid['n']}, epsilon = {grid['epsilon']}, gamma = {grid['gamma']}"
        for grid in FASTSAMPLE_GRID
        if not within(
            [_fastsample_law(grid)(c) for c in range(int(grid["n"]) + 1)],
            Epsilon.of(Fraction(grid["epsilon"]) / 2),
            Fraction(0),
        )
    )


def zero_mass(m: int) -> tuple[Fraction, Fraction]:
    """Return a and b of r/(r + 1) = a + b r, for r the root of m."""
    return Fraction(m, m - 1), Fraction(-1, m - 1)


@check("irrational-mass")
def irrational_mass() -> Iterator[str]:
    """For e^(epsilon/2) the root of m, no square, Pr[0 stays 0] = r/(r + 1) is a quadratic irrational."""
    for m in range(2, 200):
        a, b = zero_mass(m)
        # (r + 1)(a + b r) = r, and (m - 1) y^2 - 2 m y + m = 0 for y = a + b r, as parts without and with r
        zero = (
            a + m * b,
            a + b - 1,
            (m - 1) * (a * a + m * b * b) - 2 * m * a + m,
            (m - 1) * 2 * a * b - 2 * m * b,
        )
        discriminant = 4 * m * m - 4 * m * (m - 1)
        rational = isqrt(discriminant) ** 2 == discriminant
        if any(zero) or rational != (isqrt(m) ** 2 == m):
            yield f"m = {m}"


def four_cases(z: int, *, c: int, n: int, r: Fraction) -> Fraction:
    """Return the four-case expression in the proof of Lemma 4.9, for r = e^(e~/2)."""
    if z < 0:
        return Fraction(0)
    if z < c:
        return r / (r + 1) * r ** (z - c)
    return 1 - r ** (c - z) / (r + 1) if z < n else ONE


def _unclamped(z: int, c: int, r: Fraction) -> Fraction:
    return r / (r + 1) * r ** (z - c) if z <= c else 1 - r ** (c - z) / (r + 1)


@checks(
    {
        "four-cases-unclamped": lambda z, c, _, k: _unclamped(z, c, 1 + Fraction(1, 2**k)),
        "four-cases-clamped": lambda z, c, n, k: sum(
            (p for y, p in geosample_law(n=n, k=k)(c).items() if y <= z), Fraction(0)
        ),
    }
)
def _cumulative_cases(true: Callable[[int, int, int, int], Fraction]) -> Iterator[str]:
    """The four cases are the distribution function, by z, c, n and k, of c + Geo(2/e~), not clamped, or clamped to [0,
    n] as GeoSample has it.
    """
    return (
        f"n = {n}, k = {k}, c = {c}, z = {z}"
        for n, k in product(range(1, 5), (1, 2, 3))
        for c, z in product(range(n + 1), sorted(range(-2, n + 3), key=lambda z: (abs(z), z)))
        if four_cases(z, c=c, n=n, r=1 + Fraction(1, 2**k)) != true(z, c, n, k)
    )


def cumulative_zero(answers: Sequence[int], n: int) -> list[int]:
    """Return F_M(0), ..., F_M(n) of Definition 4.3, from M(0, 1), ..., M(0, d)."""
    return [sum(answer <= z for answer in answers) for z in range(n + 1)]


@checks(
    {
        "cumulative-at-zero-positive": lambda found, answers: min(found) >= 1 and max(found) <= len(answers),
        "cumulative-at-zero": lambda found, answers: (
            found == sorted(found) and found[-1] == len(answers) and (found[0] >= 1) == (0 in answers)
        ),
    }
)
def _cumulatives(fits: Callable[[list[int], tuple[int, ...]], bool]) -> Iterator[str]:
    """F_M has values from 1 to d for every M; corrected, it does not decrease, ends at d, and is at least 1 everywhere
    exactly where M can give 0 at 0.
    """
    return (
        f"n = {n}, M(0, u) = {answers} for u = 1 to {d}: F_M = {found}"
        for n, d in product((1, 2, 3), (1, 2, 3))
        for answers in product(range(n + 1), repeat=d)
        for found in [cumulative_zero(answers, n)]
        if not fits(found, answers)
    )
