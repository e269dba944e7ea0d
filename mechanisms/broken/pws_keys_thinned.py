"""Sanitized keys whose sampling is counted twice: reported with the end-to-end probability once sampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_keys import PWS_KEYS, reporting_probabilities, sampling_probabilities

__all__ = ["PWS_KEYS_THINNED"]


def thinned(*, q: Sequence[Fraction], reported: Sequence[Fraction]) -> Callable[[int, Coins], bool]:
    """Report a sampled key with probability reported, where reported / q is meant."""

    def release(frequency: int, coins: Coins) -> bool:
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return False
        return coins.bernoulli(reported[place])

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_KEYS.build(PWS_KEYS.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    reported = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    return replace(meant, program=thinned(q=q, reported=reported), closed_form=None)


PWS_KEYS_THINNED = Mechanism(
    name="pws-keys-thinned",
    words="pws-keys that takes end-to-end probabilities for those of sampled keys",
    source="weighted-sampling, Algorithm 2, with pi_i for p_i",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "priority:1/4", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-keys",
    fault="pi_i for p_i = pi_i / q_i",
)
