"""Sanitized frequencies whose least entries forget the keys that are not reported: low values and silence tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES, pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, sanitizer_rows

__all__ = ["PWS_FREQUENCIES_SILENT"]


ZERO = Fraction(0)


def least_reported(before: Row, pi: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return the least entries for the sets 1..j, where those for the sets 0..j are meant as well."""
    unreported = ZERO
    found: list[Fraction] = []
    total = mass = ZERO
    for entry in before[1:]:
        mass += entry
        found.append(max((mass - delta) / ratio - total + unreported, ZERO))
        total += found[-1]
    return found


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    rows = discrete_rows(q=q, ratio=ratio, delta=delta, first=least_reported)
    program = pws_frequencies(q=q, draws=[drawn(row) for row in sanitizer_rows(q=q, rows=rows)])
    return replace(meant, program=program, closed_form=None)


PWS_FREQUENCIES_SILENT = Mechanism(
    name="pws-frequencies-silent",
    words="pws-frequencies without the term for keys that are not reported",
    source="weighted-sampling, Algorithm 4, first pass without its last term",
    parameters=(
        Parameter("epsilon", "ln(3)", "the claimed epsilon"),
        Parameter("delta", "1/4", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-frequencies",
    fault="no term for the keys that are not reported in the first pass",
)
