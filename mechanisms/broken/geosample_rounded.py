"""GeoSample from a draw of few bits, without the mixing that makes up for it: its far counts never come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.finite_computers import mixing
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

__all__ = ["GEOSAMPLE_ROUNDED"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant = mixing.MIXING.build(settings)
    n, bits = integer(settings, "n", least=1), integer(settings, "bits", least=1)
    k = noise_exponent(inverse(settings, "epsilon"))
    program = mixing.rounded_geosample(n=n, k=k, bits=bits)
    return replace(meant, program=program, closed_form=None)


GEOSAMPLE_ROUNDED = Mechanism(
    name="geosample-rounded",
    words="geosample with its probabilities rounded to multiples of 2^-bits, and no mixing",
    source="finite-computers, Section 3, step 2 without step 3",
    parameters=(
        Parameter("n", "12", "the greatest count"),
        Parameter("epsilon", "1", "1/epsilon is an integer"),
        Parameter("bits", "8", "the probabilities are multiples of 2^-bits"),
        Parameter("gamma", "1/2", "the weight of the uniform count, which is left out"),
    ),
    build=_build,
    expect="refuted",
    twin="mixing",
    fault="a tail lost in rounding, without the mixing that brings it back",
)
