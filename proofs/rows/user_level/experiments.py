"""Rows on user-level-histograms, Section 6, its figures and its data."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["USER_LEVEL_EXPERIMENT_ROWS"]

ABSENT = "Sentiment140 and SNAP are not at hand; docs/user-level-experiments.md has what stands in for them"

USER_LEVEL_EXPERIMENT_ROWS: tuple[Row, ...] = (
    Row(
        id="UL/Figure1",
        statement="How many distinct items a user has in two data sets (nothing to check)",
        status="open",
        methods=(),
        scope=ABSENT,
    ),
    Row(
        id="UL/Section5/Claim4",
        statement="Users' average counts of a word in one data set are at most two (nothing to check)",
        status="open",
        methods=(),
        scope=ABSENT,
    ),
    Row(
        id="UL/Footnote1",
        statement="A parameter was chosen and not tuned (nothing to check)",
        status="open",
        methods=(),
        scope="on how an experiment was made",
    ),
    Row(
        id="UL/Figure2",
        statement="Errors at thresholds that are chosen in several ways, on two data sets (nothing to check)",
        status="open",
        methods=(),
        scope=ABSENT,
    ),
    Row(
        id="UL/Figure4",
        statement=(
            "For Poisson counts whose rates are n times a Dirichlet share, debiasing at C = 1 and 2 loses less than "
            "clipping, "
            "by a factor that grows with alpha, to above 5 and 3 at alpha = 30; at C of the ceil(1/epsilon)-th count "
            "it "
            "changes the loss by less than a twentieth"
        ),
        status="measured",
        methods=("user-level-debiasing-helps", "user-level-no-bias-at-rule"),
        scope=(
            "n = 400, epsilon = 1/2, alpha = 0.3, 3, 30, 20 repetitions, one seed; the figure's parameters are lost, "
            "and "
            "its gain at the rule's own threshold was not met"
        ),
        code=("mechanisms.user_level.debiasing.clipped_mean", "mechanisms.user_level.debiasing.inverse"),
    ),
    Row(
        id="UL/Section6.2/Table1",
        statement="Losses for the counts of three words, clipped and debiased (nothing to check)",
        status="open",
        methods=(),
        scope=ABSENT,
    ),
)
