"""A compact histogram without noise on the labels that occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import Release, polynomials, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["COMPACT_HISTOGRAM_TRUE"]


def noiseless(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release as `compact_histogram` does, with the counts as they are for the noisy ones."""

    def release(people: Sequence[int], coins: Coins) -> Release:
        counts = sorted(Counter(people).items())
        noisy = [count for _, count in counts]
        seeds = []
        for count in noisy:
            numbers = empty.preimages(count)
            seeds.append(numbers.start - 1 + int(coins.below(numbers.stop - numbers.start)))
        rest = [int(coins.below(1 << family.bits)) for _ in range(n + 1 - len(counts))]
        return family.through([label for label, _ in counts], seeds, rest)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return polynomials(settings, noiseless)


COMPACT_HISTOGRAM_TRUE = Mechanism(
    name="compact-histogram-true",
    words="a random polynomial through the true counts",
    source="finite-computers, Algorithm 8.2, without step 2",
    parameters=small(n="1", weight="2"),
    build=_build,
    expect="refuted",
    twin="compact-histogram",
    fault="counts hidden by the hash alone",
)
