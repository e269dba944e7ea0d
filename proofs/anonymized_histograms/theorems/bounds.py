"""Anonymized histograms: the least error of private releases, the cost of smoothing, an inverse expanded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.anonymized_histograms import derivations, packing_derivations
from dpcert.proofs.terms import every, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_anonymized_theorems.py"


_outcome = Lemma(
    name="private-bits-outcome",
    statement="(1 + E)(p |v| + q |1 - v|) >= p + q for masses p and q of an estimate v under bits 0 and 1",
    reals=("E", "p", "q", "v"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "masses": lambda v: every(v.p >= 0, v.q >= 0),
        "p private": lambda v: v.p <= v.E * v.q,
        "q private": lambda v: v.q <= v.E * v.p,
    },
    conclusion=lambda v: (1 + v.E) * (v.p * size(v.v) + v.q * size(1 - v.v)) >= v.p + v.q,
    point={"E": 2, "p": Fraction(2, 3), "q": Fraction(1, 3), "v": 0},
    mutants=(
        Mutant("p-free", without="p private"),
        Mutant("q-free", without="q private"),
        Mutant(
            "more",
            conclusion=lambda v: (
                (1 + v.E) * (v.p * size(v.v) + v.q * size(1 - v.v)) >= Fraction(101, 100) * (v.p + v.q)
            ),
        ),
    ),
)


_printed = Lemma(
    name="private-bits-printed",
    statement="1/(1 + E) >= 1/(2 E)",
    reals=("E",),
    hypotheses={"epsilon": lambda v: v.E >= 1},
    conclusion=lambda v: 1 / (1 + v.E) >= 1 / (2 * v.E),
    point={"E": 2},
    mutants=(
        Mutant("negative-epsilon", hypotheses={"epsilon": lambda v: v.E > 0}),
        Mutant("more", conclusion=lambda v: Fraction(51, 100) / v.E <= 1 / (1 + v.E)),
    ),
)


_BITS = Theorem(
    id="ah-bits-proved",
    statement=(
        "For every k and epsilon >= 0: every epsilon-DP estimate of k bits, by real numbers, has an expected L1 "
        "error of at least k/(1 + e^epsilon) >= (k/2) e^-epsilon on some input."
    ),
    source="anonymized-histograms, Lemma 10",
    argument=(
        "Fix a bit i and the others. Sum private-bits-outcome over the outcomes, v the estimate of bit i: the errors "
        "of bit i on the two inputs add up to at least 2/(1 + E). Pairing each input with the one that has bit i "
        "changed, they add up over all N inputs to at least N/(1 + E): errors-of-pairs. So over all bits they add up "
        "to k N/(1 + E), and some input has no less than k/(1 + E): some-input. The printed form by "
        "private-bits-printed."
    ),
    left=(
        "measure: an estimate with other than countably many outcomes, rounded to multiples of eta, has countably "
        "many and at most eta more error in each bit."
    ),
    lemmas=(_outcome, _printed),
    bound_by=f"{TESTS}::test_the_bound_on_bits_is_met_by_flips",
    derivation=(*derivations.BITS, *packing_derivations.PAIRS),
)


_release = Lemma(
    name="private-pair-outcome",
    statement="(1 + G)(p a + q b) >= 2 (p + q) for masses within G of each other, at distances a + b >= 2",
    reals=("G", "p", "q", "a", "b"),
    hypotheses={
        "epsilon": lambda v: v.G >= 1,
        "masses": lambda v: every(v.p >= 0, v.q >= 0),
        "p private": lambda v: v.p <= v.G * v.q,
        "q private": lambda v: v.q <= v.G * v.p,
        "distances": lambda v: every(v.a >= 0, v.b >= 0),
        "apart": lambda v: v.a + v.b >= 2,
    },
    conclusion=lambda v: (1 + v.G) * (v.p * v.a + v.q * v.b) >= 2 * (v.p + v.q),
    point={"G": 4, "p": Fraction(4, 5), "q": Fraction(1, 5), "a": 0, "b": 2},
    mutants=(
        Mutant("p-free", without="p private"),
        Mutant("q-free", without="q private"),
        Mutant("together", without="apart"),
        Mutant(
            "more",
            conclusion=lambda v: (1 + v.G) * (v.p * v.a + v.q * v.b) >= Fraction(201, 100) * (v.p + v.q),
        ),
    ),
)


_capacity = Lemma(
    name="packing-capacity",
    statement="where n + 1 items are too few for k + 1 bits, and k >= 1, n is at most 6 k^2",
    reals=("n", "k"),
    hypotheses={"one bit": lambda v: v.k >= 1, "no more": lambda v: v.n + 2 <= 2 * (v.k + 1) * (v.k + 1)},
    conclusion=lambda v: v.n <= 6 * v.k * v.k,
    point={"n": 10, "k": 2},
    mutants=(
        Mutant("no-bits", without="one bit"),
        Mutant("more-bits", without="no more"),
        Mutant("five", conclusion=lambda v: v.n <= 5 * v.k * v.k),
    ),
)


_root = Lemma(
    name="packing-root",
    statement="a root s of n <= 6 k^2 has 2 s <= 5 k",
    reals=("s", "k"),
    hypotheses={"root": lambda v: v.s * v.s <= 6 * v.k * v.k, "bits": lambda v: v.k >= 0},
    conclusion=lambda v: 2 * v.s <= 5 * v.k,
    point={"s": 2, "k": 1},
    mutants=(
        Mutant("any-root", without="root"),
        Mutant(
            "less",
            conclusion=lambda v: 2 * v.s <= Fraction(489, 100) * v.k,
            counterexample={"s": Fraction(49, 20), "k": Fraction(10003, 10000)},
        ),
    ),
)


_constant = Lemma(
    name="packing-constant",
    statement="2 k/(1 + G) >= (2/5) s/G where 2 s <= 5 k",
    reals=("s", "k", "G"),
    hypotheses={
        "epsilon": lambda v: v.G >= 1,
        "root": lambda v: 2 * v.s <= 5 * v.k,
        "positive": lambda v: v.s >= 0,
    },
    conclusion=lambda v: 2 * v.k / (1 + v.G) >= Fraction(2, 5) * v.s / v.G,
    point={"s": 2, "k": 1, "G": 4},
    mutants=(
        Mutant("negative-epsilon", hypotheses={"epsilon": lambda v: v.G > 0}),
        Mutant("any-root", without="root"),
        Mutant("more", conclusion=lambda v: 2 * v.k / (1 + v.G) >= Fraction(41, 100) * v.s / v.G),
    ),
)


_LEAST = Theorem(
    id="ah-least-proved",
    statement=(
        "For every n >= 1 and epsilon >= 0: every epsilon-DP release has a histogram h of n or n + 1 items with E "
        "l1(h, H) >= 2 k/(1 + e^(2 epsilon)) >= (2/5) sqrt(n) e^(-2 epsilon), k = floor(sqrt((n + 1)/2)) >= 1."
    ),
    source="anonymized-histograms, Theorem 2",
    argument=(
        "Bits at 2 k^2 items: items-of-bits. Bit i shows in phi_(2i+1)+ and phi_(2i+2)+ alone, by 1 in each, so that "
        "from any release the two values of bit i, given the others, are a and b away there with a + b >= 2: "
        "places-apart. By ah-distance-proved l1(h, H) is at least the sum over i of the differences at these two "
        "places: places-in-all. With a common neighbour masses are within G = E^2. Sum private-pair-outcome over "
        "outcomes, and as in ah-bits-proved over bits and inputs. Last packing-capacity, packing-root with s = "
        "sqrt(n), and packing-constant."
    ),
    left=(
        "reading: bit i is {2i, 2i + 2} or {2i + 1, 2i + 1}, i < k, and what is left of n + 1 items is one count; "
        "both have {2i, 2i + 1} as a neighbour. Other than countably many outcomes as in ah-bits-proved."
    ),
    lemmas=(_release, _capacity, _root, _constant),
    bound_by=f"{TESTS}::test_the_packing_is_that_of_the_code",
    derivation=packing_derivations.LEAST,
    uses=("ah-distance-proved", "ah-bits-proved"),
)


def smoothing_cost(low: Any, r: Any, high: Any) -> Any:
    """Return 2 (r - low)(high - r)/(high - low), the cost of smoothing a count r to two boundaries."""
    return 2 * (r - low) * (high - r) / (high - low)


def expansion(n: Any, y: Any) -> Any:
    """Return 1/n + (n - y)/n^2 + (n - y)^2/(n^2 y), which is 1/y."""
    return 1 / n + (n - y) / (n * n) + (n - y) * (n - y) / (n * n * y)


THEOREMS: tuple[Theorem, ...] = (_BITS, _LEAST)
