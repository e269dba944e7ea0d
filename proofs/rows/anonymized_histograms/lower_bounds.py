"""Rows on Theorem 2 and Appendix E: what no private release can beat."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["LOWER_BOUNDS"]

FOLDER = "mechanisms.anonymized_histograms.packing"
RATIOS = "e^epsilon = 1, 3/2, 2 and 10"

LOWER_BOUNDS: tuple[Row, ...] = (
    Row(
        id="AH/Theorem2",
        statement=(
            "For every n >= 1 and epsilon, every epsilon-DP release has a histogram of n or n + 1 items on which E "
            "l1 is at least 2 k/(1 + e^(2 epsilon)), k = floor(sqrt((n + 1)/2)); that is at least (2/5) sqrt(n) "
            "e^(-2 epsilon), a constant where the text leaves one open"
        ),
        status="proved",
        methods=("ah-least-proved", "ah-least-error", "ah-least-constant", "ah-dense-encoding", "ah-bits-pair"),
        scope=(
            "all parameters, by z3 and cvc5; exactly: the packing for k <= 4; n <= 2000 for the constant; against "
            "the least error of all epsilon-DP releases, by "
            f"exact linear programs: n = 1, {RATIOS}, and n = 2, e^epsilon = 2"
        ),
        code=(f"{FOLDER}.histogram_least", f"{FOLDER}.densely_encoded"),
    ),
    Row(
        id="AH/Lemma10",
        statement=(
            "For every k and epsilon, every epsilon-DP estimate of k bits has an input with an expected L1 error of "
            "at least k/(1 + e^epsilon) >= k e^-epsilon/2, which flipped bits attain"
        ),
        status="proved",
        methods=("ah-bits-proved", "ah-bits-least", "ah-bits-pair", "ah-bits-pairs-average"),
        scope=(
            "all parameters, by z3 and cvc5; exactly: "
            f"k = 1 and 2, {RATIOS}: the least over all tables, proved by dual vectors; estimates beyond [0, 1] "
            "for k = 1"
        ),
        code=(f"{FOLDER}.bits_least",),
    ),
    Row(
        id="AH/Equation19",
        statement=(
            "For every mechanism: the worst error is at least the mean over inputs, a sum over bits of means of pairs"
        ),
        status="verified",
        methods=("ah-bits-pairs-average",),
        scope="k = 1, 2 and 3, flipped bits and a table without symmetry",
    ),
    Row(
        id="AH/AppendixE/Formula1",
        statement=(
            "For every epsilon: the errors on two neighbouring bits add up to at least 2/(1 + e^epsilon) >= e^-epsilon"
        ),
        status="proved",
        methods=(
            "ah-bits-proved",
            "ah-bits-pair",
        ),
        scope=(
            f"all parameters, by z3 and cvc5; exactly: {RATIOS}, six estimates from -1/2 to 3/2, the least over "
            "all tables"
        ),
    ),
    Row(
        id="AH/AppendixE/Formula2",
        statement=(
            "For k = sqrt(n)/10 bits: {4i, 4i + 3} or {4i + 1, 4i + 2} for i = 1, ..., k and one count more, n less "
            "the items at counts up to 4k, have n items"
        ),
        status="refuted",
        methods=("ah-encoding-printed",),
        scope="n = 100 and 400, all bits",
        witness="n = 100, x = (0,): the counts 5, 6, 100 have 111 items",
    ),
    Row(
        id="AH/AppendixE/Formula2/corrected",
        corrects="AH/AppendixE/Formula2",
        statement="With n less the items at counts up to 4k + 3 they have n items, for every n >= 4 k^2 + 7 k",
        status="verified",
        methods=("ah-encoding-corrected",),
        scope="k from 1 to 4, all bits, three n each",
        code=(f"{FOLDER}.encoded", f"{FOLDER}.paper_capacity"),
    ),
    Row(
        id="AH/AppendixE/Claim1",
        statement="The histograms of bits at Hamming distance d are at distance 2d",
        status="verified",
        methods=("ah-encoding-corrected",),
        scope="k from 1 to 4, all pairs of bits",
        code=(f"{FOLDER}.encoded",),
    ),
    Row(
        id="AH/AppendixE/Claim2",
        statement=(
            "The histograms of neighbouring bits have a neighbour in common that has n + 1 items, so that epsilon-DP "
            "is 2 epsilon-DP for them"
        ),
        status="verified",
        methods=("ah-encoding-neighbours",),
        scope="k from 1 to 3, all neighbouring bits",
        code=(f"{FOLDER}.encoded",),
    ),
)
