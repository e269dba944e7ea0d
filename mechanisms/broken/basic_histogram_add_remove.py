"""A basic histogram with the noise of one changed count, for neighbours that change two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, basic_histogram
from dpcert.mechanisms.finite_computers.geosample import geosample, noise_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

__all__ = ["BASIC_HISTOGRAM_ADD_REMOVE"]


def _build(settings: Mapping[str, str]) -> Instance:
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    epsilon = inverse(settings, "epsilon", least=2)
    meant = BASIC_HISTOGRAM.build({**settings, "sampler": "geosample", "gamma": "1/2"})
    k = noise_exponent(2 * epsilon)  # epsilon for one count; each of two is to have half of it
    program = basic_histogram(universe=universe, sampler=geosample(n=n, k=k))
    return replace(meant, program=program, closed_form=None)


BASIC_HISTOGRAM_ADD_REMOVE = Mechanism(
    name="basic-histogram-add-remove",
    words="every label with noise that hides a person who is added or removed, for people who move",
    source="finite-computers, Algorithm 5.1, with M (epsilon, 0)-private where epsilon/2 is needed",
    parameters=(
        Parameter("n", "1", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer above 1"),
    ),
    build=_build,
    expect="refuted",
    twin="basic-histogram",
    fault="the noise of added or removed people under substitution",
)
