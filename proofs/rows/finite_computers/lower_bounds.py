"""Rows on Section 7: lower bounds on error."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["LOWER_BOUNDS"]

GRID = (
    "epsilon = 1/50, 1, ln(9/8), ln(3/2), 1/3 + ln(5/4), delta = 0, 1e-9, 1/1000, 1/10, beta = 1/3 to 1e-6, "
    "n = 1, 7, 60"
)
LABELS = GRID + ", |X| = 2, 100, 2^64"

LOWER_BOUNDS: tuple[Row, ...] = (
    Row(
        id="BV/Theorem7.1",
        statement=(
            "For every (epsilon, delta)-DP histogram and beta < 1/2, both printed lower bounds on a are at most what "
            "the packings exclude; every basic and compact histogram "
            "measured is above the latter"
        ),
        status="verified",
        methods=("per-query-packing", "simultaneous-packing", "basic-histogram-above", "compact-above"),
        scope=LABELS
        + (
            "; basic: geosample and fastsample, 1/epsilon = 1, 10, n = 2, 12, |X| = 2, 5; compact: geosample, "
            "(n, |X|) = (3, 3), (4, 2), polynomials over GF(4), "
            "and Theorem 8.6 at (n, 1/epsilon, |X|) = (6, 1, 2^64), (12, 2, 1000)"
        ),
        code=(
            "mechanisms.finite_computers.lower_bounds.per_query_least",
            "mechanisms.finite_computers.lower_bounds.simultaneous_least",
        ),
    ),
    Row(
        id="BV/Section7/Formula1",
        statement=(
            "An event of probability 1 - beta on one input keeps, m = 2a + 1 rows away, more than beta unless "
            "e^(-m epsilon) (1 - beta) - delta (e^-epsilon + ... + e^(-m epsilon)) <= beta, from which the printed "
            "inequalities follow"
        ),
        status="verified",
        methods=("per-query-packing",),
        scope=GRID,
        code=("mechanisms.finite_computers.lower_bounds.per_query_least",),
    ),
    Row(
        id="BV/Section7/Formula2",
        statement="The same for |X| - 1 disjoint events, which have together at most beta",
        status="verified",
        methods=("simultaneous-packing",),
        scope=LABELS,
        code=("mechanisms.finite_computers.lower_bounds.simultaneous_least",),
    ),
    Row(
        id="BV/Theorem7.2",
        statement=(
            "For every (epsilon, delta)-DP histogram that releases at most n' labels and beta <= 1/2, the printed "
            "lower bound on a is at most what the two packings exclude together; every stability histogram, with "
            "n' = n labels of 2^64, and every keep-heavy, sparse and pure sparse histogram measured is above the latter"
        ),
        status="verified",
        methods=("sparse-packing", "stability-histogram-above", "heavy-above", "sparse-above"),
        scope=LABELS
        + (
            ", n' = min(n, |X|), beta = 1/2 too; stability: n = 2, 16, b = 0, 1, 5, 1/epsilon = 1, 10; keep-heavy: "
            "n = 24, |X| = 49, 200, k = 1, 2; whole laws, (n, |X|) = (1, 5), (1, 6), (2, 5), and all counts"
        ),
        code=("mechanisms.finite_computers.lower_bounds.sparse_least",),
    ),
    Row(
        id="BV/Section7/Formula4",
        statement=(
            "With m = ceil(2a) rows moved, the expected number of labels with a count of at least a is at most n' and "
            "at least |X| ((1 - beta) e^(-m epsilon) - delta/epsilon), for a > 0. At a = 0 every count is at least a "
            "and the first part fails; one row moved instead of none gives the inequality that the proof goes on with"
        ),
        status="verified",
        methods=("sparse-packing",),
        scope=LABELS,
        code=("mechanisms.finite_computers.lower_bounds.sparse_least",),
    ),
    Row(
        id="BV/Section7/Formula5",
        statement=(
            "For beta <= 1/2, a >= min{ln(|X|/(4 n'))/epsilon - 1, ln(epsilon/(4 delta))/epsilon - 1, n}/2 follows "
            "from the packing of few outputs"
        ),
        status="verified",
        methods=("first-bound",),
        scope=LABELS.replace("beta = 1/3 to 1e-6", "beta = 1/2") + ", n' = min(n, |X|/2)",
        code=("mechanisms.finite_computers.lower_bounds.sparse_least",),
    ),
    Row(
        id="BV/Section7/Formula6",
        statement="Of two logarithms the greater is at least the mean: max{ln u, ln v} >= ln(u v)/2, for its u and v",
        status="verified",
        methods=("combination",),
        scope="|X| = 2, 100, 2^64, n' = 1, 7, 1000, beta = 1/2, 1/3, 1/10, 1/1000, 1e-6, in exact powers",
    ),
)
