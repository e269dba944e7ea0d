"""A sampling threshold from the exact total: whoever knows the others reads one frequency off it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.private_threshold import (
    PWS_PRIVATE_THRESHOLD,
    Outcome,
    Reporting,
    reporting_at,
)

__all__ = ["PWS_PRIVATE_THRESHOLD_EXACT"]


def from_exact(
    *, total: Callable[[int, Coins], int], reporting: Reporting
) -> Callable[[Sequence[int], Coins], Outcome]:
    """Release as `private_threshold` does, with the total itself where a noisy one is meant."""

    def release(frequencies: Sequence[int], coins: Coins) -> Outcome:
        noisy = sum(frequencies)
        q, pi = reporting(noisy)
        sample = [key for key, i in enumerate(frequencies) if i and coins.bernoulli(q[i - 1])]
        kept = (key for key in sample if coins.bernoulli(pi[frequencies[key] - 1] / q[frequencies[key] - 1]))
        return noisy, tuple(kept)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = PWS_PRIVATE_THRESHOLD.build(settings)
    keys, imax = integer(settings, "keys", least=1), integer(settings, "imax", least=1)
    ratio, noise = (rational_ratio(Epsilon.of(settings[name])) for name in ("epsilon", "total-epsilon"))
    size, delta = exact(settings["size"], "size"), exact(settings["delta"], "delta")
    reporting = reporting_at(size=size, imax=imax, ratio=ratio, delta=delta)
    total = geometric(n=keys * imax, ratio=noise)
    return replace(meant, program=from_exact(total=total, reporting=reporting), closed_form=None)


PWS_PRIVATE_THRESHOLD_EXACT = Mechanism(
    name="pws-private-threshold-exact",
    words="pws-private-threshold with the exact total in place of the noisy one",
    source="weighted-sampling, Section 3.1, without a private approximation of the total",
    parameters=(
        Parameter("epsilon", "ln(2)", "what the reports of keys spend"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("total-epsilon", "ln(2)", "what the noisy total is to spend"),
        Parameter("size", "1", "the sample size that is aimed at"),
        Parameter("keys", "1", "the number of keys"),
        Parameter("imax", "1", "the greatest frequency audited"),
    ),
    build=_build,
    expect="refuted",
    twin="pws-private-threshold",
    fault="the exact total for the noisy one",
)
