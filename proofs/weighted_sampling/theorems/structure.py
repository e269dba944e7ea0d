"""The order of the constraints on reporting probabilities, runs of one of them, and the form without sampling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcert.proofs.terms import Formula, Values, equal, every
from dpcert.proofs.theorem import Lemma, Mutant, Theorem
from dpcert.proofs.weighted_sampling import derivations, order_derivations, power_derivations
from dpcert.proofs.weighted_sampling.recurrence import next_probability

HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
TESTS = "tests/proofs/test_weighted_structure.py"


def rising(E: Any, delta: Any, G: Any) -> Any:
    """Return delta (E^i - 1)/(E - 1) for G = E^i, the closed form up to L + 1.

    Source: weighted-sampling, Lemma 4.2.
    """
    return delta * (G - 1) / (E - 1)


def falling(E: Any, delta: Any, H: Any) -> Any:
    """Return 1 - delta (E^(2L+1-i) - 1)/(E - 1) for H = E^(2L+1-i), the closed form from L + 1 on, corrected.

    Source: weighted-sampling, Lemma 4.2.
    """
    return 1 - delta * (H - 1) / (E - 1)


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

_run = Lemma(
    name="report-run-step",
    statement="x E^n + delta (E^n - 1)/(E - 1), G = E^n, goes over into itself with n + 1 by y -> E y + delta",
    reals=("E", "delta", "x", "G"),
    hypotheses=STRICT,
    conclusion=lambda v: equal(
        v.E * (v.x * v.G + rising(v.E, v.delta, v.G)) + v.delta, v.x * v.E * v.G + rising(v.E, v.delta, v.E * v.G)
    ),
    point={"E": 2, "delta": TENTH, "x": TENTH, "G": 4},
    mutants=(
        Mutant(
            "no-delta",
            conclusion=lambda v: equal(
                v.E * (v.x * v.G + rising(v.E, v.delta, v.G)), v.x * v.E * v.G + rising(v.E, v.delta, v.E * v.G)
            ),
        ),
    ),
)


def _shrunk(v: Values, g: Any) -> Any:
    return v.x * g - v.delta / v.E * (1 - g) / (1 - 1 / v.E)


_fall = Lemma(
    name="silence-run-step",
    statement="x E^-n - (delta/E)(1 - E^-n)/(1 - 1/E), g = E^-n, goes over into itself by y -> (y - delta)/E",
    reals=("E", "delta", "x", "g"),
    hypotheses=STRICT,
    conclusion=lambda v: equal((_shrunk(v, v.g) - v.delta) / v.E, _shrunk(v, v.g / v.E)),
    point={"E": 2, "delta": TENTH, "x": TENTH, "g": HALF},
    mutants=(
        Mutant("plus-delta", conclusion=lambda v: equal((_shrunk(v, v.g) + v.delta) / v.E, _shrunk(v, v.g / v.E))),
    ),
)

_RUNS = Theorem(
    id="constraint-runs",
    statement=(
        "For every epsilon > 0, delta, start x and n >= 0: n steps of pi -> E pi + delta give x E^n + delta (E^n - 1)/"
        "(E - 1); n steps of y -> (y - delta)/E on the complement give x E^-n - (delta/E)(1 - E^-n)/(1 - 1/E)."
    ),
    source="weighted-sampling, Lemma A.2, Equations (18) and (19)",
    argument="Induction on n: for n = 0 both are x, the steps are the two lemmas.",
    lemmas=(_run, _fall),
    bound_by=f"{TESTS}::test_the_closed_form_is_that_of_the_mechanism",
    derivation=derivations.RUNS,
)


def _integral(v: Values) -> Any:
    return equal(v.W * v.delta * (v.E + 1), v.E - 1 + 2 * v.delta)


CLOSED: dict[str, Formula] = {
    "epsilon": lambda v: v.E > 1,
    "delta": lambda v: every(v.delta > 0, v.delta <= 1),
    "W is E^L": _integral,
}

_up = Lemma(
    name="closed-form-up",
    statement="for i <= L, (16) binds at x = delta (E^i - 1)/(E - 1), and gives at most 1, G = E^i, W = E^L",
    reals=("E", "delta", "W", "G", "x"),
    hypotheses={
        **CLOSED,
        "i from 0 to L": lambda v: every(v.G >= 1, v.G <= v.W),
        "x": lambda v: equal(v.x * (v.E - 1), v.delta * (v.G - 1)),
    },
    conclusion=lambda v: every(v.x * (1 + v.E) <= 1 - v.delta, _report(v) <= 1),
    point={"E": 2, "delta": Fraction(1, 4), "W": 2, "G": 1, "x": 0},
    mutants=(
        Mutant(
            "beyond-L",
            hypotheses={"i from 0 to L": lambda v: v.G >= 1},
            counterexample={"E": 2, "delta": Fraction(1, 4), "W": 2, "G": 4, "x": Fraction(3, 4)},
        ),
        Mutant(
            "any-W",
            without="W is E^L",
            counterexample={"E": 2, "delta": Fraction(1, 4), "W": 8, "G": 8, "x": Fraction(7, 4)},
        ),
    ),
)
_meet = Lemma(
    name="closed-form-meets",
    statement="at i = L + 1 both forms agree",
    reals=("E", "delta", "W"),
    hypotheses=CLOSED,
    conclusion=lambda v: equal(rising(v.E, v.delta, v.E * v.W), falling(v.E, v.delta, v.W)),
    point={"E": 2, "delta": Fraction(1, 4), "W": 2},
    mutants=(
        Mutant(
            "as-printed", conclusion=lambda v: equal(rising(v.E, v.delta, v.E * v.W), falling(v.E, v.delta, v.E * v.W))
        ),
        Mutant("any-W", without="W is E^L"),
    ),
)
_on = Lemma(
    name="closed-form-on",
    statement="for L + 1 <= i <= 2L the recurrence takes the second form to itself at i + 1, H = E^(2L+1-i)",
    reals=("E", "delta", "W", "H"),
    hypotheses={**CLOSED, "i from L + 1 to 2L": lambda v: every(v.H >= v.E, v.H <= v.W)},
    conclusion=lambda v: equal(
        next_probability(v.E, v.delta, 1, falling(v.E, v.delta, v.H)), falling(v.E, v.delta, v.H / v.E)
    ),
    point={"E": 2, "delta": Fraction(1, 4), "W": 2, "H": 2},
    mutants=(
        Mutant("beyond-2L", hypotheses={"i from L + 1 to 2L": lambda v: every(v.H > 0, v.H <= v.W)}),
        Mutant("before-L", hypotheses={"i from L + 1 to 2L": lambda v: v.H >= v.E}),
    ),
)
_end = Lemma(
    name="closed-form-ends",
    statement="at i = 2L + 1 the form is 1, and 1 stays 1",
    reals=("E", "delta"),
    hypotheses=STRICT,
    conclusion=lambda v: every(equal(falling(v.E, v.delta, 1), 1), equal(next_probability(v.E, v.delta, 1, 1), 1)),
    point={"E": 2, "delta": TENTH},
    mutants=(Mutant("one-later", conclusion=lambda v: equal(falling(v.E, v.delta, v.E), 1)),),
)

_CLOSED = Theorem(
    id="closed-form-proved",
    statement=(
        "For q = 1, epsilon > 0 and delta in (0, 1] with an integer L, E^L = (E - 1 + 2 delta)/(delta (E + 1)): pi_i = "
        "delta (E^i - 1)/(E - 1) for i <= L + 1, 1 - delta (E^(2L+1-i) - 1)/(E - 1) from there to 2L + 1, 1 beyond."
    ),
    source="weighted-sampling, Lemma 4.2, corrected",
    argument=(
        "Induction on i. pi_0 = 0 is the first form at i = 0. For i = 0, ..., L by closed-form-up "
        "(16) binds, report-binds-first, and report-run-step gives i + 1; closed-form-meets at L + 1; "
        "closed-form-on for i = L + 1, ..., 2L; closed-form-ends from 2L + 1 on."
    ),
    lemmas=(_up, _first, _run, _meet, _on, _end),
    bound_by=f"{TESTS}::test_the_closed_form_is_that_of_the_mechanism",
    uses=("constraints-in-order", "constraint-runs"),
    derivation=derivations.CLOSED,
)

SAMPLED: dict[str, Formula] = {
    "epsilon": lambda v: v.E >= 1,
    "delta": lambda v: v.delta >= 0,
    "r": lambda v: every(v.r > 0, v.r < 1),
    "s is r^i": lambda v: every(v.s > 0, v.s <= 1),
}

_stays = Lemma(
    name="sampling-binds-on",
    statement="for q_i = 1 - r^i, s = r^i: where q_(i+1) is at most (16) and (17) of q_i, so it is one later",
    reals=("E", "delta", "r", "s"),
    hypotheses={
        **SAMPLED,
        "at most (16)": lambda v: 1 - v.r * v.s <= v.E * (1 - v.s) + v.delta,
        "at most (17)": lambda v: v.E * (1 - v.r * v.s) <= v.E + (1 - v.s) + v.delta - 1,
    },
    conclusion=lambda v: every(
        1 - v.r * v.r * v.s <= v.E * (1 - v.r * v.s) + v.delta,
        v.E * (1 - v.r * v.r * v.s) <= v.E + (1 - v.r * v.s) + v.delta - 1,
    ),
    point={"E": 2, "delta": TENTH, "r": HALF, "s": HALF},
    mutants=(
        Mutant("above-(16)", without="at most (16)"),
        Mutant("above-(17)", without="at most (17)"),
        Mutant("delta-negative", without="delta"),
    ),
)
_sooner = Lemma(
    name="sampling-binds-once",
    statement="q at most (16) and (17) of a pi <= q' is at most those of q'",
    reals=("E", "delta", "q", "p", "x"),
    hypotheses={
        "epsilon": lambda v: v.E >= 1,
        "pi is at most q'": lambda v: v.p <= v.x,
        "binds": lambda v: every(v.q <= v.E * v.p + v.delta, v.E * v.q <= v.E + v.p + v.delta - 1),
    },
    conclusion=lambda v: every(v.q <= v.E * v.x + v.delta, v.E * v.q <= v.E + v.x + v.delta - 1),
    point={"E": 2, "delta": TENTH, "q": HALF, "p": HALF, "x": HALF},
    mutants=(
        Mutant("pi-above-q", without="pi is at most q'"),
        Mutant("free", without="binds"),
    ),
)

_PPSWOR = Theorem(
    id="ppswor-constraints",
    statement=(
        "For every epsilon >= 0, delta and q_i = 1 - r^i, 0 < r < 1: where pi_i = q_i, i >= 1, so it is for every "
        "later frequency; pi_i = pi*_i, of q = 1, below the least i with pi*_i > q_i, and q_i from there."
    ),
    source="weighted-sampling, Lemma 4.4 and Lemma A.3 for ppswor",
    argument=(
        "Below the least such i both recurrences take the same steps. There q_i <= (16) and (17) of pi_(i-1) <= "
        "q_(i-1), so of q_(i-1) by sampling-binds-once; induction by sampling-binds-on from s = r^(i-1)."
    ),
    lemmas=(_stays, _sooner),
    bound_by=f"{TESTS}::test_the_constraints_are_those_of_the_mechanism",
    uses=("keys-grow",),
    derivation=(*derivations.STAYS, *order_derivations.PPSWOR),
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

THEOREMS: tuple[Theorem, ...] = (_ORDER, _RUNS, _CLOSED, _PPSWOR, _PRIORITY)
