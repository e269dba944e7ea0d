"""The order of the constraints on reporting probabilities, and priority sampling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Formula, Values, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.weighted_sampling import order_derivations, power_derivations

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TESTS = "tests/proofs/test_weighted_structure.py"


def _report(v: Values) -> Any:
    return v.E * v.x + v.delta


def _silence(v: Values) -> Any:
    return 1 + (v.x + v.delta - 1) / v.E


STRICT: dict[str, Formula] = {
    "epsilon": lambda v: v.E > 1,
    "delta": lambda v: every(v.delta >= 0, v.delta <= 1),
}

_first = Lemma(
    name="report-binds-first",
    statement="(16) is at most (17) where x (1 + E) <= 1 - delta",
    reals=("E", "delta", "x"),
    hypotheses={**STRICT, "small x": lambda v: v.x * (1 + v.E) <= 1 - v.delta},
    conclusion=lambda v: _report(v) <= _silence(v),
    point={"E": 2, "delta": TENTH, "x": TENTH},
    mutants=(
        Mutant("any-x", without="small x"),
        Mutant("crossing-moved", hypotheses={"small x": lambda v: v.x * v.E <= 1 - v.delta}),
    ),
)
_then = Lemma(
    name="silence-binds-then",
    statement="(17) is at most (16) where x (1 + E) >= 1 - delta, and it stays so for the next x",
    reals=("E", "delta", "x"),
    hypotheses={
        **STRICT,
        "x is a probability": lambda v: v.x <= 1,
        "large x": lambda v: v.x * (1 + v.E) >= 1 - v.delta,
    },
    conclusion=lambda v: every(_silence(v) <= _report(v), _silence(v) >= v.x),
    point={"E": 2, "delta": TENTH, "x": HALF},
    mutants=(
        Mutant("any-x", without="large x"),
        Mutant("x-above-1", without="x is a probability"),
    ),
)

_ORDER = Theorem(
    id="constraints-in-order",
    statement=(
        "For every epsilon > 0 and delta: (16) binds where pi (1 + E) <= 1 - delta and (17) where it is more; as pi "
        "does "
        "not decrease, all positions with (16) come before all with (17), and the last with (16) starts from pi <= "
        "(1 - delta)/(1 + E) <= (1 - delta)/2."
    ),
    source="weighted-sampling, Lemma A.1",
    argument="The two lemmas, and theorem keys-grow for pi: once pi (1 + E) is above 1 - delta it stays so.",
    lemmas=(_first, _then),
    bound_by=f"{TESTS}::test_the_constraints_are_those_of_the_mechanism",
    uses=("keys-grow",),
    derivation=order_derivations.ORDER,
)

_concave = Lemma(
    name="concave-sampling-binds-on",
    statement=(
        "q, q + d, q + d + e with e <= d: where the second is at most (16) of the first, so is the third of the second"
    ),
    reals=("E", "delta", "q", "d", "e"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "growth falls": lambda v: every(v.d >= 0, v.e <= v.d),
        "at most (16)": lambda v: v.q + v.d <= v.E * v.q + v.delta,
    },
    conclusion=lambda v: v.q + v.d + v.e <= v.E * (v.q + v.d) + v.delta,
    point={"E": 2, "delta": TENTH, "q": HALF, "d": TENTH, "e": TENTH},
    mutants=(
        Mutant("growth-rises", hypotheses={"growth falls": lambda v: v.d >= 0}),
        Mutant("above-(16)", without="at most (16)"),
    ),
)
_convex = Lemma(
    name="convex-sampling-binds-on",
    statement="q < r < s with r^2 - q s >= tau (r - q) and tau >= delta: where r is at most (16) of q, so is s of r",
    reals=("E", "delta", "tau", "q", "r", "s"),
    hypotheses={
        "probabilities": lambda v: every(v.q > 0, v.r > v.q, v.s > v.r),
        "rate": lambda v: every(v.delta >= 0, v.tau >= v.delta),
        "powers": lambda v: v.r * v.r - v.q * v.s >= v.tau * (v.r - v.q),
        "at most (16)": lambda v: v.r <= v.E * v.q + v.delta,
    },
    conclusion=lambda v: v.s <= v.E * v.r + v.delta,
    point={"E": 4, "delta": TENTH, "tau": TENTH, "q": TENTH, "r": Fraction(4, 10), "s": Fraction(9, 10)},
    mutants=(
        Mutant(
            "rate-below-delta",
            hypotheses={"rate": lambda v: every(v.delta >= 0, v.tau >= 0)},
            counterexample={"E": 1, "delta": 3, "tau": 0, "q": 1, "r": 4, "s": 9},
        ),
        Mutant(
            "not-powers",
            without="powers",
            counterexample={"E": 1, "delta": 1, "tau": 1, "q": 1, "r": 2, "s": 9},
        ),
        Mutant(
            "above-(16)",
            without="at most (16)",
            counterexample={"E": 1, "delta": 0, "tau": 1, "q": 1, "r": 4, "s": 9},
        ),
    ),
)

_PRIORITY = Theorem(
    id="priority-constraints",
    statement=(
        "For every epsilon >= 0, delta and priority sampling q_i = min(1, tau i^p), p <= 1, or p >= 1 and tau >= "
        "delta: where q_(i+1) is at most (16) of q_i, i >= 1, so is every later q, so that for epsilon > 0 no (16) "
        "comes after a (13), ties being no (13)."
    ),
    source="weighted-sampling, Lemma A.3 for priority sampling",
    argument=(
        "i^p is e^(p ln i), and e^t is above its tangents. p <= 1: i^p, cut at 1 or not, grows by less and less, "
        "power-grows-less and concave-sampling-binds-on. p >= 1, before the cut: with a = i + 1, t^p grows over [a^2 - "
        "1, a^2] by no less than over [a - 1, a], powers-apart, and times tau^2 this bound on powers is r^2 - q s >= "
        "tau (r - q), convex-sampling-binds-on. A q cut to 1 is less than what the lemma bounds, and from there on q "
        "stays 1 <= E + delta. After a (13), pi is q and q at most (16), or (17) has become the lesser and stays so, "
        "by keys-grow."
    ),
    lemmas=(_concave, _convex),
    bound_by=f"{TESTS}::test_priority_sampling_grows_as_the_lemmas_need",
    derivation=(*order_derivations.PRIORITY, *power_derivations.POWERS),
    uses=("keys-grow",),
)

THEOREMS: tuple[Theorem, ...] = (_ORDER, _PRIORITY)
