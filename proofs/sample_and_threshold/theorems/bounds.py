"""Sample-and-threshold: the constant of Lemma 3 and its rate.

Logarithms and exponentials enter as variables, with the inequalities on them that the proofs use.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.sample_and_threshold import bound_derivations
from dpcert.proofs.terms import Formula, equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_sampled_bounds.py"


def divergence(q: Any, a: Any, b: Any) -> Any:
    """Return D(q||p) for a = ln(q/p) and b = ln((1-q)/(1-p))."""
    return q * a + (1 - q) * b


def sampling_rate(alpha: Any, y: Any) -> Any:
    """Return p = alpha (1 - y), y = e^-epsilon."""
    return alpha * (1 - y)


def subtracted(alpha: Any, y: Any) -> Any:
    """Return (1 - q)/q of Lemma 3's rate, y = e^-epsilon, q = (1 - y)(1 + alpha y), as in Equation (7)."""
    return y * (1 - alpha + alpha * y) / ((1 - y) * (1 + alpha * y))


LEMMA3: dict[str, Formula] = {
    "alpha": lambda v: every(v.alpha > 0, v.alpha <= 1),
    "y is e^-epsilon": lambda v: every(v.y > 0, v.y < 1),
}

_rewritten = Lemma(
    name="rate-rewritten",
    statement="q = (1 - y)(1 + alpha y), q alpha = p (1 + alpha y), 1 - q = (1 - p) y, and (1 - q)/q is that of (7)",
    reals=("alpha", "y", "p", "q"),
    hypotheses={
        **LEMMA3,
        "p": lambda v: equal(v.p, sampling_rate(v.alpha, v.y)),
        "q": lambda v: equal(v.q, 1 - v.y * (1 - v.p)),
    },
    conclusion=lambda v: every(
        equal(v.q, (1 - v.y) * (1 + v.alpha * v.y)),
        equal(v.q * v.alpha, v.p * (1 + v.alpha * v.y)),
        equal(1 - v.q, (1 - v.p) * v.y),
        equal((1 - v.q) * (1 - v.y) * (1 + v.alpha * v.y), v.q * v.y * (1 - v.alpha + v.alpha * v.y)),
    ),
    point={"alpha": HALF, "y": HALF, "p": Fraction(1, 4), "q": Fraction(5, 8)},
    mutants=(
        Mutant("another-rate", without="p"),
        Mutant("alpha-times-y", hypotheses={"p": lambda v: equal(v.p, v.alpha * v.y)}),
    ),
)
_limit = Lemma(
    name="subtracted-at-most-limit",
    statement="epsilon (1 - q)/q <= 1/(1 + alpha), from epsilon <= sinh epsilon: 2 epsilon y <= 1 - y^2",
    reals=("alpha", "y", "epsilon"),
    hypotheses={
        **LEMMA3,
        "epsilon": lambda v: every(v.epsilon > 0, 2 * v.epsilon * v.y <= 1 - v.y * v.y),
    },
    conclusion=lambda v: (
        v.epsilon * v.y * (1 - v.alpha + v.alpha * v.y) * (1 + v.alpha) <= (1 - v.y) * (1 + v.alpha * v.y)
    ),
    point={"alpha": HALF, "y": HALF, "epsilon": Fraction(7, 10)},
    mutants=(
        Mutant(
            "any-epsilon",
            without="epsilon",
            counterexample={"alpha": HALF, "y": HALF, "epsilon": 4},
        ),
        Mutant(
            "half-the-limit",
            conclusion=lambda v: (
                2 * v.epsilon * v.y * (1 - v.alpha + v.alpha * v.y) * (1 + v.alpha) <= (1 - v.y) * (1 + v.alpha * v.y)
            ),
            counterexample={"alpha": TENTH, "y": Fraction(9, 10), "epsilon": Fraction(21, 200)},
        ),
    ),
)
_factor = Lemma(
    name="second-factor-falls",
    statement="1 - alpha/(1 + alpha y) grows with y = e^-epsilon, so falls with epsilon, and is from 0 to 1",
    reals=("alpha", "y", "x"),
    hypotheses={**LEMMA3, "less": lambda v: every(v.x > 0, v.x < v.y)},
    conclusion=lambda v: every(
        1 - v.alpha / (1 + v.alpha * v.x) < 1 - v.alpha / (1 + v.alpha * v.y),
        1 - v.alpha / (1 + v.alpha * v.x) > 0,
        1 - v.alpha / (1 + v.alpha * v.y) < 1,
    ),
    point={"alpha": HALF, "y": HALF, "x": TENTH},
    mutants=(
        Mutant("not-less", hypotheses={"less": lambda v: v.x > 0}),
        Mutant(
            "alpha-2",
            hypotheses={"alpha": lambda v: v.alpha > 0},
            counterexample={"alpha": 2, "y": HALF, "x": TENTH},
        ),
    ),
)
_first = Lemma(
    name="first-factor-falls",
    statement="b/(e^b - 1) < a/(e^a - 1) for 0 < a < b, A = e^a, X = e^(b-a), from e^t >= 1 + t, strictly for t != 0",
    reals=("a", "b", "A", "X"),
    hypotheses={
        "order": lambda v: every(v.a > 0, v.b > v.a),
        "A": lambda v: every(v.A > 1, v.A * (1 - v.a) < 1),
        "X": lambda v: 1 + v.b - v.a < v.X,
    },
    conclusion=lambda v: v.b * (v.A - 1) < v.a * (v.A * v.X - 1),
    point={"a": 1, "b": 2, "A": Fraction(271, 100), "X": Fraction(271, 100)},
    mutants=(
        Mutant(
            "A-free",
            hypotheses={"A": lambda v: v.A > 1},
            counterexample={"a": TENTH, "b": 1, "A": 4, "X": 2},
        ),
        Mutant("X-free", without="X", counterexample={"a": 1, "b": 2, "A": 2, "X": 1}),
    ),
)
_between = Lemma(
    name="first-factor-between",
    statement="1/E <= epsilon/(E - 1) <= 1, so that it tends to 1 with E",
    reals=("epsilon", "E"),
    hypotheses={
        "epsilon": lambda v: v.epsilon > 0,
        "exponential": lambda v: every(1 + v.epsilon <= v.E, v.E * (1 - v.epsilon) <= 1),
    },
    conclusion=lambda v: every(v.epsilon * v.E >= v.E - 1, v.epsilon <= v.E - 1),
    point={"epsilon": 1, "E": 2},
    mutants=(
        Mutant("any-E", without="exponential"),
        Mutant("strictly", conclusion=lambda v: v.epsilon < v.E - 1),
    ),
)
_constant = Lemma(
    name="constant-grows",
    statement="ln(1/alpha) - 1 <= C_alpha <= ln(1/alpha) - 1/2, l = ln(1/alpha)",
    reals=("alpha", "l"),
    hypotheses={"alpha": lambda v: every(v.alpha > 0, v.alpha <= 1)},
    conclusion=lambda v: every(v.l - 1 <= v.l - 1 / (1 + v.alpha), v.l - 1 / (1 + v.alpha) <= v.l - HALF),
    point={"alpha": HALF, "l": Fraction(7, 10)},
    mutants=(
        Mutant("alpha-2", hypotheses={"alpha": lambda v: v.alpha > 0}),
        Mutant("tighter", conclusion=lambda v: v.l - 1 / (1 + v.alpha) <= v.l - 1),
    ),
)

