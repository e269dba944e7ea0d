"""The faults of pws-private-threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric
from dpcert.mechanisms.mechanism import Expected, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.private_threshold import (
    PWS_PRIVATE_THRESHOLD,
    Outcome,
    Reporting,
    private_threshold,
    reporting_at,
)

fault = FaultsOf(PWS_PRIVATE_THRESHOLD, defaults={"size": "2", "imax": "2"})


def parts(settings: Settings) -> tuple[Callable[[int, Coins], int], Reporting]:
    """Return the noisy total, and the probabilities at which keys are sampled and reported for one."""
    keys, imax = integer(settings, "keys", least=1), integer(settings, "imax", least=1)
    ratio, noise = (rational_ratio(Epsilon.of(settings[name])) for name in ("epsilon", "total-epsilon"))
    size, delta = exact(settings["size"], "size"), exact(settings["delta"], "delta")
    return geometric(n=keys * imax, ratio=noise), reporting_at(size=size, imax=imax, ratio=ratio, delta=delta)


@fault(
    "pws-private-threshold-capped",
    source="weighted-sampling, Section 3.1, a bottom-k sample's fixed size, taken over",
    fault="a sample cut to a fixed number of keys before it is sanitized",
    edit=("coins.bernoulli(q[i - 1])][:1]", "coins.bernoulli(q[i - 1])]"),
    expected=Expected([0, 2], [1, 2], [(2, (1,)), (0, (1,))], "3/20", "0"),
)
def pws_private_threshold_capped(settings: Settings) -> Callable[[Sequence[int], Coins], Outcome]:
    """pws-private-threshold on a sample that is cut to one key"""
    total, reporting = parts(settings)

    def release(frequencies: Sequence[int], coins: Coins) -> Outcome:
        noisy = total(sum(frequencies), coins)
        q, pi = reporting(noisy)
        sample = [key for key, i in enumerate(frequencies) if i and coins.bernoulli(q[i - 1])][:1]
        kept = (key for key in sample if coins.bernoulli(pi[frequencies[key] - 1] / q[frequencies[key] - 1]))
        return noisy, tuple(kept)

    return release


@fault(
    "pws-private-threshold-exact",
    source="weighted-sampling, Section 3.1, without a private approximation of the total",
    fault="the exact total for the noisy one",
    edit=("total=lambda total, coins: total", "total=_total"),
    defaults={"size": "1", "keys": "1", "imax": "1"},
    expected=Expected([0], [1], [(0, ())], "1", "0"),
)
def pws_private_threshold_exact(settings: Settings) -> Program:
    """pws-private-threshold with the exact total in place of the noisy one"""
    _total, reporting = parts(settings)
    return private_threshold(total=lambda total, coins: total, reporting=reporting)
