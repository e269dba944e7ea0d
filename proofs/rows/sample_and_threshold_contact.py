"""Rows on sample-and-threshold, Sections 3.2, 3.3 and 7: contacting few clients, the size of a sample, its error."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLE_AND_THRESHOLD_CONTACT"]

CONTACTED = "mechanisms.sample_and_threshold.contact.contacted_histogram"
LAW = "mechanisms.sample_and_threshold.contact.contacted_histogram_law"
SMALL = "n = 3 to 7, every mean m < n and number asked between m and n"

SAMPLE_AND_THRESHOLD_CONTACT: tuple[Row, ...] = (
    Row(
        id="ST/Section3.2/Claim1",
        statement=(
            "Where a sample of a known size m is thresholded, m less the sum of what is shown is the number of people "
            "who were sampled and suppressed; without the size what is shown does not tell that number"
        ),
        status="verified",
        methods=("contact-suppressed",),
        scope="n = 3, 4 and 5 people, of whom all but two have one label, tau = 2 and 3, every m and every sample",
    ),
    Row(
        id="ST/Section3.2/Claim2",
        statement=(
            "For all data D, and D with one unique item more: the sizes of their Poisson samples are (epsilon, "
            "delta)-close, by Theorem 2"
        ),
        status="refuted",
        methods=("contact-size-printed",),
        scope="p = 1/20, 1/10, 1/4 and 1/2, tau = 10, e^epsilon = 2/(1 - p); the size before the threshold",
        witness="p = 1/20, tau = 10, e^epsilon = 40/19, n = 0: 1/20 is needed",
    ),
    Row(
        id="ST/Section3.2/Claim2/corrected",
        corrects="ST/Section3.2/Claim2",
        statement=(
            "The sizes of Poisson samples of n and of n + 1 items are (epsilon, delta)-close, delta as in Theorem 2, "
            "from n = tau/q on; for all n the sum of what is shown is, as a post-processing"
        ),
        status="verified",
        methods=("contact-size-corrected",),
        scope=(
            "p = 1/20, 1/10, 1/4 and 1/2, tau = 2, 5 and 10, e^epsilon = 1, 2 and 4 times 1/(1-p), all n from tau/q "
            "on, since that delta does not rise with n; sums: tau = 1, 2 and 3, n up to 4"
        ),
        code=("mechanisms.sample_and_threshold.all_counts.crowd_delta",),
    ),
    Row(
        id="ST/Lemma4",
        statement=(
            "For every n, m, and c up to sqrt(m), there is a realisation that contacts at most m + c sqrt(m) of the n "
            "clients and shows what sample-and-threshold shows, but for a total variation of Pr[B(n, m/n) > m + c "
            "sqrt(m)] <= exp(-c^2/3): the size of the sample is drawn first, and cut off"
        ),
        status="verified",
        methods=("contact-law", "contact-distance", "contact-few"),
        scope=(
            SMALL + ", thresholds 1 and 2, the program for n = 3 and 4; the tail for (n, m) = (50, 4), (50, 9), "
            "(200, 16), (400, 25) and (400, 100), all integers c; the printed realisation is the next rows'"
        ),
        code=(CONTACTED, LAW),
    ),
    Row(
        id="ST/Section3.2/Example2",
        statement=(
            "For c = 10 the bound exp(-c^2/3) is below 4e-15, and the sample is larger than m + 10 sqrt(m) with at "
            "most that probability where m >= 100; for m < 100 with less than 1e-9, which for m = 1 is more than the "
            "bound"
        ),
        status="verified",
        methods=("contact-ten",),
        scope="(n, m) = (300, 100), (1000, 100), (1000, 144), (1000, 400); m = 1, 2, 4, 9 and 25, n up to 1,000",
    ),
    Row(
        id="ST/Section3.2/Algorithm1",
        statement=(
            "For every n > s > m: contacting s of n clients, each of whom takes part with probability m/s, realises "
            "Poisson sampling with rate m/n"
        ),
        status="refuted",
        methods=("contact-abstaining-printed",),
        scope=SMALL,
        witness="n = 3, m = 1, s = 2: nobody is sampled with probability 1/4, by Poisson sampling 8/27",
        code=(LAW,),
    ),
    Row(
        id="ST/Section3.2/Algorithm1/corrected",
        corrects="ST/Section3.2/Algorithm1",
        statement=(
            "Contacting s of n clients, each of whom takes part with probability m/s, samples each client with "
            "probability m/n, and is as far from Poisson sampling as B(s, m/s) is from B(n, m/n), which for m < s < n "
            "differ; for n = 1000, m = 100 and c = 1 by more than 1/2"
        ),
        status="verified",
        methods=("contact-abstaining-corrected",),
        scope="n = 3, 4 and 5, every m < s < n, the sets of people sampled by enumeration; and n = 1000",
        code=(LAW,),
    ),
    Row(
        id="ST/Section3.3/Formula3",
        statement=(
            "Sampling at rate p of n, m = p n: a frequency is estimated without bias, with a standard deviation of "
            "at most 1/sqrt(m), and for p = alpha (1 - e^-epsilon), epsilon <= 1, at most a multiple of "
            "1/sqrt(epsilon n)"
        ),
        status="verified",
        methods=("contact-sampling-error",),
        scope=(
            "n = 4, 10 and 20, counts up to 4, four rates, exact; m >= alpha (1 - 1/e) epsilon n at epsilon = 1/10 to "
            "1, by bounds of e"
        ),
    ),
    Row(
        id="ST/Section3.3/Formula4",
        statement=(
            "With tau the least integer from ln(1/delta)/C on, C = ln(1/alpha) - 1/(1 + alpha) > 0: what is rounded to "
            "0 is a share of the sample below ln(1/delta)/(C m), and m is at least a multiple of epsilon n"
        ),
        status="verified",
        methods=("contact-rounding-error", "contact-sampling-error"),
        scope="alpha = 1/10, 1/6, 1/5 and 1/3, delta = 1e-2 to 1e-12, by bounds of logarithms",
    ),
    Row(
        id="ST/Section3.3/Claim2",
        statement=(
            "Given the sample, a count of tau or more is shown as it is, and a lesser one as 0; Bernoulli noise of "
            "rate r on n reports has the variance n r (1 - r), whatever the count. The sizes of both errors on one "
            "sample are the comparison's of the row before"
        ),
        status="verified",
        methods=("contact-no-noise",),
        scope="four rates, tau = 1 to 3, counts up to 5, from the program; 1, 5 and 20 reports, two rates of noise",
        code=("mechanisms.sample_and_threshold.sample_threshold.sample_threshold",),
    ),
    Row(
        id="ST/Section7/Remark1",
        statement=(
            "A sampled count is the sum of responses of which a 1 is kept with probability p and a 0 is never "
            "changed; what it is off by is never positive. One such response by itself needs delta = p at every epsilon"
        ),
        status="verified",
        methods=("contact-response",),
        scope="four rates, up to two zeros and four ones, from the program; e^epsilon = 1, 10 and 10^9",
        code=("mechanisms.sample_and_threshold.sample_threshold.sample_threshold",),
    ),
    Row(
        id="ST/Footnote2",
        statement=(
            "For m of n people sampled without replacement: no exponential moment of the sampled count of an item "
            "exceeds that of m draws with replacement, and the bound of Lemma 5, where W m/n >= tau, holds"
        ),
        status="verified",
        methods=("contact-without-replacement",),
        scope="n up to 14, every W and m, moments at e^t = 1/4, 2/3 and 2, every tau",
    ),
)
