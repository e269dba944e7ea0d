"""The scaled distribution functions of GeoSample and FastSample, and the privacy of geometric noise.

K = 2^k and B = K + 1, so that e^(e/2) = B/K. Powers enter as variables: x = (K/B)^j, P = B^(n-1), and so on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import (
    nearby_derivations,
    noise_derivations,
)
from dpcert.proofs.terms import Formula, Values, equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Point, Theorem

HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
TESTS = "tests/proofs/test_geometric_theorems.py"


def below(K: Any, x: Any) -> Any:
    """Return Pr[Z <= c - j] for two-sided geometric noise, x = (K/B)^j: B/(B + K) x."""
    return (K + 1) / (2 * K + 1) * x


def above(K: Any, x: Any) -> Any:
    """Return Pr[Z <= c + j], x = (K/B)^j: 1 - K/(B + K) x."""
    return 1 - K / (2 * K + 1) * x


def mass(K: Any, x: Any) -> Any:
    """Return Pr[Z = c - j] = Pr[Z = c + j], x = (K/B)^j: (B - K)/(B + K) x."""
    return 1 / (2 * K + 1) * x


def scaled_below(K: Any, y: Any, Q: Any) -> Any:
    """Return F(c - j) of Algorithm 4.8, y = K^j and Q = B^(n-j)."""
    return y * Q


def scaled_above(K: Any, d: Any, y: Any, Q: Any) -> Any:
    """Return F(c + j) of Algorithm 4.8, y = K^(j+1) and Q = B^(n-1-j)."""
    return d - y * Q


SCALE: dict[str, Formula] = {"K": lambda v: v.K >= 1}
POINT: Point = {"K": 2, "x": THIRD}

_left = Lemma(
    name="geometric-mass-left",
    statement="Pr[Z <= c - j] - Pr[Z <= c - j - 1] is the mass at c - j",
    reals=("K", "x"),
    hypotheses=SCALE,
    conclusion=lambda v: equal(below(v.K, v.x) - below(v.K, v.x * v.K / (v.K + 1)), mass(v.K, v.x)),
    point=POINT,
    mutants=(
        Mutant("one-off", conclusion=lambda v: equal(below(v.K, v.x) - below(v.K, v.x * v.K), mass(v.K, v.x))),
        Mutant(
            "doubled",
            conclusion=lambda v: equal(below(v.K, v.x) - below(v.K, v.x * v.K / (v.K + 1)), 2 * mass(v.K, v.x)),
        ),
    ),
)
_right = Lemma(
    name="geometric-mass-right",
    statement="Pr[Z <= c + j + 1] - Pr[Z <= c + j] is the mass at c + j + 1",
    reals=("K", "x"),
    hypotheses=SCALE,
    conclusion=lambda v: equal(above(v.K, v.x * v.K / (v.K + 1)) - above(v.K, v.x), mass(v.K, v.x * v.K / (v.K + 1))),
    point=POINT,
    mutants=(
        Mutant(
            "not-shifted",
            conclusion=lambda v: equal(above(v.K, v.x * v.K / (v.K + 1)) - above(v.K, v.x), mass(v.K, v.x)),
        ),
    ),
)
_middle = Lemma(
    name="geometric-mass-middle",
    statement="Pr[Z <= c] - Pr[Z <= c - 1] is the mass at c, and all mass is 1: both forms agree at c",
    reals=("K",),
    hypotheses=SCALE,
    conclusion=lambda v: every(
        equal(above(v.K, 1) - below(v.K, v.K / (v.K + 1)), mass(v.K, 1)), equal(below(v.K, 1), above(v.K, 1))
    ),
    point={"K": 2},
    mutants=(
        Mutant("from-c-2", conclusion=lambda v: equal(above(v.K, 1) - below(v.K, v.K / (v.K + 2)), mass(v.K, 1))),
    ),
)

_first_below = Lemma(
    name="geosample-below-base",
    statement="F(c - 1) = K B^(n-1) = d Pr[Z <= c - 1], P = B^(n-1)",
    reals=("K", "P"),
    hypotheses=SCALE,
    conclusion=lambda v: equal(scaled_below(v.K, v.K, v.P), (2 * v.K + 1) * v.P * below(v.K, v.K / (v.K + 1))),
    point={"K": 2, "P": 9},
    mutants=(
        Mutant(
            "denominator",
            conclusion=lambda v: equal(scaled_below(v.K, v.K, v.P), (v.K + 1) * v.P * below(v.K, v.K / (v.K + 1))),
        ),
    ),
)
_next_below = Lemma(
    name="geosample-below-step",
    statement="from j to j + 1, F(c - j) and d Pr[Z <= c - j] shrink by the same factor K/B",
    reals=("K", "y", "Q", "d", "x"),
    hypotheses={
        **SCALE,
        "at j": lambda v: equal(scaled_below(v.K, v.y, v.Q), v.d * below(v.K, v.x)),
    },
    conclusion=lambda v: equal(scaled_below(v.K, v.y * v.K, v.Q / (v.K + 1)), v.d * below(v.K, v.x * v.K / (v.K + 1))),
    point={"K": 1, "y": 1, "Q": 6, "d": 9, "x": 1},
    mutants=(
        Mutant("nothing-at-j", without="at j"),
        Mutant(
            "exponent-one-off",
            conclusion=lambda v: equal(scaled_below(v.K, v.y * v.K, v.Q), v.d * below(v.K, v.x * v.K / (v.K + 1))),
        ),
    ),
)
_first_above = Lemma(
    name="geosample-above-base",
    statement="F(c) = d - K B^(n-1) = d Pr[Z <= c], P = B^(n-1), d = (2K + 1) P",
    reals=("K", "P"),
    hypotheses=SCALE,
    conclusion=lambda v: equal(scaled_above(v.K, (2 * v.K + 1) * v.P, v.K, v.P), (2 * v.K + 1) * v.P * above(v.K, 1)),
    point={"K": 2, "P": 9},
    mutants=(
        Mutant(
            "exponent-one-off",
            conclusion=lambda v: equal(
                scaled_above(v.K, (2 * v.K + 1) * v.P, 1, v.P), (2 * v.K + 1) * v.P * above(v.K, 1)
            ),
        ),
    ),
)
_next_above = Lemma(
    name="geosample-above-step",
    statement="from j to j + 1, d - F(c + j) and d Pr[Z > c + j] shrink by the same factor K/B",
    reals=("K", "y", "Q", "d", "x"),
    hypotheses={
        **SCALE,
        "at j": lambda v: equal(scaled_above(v.K, v.d, v.y, v.Q), v.d * above(v.K, v.x)),
    },
    conclusion=lambda v: equal(
        scaled_above(v.K, v.d, v.y * v.K, v.Q / (v.K + 1)), v.d * above(v.K, v.x * v.K / (v.K + 1))
    ),
    point={"K": 1, "y": 1, "Q": 3, "d": 9, "x": 1},
    mutants=(
        Mutant("nothing-at-j", without="at j"),
        Mutant(
            "exponent-one-off",
            conclusion=lambda v: equal(scaled_above(v.K, v.d, v.y * v.K, v.Q), v.d * above(v.K, v.x * v.K / (v.K + 1))),
        ),
    ),
)
_range = Lemma(
    name="geosample-range",
    statement="0 <= F <= d on both branches",
    reals=("K", "x", "d"),
    hypotheses={**SCALE, "x is a power": lambda v: every(v.x >= 0, v.x <= 1), "d": lambda v: v.d >= 0},
    conclusion=lambda v: every(
        v.d * below(v.K, v.x) >= 0,
        v.d * below(v.K, v.x) <= v.d,
        v.d * above(v.K, v.x) >= 0,
        v.d * above(v.K, v.x) <= v.d,
    ),
    point={**POINT, "d": 9},
    mutants=(Mutant("x-above-1", hypotheses={"x is a power": lambda v: v.x >= 0}),),
)

_GEOSAMPLE = Theorem(
    id="geosample-cumulative-proved",
    statement=(
        "For all n >= 1, k >= 0 and c in [0, n]: F(z)/d of Algorithm 4.8 is the distribution function of c + Geo(2/e), "
        "e^(e/2) = 1 + 2^-k, clamped to [0, n], and F(z) is in [0, d]."
    ),
    source="finite-computers, Lemma 4.9",
    argument=(
        "The masses (B - K)/(B + K) (K/B)^|z - c| sum up to the distribution function of the noise, by "
        "geometric-mass-left and -right; both forms agree at c and all mass is 1, geometric-mass-middle, as powers of "
        "K/B vanish. Below c: induction on j = c - z from geosample-below-base by geosample-below-step; from c on: on "
        "j = z - c by geosample-above-base and -step. Clamping leaves the function as it is on [0, n) and makes it 0 "
        "before and 1 from n on. The range is geosample-range."
    ),
    lemmas=(_left, _right, _middle, _first_below, _next_below, _first_above, _next_above, _range),
    bound_by=f"{TESTS}::test_the_scaled_functions_are_those_of_geosample",
    derivation=noise_derivations.GEOSAMPLE,
)

_nearer = Lemma(
    name="geometric-noise-step",
    statement="for counts c and c + 1 the masses at z are m and m R or m R and m: within a ratio of R",
    reals=("R", "m"),
    hypotheses={"ratio": lambda v: v.R >= 1, "mass": lambda v: v.m >= 0},
    conclusion=lambda v: every(v.m <= v.R * (v.m * v.R), v.m * v.R <= v.R * v.m),
    point={"R": 2, "m": HALF},
    mutants=(
        Mutant("ratio-below-1", hypotheses={"ratio": lambda v: v.R > 0}),
        Mutant("half-the-ratio", conclusion=lambda v: v.m * v.R <= (v.R + 1) / 2 * v.m),
    ),
)

_PRIVATE = Theorem(
    id="geometric-private-proved",
    statement=(
        "For every ratio R = B/K > 1: two-sided geometric noise of masses proportional to R^-|z - c|, clamped to any "
        "interval, is (ln R, 0)-DP for counts that differ by one."
    ),
    source="finite-computers, Theorem 4.7 i and Algorithm 4.5",
    argument=(
        "|z - c - 1| is |z - c| - 1 for z > c and |z - c| + 1 for z <= c: geometric-noise-step for each z, and so for "
        "each event; on all integers it has the supremum of its partial sums. An event of "
        "clamped counts is one of the noise, clamped-event."
    ),
    lemmas=(_nearer, _middle),
    bound_by=f"{TESTS}::test_clamped_geometric_noise_is_within_its_ratio",
    uses=("post-processing-proved",),
    derivation=(*noise_derivations.GEOMETRIC, *nearby_derivations.CLAMPED),
)


def short_below(K: Any, y: Any, Q: Any, w: Any) -> Any:
    """Return F'(c - j) of Algorithm 4.11, y = K^j, Q = B^(t+1-j), w = K^(t+1)."""
    return y * Q - w


