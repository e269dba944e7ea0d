"""Rows on what a second reading of weighted-sampling added to its items."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SECOND_READING"]

GRID = "the grid of Theorem 5.1: e^epsilon = 3/2, 2, 3, five delta from 1/2 to 1/100, five samplings"

SECOND_READING: tuple[Row, ...] = (
    Row(
        id="PWS/Section2/Claim2",
        statement=(
            "For every epsilon, delta and frequency: the earlier optimal selection of keys, in its own closed form, is "
            "Algorithm 3 with q = 1"
        ),
        status="verified",
        methods=("pws-earlier-selection",),
        scope="e^epsilon = 11/10, 3/2, 2, 3, five delta from 1/2 to 1/100, frequencies up to 60",
        code=("mechanisms.weighted_sampling.partition_selection.keep_probability",),
    ),
    Row(
        id="PWS/Section5/Formula1",
        statement=(
            "For values up to t: pi_ij = q_i p_ij, and a key of frequency i is not reported with probability 1 less "
            "the sum over j = 1..t of pi_it, with the subscript t in each term"
        ),
        status="refuted",
        methods=("pws-unreported-printed",),
        scope=GRID + "; both algorithms",
        witness="e^epsilon = 3/2, delta = 1/2, q = 1, t = 2, i = 1",
    ),
    Row(
        id="PWS/Section5/Formula1/corrected",
        corrects="PWS/Section5/Formula1",
        statement=(
            "For values up to t: pi_ij = q_i p_ij, and pi_i0 = 1 - (pi_i1 + ... + pi_it) = 1 - q_i + q_i p_i0, so that "
            "each row is a law"
        ),
        status="verified",
        methods=("pws-unreported-corrected",),
        scope=GRID + "; both algorithms, i <= 1, 2 and 4",
        code=("mechanisms.weighted_sampling.pws_sample.sanitizer_rows",),
    ),
    Row(
        id="PWS/Section5/Remark1",
        statement=(
            "For every order-preserving renaming of the reported values into a larger set: the estimators (11) and "
            "(41) give each the value that they gave it before"
        ),
        status="verified",
        methods=("pws-values-are-tokens",),
        scope=GRID + "; i <= 5 and 4, one idle value put at every place; g(i) = i",
        code=(
            "mechanisms.weighted_sampling.pws_estimators.maximum_likelihood",
            "mechanisms.weighted_sampling.pws_estimators.biased_down",
        ),
    ),
    Row(
        id="PWS/AppendixA/Remark1",
        statement=(
            "For every delta and epsilon in (0, 1]: (16) over (17) grows with pi_i, and (1 - delta)/(2 + epsilon) is "
            "above the point where it is 1 by at most 3 epsilon^2/8 of that point"
        ),
        status="certified",
        methods=("pws-crossing-to-first-order",),
        scope="all epsilon in (0, 1], by a ball for e - 2; growth at e^epsilon = 3/2, 2, 3, six delta, twelfths",
    ),
    Row(
        id="PWS/AppendixA/Claim5",
        statement=(
            "For q_i <= q_(i+1) < 1, delta >= 0 and pi_i = q_i: q_(i+1) is within (17) exactly if the ratio "
            "(1 - q_i - delta)/(1 - q_(i+1)) is at most e^epsilon, and the ratio is above 1 exactly if q grows by more "
            "than delta"
        ),
        status="verified",
        methods=("pws-complement-condition",),
        scope="q_i and q_(i+1) in twelfths, e^epsilon = 3/2, 2, 3, six delta from 0 to 1/2",
    ),
    Row(
        id="PWS/AppendixC.2/Remark1",
        statement=(
            "For every q, epsilon and delta: Algorithm 4 orders two neighbouring frequencies less well than Algorithm "
            "5 only from a row on whose second pass ends inside a value, or whose first pass has its breakpoint inside "
            "one; the breakpoint is that of the first pass, by the row before and e^epsilon times the mass at 0, "
            "where the remark has the same row and no factor"
        ),
        status="verified",
        methods=("pws-short-of-separation",),
        scope=GRID + "; i <= 7, of which 147 rows come before any such row",
        code=("mechanisms.weighted_sampling.pws_rows.discrete_rows",),
    ),
    Row(
        id="PWS/AppendixC.2/Remark2",
        statement=(
            "For every i: (i - 1, i], where f_(i-1) has no mass, gets min(delta, pi_i) of f_i; privacy allows no more "
            "than delta there, by (35) for that set, and there is no more than pi_i"
        ),
        status="verified",
        methods=("pws-newest-piece",),
        scope=GRID + "; i <= 6. The text names (17) as the constraint",
        code=("mechanisms.weighted_sampling.pws_densities.density_rows",),
    ),
    Row(
        id="PWS/AppendixD.1/Claim1",
        statement=(
            "For Algorithm 5: F_i(z) is a function of F_(i-1)(z), pi_(i-1), pi_i, epsilon and delta alone, so T of the "
            "frequencies i and i - 1 does not depend on how f_(i-1) is spread"
        ),
        status="verified",
        methods=("pws-densities-separate",),
        scope=GRID + "; the function is the greatest of four bounds, met at the ends and the middle of each cell",
    ),
    Row(
        id="PWS/AppendixF/Claim1",
        statement=(
            "For every q with pi_i = pi*_i for i <= h, where e^(epsilon (h-1)) > h and h <= L + 1: the values that "
            "frequency 1 reports count for more than h at frequency h, so that an unbiased estimate is negative "
            "somewhere"
        ),
        status="verified",
        methods=("pws-sampled-no-unbiased",),
        scope="e^epsilon = 11/10, 3/2, 2, 3, six delta from 1/2 to 1/10000, five samplings; Algorithm 4; 30 cases met",
        code=("mechanisms.weighted_sampling.pws_estimators.unbiased",),
    ),
    Row(
        id="PWS/AppendixG.3/Claim1",
        statement=(
            "For priority sampling with T < 1/tau: the baseline's reporting probability is tau times the integral of j "
            "against Laplace's density from T to 1/tau, and the probability of 1/tau or more"
        ),
        status="verified",
        methods=("pws-priority-splits",),
        scope=(
            "epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, tau = 1/20, 1/4 and 1/2, exact in "
            "sums of exponentials"
        ),
    ),
)
