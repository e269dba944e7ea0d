"""A stability histogram whose threshold is chosen for an empty bin, which it never has: it has bins of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, stability_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["STABILITY_HISTOGRAM_LONE"]


def above(noisy: Dist, threshold: int) -> Fraction:
    """Return the probability of a noisy count above the threshold."""
    return sum((p for count, p in noisy.items() if count > threshold), Fraction(0))


def _build(settings: Mapping[str, str]) -> Instance:
    sampler, n = Sampler.of(settings), integer(settings, "n", least=1, greatest=1000)
    delta = exact(settings["delta"], "delta")
    if not 0 <= delta <= 1:
        raise InputError(
            given=f"delta={settings['delta']}", needed="a number in [0, 1]", remedy='write for instance "1/10"'
        )
    noise = sampler.law(0)
    threshold = next(b for b in range(n + 1) if above(noise, b) <= delta)
    meant = STABILITY_HISTOGRAM.build({**settings, "threshold": str(threshold)})
    program = stability_histogram(threshold=threshold, sampler=sampler.program)
    return replace(meant, program=program, closed_form=None, delta=delta)


STABILITY_HISTOGRAM_LONE = Mechanism(
    name="stability-histogram-lone",
    words="stability-histogram with the least threshold that noise on 0 exceeds with probability <= delta",
    source="finite-computers, Theorem 5.5 i, with M(0, U) for M(1, U)",
    parameters=(
        Parameter("n", "4", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("delta", "1/5", "the claimed delta, for which the threshold is chosen"),
    ),
    build=_build,
    expect="refuted",
    twin="stability-histogram",
    fault="a threshold judged by the noise on 0 for that on 1",
)
