"""Rows on Section 4, formula by formula: geometric noise, its accuracy, and the cut-off of FastSample."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["NOISE"]

RATIOS = "e^(1/s) = 33/32, 5/4, 3/2, 2, 7"
CUT = "1/epsilon = 1 to 19, 33, 65, 100, gamma = 1/2, 1/10, 1/1000, n = 1, 2, 10"

NOISE: tuple[Row, ...] = (
    Row(
        id="BV/Lemma4.4",
        statement=(
            "Lists that differ in one label have counts that differ by at most one, in at most two labels, so that "
            "what holds of the sampler for counting queries holds of every label's noisy count"
        ),
        status="verified",
        methods=("carried-to-bins",),
        scope="all lists of 3 labels of 3, fastsample at epsilon = 1/2, gamma = 1/5",
        code=("mechanisms.finite_computers.basic_histogram.basic_histogram",),
    ),
    Row(
        id="BV/Section4.1/Formula1",
        statement="The masses (r - 1)/(r + 1) r^-|z - c|, r = e^(1/s), sum to 1 over the integers",
        status="verified",
        methods=("geometric-sums",),
        scope=RATIOS + ", tails by their series",
    ),
    Row(
        id="BV/Section4.1/Formula2",
        statement="The two branches of F_Z are the sums of these masses up to z",
        status="verified",
        methods=("geometric-sums",),
        scope=RATIOS + ", |z - c| <= 12",
        code=("mechanisms.finite_computers.geometric.geometric_law",),
    ),
    Row(
        id="BV/Section4.1/Formula3",
        statement="For every u in (0, 1), the two branches give min{z : F_Z(z) >= u}",
        status="verified",
        methods=("geometric-quantiles",),
        scope=RATIOS + ", u in 40ths and at the jumps of F within 6 of c; logarithms by exact comparison of powers",
    ),
    Row(
        id="BV/Section4.1/Formula4",
        statement="For every u in (0, 1), the one expression gives min{z : F_Z(z) >= u} as well",
        status="verified",
        methods=("geometric-quantiles",),
        scope=RATIOS + ", u in 40ths and at the jumps of F within 6 of c",
    ),
    Row(
        id="BV/Algorithm4.5",
        statement=(
            "For every count in [0, n] and rational e^(epsilon/2), the program has the law of the count plus "
            "Geo(2/epsilon), clamped to [0, n]"
        ),
        status="verified",
        methods=("geometric-program",),
        scope="n = 1, 2, 5, " + RATIOS.replace("1/s", "epsilon/2") + ", every count",
        code=("mechanisms.finite_computers.geometric.geometric",),
    ),
    Row(
        id="BV/Theorem4.6",
        statement=(
            "For every n, epsilon and beta in (0, 1], the clamped geometric count is (epsilon/2, 0)-DP for counts that "
            "differ by one, and for no smaller epsilon, and is off by more than ceil((2/epsilon) ln(1/beta)) with "
            "probability at most beta"
        ),
        status="verified",
        methods=("geometric-program", "geometric-accuracy"),
        scope=(
            "i: n = 1, 2, 5, five ratios; ii: n = 1, 2, 5, 20, 60, e^(epsilon/2) = 33/32, 6/5, 3/2, 2, 10, beta = 1, "
            "1/2, 1/3, 1/10, 1/100, 1/10000; every count"
        ),
        code=("mechanisms.finite_computers.geometric.geometric", "mechanisms.finite_computers.accuracy.counting"),
    ),
    Row(
        id="BV/Section4.1/Formula5",
        statement="Pr[|Z| <= a] = 1 - 2 e^(-a/s)/(e^(1/s) + 1) for integers a >= 0",
        status="verified",
        methods=("central-mass",),
        scope="e^(1/s) = 33/32, 3/2, 7, a = 0 to 39",
    ),
    Row(
        id="BV/Section4.1/Formula6",
        statement=(
            "For every 1/epsilon a positive integer, e~ = 2 ln(1 + 2^-k) is in (4/9 epsilon, epsilon]; it is above "
            "epsilon/2, so that 4/epsilon would do for 9/(2 epsilon) in Theorems 5.3 and 5.6 and the figures"
        ),
        status="verified",
        methods=(
            "rational-epsilon-proved",
            "rounded-epsilon",
        ),
        scope="the range proved for all epsilon, by z3 and cvc5; exactly: 1/epsilon = 1 to 1024, compared exactly",
        code=("mechanisms.finite_computers.geosample.noise_exponent",),
    ),
    Row(
        id="BV/Section4.1/Formula7",
        statement="F(z) is in [0, d], and d of GeoSample has at most n (k + 1) + 1 bits",
        status="verified",
        methods=("geosample-law", "integer-lengths"),
        scope="F: n = 1 to 6, k = 1 to 4; lengths: n = 1, 2, 7, 50, 1/epsilon = 1 to 19, 33, 65, 100",
        code=("mechanisms.finite_computers.geosample.geosample",),
    ),
    Row(
        id="BV/Section4.1/Claim1",
        statement="For c = 0, F of Algorithm 4.8 is the scaled distribution function of GeoSample at 0",
        status="verified",
        methods=("geosample-law",),
        scope="n = 1 to 6, k = 1 to 4",
        code=("mechanisms.finite_computers.geosample.geosample",),
    ),
    Row(
        id="BV/Section4.1/Formula8",
        statement="The geometric distribution function at e^(e~/2) = 1 + 2^-k is F(z)/d in powers of 2^k and 2^k + 1",
        status="verified",
        methods=("geosample-law",),
        scope="n = 1 to 6, k = 1 to 4, every count and z",
        code=("mechanisms.finite_computers.geosample.geosample_law",),
    ),
    Row(
        id="BV/Section4.2/Formula1",
        statement="Pr[|Z - c| > t] = 2 F_Z(c - t - 1) = 2 r^-t/(r + 1), for r = e^(e~/2)",
        status="verified",
        methods=("cut-off-tail",),
        scope=CUT + " and 1000",
        code=("mechanisms.finite_computers.fastsample.cutoff",),
    ),
    Row(
        id="BV/Section4.2/Formula2",
        statement=(
            "At the t of step 1, Pr[|Z - c| > t] <= 4/3 exp(-(e~/2) (9/(2 e~)) ln(x)) = 4/3 x^(-9/4) for "
            "x = 8 (n + 1)(1 - gamma)/(epsilon gamma), as the proof has it"
        ),
        status="refuted",
        methods=("cut-off-step-printed",),
        scope=CUT,
        witness="epsilon = 1/5, gamma = 1/2, n = 1",
        code=("mechanisms.finite_computers.fastsample.cutoff",),
    ),
    Row(
        id="BV/Section4.2/Formula2/corrected",
        statement=(
            "With 9/(2 epsilon) for 9/(2 e~), the exponent is at most -ln(x), as e~ > 4/9 epsilon: the tail is at most "
            "4/3 x^-1 = (epsilon/6) gamma/(1 - gamma)/(n + 1), which is all that the proof needs"
        ),
        status="verified",
        methods=("cut-off-step-corrected", "cut-off-tail"),
        scope=CUT,
        corrects="BV/Section4.2/Formula2",
        code=("mechanisms.finite_computers.fastsample.cutoff",),
    ),
    Row(
        id="BV/Section4.2/Formula3",
        statement="(e^(epsilon/2) - 1)/(e^(epsilon/2) + 1) >= epsilon/6 for 0 < epsilon <= 1",
        status="proved",
        methods=(
            "response-gap-proved",
            "exponential-step",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: epsilon = 1/m for m < 200 and in 64ths up to 1, compared exactly"
        ),
    ),
    Row(
        id="BV/Section4.2/Claim2",
        statement="For every a, cut noise is within a of c at least as often as the noise itself (of scale 2/e~)",
        status="verified",
        methods=("fastsample-concentrated",),
        scope="n = 2, 9, 1/epsilon = 1, 2, 3, 5, gamma = 1/3, every count and a, after clamping",
        code=("mechanisms.finite_computers.fastsample.fastsample_law",),
    ),
    Row(
        id="BV/Section4.2/Formula4",
        statement="(1 - gamma)(1 - (beta - gamma)) >= 1 - beta for 0 <= gamma <= beta <= 1",
        status="verified",
        methods=("success-product",),
        scope="beta and gamma in 24ths",
    ),
    Row(
        id="BV/Section4.2/Formula5",
        statement="F(z) is in [0, d], and d' of FastSample has at most (t + 1)(k + 1) + 1 bits",
        status="verified",
        methods=("fastsample-law", "integer-lengths"),
        scope="F: as for Algorithm 4.11; lengths: n = 1, 2, 7, 50, 1/epsilon = 1 to 19, 33, 65, 100, three gammas",
        code=("mechanisms.finite_computers.fastsample.fastsample",),
    ),
    Row(
        id="BV/Section4.2/Formula7",
        statement="The four branches of F_Z'' are the distribution function of cut noise, clamped to [0, n]",
        status="verified",
        methods=("cut-noise-sums",),
        scope="n = 1, 4, 6, e^(1/s) = 5/4, 3/2, 2, t = 1, 2, 5, every count and z; Z of scale 2/e~, printed 2/epsilon",
        code=("mechanisms.finite_computers.fastsample.fastsample_law",),
    ),
    Row(
        id="BV/Section4.2/Formula8",
        statement="F(z)/d = gamma (z + 1)/(n + 1) + (1 - gamma) F'(z)/d' for every z in [0, n]",
        status="verified",
        methods=("fastsample-law",),
        scope="n = 1 to 5, 1/epsilon = 1 to 3, gamma = 1/2 and 1/10, every count",
        code=("mechanisms.finite_computers.fastsample.fastsample",),
    ),
)
