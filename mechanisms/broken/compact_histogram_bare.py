"""A compact histogram that interpolates the labels that occur and nothing else: the degree tells how many do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import Release, polynomials, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["COMPACT_HISTOGRAM_BARE"]


def bare(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release as `compact_histogram` does, without its random multiple of the product of x - label."""

    def release(people: Sequence[int], coins: Coins) -> Release:
        counts = sorted(Counter(people).items())
        noisy = [sampler(count, coins) for _, count in counts]
        seeds = []
        for count in noisy:
            numbers = empty.preimages(count)
            seeds.append(numbers.start - 1 + int(coins.below(numbers.stop - numbers.start)))
        rest = [0] * (n + 1 - len(counts))
        return family.through([label for label, _ in counts], seeds, rest)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return polynomials(settings, bare)


COMPACT_HISTOGRAM_BARE = Mechanism(
    name="compact-histogram-bare",
    words="a polynomial through the noisy counts of the labels that occur, of least degree",
    source="finite-computers, Lemma 8.1 iv without step 2",
    parameters=small(n="2", weight="1"),
    build=_build,
    expect="refuted",
    twin="compact-histogram",
    fault="interpolation without random values where fewer than n + 1 labels occur",
)
