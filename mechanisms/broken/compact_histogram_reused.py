"""A compact histogram that draws one number for all labels of one noisy count: they are seen to agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import Release, polynomials, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["COMPACT_HISTOGRAM_REUSED"]


def reused(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release as `compact_histogram` does, with one number for each noisy count and not for each label."""

    def release(people: Sequence[int], coins: Coins) -> Release:
        counts = sorted(Counter(people).items())
        noisy = [sampler(count, coins) for _, count in counts]
        seeds, drawn = [], dict[int, int]()
        for count in noisy:
            numbers = empty.preimages(count)
            number = numbers.start - 1 + int(coins.below(numbers.stop - numbers.start))
            seeds.append(drawn.setdefault(count, number))
        rest = [int(coins.below(1 << family.bits)) for _ in range(n + 1 - len(counts))]
        return family.through([label for label, _ in counts], seeds, rest)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return polynomials(settings, reused)


COMPACT_HISTOGRAM_REUSED = Mechanism(
    name="compact-histogram-reused",
    words="a random polynomial with one value for all labels of one noisy count",
    source="finite-computers, Lemma 8.1 iv, step 1 with one u for all x of one count",
    parameters=small(n="2", weight="1"),
    build=_build,
    expect="refuted",
    twin="compact-histogram",
    fault="the hash value of a noisy count reused",
)
