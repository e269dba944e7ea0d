"""A basic histogram whose bins share one noise: the differences of the counts come out as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, Bins
from dpcert.mechanisms.finite_computers.geosample import geosample, settings_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["BASIC_HISTOGRAM_SHARED_NOISE"]


def shared_noise(*, n: int, k: int, universe: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Release every label with its count plus one noise for all, where one for each is meant."""
    shifted = geosample(n=2 * n, k=k)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        noise = [shifted(n, coins) - n] * universe
        noisy = [min(max(people.count(label) + noise[label], 0), n) for label in range(universe)]
        return tuple(enumerate(noisy))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    n, k = settings_of(settings)
    universe = integer(settings, "universe", least=2)
    meant = BASIC_HISTOGRAM.build({**settings, "sampler": "geosample", "gamma": "1/2"})
    return replace(meant, program=shared_noise(n=n, k=k, universe=universe), closed_form=None)


BASIC_HISTOGRAM_SHARED_NOISE = Mechanism(
    name="basic-histogram-shared-noise",
    words="every label with its count plus one noise, drawn once",
    source="finite-computers, Algorithm 5.1, with one u for all x",
    parameters=(
        Parameter("n", "2", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
    ),
    build=_build,
    expect="refuted",
    twin="basic-histogram",
    fault="the noise reused across bins",
)