_LEMMA3 = Theorem(
    id="constant-proved",
    statement=(
        "For every epsilon > 0 and alpha in (0, 1]: at rate p = alpha (1 - e^-epsilon) the delta of Theorem 2 is at "
        "most "
        "exp(-C_alpha tau), C_alpha = ln(1/alpha) - 1/(1 + alpha), which is between ln(1/alpha) - 1 and ln(1/alpha) - "
        "1/2; what is subtracted falls with epsilon, and 1/(1 + alpha) is its limit at 0. epsilon <= 1 is not needed."
    ),
    source="sample-and-threshold, Lemma 3 and Appendix A",
    argument=(
        "By rate-rewritten D(q||p)/q = ln((1 + alpha y)/alpha) - epsilon (1 - q)/q, whose logarithm is at least "
        "ln(1/alpha). subtracted-at-most-limit bounds the rest; epsilon <= sinh epsilon by the first terms of the "
        "series. The fall: the product of two positive factors that fall, first-factor-falls and second-factor-falls. "
        "The limit: by first-factor-between the product is at most 2 epsilon below 1/(1 + alpha), product-near. The "
        "constant: constant-grows."
    ),
    lemmas=(_rewritten, _limit, _factor, _first, _between, _constant),
    bound_by=f"{TESTS}::test_the_rate_and_the_subtracted_term_are_those_of_q",
    derivation=bound_derivations.CONSTANT,
)

_order = Lemma(
    name="rate-of-order",
    statement=(
        "alpha epsilon/2 <= alpha (1 - y) <= alpha epsilon for epsilon <= 1, from 1 - epsilon <= y <= 1 - e + e^2/2"
    ),
    reals=("alpha", "y", "epsilon"),
    hypotheses={
        **LEMMA3,
        "epsilon": lambda v: every(v.epsilon > 0, v.epsilon <= 1),
        "exponential": lambda v: every(v.y >= 1 - v.epsilon, v.y <= 1 - v.epsilon + v.epsilon * v.epsilon / 2),
    },
    conclusion=lambda v: every(
        sampling_rate(v.alpha, v.y) <= v.alpha * v.epsilon, 2 * sampling_rate(v.alpha, v.y) >= v.alpha * v.epsilon
    ),
    point={"alpha": HALF, "y": Fraction(3, 5), "epsilon": HALF},
    mutants=(
        Mutant("epsilon-large", hypotheses={"epsilon": lambda v: v.epsilon > 0}),
        Mutant("exponential-free", without="exponential"),
    ),
)
_inverse = Lemma(
    name="epsilon-from-rate",
    statement="p = alpha (1 - y) exactly if y = (alpha - p)/alpha",
    reals=("alpha", "y", "p"),
    hypotheses={"alpha": lambda v: v.alpha > 0, "p": lambda v: equal(v.p, sampling_rate(v.alpha, v.y))},
    conclusion=lambda v: equal(v.y, (v.alpha - v.p) / v.alpha),
    point={"alpha": HALF, "y": HALF, "p": Fraction(1, 4)},
    mutants=(Mutant("any-p", without="p"),),
)

_RATE = Theorem(
    id="rate-proved",
    statement=(
        "For every alpha in (0, 1] and epsilon in (0, 1]: p = alpha (1 - e^-epsilon) lies between alpha epsilon/2 and "
        "alpha epsilon; and epsilon = ln(alpha/(alpha - p))."
    ),
    source="sample-and-threshold, Section 3.1, after Lemma 3",
    argument="The two lemmas; 1 - t <= e^-t <= 1 - t + t^2/2 for t > 0, by the series of e^t.",
    lemmas=(_order, _inverse),
    bound_by=f"{TESTS}::test_the_rate_and_the_subtracted_term_are_those_of_q",
    derivation=bound_derivations.RATE,
)


THEOREMS: tuple[Theorem, ...] = (_LEMMA3, _RATE)
