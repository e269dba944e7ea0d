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
            "(e/2, 0)-DP for counts that differ by one, and does not decrease in its random number"
        ),
        status="verified",
        methods=("geosample-law", "geosample-private", "geosample-monotone"),
        scope=GEOSAMPLE_SCOPE + "; the running times are not measured here",
        code=("mechanisms.geosample.geosample",),
    ),
    Row(
        id="BV/Algorithm4.8",
        statement="For every n, k and count c, the integer F(z) of step 2 is d times the distribution function at z",
        status="verified",
        methods=("geosample-law",),
        scope=GEOSAMPLE_SCOPE,
        code=("mechanisms.geosample.geosample",),
    ),
    Row(
        id="BV/Lemma4.9",
        statement="For every n, k and c, F(z)/d is the distribution function of c + Geo(2/e) clamped to [0, n]",
        status="verified",
        methods=("geosample-law",),
        scope=GEOSAMPLE_SCOPE,
        code=("mechanisms.geosample.geosample_law",),
    ),
    Row(
        id="BV/Algorithm4.11",
        statement="For every n, epsilon, gamma and count, F(z)/d of step 3 is a distribution function on [0, n]",
        status="verified",
        methods=("fastsample-law",),
        scope=FASTSAMPLE_SCOPE,
        code=("mechanisms.fastsample.fastsample",),
    ),
    Row(
        id="BV/Lemma4.12",
        statement=(
            "For every n, epsilon, gamma and c, FastSample is, with probability 1 - gamma, c with geometric noise cut "
            "at distance t (the cut mass moved to c) and clamped, and else uniform on [0, n]"
        ),
        status="verified",
        methods=("fastsample-law",),
        scope=FASTSAMPLE_SCOPE,
        code=("mechanisms.fastsample.fastsample_law",),
    ),
    Row(
        id="BV/Theorem4.10",
        statement=(
            "For every n >= 1, 1/epsilon and 1/gamma positive integers, FastSample is (epsilon/2, 0)-DP for counts "
            "that differ by one and does not decrease in its random number"
        ),
        status="verified",
        methods=("fastsample-private",),
        scope=FASTSAMPLE_SCOPE + "; parts ii to iv are not checked here",
        code=("mechanisms.fastsample.fastsample",),
    ),
)
