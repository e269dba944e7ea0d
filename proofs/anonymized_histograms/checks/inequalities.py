"""A key inequality of anonymized-histograms: the errors on a pair of bits, Appendix E."""

from collections.abc import Iterator

from dpcert.proofs.check import check
from dpcert.proofs.inequalities import Inequality, faults

PAIR = Inequality(
    "E a b",
    given=(lambda v: 1 - v.b <= v.E * v.a, lambda v: 1 - v.a <= v.E * v.b),
    then=lambda v: (v.a + v.b) * (1 + v.E) >= 2,
    mutant=lambda v: (v.a + v.b) * v.E >= 2,
)
"""a and b are the mean errors on a bit that is 0 and on one that is 1."""


@check("pair-of-bits-inequality")
def pair() -> Iterator[str]:
    """Appendix E: the mean errors on two neighbouring bits add up to 2/(1 + E) at least."""
    return faults(PAIR)
