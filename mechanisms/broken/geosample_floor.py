"""GeoSample with the logarithm in its noise exponent rounded down: half the noise, where it is no integer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["GEOSAMPLE_FLOOR"]


def floor_exponent(epsilon: Fraction) -> int:
    """Return the greatest k with 2^k <= 2 / epsilon, where the least k with 2^k >= 2 / epsilon is meant."""
    return int(2 / epsilon).bit_length() - 1


def _build(settings: Mapping[str, str]) -> Instance:
    n, _ = settings_of(settings)
    program = geosample(n=n, k=floor_exponent(inverse(settings, "epsilon")))
    return replace(GEOSAMPLE.build(settings), program=program, closed_form=None)


GEOSAMPLE_FLOOR = Mechanism(
    name="geosample-floor",
    words="geosample with k = floor(log2(2/epsilon))",
    source="finite-computers, Algorithm 4.8, step 1, rounded the wrong way",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/3", "1/epsilon is an integer; a power of two hides the fault"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="floor for ceiling in k = ceil(log2(2/epsilon))",
)
