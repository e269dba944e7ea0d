"""Rows on Bharadwaj and Cormode, Sample-and-threshold Differential Privacy."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLE_AND_THRESHOLD"]

PROGRAM = "mechanisms.sample_and_threshold.sample_threshold.sample_threshold"
HISTOGRAM = "mechanisms.sample_and_threshold.threshold_histogram.threshold_histogram"
SMALL = "p = 1/20, 1/10, 1/4, 1/2; tau = 1 to 4; k up to 8, from the program"
GRID = "p = 1/20, 1/10, 1/4, 1/2; e^epsilon = 1, 3/2, 2, 4 times 1/(1-p); tau = 1 to 4; k up to 40"

SAMPLE_AND_THRESHOLD: tuple[Row, ...] = (
    Row(
        id="ST/Abstract/Claim1",
        statement="For every input and all coins, a released count is at most the true count",
        status="verified",
        methods=("sample-threshold-support", "sample-threshold-bins"),
        scope="p = 1/3; one bin with tau = 1 to 4, k up to 8; three bins with tau = 1, 2, counts up to 2",
        code=(PROGRAM, HISTOGRAM),
    ),
    Row(
        id="ST/Section2/Claim1",
        statement="For every input and all coins, a released bin holds at least tau people",
        status="verified",
        methods=("sample-threshold-support", "sample-threshold-bins"),
        scope="p = 1/3; one bin with tau = 1 to 4, k up to 8; three bins with tau = 1, 2, counts up to 2",
        code=(PROGRAM, HISTOGRAM),
    ),
    Row(
        id="ST/Section3.1/Algorithm1",
        statement="Sampling people one by one and showing counts of at least tau has the law of a thresholded binomial",
        status="verified",
        methods=("sample-threshold-law",),
        scope=SMALL,
        code=(PROGRAM, "mechanisms.sample_and_threshold.sample_threshold.sample_threshold_law"),
    ),
    Row(
        id="ST/Section3.1/Claim1",
        statement="For p = m/n the sample of n people has m of them in the mean",
        status="verified",
        methods=("sample-threshold-mean",),
        scope="p = 1/20, 1/10, 1/4, 1/2; n up to 19",
    ),
    Row(
        id="ST/Section3.1/Claim2",
        statement="For every input and all coins, no bin is released that the input lacks",
        status="verified",
        methods=("sample-threshold-bins",),
        scope="p = 1/3; three bins with tau = 1, 2, counts up to 2",
        code=(HISTOGRAM,),
    ),
    Row(
        id="ST/Section3.1/Claim3",
        statement=(
            "The law of what is released of a bin depends on that bin's count alone, whatever the number of bins: "
            "so do "
            "all errors"
        ),
        status="verified",
        methods=("sample-threshold-bins",),
        scope="p = 1/3; three bins with tau = 1, 2, counts up to 2: the law is the product of the bins' laws",
        code=("mechanisms.sample_and_threshold.threshold_histogram.threshold_histogram_law",),
    ),
    Row(
        id="ST/Lemma1",
        statement=(
            "For every rate p and counts k > v >= 0, the probabilities that v are sampled of k and of k - 1 copies "
            "have "
            "a ratio of at most (1 - p)^k / (k - v)"
        ),
        status="refuted",
        methods=("sample-threshold-mass-ratio-printed",),
        scope="p = 1/2, 1/4; k up to 5; the fraction as the text has it, which its own proof contradicts",
        witness="p = 1/2, k = 2, v = 0: the ratio is 1/2, printed 1/8",
    ),
    Row(
        id="ST/Lemma1/corrected",
        corrects="ST/Lemma1",
        statement=(
            "For every rate p and counts k > v >= 0, the probabilities that v are sampled of k and of k - 1 copies "
            "have "
            "the ratio (1 - p) k / (k - v)"
        ),
        status="proved",
        methods=(
            "binomial-ratio-proved",
            "sample-threshold-mass-ratio-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4, 1/2; all v < k up to 40",
    ),
    Row(
        id="ST/Theorem2",
        statement=(
            "For every rate p, threshold tau and epsilon with e^-epsilon <= 1 - p, the histogram of sampled counts "
            "of at "
            "least tau is (epsilon, delta)-DP for inputs that differ in the value of one person, for "
            "delta = exp(-(tau/q) D(q||p)), q = 1 - e^-epsilon (1 - p)"
        ),
        status="refuted",
        methods=("sample-threshold-moved",),
        scope="one pair of histograms, of the smallest threshold known to fail; at p = 1/2, e^epsilon = 2 that is 479; "
        "at every rate and epsilon of the box in docs/all-counts.md the bound holds for tau up to 10",
        witness="p = 1/3, e^epsilon = 3/2, tau = 445, bins (849, 1548) and (848, 1549): 1.003 times delta",
        code=(HISTOGRAM, "mechanisms.sample_and_threshold.sample_threshold.kl_delta"),
    ),
    Row(
        id="ST/Theorem2/corrected",
        corrects="ST/Theorem2",
        statement=(
            "For every rate p, threshold tau and epsilon with e^-epsilon <= 1 - p, reporting a sampled count if it is "
            "at least tau is (epsilon, delta)-DP for counts that differ by one, and so is the histogram for one person "
            "more or less, for delta = exp(-(tau/q) D(q||p)), q = 1 - e^-epsilon (1 - p)"
        ),
        status="proved",
        methods=(
            "divergence-bound-proved",
            "sample-threshold-theorem2",
        ),
        scope="all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4; tau = 1 to 8; e^epsilon = 1/(1-p), "
        "2/(1-p), 4/(1-p); counts to 40; delta rounded up to six digits",
        code=(PROGRAM, "mechanisms.sample_and_threshold.sample_threshold.kl_delta"),
    ),
    Row(
        id="ST/Equation2",
        statement=(
            "For every k, the ratio (1 - p) k / (k - v) is at least e^-epsilon for all v >= 0 iff p <= 1 - e^-epsilon; "
            "v = 0 is the worst"
        ),
        status="proved",
        methods=(
            "sampled-count-reduction",
            "sample-threshold-cut-off",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4, 1/2; e^epsilon = 1, 3/2, 2, 4 times "
            "1/(1-p), and halfway to 1; k up to 11"
        ),
    ),
    Row(
        id="ST/Equation3",
        statement="For all k > v, the ratio (1 - p) k / (k - v) is at most e^epsilon iff v <= k q",
        status="proved",
        methods=(
            "sampled-count-reduction",
            "sample-threshold-cut-off",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4, 1/2; e^epsilon = 1, 3/2, 2, 4 times "
            "1/(1-p); k up to 11"
        ),
    ),
    Row(
        id="ST/Section3.1/Claim4",
        statement="For 0 < p < 1 and e^epsilon > 1, q = 1 - e^-epsilon (1 - p) exceeds p",
        status="proved",
        methods=(
            "cut-off-proved",
            "sample-threshold-cut-off",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4, 1/2; e^epsilon = 1, 3/2, 2, 4 times 1/(1-p)"
        ),
    ),
    Row(
        id="ST/Equation4",
        statement="For 0 < p < 1 and e^epsilon > 1, q = 1 - e^-epsilon + e^-epsilon p lies strictly between 0 and 1",
        status="proved",
        methods=(
            "cut-off-proved",
            "sample-threshold-cut-off",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4, 1/2; e^epsilon = 1, 3/2, 2, 4 times 1/(1-p)"
        ),
    ),
    Row(
        id="ST/Section3.1/Claim5",
        statement=(
            "For every p, tau and epsilon, the greatest Pr[B(k, p) > max(k q, tau)] over k bounds the delta that every "
            "count k needs at epsilon"
        ),
        status="refuted",
        methods=("sample-threshold-bad-event-printed",),
        scope=GRID + "; a count of tau itself is reported, which the event leaves out",
        witness="p = 1/20, tau = 1, e^epsilon = 30/19, k = 1: 1/20 is needed, no tail exceeds 9037/400000",
    ),
    Row(
        id="ST/Section3.1/Claim5/corrected",
        corrects="ST/Section3.1/Claim5",
        statement=(
            "For every p, tau and epsilon, the greatest Pr[B(k, p) > k q and B(k, p) >= tau] over k bounds the delta "
            "that every count k needs at epsilon"
        ),
        status="verified",
        methods=("sample-threshold-bad-event-corrected",),
        scope=GRID,
    ),
    Row(
        id="ST/Section3.1/Claim6",
        statement="For every p and tau, Pr[B(k, p) > tau] does not fall as k grows",
        status="verified",
        methods=("sample-threshold-tails",),
        scope="p = 1/20, 1/10, 1/4, 1/2; tau = 1 to 4; k up to 41",
    ),
    Row(
        id="ST/Equation5",
        statement=(
            "For every k and q > p, the chance of at least k q successes among B(k, p), which is that of at most k "
            "- k q "
            "among B(k, 1 - p), is at most exp(-k D(q||p))"
        ),
        status="proved",
        methods=(
            "divergence-bound-proved",
            "sample-threshold-chernoff",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: p = 1/20, 1/10, 1/4, 1/2; k up to 20; all q with k q an "
            "integer, where the bound is rational"
        ),
    ),
    Row(
        id="ST/Section3.1/Claim7",
        statement="For q > p, exp(-k D(q||p)) falls as k grows: its base is below 1",
        status="verified",
        methods=("sample-threshold-chernoff",),
        scope="p = 1/20, 1/10, 1/4, 1/2; all q = a/k with k up to 20",
    ),
    Row(
        id="ST/Section3.1/Claim8",
        statement=(
            "For every p, tau and epsilon, the binomial tail beyond tau at k = tau/q, rounded down, bounds the "
            "delta that "
            "every count needs"
        ),
        status="refuted",
        methods=("sample-threshold-edge-printed",),
        scope=GRID + "; the tail is read as in the proof, more than tau",
        witness="p = 1/20, tau = 1, e^epsilon = 30/19: k = 1 needs 1/20, the tail at 2 is 1/400",
    ),
    Row(
        id="ST/Section3.1/Claim8/corrected",
        corrects="ST/Section3.1/Claim8",
        statement=(
            "For every p, tau and epsilon, the binomial tail from tau on at k = tau/q, rounded down, bounds the delta "
            "that every count needs"
        ),
        status="verified",
        methods=("sample-threshold-edge-corrected",),
        scope=GRID,
    ),
    Row(
        id="ST/Section3.1/Formula4",
        statement="For p = alpha (1 - e^-epsilon), e^epsilon = alpha/(alpha - p)",
        status="verified",
        methods=("sample-threshold-solved",),
        scope="alpha = 1/10, 1/6, 1/5, 1/2, 1; e^epsilon = 11/10, 3/2, 2, 27/10, 10",
    ),
    Row(
        id="ST/Section3.1/Example2",
        statement=(
            "For epsilon = 1 and alpha = 1/6 the rate is 0.105 and C is 0.935, to the digits printed, and tau = 20 "
            "makes "
            "exp(-C tau) < 1e-8"
        ),
        status="verified",
        methods=("sample-threshold-sixth",),
        scope="the printed numbers, by bounds of e to 64 bits",
    ),
    Row(
        id="ST/Section3.2/Example1",
        statement=(
            "For n - 1 equal people and a unique one, a sample of exactly m shows m - 1 people with probability "
            "m/n; for "
            "n equal people it never does: delta is at least m/n, whatever epsilon is"
        ),
        status="verified",
        methods=("sample-threshold-fixed-size",),
        scope="(n, m, tau) = (4, 3, 2), (5, 3, 2), (5, 4, 2), (5, 4, 3), from the program; needs 2 <= tau <= m - 1",
        code=("mechanisms.broken.threshold_histogram.fixed_size",),
    ),
    Row(
        id="ST/Section3.2/Formula1",
        statement="For every n, m and c > 0, Pr[B(n, m/n) > m + c sqrt(m)] <= exp(-c^2/3)",
        status="refuted",
        methods=("sample-threshold-excess-printed",),
        scope="n up to 25, m = 1, 4, 9, 16, c = 1 to 12",
        witness="n = 11, m = 1, c = 9: the tail is 1/285311670611",
    ),
    Row(
        id="ST/Section3.2/Formula1/corrected",
        corrects="ST/Section3.2/Formula1",
        statement="For every n, m and 0 < c <= sqrt(m), Pr[B(n, m/n) > m + c sqrt(m)] <= exp(-c^2/3)",
        status="verified",
        methods=("sample-threshold-excess-corrected",),
        scope="n up to 25, m = 1, 4, 9, 16, integers c",
    ),
    Row(
        id="ST/Section3.3/Claim1",
        statement=(
            "The mean of what is released of a count k is k p less the sum of v Pr[B(k, p) = v] over v < tau: the "
            "bias is "
            "what the threshold suppresses"
        ),
        status="verified",
        methods=("sample-threshold-mean",),
        scope="p = 1/20, 1/10, 1/4, 1/2; tau = 1 to 4; k up to 19",
    ),
    Row(
        id="ST/Lemma5",
        statement=(
            "For every count W, rate p and threshold tau, the item is omitted with probability at most "
            "exp(-(W p - tau)^2 / (2 W p))"
        ),
        status="refuted",
        methods=("sample-threshold-omitted-printed",),
        scope="W up to 60, p = 1/2, 1/4, 1/10, tau = 1 to 5",
        witness="W = 1, p = 1/4, tau = 1: omitted with probability 3/4",
    ),
    Row(
        id="ST/Lemma5/corrected",
        corrects="ST/Lemma5",
        statement=(
            "For every count W, rate p and threshold tau with W p >= tau, the item is omitted with probability at most "
            "exp(-(W p - tau)^2 / (2 W p))"
        ),
        status="verified",
        methods=("sample-threshold-omitted-corrected",),
        scope="W up to 60, p = 1/2, 1/4, 1/10, tau = 1 to 5",
    ),
    Row(
        id="ST/AppendixA/Formula10",
        statement="For W p = w >= tau, Pr[B(W, p) <= tau] <= exp(-(w - tau)^2 / (2 w)), where print has an equality",
        status="verified",
        methods=("sample-threshold-omitted-corrected",),
        scope="W up to 60, p = 1/2, 1/4, 1/10, tau = 1 to 5",
    ),
    Row(
        id="ST/Section3.3/Example1",
        statement="For w = 100 and tau = 20 the bound of Lemma 5 is exp(-32), below 1e-13",
        status="verified",
        methods=("sample-threshold-omitted-example",),
        scope="the printed numbers; 1,000 people at rate 1/10 are missed with a probability below the bound, exactly",
    ),
    Row(
        id="ST/Lemma6",
        statement=(
            "There is a constant, 100 or less, such that for all gamma < 1 the relative error of a count of mean mu "
            "exceeds gamma with probability at most that constant times exp(-gamma^2 mu)"
        ),
        status="refuted",
        methods=("sample-threshold-relative-error-printed",),
        scope="p = 1/10, gamma = 1/2, up to 1,000 people in steps of 40; the constant in the printed O is read as 100",
        witness="p = 1/10, gamma = 1/2, 560 people: the probability is more than 100 exp(-gamma^2 mu)",
    ),
    Row(
        id="ST/Lemma6/corrected",
        corrects="ST/Lemma6",
        statement="For all gamma < 1, the relative error exceeds gamma with probability at most 2 exp(-gamma^2 mu / 3)",
        status="verified",
        methods=("sample-threshold-relative-error-corrected",),
        scope="p = 1/20, 1/10, 1/4, 1/2; gamma = 1/4, 1/2, 3/4; up to 40 people",
    ),
    Row(
        id="ST/Section3.3/Formula1",
        statement="For all gamma < 1, Pr[|X - mu| > gamma mu] <= 2 exp(-gamma^2 mu / 3), where print has an equality",
        status="verified",
        methods=("sample-threshold-relative-error-corrected",),
        scope="p = 1/20, 1/10, 1/4, 1/2; gamma = 1/4, 1/2, 3/4; up to 40 people",
    ),
    Row(
        id="ST/Section3.3/Formula2",
        statement="2 exp(-gamma^2 mu / 3) = beta is solved by mu = (3/gamma^2) ln(1/(2 beta))",
        status="refuted",
        methods=("sample-threshold-mean-solved-printed",),
        scope="beta = 1/2, 1/10, 1e-9",
        witness="beta = 1/2: 2 exp(-gamma^2 mu/3) is 2",
    ),
    Row(
        id="ST/Section3.3/Formula2/corrected",
        corrects="ST/Section3.3/Formula2",
        statement="2 exp(-gamma^2 mu / 3) = beta is solved by mu = (3/gamma^2) ln(2/beta)",
        status="verified",
        methods=("sample-threshold-mean-solved-corrected",),
        scope="beta = 1/2, 1/10, 1e-9",
    ),
    Row(
        id="ST/Section3.3/Example2",
        statement=(
            "For p = 0.1, a logarithm of 10 and gamma = 1/sqrt(10), the least frequency is 3,000/n: 1 % for n = 300,000"
        ),
        status="verified",
        methods=("sample-threshold-section-4",),
        scope="the printed numbers",
    ),
    Row(
        id="ST/Section4.2/Example1",
        statement="1/3 lies in [1/4, 1/2] and in [5/16, 6/16]",
        status="verified",
        methods=("sample-threshold-section-4",),
        scope="the printed numbers",
    ),
    Row(
        id="ST/Section4.2/Example2",
        statement="[0, 0.7] begins with two cells of length 1/4 and three of length 1/16",
        status="verified",
        methods=("sample-threshold-section-4",),
        scope="the printed numbers",
    ),
    Row(
        id="ST/Section4.2/Claim1",
        statement="The most cells that a prefix range of L digits in base beta needs are L (beta - 1)",
        status="verified",
        methods=("sample-threshold-section-4",),
        scope="all ranges for (beta, L) = (2, 6), (3, 4), (4, 3)",
    ),
    Row(
        id="ST/Section4.2/Example3",
        statement="For tau = 10, L = 10, beta = 2 and epsilon = 1 the error (beta - 1)(L tau)^2/(epsilon n) is 10^4/n",
        status="verified",
        methods=("sample-threshold-section-4",),
        scope="the printed numbers; 0.01 at n = 10^6",
    ),
    Row(
        id="ST/Section5/Example1",
        statement="For alpha = 1/6, tau = 20 is the least threshold with exp(-C tau) <= 1e-8",
        status="verified",
        methods=("sample-threshold-sixth",),
        scope="tau = 19 and 20, by bounds of e to 64 bits",
    ),
    Row(
        id="ST/AppendixA/Formula1",
        statement="v of k copies are sampled with probability C(k, v) p^v (1 - p)^(k - v)",
        status="verified",
        methods=("sample-threshold-law",),
        scope=SMALL,
    ),
    Row(
        id="ST/AppendixA/Formula2",
        statement="The quotient of the masses of v under k and under k - 1 copies is (1 - p) k / (k - v)",
        status="verified",
        methods=("sample-threshold-mass-ratio-corrected",),
        scope="p = 1/20, 1/10, 1/4, 1/2; all v < k up to 40",
    ),
    Row(
        id="ST/AppendixA/Formula3",
        statement="1 - q = (1 - p) e^-epsilon",
        status="verified",
        methods=("sample-threshold-cut-off",),
        scope="p = 1/20, 1/10, 1/4, 1/2; e^epsilon = 1, 3/2, 2, 4 times 1/(1-p)",
    ),
    Row(
        id="ST/AppendixA/Formula5",
        statement="For p = alpha (1 - e^-epsilon), q/p = (1 + alpha e^-epsilon)/alpha and (1 - p)/(1 - q) = e^epsilon",
        status="verified",
        methods=("sample-threshold-solved",),
        scope="alpha = 1/10, 1/6, 1/5, 1/2, 1; e^epsilon = 11/10, 3/2, 2, 27/10, 10: the divergence is in their "
        "logarithms",
    ),
    Row(
        id="ST/Equation7",
        statement=(
            "For p = alpha (1 - e^-epsilon), (1 - q)/q = (1 - alpha + alpha e^-epsilon) / ((e^epsilon - 1)"
            "(1 + alpha e^-epsilon))"
        ),
        status="verified",
        methods=("sample-threshold-solved",),
        scope="alpha = 1/10, 1/6, 1/5, 1/2, 1; e^epsilon = 11/10, 3/2, 2, 27/10, 10",
    ),
)
