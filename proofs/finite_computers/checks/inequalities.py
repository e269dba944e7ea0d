"""Key inequalities of finite-computers: Lemma 3.2, and one level of Proposition 6.19."""

from collections.abc import Iterator

from dpcert.proofs.check import check
from dpcert.proofs.inequalities import Inequality, faults

MIXING = Inequality(
    "E g d m z p q r s",
    given=(
        lambda v: v.E >= 1,
        lambda v: v.g > 0,
        lambda v: v.g < 1,
        lambda v: v.z >= v.m,
        lambda v: v.p <= v.E * v.q,
        lambda v: v.r <= v.p + v.d,
        lambda v: v.q <= v.s + v.d,
        lambda v: v.d * (1 - v.g) * (v.E + 1) <= (v.E - 1) * v.g * v.m,
    ),
    then=lambda v: v.g * v.z + (1 - v.g) * v.r <= v.E * (v.g * v.z + (1 - v.g) * v.s),
    mutant=lambda v: v.g * v.z + (1 - v.g) * v.r <= v.g * v.z + v.E * (1 - v.g) * v.s,
)
"""An event has the probabilities p, q under the private laws, r, s under those within d, and z >= m under noise."""


@check("mixing-inequality")
def mixing() -> Iterator[str]:
    """Lemma 3.2: a law within d of a private one is pure once mixed with noise that (3.1) asks for."""
    return faults(MIXING)


LEVEL = Inequality(
    "w m M t n coins rounding",
    given=(
        lambda v: v.w >= 0,
        lambda v: v.coins <= v.m * v.w,
        lambda v: v.rounding <= v.t * v.w * (v.m - 1),
        lambda v: v.m >= 1,
        lambda v: v.m <= v.M,
        lambda v: v.t >= 0,
        lambda v: v.t <= v.n + 1,
    ),
    then=lambda v: v.coins + v.rounding <= v.M * (v.n + 2) * v.w,
    mutant=lambda v: v.coins + v.rounding <= v.M * v.n * v.w,
)
"""m coins, each off by w = 1/s, and t (m - 1) w of rounding."""


@check("rounded-level-inequality")
def level() -> Iterator[str]:
    """Proposition 6.19: one level is off by at most M (n + 2)/s."""
    return faults(LEVEL)
