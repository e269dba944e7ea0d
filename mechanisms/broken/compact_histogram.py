"""The faults of compact-histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.compact_histogram import (
    COMPACT_HISTOGRAM,
    Release,
    compact_histogram,
    ingredients,
)
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.mechanism import Expected, integer

fault = FaultsOf(COMPACT_HISTOGRAM, defaults={"sampler": "response", "weight": "1"}, without=("view",))


def parts(settings: Settings) -> tuple[int, HashFamily, Callable[[int, Coins], int], EmptyBin]:
    """Return the number of people, the hash family, the noisy count and the empty-bin sampler."""
    family, sampler, empty = ingredients(settings)
    return integer(settings, "n", least=1), family, sampler.program, empty


@fault(
    "compact-histogram-bare",
    source="finite-computers, Lemma 8.1 iv without step 2",
    fault="interpolation without random values where fewer than n + 1 labels occur",
    edit=("[0] * (n + 1 - len(counts))", "[int(coins.below(family.size)) for _ in range(n + 1 - len(counts))]"),
    defaults={"n": "2"},
    expected=Expected([0, 0], [0, 1], [(0, 0, 0)], "1/6", "1/36"),
)
def compact_histogram_bare(settings: Settings) -> Callable[[Sequence[int], Coins], Release]:
    """a polynomial through the noisy counts of the labels that occur, of least degree"""
    n, family, sampler, empty = parts(settings)

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


class Clamped(EmptyBin):
    """The sampler M(0, min(u0, d))."""

    def narrowed(self, u0: int) -> int:
        """Return min(u0, d), where f(u0) is meant."""
        return min(u0, self.zero.d)

    def last(self, u: int) -> int:
        """Return the greatest u0 with min(u0, d) <= u."""
        return u if u < self.zero.d else self.d0


@fault(
    "compact-histogram-clamped",
    source="finite-computers, Algorithm 8.5, with min(u0, d) for f(u0)",
    fault="an empty-bin sampler that is far from the noisy count of 0",
    edit=("Clamped(empty.zero, empty.d0)", "empty"),
    expected=Expected([0], [1], [(0, 1)], "1/8", "1/24"),
)
def compact_histogram_clamped(settings: Settings) -> Program:
    """a random polynomial, its value on an empty label read as a number from 1 to d, or d if beyond"""
    n, family, sampler, empty = parts(settings)
    return compact_histogram(n=n, family=family, sampler=sampler, empty=Clamped(empty.zero, empty.d0))


class First(EmptyBin):
    """The sampler with the first number for each count."""

    def preimages(self, count: int) -> range:
        """Return the first of the numbers that give a count, where all are meant."""
        return super().preimages(count)[:1]


@fault(
    "compact-histogram-first",
    source="finite-computers, Lemma 8.1 iv, step 1 with a fixed u",
    fault="one number for each count where a random one of all is meant",
    edit=("super().preimages(count)[:1]", "super().preimages(count)"),
    place=First,
    defaults={"weight": "2"},
    expected=Expected([0], [1], [(3, 1)], "1/6", "0"),
)
def compact_histogram_first(settings: Settings) -> Program:
    """a random polynomial whose values at the labels that occur are the same for each count"""
    n, family, sampler, empty = parts(settings)
    return compact_histogram(n=n, family=family, sampler=sampler, empty=First(empty.zero, empty.d0))


class Missed(EmptyBin):
    """The sampler with an interval that is short by one."""

    def preimages(self, count: int) -> range:
        """Return the numbers that give a count but for the last, where all are meant."""
        return super().preimages(count)[:-1]


@fault(
    "compact-histogram-missed",
    source="finite-computers, Lemma 8.4 v, its interval short by one",
    fault="the interval of numbers that give a count, off by one",
    edit=("super().preimages(count)[:-1]", "super().preimages(count)"),
    place=Missed,
    expected=Expected([0], [1], [(0, 1)], "1/8", "0"),
)
def compact_histogram_missed(settings: Settings) -> Program:
    """a random polynomial whose values at the labels that occur miss a number each"""
    n, family, sampler, empty = parts(settings)
    return compact_histogram(n=n, family=family, sampler=sampler, empty=Missed(empty.zero, empty.d0))


@fault(
    "compact-histogram-reused",
    source="finite-computers, Lemma 8.1 iv, step 1 with one u for all x of one count",
    fault="the hash value of a noisy count reused",
    edit=("drawn.setdefault(count, number)", "number"),
    defaults={"n": "2"},
    expected=Expected([0, 0], [0, 1], [(0, 0, 1)], "1/96", "0"),
)
def compact_histogram_reused(settings: Settings) -> Callable[[Sequence[int], Coins], Release]:
    """a random polynomial with one value for all labels of one noisy count"""
    n, family, sampler, empty = parts(settings)

    def release(people: Sequence[int], coins: Coins) -> Release:
        counts = sorted(Counter(people).items())
        noisy = [sampler(count, coins) for _, count in counts]
        seeds, drawn = [], dict[int, int]()
        for count in noisy:
            numbers = empty.preimages(count)
            number = numbers.start - 1 + int(coins.below(numbers.stop - numbers.start))
            seeds.append(drawn.setdefault(count, number))
        rest = [int(coins.below(family.size)) for _ in range(n + 1 - len(counts))]
        return family.through([label for label, _ in counts], seeds, rest)

    return release


@fault(
    "compact-histogram-true",
    source="finite-computers, Algorithm 8.2, without step 2",
    fault="counts hidden by the hash alone",
    edit=("sampler=lambda count, coins: count", "sampler=_sampler"),
    defaults={"weight": "2"},
    expected=Expected([0], [1], [(3, 1)], "1/4", "0"),
)
def compact_histogram_true(settings: Settings) -> Program:
    """a random polynomial through the true counts"""
    n, family, _sampler, empty = parts(settings)
    return compact_histogram(n=n, family=family, sampler=lambda count, coins: count, empty=empty)
