"""GeoSample with noise of scale 1/epsilon where 2/epsilon is meant: as if nobody changed two counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["GEOSAMPLE_HALF_SCALE"]


def half_exponent(epsilon: Fraction) -> int:
    """Return ceil(log2(1 / epsilon)), where ceil(log2(2 / epsilon)) is meant."""
    k = 0
    while 2**k < 1 / epsilon:
        k += 1
    return k


def _build(settings: Mapping[str, str]) -> Instance:
    n, _ = settings_of(settings)
    program = geosample(n=n, k=half_exponent(inverse(settings, "epsilon", least=2)))
    return replace(GEOSAMPLE.build(settings), program=program, closed_form=None)


GEOSAMPLE_HALF_SCALE = Mechanism(
    name="geosample-half-scale",
    words="geosample with k = ceil(log2(1/epsilon)), noise for half the sensitivity",
    source="finite-computers, Algorithm 4.8, step 1, without its 2",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer above 1"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="a scale for half the sensitivity, 1/epsilon for 2/epsilon",
)
