"""Sanitized frequencies without the first pass: nothing holds low values back from vanishing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES, pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, sanitizer_rows

__all__ = ["PWS_FREQUENCIES_UPWARD"]


def no_entries(before: Row, pi: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return no least entries, where those of Algorithm 4's first pass are meant."""
    return [entry * 0 for entry in least_entries(before, pi, ratio, delta)]


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    rows = discrete_rows(q=q, ratio=ratio, delta=delta, first=no_entries)
    program = pws_frequencies(q=q, draws=[drawn(row) for row in sanitizer_rows(q=q, rows=rows)])
    return replace(meant, program=program, closed_form=None)


PWS_FREQUENCIES_UPWARD = Mechanism(
    name="pws-frequencies-upward",
    words="pws-frequencies that only moves mass upward",
    source="weighted-sampling, Algorithm 4 without its first pass",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/5", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "1/2", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-frequencies",
    fault="no first pass: the mass is moved up without a lower bound",
)
