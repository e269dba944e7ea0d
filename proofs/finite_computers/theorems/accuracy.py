"""How far noisy counts are off: Theorems 4.6, 4.7 and 4.10."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import accuracy_derivations
from dpcert.proofs.terms import every, greatest, least, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/theorems/test_noise_accuracy_theorems.py"


def beyond(ratio: Any, left: Any) -> Any:
    """Return 2 r^-a/(r + 1), the mass of two-sided geometric noise beyond distance a, from left = r^-a.

    Source: finite-computers, Section 4.1.
    """
    return 2 * left / (ratio + 1)


_clamped = Lemma(
    name="clamped-count-nearer",
    statement="to clamp a noisy count to [0, n] brings it no further from a count in [0, n]",
    reals=("z", "c", "n"),
    hypotheses={"count": lambda v: every(v.c >= 0, v.c <= v.n)},
    conclusion=lambda v: size(least(greatest(v.z, 0), v.n) - v.c) <= size(v.z - v.c),
    point={"z": 3, "c": 1, "n": 2},
    mutants=(
        Mutant("count-beyond", without="count"),
        Mutant("half", conclusion=lambda v: 2 * size(least(greatest(v.z, 0), v.n) - v.c) <= size(v.z - v.c)),
    ),
)
_tail = Lemma(
    name="geometric-tail",
    statement="the mass beyond a is at most beta where r^-a is",
    reals=("r", "u", "beta"),
    hypotheses={"ratio": lambda v: v.r >= 1, "power": lambda v: every(v.u >= 0, v.u <= v.beta)},
    conclusion=lambda v: beyond(v.r, v.u) <= v.beta,
    point={"r": 2, "u": TENTH, "beta": HALF},
    mutants=(
        Mutant("ratio-below-1", hypotheses={"ratio": lambda v: v.r > 0}),
        Mutant("any-power", without="power"),
        Mutant("half", conclusion=lambda v: 2 * beyond(v.r, v.u) <= v.beta),
    ),
)
_tight = Lemma(
    name="geometric-tight",
    statement="masses r m and m need a ratio of r, two independent ones of each need r^2",
    reals=("r", "m", "x", "R", "S"),
    hypotheses={
        "masses": lambda v: every(v.m > 0, v.x > 0),
        "one": lambda v: v.r * v.m <= v.R * v.m,
        "two": lambda v: v.r * v.m * v.r * v.x <= v.S * v.m * v.x,
    },
    conclusion=lambda v: every(v.r <= v.R, v.r * v.r <= v.S),
    point={"r": 2, "m": HALF, "x": HALF, "R": 2, "S": 4},
    mutants=(
        Mutant("no-mass", without="masses"),
        Mutant("one-free", without="one"),
        Mutant("two-free", without="two"),
    ),
)

_NOISE = Theorem(
    id="noise-accurate-proved",
    statement=(
        "For every n, count c in [0, n], ratio r = e^(1/s) > 1 and a >= 0: Pr[|Geo(s)| <= a] = 1 - 2 r^-a/(r + 1), so "
        "that the clamped count is off by more than a with probability at most beta where r^a >= 1/beta, and where "
        "that holds for beta - gamma, FastSample with probability at most beta. Clamped, counts 0 and 1 need a ratio "
        "of r."
    ),
    source="finite-computers, Theorems 4.6, 4.7 and 4.10, accuracy",
    argument=(
        "central-mass: (r - 1)/(r + 1) times 1 and twice r^-1 + ... + r^-a. geometric-tail; clamping and the mass that "
        "FastSample moves to c bring counts no further off, moved-nearer, and it has that law with a weight of 1 - "
        "gamma: fastsample-off. The outcome 0 has all noise up to -c, r times as much for c = 0 as for 1: "
        "ratio-at-zero. For a >= s ln(1/beta), r^a >= 1/beta: power-of-ratio."
    ),
    lemmas=(_clamped, _tail, _tight),
    bound_by=f"{TESTS}::test_noise_is_as_far_off_as_stated",
    uses=("packing-proved", "accuracy-arithmetic-proved", "fastsample-cumulative-proved"),
    derivation=(*accuracy_derivations.NOISE, *accuracy_derivations.PROGRAMS),
)

THEOREMS: tuple[Theorem, ...] = (_NOISE,)
