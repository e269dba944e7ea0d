"""Rows on what a second reading of anonymized-histograms added to its items."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SECOND_READING"]

PARTITIONS = "mechanisms.anonymized_histograms.partitions."

SECOND_READING: tuple[Row, ...] = (
    Row(
        id="AH/Section1/Claim1",
        statement=(
            "For every graph and k >= 2: the number of stars with k leaves is the sum over r of phi_r C(r, k), a "
            "linear query on the histogram of degrees"
        ),
        status="verified",
        methods=("ah-stars-counted",),
        scope="all graphs on at most 5 named vertices, k = 2, 3, 4; for k = 1 each edge counts twice",
        code=(PARTITIONS + "prevalences",),
    ),
    Row(
        id="AH/Section1/Claim2",
        statement=(
            "There are graphs that no other graph shares its histogram of degrees with, up to names: the star on n "
            "vertices for n = 2 to 5"
        ),
        status="verified",
        methods=("ah-degrees-can-tell",),
        scope="all graphs on at most 5 named vertices, compared under every renaming",
    ),
    Row(
        id="AH/Section2.1/Claim1",
        statement=(
            "A mechanism is (epsilon, delta)-DP exactly if inequality (1) holds with probability 1 - delta over its "
            "outcomes, and epsilon-DP is stricter"
        ),
        status="refuted",
        methods=("ah-with-probability-printed",),
        scope="two laws on two outcomes with masses in at most eighths, e^epsilon = 3/2, 2, 3",
        witness="e^epsilon = 3/2, laws (0, 1) and (1/2, 1/2): delta = 1/2, and (1) fails with probability 1",
    ),
    Row(
        id="AH/Section2.1/Claim1/corrected",
        corrects="AH/Section2.1/Claim1",
        statement=(
            "Where (1) holds, outcome by outcome, with probability at least 1 - delta under both laws of every pair of "
            "neighbours, the mechanism is (epsilon, delta)-DP; the converse fails"
        ),
        status="verified",
        methods=("ah-with-probability-corrected",),
        scope=(
            "two laws on two outcomes with masses in at most eighths, e^epsilon = 3/2, 2, 3, by the kernel; for all, "
            "since the excess is at most the mass of the outcomes where (1) fails"
        ),
    ),
    Row(
        id="AH/Section3.1/Remark1",
        statement=(
            "On a histogram of about 10^4 items: the total of the released H is farther from n in the mean than the "
            "released N"
        ),
        status="measured",
        methods=("ah-total-is-noisier",),
        scope="e^epsilon = (11/10)^3, (3/2)^3 and 27, 20 seeds",
        code=("mechanisms.anonymized_histograms.succinct.privhist_sampler",),
    ),
    Row(
        id="AH/Section4/Claim1",
        statement=(
            "Counts and prevalences of a histogram determine each other, and the prevalences of a sum of two "
            "histograms are the sums of theirs"
        ),
        status="verified",
        methods=("ah-two-forms",),
        scope="all histograms of at most 14 items; all pairs of histograms of at most 6",
        code=(PARTITIONS + "joined", PARTITIONS + "of_prevalences"),
    ),
    Row(
        id="AH/Section4.3/Claim5",
        statement=(
            "For all noisy cumulative prevalences: isotonic regression, the cut at 0 and rounding give non-increasing "
            "integers >= 0, so the prevalences returned are integers >= 0; they are not all positive, as the step's "
            "words have it"
        ),
        status="verified",
        methods=("ah-proper-after-projection",),
        scope="vectors of four integers from -3 to 3, three lists of gaps, steps L1 and H5 with H6",
        code=(
            "mechanisms.anonymized_histograms.postprocess.isotonic",
            "mechanisms.anonymized_histograms.postprocess.high_privacy_histogram",
        ),
    ),
    Row(
        id="AH/AppendixA/Remark1",
        statement=(
            "For every epsilon in [1/2, 5]: Laplace noise is larger in the mean than geometric noise by at least 1/20 "
            "and at most 1/4"
        ),
        status="certified",
        methods=("ah-moderate-difference",),
        scope="all epsilon in [1/2, 5], 2048 boxes; the range and both bounds are this project's reading of moderate",
    ),
    Row(
        id="AH/AppendixA/Claim1",
        statement="For every n >= 0 and z: max(n + z, 0) is at most |z| away from n",
        status="verified",
        methods=("ah-cut-is-no-farther",),
        scope="n <= 12, z in thirds up to 20; for all, since n + z < 0 <= n makes n at most |z|",
    ),
    Row(
        id="AH/AppendixD.2/Claim1",
        statement=(
            "For N = n: what is rounded, called quantization, adds O(sqrt(n)) to the error of the smoothing branch"
        ),
        status="open",
        methods=(),
        scope="none: the text does not say which rounding is meant, and gives no derivation",
    ),
)
