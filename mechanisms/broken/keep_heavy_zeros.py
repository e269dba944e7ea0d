"""Keep-heavy without noise on empty bins: a label that is released occurs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, above, parameters, runner_up
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_ZEROS"]


def without_noise_on_empty_bins(
    *, n: int, universe: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release what is heavy if bins of count 0 get no noise, where all bins are to get it."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        noisy = (sampler(people.count(label), coins) if label in people else 0 for label in range(universe))
        bins = tuple(enumerate(noisy))
        return above(bins, runner_up((count for _, count in bins), n))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    program = without_noise_on_empty_bins(n=n, universe=universe, sampler=Sampler.of(settings).program)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_ZEROS = Mechanism(
    name="keep-heavy-zeros",
    words="keep-heavy of a histogram whose empty bins have no noise",
    source="finite-computers, Algorithm 6.1, step 1, with noise on A alone",
    parameters=parameters(n=1, universe=2),
    build=_build,
    expect="refuted",
    twin="keep-heavy",
    fault="no noise on the empty among the bins to choose from",
)
