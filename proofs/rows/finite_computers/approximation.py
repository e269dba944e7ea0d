"""Rows on Sections 6.2 and 6.3 and Appendix A: sparse and pure sparse histograms from short numbers."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["APPROXIMATION"]

VECTORS = "every vector of t integers with sum at most s, (t, s) up to (1, 9), (2, 6), (3, 4), i = 1 to 7"
BINOMIALS = "s = 1 to 9, m = 1 to 5, q = 1 to 3, every p, caps 0 to 3"
ORDERS = "n = 1 and 2, m up to 6, s from 2 to 1000, geosample's counts of 0 at k = 1 and 2"
LISTS = "all lists for n = 1, universe 3 and 4, and n = 2, universe 5, geosample at epsilon = 1/2"
CLAIMED = "all lists for n = 1, universe 3 and 6, and n = 2, universe 5; geosample and fastsample, epsilon = 1/2 and 1"
TIMES = "; running times are measured in docs/approximation.md, not here"

APPROXIMATION: tuple[Row, ...] = (
    Row(
        id="BV/Theorem6.8",
        statement=(
            "For every n, universe >= 2n + 1, 1/delta a positive integer and (epsilon/2, 0)-DP sampler, "
            "sparse-histogram "
            "is within total variation delta of KH' on every list, and (epsilon, (e^epsilon + 1) delta)-DP"
        ),
        status="verified",
        methods=("sparse-distance", "sparse-private"),
        scope=CLAIMED + ", delta = 1/1000 and 1/2; distances also at delta = 1 and 1/10" + TIMES,
        code=("mechanisms.finite_computers.sparse_histogram.sparse_histogram",),
    ),
    Row(
        id="BV/Section6.2/Claim1",
        statement=(
            "A tenth of delta costs sparse-histogram at most four bits of s, and the stability histogram a threshold "
            "that grows with log(1/delta)/epsilon, above which n must lie"
        ),
        status="verified",
        methods=("sparse-delta",),
        scope="delta = 10^-1 to 10^-7, epsilon = 1, the threshold of Theorem 5.6",
        code=("mechanisms.finite_computers.sparse_histogram.precision",),
    ),
    Row(
        id="BV/Algorithm6.9",
        statement=(
            "Pure-sparse-histogram has the law of sparse-histogram with probability 1 - beta, and else that of step 2"
        ),
        status="verified",
        methods=("pure-law",),
        scope="all lists for n = 1, universe 3; the draws are the same for every list, as they are not as printed",
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_sparse_histogram",),
    ),
    Row(
        id="BV/Theorem6.10",
        statement=(
            "For every n, universe >= 2n + 1, 1/epsilon and 1/beta_1 integers and (epsilon/2, 0)-DP sampler, "
            "pure-sparse-histogram is (epsilon, 0)-DP, and has (a_1, 2 beta_1 + 2 beta_2)-per-query accuracy on counts "
            "above 2 a_2 and (2 a_2, 2 beta_1 + beta_2)-simultaneous accuracy wherever basic-histogram has a_1 and a_2"
        ),
        status="verified",
        methods=("pure-private", "pure-accuracy"),
        scope=CLAIMED + ", beta_1 = 1/100 and 1/2; accuracy at beta_1 = 1/100, every a_1 <= a_2 <= n" + TIMES,
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_sparse_histogram",),
    ),
    Row(
        id="BV/Section6.2/Claim2",
        statement=(
            "Step 2 of Algorithm 6.9 gives every histogram of at most n bins, counts 1 to n, a positive probability"
        ),
        status="verified",
        methods=("pure-random-support",),
        scope="n = 1 to 3, universe 3 to 7",
        code=("mechanisms.finite_computers.pure_sparse_histogram.random_histogram_law",),
    ),
    Row(
        id="BV/Section6.2/Formula1",
        statement=(
            "The least of these probabilities is n!/((n + 1) universe)^n, of a histogram of n bins: it is attained"
        ),
        status="verified",
        methods=("pure-random-support",),
        scope="n = 1 to 3, universe 3 to 7",
        code=("mechanisms.finite_computers.pure_sparse_histogram.random_histogram_least",),
    ),
    Row(
        id="BV/Section6.2/Formula2",
        statement="For every n >= 1, n!/(n + 1)^n >= 3^-n",
        status="proved",
        methods=(
            "factorial-proved",
            "pure-factorial",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: n = 1 to 400, and each step by the factor ((n + 1)/(n + "
            "2))^(n + 1) >= 1/3"
        ),
    ),
    Row(
        id="BV/Section6.2/Formula3",
        statement=(
            "For 1/epsilon and 1/beta_1 integers, epsilon/3 beta_1 (3 universe)^-n is at most (e^epsilon - "
            "1)/(e^epsilon + 1) "
            "beta_1/(1 - beta_1) times the least probability of step 2"
        ),
        status="verified",
        methods=("pure-mixing-condition",),
        scope="n from 1 to 40, universe 2n + 1 and 2^64, 1/epsilon from 1 to 1000, 1/beta_1 from 2 to 1000",
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_distance",),
    ),
    Row(
        id="BV/Section6.2/Formula4",
        statement="The delta of Algorithm 6.9 is at most beta_1, and 1/delta is an integer",
        status="verified",
        methods=("pure-mixing-condition",),
        scope="as for the mixing condition",
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_distance",),
    ),
    Row(
        id="BV/Section6.2/Formula5",
        statement="log(1/delta) is at most three times n log universe + log(1/(beta_1 epsilon))",
        status="verified",
        methods=("pure-distance-bits",),
        scope="n = 1 to 30, universe from 2n + 1 to 2^64, epsilon = 1 and 1/9, beta_1 = 1/2 and 1/99",
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_distance",),
    ),
    Row(
        id="BV/Theorem6.11",
        statement=(
            "With geosample and beta_1 = beta_0/4, pure-sparse-histogram is (epsilon, 0)-DP and its errors are "
            "those of "
            "Theorem 6.10 at a = ceil(9/(2 epsilon) ln(4/beta)), t = 2 ceil(9/(2 epsilon) ln(4 universe/beta)), and "
            "2 ceil(9/(2 epsilon) ln(2 universe/beta)) for all counts"
        ),
        status="verified",
        methods=("pure-private", "pure-constants"),
        scope=(
            "privacy as for Theorem 6.10; errors: n = 20 and 60, epsilon = 1 and 1/2, beta = 1/2 and 1/20, "
            "universe 2n + 1 "
            "and 10^4, by exact errors of single counts, a union bound, and Theorem 6.10"
        )
        + TIMES,
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_sparse_histogram",),
    ),
    Row(
        id="BV/Figure5",
        statement=(
            "The errors in the table follow from Theorem 6.10, for geosample, and for fastsample at gamma = "
            "beta/(8 universe)"
        ),
        status="verified",
        methods=("pure-constants",),
        scope="n = 20 and 60, epsilon = 1 and 1/2, beta = 1/2 and 1/20, universe 2n + 1 and 10^4" + TIMES,
        code=("mechanisms.finite_computers.pure_sparse_histogram.pure_sparse_histogram",),
    ),
    Row(
        id="BV/Section6.3/Claim1",
        statement="For p/q in lowest terms, Bin(m, p/q) has a probability with the denominator q^m, of m log2 q bits",
        status="verified",
        methods=("binomial-denominators",),
        scope="m = 1, 2, 7, 60, q = 2 to 6",
        code=("mechanisms.finite_computers.ordsample.capped_binomial",),
    ),
    Row(
        id="BV/Lemma6.13",
        statement="The law of the sum of two independent counts is the convolution of their laws",
        status="verified",
        methods=("sums-convolve",),
        scope="laws on three counts with denominator 3",
        code=("mechanisms.finite_computers.approx_sampling.convolve",),
    ),
    Row(
        id="BV/Corollary6.14",
        statement="Bin(m, p) is the m-fold convolution of (1 - p, p, 0, ...)",
        status="verified",
        methods=("sums-convolve",),
        scope="m = 1 to 7, p = 0, 1/3, 1",
        code=("mechanisms.finite_computers.approx_sampling.convolve",),
    ),
    Row(
        id="BV/Proposition6.15",
        statement=(
            "For every i, s, t and vector a of integers >= 0 with sum at most s, the result of Algorithm 6.16 is "
            "such a vector "
            "too, its first t' numbers depend on those of a alone, and it is within t (i - 1)/s of the i-fold "
            "convolution"
        ),
        status="verified",
        methods=("approx-conv-law", "approx-conv-recursion"),
        scope=VECTORS
        + "; 2^floor(log2 i) - 1 does for i - 1, which is twice as much where i + 1 is a power of two"
        + TIMES,
        code=("mechanisms.finite_computers.approx_sampling.approx_conv_exp",),
    ),
    Row(
        id="BV/Algorithm6.16",
        statement="The program returns what the recursion of Algorithm 6.16 does",
        status="verified",
        methods=("approx-conv-law",),
        scope=VECTORS,
        code=("mechanisms.finite_computers.approx_sampling.approx_conv_exp",),
    ),
    Row(
        id="BV/Section6.3/Claim2",
        statement="In step 3 of Algorithm 6.16, c is (b * b)/s for odd i and (a * b * b)/s^2 for even i",
        status="refuted",
        methods=("approx-conv-parity-printed",),
        scope="i = 2 and 3; the proof of Proposition 6.15 i, which has the cases of step 3 exchanged",
        witness="i = 2, s = 2, a = (1,): 1/4, and 1/2 in step 3",
        code=("mechanisms.finite_computers.approx_sampling.approx_conv_exp",),
    ),
    Row(
        id="BV/Section6.3/Claim2/corrected",
        corrects="BV/Section6.3/Claim2",
        statement="c is (b * b)/s for even i and (a * b * b)/s^2 for odd i; either way its sum is at most s",
        status="verified",
        methods=("approx-conv-law",),
        scope=VECTORS,
        code=("mechanisms.finite_computers.approx_sampling.approx_conv_exp",),
    ),
    Row(
        id="BV/Section6.3/Formula1",
        statement="The error at i is at most t/s plus twice that at floor(i/2), which t (i - 1)/s satisfies",
        status="verified",
        methods=("approx-conv-recursion",),
        scope=VECTORS + "; the last step for i up to 999",
        code=("mechanisms.finite_computers.approx_sampling.approx_conv_exp",),
    ),
    Row(
        id="BV/Proposition6.17",
        statement=(
            "For every m, q, s >= m, cap t >= 0 and p <= q, the binomial sampler with floor(t'/2) in step 4 d is "
            "within "
            "(m (t + 1) - t)/s of min(Bin(m, p/q), t)"
        ),
        status="verified",
        methods=("approx-bin-law", "approx-bin-distance"),
        scope=BINOMIALS + "; the running time is Section 6.3's own claim",
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Algorithm6.18",
        statement=(
            "As printed, with ceil(t'/2) in step 4 d, the sampler is within (m (t + 1) - t)/s of min(Bin(m, p/q), t)"
        ),
        status="refuted",
        methods=("approx-bin-printed",),
        scope=BINOMIALS + "; the range from ceil(1/2) to 0 is empty, so that 0 is never returned for t >= 1",
        witness="m = 1, p = 0, q = 1, s = 2, t = 1: total variation 1 > 1/2",
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Algorithm6.18/corrected",
        corrects="BV/Algorithm6.18",
        statement="With floor(t'/2) in step 4 d it is, and u in [1, s] gives the least k with F_k >= u",
        status="verified",
        methods=("approx-bin-law", "approx-bin-distance"),
        scope=BINOMIALS,
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Section6.3/Formula2",
        statement="As printed, the sampler returns k < t with probability d_k/s",
        status="refuted",
        methods=("approx-bin-output-printed",),
        scope=BINOMIALS,
        witness="m = 1, p = 0, q = 1, s = 1, t = 1: 0 has probability 0, not 1",
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Section6.3/Formula2/corrected",
        corrects="BV/Section6.3/Formula2",
        statement="With floor(t'/2) in step 4 d it returns k < t with probability d_k/s",
        status="verified",
        methods=("approx-bin-law",),
        scope=BINOMIALS,
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_law",),
    ),
    Row(
        id="BV/Section6.3/Formula3",
        statement="Rounding p/q down to a multiple of 1/s moves min(Bin(m, p/q), t) by at most m times that, and m/s",
        status="verified",
        methods=("approx-bin-distance",),
        scope=BINOMIALS,
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_law",),
    ),
    Row(
        id="BV/Section6.3/Claim3",
        statement=(
            "The first of the prefixes of 1, 2, 4, ... numbers that has the k-th is the (1 + ceil(log2(k + 1)))-th"
        ),
        status="verified",
        methods=("approx-bin-iterations",),
        scope="k = 0 to 999",
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Section6.3/Formula4",
        statement="The prefixes up to output k have at most 8 k numbers of log s bits, a multiple of k",
        status="refuted",
        methods=("approx-bin-time-printed",),
        scope="k = 0 to 999; no multiple will do for k = 0",
        witness="output 0: a prefix of 1 number is computed",
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Section6.3/Formula4/corrected",
        corrects="BV/Section6.3/Formula4",
        statement="They have at most 8 k numbers for k >= 1, and 2 for k = 0: at most 10 n + 8 over the n levels",
        status="verified",
        methods=("approx-bin-time",),
        scope="k = 0 to 999",
        code=("mechanisms.finite_computers.approx_sampling.approx_bin_sample",),
    ),
    Row(
        id="BV/Proposition6.19",
        statement=(
            "For every n, F, m >= n + 1 and s >= m, Algorithm 6.20 is within m (n^2 + 2n)/s of the n + 1 greatest of m "
            "independent counts with distribution function F/d"
        ),
        status="verified",
        methods=("approx-ord-distance",),
        scope=ORDERS + TIMES,
        code=("mechanisms.finite_computers.approx_sampling.approx_ordsample",),
    ),
    Row(
        id="BV/Algorithm6.20",
        statement="The program has the law of its levels' rounded binomial laws, one after the other",
        status="verified",
        methods=("approx-ord-law",),
        scope=ORDERS + "; it draws n times whatever comes, also where the cap is 0, as it does not as printed",
        code=("mechanisms.finite_computers.approx_sampling.approx_ordsample",),
    ),
    Row(
        id="BV/Section6.3/Formula5",
        statement="One level contributes at most m (n + 2)/s, whatever the levels above have given",
        status="verified",
        methods=("approx-ord-distance",),
        scope=ORDERS,
        code=("mechanisms.finite_computers.approx_sampling.approx_ordsample_law",),
    ),
    Row(
        id="BV/Section6.3/Formula6",
        statement="The distance is at most the sum over the levels of the greatest distance of one",
        status="verified",
        methods=("approx-ord-distance",),
        scope=ORDERS,
        code=("mechanisms.finite_computers.approx_sampling.approx_ordsample_law",),
    ),
    Row(
        id="BV/Algorithm6.21",
        statement="Sparse-histogram has the law of KH' with the order statistics of Algorithm 6.20",
        status="verified",
        methods=("sparse-law",),
        scope="all lists for n = 1, universe 3, two for n = 2, universe 5; the program draws the same for every list",
        code=("mechanisms.finite_computers.sparse_histogram.sparse_histogram",),
    ),
    Row(
        id="BV/Section6.3/Claim4",
        statement=(
            "Keeping the counts above the (n+1)-st greatest maps KH* to KH', KH' to itself, and SparseHistogram* "
            "likewise"
        ),
        status="verified",
        methods=("sparse-heaviest",),
        scope="one list each for n = 1, universe 3 and 4, and n = 2, universe 5",
        code=(
            "mechanisms.finite_computers.keep_heavy.above",
            "mechanisms.finite_computers.keep_heavy.runner_up",
        ),
    ),
    Row(
        id="BV/Section6.3/Formula7",
        statement=(
            "KH', which releases the heaviest bins alone, is within delta of SparseHistogram*, which releases "
            "all candidates"
        ),
        status="refuted",
        methods=("sparse-whole-distance-printed",),
        scope="n = 1, universe 3, geosample at epsilon = 1/2; KH' is printed where KH* is meant",
        witness="n = 1, universe 3, D = [0], delta = 1/2: total variation 85/162",
        code=("mechanisms.finite_computers.sparse_histogram.sparse_histogram",),
    ),
    Row(
        id="BV/Section6.3/Formula7/corrected",
        corrects="BV/Section6.3/Formula7",
        statement="KH* is within (n^2 + 2n) universe/s = delta of SparseHistogram*",
        status="verified",
        methods=("sparse-whole-distance",),
        scope="one list each for n = 1, universe 3 and 4, and n = 2, universe 5; delta = 1, 1/10, 1/1000",
        code=("mechanisms.finite_computers.sparse_histogram.precision",),
    ),
    Row(
        id="BV/LemmaA.1",
        statement="For every A and r, Algorithm A.3 gives a uniform sequence of r distinct labels outside A",
        status="verified",
        methods=("distinct-labels",),
        scope="universe 1 to 4, every A but the whole, every r" + TIMES,
        code=(
            "mechanisms.finite_computers.distinct.distinct_sample",
            "mechanisms.finite_computers.distinct.distinct_elsewhere",
        ),
    ),
    Row(
        id="BV/AlgorithmA.3",
        statement="The same, with S read as the sequence in which its labels are found: as a set it would not be one",
        status="verified",
        methods=("distinct-labels",),
        scope="universe 1 to 4, every A but the whole, every r",
        code=("mechanisms.finite_computers.distinct.distinct_sample",),
    ),
    Row(
        id="BV/AppendixA/Claim1",
        statement="For every x, x less the number of labels of A up to x is the number of labels outside A up to x",
        status="verified",
        methods=("distinct-ranks",),
        scope="universe 1 to 7, every A but the whole",
        code=("mechanisms.finite_computers.distinct.distinct_sample",),
    ),
    Row(
        id="BV/AppendixA/Claim2",
        statement="Step 3 c finds a label outside A, and another one for each number",
        status="verified",
        methods=("distinct-ranks",),
        scope="universe 1 to 7, every A but the whole",
        code=("mechanisms.finite_computers.distinct.distinct_sample",),
    ),
)
