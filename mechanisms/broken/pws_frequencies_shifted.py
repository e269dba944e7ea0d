"""Sanitized frequencies by the row of one more: a list that starts at 0 for one that starts at 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, sanitizer_rows

__all__ = ["PWS_FREQUENCIES_SHIFTED"]


def shifted(*, q: Sequence[Fraction], sanitizer: Sequence[Row]) -> Callable[[int, Coins], int]:
    """Report by row frequency + 1, where that of the frequency is meant."""
    draws = [drawn(row) for row in sanitizer]

    def release(frequency: int, coins: Coins) -> int:
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return 0
        return draws[min(place + 1, len(draws) - 1)](coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    program = shifted(q=q, sanitizer=sanitizer_rows(q=q, rows=rows))
    return replace(meant, program=program, closed_form=None)


PWS_FREQUENCIES_SHIFTED = Mechanism(
    name="pws-frequencies-shifted",
    words="pws-frequencies that reports by the row of the next frequency",
    source="weighted-sampling, Algorithm 2, with p_(w+1) for p_w",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-frequencies",
    fault="the row of the next frequency",
)
