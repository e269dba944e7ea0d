"""Keep-heavy: the bins with noisy counts strictly above the (n+1)-st greatest, from all bins or from few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, combinations, product
from math import comb, lcm, prod

from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.basic_histogram import PARAMETERS as BASIC_PARAMETERS
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, lists, tally
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer, with_defaults

MAX_ROWS = 500_000
"""The greatest number of outcomes of all inputs together that is audited."""

TWO_LABELS = "at any universe, by the two labels between which one person moves"


def runner_up(counts: Iterable[int], n: int) -> int:
    """Return the (n+1)-st greatest of some counts, 0 where there are no more than n of them."""
    ordered = sorted(counts, reverse=True)
    return ordered[n] if len(ordered) > n else 0


def above(bins: Bins, floor: int) -> Bins:
    """Return the bins whose count is above the floor, in their order."""
    return tuple([one for one in bins if one[1] > floor])


def keep_heavy(
    *, n: int, universe: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the labels, in order, whose noisy counts are strictly above the (n+1)-st greatest, with these counts.

    Labels get their noisy counts in blocks of n, one after the other. The (n+1)-st greatest count so far never falls,
    so counts that can no longer be released are forgotten after each block. An audit then merges all paths that agree
    on the rest.

    Requires: universe >= n + 1; inputs are lists of n labels from 0 to universe - 1; the sampler takes counts 0..n to
              counts in [0, n].
    Claims:   (2e, 0)-DP for lists that differ in one label, if the sampler is (e, 0)-DP for counts that differ by
              one. It releases at most n labels.
    Source:   finite-computers, Algorithm 6.1 and Theorem 6.2 i.
    """

    by_counts = keep_heavy_counts(n=n, universe=universe, sampler=sampler)
    return lambda people, coins: by_counts(tally(people), coins)


def keep_heavy_counts(*, n: int, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Bins, Coins], Bins]:
    """Release the labels, in order, whose noisy counts are strictly above the (n+1)-st greatest, with these counts.

    Requires: inputs are labels in order, each once, with how many people have it; n people in all.
    Claims:   those of `keep_heavy`, which is this program on the counts of a list.
    """

    def keep(state: tuple[int, Bins], block: Bins, coins: Coins) -> tuple[int, Bins]:
        floor, heavy = state
        noisy = tuple([(label, sampler(count, coins)) for label, count in block])
        heavy = above((*heavy, *noisy), floor)
        # The floor never falls, so a bin that is not above it now is never released: paths that differ there merge.
        floor = max(floor, runner_up((count for _, count in heavy), n))
        return floor, above(heavy, floor)

    def release(counts: Bins, coins: Coins) -> Bins:
        by_label = dict(counts)
        bins = [(label, by_label.get(label, 0)) for label in range(universe)]
        blocks = [tuple(bins[first : first + n]) for first in range(0, universe, n)]
        start: tuple[int, Bins] = (0, ())
        _, heavy = coins.fold(blocks, start, keep)
        return heavy

    return release


def distinct(amount: int, size: int, coins: Coins) -> Callable[[int], list[int]]:
    """Draw a uniform sequence of distinct numbers below `size`; return the function from a length to its beginning.

    An audit decides only the part of the sequence that a caller reads.

    Requires: amount <= size.
    Source:   finite-computers, Algorithm 6.4, step 3.
    """
    picks = [coins.below(size - drawn) for drawn in range(amount)]

    def beginning(length: int) -> list[int]:
        left = list(range(size))
        return [left.pop(pick) for pick in picks[:length]]

    return beginning


