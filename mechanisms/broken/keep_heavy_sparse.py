"""The faults of keep-heavy-sparse."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers import ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import (
    KEEP_HEAVY_SPARSE,
    above,
    distinct,
    keep_heavy_sparse,
    runner_up,
)
from dpcert.mechanisms.mechanism import Expected, integer

fault = FaultsOf(KEEP_HEAVY_SPARSE, defaults={"n": "1", "universe": "3"})


def parts(settings: Settings) -> tuple[int, int, Callable[[int, Coins], int], Callable[[int, Coins], tuple[int, ...]]]:
    """Return the number of people, that of labels, the noisy count, and the greatest noisy counts of empty bins."""
    n, universe, sampler = integer(settings, "n", least=1), integer(settings, "universe", least=2), Sampler.of(settings)
    order_statistics = ordsample.ordsample(cumulative=ordsample.scaled_cumulative(sampler.law(0), n))
    return n, universe, sampler.program, order_statistics


def continuous_order_statistics(*, cumulative: Sequence[int]) -> Callable[[int, Coins], tuple[int, ...]]:
    """Map m to n + 1 counts, the k-th after v at most z with probability (F(z)/F(v))^(m-k), where `ordsample` is meant.

    Given that the k greatest of m independent counts end with v, the others are *not* m - k counts at most v: how
    many of the m are v is not known to be one for each of the k.
    """
    n = len(cumulative) - 1

    def release(m: int, coins: Coins) -> tuple[int, ...]:
        counts: list[int] = []
        v = n
        for left in range(m, m - n - 1, -1):
            u = coins.below(cumulative[v] ** left)
            v = next(z for z in range(v + 1) if u < cumulative[z] ** left)
            counts.append(v)
        return tuple(counts)

    return release


@fault(
    "keep-heavy-sparse-earlier",
    source="finite-computers, Section 6.1, the correction after Proposition 6.5",
    fault="the conditional law of order statistics without ties, for counts with ties",
    edit=("continuous_order_statistics(cumulative=", "ordsample.ordsample(cumulative="),
    expected=Expected([0], [1], [((0, 1),)], "1125/6561", "560/6561"),
)
def keep_heavy_sparse_earlier(settings: Settings) -> Program:
    """keep-heavy-sparse with order statistics drawn as those of a continuous law"""
    n, universe, sampler, _ = parts(settings)
    cumulative = ordsample.scaled_cumulative(Sampler.of(settings).law(0), n)
    order_statistics = continuous_order_statistics(cumulative=cumulative)
    return keep_heavy_sparse(n=n, universe=universe, sampler=sampler, order_statistics=order_statistics)


@fault(
    "keep-heavy-sparse-empties",
    source="finite-computers, Algorithm 6.4, step 1, with n for |A|",
    fault="empty bins counted as if all people had different labels",
    edit=("order_statistics(universe - n, coins)", "order_statistics(empty, coins)"),
    defaults={"n": "2", "universe": "5"},
    expected=Expected([0, 0], [0, 1], [((0, 2),)], "16889/164025", "6784/164025"),
)
def keep_heavy_sparse_empties(settings: Settings) -> Program:
    """keep-heavy-sparse with order statistics of |X| - n counts for those of m"""
    n, universe, sampler, order_statistics = parts(settings)

    def fewer(empty: int, coins: Coins) -> tuple[int, ...]:
        return order_statistics(universe - n, coins)

    return keep_heavy_sparse(n=n, universe=universe, sampler=sampler, order_statistics=fewer)


@fault(
    "keep-heavy-sparse-few",
    source="finite-computers, Algorithm 6.4, step 4, without order statistics",
    fault="n + 1 noisy counts for the greatest n + 1 of m",
    edit=("for _ in range(n + 1)), reverse=True)", "for _ in range(m)), reverse=True)[: n + 1]"),
    defaults={"universe": "4"},
    expected=Expected([0], [1], [((0, 1),)], "125/729", "160/2187"),
)
def keep_heavy_sparse_few(settings: Settings) -> Program:
    """keep-heavy-sparse with noisy counts for n + 1 empty bins, whichever these are"""
    n, universe, sampler, _ = parts(settings)

    def any_counts(m: int, coins: Coins) -> tuple[int, ...]:
        return tuple(sorted((sampler(0, coins) for _ in range(n + 1)), reverse=True))

    return keep_heavy_sparse(n=n, universe=universe, sampler=sampler, order_statistics=any_counts)


@fault(
    "keep-heavy-sparse-first",
    source="finite-computers, Algorithm 6.4, step 3, without coins",
    fault="the first empty labels for uniformly drawn ones",
    edit=("zip(empty, counts, strict=False)", "zip(coins.sample(empty, n + 1), counts, strict=True)"),
    expected=Expected([0], [2], [((1, 1),)], "160/729", "0"),
)
def keep_heavy_sparse_first(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """keep-heavy-sparse with the first empty labels for the heaviest empty bins"""
    n, universe, sampler, order_statistics = parts(settings)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        occur = sorted(set(people))
        empty = [label for label in range(universe) if label not in occur]
        noisy = [(label, sampler(people.count(label), coins)) for label in occur]
        counts = order_statistics(len(empty), coins)
        candidates = sorted([*noisy, *zip(empty, counts, strict=False)])
        return above(tuple(candidates), runner_up((count for _, count in candidates), n))

    return release


@fault(
    "keep-heavy-sparse-labels",
    source="finite-computers, Algorithm 6.4, step 3, with X for X without A",
    fault="labels of empty bins from all labels",
    edit=("list(range(universe))", "[label for label in range(universe) if label not in occur]"),
    expected=Expected([0], [1], [((0, 1),)], "575/2187", "224/2187"),
)
def keep_heavy_sparse_labels(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """keep-heavy-sparse with the labels of empty bins drawn from the whole universe"""
    n, universe, sampler, order_statistics = parts(settings)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        occur = sorted(set(people))
        noisy = {label: sampler(people.count(label), coins) for label in occur}
        pool = list(range(universe))
        places = distinct(n + 1, len(pool), coins)
        counts = order_statistics(universe - len(occur), coins)
        drawn = zip((pool[place] for place in places(n + 1)), counts, strict=True)
        candidates = {**dict(drawn), **noisy}
        return above(tuple(sorted(candidates.items())), runner_up(candidates.values(), n))

    return release


@fault(
    "keep-heavy-sparse-ties",
    source="finite-computers, Algorithm 6.4, step 6, as Footnote 4 warns",
    fault="the n heaviest candidates, ties included",
    edit=(
        "sorted(candidates, key=lambda one: -one[1])[:n]",
        "[one for one in candidates if one[1] > sorted(count for _, count in candidates)[-n - 1]]",
    ),
    expected=Expected([0], [1], [((0, 1),)], "5/9", "112/729"),
)
def keep_heavy_sparse_ties(settings: Settings) -> Callable[[Sequence[int], Coins], Bins]:
    """the n heaviest candidates of keep-heavy-sparse, those that occur first where counts are equal"""
    n, universe, sampler, order_statistics = parts(settings)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        occur = sorted(set(people))
        empty = [label for label in range(universe) if label not in occur]
        noisy = [(label, sampler(people.count(label), coins)) for label in occur]
        places = distinct(n + 1, len(empty), coins)
        counts = order_statistics(len(empty), coins)
        drawn = zip(places(n + 1), counts, strict=True)
        candidates = [*noisy, *((empty[place], count) for place, count in drawn)]
        heaviest = sorted(candidates, key=lambda one: -one[1])[:n]
        return tuple(sorted((label, count) for label, count in heaviest if count))

    return release
