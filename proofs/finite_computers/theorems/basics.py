"""Post-processing, group privacy, composition, statistical distance, and mixing: outcome by outcome."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.finite_computers import (
    counting_derivations,
    derivations,
    nearby_derivations,
)
from dpcert.proofs.terms import Values, every, positive_part, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
TESTS = "tests/proofs/test_basics_theorems.py"


def excess(E: Any, p: Any, q: Any) -> Any:
    """Return max(0, p - E q), what an outcome adds to the least delta at E = e^epsilon."""
    return positive_part(p - E * q)


_post = Lemma(
    name="post-processing-step",
    statement="a mapped outcome's excess grows by at most the share t of the excess of one more outcome",
    reals=("E", "p", "q", "t", "P", "Q", "D"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "laws": lambda v: every(v.p >= 0, v.q >= 0, v.P >= 0, v.Q >= 0),
        "share": lambda v: v.t >= 0,
        "so far": lambda v: excess(v.E, v.P, v.Q) <= v.D,
    },
    conclusion=lambda v: excess(v.E, v.P + v.t * v.p, v.Q + v.t * v.q) <= v.D + v.t * excess(v.E, v.p, v.q),
    point={"E": 2, "p": HALF, "q": TENTH, "t": HALF, "P": HALF, "Q": TENTH, "D": HALF},
    mutants=(
        Mutant("share-negative", without="share"),
        Mutant("nothing-so-far", without="so far"),
        Mutant(
            "half",
            conclusion=lambda v: excess(v.E, v.P + v.t * v.p, v.Q + v.t * v.q) <= v.D + v.t * excess(v.E, v.p, v.q) / 2,
        ),
    ),
)

_POST = Theorem(
    id="post-processing-proved",
    statement=(
        "For all laws p and q and every map of outcomes, random or not, and every epsilon >= 0: the least delta of the "
        "images is at most that of p and q."
    ),
    source="finite-computers, Lemma 2.2",
    argument=(
        "The image of p gives an outcome b the probability sum_a t(a, b) p(a). An event of the images is one of p "
        "whose outcomes weigh from 0 to 1, by an exchange of sums, and costs at most the sum of the excesses. On "
        "countably many outcomes an event has the supremum of its partial sums."
    ),
    lemmas=(_post,),
    bound_by=f"{TESTS}::test_the_excess_is_that_of_the_kernel",
    derivation=derivations.POST_PROCESSING,
)


def group_delta(E: Any, delta: Any, G: Any) -> Any:
    """Return delta (E^m - 1)/(E - 1) for E > 1 and G = E^m, the delta of inputs m apart."""
    return delta * (G - 1) / (E - 1)


def composed_excess(E1: Any, E2: Any, p: Any, q: Any, x: Any, y: Any) -> Any:
    """Return the excess at E1 E2 of an outcome of the first release, x and y an event's probabilities after it."""
    return p * x - E1 * E2 * q * y


_mapped = Lemma(
    name="distance-map-step",
    statement="|sum t (p - q)| grows by at most t |p - q| with one more outcome",
    reals=("S", "D", "t", "p", "q"),
    hypotheses={"share": lambda v: v.t >= 0, "so far": lambda v: size(v.S) <= v.D},
    conclusion=lambda v: size(v.S + v.t * (v.p - v.q)) <= v.D + v.t * size(v.p - v.q),
    point={"S": -TENTH, "D": HALF, "t": HALF, "p": HALF, "q": TENTH},
    mutants=(
        Mutant("share-negative", without="share"),
        Mutant("nothing-so-far", without="so far"),
    ),
)

_joint = Lemma(
    name="distance-of-two-steps",
    statement="|p x - q y| <= |p - q| x + q |x - y|",
    reals=("p", "q", "x", "y"),
    hypotheses={"laws": lambda v: every(v.p >= 0, v.q >= 0, v.x >= 0, v.y >= 0)},
    conclusion=lambda v: size(v.p * v.x - v.q * v.y) <= size(v.p - v.q) * v.x + v.q * size(v.x - v.y),
    point={"p": HALF, "q": TENTH, "x": HALF, "y": THIRD},
    mutants=(
        Mutant("signed", without="laws"),
        Mutant("second-free", conclusion=lambda v: size(v.p * v.x - v.q * v.y) <= size(v.p - v.q) * v.x),
        Mutant("first-free", conclusion=lambda v: size(v.p * v.x - v.q * v.y) <= v.q * size(v.x - v.y)),
    ),
)