def short_above(K: Any, d: Any, y: Any, Q: Any, w: Any) -> Any:
    """Return F'(c + j) of Algorithm 4.11, y = K^(j+1), Q = B^(t-j), w = K^(t+1), d = d'."""
    return d - y * Q + w


def mixed_scaled(g: Any, X: Any, Y: Any) -> Any:
    """Return F(z) of Algorithm 4.11, g = 1/gamma, X = (z + 1) d', Y = (n + 1) F'(z)."""
    return X + (g - 1) * Y


def _cut(v: Values) -> Any:
    return every(
        equal(v.d * (v.K + 1), (2 * v.K + 1) * v.P),
        equal(v.y * v.Q, v.P * v.x),
        equal(v.w, v.P * v.u),
    )


_short_below = Lemma(
    name="fastsample-below",
    statement="F'(c - j)/d' = Pr[c - t <= Z <= c - j], P = B^(t+1), x = (K/B)^j, u = (K/B)^(t+1)",
    reals=("K", "d", "P", "y", "Q", "w", "x", "u"),
    hypotheses={**SCALE, "powers": _cut},
    conclusion=lambda v: equal(short_below(v.K, v.y, v.Q, v.w), v.d * (below(v.K, v.x) - below(v.K, v.u))),
    point={"K": 1, "d": 6, "P": 4, "y": 1, "Q": 2, "w": 1, "x": HALF, "u": Fraction(1, 4)},
    mutants=(
        Mutant("powers-free", without="powers"),
        Mutant("nothing-cut", conclusion=lambda v: equal(short_below(v.K, v.y, v.Q, v.w), v.d * below(v.K, v.x))),
    ),
)
_short_above = Lemma(
    name="fastsample-above",
    statement="F'(c + j)/d' = Pr[Z <= c + j] + Pr[Z > c + t], now y Q = K^(j+1) B^(t-j) = P K x/B, w = P u",
    reals=("K", "d", "P", "y", "Q", "w", "x", "u"),
    hypotheses={
        **SCALE,
        "powers": lambda v: every(
            equal(v.d * (v.K + 1), (2 * v.K + 1) * v.P),
            equal(v.y * v.Q * (v.K + 1), v.P * v.K * v.x),
            equal(v.w, v.P * v.u),
        ),
    },
    conclusion=lambda v: equal(
        short_above(v.K, v.d, v.y, v.Q, v.w),
        v.d * (above(v.K, v.x) + 1 - above(v.K, v.u * (v.K + 1) / v.K)),
    ),
    point={"K": 1, "d": 6, "P": 4, "y": 1, "Q": 2, "w": 1, "x": 1, "u": Fraction(1, 4)},
    mutants=(
        Mutant("powers-free", without="powers"),
        Mutant(
            "cut-mass-lost",
            conclusion=lambda v: equal(short_above(v.K, v.d, v.y, v.Q, v.w), v.d * above(v.K, v.x)),
        ),
    ),
)
_mixture = Lemma(
    name="fastsample-mixture",
    statement="F(z) = X + (g - 1) Y is g (gamma X + (1 - gamma) Y) for X = (z + 1) d', Y = (n + 1) F'(z), g = 1/gamma",
    reals=("gamma", "g", "X", "Y"),
    hypotheses={"gamma": lambda v: every(v.gamma > 0, v.gamma <= 1, equal(v.g * v.gamma, 1))},
    conclusion=lambda v: equal(mixed_scaled(v.g, v.X, v.Y), v.g * (v.gamma * v.X + (1 - v.gamma) * v.Y)),
    point={"gamma": HALF, "g": 2, "X": 6, "Y": 8},
    mutants=(
        Mutant(
            "weight",
            conclusion=lambda v: equal(mixed_scaled(v.g, v.X, v.Y), v.g * ((1 - v.gamma) * v.X + v.gamma * v.Y)),
        ),
        Mutant("no-inverse", hypotheses={"gamma": lambda v: every(v.gamma > 0, v.gamma <= 1)}),
    ),
)
_distance = Lemma(
    name="fastsample-distance",
    statement="Pr[|Z - c| > t] = 2 Pr[Z <= c - t - 1], u = (K/B)^(t+1): the mass that is moved to c",
    reals=("K", "u"),
    hypotheses=SCALE,
    conclusion=lambda v: equal(below(v.K, v.u) + (1 - above(v.K, v.u * (v.K + 1) / v.K)), 2 * below(v.K, v.u)),
    point={"K": 2, "u": THIRD},
    mutants=(
        Mutant(
            "one-sided",
            conclusion=lambda v: equal(below(v.K, v.u) + (1 - above(v.K, v.u * (v.K + 1) / v.K)), below(v.K, v.u)),
        ),
    ),
)

