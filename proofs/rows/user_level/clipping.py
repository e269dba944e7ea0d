"""Rows on Sections 3.1 and 4, Algorithm 1: neighbours, clipped sums, and the scale of their noise."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["CLIPPING"]

LATTICE = "C = 1, 3/2, 2, counts in units of 1 and 1/2"
CODE = "mechanisms.user_level"

CLIPPING: tuple[Row, ...] = (
    Row(
        id="UL/Definition3.1",
        statement=(
            "Two data sets of n users are neighbours if one user's data make way for any other data; n is known and "
            "does not change. A definition: what is checked is that the relation replace-user is this one"
        ),
        status="verified",
        methods=("replaced-users",),
        scope="all data sets of 2 users with 2 counts of 0 or 1, and some of 1 and 3 users",
    ),
    Row(
        id="UL/Definition3.2",
        statement=(
            "For all neighbours and every set S of outcomes, Pr[M(D) in S] <= e^epsilon Pr[M(D') in S] + delta. A "
            "definition: what is checked is that the kernel's sum over outcomes is the greatest excess over all sets"
        ),
        status="verified",
        methods=("every-event",),
        scope="9 pairs of laws of a clipped sum on 9 outcomes, all 512 events of each, e^epsilon = 1, 3/2, 5",
    ),
    Row(
        id="UL/Algorithm1",
        statement=(
            "For every data set, each user's histogram h is replaced by h min(1, C/|h|), in l1 or in l2, rounded down "
            "on a lattice, so that no norm exceeds C; the sum of all is released with independent noise on each "
            "item, discrete Laplace or discrete Gaussian; with the noise of the derived sensitivity the l1 sum is "
            "(epsilon, 0)-DP when a user is replaced"
        ),
        status="verified",
        methods=("clipped-sum-private-proved", "clipped-norms", "clipped-sum-programs", "clipped-sum-privacy"),
        scope=(
            "norms and privacy in l1: all parameters, by z3 and cvc5; exactly: norms: "
            f"{LATTICE}, all histograms of 3 counts up to 3; laws: C = 1, 2, all pairs of 4 histograms of 2 "
            "counts; privacy: C = 1, 2, 1 and 2 items, counts up to 2, one user replaced beside one who stays, "
            "epsilon = 1 and ln 16, tight to 10^-9 in e^epsilon"
        ),
        code=(
            f"{CODE}.clipping.clip_l1",
            f"{CODE}.clipping.clip_l2",
            f"{CODE}.clipped_sum_l1.clipped_sum_l1",
            f"{CODE}.clipped_sum_l2.clipped_sum_l2",
            f"{CODE}.discrete_gaussian.discrete_gaussian",
        ),
    ),
    Row(
        id="UL/Algorithm1/scale",
        statement=(
            "The printed scale of the noise is lost. When a user with counts >= 0 is replaced, the sum clipped in l1 "
            "moves by at most 2C in l1, the sum clipped in l2 by at most sqrt(2) C in l2, and either by at most C where"
            " there is one item; no less will do. With sqrt(2) C z for z = sqrt(2 ln(1.25/delta))/epsilon, discrete "
            "Gaussian noise is (epsilon, delta)-DP; with C z, two items need more at epsilon = 1, delta = 10^-6"
        ),
        status="certified",
        methods=("clipped-distance-proved", "clipped-distances", "gaussian-scale", "root-two-is-needed"),
        scope=(
            "distances: all C and any number of items, by z3 and cvc5; that none is less, "
            f"{LATTICE}, all pairs of histograms of 1 to 3 counts up to 3, exactly; noise: epsilon = 1, 1/2,"
            " delta = 1/100, 10^-6, C = 1, 3 for one item, C = 1 for two, every replacement, by interval arithmetic "
            "with certified tails"
        ),
        corrects="UL/Algorithm1",
        code=(
            f"{CODE}.clipping.sensitivity_l1",
            f"{CODE}.clipping.square_sensitivity_l2",
            f"{CODE}.gaussian_profile.delta_bounds",
        ),
    ),
)