def keep_heavy_sparse(
    *,
    n: int,
    universe: int,
    sampler: Callable[[int, Coins], int],
    order_statistics: Callable[[int, Coins], tuple[int, ...]],
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `keep_heavy` does, from the noisy counts of the labels that occur and of n + 1 others.

    The others are drawn uniformly. `order_statistics` draws their counts: it maps m, the number of labels that do not
    occur, to the n + 1 greatest of m noisy counts of 0, the greatest first.

    Requires: universe >= 2n + 1, so that m >= n + 1; inputs and sampler as for `keep_heavy`.
    Claims:   the law of `keep_heavy`. The draws disclose how many labels occur; the claim is about the outcome.
    Source:   finite-computers, Algorithm 6.4 and Proposition 6.5.
    """

    @summarize
    def heavy_counts(counts: Bins, coins: Coins) -> tuple[Bins, list[int]]:
        """Return the heavy bins among those that occur, with noise, and the heavy counts of all others."""
        noisy = tuple([(label, sampler(count, coins)) for label, count in counts])
        greatest = order_statistics(universe - len(counts), coins)
        floor = runner_up([*greatest, *(count for _, count in noisy)], n)
        return above(noisy, floor), [count for count in greatest if count > floor]

    def release(people: Sequence[int], coins: Coins) -> Bins:
        counts = dict(tally(people))
        empty = [label for label in range(universe) if label not in counts]
        places = distinct(n + 1, len(empty), coins)
        heavy, greatest = heavy_counts(tuple(counts.items()), coins)
        drawn = zip(places(len(greatest)), greatest, strict=True)
        return tuple(sorted([*heavy, *((empty[place], count) for place, count in drawn)]))

    return release


def keep_heavy_law(*, n: int, universe: int, law: Callable[[int], Dist]) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `keep_heavy` and `keep_heavy_sparse` in closed form.

    A release of r labels has probability the product of their counts' probabilities times that, for some t below all
    of these counts, none of the other labels is above t and at least n + 1 - r of them are at t.
    """
    laws = [law(count) for count in range(n + 1)]
    whole = lcm(*(one.denominator for one in laws))
    point = [[int(one.prob(z) * whole) for z in range(n + 1)] for one in laws]
    at_most = [list(accumulate(row)) for row in point]

    @cache
    def others(counts: tuple[int, ...], least: int) -> list[int]:
        """Return for each z from 0 to n the weight that, for some t <= z, no other is above t and `least` are at t."""

        def at(t: int) -> int:
            ways = [1] + [0] * (least - 1)
            for count in counts:
                hit, miss = point[count][t], at_most[count][t] - point[count][t]
                ways = [miss * same + hit * fewer for same, fewer in zip(ways, [0, *ways], strict=False)]
            return prod(at_most[count][t] for count in counts) - sum(ways)

        return list(accumulate(at(t) for t in range(n + 1)))

    def weights(counts: tuple[int, ...]) -> Iterator[tuple[Bins, int]]:
        for r in range(n + 1):
            for labels in combinations(range(universe), r):
                rest = others(tuple(sorted(counts[x] for x in range(universe) if x not in labels)), n + 1 - r)
                for noisy in product(range(1, n + 1), repeat=r):
                    weight = prod(point[counts[x]][z] for x, z in zip(labels, noisy, strict=True))
                    yield tuple(zip(labels, noisy, strict=True)), weight * rest[min(noisy, default=n + 1) - 1]

    @cache
    def of_counts(counts: tuple[int, ...]) -> Dist:
        return Dist.from_weights(weights(counts), whole**universe)

    return lambda people: of_counts(tuple(sum(person == label for person in people) for label in range(universe)))


def outcomes(n: int, universe: int) -> int:
    """Return the number of outcomes of all lists together."""
    rows: int = universe**n * sum(comb(universe, r) * n**r for r in range(n + 1))
    return rows


def _scope(settings: Mapping[str, str], *, least: Callable[[int], int], words: str) -> tuple[int, int]:
    """Return n and the universe of the textual parameters, where all lists and outcomes can be enumerated.

    Raises: InputError where the universe is smaller than least(n), or one of the two too large.
    """
    n = integer(settings, "n", least=1, greatest=1000)
    universe = integer(settings, "universe", least=2)
    if universe < least(n):
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"universe >= {least(n)}, {words}",
            remedy=f"set universe={least(n)}",
        )
    if outcomes(n, universe) > MAX_ROWS:
        most = least(n)
        while outcomes(n, most + 1) <= MAX_ROWS:
            most += 1
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"at most {MAX_ROWS} outcomes of all universe^n lists together, to enumerate them",
            remedy=(
                f"set universe={most}" if outcomes(n, most) <= MAX_ROWS else f"lower n: n=3, universe={least(3)} can be"
            )
            + f", or audit basic-histogram {TWO_LABELS}: what is released here is a function of its outcome",
        )
    return n, universe


def _instance(
    settings: Mapping[str, str], n: int, universe: int, program: Callable[[Sequence[int], Coins], Bins]
) -> Instance:
    sampler = Sampler.of(settings)
    return Instance(
        program=program,
        closed_form=keep_heavy_law(n=n, universe=universe, law=sampler.law),
        inputs=tuple(lists(n, universe)),
        neighbours="substitute",
        epsilon=sampler.epsilon,
        domain=label_lists(n, universe),
    )


def _build(settings: Mapping[str, str]) -> Instance:
    n, universe = _scope(settings, least=lambda n: n + 1, words="the (n+1)-st greatest count is one of its labels'")
    program = keep_heavy(n=n, universe=universe, sampler=Sampler.of(settings).program)
    return _instance(settings, n, universe, program)


def _build_sparse(settings: Mapping[str, str]) -> Instance:
    n, universe = _scope(settings, least=lambda n: 2 * n + 1, words="so that n + 1 labels do not occur")
    sampler = Sampler.of(settings)
    order_statistics = ordsample(cumulative=scaled_cumulative(sampler.law(0), n))
    program = keep_heavy_sparse(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return _instance(settings, n, universe, program)


PARAMETERS = with_defaults(BASIC_PARAMETERS, n="2", universe="5")

KEEP_HEAVY = Mechanism(
    name="keep-heavy",
    words="the labels whose noisy counts are above the (n+1)-st greatest of all noisy counts",
    source="finite-computers, Algorithm 6.1, Theorem 6.2 i",
    parameters=PARAMETERS,
    build=_build,
)

KEEP_HEAVY_SPARSE = Mechanism(
    name="keep-heavy-sparse",
    words="keep-heavy without noise for every empty bin: their greatest noisy counts are drawn as order statistics",
    source="finite-computers, Algorithms 6.4 and 6.7, Proposition 6.5",
    parameters=PARAMETERS,
    build=_build_sparse,
)
