"""Sanitized keys whose table ends too early: keys above the greatest frequency told apart are reported as sampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_keys import PWS_KEYS, reporting_probabilities, sampling_probabilities

__all__ = ["PWS_KEYS_HEAVY"]


def heavy(*, q: Sequence[Fraction], reported: Sequence[Fraction]) -> Callable[[int, Coins], bool]:
    """Report every sampled key of a frequency above len(q), where it is to be taken for one of len(q)."""

    def release(frequency: int, coins: Coins) -> bool:
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return False
        return frequency > len(q) or coins.bernoulli(reported[place] / q[place])

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_KEYS.build(PWS_KEYS.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    reported = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    return replace(meant, program=heavy(q=q, reported=reported), closed_form=None, assumptions=())


PWS_KEYS_HEAVY = Mechanism(
    name="pws-keys-heavy",
    words="pws-keys that reports all sampled keys above the greatest frequency of its table",
    source="weighted-sampling, Algorithm 2, with a table that ends before pi_i meets q_i",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("imax", "2", "the greatest frequency of the table"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-keys",
    fault="keys above the table's end are reported as they are sampled",
)
