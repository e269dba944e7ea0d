"""Rows on Section 4: the noisy counts."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["COUNTS"]

GEOSAMPLE_SCOPE = "n = 1 to 6, k = 1 to 4, every count"
FASTSAMPLE_SCOPE = "n = 1 to 5, 1/epsilon = 1 to 3, gamma = 1/2 and 1/10, every count"

COUNTS: tuple[Row, ...] = (
    Row(
        id="BV/Theorem4.7",
        statement=(
            "For every n >= 1 and 1/epsilon a positive integer, with e = 2 ln(1 + 2^-k) and k = ceil(log2(2/epsilon)), "
            "GeoSample has the law of a count with two-sided geometric noise of scale 2/e clamped to [0, n], is "
            "(e/2, 0)-DP for counts that differ by one, is off by more than ceil((2/e) ln(1/beta)) with probability at "
            "most beta, and does not decrease in its random number"
        ),
        status="verified",
        methods=(
            "geosample-cumulative-proved",
            "geometric-private-proved",
            "geosample-law",
            "geosample-private",
            "geosample-monotone",
            "geometric-accuracy",
        ),
        scope=(
            "law and privacy proved for all parameters, by z3 and cvc5; exactly: "
            + GEOSAMPLE_SCOPE
            + "; accuracy: n = 1, 2, 5, 20, 60, 1 + 2^-k = 33/32 and 3/2, beta = 1 to 1/10000; no "
            "decrease: every u for d <= 3,000, else those beside the jumps; the "
            "running times are not measured here"
        ),
        code=("mechanisms.finite_computers.geosample.geosample",),
    ),
    Row(
        id="BV/Algorithm4.8",
        statement="For every n, k and count c, the integer F(z) of step 2 is d times the distribution function at z",
        status="verified",
        methods=("geosample-law",),
        scope=GEOSAMPLE_SCOPE,
        code=("mechanisms.finite_computers.geosample.geosample",),
    ),
    Row(
        id="BV/Lemma4.9",
        statement="For every n, k and c, F(z)/d is the distribution function of c + Geo(2/e) clamped to [0, n]",
        status="proved",
        methods=(
            "geosample-cumulative-proved",
            "geosample-law",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + GEOSAMPLE_SCOPE,
        code=("mechanisms.finite_computers.geosample.geosample_law",),
    ),
    Row(
        id="BV/Algorithm4.11",
        statement="For every n, epsilon, gamma and count, F(z)/d of step 3 is a distribution function on [0, n]",
        status="verified",
        methods=("fastsample-law",),
        scope=FASTSAMPLE_SCOPE,
        code=("mechanisms.finite_computers.fastsample.fastsample",),
    ),
    Row(
        id="BV/Lemma4.12",
        statement=(
            "For every n, epsilon, gamma and c, FastSample is, with probability 1 - gamma, c with geometric noise cut "
            "at distance t (the cut mass moved to c) and clamped, and else uniform on [0, n]"
        ),
        status="proved",
        methods=(
            "fastsample-cumulative-proved",
            "fastsample-law",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + FASTSAMPLE_SCOPE,
        code=("mechanisms.finite_computers.fastsample.fastsample_law",),
    ),
    Row(
        id="BV/Theorem4.10",
        statement=(
            "For every n >= 1, 1/epsilon and 1/gamma positive integers, FastSample is (epsilon/2, 0)-DP for counts "
            "that differ by one, is off by more than ceil((2/e) ln(1/(beta - gamma))) with probability at most beta "
            "for beta > gamma, and does not decrease in its random number"
        ),
        status="verified",
        methods=("fastsample-private", "fastsample-accuracy", "fastsample-monotone"),
        scope=(
            FASTSAMPLE_SCOPE + "; accuracy: n = 1, 4, 30, 1/epsilon = 1, 2, 3, 5, gamma = 1/2, 1/50, beta = 1 to 1/10; "
            "the running times of parts iii and iv are not measured here"
        ),
        code=("mechanisms.finite_computers.fastsample.fastsample",),
    ),
)