_DISTANCE = Theorem(
    id="distance-proved",
    statement=(
        "For all laws: a map, random or not, does not raise the statistical distance; two steps are at most as far "
        "apart as the first steps and the greatest distance of the second steps together."
    ),
    source="finite-computers, Lemma 2.10",
    argument=(
        "Maps: |sum_k t(k, b) (p(k) - q(k))| is at most the sum of t(k, b) |p(k) - q(k)| for each image b; sum over "
        "b, exchange, and shares sum to 1. Two steps: sum distance-of-two-steps over the outcomes of the second step "
        "given the first, sum x <= 1, then over those of the first, sum q <= 1. Half of each sum is the distance."
    ),
    lemmas=(_mapped, _joint),
    bound_by=f"{TESTS}::test_the_distance_is_half_the_sum_of_sizes",
    derivation=counting_derivations.DISTANCE,
)


def mixes(E: Any, gamma: Any, m: Any, delta: Any) -> Any:
    """Return whether delta <= (E - 1)/(E + 1) gamma/(1 - gamma) m, multiplied out.

    Source: finite-computers, Equation (3.1).
    """
    return delta * (1 - gamma) * (E + 1) <= (E - 1) * gamma * m


def _mixed(v: Values, rest: Any) -> Any:
    return v.gamma * v.p + (1 - v.gamma) * rest


_mixing = Lemma(
    name="mixing-outcome",
    statement="probabilities x and y within delta of private a and b are, once mixed, at most a ratio of E apart",
    reals=("E", "gamma", "p", "m", "delta", "a", "b", "x", "y"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "gamma": lambda v: every(v.gamma >= 0, v.gamma <= 1),
        "least": lambda v: every(v.m >= 0, v.p >= v.m),
        "probabilities": lambda v: every(v.a >= 0, v.b >= 0, v.x >= 0, v.y >= 0),
        "private": lambda v: v.a <= v.E * v.b,
        "x is near": lambda v: size(v.x - v.a) <= v.delta,
        "y is near": lambda v: size(v.y - v.b) <= v.delta,
        "(3.1)": lambda v: mixes(v.E, v.gamma, v.m, v.delta),
    },
    conclusion=lambda v: _mixed(v, v.x) <= v.E * _mixed(v, v.y),
    point={
        "E": 2,
        "gamma": HALF,
        "p": HALF,
        "m": THIRD,
        "delta": TENTH,
        "a": HALF,
        "b": THIRD,
        "x": Fraction(11, 20),
        "y": THIRD,
    },
    mutants=(
        Mutant("not-private", without="private"),
        Mutant("x-far", without="x is near"),
        Mutant("y-far", without="y is near"),
        Mutant("m-not-least", hypotheses={"least": lambda v: every(v.m >= 0, v.p >= 0)}),
        Mutant(
            "bound-above",
            hypotheses={"(3.1)": lambda v: mixes(v.E, v.gamma, v.m, v.delta * 100 / 101)},
        ),
    ),
)

_MIXING = Theorem(
    id="mixing-proved",
    statement=(
        "For every epsilon >= 0, gamma < 1, law D' with least probability m, and program within delta of one that is "
        "(epsilon, 0)-DP, delta <= (E - 1)/(E + 1) gamma/(1 - gamma) m: mixed with D' at weight gamma it is "
        "(epsilon, 0)-DP."
    ),
    source="finite-computers, Lemma 3.2 i",
    argument=(
        "mixing-outcome for each outcome, whose probability moves by at most half of the l1 distance, "
        "outcome-has-half. Pure privacy of each outcome is that of each event."
    ),
    lemmas=(_mixing,),
    bound_by=f"{TESTS}::test_the_mixing_bound_is_that_of_the_mechanism",
    derivation=(*derivations.MIXING, *nearby_derivations.NEAR_MIXING),
)


THEOREMS: tuple[Theorem, ...] = (_POST, _DISTANCE, _MIXING)
