"""Rows on Appendix D: separation and the order of keys."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SEPARATION"]

GRID = (
    "e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/5, 1/10 and 1/100, q = 1, 1/2, two lists and "
    "priority sampling, i <= 7"
)
CERTIFIED = "; every prefix meets one of the constraints with equality, which is the proof that none is less"
LOWERED = (
    "e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/4, 1/5 and 1/10, frequencies up to 4, q = 1 and "
    "1/2 against Algorithm 5 for lower q, which drops sampled keys first"
)

SEPARATION: tuple[Row, ...] = (
    Row(
        id="PWS/TheoremD.1",
        statement=(
            "For all i_1 > i_2 and alpha in (f_(i_2)(0), 1): no (epsilon, delta)-DP frequency sanitizer on "
            "the same sample has a smaller T(alpha) than Algorithm 5"
        ),
        status="refuted",
        methods=("pws-separation-printed",),
        scope=LOWERED,
        witness=(
            "e^epsilon = 3/2, delta = 1/3, q = 1/2, i_1 = 3, i_2 = 2, alpha = 31/36: T = 14/27, and 1/2 by "
            "the scheme for q = 0, 1/2"
        ),
    ),
    Row(
        id="PWS/TheoremD.1/corrected",
        corrects="PWS/TheoremD.1",
        statement=(
            "Among sanitizers that report every frequency with the probability pi_i: F_i(z) is at least "
            "H_i(F_(i-1)(z)), with H_i the greatest of the bounds by privacy for the sets [0, z], (0, z] and "
            "beyond z; Algorithm 5 meets it for every z, and T of frequencies further apart is that of the "
            "steps, one after another"
        ),
        status="verified",
        methods=(
            "pws-densities-separate",
            "pws-separation-composes",
        ),
        scope=GRID + CERTIFIED,
    ),
    Row(
        id="PWS/AppendixD.1/Formula1",
        statement=(
            "For Algorithm 5 and every i: T of frequencies i + 2 and i is T of i + 2 and i + 1 at T of i + 1 and i"
        ),
        status="verified",
        methods=("pws-separation-composes",),
        scope="the grid of Theorem 5.1, at the middle of each cell",
    ),
    Row(
        id="PWS/Equation39",
        statement=(
            "For Algorithm 5 and frequencies i_1 > i_2: the probability that two keys are in order, ties "
            "counted half, is f_2(0)(1 - f_1(0)) + f_1(0) f_2(0)/2 and the integral of 1 - T over (f_2(0), "
            "1)"
        ),
        status="verified",
        methods=("pws-pair-formula",),
        scope="the grid of Theorem 5.1, frequencies up to 4",
    ),
    Row(
        id="PWS/Equation40",
        statement=(
            "For a key among greater ones Y and smaller ones Z, ties counted half: it is in order with all "
            "with the probability that it is not reported, all of Y are and none of Z, times 1/2^|Z|, and "
            "the integral over its reported values"
        ),
        status="refuted",
        methods=("pws-one-key-printed",),
        scope=(
            "the grid of Theorem 5.1, one key each in Y and Z; the integral is over the quantile alpha, not "
            "weighted by a density again"
        ),
        witness=(
            "e^epsilon = 3/2, delta = 1/2, q = 0, 0, 1/3, 1/2, frequency 2 among 1 and 3: (40) gives 1/6, "
            "the probability is 1/3"
        ),
    ),
    Row(
        id="PWS/Equation40/corrected",
        corrects="PWS/Equation40",
        statement=(
            "The same with, where the key is not reported, a factor 1 - f_y(0)/2 for each y of Y in place of "
            "1 - f_y(0), as (39) has it"
        ),
        status="verified",
        methods=("pws-one-key-corrected",),
        scope="the grid of Theorem 5.1, one key each in Y and Z",
    ),
    Row(
        id="PWS/AppendixD.2/Claim1",
        statement=("For i_1 > i_2: the probability (39) that two keys are in order does not decrease where T grows"),
        status="refuted",
        methods=("pws-pair-moves-printed",),
        scope="the grid of Theorem 5.1, i <= 3, frequencies 2 and 1, T = 0 and T = 1",
        witness=("e^epsilon = 3/2, delta = 1/2, q = 1, frequencies 2 and 1: (39) is 1 with T = 0, 1/2 with T = 1"),
    ),
    Row(
        id="PWS/AppendixD.2/Claim1/corrected",
        corrects="PWS/AppendixD.2/Claim1",
        statement=(
            "For i_1 > i_2: the probability (39) that two keys are in order does not increase where T grows, "
            "so that the least T has the greatest"
        ),
        status="verified",
        methods=("pws-pair-moves-corrected",),
        scope="the grid of Theorem 5.1, i <= 3, frequencies 2 and 1, T = 0 and T = 1",
    ),
)
