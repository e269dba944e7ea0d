"""Rows on Sections 5 and 6: the rows of sanitized frequencies, and over which schemes they are furthest apart."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["FREQUENCIES"]

GRID = (
    "e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/5, 1/10 and 1/100, q = 1, 1/2, two lists and "
    "priority sampling, i <= 7"
)
INTEGRAL = "q = 1, e^epsilon = 3/2, 2 and 3, L = 0 to 4"
CERTIFIED = "; every prefix meets one of the constraints with equality, which is the proof that none is less"
LOWERED = (
    "e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/4, 1/5 and 1/10, frequencies up to 4, q = 1 and "
    "1/2 against Algorithm 5 for lower q, which drops sampled keys first"
)

FREQUENCIES: tuple[Row, ...] = (
    Row(
        id="PWS/Algorithm4",
        statement=(
            "For every epsilon, delta and non-decreasing q: neighbouring rows are (epsilon, delta)-close, "
            "entries are >= 0, and row i reports with the pi_i of Algorithm 3"
        ),
        status="verified",
        methods=("pws-rows-private",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_rows.discrete_rows",),
    ),
    Row(
        id="PWS/Equation6",
        statement="For every row i of Algorithms 4 and 5: the mass that is reported is at most q_i",
        status="verified",
        methods=(
            "pws-rows-private",
            "pws-densities-private",
        ),
        scope=GRID,
    ),
    Row(
        id="PWS/Section5/Claim1",
        statement=(
            "No (epsilon, delta)-DP scheme that is given a sample, whatever values it reports, reports a key "
            "of frequency i with a greater probability than pi_i"
        ),
        status="verified",
        methods=("pws-keys-optimal",),
        scope=(
            "exact linear programs, each solution proved by a dual vector: one key with two values, "
            "frequencies up to 3; two keys at once, frequencies up to 2; e^epsilon = 2 and 3"
        ),
    ),
    Row(
        id="PWS/Section5/Claim2",
        statement=(
            "For Algorithms 4 and 5 and every j: the probability of a value >= j does not decrease with the frequency"
        ),
        status="verified",
        methods=("pws-rows-dominance",),
        scope=GRID,
    ),
    Row(
        id="PWS/Theorem5.1",
        statement=(
            "For Algorithms 4 and 5: row i reports with pi_i; neighbouring rows are (epsilon, delta)-close; "
            "and subject to that and to row i - 1, every prefix of row i has the least mass that it can "
            "have, for Algorithm 4 among rows with values up to i"
        ),
        status="verified",
        methods=(
            "pws-rows-private",
            "pws-densities-private",
            "pws-rows-separate",
            "pws-densities-separate",
        ),
        scope=GRID + CERTIFIED,
        code=(
            "mechanisms.weighted_sampling.pws_rows.discrete_rows",
            "mechanisms.weighted_sampling.pws_densities.density_rows",
        ),
    ),
    Row(
        id="PWS/Section5/Claim3",
        statement=(
            "For Algorithm 4, every i and j: subject to row i - 1 and to its mass pi_i, no row with values "
            "1..i that keeps privacy has less mass on 1..j"
        ),
        status="verified",
        methods=("pws-rows-separate",),
        scope=GRID + CERTIFIED,
        code=("mechanisms.weighted_sampling.pws_rows.discrete_rows",),
    ),
    Row(
        id="PWS/Section5/Claim4",
        statement=(
            "For Algorithm 5, every i and z <= i - 1: subject to f_(i-1) and to its mass pi_i, no density "
            "that keeps privacy has less mass on (0, z]"
        ),
        status="verified",
        methods=("pws-densities-separate",),
        scope=GRID + CERTIFIED,
        code=("mechanisms.weighted_sampling.pws_densities.density_rows",),
    ),
    Row(
        id="PWS/Section5/Claim5",
        statement=(
            "For q = 1 and every epsilon and delta: Algorithm 4 separates frequencies as far as Algorithm 5, "
            "which separates best among schemes that report as often"
        ),
        status="refuted",
        methods=("pws-rows-unsampled-printed",),
        scope=(
            "q = 1, e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/4, 1/5 and 1/10, frequencies up to 5; "
            "separation as the probability that two keys are in order"
        ),
        witness=(
            "e^epsilon = 3/2, delta = 1/2, frequencies 2 and 1: Algorithm 4 orders them with 7/8, Algorithm 5 with 9/10"
        ),
    ),
    Row(
        id="PWS/Section5/Claim5/corrected",
        corrects="PWS/Section5/Claim5",
        statement=("For q = 1 and integral L: Algorithm 4 separates frequencies as far as Algorithm 5"),
        status="verified",
        methods=("pws-rows-unsampled-corrected",),
        scope=(
            "q = 1, e^epsilon = 3/2, 2 and 3, L = 0 to 3, frequencies up to 5; separation as the probability "
            "that two keys are in order"
        ),
    ),
    Row(
        id="PWS/Lemma5.2",
        statement=(
            "For q = 1 and integral L: pi*_ij = pi*_(i-j+1) - pi*_(i-j) for i - j <= 2L, which is delta "
            "E^(i-j) up to i - j = L and delta E^(2L-(i-j)) beyond, and 0 for i - j > 2L"
        ),
        status="verified",
        methods=(
            "rows-closed-form-proved",
            "pws-rows-closed-form",
        ),
        scope="the first form proved for all L, by z3 and cvc5; exactly: " + INTEGRAL,
        code=("mechanisms.weighted_sampling.pws_rows.discrete_rows",),
    ),
    Row(
        id="PWS/Lemma5.2/general",
        corrects="PWS/Lemma5.2",
        statement=(
            "For q = 1, every epsilon >= 0 and delta, L an integer or not: pi*_ij = pi*_(i-j+1) - pi*_(i-j) "
            "for all 1 <= j <= i"
        ),
        status="proved",
        methods=(
            "rows-closed-form-proved",
            "pws-rows-closed-form-general",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: q = 1, e^epsilon = 1, 11/10, 3/2, 2, 3 and 10, nine delta "
            "from 1 to 1/50, i <= 16"
        ),
        code=("mechanisms.weighted_sampling.pws_rows.discrete_rows",),
    ),
    Row(
        id="PWS/Algorithm5",
        statement=(
            "For every epsilon, delta and non-decreasing q: the discretized densities of neighbouring "
            "frequencies are (epsilon, delta)-close, and row i reports with the pi_i of Algorithm 3"
        ),
        status="verified",
        methods=("pws-densities-private",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_densities.density_rows",),
    ),
    Row(
        id="PWS/Corollary6.1",
        statement=(
            "For every pair of frequencies: no (epsilon, delta)-DP frequency sanitizer on the same sample "
            "orders two keys correctly with a greater probability than Algorithm 5, ties counted half"
        ),
        status="refuted",
        methods=("pws-concordance-printed",),
        scope=LOWERED,
        witness=(
            "e^epsilon = 3/2, delta = 1/2, q = 1/2, frequencies 2 and 1: 5/8, and 11/16 by the scheme for q = 1/4, 1/2"
        ),
    ),
    Row(
        id="PWS/Corollary6.1/corrected",
        corrects="PWS/Corollary6.1",
        statement=(
            "Among sanitizers that report every frequency with the probability pi_i: Algorithm 5 orders two "
            "keys correctly with the greatest probability; Algorithm 4, one of them, never more often"
        ),
        status="verified",
        methods=(
            "pws-densities-separate",
            "pws-concordance-among-optimal",
            "pws-pair-formula",
        ),
        scope=GRID,
    ),
)
