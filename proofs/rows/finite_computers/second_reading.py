"""Rows on what a second reading of the paper found beside the first."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SECOND_READING"]

CUT = "1/epsilon = 1 to 19, 33, 100, gamma = 1/2, 1/50, n = 1, 10, a = 0 to 5; before clamping"
FOUR = "n = 1 to 4, k = 1 to 3, every count, z = -2 to n + 2"
PLANTED = "n = 1 to 6, a < n/2 a multiple of 1/4"
PRECISIONS = "n = 1, 2, 5, 40, |X| = 3 to 10^6, at least 2n + 1, 1/delta = 1 to 1000"

SECOND_READING: tuple[Row, ...] = (
    Row(
        id="BV/Section1/Remark1",
        statement=(
            "For every prior of the count and every loss that grows with the distance from it, no mechanism that is "
            "private for counts differing by one has less expected loss than the clamped geometric one of the same "
            "epsilon with a best answer to each outcome"
        ),
        status="verified",
        methods=("geometric-optimal",),
        scope=(
            "n = 1, 2, 3, e^epsilon = 3/2 and 3, two or three priors each, absolute, squared and 0-1 loss: the least "
            "loss of all private mechanisms by linear programs in fractions, with their dual vectors"
        ),
        code=("mechanisms.finite_computers.geometric.geometric_law",),
    ),
    Row(
        id="BV/Section2.2/Formula1",
        statement=(
            "For every list of n labels, the counts of all labels sum to n, so that at most n are positive; with at "
            "least n labels, n can be"
        ),
        status="verified",
        methods=("counts-of-lists",),
        scope="all lists, (n, |X|) = (1, 2), (2, 2), (3, 3), (3, 4), (4, 2)",
    ),
    Row(
        id="BV/Section3/Formula1",
        statement=(
            "Where M(D) and M(D') are epsilon-close, M' is within delta of both, and (3.1) holds, each line of the two "
            "displays on one outcome's mass in the mixture is at most the next"
        ),
        status="verified",
        methods=("mixing-steps",),
        scope="masses in sixths, moved by 0 or delta either way, delta at its greatest; e^epsilon = 3/2, 4, two gammas",
    ),
    Row(
        id="BV/Section4/Claim1",
        statement="As the text has it, F_M of Definition 4.3 has values from 1 to d for every deterministic M",
        status="refuted",
        methods=("cumulative-at-zero-positive",),
        scope="every M(0, u), n = 1 to 3, d = 1 to 3",
        witness="n = 1, M(0, u) = (1,) for u = 1 to 1: F_M = [0, 1]",
    ),
    Row(
        id="BV/Section4/Claim1/corrected",
        statement=(
            "F_M has values from 0 to d, does not decrease and ends at d; it is at least 1 everywhere, as Algorithm "
            "6.7 needs where it divides by F(v), exactly where M gives 0 at the count 0 for some u"
        ),
        status="verified",
        methods=("cumulative-at-zero",),
        scope="every M(0, u), n = 1 to 3, d = 1 to 3",
        corrects="BV/Section4/Claim1",
    ),
    Row(
        id="BV/Section4.1/Remark1",
        statement=(
            "Clamped to a fixed range, geometric noise may still have irrational probabilities, which no uniform "
            "integer gives: where e^(epsilon/2) is the root of m, no square, 0 stays 0 with probability r/(r + 1), "
            "r^2 = m"
        ),
        status="verified",
        methods=("irrational-mass",),
        scope="m = 2 to 199, by the discriminant of the probability's equation",
    ),
    Row(
        id="BV/Section4.1/Formula9",
        statement="As the text has it, the four cases are the distribution function of Z ~ c + Geo(2/e~), at every z",
        status="refuted",
        methods=("four-cases-unclamped",),
        scope=FOUR,
        witness="n = 1, k = 1, c = 0, z = -1",
    ),
    Row(
        id="BV/Section4.1/Formula9/corrected",
        statement="They are the distribution function of Z clamped to [0, n], as Lemma 4.9 says",
        status="verified",
        methods=("four-cases-clamped",),
        scope=FOUR + ", against sums of GeoSample's law",
        corrects="BV/Section4.1/Formula9",
        code=("mechanisms.finite_computers.geosample.geosample_law",),
    ),
    Row(
        id="BV/Section4.2/Remark1",
        statement="As the text has it, step 1 of Algorithm 4.11 defines t for every 1/gamma a positive integer",
        status="refuted",
        methods=("cut-off-printed",),
        scope="1/gamma = 1 to 29, n = 1, 2, 10, 1/epsilon = 1, 2, 9",
        witness="gamma = 1/1, n = 1, epsilon = 1/1: the logarithm of 0",
    ),
    Row(
        id="BV/Section4.2/Remark1/corrected",
        statement="For gamma < 1 it does: the logarithm is that of a number that is at least 8 (n + 1)",
        status="verified",
        methods=("cut-off-defined",),
        scope="1/gamma = 2 to 29, n = 1, 2, 10, 1/epsilon = 1, 2, 9",
        corrects="BV/Section4.2/Remark1",
        code=("mechanisms.finite_computers.fastsample.fastsample",),
    ),
    Row(
        id="BV/Section4.2/Claim3",
        statement=(
            "As the text has it, with Z ~ c + Geo(2/epsilon): cut noise is within a of c at least as often as Z is, "
            "for every a"
        ),
        status="refuted",
        methods=("cut-noise-printed-scale",),
        scope=CUT,
        witness="epsilon = 1, gamma = 1/2, n = 1, a = 0",
    ),
    Row(
        id="BV/Section4.2/Claim3/corrected",
        statement="With Z ~ c + Geo(2/e~), from which it is cut, it is",
        status="verified",
        methods=("cut-noise-own-scale",),
        scope=CUT,
        corrects="BV/Section4.2/Claim3",
        code=("mechanisms.finite_computers.fastsample.cutoff",),
    ),
    Row(
        id="BV/Section6.3/Remark1",
        statement="For every i >= 1, Algorithm 6.16 calls itself floor(log2 i) times",
        status="verified",
        methods=("recursive-calls",),
        scope="i = 1 to 4,999; what a call costs is not measured here",
        code=("mechanisms.finite_computers.approx_sampling.approx_conv_exp",),
    ),
    Row(
        id="BV/Section6.3/Remark2",
        statement="For the delta of Algorithm 6.9, s is above 2^n: above (3 |X|)^n",
        status="verified",
        methods=("precision-above",),
        scope=f"epsilon = 1, beta_1 = delta/(1 + delta); {PRECISIONS}; a smaller epsilon makes s greater",
        code=(
            "mechanisms.finite_computers.sparse_histogram.precision",
            "mechanisms.finite_computers.pure_sparse_histogram.pure_distance",
        ),
    ),
    Row(
        id="BV/Section6.3/Formula8",
        statement=(
            "As the text has it, with D on both sides of the last line: Pr[KH'(D') in S] is at most "
            "Pr[SparseHistogram(D) in S] + delta for neighbours D and D'"
        ),
        status="refuted",
        methods=("sparse-privacy-step-printed",),
        scope="all pairs of lists, n = 1, |X| = 3 and 4, GeoSample at k = 2, delta = 1/100, S of one release",
        witness="n = 1, |X| = 3, D = [0], D' = [1], S = {((1, 1),)}",
    ),
    Row(
        id="BV/Section6.3/Formula8/corrected",
        statement="Pr[KH'(D') in S] is at most Pr[SparseHistogram(D') in S] + delta",
        status="verified",
        methods=("sparse-privacy-step",),
        scope="all lists, n = 1, |X| = 3 and 4, GeoSample at k = 2, delta = 1/100, S of one release",
        corrects="BV/Section6.3/Formula8",
        code=("mechanisms.finite_computers.sparse_histogram.sparse_histogram_law",),
    ),
    Row(
        id="BV/Section6.3/Formula9",
        statement="s is between n^2 |X|/delta and (n + 1)^2 |X|/delta, so that its bits are their logarithm, up to one",
        status="verified",
        methods=("precision-bits",),
        scope=PRECISIONS,
        code=("mechanisms.finite_computers.sparse_histogram.precision",),
    ),
    Row(
        id="BV/Section7/Claim1",
        statement=(
            "For a < n/2, no histogram is within a of two of the data sets that have floor(2a) + 1 rows of one label "
            "each and x_0 elsewhere"
        ),
        status="verified",
        methods=("accurate-sets-disjoint",),
        scope="(n, |X|) = (1, 2), (2, 3), (3, 3), (5, 3), (6, 4), a a multiple of 1/4, every two labels",
    ),
    Row(
        id="BV/Section7/Claim2",
        statement="As the text has it, a label that is on floor(2a) rows occurs at least 2a times",
        status="refuted",
        methods=("planted-rows-floor",),
        scope=PLANTED,
        witness="n = 1, a = 1/4: count 0 < 1/2",
    ),
    Row(
        id="BV/Section7/Claim2/corrected",
        statement="On ceil(2a) rows it does, and ceil(2a) is at most n and at most 2a + 1, as the proof needs",
        status="verified",
        methods=("planted-rows-ceiling",),
        scope=PLANTED,
        corrects="BV/Section7/Claim2",
    ),
    Row(
        id="BV/Section8.2/Remark1",
        statement=(
            "M at 0 cannot serve as the empty-bin sampler as it is: the d of GeoSample and of FastSample is never a "
            "power of 2, as d_0 must be"
        ),
        status="verified",
        methods=("sampler-domains-differ",),
        scope="n = 1, 2, 5, 31, 1/epsilon = 1 to 20, 1/gamma = 2, 7, 64; always, by the odd factor 2^(k+1) + 1",
    ),
)
