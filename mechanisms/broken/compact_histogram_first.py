"""A compact histogram that takes the first number of each count: the others tell an empty label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import Release, polynomials, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["COMPACT_HISTOGRAM_FIRST"]


def first(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release as `compact_histogram` does, with the first number that gives the count for a random one."""

    def release(people: Sequence[int], coins: Coins) -> Release:
        counts = sorted(Counter(people).items())
        noisy = [sampler(count, coins) for _, count in counts]
        seeds = []
        for count in noisy:
            numbers = empty.preimages(count)
            seeds.append(numbers.start - 1 + 0)
        rest = [int(coins.below(1 << family.bits)) for _ in range(n + 1 - len(counts))]
        return family.through([label for label, _ in counts], seeds, rest)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return polynomials(settings, first)


COMPACT_HISTOGRAM_FIRST = Mechanism(
    name="compact-histogram-first",
    words="a random polynomial whose values at the labels that occur are the same for each count",
    source="finite-computers, Lemma 8.1 iv, step 1 with a fixed u",
    parameters=small(n="1", weight="2"),
    build=_build,
    expect="refuted",
    twin="compact-histogram",
    fault="one number for each count where a random one of all is meant",
)