_FASTSAMPLE = Theorem(
    id="fastsample-cumulative-proved",
    statement=(
        "For all n >= 1, k >= 0, t >= 0, gamma and c: F'(z)/d' of Algorithm 4.11 is the distribution function of "
        "geometric noise on c whose mass beyond distance t is moved to c, clamped to [0, n]; F(z)/d is that of its "
        "mixture with a uniform count at weight gamma; what is moved is 2 B/(B + K) (K/B)^(t+1)."
    ),
    source="finite-computers, Lemma 4.12 and the proof of Theorem 4.10 i",
    argument=(
        "fastsample-below and -above for z in the two inner branches, with B^(t+1) = P: K^j B^(t+1-j) = P (K/B)^j and "
        "d' = (2K + 1) B^t. What is beyond t is moved to c: moved-noise says which noises are then at most z, so that "
        "the outer branches are 0 and 1. The mixture is fastsample-mixture over d = g (n + 1) d'. The moved mass is "
        "fastsample-distance; moving a mass of m changes an event by at most m, moved-distance."
    ),
    lemmas=(_short_below, _short_above, _mixture, _distance),
    bound_by=f"{TESTS}::test_the_short_functions_are_those_of_fastsample",
    derivation=noise_derivations.FASTSAMPLE,
    uses=("geosample-cumulative-proved",),
)


THEOREMS: tuple[Theorem, ...] = (_GEOSAMPLE, _PRIVATE, _FASTSAMPLE)
