"""Rows on the introduction, on sizes and orders, and on what Theorem 7.2 leaves open."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["REMAINING"]

BASIC_BITS = "bits drawn by FastSample: 1/epsilon = 1, 8, 64, n = 10, 10^4, |X| = 16, 1024, each doubled (n squared)"
STABILITY_BITS = "bits drawn by FastSample: 1/epsilon = 1, 8, n = 10, 1000, delta = 2^-10, 2^-40, each doubled"
SPARSE_BITS = "bits of s: n = 10, 1000, |X| = 2^16, 2^64, 1/epsilon = 1, 8, each doubled"
CONSTANTS = "10/epsilon for one count, 43/epsilon for 4096, beta = 1/10, 1/epsilon = 1 to 5, n = 30/epsilon, GeoSample"

REMAINING: tuple[Row, ...] = (
    Row(
        id="BV/Section1/Claim1",
        statement=(
            "For lists that differ in one label, the densities of the counts plus independent Lap(2/epsilon) noise "
            "have a ratio of at most e^epsilon everywhere, and e^epsilon somewhere"
        ),
        status="verified",
        methods=("laplace-private",),
        scope=(
            "all lists, (n, |X|) = (1, 2), (2, 2), (2, 3), at multiples of 1/2 from -1 to n + 1: the logarithm is "
            "linear between integers and constant beyond the counts"
        ),
    ),
    Row(
        id="BV/Section1/Formula1",
        statement=(
            "For a > 0, Pr[|Lap(2/epsilon)| > a] = e^(-a epsilon/2): off by more than (2/epsilon) ln(1/beta) with "
            "probability beta"
        ),
        status="verified",
        methods=("laplace-errors",),
        scope=(
            "to the relative width of two cells, by step functions, for cells of width w, e^(epsilon w/2) = 1 + 2^-6, "
            "1 + 2^-12; a = w, 5 w, 40 w"
        ),
    ),
    Row(
        id="BV/Section1/Formula2",
        statement=(
            "Of |X| independent Laplace errors, the greatest is above (2/epsilon) ln(|X|/beta) with probability at "
            "most beta, and above (2/epsilon) ln |X| with more than 1/2"
        ),
        status="verified",
        methods=("laplace-errors",),
        scope="|X| = 2, 16, 300, beta = 1/2, 1/10, 1/1000, from the tail of one",
    ),
    Row(
        id="BV/Section1/Claim2",
        statement=(
            "Geometric noise cut at a distance, and flips of coins that stop when the noise is known and are seen to, "
            "are not (epsilon, 0)-DP for any epsilon; the outcome of the flips alone is"
        ),
        status="verified",
        methods=("truncation-leaks",),
        scope="e^(epsilon/2) = 5/4, 3, cut at 1, 3, 10; geometric-early-stop at its defaults, counts 0 and 1",
        code=("mechanisms.broken.geometric.geometric_early_stop",),
    ),
    Row(
        id="BV/Theorem1.2",
        statement=(
            "For all sizes, the basic histogram is (epsilon, 0)-DP, each count is off by O(1/epsilon) and all by "
            "O(log(|X|)/epsilon), and what it draws grows as |X|, as 1/epsilon and as log n, up to logarithms"
        ),
        status="measured",
        methods=("basic-histogram-private", "figure-3", "informal-errors", "histogram-bits"),
        scope=f"exact privacy and errors as for Theorem 5.3; orders: {CONSTANTS}; {BASIC_BITS}; by the clock: not here",
        code=(
            "mechanisms.finite_computers.basic_histogram.basic_histogram",
            "mechanisms.finite_computers.fastsample.fastsample",
        ),
    ),
    Row(
        id="BV/Theorem1.3",
        statement=(
            "For all sizes and delta < 1/n, the stability histogram is (epsilon, delta)-DP with the errors of Theorem "
            "5.6, and what it draws grows as n, as 1/epsilon and as log(1/delta), up to logarithms"
        ),
        status="measured",
        methods=("theorem-5.6-delta", "theorem-5.6-accuracy", "histogram-bits"),
        scope=f"exact delta and errors as for Theorem 5.6; {STABILITY_BITS}; by the clock: not here",
        code=(
            "mechanisms.finite_computers.stability_histogram.stability_histogram",
            "mechanisms.finite_computers.fastsample.fastsample",
        ),
    ),
    Row(
        id="BV/Section1/Formula3",
        statement=(
            "The error of all counts of a stability histogram does not depend on |X|, and is below that of the same "
            "noise on all labels for large delta, up to constants from delta > 1/|X| on: exactly, over 256 labels it "
            "is 13, 15 and 19 at delta = 2^-1, 2^-6 and 2^-8, against 17; so at delta = 1/|X| it is not yet below"
        ),
        status="measured",
        methods=("stability-against-laplace",),
        scope="geometric noise for Laplace's, e^(epsilon/2) = 3/2, n = 40, beta = 1/10, the least threshold for delta",
        code=(
            "mechanisms.finite_computers.stability_histogram.stability_histogram",
            "mechanisms.finite_computers.accuracy.spread_beta",
        ),
    ),
    Row(
        id="BV/Section1/Claim4",
        statement=(
            "Above t = ceil((2/epsilon) ln |X|), fewer than one empty label is expected, and fewer than n + 1 labels "
            "in all, though all may be; above t/2, more than one empty label is expected"
        ),
        status="verified",
        methods=("surviving-bins",),
        scope=(
            "geometric noise, e^(epsilon/2) = 3/2, 5/4, 17/16, |X| = 2^4 to 2^64; clamped, (n, |X|) = (5, 4), (8, 6), "
            "(20, 16)"
        ),
        code=("mechanisms.finite_computers.geosample.geosample_law",),
    ),
    Row(
        id="BV/Theorem1.4",
        statement=(
            "For all sizes, pure-sparse-histogram is (epsilon, 0)-DP with the errors of Theorem 6.11, and each of the "
            "n numbers of its order statistics has bits that grow as n log |X|, and as log(1/epsilon) by addition"
        ),
        status="measured",
        methods=("pure-private", "pure-constants", "sparse-bits"),
        scope=f"exact privacy and errors as for Theorem 6.11; {SPARSE_BITS}; by the clock: docs/approximation.md",
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_sparse_histogram",),
    ),
    Row(
        id="BV/Theorem1.5",
        statement=(
            "For |X| >= n'^2 and epsilon^2 > delta, every sparse histogram errs for some label by the order of "
            "min{log |X|, log(1/delta)}/epsilon: 11 times the packings of Theorem 7.2 are at least that"
        ),
        status="measured",
        methods=("sparse-packing", "sparse-bound-tight"),
        scope=(
            "as for Theorem 7.2; order: e^(epsilon/2) = 9/8, 3/2, |X| = 2^8 to 2^256, n' = 1, 16, delta = 1e-4, 1e-40"
        ),
        code=("mechanisms.finite_computers.lower_bounds.sparse_least",),
    ),
    Row(
        id="BV/Theorem1.6",
        statement=(
            "For all sizes, the compact histogram is (epsilon, 0)-DP with the errors of Theorem 8.6, and each of its n "
            "+ 1 numbers has at most six times max{log2 |X|, log2(30 d/epsilon)} bits"
        ),
        status="measured",
        methods=("compact-real-parameters", "compact-release-bits"),
        scope=(
            "exact privacy and errors as for Theorem 8.6; bits: n = 1, 100, 10^4, |X| = 2, 2^20, 2^64, 1/epsilon = 1, "
            "4, 16; by the clock: docs/compact-histograms.md"
        ),
        code=("mechanisms.finite_computers.compact_histogram.private_histogram",),
    ),
    Row(
        id="BV/Footnote2",
        statement=(
            "What matching the domains of sampler and hash family costs is e2 + e3 of Theorem 8.3: at most 3 d/d0, and "
            "0 if d divides d0"
        ),
        status="verified",
        methods=("domains-matched", "empty-bin-ratios"),
        scope="GeoSample, (n, k, bits) = (1, 1, 6), (2, 1, 6), (2, 2, 18), (3, 1, 18), where it is not 0, and d0 = 4 d",
        code=("mechanisms.finite_computers.compact_costs.costs", "mechanisms.finite_computers.empty_bin.EmptyBin"),
    ),
    Row(
        id="BV/Section1/Claim5",
        statement=(
            "A compact histogram has less error for each label than any sparse one, so than any synthetic data, must "
            "have for some, if labels are many enough"
        ),
        status="verified",
        methods=("dense-beats-sparse",),
        scope=(
            "epsilon = 1: |X| = 2^64, n = n' = 80, beta = 1/10, and |X| = 2^256, n = n' = 120, beta = 1/1000; the "
            "counts 0, n/4, n/2, 3n/4, n"
        ),
        code=(
            "mechanisms.finite_computers.compact_histogram.private_histogram",
            "mechanisms.finite_computers.lower_bounds.sparse_least",
        ),
    ),
    Row(
        id="BV/Section2/Formula1",
        statement="For every n >= 1, [n] = {0, ..., n} has n + 1 elements and [n]_+ = {1, ..., n} has n",
        status="verified",
        methods=("index-sets",),
        scope="n = 1 to 29: the counts that GeoSample can return, and the numbers that a draw can give",
    ),
    Row(
        id="BV/Section2.2.1/Formula1",
        statement=(
            "n' pairs of a label and a count hold every histogram of at most n' counts up to n, in n' (log(n + 1) + "
            "log |X|) bits, each logarithm rounded up; that is fewer than a vector's for n' < |X|/(1 + log |X|), more "
            "for n' = |X|, and at most twice the least for n'^3 <= |X|"
        ),
        status="verified",
        methods=("partial-vectors",),
        scope="n = 1, 3, 100, |X| = 2, 5, 64, 1000, n' = 1 to 100, by counting the histograms",
    ),
    Row(
        id="BV/Section4.2/Claim1",
        statement="GeoSample draws, and computes with, integers of more than k n and at most n (k + 1) + 1 bits",
        status="measured",
        methods=("geosample-bits",),
        scope="n = 1 to 10^4, k = 1, 2, 7: bits of the one number drawn; by the clock: docs/benchmarks.md",
        code=("mechanisms.finite_computers.geosample.geosample",),
    ),
    Row(
        id="BV/Section4.2/Formula6",
        statement=(
            "t is between 9/(2 epsilon) times log(n/gamma) and 9/(2 epsilon) times log(n/gamma) + log(1/epsilon) + 4, "
            "logarithms to base 2, rounded down below and up above"
        ),
        status="verified",
        methods=("cut-off-order",),
        scope="n = 1 to 10^9, 1/epsilon = 1 to 1000, 1/gamma = 2 to 10^12",
        code=("mechanisms.finite_computers.fastsample.cutoff",),
    ),
    Row(
        id="BV/Section5.2/Claim1",
        statement=(
            "A stability histogram releases at most the labels that occur, with counts from 1 to n, so at most n pairs "
            "of log n + log |X| bits; and it can release n"
        ),
        status="verified",
        methods=("stability-length", "partial-vectors"),
        scope="GeoSample, k = 1, b = 0, (n, |X|) = (1, 2), (2, 2), (3, 4), every list up to its order",
        code=("mechanisms.finite_computers.stability_histogram.stability_histogram",),
    ),
    Row(
        id="BV/Section7/Formula3",
        statement=(
            "For |X| >= n'^2, epsilon^2 >= delta and beta >= delta, the bound of Section 5.2, log(1/(beta delta))"
            "/epsilon, is the best possible up to a constant, 100 or less. (It is not where |X| is far below 1/delta: "
            "its threshold grows with log(1/delta), and keep-heavy's error does not)"
        ),
        status="refuted",
        methods=("sparse-bound-tight-printed",),
        scope=(
            "the least threshold for delta, which is an error for a label that occurs as often, against the packings "
            "of Theorem 7.2; for every other constant at a smaller delta"
        ),
        witness="e^(epsilon/2) = 3/2, n = n' = 10000, |X| = n^2, beta = 1/4, delta = 10^-106: 601 > 100 * 6",
        code=("mechanisms.finite_computers.lower_bounds.sparse_least",),
    ),
    Row(
        id="BV/Section7/Formula3/corrected",
        corrects="BV/Section7/Formula3",
        statement=(
            "The lesser of the bounds of Sections 5.2 and 6, (2/epsilon) min{ln(1/(beta delta)), ln(|X|/beta)}, is "
            "at most 11 times what Theorem 7.2 leaves open, or 11"
        ),
        status="verified",
        methods=("sparse-bound-tight",),
        scope=(
            "e^(epsilon/2) = 9/8, 3/2, |X| = 2^8, 2^64, 2^256, n' = 1, 16, delta = 1e-4, 1e-40, beta = 1/2, 1/100, "
            "delta; n = 10^6"
        ),
        code=("mechanisms.finite_computers.lower_bounds.sparse_least",),
    ),
    Row(
        id="BV/Definition1.1",
        statement="Approximate and pure differential privacy, for data sets that differ in one row (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; it is what the kernel decides",
        code=("audit.kernel.divergence.decide_pair",),
    ),
    Row(
        id="BV/Section1/Claim3",
        statement="Over an infinite universe no strict time bound is possible (nothing to check)",
        status="open",
        methods=(),
        scope="that no strict bound exists over infinite universes is about all programs; universes here are finite",
        code=(),
    ),
    Row(
        id="BV/Footnote1",
        statement="An earlier version missed logarithmic factors in its running times (nothing to check)",
        status="open",
        methods=(),
        scope="on the history of the paper",
        code=(),
    ),
    Row(
        id="BV/Definition2.1",
        statement="The same, with neighbouring data sets named (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; the relation is `substitute`",
        code=("audit.kernel.neighbours.RELATIONS",),
    ),
    Row(
        id="BV/Definition2.5",
        statement="Accuracy of each count by itself (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; tests hold the code to it",
        code=("mechanisms.finite_computers.accuracy.per_query",),
    ),
    Row(
        id="BV/Definition2.6",
        statement="Accuracy of all counts at once (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; tests hold the code to it",
        code=("mechanisms.finite_computers.accuracy.simultaneous",),
    ),
    Row(
        id="BV/Figure1",
        statement="A histogram with error bars (nothing to check)",
        status="open",
        methods=(),
        scope="a sketch",
        code=(),
    ),
    Row(
        id="BV/Definition2.7",
        statement="Accuracy of each count above t by itself (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; tests hold the code to it",
        code=("mechanisms.finite_computers.accuracy.per_query",),
    ),
    Row(
        id="BV/Definition2.8",
        statement="Mass function, distribution function and support (nothing to check)",
        status="open",
        methods=(),
        scope="a definition",
        code=("mechanisms.exact.dist.Dist",),
    ),
    Row(
        id="BV/Definition2.11",
        statement="Order statistics (nothing to check)",
        status="open",
        methods=(),
        scope="a definition",
        code=("mechanisms.finite_computers.ordsample.order_statistic_cdf",),
    ),
    Row(
        id="BV/Section2.4/Claim1",
        statement="Multiplication and trees cost what the model says (nothing to check)",
        status="open",
        methods=(),
        scope="costs in the word model, as assumed; the oracle is coins.below, whose bits are a function of d",
        code=(),
    ),
    Row(
        id="BV/Definition4.1",
        statement="Privacy of a mechanism that sees one count (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; the relation is `element`",
        code=("audit.kernel.neighbours.RELATIONS",),
    ),
    Row(
        id="BV/Definition4.2",
        statement="Accuracy of a mechanism that sees one count (nothing to check)",
        status="open",
        methods=(),
        scope="a definition; tests hold the code to it",
        code=("mechanisms.finite_computers.accuracy.counting",),
    ),
    Row(
        id="BV/Definition4.3",
        statement="The scaled distribution function of the noisy count of 0 (nothing to check)",
        status="open",
        methods=(),
        scope="a definition",
        code=("mechanisms.finite_computers.ordsample.scaled_cumulative",),
    ),
    Row(
        id="BV/Figure2",
        statement="Three mass functions (nothing to check)",
        status="open",
        methods=(),
        scope="a sketch",
        code=(),
    ),
    Row(
        id="BV/Definition6.12",
        statement="Convolution of vectors, cut to their length (nothing to check)",
        status="open",
        methods=(),
        scope="a definition",
        code=("mechanisms.finite_computers.approx_sampling.convolve",),
    ),
    Row(
        id="BV/PropositionA.2",
        statement="Order-statistic trees insert, count and select in logarithmic time (nothing to check)",
        status="open",
        methods=(),
        scope="quoted from a textbook; the code keeps a sorted list in place of the tree",
        code=("mechanisms.finite_computers.distinct.distinct_sample",),
    ),
)
