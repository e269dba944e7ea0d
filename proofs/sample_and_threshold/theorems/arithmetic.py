"""Arithmetic of Sections 3 and 4: a ratio, a cut-off and its complement, a mean solved for, the error of thresholds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_sampled_counts_theorems.py"


def binomial_ratio(k: Any, v: Any, p: Any) -> Any:
    """Return k (1 - p)/(k - v), Pr[Bin(k, p) = v] over Pr[Bin(k - 1, p) = v], for v < k.

    Source: sample-and-threshold, Lemma 1, corrected.
    """
    return k * (1 - p) / (k - v)


def cut_off(E: Any, p: Any) -> Any:
    """Return q = 1 - (1 - p)/E: counts above k q are in the worst event.

    Source: sample-and-threshold, Section 3.1.
    """
    return 1 - (1 - p) / E


def cut_off_at(p: Any, y: Any) -> Any:
    """Return q = 1 - e^-epsilon + e^-epsilon p, y = e^-epsilon."""
    return 1 - y + y * p


def pruned_error(epsilon: Any, n: Any, levels: Any, beta: Any, tau: Any) -> Any:
    """Return (beta - 1)(L tau)^2/(epsilon n), the error of the threshold for m = epsilon n/(L tau)."""
    return (beta - 1) * (levels * tau) * (levels * tau) / (epsilon * n)


_complement = Lemma(
    name="cut-off-complement",
    statement="1 - q = (1 - p) e^-epsilon",
    reals=("p", "y"),
    hypotheses={},
    conclusion=lambda v: equal(1 - cut_off_at(v.p, v.y), (1 - v.p) * v.y),
    point={"p": HALF, "y": HALF},
    mutants=(Mutant("p", conclusion=lambda v: equal(1 - cut_off_at(v.p, v.y), v.p * v.y)),),
)
_solved = Lemma(
    name="mean-solved",
    statement="mu = (3/gamma^2) l has gamma^2 mu/3 = l, so that 2 e^-l = beta for l = ln(2/beta)",
    reals=("gamma", "l", "beta", "x"),
    hypotheses={"gamma": lambda v: v.gamma > 0, "x is e^-l": lambda v: equal(v.x * 2, v.beta)},
    conclusion=lambda v: every(
        equal(v.gamma * v.gamma * (3 / (v.gamma * v.gamma) * v.l) / 3, v.l), equal(2 * v.x, v.beta)
    ),
    point={"gamma": HALF, "l": 1, "beta": HALF, "x": Fraction(1, 4)},
    mutants=(
        Mutant("as-printed", hypotheses={"x is e^-l": lambda v: equal(v.x, 2 * v.beta)}),
        Mutant(
            "thrice",
            conclusion=lambda v: equal(v.gamma * v.gamma * (3 / (v.gamma * v.gamma) * v.l), v.l),
        ),
    ),
)
_error = Lemma(
    name="pruned-error",
    statement="for m = epsilon n/(L tau): L (beta - 1) tau/m = (beta - 1)(L tau)^2/(epsilon n)",
    reals=("epsilon", "n", "L", "beta", "tau"),
    hypotheses={"sizes": lambda v: every(v.epsilon > 0, v.n > 0, v.L > 0, v.tau > 0)},
    conclusion=lambda v: equal(
        v.L * (v.beta - 1) * v.tau / (v.epsilon * v.n / (v.L * v.tau)),
        pruned_error(v.epsilon, v.n, v.L, v.beta, v.tau),
    ),
    point={"epsilon": 1, "n": 10, "L": 2, "beta": 2, "tau": 3},
    mutants=(
        Mutant(
            "once",
            conclusion=lambda v: equal(
                v.L * (v.beta - 1) * v.tau / (v.epsilon * v.n / (v.L * v.tau)),
                (v.beta - 1) * v.L * v.tau / (v.epsilon * v.n),
            ),
        ),
    ),
)
_ARITHMETIC = Theorem(
    id="sampled-arithmetic-proved",
    statement=(
        "For q = 1 - e^-epsilon + e^-epsilon p: 1 - q = (1 - p) e^-epsilon. 2 exp(-gamma^2 mu/3) = beta is solved by "
        "mu = (3/gamma^2) ln(2/beta). For m = epsilon n/(L tau): L (beta - 1) tau/m = (beta - 1)(L tau)^2/(epsilon n)."
    ),
    source="sample-and-threshold, Section 3.3, corrected, Section 4.2 and Appendix A",
    argument="The three lemmas.",
    lemmas=(_complement, _solved, _error),
    bound_by=f"{TESTS}::test_the_arithmetic_is_that_of_the_mechanism",
)


THEOREMS: tuple[Theorem, ...] = (_ARITHMETIC,)
