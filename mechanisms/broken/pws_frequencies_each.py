"""Sanitized frequencies that spend delta on every value, where all values above another share it."""

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

__all__ = ["PWS_FREQUENCIES_EACH"]


ZERO = Fraction(0)


def raised_each(before: Row, least: list[Fraction], left: Fraction, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Raise the least entries from the greatest value down, each to ratio times its own in the row before, and delta.

    The values above share one delta with it where Algorithm 4 is meant.
    """
    row = [*least, ZERO]
    above = upper = ZERO
    for j in range(len(row), 0, -1):
        entry = before[j] if j < len(before) else ZERO
        upper += entry
        added = min(ratio * entry + delta - row[j - 1], left)
        row[j - 1] += added
        left -= added
        above += row[j - 1]
        if left == 0:
            break
    return row


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    rows = discrete_rows(q=q, ratio=ratio, delta=delta, second=raised_each)
    program = pws_frequencies(q=q, draws=[drawn(row) for row in sanitizer_rows(q=q, rows=rows)])
    return replace(meant, program=program, closed_form=None)


PWS_FREQUENCIES_EACH = Mechanism(
    name="pws-frequencies-each",
    words="pws-frequencies with a delta for every value",
    source="weighted-sampling, Algorithm 4, with U of one value for U of a suffix",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-frequencies",
    fault="delta for each value for one delta in all",
)
