"""Rows on Appendices B and C: the constraints of sanitized frequencies and what meets them."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["PROOFS"]

GRID = (
    "e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/5, 1/10 and 1/100, q = 1, 1/2, two lists and "
    "priority sampling, i <= 7"
)
INTEGRAL = "q = 1, e^epsilon = 3/2, 2 and 3, L = 0 to 4"
CERTIFIED = "; every prefix meets one of the constraints with equality, which is the proof that none is less"

PROOFS: tuple[Row, ...] = (
    Row(
        id="PWS/Equation26",
        statement=(
            "For data of two keys with values: no event exceeds e^epsilon times its probability on the data "
            "with one element less by more than delta"
        ),
        status="verified",
        methods=("pws-one-key-events",),
        scope="the grid of Theorem 5.1 with i <= 4, a second key of frequency 0 and 2",
    ),
    Row(
        id="PWS/Equation27",
        statement=(
            "For data of two keys with values: no event exceeds e^epsilon times its probability on the data "
            "with one element more by more than delta"
        ),
        status="verified",
        methods=("pws-one-key-events",),
        scope="the grid of Theorem 5.1 with i <= 4, a second key of frequency 0 and 2",
    ),
    Row(
        id="PWS/AppendixB/Claim1",
        statement=(
            "For rows of Algorithm 4: the greatest excess over all sets of values is that of the values with "
            "positive excess"
        ),
        status="verified",
        methods=("pws-rows-all-sets",),
        scope="the grid of Theorem 5.1 with i <= 5, all sets of values enumerated",
    ),
    Row(
        id="PWS/Equation28",
        statement=(
            "For every row i >= 1 of Algorithm 4 and every set J of values: its mass is at most e^epsilon "
            "times that of row i - 1, and delta"
        ),
        status="verified",
        methods=("pws-rows-all-sets",),
        scope="the grid of Theorem 5.1 with i <= 5, all sets of values enumerated",
    ),
    Row(
        id="PWS/Equation29",
        statement=(
            "For every row i of Algorithm 4 and every set J of values: its mass is at most e^epsilon times "
            "that of row i + 1, and delta"
        ),
        status="verified",
        methods=("pws-rows-all-sets",),
        scope="the grid of Theorem 5.1 with i <= 5, all sets of values enumerated",
    ),
    Row(
        id="PWS/Equation30",
        statement=(
            "For every row i >= 1 of Algorithm 4 and every set J of values: its mass is at least that of row "
            "i - 1, less delta, over e^epsilon"
        ),
        status="verified",
        methods=("pws-rows-all-sets",),
        scope="the grid of Theorem 5.1 with i <= 5, all sets of values enumerated",
    ),
    Row(
        id="PWS/Equation31",
        statement="For every row i of Algorithm 4: the entries 1..i sum to pi_i",
        status="verified",
        methods=("pws-rows-private",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_rows.discrete_rows",),
    ),
    Row(
        id="PWS/AppendixB/Formula2",
        statement=(
            "With b_1 the greatest index whose mass on 1..b_1 in row i - 1, and [pi_(i-1,0)/E - pi_i0]_+, "
            "are at most delta: the least entries are 0 up to b_1 and pi_(i-1,j)/E beyond b_1 + 1"
        ),
        status="refuted",
        methods=("pws-breakpoint-printed",),
        scope=GRID,
        witness=("e^epsilon = 2, delta = 1/3, q = 1/10, 1/2, 1, i = 3: b_1 = 1, the least entries are 1/12, 1/6"),
    ),
    Row(
        id="PWS/AppendixB/Formula2/corrected",
        corrects="PWS/AppendixB/Formula2",
        statement=(
            "With b_1 the greatest index whose mass on 1..b_1 in row i - 1, and E [pi_(i-1,0)/E - pi_i0]_+, "
            "are at most delta: the least entries are 0 up to b_1 and pi_(i-1,j)/E beyond b_1 + 1"
        ),
        status="verified",
        methods=("pws-breakpoint-corrected",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_rows.least_entries",),
    ),
    Row(
        id="PWS/Equation32",
        statement=("For every row i of Algorithm 4 and every j: the least entry is at most pi_(i-1,j)/e^epsilon"),
        status="verified",
        methods=("pws-rows-least",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_rows.least_entries",),
    ),
    Row(
        id="PWS/AppendixB/Claim2",
        statement=(
            "For every row of Algorithm 4, the greedy prefixes are the least that privacy with the row before allows"
        ),
        status="verified",
        methods=("pws-rows-separate",),
        scope=GRID + CERTIFIED,
    ),
    Row(
        id="PWS/Equation33",
        statement=("For every row i of Algorithm 4: the least entries sum to at most pi_(i-1), and pi_(i-1) <= pi_i"),
        status="verified",
        methods=("pws-rows-least",),
        scope=GRID,
    ),
    Row(
        id="PWS/AppendixB/Claim3",
        statement=(
            "For every row i of Algorithm 4: where at most delta is left after the first pass, the second "
            "raises entry i only; else pi_ii = delta, and pi_ij = e^epsilon pi_(i-1,j) for every j < i above "
            "the entry at which it stops"
        ),
        status="verified",
        methods=("pws-second-pass",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_rows.raised_entries",),
    ),
    Row(
        id="PWS/AppendixB/Claim4",
        statement=(
            "For every row of Algorithm 4, the greedy suffixes are the greatest that privacy with the row before allows"
        ),
        status="verified",
        methods=("pws-rows-separate",),
        scope=GRID + CERTIFIED,
    ),
    Row(
        id="PWS/AppendixB/Claim5",
        statement="For every row i of Algorithm 4: the second pass places all of pi_i",
        status="verified",
        methods=("pws-rows-private",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_rows.raised_entries",),
    ),
    Row(
        id="PWS/AppendixB/Claim6",
        statement="For every row i of Algorithm 4: both constraints hold for every set of values",
        status="verified",
        methods=("pws-rows-all-sets",),
        scope="the grid of Theorem 5.1 with i <= 5, all sets of values enumerated",
    ),
    Row(
        id="PWS/Equation34",
        statement=(
            "For q = 1 and integral L: row i is the sequence delta (1, E, ..., E^L, ..., E, 1) of length 2L "
            "+ 1, cut to its last i terms for i <= 2L + 1"
        ),
        status="verified",
        methods=("pws-rows-closed-form",),
        scope=INTEGRAL,
    ),
    Row(
        id="PWS/AppendixB/Claim7",
        statement="For q = 1 and integral L: pi*_i is the sum of the last i terms of that sequence",
        status="verified",
        methods=("pws-rows-closed-form",),
        scope=INTEGRAL,
    ),
    Row(
        id="PWS/AppendixC.1/Claim1",
        statement=(
            "For every key: sampling it and then drawing from the density of sampled keys is drawing from "
            "the end-to-end density"
        ),
        status="verified",
        methods=("pws-given-sample",),
        scope="both algorithms, e^epsilon = 2, delta = 1/10, three samplings, two data sets",
        code=("mechanisms.weighted_sampling.pws_sample.sanitizer_rows",),
    ),
    Row(
        id="PWS/LemmaC.1",
        statement=(
            "For Algorithm 5, whose densities are constant on cells: (35) and (36) hold for every measurable "
            "set, that is for every set of cells, with and without 0"
        ),
        status="verified",
        methods=("pws-densities-private",),
        scope=GRID,
        code=("mechanisms.weighted_sampling.pws_densities.density_rows",),
    ),
    Row(
        id="PWS/Equation35",
        statement=(
            "For Algorithm 5, every i and measurable set: the mass of f_i is at most e^epsilon times that of "
            "f_(i-1), and delta"
        ),
        status="verified",
        methods=("pws-densities-private",),
        scope=GRID,
    ),
    Row(
        id="PWS/Equation36",
        statement=(
            "For Algorithm 5, every i and measurable set: the mass of f_i is at least that of f_(i-1), less "
            "delta, over e^epsilon"
        ),
        status="verified",
        methods=("pws-densities-private",),
        scope=GRID,
    ),
    Row(
        id="PWS/AppendixC.2/Claim1",
        statement=(
            "For q = 1 and integral L: Algorithm 5's densities are those of Algorithm 4's rows, cell by cell "
            "between integers"
        ),
        status="verified",
        methods=("pws-densities-integral",),
        scope=INTEGRAL,
    ),
    Row(
        id="PWS/TheoremC.2",
        statement=(
            "For Algorithm 5: f_i(0) = 1 - pi_i; the densities are (epsilon, delta)-DP; and subject to that "
            "and to f_(i-1), the mass of f_i on [0, z] is the least for every z, which it has below c_i by "
            "(37) and above by the constraint on what lies beyond z"
        ),
        status="verified",
        methods=(
            "pws-densities-private",
            "pws-densities-separate",
        ),
        scope=GRID + CERTIFIED,
        code=("mechanisms.weighted_sampling.pws_densities.density_rows",),
    ),
    Row(
        id="PWS/Equation37",
        statement=(
            "For Algorithm 5, below c_i: the mass on (0, z] is [pi-bar_(i-1)/E - pi-bar_i]_+ and (the mass "
            "of f_(i-1) on (0, z], less delta)/E, where that is positive"
        ),
        status="verified",
        methods=("pws-densities-separate",),
        scope=GRID + CERTIFIED,
    ),
    Row(
        id="PWS/AppendixC.2/Formula1",
        statement=(
            "Above c_i the density f_i is at least e^epsilon f_(i-1), and at most c_i it is less than "
            "e^-epsilon f_(i-1)"
        ),
        status="refuted",
        methods=("pws-density-bounds-printed",),
        scope=GRID,
        witness=("e^epsilon = 3/2, delta = 1/2, q = 1, i = 2: a cell has e^-epsilon times the density of row 1"),
    ),
    Row(
        id="PWS/AppendixC.2/Formula1/corrected",
        corrects="PWS/AppendixC.2/Formula1",
        statement=(
            "Above c_i the density f_i is at least e^epsilon f_(i-1), and at most c_i it is at most e^-epsilon f_(i-1)"
        ),
        status="verified",
        methods=("pws-density-bounds-corrected",),
        scope=GRID,
    ),
    Row(
        id="PWS/AppendixC.2/Claim2",
        statement=("For Algorithm 5: the constraints hold for every set of cells, not for intervals only"),
        status="verified",
        methods=("pws-densities-private",),
        scope=GRID,
    ),
    Row(
        id="PWS/LemmaC.3",
        statement=(
            "For frequencies up to m: Algorithm 5's densities have at most 3m breakpoints, and f_i lies on (0, i]"
        ),
        status="verified",
        methods=("pws-densities-cells",),
        scope="the grid of Theorem 5.1, m = 1, 4 and 9",
        code=("mechanisms.weighted_sampling.pws_densities.density_rows",),
    ),
    Row(
        id="PWS/AppendixC.2/Claim3",
        statement=(
            "For Algorithm 5: to cut cells, each part with its share of the mass, changes no divergence of "
            "neighbouring rows"
        ),
        status="verified",
        methods=("pws-cells-collapse",),
        scope="the grid of Theorem 5.1 with i <= 4, each cell cut in two",
    ),
)
