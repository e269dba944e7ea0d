"""Rows on Section 5: basic and stability-based histograms, their privacy and their accuracy."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["HISTOGRAMS"]

LISTS = "all lists, (n, |X|) = (1, 2), (2, 2), (3, 2), (2, 3), geosample and fastsample, 1/epsilon = 1 and 3"
FIGURE_3 = "n = 3, 12, |X| = 2, 5, 1/epsilon = 1, 2, 3, 5, beta = 1/2, 1/3, 1/10, 1/100, every way to spread n people"
FIGURE_4 = "n = 4, 14, 1/epsilon = 1, 2, delta = 1/2, 1/10, 1/1000, beta = 1/2, 1/10, 1/100, every way to spread people"

HISTOGRAMS: tuple[Row, ...] = (
    Row(
        id="BV/Algorithm5.1",
        statement="For every list, the outcome has the law of independent noisy counts of the labels of A = X",
        status="verified",
        methods=("basic-histogram-program",),
        scope=LISTS.replace(", (2, 3)", ""),
        code=("mechanisms.finite_computers.basic_histogram.basic_histogram",),
    ),
    Row(
        id="BV/Theorem5.2",
        statement=(
            "For every sampler that is (epsilon/2, 0)-DP and of (a, beta)-accuracy, the basic histogram is "
            "(epsilon, 0)-DP for lists that differ in one label, each count is within a with probability 1 - beta, and "
            "all are with (1 - beta)^|X| >= 1 - beta |X|. With geosample no smaller epsilon will do"
        ),
        status="verified",
        methods=("basic-histogram-private", "histogram-accuracy"),
        scope=LISTS + "; accuracy for every a; running times are not measured here",
        code=(
            "mechanisms.finite_computers.basic_histogram.basic_histogram",
            "mechanisms.finite_computers.accuracy.independent",
        ),
    ),
    Row(
        id="BV/Section5.1/Claim1",
        statement="With A the labels that occur, the basic histogram is not (epsilon, 0)-DP for any epsilon",
        status="verified",
        methods=("occurring-bins",),
        scope="one person, two labels, geosample and fastsample, 1/epsilon = 1 and 3",
        code=("mechanisms.finite_computers.basic_histogram.basic_histogram",),
    ),
    Row(
        id="BV/Section5.1/Claim2",
        statement="Lists that differ in one label have different counts of at most two labels",
        status="verified",
        methods=("carried-to-bins",),
        scope="all lists of 3 labels of 3",
    ),
    Row(
        id="BV/Section5.1/Claim3",
        statement="With Algorithm 4.5 for its sampler, the outcome has the law of independent clamped geometric counts",
        status="verified",
        methods=("basic-histogram-program",),
        scope="(n, |X|) = (1, 2), (2, 2), (3, 2), e^(epsilon/2) = 6/5",
        code=("mechanisms.finite_computers.geometric.geometric",),
    ),
    Row(
        id="BV/Theorem5.3",
        statement=(
            "For every 1/epsilon and 1/beta_0 a positive integer, with FastSample at gamma = beta_0/(2 |X|), the basic "
            "histogram is (epsilon, 0)-DP, has per-query error ceil(9/(2 epsilon) ln(2/beta)) for beta >= 2 gamma and "
            "simultaneous error ceil(9/(2 epsilon) ln(2 |X|/beta)) for beta >= beta_0"
        ),
        status="verified",
        methods=("basic-histogram-private", "figure-3"),
        scope="privacy: " + LISTS + ", gamma = 1/9; accuracy: " + FIGURE_3 + "; running times are not measured here",
        code=("mechanisms.finite_computers.fastsample.fastsample", "mechanisms.finite_computers.accuracy.spread_beta"),
    ),
    Row(
        id="BV/Figure3",
        statement=(
            "The errors of the three rows hold, for e the exact epsilon with the geometric mechanism and 1/epsilon an "
            "integer with the other two"
        ),
        status="verified",
        methods=("geometric-accuracy", "figure-3"),
        scope=FIGURE_3 + "; the geometric mechanism as for Theorem 4.6; running times are not measured here",
        code=("mechanisms.finite_computers.accuracy.spread_beta",),
    ),
    Row(
        id="BV/Algorithm5.4",
        statement="For every list, the outcome has the law of the occurring labels' noisy counts that are above b",
        status="verified",
        methods=("stability-program",),
        scope=LISTS.replace(", (2, 3)", "") + ", b = 0 to 3",
        code=("mechanisms.finite_computers.stability_histogram.stability_histogram",),
    ),
    Row(
        id="BV/Section5.2/Claim2",
        statement="Releasing which labels occur is not (epsilon, 0)-DP for any epsilon",
        status="verified",
        methods=("occurring-bins",),
        scope="one person, two labels",
        code=("mechanisms.finite_computers.stability_histogram.stability_histogram",),
    ),
    Row(
        id="BV/Theorem5.5",
        statement=(
            "For every sampler that is (epsilon/2, 0)-DP and of (a, beta)-accuracy and every b, the stability "
            "histogram is (epsilon, delta)-DP exactly where delta >= Pr[M(1, U) > b], for large epsilon: no smaller "
            "delta will do at any epsilon. Counts above a + b are within a with probability 1 - beta, and all are "
            "within a + b with (1 - beta)^n"
        ),
        status="verified",
        methods=("stability-proved", "stability-private", "stability-accuracy", "stability-law-read"),
        scope=(
            "i proved for all parameters, by z3 and cvc5; exactly: "
            + LISTS
            + ", b = 0, 1, n; accuracy: n = 1, 2, 6, b = 0, 1, 3, every a, every way to spread n people; running "
            "times are not measured here"
        ),
        code=(
            "mechanisms.finite_computers.stability_histogram.stability_histogram",
            "mechanisms.finite_computers.stability_histogram.lone_label",
        ),
    ),
    Row(
        id="BV/Section5.2/Claim3",
        statement=(
            "Where one lone label gives way to another, the two bins are (0, delta)-close for delta = Pr[M(1, U) > b], "
            "and the release of the first is the worst event"
        ),
        status="verified",
        methods=("swapped-singletons",),
        scope="n = 1, 2, 5, b = 0, 1, 3, geosample and fastsample, 1/epsilon = 1 and 3",
        code=("mechanisms.finite_computers.stability_histogram.lone_label",),
    ),
    Row(
        id="BV/Section5.2/Claim4",
        statement="One bin is (epsilon/2, 0)-close from a positive count to another, and (epsilon/2, delta)-close to 0",
        status="verified",
        methods=("stability-cases",),
        scope="n = 1, 2, 5, b = 0, 1, 3, geosample and fastsample, 1/epsilon = 1 and 3",
        code=("mechanisms.finite_computers.stability_histogram.stability_histogram",),
    ),
    Row(
        id="BV/Theorem5.6",
        statement=(
            "For every 1/epsilon, 1/delta, 1/beta_0 a positive integer, with FastSample at gamma = min{beta_0/(2n), "
            "delta/2} and b = 1 + ceil(9/(2 epsilon) ln(2/delta)), the stability histogram is (epsilon, delta)-DP and "
            "has the stated errors. It spends less than 3/4 of delta, and more than half of it at epsilon = 1/33, "
            "delta = 1e-5, n = 10^5, beta_0 = 1: 0.528"
        ),
        status="verified",
        methods=("theorem-5.6-delta", "theorem-5.6-accuracy"),
        scope=(
            "Pr[M(1, U) > b] for 1/epsilon = 1, 2, 5, 9, delta = 1, 1/2, 1/10, 1e-4, beta_0 = 1, 1/100, n = b + 1 "
            "times 1, 2, 50; accuracy: " + FIGURE_4 + "; running times are not measured here"
        ),
        code=("mechanisms.finite_computers.stability_histogram.stability_histogram",),
    ),
    Row(
        id="BV/Figure4",
        statement=(
            "The thresholds and errors of the rows of GeoSample and FastSample hold; the b of GeoSample is 1.2 to 3.2 "
            "times the least one that will do"
        ),
        status="verified",
        methods=("figure-4-threshold", "theorem-5.6-accuracy", "theorem-5.6-delta"),
        scope=(
            FIGURE_4
            + "; b: 1/epsilon = 1 to 17, delta = 1/10, 1/100, 1e-4, 1e-6, 1e-12; running times are not measured"
        ),
        code=("mechanisms.finite_computers.accuracy.spread_beta",),
    ),
    Row(
        id="BV/Section5.2/Claim5",
        statement="For b >= n the stability histogram releases nothing, whatever the list",
        status="verified",
        methods=("stability-program",),
        scope=LISTS.replace(", (2, 3)", "") + ", b = n to 3",
        code=("mechanisms.finite_computers.stability_histogram.stability_histogram",),
    ),
)
