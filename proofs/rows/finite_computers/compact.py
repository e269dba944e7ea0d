"""Rows on Section 8: compact histograms."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["COMPACT"]

FIELD_SCOPE = "GF(4) with n = 0 to 3, every set of labels; GF(64) with n = 1, four labels"
THROUGH_SCOPE = "GF(4), n = 1 to 3, |A| = 0 to n, every choice of values"
CASE_SCOPE = (
    "GF(4): n = 1 with 2 and 4 labels, n = 2 with 2 and 3; every list, every substitution; noisy counts that keep a "
    "count with 1, 2 or 3 chances against 1, empty-bin samplers with 1 or 2"
)
MAP_SCOPE = "d = 1 to 13, every d0 from 4d/3 to 5d + 7, every u0"
COUNT_SCOPE = MAP_SCOPE + "; GeoSample with n = 1 to 3, counts by response with n = 1 and 4"
REAL_SCOPE = (
    "(n, 1/epsilon, |X|) = (1, 1, 2), (6, 1, 2^64), (12, 2, 1000), (60, 1, 2^64), beta0 = 1/10: every count, every pair"
)
SIZE_SCOPE = "n = 1, 100, 10^4; |X| = 2, 10^6, 2^64; 1/epsilon = 1, 2, 3, 7, 10; 1/beta0 = 1, 10, 10^6"
TIME_SCOPE = (
    "the bits of one random number, for n = 64 to 16,384, |X| = 2^64, epsilon = 1, beta0 = 1/10, and "
    "benchmarks/compact.py by the clock: n to 10,000"
)

COMPACT: tuple[Row, ...] = (
    Row(
        id="BV/Lemma8.1",
        statement=(
            "For every n, field of d0 = 2^(2 * 3^l) >= |X| elements and map M0 from it to [0, n], the polynomials of "
            "degree at most n, read through M0, are a multiset of histograms whose counts have the law of M0 on a "
            "uniform element and are independent on any n + 1 labels; one that is uniform among those with given "
            "counts on at most n labels comes from uniform preimages of the counts"
        ),
        status="verified",
        methods=("compact-field", "compact-independence", "compact-through"),
        scope=f"{FIELD_SCOPE}; {THROUGH_SCOPE}",
        code=("mechanisms.finite_computers.hash_family.HashFamily",),
    ),
    Row(
        id="BV/Section8.1/Claim1",
        statement=(
            "For every n, the values of a uniform polynomial of degree at most n over a field are uniform and "
            "independent on any n + 1 of its elements, and on no n + 2"
        ),
        status="verified",
        methods=("compact-independence",),
        scope=FIELD_SCOPE,
        code=("mechanisms.finite_computers.hash_family.HashFamily",),
    ),
    Row(
        id="BV/Section8.1/Formula1",
        statement="For every l, the polynomial x^(2 * 3^l) + x^(3^l) + 1 is irreducible over GF(2)",
        status="verified",
        methods=("compact-field",),
        scope="l = 0 to 40 by the order of 2 modulo 3^(l+1); l = 0 to 4 by factoring",
        code=("mechanisms.adapters.fields.is_irreducible",),
    ),
    Row(
        id="BV/Section8.1/Formula2",
        statement=(
            "For every A of at most n labels and values on A, uniform values on n + 1 - |A| more elements make each "
            "polynomial of degree at most n with these values equally likely; so does a uniform multiple of degree at "
            "most n of the product of x - label, which does not need |X| > n, as step 2 of the proof does"
        ),
        status="verified",
        methods=("compact-through",),
        scope=THROUGH_SCOPE,
        code=("mechanisms.finite_computers.hash_family.HashFamily",),
    ),
    Row(
        id="BV/Algorithm8.2",
        statement=(
            "For every list, each polynomial with counts h on the labels A that occur is released with probability "
            "d0^-(n + 1 - |A|) times the product over A of Pr[M = h] / (numbers that M0 maps to h)"
        ),
        status="verified",
        methods=("compact-law",),
        scope=CASE_SCOPE,
        code=("mechanisms.finite_computers.compact_histogram.compact_histogram",),
    ),
    Row(
        id="BV/Theorem8.3",
        statement=(
            "For every M that is (e1/2, 0)-DP for counting queries and M0 whose probabilities are within e^e2 and e^e3 "
            "of those of M at 0, the compact histogram is (e1 + e2 + e3, 0)-DP; with (a, beta)-accuracy of M, and of "
            "M0 at 0, each count is within a but with probability beta, and all of them but with beta |X|"
        ),
        status="verified",
        methods=("compact-private", "compact-accuracy"),
        scope=CASE_SCOPE + "; the running times of iv and v are in docs/compact-histograms.md, not here",
        code=(
            "mechanisms.finite_computers.compact_histogram.compact_histogram",
            "mechanisms.finite_computers.compact_costs.costs",
        ),
    ),
    Row(
        id="BV/Section8.2/Claim1",
        statement=(
            "For all neighbouring lists of n labels, at most n + 1 labels occur in either, and at most one of these is "
            "missing in the first, one in the second; two substitutions can bring n + 2"
        ),
        status="verified",
        methods=("compact-support",),
        scope="n = 1 to 4, 4 labels, every pair of lists; n + 2 for n = 2",
    ),
    Row(
        id="BV/Section8.2/Formula1",
        statement=(
            "For all neighbours, the ratio of the probabilities of a release is that of its counts on the labels that "
            "occur in either list, which are independent: M at positive counts, M0 at 0"
        ),
        status="verified",
        methods=("compact-law", "compact-private"),
        scope=CASE_SCOPE,
        code=(
            "mechanisms.finite_computers.compact_histogram.compact_histogram_law",
            "mechanisms.finite_computers.compact_costs.exact_ratio",
        ),
    ),
    Row(
        id="BV/Section8.2/Formula2",
        statement="For every list and label that does not occur, its count in the release has the law of M0",
        status="verified",
        methods=("compact-accuracy",),
        scope=CASE_SCOPE,
        code=("mechanisms.finite_computers.compact_histogram.counts_of",),
    ),
    Row(
        id="BV/Lemma8.4",
        statement=(
            "For every M that does not decrease at 0 and d0 >= 4d/3, M0(u0) = M(0, f(u0)) does not decrease, has "
            "probabilities within e^(-2 d/d0) and e^(d/d0) of M's (the same if d divides d0), is at most a at least "
            "as often, and its preimages of a count are an interval with the stated end points"
        ),
        status="verified",
        methods=(
            "empty-bin-proved",
            "empty-bin-exponentials-proved",
            "empty-bin-map",
            "empty-bin-ratios",
            "empty-bin-counts",
        ),
        scope="ii and iii proved for all parameters, by z3 and cvc5; exactly: " + COUNT_SCOPE,
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Algorithm8.5",
        statement="For every d and d0 >= 4d/3, f maps 1, ..., d0 onto 1, ..., d and does not decrease",
        status="verified",
        methods=("empty-bin-map",),
        scope=MAP_SCOPE,
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Section8.3/Formula1",
        statement="For every u0 > r (q + 1), ceil((u0 - r)/q) = ceil((u0 - r (q + 1))/q) + r",
        status="verified",
        methods=("empty-bin-map",),
        scope=MAP_SCOPE,
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Section8.3/Formula2",
        statement="For every count, Pr[M0 = c] <= (1 + d/d0) Pr[M(0) = c] <= e^(d/d0) Pr[M(0) = c]",
        status="proved",
        methods=(
            "empty-bin-proved",
            "empty-bin-exponentials-proved",
            "empty-bin-ratios",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + MAP_SCOPE + ", for the finest M, which tells all u apart",
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Section8.3/Formula3",
        statement="For every count and d/d0 <= 3/4, Pr[M0 = c] >= (1 - d/d0) Pr[M(0) = c] >= e^(-2 d/d0) Pr[M(0) = c]",
        status="proved",
        methods=(
            "empty-bin-proved",
            "empty-bin-exponentials-proved",
            "empty-bin-ratios",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + MAP_SCOPE + ", for the finest M, which tells all u apart",
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Section8.3/Formula4",
        statement="For every u from 1 to d, f takes the value u for q + 1 numbers u0 if u <= r, and else for q",
        status="verified",
        methods=("empty-bin-map",),
        scope=MAP_SCOPE,
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Section8.3/Formula5",
        statement="For every a, Pr[M0 <= a] >= Pr[M(0) <= a]",
        status="proved",
        methods=("empty-bin-proved", "empty-bin-ratios", "empty-bin-counts"),
        scope="all parameters, by z3 and cvc5; exactly: " + COUNT_SCOPE,
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Section8.3/Formula6",
        statement="For every u from 1 to d, the greatest u0 with f(u0) <= u is (q + 1) u if u <= r, and else q u + r",
        status="verified",
        methods=("empty-bin-map",),
        scope=MAP_SCOPE,
        code=("mechanisms.finite_computers.empty_bin.EmptyBin",),
    ),
    Row(
        id="BV/Theorem8.6",
        statement=(
            "For every n, 1/epsilon and 1/beta0 positive integers, with epsilon' = 1/ceil(10/(9 epsilon)) and "
            "gamma = beta0/(2|X|), the compact histogram on FastSample is (epsilon, 0)-DP, and each count is within "
            "ceil(5/epsilon ln(2/beta)) but with probability beta, for every beta >= 2 gamma; so it is within the "
            "greater ceil(5/epsilon ln(2|X|/beta)) of the printed iii, which says per-query where simultaneous is meant"
        ),
        status="verified",
        methods=("compact-sizes", "compact-real-parameters"),
        scope=f"{REAL_SCOPE}; {SIZE_SCOPE}",
        code=(
            "mechanisms.finite_computers.compact_histogram.private_histogram",
            "mechanisms.finite_computers.compact_costs.settled",
        ),
    ),
    Row(
        id="BV/Theorem8.6/iii",
        statement=(
            "For every beta >= beta0, all counts are within ceil(5/epsilon ln(2|X|/beta)) at once but with "
            "probability beta"
        ),
        status="verified",
        methods=("compact-real-parameters",),
        scope=REAL_SCOPE + "; by the union bound, each count at beta0/|X|",
        corrects="BV/Theorem8.6",
        code=("mechanisms.finite_computers.compact_histogram.private_histogram",),
    ),
    Row(
        id="BV/Section8.3/Formula7",
        statement=(
            "For every n, |X|, epsilon and beta0, the printed l gives d0 >= |X| and d/d0 <= epsilon/30, so that "
            "epsilon' + 3 d/d0 <= epsilon"
        ),
        status="verified",
        methods=("compact-sizes",),
        scope=SIZE_SCOPE,
        code=("mechanisms.finite_computers.compact_costs.settled",),
    ),
    Row(
        id="BV/Section8.3/Formula8",
        statement="For every n, |X|, epsilon and beta0, d0 <= 8 max(|X|, 30 d/epsilon)^3",
        status="verified",
        methods=("compact-sizes",),
        scope=SIZE_SCOPE,
        code=("mechanisms.finite_computers.compact_costs.settled",),
    ),
    Row(
        id="BV/Section8.3/Claim1",
        statement="As n grows, FastSample's random number gains bits as log n does, GeoSample's as n does",
        status="measured",
        methods=("compact-bits",),
        scope=TIME_SCOPE,
        code=(
            "mechanisms.finite_computers.empty_bin.fastsample_zero",
            "mechanisms.finite_computers.empty_bin.geosample_zero",
        ),
    ),
    Row(
        id="BV/Figure6",
        statement=(
            "The times of the table grow as the bits of a field element do; its errors for FastSample are those of "
            "Theorem 8.6, those for GeoSample the same without the 2, each count at beta or all at beta/|X|"
        ),
        status="measured",
        methods=("compact-bits", "compact-real-parameters", "figure-6-geosample"),
        scope=f"{TIME_SCOPE}; {REAL_SCOPE}; GeoSample: (1/epsilon, n) = (1, 40), (2, 60), (5, 60), every fifth count",
        code=("mechanisms.finite_computers.compact_histogram.private_histogram",),
    ),
)
