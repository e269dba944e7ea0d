"""Sanitized keys without the third term of the minimum: the keys that are not reported tell as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_keys import PWS_KEYS, pws_keys, sampling_probabilities

__all__ = ["PWS_KEYS_TWO_TERMS"]


def two_terms(*, q: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return min(q_i, ratio pi_(i-1) + delta), where Algorithm 3's minimum of three terms is meant."""
    found: list[Fraction] = []
    before = Fraction(0)
    for most in q:
        before = min(most, ratio * before + delta)
        found.append(before)
    return found


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_KEYS.build(PWS_KEYS.settings(settings))
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    q = sampling_probabilities(settings["q"], integer(settings, "imax", least=1))
    program = pws_keys(q=q, reported=two_terms(q=q, ratio=ratio, delta=delta))
    return replace(meant, program=program, closed_form=None)


PWS_KEYS_TWO_TERMS = Mechanism(
    name="pws-keys-two-terms",
    words="pws-keys without the bound on how fast keys may stop being left out",
    source="weighted-sampling, Algorithm 3, without (17)",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("imax", "4", "the greatest frequency audited"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="pws-keys",
    fault="the minimum without its third term",
)
