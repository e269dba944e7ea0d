"""Rows on Section 6.1: sparse histograms from order statistics."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["ORDERS"]

BINS_SCOPE = "GeoSample; (n, |X|, k) = (1, 2, 1), (1, 3, 1), (1, 4, 2), (2, 3, 2), (2, 4, 1), every data set"
SPARSE_SCOPE = (
    "GeoSample; (n, |X|, k) = (1, 3, 1), (1, 4, 2), (2, 5, 1); all rows equal, to the first and the last label, and "
    "all rows different; tests hold it for every data set, FastSample, and one at n = 3, |X| = 7"
)
ACCURACY_SCOPE = (
    "GeoSample; (n, |X|, k) = (1, 2, 1), (1, 5, 2), (2, 5, 1), (3, 5, 2), (3, 5, 4), every data set and all integers "
    "a1 <= a2 <= n, with the least beta that BasicHistogram has"
)
PRIVATE_SCOPE = (
    "GeoSample, k = 1 to 3; (n, |X|) = (1, 2), (1, 3), (1, 9), (2, 3), (2, 5), (2, 6), (3, 4), and at k = 2 (3, 7): "
    "all 343 data sets and 6,174 substitutions"
)
ORDER_SCOPE = "n = 1, 2; every F with F(0) >= 1 and F(n) <= 3; m = n + 1 to n + 3"

ORDERS: tuple[Row, ...] = (
    Row(
        id="BV/Footnote3",
        statement=(
            "There is a mechanism that is not differentially private, and is once it sorts the bins that it releases "
            "by label: KeepHeavy with its bins in the order in which their labels first occur"
        ),
        status="verified",
        methods=("heavy-order-leaks", "keep-heavy-private"),
        scope="GeoSample with k = 2, n = 2 rows over 3 labels; [0, 0] against [0, 2]",
        code=("mechanisms.broken.keep_heavy.keep_heavy_order",),
    ),
    Row(
        id="BV/Algorithm6.1",
        statement=(
            "For every n, every X with at least n + 1 labels and every data set of n rows, KeepHeavy releases the bins"
            " whose noisy counts are above the (n+1)-st greatest: at most n, with counts from 1 to n"
        ),
        status="verified",
        methods=("keep-heavy-law",),
        scope=BINS_SCOPE,
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy",),
    ),
    Row(
        id="BV/Footnote4",
        statement=(
            "The bins with counts at least the n-th greatest, ties included, have another law if they are taken from A"
            " and q_0, ..., q_n than if they are taken from all bins"
        ),
        status="verified",
        methods=("ties-from-candidates",),
        scope=(
            "GeoSample with k = 1, n = 1, D = [0]: another law for |X| = 4, the same for |X| = 3, where A and the q_i "
            "are all labels; the remark on continuous laws is not checked"
        ),
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy_sparse",),
    ),
    Row(
        id="BV/Section6.1/Formula1",
        statement=(
            "KeepHeavy releases at most n bins, and BasicHistogram |X| of them; each takes a label of X and a count up"
            " to n"
        ),
        status="verified",
        methods=("keep-heavy-length", "keep-heavy-law"),
        scope=BINS_SCOPE,
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy",),
    ),
    Row(
        id="BV/Theorem6.2",
        statement=(
            "For every M that is (epsilon/2, 0)-DP for counting queries, KeepHeavy is (epsilon, 0)-DP; and if "
            "BasicHistogram has (a1, beta)-per-query and (a2, beta)-simultaneous accuracy with a1 <= a2, KeepHeavy has"
            " (a1, 2 beta)-per-query accuracy on counts above 2 a2 and (2 a2, beta)-simultaneous accuracy. With "
            "GeoSample no smaller epsilon than 2 ln(1 + 2^-k) will do"
        ),
        status="verified",
        methods=("keep-heavy-private", "keep-heavy-three-of-seven", "keep-heavy-accurate", "heavy-below"),
        scope=(
            f"part i: {PRIVATE_SCOPE}; parts ii and iii: {ACCURACY_SCOPE}; each count, on lists of two labels, for "
            "n = 40 and |X| = 81, 100 too"
        ),
        code=(
            "mechanisms.finite_computers.keep_heavy.keep_heavy",
            "mechanisms.finite_computers.keep_heavy.keep_heavy_law",
        ),
    ),
    Row(
        id="BV/Section6.1/Formula2",
        statement=(
            "With GeoSample, |X| = 2^j and beta = 2^-b, the counts from which Theorem 6.2 ii has KeepHeavy accurate, 2"
            " a2, are at most 8 log2(|X|/beta)/epsilon"
        ),
        status="verified",
        methods=("keep-heavy-threshold",),
        scope="1/epsilon = 1, 2, 3, 10; j = 1, 4, 16, 64; b = 1, 5, 20; that it cannot be avoided is Theorem 7.2",
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy",),
    ),
    Row(
        id="BV/Lemma6.3",
        statement=(
            "As the text has it, with noisy minus true counts and not their absolute values: if no noisy count is more"
            " than a2 above its true count, every label that occurs more than 2 a2 times is above the (n+1)-st "
            "greatest noisy count"
        ),
        status="refuted",
        methods=("keep-heavy-kept-without-bars",),
        scope="n = 1 over 2 labels",
        witness="n = 1, |X| = 2, a2 = 0, D = [0], noisy counts (0, 0)",
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy",),
    ),
    Row(
        id="BV/Lemma6.3/corrected",
        statement=(
            "Let E be the event that every noisy count is within a2 of its true count. If BasicHistogram has (a2, "
            "beta)-simultaneous accuracy, Pr[E] >= 1 - beta; and in E every label that occurs more than 2 a2 times is "
            "above the (n+1)-st greatest noisy count"
        ),
        status="verified",
        methods=("keep-heavy-kept",),
        scope=(
            "all noisy counts for (n, |X|) = (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), every data set and integer a2 <= "
            "n; "
            f"Pr[E]: {BINS_SCOPE}"
        ),
        corrects="BV/Lemma6.3",
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy",),
    ),
    Row(
        id="BV/Algorithm6.4",
        statement=(
            "For every n, X with |X| >= 2n + 1 and data set, KH' releases bins with the law of KeepHeavy, from noisy "
            "counts of the labels that occur and of n + 1 others"
        ),
        status="verified",
        methods=("keep-heavy-sparse-law",),
        scope=SPARSE_SCOPE,
        code=(
            "mechanisms.finite_computers.keep_heavy.keep_heavy_sparse",
            "mechanisms.finite_computers.keep_heavy.distinct",
        ),
    ),
    Row(
        id="BV/Footnote5",
        statement="For every n and X: in each data set of n rows at least n + 1 labels do not occur iff |X| >= 2n + 1",
        status="verified",
        methods=("enough-empty-labels",),
        scope="n = 1 to 4, |X| = 1 to 9, every data set",
        code=("mechanisms.finite_computers.keep_heavy.keep_heavy_sparse",),
    ),
    Row(
        id="BV/Proposition6.5",
        statement="For every n, X with |X| >= 2n + 1 and data set D, KH'(D) and KeepHeavy(D) have one law",
        status="verified",
        methods=("keep-heavy-sparse-law",),
        scope=SPARSE_SCOPE,
        code=(
            "mechanisms.finite_computers.keep_heavy.keep_heavy_sparse",
            "mechanisms.finite_computers.keep_heavy.keep_heavy_law",
        ),
    ),
    Row(
        id="BV/Section6.1/Formula3",
        statement=(
            "The conditional law of the earlier version gives wrong order statistics for every law on [0, n] that is "
            "not a point mass, first for two fair coins, which are both 1 with probability 3/8 by it and 1/4 in truth."
            " KH' with it is not (epsilon, 0)-DP: with n = 1, |X| = 3 and k = 2 it needs a ratio of 225/112, where "
            "25/16 is claimed"
        ),
        status="verified",
        methods=("order-statistics-earlier", "keep-heavy-sparse-earlier"),
        scope=f"{ORDER_SCOPE}; that it is right for continuous laws is not checked",
        code=("mechanisms.broken.keep_heavy_sparse.continuous_order_statistics",),
    ),
    Row(
        id="BV/Proposition6.6",
        statement=(
            "For every n, d, non-decreasing F from [0, n] to 1, ..., d with F(n) = d and m >= n + 1, OrdSample has the"
            " law of the n + 1 greatest of m independent variables with distribution function F/d"
        ),
        status="verified",
        methods=("ordsample-law",),
        scope=f"{ORDER_SCOPE}; tests add the laws of noisy counts",
        code=("mechanisms.finite_computers.ordsample.ordsample", "mechanisms.finite_computers.ordsample.ordsample_law"),
    ),
    Row(
        id="BV/Algorithm6.7",
        statement=(
            "For every F and m, OrdSample returns n + 1 counts in descending order, from one capped binomial for each "
            "level from n down to 1"
        ),
        status="verified",
        methods=("ordsample-law",),
        scope=ORDER_SCOPE,
        code=(
            "mechanisms.finite_computers.ordsample.ordsample",
            "mechanisms.finite_computers.ordsample.capped_binomial",
        ),
    ),
    Row(
        id="BV/Section6.1/Formula4",
        statement=(
            "For all values of Z_1, ..., Z_m with m >= n + 1, min{Y_v, n + 1 - sum over i > v of Y'_i} is Y_v for v > "
            "v*, n + 1 minus the sum of Y_i over i > v* for v = v*, and 0 for v < v*; with these multiplicities come "
            "the n + 1 greatest values"
        ),
        status="verified",
        methods=("order-statistics-capped",),
        scope="(n, m) = (1, 2), (1, 5), (2, 3), (2, 6), (3, 5), all values",
        code=("mechanisms.finite_computers.ordsample.ordsample",),
    ),
    Row(
        id="BV/Section6.1/Formula5",
        statement=(
            "For every F, m and v, given the multiplicities of all values above v, with sum L, that of v is Bin(m - L,"
            " 1 - F(v-1)/F(v)); F(-1) = 0"
        ),
        status="verified",
        methods=("order-statistics-conditional",),
        scope=ORDER_SCOPE,
        code=("mechanisms.finite_computers.ordsample.ordsample",),
    ),
    Row(
        id="BV/Section6.1/Claim1",
        statement=(
            "With GeoSample, the probability that the greatest of m noisy counts of 0 is 0 is at most (2/3)^m, and in "
            "lowest terms its denominator has more than m bits"
        ),
        status="verified",
        methods=("order-statistics-bits",),
        scope="n, k = 1 to 3; m = 1, 2, 3, 10, 100, 1000; running times are not measured here",
        code=("mechanisms.finite_computers.ordsample.order_statistic_cdf",),
    ),
    Row(
        id="BV/Footnote6",
        statement=(
            "For every m, Pr[Z_(m) = 0] = Pr[M(0, U) = 0]^m (the text leaves out the second `= 0`), which no program "
            "can meet exactly with m fair bits"
        ),
        status="verified",
        methods=("order-statistics-bits",),
        scope="GeoSample; n, k = 1 to 3; m = 1, 2, 3, 10, 100, 1000; OrdSample itself for m = n + 1, n + 2",
        code=("mechanisms.finite_computers.ordsample.order_statistic_cdf",),
    ),
)
