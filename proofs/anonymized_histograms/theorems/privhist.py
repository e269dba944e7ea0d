"""The privacy of PrivHist for all parameters: the split by its three cases, the smoothed prevalences, the whole."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.anonymized_histograms import derivations, privhist_derivations
from dpcert.proofs.terms import Values, equal, every, greatest, least, positive_part, size
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF = Fraction(1, 2)
TESTS = "tests/proofs/test_privhist_theorems.py"


def small_prevalence(above: Any, fakes: Any, moved: Any) -> Any:
    """Return phi^bs_(r+), which is max(0, phi_(r+) + 2M - m') for m' = L + M + Z^b, here `moved`."""
    return positive_part(above + 2 * fakes - moved)


def large_count(count: Any, threshold: Any) -> Any:
    """Return the i-th greatest count in H^bl, if H^bl holds at least i counts: at least T + 1."""
    return greatest(count, threshold + 1)


def below_boundary(count: Any, start: Any, gap: Any) -> Any:
    """Return the share of a count in g_i: its distance beyond s_(i-1) = `start`, clamped to the gap."""
    return least(positive_part(count - start), gap)


def laplace_exponent(x: Any, centre: Any, gap: Any, epsilon: Any) -> Any:
    """Return |x - centre|/b for Laplace noise of scale b = 1/(epsilon gap)."""
    return epsilon * gap * size(x - centre)


_carry = Lemma(
    name="carry-step",
    statement="with what was carried so far, max(0, S'), a step adds max(0, S - max(0, S')): together max(0, S)",
    reals=("before", "S"),
    hypotheses={"sums rise": lambda v: v.before <= v.S},
    conclusion=lambda v: equal(
        positive_part(v.before) + positive_part(v.S - positive_part(v.before)), positive_part(v.S)
    ),
    point={"before": -1, "S": 1},
    mutants=(
        Mutant("sums-fall", without="sums rise"),
        Mutant(
            "no-carry",
            conclusion=lambda v: equal(positive_part(v.before) + positive_part(v.S - v.before), positive_part(v.S)),
        ),
    ),
)
_small = Lemma(
    name="small-sums",
    statement=(
        "phi_r + ... + phi_T + M - Z is phi_(r+) + 2M - m', for m' = L + M + Z and phi_(r+) = phi_r + ... + phi_T + L"
    ),
    reals=("inner", "L", "M", "Z", "moved", "above"),
    hypotheses={
        "m'": lambda v: equal(v.moved, v.L + v.M + v.Z),
        "cumulative": lambda v: equal(v.above, v.inner + v.L),
    },
    conclusion=lambda v: equal(v.inner + v.M - v.Z, v.above + 2 * v.M - v.moved),
    point={"inner": 3, "L": 2, "M": 1, "Z": -1, "moved": 2, "above": 5},
    mutants=(
        Mutant("L-forgotten", hypotheses={"cumulative": lambda v: equal(v.above, v.inner)}),
        Mutant("fakes-once", conclusion=lambda v: equal(v.inner + v.M - v.Z, v.above + v.M - v.moved)),
    ),
)
_large = Lemma(
    name="large-counts",
    statement=(
        "of max(0, m') counts, max(0, m' - p) are below r, so that min(p, max(0, m')) are r or more, p = phi_(r+)"
    ),
    reals=("moved", "p"),
    hypotheses={"prevalence": lambda v: v.p >= 0},
    conclusion=lambda v: equal(
        positive_part(v.moved) - positive_part(v.moved - v.p), least(v.p, positive_part(v.moved))
    ),
    point={"moved": 1, "p": 2},
    mutants=(
        Mutant("negative-prevalence", without="prevalence"),
        Mutant("all-shown", conclusion=lambda v: equal(positive_part(v.moved) - positive_part(v.moved - v.p), v.p)),
    ),
)
_one = Lemma(
    name="difference-of-maxima",
    statement="max(0, a + 1) - max(0, a) is from 0 to 1, and |max(0, a) - max(0, b)| <= |a - b|",
    reals=("a", "b"),
    hypotheses={},
    conclusion=lambda v: every(
        positive_part(v.a + 1) - positive_part(v.a) >= 0,
        positive_part(v.a + 1) - positive_part(v.a) <= 1,
        size(positive_part(v.a) - positive_part(v.b)) <= size(v.a - v.b),
    ),
    point={"a": HALF, "b": -1},
    mutants=(
        Mutant("equal", conclusion=lambda v: equal(size(positive_part(v.a) - positive_part(v.b)), size(v.a - v.b))),
        Mutant("half", conclusion=lambda v: 2 * (positive_part(v.a + 1) - positive_part(v.a)) <= 1),
    ),
)
_floor = Lemma(
    name="large-count-moves",
    statement="from n to n + 1, max(T + 1, n) stays for n <= T and grows by one for n > T",
    reals=(),
    integers=("n", "T"),
    hypotheses={"T": lambda v: v.T >= 1, "n": lambda v: v.n >= 0},
    conclusion=lambda v: equal(_grown(v), _beyond(v)),
    point={"n": 1, "T": 1},
    mutants=(
        Mutant(
            "floor-T",
            conclusion=lambda v: equal(greatest(v.n + 1, v.T) - greatest(v.n, v.T), _beyond(v)),
        ),
        Mutant("always", conclusion=lambda v: equal(_grown(v), 1)),
    ),
)


def _grown(v: Values) -> Any:
    return large_count(v.n + 1, v.T) - large_count(v.n, v.T)


def _beyond(v: Values) -> Any:
    return least(1, positive_part(v.n - v.T))


_ratio = Lemma(
    name="one-noise-moves",
    statement=(
        "a product of masses of which one, at most R times another, takes its place is at most R times the other "
        "product"
    ),
    reals=("R", "p", "q", "rest"),
    hypotheses={"masses": lambda v: every(v.q >= 0, v.rest >= 0), "one": lambda v: v.p <= v.R * v.q},
    conclusion=lambda v: v.p * v.rest <= v.R * (v.q * v.rest),
    point={"R": 2, "p": HALF, "q": HALF, "rest": HALF},
    mutants=(
        Mutant("more-than-R", without="one"),
        Mutant("negative", hypotheses={"masses": lambda v: v.q >= 0}),
    ),
)

_SPLIT = Theorem(
    id="privhist-split-proved",
    statement=(
        "For every epsilon_2 > 0, T >= 1 and M >= 0: (H^cs, H^cl), even with m' = L + M + Z^b shown and the counts "
        "of H^cl in "
        "order, is (epsilon_2, 0)-differentially private for histograms at distance one."
    ),
    source="anonymized-histograms, Lemma 8 and Appendix C.3",
    argument=(
        "carry-step, from T down and from T + 1 up, where the prevalences added are not negative, with small-sums: "
        "given m' the small part is small_prevalence at each r <= T: small-part. large-counts: the i-th greatest "
        "count of H^bl, i <= max(0, m'), is large_count of the i-th greatest of h: large-part. Neighbours differ by "
        "one count r that becomes r + 1, which changes phi_((r+1)+) alone, and one place of the sorted counts. r < T: "
        "given m' one small prevalence moves by at most one, difference-of-maxima, and no large count, "
        "large-count-moves. r > T: one large count moves by one. r = T: L moves by one, so the law of m' by one step, "
        "and given m' nothing moves. In each case one geometric mass of the product has another centre, one away: "
        "theorem geometric-private-proved and one-noise-of-many. Not showing m' is post-processing."
    ),
    left=(
        "reading: m' and the noisy parts given m' are independent, each with geometric noise on its centre; the i-th "
        "greatest count is at least r where i counts are; for r = T, phi_(r+), r <= T, and large_count stay; not "
        "showing m' is post-processing."
    ),
    lemmas=(_carry, _small, _large, _one, _floor, _ratio),
    bound_by=f"{TESTS}::test_the_parts_are_those_of_the_printed_steps",
    derivation=privhist_derivations.SPLIT,
    uses=("geometric-private-proved", "post-processing-proved"),
)

_reach = Lemma(
    name="boundaries-telescope",
    statement="min(j, s) and what j reaches into the gap from s to s + w make min(j, s + w)",
    reals=("j", "s", "w"),
    hypotheses={"gap": lambda v: v.w >= 0},
    conclusion=lambda v: equal(least(v.j, v.s) + below_boundary(v.j, v.s, v.w), least(v.j, v.s + v.w)),
    point={"j": 4, "s": 3, "w": 2},
    mutants=(
        Mutant("gap-negative", without="gap"),
        Mutant(
            "uncut",
            conclusion=lambda v: equal(least(v.j, v.s) + positive_part(v.j - v.s), least(v.j, v.s + v.w)),
        ),
    ),
)
_rise = Lemma(
    name="reach-rises",
    statement="from j to j + 1 what is reached into a gap rises by 0 to 1, and so does min(j, s)",
    reals=("j", "s", "w"),
    hypotheses={"gap": lambda v: v.w >= 0},
    conclusion=lambda v: every(
        below_boundary(v.j + 1, v.s, v.w) >= below_boundary(v.j, v.s, v.w),
        below_boundary(v.j + 1, v.s, v.w) <= below_boundary(v.j, v.s, v.w) + 1,
        least(v.j + 1, v.s) <= least(v.j, v.s) + 1,
    ),
    point={"j": 4, "s": 3, "w": 2},
    mutants=(
        Mutant("half", conclusion=lambda v: least(v.j + 1, v.s) <= least(v.j, v.s) + HALF),
        Mutant(
            "always",
            conclusion=lambda v: below_boundary(v.j + 1, v.s, v.w) >= below_boundary(v.j, v.s, v.w) + HALF,
        ),
    ),
)
_shares = Lemma(
    name="smoothing-shares",
    statement=(
        "for s <= r <= s + t the shares (s + t - r)/t at s and (r - s)/t at s + t are 1 in all, and r moves the "
        "latter by 1/t"
    ),
    reals=("r", "s", "t"),
    hypotheses={"window": lambda v: every(v.t > 0, v.r >= v.s, v.r <= v.s + v.t)},
    conclusion=lambda v: every(
        equal((v.s + v.t - v.r) / v.t + (v.r - v.s) / v.t, 1),
        equal((v.r - v.s) / v.t * v.t, below_boundary(v.r, v.s, v.t)),
        equal((v.r + 1 - v.s) / v.t - (v.r - v.s) / v.t, 1 / v.t),
    ),
    point={"r": 4, "s": 3, "t": 2},
    mutants=(
        Mutant("outside", hypotheses={"window": lambda v: v.t > 0}),
        Mutant(
            "as-printed",
            conclusion=lambda v: equal((v.s + v.t - v.r) / v.t + v.r / v.t, 1),
        ),
    ),
)

_SMOOTHED = Theorem(
    id="privhist-smoothing-proved",
    statement=(
        "For every epsilon_3 > 0 and boundaries 0 = s_0 < s_1 < ...: the numbers (s_i - s_(i-1)) phi^v_(s_i +) with "
        "independent noise G(e^-epsilon_3) are (epsilon_3, 0)-differentially private for histograms at distance one."
    ),
    source="anonymized-histograms, Lemma 9 and Section 4.3, geometric noise for Laplace noise",
    argument=(
        "By smoothing-shares a count r adds below_boundary(r, s_(i-1), s_i - s_(i-1)) to the i-th number: 1/t of it "
        "to the smoothed prevalence at s + t, and 1 to all below. The numbers of one count add up to min(r, s_last) "
        "by boundaries-telescope. From r to r + 1 the number of the gap that holds r rises by 1, and no other, "
        "reach-of-one-more and one-number-moves: theorem geometric-private-proved and one-noise-of-many."
    ),
    lemmas=(_reach, _rise, _shares, _ratio),
    bound_by=f"{TESTS}::test_the_reach_is_that_of_the_smoothed_prevalences",
    derivation=privhist_derivations.SMOOTHED,
    uses=("geometric-private-proved",),
)

_total = Lemma(
    name="three-steps",
    statement="ratios of E1, E2 and E3 of three steps, each given the ones before, make a ratio of E1 E2 E3",
    reals=("E1", "E2", "E3", "p", "q", "x", "y", "u", "w"),
    hypotheses={
        "probabilities": lambda v: every(v.p >= 0, v.q >= 0, v.x >= 0, v.y >= 0, v.u >= 0, v.w >= 0),
        "epsilons": lambda v: every(v.E1 >= 1, v.E2 >= 1, v.E3 >= 1),
        "first": lambda v: v.p <= v.E1 * v.q,
        "second": lambda v: v.x <= v.E2 * v.y,
        "third": lambda v: v.u <= v.E3 * v.w,
    },
    conclusion=lambda v: v.p * v.x * v.u <= v.E1 * v.E2 * v.E3 * (v.q * v.y * v.w),
    point={"E1": 2, "E2": 2, "E3": 2, "p": HALF, "q": HALF, "x": HALF, "y": HALF, "u": HALF, "w": HALF},
    mutants=(
        Mutant("first-free", without="first"),
        Mutant("second-free", without="second"),
        Mutant("third-free", without="third"),
        Mutant("two-of-three", conclusion=lambda v: v.p * v.x * v.u <= v.E1 * v.E2 * (v.q * v.y * v.w)),
    ),
)

_WHOLE = Theorem(
    id="privhist-proved",
    statement=(
        "For all epsilon_1, epsilon_2, epsilon_3 > 0 and every rule for T >= 1, M >= 0 and the boundaries that sees "
        "the "
        "noisy total and, for the boundaries, H^cl alone: PrivHist with geometric noise throughout is (epsilon_1 + "
        "epsilon_2 "
        "+ epsilon_3, 0)-differentially private for histograms at distance one."
    ),
    source="anonymized-histograms, Theorem 1, its privacy, with Lemmas 7 to 9",
    argument=(
        "The totals of neighbours differ by one, so that N is (epsilon_1, 0)-DP by geometric-private-proved: Lemma 7. "
        "Given N the split is (epsilon_2, 0)-DP by privhist-split-proved, and given both the smoothed prevalences are "
        "(epsilon_3, 0)-DP by privhist-smoothing-proved. three-steps joins them, outcome by outcome; on countably "
        "many outcomes an event has the supremum of its partial sums."
    ),
    left=(
        "reading: what a rule chooses is fixed given the steps before; step H1 counts what is above 2N as 2N, which "
        "moves no count farther; max(., 0) and what follows are post-processing; above epsilon = 1 the third step is "
        "not made."
    ),
    lemmas=(_total,),
    bound_by=f"{TESTS}::test_each_step_of_the_law_has_a_third_of_epsilon",
    uses=("geometric-private-proved", "privhist-split-proved", "privhist-smoothing-proved", "post-processing-proved"),
    derivation=derivations.THREE,
)

_exponent = Lemma(
    name="laplace-exponent",
    statement="where f and g differ by at most 1/w, the exponents e w |x - f| and e w |x - g| differ by at most e",
    reals=("x", "f", "g", "w", "e"),
    hypotheses={
        "gap": lambda v: v.w > 0,
        "epsilon": lambda v: v.e >= 0,
        "one step": lambda v: v.w * size(v.f - v.g) <= 1,
    },
    conclusion=lambda v: laplace_exponent(v.x, v.f, v.w, v.e) <= laplace_exponent(v.x, v.g, v.w, v.e) + v.e,
    point={"x": 0, "f": HALF, "g": 0, "w": 2, "e": 1},
    mutants=(
        Mutant("two-steps", without="one step"),
        Mutant(
            "half",
            conclusion=lambda v: (
                laplace_exponent(v.x, v.f, v.w, v.e) <= laplace_exponent(v.x, v.g, v.w, v.e) + v.e * HALF
            ),
        ),
    ),
)

_PRINTED = Theorem(
    id="privhist-laplace-proved",
    statement=(
        "The same with the noise that step H4 prints, Laplace noise of scale 1/(epsilon_3 (s_i - s_(i-1))) on the real "
        "number phi^v_(s_i +), in place of geometric noise over the gap."
    ),
    source="anonymized-histograms, Theorem 1 and Lemma 9, their privacy, with the carried split",
    argument=(
        "By privhist-smoothing-proved one of the numbers w phi^v_(s_i +), w the gap, moves, and by at most 1. Its "
        "density at x is e^-laplace_exponent times a constant; by laplace-exponent the densities of neighbours have a "
        "ratio of at most e^epsilon_3. The first two steps are those of privhist-proved, and three-steps joins them, "
        "with densities for the third."
    ),
    left=(
        "measure: the densities of the other numbers cancel, and integrals over events are within the ratio of "
        "densities."
    ),
    lemmas=(_exponent, _total),
    bound_by=f"{TESTS}::test_the_exponent_is_that_of_laplace_noise",
    derivation=privhist_derivations.LAPLACE,
    uses=("privhist-smoothing-proved", "privhist-proved"),
)

THEOREMS: tuple[Theorem, ...] = (_SPLIT, _SMOOTHED, _WHOLE, _PRINTED)
