"""A key inequality of user-level-histograms: Appendix A.2, Formula 1."""

from collections.abc import Iterator

from dpcert.proofs.check import check
from dpcert.proofs.inequalities import Inequality, faults

SLOPE = Inequality(
    "w e M g h",
    given=(lambda v: v.w <= v.M, lambda v: v.e <= v.M, lambda v: v.e >= 0, lambda v: v.g >= 0, lambda v: v.g <= v.h),
    then=lambda v: v.w * v.g - v.e * v.h <= v.M * v.h,
    mutant=lambda v: v.w * v.g + v.e * v.h <= v.M * v.h,
)
"""Where C grows by h, w max(nu - C, 0) falls by w g, 0 <= g <= h, and e C grows by e h, e = eta/n."""


@check("user-slope-inequality")
def slope() -> Iterator[str]:
    """Appendix A.2: a user's term grows by at most max(w, eta/n) for each unit of C."""
    return faults(SLOPE)
