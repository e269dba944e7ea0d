"""A compact histogram that interpolates the labels that occur and nothing else: the degree tells how many do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import COMPACT_HISTOGRAM, Release, ingredients, small
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

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
    whole = {**settings, "view": "polynomial"}
    meant, (family, sampler, empty) = COMPACT_HISTOGRAM.build(whole), ingredients(whole)
    program = bare(n=integer(settings, "n", least=1), family=family, sampler=sampler.program, empty=empty)
    return replace(meant, program=program, closed_form=None)


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
