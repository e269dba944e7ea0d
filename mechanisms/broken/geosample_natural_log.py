"""GeoSample with a natural logarithm in its noise exponent, which is binary: too little noise for epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.epsilons import less
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, inverse

__all__ = ["GEOSAMPLE_NATURAL_LOG"]


def natural_exponent(epsilon: Fraction) -> int:
    """Return ceil(ln(2 / epsilon)), where ceil(log2(2 / epsilon)) is meant."""
    k = 0
    while less(Epsilon.of(k), Epsilon.ln(2 / epsilon)):
        k += 1
    return k


def _build(settings: Mapping[str, str]) -> Instance:
    n, epsilon = settings_of(settings)[0], inverse(settings, "epsilon")
    program = geosample(n=n, k=natural_exponent(epsilon))
    half = Epsilon.of(epsilon / 2)
    return replace(GEOSAMPLE.build(settings), program=program, closed_form=None, epsilon=half)


GEOSAMPLE_NATURAL_LOG = Mechanism(
    name="geosample-natural-log",
    words="geosample with k = ceil(ln(2/epsilon)); the claim is epsilon/2",
    source="finite-computers, Algorithm 4.8, step 1, with another base",
    parameters=(
        Parameter("n", "3", "the greatest count"),
        Parameter("epsilon", "1/5", "1/epsilon is an integer; the claim is epsilon/2"),
    ),
    build=_build,
    expect="refuted",
    twin="geosample",
    fault="the natural for the binary logarithm in k = ceil(log2(2/epsilon))",
)
