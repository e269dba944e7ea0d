"""Rows on what a second reading of the paper found beside the first."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SECOND_READING"]

SECOND_READING: tuple[Row, ...] = (
    Row(
        id="UL/Section3.2/Remark1",
        statement="The sum of the users' histograms, its mean l1 error, and a mean's squared error (nothing to check)",
        status="open",
        methods=(),
        scope="definitions",
    ),
    Row(
        id="UL/Section3.2/Claim1",
        statement="Bin(n, x/n) is within x^2/n of Poi(x) in total variation, and comes closer as n grows",
        status="verified",
        methods=("poisson-near-binomial",),
        scope="x = 1/4, 1, 5/2, n = 3, 6, 12, 24, 48, by enclosures of the Poisson masses",
        code=("mechanisms.user_level.debiasing.poisson_mass",),
    ),
    Row(
        id="UL/Section4/Remark1",
        statement=(
            "For every share below 1 there are data for which U at that quantile of the counts is more than any given "
            "multiple of its least; the greatest count is as poor where a lone user has it and the noise is great"
        ),
        status="verified",
        methods=("fixed-quantile-poor",),
        scope=(
            "halves, quarters and tenths, one item, counts 0 and 10 or 1000, multiple 50; U of Appendix A.1, which is "
            "within a factor of 2 of the error"
        ),
    ),
    Row(
        id="UL/Section6/Claim1",
        statement="How the budget was divided in the experiments (nothing to check)",
        status="open",
        methods=(),
        scope="on how an experiment was made; the numbers are lost",
    ),
    Row(
        id="UL/Section6.1/Remark1",
        statement="A histogram's loss relative to the true one (nothing to check)",
        status="open",
        methods=(),
        scope="a definition, whose formula is lost",
    ),
    Row(
        id="UL/Section6.2/Claim1",
        statement=(
            "For rates that are n times the shares of a Dirichlet law, all parameters alpha, a rate's mean variance "
            "is (n - 1)/(n alpha + 1), and falls as alpha grows"
        ),
        status="verified",
        methods=("dirichlet-closer",),
        scope="n = 2, 3, 10, 40, alpha = 1 to 30, from the moments of a share",
    ),
)
