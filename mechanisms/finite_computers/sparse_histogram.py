"""Sparse-histogram: keep-heavy from short numbers, with a cost that grows with the logarithm of the universe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby, product
from math import factorial, perm, prod

from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample, approx_ordsample_law
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, lists
from dpcert.mechanisms.finite_computers.distinct import distinct_elsewhere
from dpcert.mechanisms.finite_computers.keep_heavy import MAX_ROWS, TWO_LABELS, above, outcomes, runner_up
from dpcert.mechanisms.finite_computers.keep_heavy import PARAMETERS as BASE_PARAMETERS
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse, rational_ratio


def precision(*, n: int, universe: int, delta: Fraction) -> int:
    """Return s = (n^2 + 2n) universe / delta, below which the numbers for the order statistics are drawn.

    Requires: 1/delta a positive integer.
    Source:   finite-computers, Algorithm 6.21, step 4.
    """
    return (n * n + 2 * n) * universe * int(1 / delta)


def sparse_histogram(
    *,
    n: int,
    universe: int,
    sampler: Callable[[int, Coins], int],
    order_statistics: Callable[[int, Coins], tuple[int, ...]],
    elsewhere: Callable[..., tuple[int, ...]] = distinct_elsewhere,
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `keep_heavy_sparse` does, from draws that are the same for every input.

    It draws n noisy counts and throws away those that no label needs. It draws 2n + 1 distinct labels of the whole
    universe and skips those that occur. `order_statistics` maps m, the number of labels that do not occur, to the
    counts of n + 1 of them, the greatest first; `elsewhere` draws their labels.

    Requires: universe >= 2n + 1; inputs are lists of n labels from 0 to universe - 1; the sampler takes counts 0..n to
              counts in [0, n]; the draws of the sampler and of `order_statistics` do not depend on their inputs.
    Claims:   where `order_statistics` is within total variation delta of n + 1 order statistics of the sampler's
              counts of 0, and the sampler (e, 0)-DP for counts that differ by one: within delta of `keep_heavy`, and
              (2e, (exp(2e) + 1) delta)-DP for lists that differ in one label. The draws disclose nothing.
    Source:   finite-computers, Algorithm 6.21 and Theorem 6.8. As printed, the algorithm draws for the labels that
              occur, so its draws disclose their number.
    """

    @summarize
    def heaviest(counts: dict[int, int], coins: Coins) -> tuple[Bins, tuple[int, ...]]:
        noisy = tuple([(label, sampler(count, coins)) for label, count in sorted(counts.items())])
        for _ in range(n - len(noisy)):
            nothing(coins)
        others = order_statistics(universe - len(noisy), coins)
        floor = runner_up([*others, *(count for _, count in noisy)], n)
        return above(noisy, floor), tuple([count for count in others if count > floor])

    @summarize
    def nothing(coins: Coins) -> None:
        sampler(0, coins)

    @summarize
    def labels(held: tuple[int, ...], wanted: int, coins: Coins) -> tuple[int, ...]:
        return elsewhere(universe=universe, held=held, most=n, amount=n + 1, wanted=wanted, coins=coins)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        counts = dict(Counter(people))
        noisy, others = heaviest(counts, coins)
        places = labels(tuple(counts), len(others), coins)
        return tuple(sorted([*noisy, *zip(places, others, strict=True)]))

    return release


