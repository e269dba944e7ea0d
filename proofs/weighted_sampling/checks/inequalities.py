"""A key inequality of weighted-sampling: Lemma A.1."""

from collections.abc import Iterator

from dpcert.proofs.check import check
from dpcert.proofs.inequalities import Inequality, faults

TERMS = Inequality(
    "E d x",
    given=(lambda v: v.E > 1, lambda v: v.x * (1 + v.E) < 1 - v.d),
    then=lambda v: v.E * (v.E * v.x + v.d) < v.E + v.x + v.d - 1,
    mutant=lambda v: v.E * (v.E * v.x + v.d) < v.E + v.x - 1,
)
"""Below (1 - d)/(1 + E), E x + d is less than 1 + (x + d - 1)/E."""


@check("reporting-terms-inequality")
def terms() -> Iterator[str]:
    """Lemma A.1: (16) is below (17) where pi_i is less than (1 - delta)/(1 + E)."""
    return faults(TERMS)
