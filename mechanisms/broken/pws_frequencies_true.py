"""Sanitized keys with their true frequencies: the privacy of the key does not cover the value."""

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

__all__ = ["PWS_FREQUENCIES_TRUE"]


def true_value(*, q: Sequence[Fraction], sanitizer: Sequence[Row]) -> Callable[[int, Coins], int]:
    """Report the frequency itself of a key that is reported, where the value that was drawn is meant."""
    draws = [drawn(row) for row in sanitizer]

    def release(frequency: int, coins: Coins) -> int:
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return 0
        value = draws[place](coins)
        return frequency if value > 0 else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    program = true_value(q=q, sanitizer=sanitizer_rows(q=q, rows=rows))
    return replace(meant, program=program, closed_form=None)


PWS_FREQUENCIES_TRUE = Mechanism(
    name="pws-frequencies-true",
    words="pws-frequencies that reports the frequency itself",
    source="weighted-sampling, Algorithm 2, keys sanitized and frequencies not",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "priority:1/4", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-frequencies",
    fault="the true frequency for the value drawn",
)