def sparse_histogram_law(
    *, n: int, universe: int, law: Callable[[int], Dist], order_statistics: Callable[[int], Dist]
) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `sparse_histogram` in closed form, from those of the noisy counts and order statistics.

    With the order statistics of `ordsample` it is the law of `keep_heavy`, computed by other sums.
    """

    @cache
    def kept(counts: tuple[int, ...]) -> tuple[int, dict[tuple[tuple[int, ...], tuple[int, ...]], int]]:
        """Return a denominator and the weights by kept counts: of the given labels (0 for none) and of other labels."""
        m = universe - len(counts)
        laws = [list(law(count).weights()) for count in counts]
        weights: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        order = order_statistics(m)
        for rows in product(order.weights(), *laws):
            (_, others, weight), noisy = rows[0], tuple(row[1] for row in rows[1:])
            floor = runner_up([*others, *noisy], n)
            heavy = tuple(z for z in others if z > floor)
            state = tuple(z if z > floor else 0 for z in noisy), heavy
            ways = prod(factorial(len(list(same))) for _, same in groupby(heavy)) * perm(m - len(heavy), n - len(heavy))
            weights[state] = weights.get(state, 0) + weight * ways * prod(row[2] for row in rows[1:])
        return order.denominator * perm(m, n) * prod(law(count).denominator for count in counts), weights

    def placed(free: tuple[int, ...], counts: tuple[int, ...]) -> Iterator[Bins]:
        """Return every way to give the counts, the greatest first, to distinct free labels."""
        if not counts:
            yield ()
            return
        same = counts.count(counts[0])
        for chosen in combinations(free, same):
            rest = tuple(label for label in free if label not in chosen)
            for later in placed(rest, counts[same:]):
                yield (*((label, counts[0]) for label in chosen), *later)

    def sparse_law(people: Sequence[int]) -> Dist:
        occur = sorted(set(people))
        free = tuple(label for label in range(universe) if label not in occur)
        denominator, states = kept(tuple(sum(person == label for person in people) for label in occur))
        return Dist.from_weights(
            (
                (tuple(sorted([*((x, z) for x, z in zip(occur, noisy, strict=True) if z), *others])), weight)
                for (noisy, heavy), weight in states.items()
                for others in placed(free, heavy)
            ),
            denominator,
        )

    return sparse_law


def scope(settings: Mapping[str, str]) -> tuple[int, int]:
    """Return n and the universe of the textual parameters, where all lists and outcomes can be enumerated.

    Raises: InputError where the universe has fewer than 2n + 1 labels, or is too large; the largest that can be is
            named.
    """
    n = integer(settings, "n", least=1, greatest=1000)
    universe = integer(settings, "universe", least=2, greatest=2**64)
    if universe < 2 * n + 1:
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"universe >= {2 * n + 1}, so that n + 1 labels do not occur",
            remedy=f"set universe={2 * n + 1}, or take basic-histogram",
        )
    if outcomes(n, universe) > MAX_ROWS:
        most = 2 * n + 1
        while outcomes(n, most + 1) <= MAX_ROWS:
            most += 1
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"at most {MAX_ROWS} outcomes of all universe^n lists together, to enumerate them",
            remedy=(f"set universe={most}" if outcomes(n, most) <= MAX_ROWS else "set n=3, universe=7")
            + f", or audit basic-histogram {TWO_LABELS}: this is within delta of a function of its outcome; "
            "sampling itself has no such limit",
        )
    return n, universe


def _build(settings: Mapping[str, str]) -> Instance:
    (n, universe), sampler = scope(settings), Sampler.of(settings)
    delta = inverse(settings, "delta")
    s, cumulative = precision(n=n, universe=universe, delta=delta), scaled_cumulative(sampler.law(0), n)
    return Instance(
        program=sparse_histogram(
            n=n,
            universe=universe,
            sampler=sampler.program,
            order_statistics=approx_ordsample(cumulative=cumulative, s=s),
        ),
        closed_form=sparse_histogram_law(
            n=n,
            universe=universe,
            law=sampler.law,
            order_statistics=approx_ordsample_law(cumulative=cumulative, s=s),
        ),
        inputs=tuple(lists(n, universe)),
        neighbours="substitute",
        epsilon=sampler.epsilon,
        delta=min(Fraction(1), (rational_ratio(sampler.epsilon) + 1) * delta),
        domain=label_lists(n, universe),
    )


PARAMETERS = (
    *BASE_PARAMETERS,
    Parameter("delta", "1/1000", "1/delta is an integer; how far at most it is from keep-heavy"),
)

SPARSE_HISTOGRAM = Mechanism(
    name="sparse-histogram",
    words="keep-heavy from short numbers: it costs as much as the logarithm of the universe",
    source="finite-computers, Algorithm 6.21, Theorem 6.8",
    parameters=PARAMETERS,
    build=_build,
)
