"""Rows on Appendix A: the structure of the reporting probabilities."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["STRUCTURE"]

KEYS_SCOPE = "e^epsilon = 3/2, 2 and 3, delta = 1/100, 1/10 and 1/2, q = 1, three lists and priority sampling, i <= 12"
KEYS_GRID = "e^epsilon = 11/10, 3/2, 2, 3 and 10, ten delta from 1 to 1/1000, q = 1 and five other samplings, i <= 40"
KEYS_INTEGRAL = "e^epsilon = 11/10, 3/2, 2, 3 and 10, L = 1 to 5"
PROGRAMS = (
    "exact linear programs, each solution proved by a dual vector: one key, frequencies up to 5, one "
    "value; up to 3, two values; two keys at once, frequencies up to 2; e^epsilon = 2 and 3"
)

STRUCTURE: tuple[Row, ...] = (
    Row(
        id="PWS/AppendixA/Formula1",
        statement=("For data of two keys: the probability of a sanitized sample is the product of the keys' own"),
        status="verified",
        methods=("pws-given-sample",),
        scope="both algorithms, e^epsilon = 2, delta = 1/10, three samplings, two data sets",
    ),
    Row(
        id="PWS/Equation13",
        statement="For every epsilon, delta and non-decreasing q: pi_i <= q_i",
        status="verified",
        methods=("pws-keys-private",),
        scope=KEYS_SCOPE,
        code=("mechanisms.weighted_sampling.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Equation14",
        statement=(
            "For data of two keys: no event exceeds e^epsilon times its probability on the data with one "
            "element less by more than delta"
        ),
        status="verified",
        methods=("pws-one-key-events",),
        scope="the grid of Theorem 5.1 with i <= 4, a second key of frequency 0 and 2",
    ),
    Row(
        id="PWS/Equation15",
        statement=(
            "For data of two keys: no event exceeds e^epsilon times its probability on the data with one "
            "element more by more than delta"
        ),
        status="verified",
        methods=("pws-one-key-events",),
        scope="the grid of Theorem 5.1 with i <= 4, a second key of frequency 0 and 2",
    ),
    Row(
        id="PWS/AppendixA/Claim1",
        statement=(
            "For data of two keys: the greatest excess over all events is that over the events about the key "
            "that changes"
        ),
        status="verified",
        methods=("pws-one-key-events",),
        scope="the grid of Theorem 5.1 with i <= 4, a second key of frequency 0 and 2",
    ),
    Row(
        id="PWS/Equation16",
        statement="For every i: pi_i <= e^epsilon pi_(i-1) + delta",
        status="verified",
        methods=("pws-keys-private",),
        scope=KEYS_SCOPE,
        code=("mechanisms.weighted_sampling.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Equation17",
        statement="For every i: 1 - pi_(i-1) <= e^epsilon (1 - pi_i) + delta",
        status="verified",
        methods=("pws-keys-private",),
        scope=KEYS_SCOPE,
        code=("mechanisms.weighted_sampling.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/AppendixA/Claim2",
        statement=(
            "For every i: with pi_1, ..., pi_(i-1) at their greatest, the least of the three terms is the "
            "greatest pi_i, over all schemes"
        ),
        status="verified",
        methods=(
            "pws-keys-greatest",
            "pws-keys-optimal",
        ),
        scope=KEYS_SCOPE + "; greatest: raising any one pi_i by 2^-40 breaks a constraint; " + PROGRAMS,
    ),
    Row(
        id="PWS/AppendixA/Formula2",
        statement=(
            "For every epsilon, delta and non-decreasing q: q_(i+1), e^epsilon pi_i + delta and 1 + (pi_i + "
            "delta - 1)/e^epsilon are each at least pi_i"
        ),
        status="verified",
        methods=("pws-monotone-terms",),
        scope=KEYS_GRID,
    ),
    Row(
        id="PWS/LemmaA.1",
        statement=(
            "For every epsilon > 0, delta and non-decreasing q: (16) is below (17) exactly where pi_i < (1 - "
            "delta)/(1 + e^epsilon), hence never after (17) was below (16); and that value is at most (1 - "
            "delta)/2"
        ),
        status="proved",
        methods=(
            "constraints-in-order",
            "pws-monotone-terms",
            "pws-length",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + KEYS_GRID,
    ),
    Row(
        id="PWS/AppendixA/Formula3",
        statement=(
            "The two constraints (16) and (17) on pi_(i+1) are equal exactly at pi_i = (1 - delta)/(1 + e^epsilon)"
        ),
        status="verified",
        methods=("pws-monotone-terms",),
        scope=KEYS_GRID,
    ),
    Row(
        id="PWS/LemmaA.2",
        statement=(
            "For every epsilon > 0, delta, start and number of steps: where (16) alone is iterated, or (17) "
            "alone, the closed forms (18) and (19) hold"
        ),
        status="proved",
        methods=(
            "constraint-runs",
            "pws-runs",
        ),
        scope="all parameters, by z3 and cvc5; exactly: five e^epsilon, ten delta, four starts, up to 7 steps",
    ),
    Row(
        id="PWS/Equation18",
        statement=(
            "For every epsilon > 0, delta and start x: n steps of pi -> E pi + delta give x E^n + delta (E^n "
            "- 1)/(E - 1)"
        ),
        status="proved",
        methods=(
            "constraint-runs",
            "power-sum-by-sympy",
            "pws-runs",
        ),
        scope="all parameters, by z3 and cvc5; exactly: five e^epsilon, ten delta, four starts, up to 7 steps",
    ),
    Row(
        id="PWS/Equation19",
        statement=(
            "For every epsilon > 0, delta and start x of the complement: n steps of x -> (x - delta)/E give "
            "x/E^n - (delta/E)(1 - E^-n)/(1 - 1/E)"
        ),
        status="proved",
        methods=(
            "constraint-runs",
            "pws-runs",
        ),
        scope="all parameters, by z3 and cvc5; exactly: five e^epsilon, ten delta, four starts, up to 7 steps",
    ),
    Row(
        id="PWS/AppendixA/Formula4",
        statement="For q = 1 and integral L >= 1: pi*_L = (1 - delta)/(1 + e^epsilon)",
        status="verified",
        methods=("pws-symmetry",),
        scope=KEYS_INTEGRAL,
    ),
    Row(
        id="PWS/AppendixA/Formula5",
        statement="For q = 1 and integral L >= 1: pi*_i + pi*_(2L+1-i) = 1 for 0 <= i <= 2L + 1",
        status="verified",
        methods=("pws-symmetry",),
        scope=KEYS_INTEGRAL,
    ),
    Row(
        id="PWS/AppendixA/Claim3",
        statement=(
            "The h-th frequency with pi_i < q_i has pi_i >= pi*_h, and for q = 1 and integral L, 2L + 1 "
            "frequencies have pi*_i < 1"
        ),
        status="refuted",
        methods=("pws-below-one-printed",),
        scope="e^epsilon = 3/2, 2, 3 and 10, L = 1 to 5",
        witness="e^epsilon = 3/2, L = 1: 2 frequencies have pi*_i < 1",
    ),
    Row(
        id="PWS/AppendixA/Claim3/corrected",
        corrects="PWS/AppendixA/Claim3",
        statement=(
            "The h-th frequency with pi_i < q_i has pi_i >= pi*_h, and for q = 1 and integral L, 2L "
            "frequencies have pi*_i < 1"
        ),
        status="verified",
        methods=(
            "pws-below-one-corrected",
            "pws-lossy-dominate",
        ),
        scope=KEYS_GRID + "; integral L = 1 to 5",
    ),
    Row(
        id="PWS/LemmaA.3",
        statement=(
            "For ppswor with f(i) = i the binding constraints are first (16), then (17), then (13). For "
            "priority sampling with f(i) = i^p no (16) comes after a (13), where p <= 1, or p >= 1 and tau "
            ">= delta; for p = 2 and tau < delta one does"
        ),
        status="proved",
        methods=(
            "ppswor-constraints",
            "priority-constraints",
            "pws-order-of-constraints",
            "pws-order-needs-tau",
        ),
        scope=(
            "all parameters, by z3 and cvc5; the case p = 2, tau < delta by one example; exactly: e^epsilon = "
            "11/10, 3/2, 2, 3 and 10, ten "
            "delta from 1 to 1/1000; q_i = 1 - r^i, r = 1/3, 9/10 "
            "and 99/100; p = 0, 1, 2 and 3, four tau; i <= 40; ties are no (13)"
        ),
    ),
    Row(
        id="PWS/Equation20",
        statement=(
            "From pi_i = q_i > 0: q_(i+1) is at most e^epsilon q_i + delta exactly if (q_(i+1) - delta)/q_i "
            "<= e^epsilon"
        ),
        status="verified",
        methods=("pws-ratio-condition",),
        scope=(
            "q_i = 1 - r^i, r = 1/3, 9/10 and 99/100, e^epsilon = 3/2, 2 and 3, seven delta from 1 to 1/1000, i < 20"
        ),
    ),
    Row(
        id="PWS/Equation21",
        statement=(
            "For ppswor with f(i) = i: (q_(i+1) - delta)/q_i does not grow from i to i + 1 where q_(i+1) - q_i >= delta"
        ),
        status="verified",
        methods=("pws-ratios-fall",),
        scope=(
            "q_i = 1 - r^i, r = 1/3, 9/10 and 99/100, e^epsilon = 3/2, 2 and 3, seven delta from 1 to 1/1000, i < 20"
        ),
    ),
    Row(
        id="PWS/Equation22",
        statement="For q_i > 0: (q_(i+1) - delta)/q_i is above 1 exactly if q_(i+1) - q_i > delta",
        status="verified",
        methods=("pws-ratio-condition",),
        scope=(
            "q_i = 1 - r^i, r = 1/3, 9/10 and 99/100, e^epsilon = 3/2, 2 and 3, seven delta from 1 to 1/1000, i < 20"
        ),
    ),
    Row(
        id="PWS/AppendixA/Formula6",
        statement=("For ppswor with f(i) = i: where q grows by delta or more, the ratio of (20) does not grow"),
        status="verified",
        methods=("pws-ratios-fall",),
        scope=(
            "q_i = 1 - r^i, r = 1/3, 9/10 and 99/100, e^epsilon = 3/2, 2 and 3, seven delta from 1 to 1/1000, i < 20"
        ),
    ),
    Row(
        id="PWS/AppendixA/Formula8",
        statement=(
            "For priority sampling with f(i) = i^p, p >= 1 and tau >= delta: ((i+1)^p - delta/tau)/i^p does "
            "not grow with i"
        ),
        status="verified",
        methods=("pws-priority-ratio-falls",),
        scope="p = 1, 2 and 3, delta/tau = 0, 1/10, 1/2 and 1, i < 40",
    ),
    Row(
        id="PWS/Equation25",
        statement="For ppswor with f(i) = i: (1 - q_i - delta)/(1 - q_(i+1)) does not grow with i",
        status="verified",
        methods=("pws-ratios-fall",),
        scope=(
            "q_i = 1 - r^i, r = 1/3, 9/10 and 99/100, e^epsilon = 3/2, 2 and 3, seven delta from 1 to 1/1000, i < 20"
        ),
    ),
    Row(
        id="PWS/AppendixA/Formula9",
        statement=(
            "For ppswor with f(i) = i and every delta >= 0: (1 - q_i - delta)/(1 - q_(i+1)) does not grow with i"
        ),
        status="verified",
        methods=("pws-ratios-fall",),
        scope=(
            "q_i = 1 - r^i, r = 1/3, 9/10 and 99/100, e^epsilon = 3/2, 2 and 3, seven delta from 1 to "
            "1/1000, i < 20, delta = 0"
        ),
    ),
)
