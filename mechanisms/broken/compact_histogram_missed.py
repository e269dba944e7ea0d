"""A compact histogram whose labels never take the last number of their count, as empty ones do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import Release, polynomials, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["COMPACT_HISTOGRAM_MISSED"]


def missed(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release as `compact_histogram` does, from all numbers that give the count but the last."""

    def release(people: Sequence[int], coins: Coins) -> Release:
        counts = sorted(Counter(people).items())
        noisy = [sampler(count, coins) for _, count in counts]
        seeds = []
        for count in noisy:
            numbers = empty.preimages(count)
            seeds.append(numbers.start - 1 + int(coins.below(numbers.stop - numbers.start - 1)))
        rest = [int(coins.below(1 << family.bits)) for _ in range(n + 1 - len(counts))]
        return family.through([label for label, _ in counts], seeds, rest)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return polynomials(settings, missed)


COMPACT_HISTOGRAM_MISSED = Mechanism(
    name="compact-histogram-missed",
    words="a random polynomial whose values at the labels that occur miss a number each",
    source="finite-computers, Lemma 8.4 v, its interval short by one",
    parameters=small(n="1", weight="1"),
    build=_build,
    expect="refuted",
    twin="compact-histogram",
    fault="the interval of numbers that give a count, off by one",
)
