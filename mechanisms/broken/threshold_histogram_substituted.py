"""A sample-and-threshold histogram with the delta of an added or removed person, claimed for people who move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM

__all__ = ["THRESHOLD_HISTOGRAM_SUBSTITUTED"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant = THRESHOLD_HISTOGRAM.build(settings)
    return replace(
        meant,
        closed_form=None,
        neighbours="substitute",
        epsilon=Epsilon.ln(1 / (1 - probability(settings, "rate"))),
        delta=exact(settings["delta"], "delta"),
    )


THRESHOLD_HISTOGRAM_SUBSTITUTED = Mechanism(
    name="sample-threshold-histogram-substituted",
    words="sample-threshold-histogram, claimed for people who move from one bin to another",
    source="sample-and-threshold, Section 2 and Theorem 2, whose proof changes one bin",
    parameters=(
        Parameter("rate", "1/4", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("n", "4", "the greatest number of people audited"),
        Parameter("delta", "7/96", "the claimed delta, which it has for people who are added or removed"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold-histogram",
    fault="the delta of one changed bin under substitution, which changes two",
)
