"""A stability-based histogram of a sample: sampled by true frequencies, for which the noise does not account."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter
from dpcert.mechanisms.weighted_sampling.sbh import SBH_SAMPLED, sbh, settled

__all__ = ["SBH_SAMPLED_FIRST"]


def sampled_first(
    *, threshold: int, sampler: Callable[[int, Coins], int], q: Sequence[Fraction]
) -> Callable[[int, Coins], int]:
    """Release as `sbh_sampled` does, kept with probability q at the true frequency where that at the value is meant."""
    private = sbh(threshold=threshold, sampler=sampler)

    def release(frequency: int, coins: Coins) -> int:
        value = private(frequency, coins)
        return value if value and coins.bernoulli(q[frequency - 1]) else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = SBH_SAMPLED.build(settings)
    sampler, _, q, threshold = settled(settings)
    return replace(meant, program=sampled_first(threshold=threshold, sampler=sampler, q=q), closed_form=None)


SBH_SAMPLED_FIRST = Mechanism(
    name="sbh-sampled-first",
    words="sbh on a sample that was taken by the true frequencies",
    source="weighted-sampling, Section 8.1, sampled and sanitized in the other order",
    parameters=(
        Parameter("epsilon", "ln(2)", "the claimed epsilon"),
        Parameter("delta", "1/6", "the claimed delta, above 0"),
        Parameter("threshold", "least", "printed, least, or a number"),
        Parameter("imax", "2", "the greatest frequency audited"),
        Parameter("most", "3", "the greatest value reported"),
        Parameter("q", "1/10, 1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
    expect="refuted",
    twin="sbh-sampled",
    fault="sampling by the true frequency for sampling by the noisy one",
)
