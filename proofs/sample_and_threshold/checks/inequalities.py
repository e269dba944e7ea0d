"""A key inequality of sample-and-threshold: Equation 3."""

from collections.abc import Iterator

from dpcert.proofs.check import check
from dpcert.proofs.inequalities import Inequality, faults

RATIO = Inequality(
    "E p q k v",
    given=(lambda x: x.E > 0, lambda x: x.E * x.q == x.E - (1 - x.p), lambda x: x.v <= x.k * x.q),
    then=lambda x: (1 - x.p) * x.k <= x.E * (x.k - x.v),
    mutant=lambda x: (1 - x.p) * x.k <= x.k - x.v,
)
"""The masses of v have the ratio (1 - p) k/(k - v) under k and k - 1 copies; q is 1 - (1 - p)/E."""


@check("ratio-inequality")
def ratio() -> Iterator[str]:
    """Equation 3: the ratio of the masses of v is at most E where v <= k q."""
    return faults(RATIO)
