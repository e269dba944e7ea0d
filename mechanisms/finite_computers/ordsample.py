"""OrdSample: the greatest of many independent counts, drawn level by level from the top as a histogram."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, pairwise
from math import comb

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.drawn import bit_by_bit
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError


def scaled_cumulative(law: Dist, n: int) -> tuple[int, ...]:
    """Return F(0), ..., F(n) for the law of a count in [0, n]: F(z)/F(n) is the probability of at most z.

    Requires: a law without a tail, on 0, ..., n.
    Source:   finite-computers, Definition 4.3, for the law of a noisy count of 0.
    """
    weights = {count: weight for _, count, weight in law.weights()}
    if law.tail_weight or not weights.keys() <= set(range(n + 1)):
        raise InputError(
            given=f"a law with {len(law)} outcomes", needed=f"a law on 0 to {n}, tail 0", remedy="clamp it, or raise n"
        )
    return tuple(accumulate(weights.get(z, 0) for z in range(n + 1)))


def capped_binomial(*, trials: int, hit: int, miss: int, cap: int, coins: Coins) -> int:
    """Draw min(Bin(trials, hit / (hit + miss)), cap) from one uniform number below (hit + miss)^trials.

    Requires: trials >= 0, hit >= 0, miss >= 0, hit + miss >= 1, cap >= 0.
    Source:   finite-computers, Algorithm 6.7, step 2 a; inverse transform sampling, Lemma 2.13.
    """
    u, below = coins.below((hit + miss) ** trials), 0
    for successes in range(cap):
        below += comb(trials, successes) * hit**successes * miss ** (trials - successes)
        if u < below:
            return successes
    return cap


def ordsample(*, cumulative: Sequence[int]) -> Callable[[int, Coins], tuple[int, ...]]:
    """Return the program that maps m to the n + 1 greatest of m independent counts in [0, n], the greatest first.

    `cumulative` is F(0), ..., F(n): each count is at most z with probability F(z)/F(n).

    Requires: n >= 1; 1 <= F(0) <= F(1) <= ... <= F(n); m >= n + 1.
    Claims:   the law of (Z_(m), ..., Z_(m-n)) for independent Z_1, ..., Z_m, exactly. It always draws n times; the
              numbers drawn have up to m log2 F(n) bits.
    Source:   finite-computers, Algorithm 6.7 and Proposition 6.6.
    Raises:   InputError for another F, and when the program is given m <= n.
    """
    n = greatest(cumulative)

    def release(m: int, coins: Coins) -> tuple[int, ...]:
        _enough(m, n)
        counts: list[int] = []
        for v in range(n, 0, -1):
            below = cumulative[v - 1]
            cap = n + 1 - len(counts)
            hits = capped_binomial(trials=m - len(counts), hit=cumulative[v] - below, miss=below, cap=cap, coins=coins)
            counts += [v] * hits
        return (*counts, *[0] * (n + 1 - len(counts)))

    return release


def geometric_order_statistics(*, n: int, ratio: Fraction) -> Callable[[int, Coins], tuple[int, ...]]:
    """Return the program that maps m to the n + 1 greatest of m noisy counts of 0, the greatest first.

    A noisy count is that of `clamped_noise`: at least 1 with probability alpha/(1 + alpha) for alpha = 1/ratio, and
    then at least one more with probability alpha each time, up to n. One draw for each level says how many reach it.

    Requires: n >= 1; ratio > 1; m >= n + 1.
    Claims:   the law of `ordsample` for the law of these counts, from about 2 m ratio/(ratio - 1) bits.
    Source:   finite-computers, Proposition 6.6.
    """
    alpha = 1 / ratio
    positive, more = bit_by_bit(alpha / (1 + alpha)), bit_by_bit(alpha)

    def release(m: int, coins: Coins) -> tuple[int, ...]:
        _enough(m, n)
        reached = [m, positive(m, coins)]
        while reached[-1] and len(reached) <= n:
            reached.append(more(reached[-1], coins))
        counts: list[int] = []
        for v in range(len(reached) - 1, -1, -1):
            counts += [v] * (min(reached[v], n + 1) - len(counts))
        return tuple(counts)

    return release


def ordsample_law(*, cumulative: Sequence[int]) -> Callable[[int], Dist]:
    """Return the law of `ordsample` in closed form, by the multinomial law of how often each count occurs.

    Let w be the lowest value of an outcome (c_0, ..., c_n). The outcome fixes how many of the m counts are v, for each
    v > w. All other counts are at most w, and enough of them are w.

    Requires: as `ordsample`.
    """
    n = greatest(cumulative)
    point = [cumulative[0], *(above - below for below, above in pairwise(cumulative))]

    def weights(m: int) -> Iterator[tuple[tuple[int, ...], int]]:
        for counts in combinations_with_replacement(range(n, -1, -1), n + 1):
            lowest, left, weight = counts[-1], m, 1
            for v in range(n, lowest, -1):
                times = counts.count(v)
                weight *= comb(left, times) * point[v] ** times
                left -= times
            below = cumulative[lowest] - point[lowest]
            enough = range(counts.count(lowest), left + 1)
            yield counts, weight * sum(comb(left, j) * point[lowest] ** j * below ** (left - j) for j in enough)

    def law(m: int) -> Dist:
        _enough(m, n)
        return Dist.from_weights(weights(m), cumulative[-1] ** m)

    return law


def order_statistic_cdf(*, cumulative: Sequence[int], m: int, rank: int, z: int) -> Fraction:
    """Return the probability that the (rank + 1)-st greatest of m independent counts is at most z.

    That is Pr[Z_(m - rank) <= z], the probability that at most `rank` of the counts are above z.

    Requires: `cumulative` as for `ordsample`; 0 <= rank < m; 0 <= z <= n.
    """
    whole, at_most = cumulative[-1], cumulative[z]
    weight = sum(comb(m, above) * (whole - at_most) ** above * at_most ** (m - above) for above in range(rank + 1))
    return Fraction(weight, whole**m)


def greatest(cumulative: Sequence[int]) -> int:
    """Return n for the values F(0), ..., F(n) that `ordsample` takes.

    Raises: InputError for other values.
    """
    n = len(cumulative) - 1
    if n < 1 or cumulative[0] < 1 or list(cumulative) != sorted(cumulative):
        raise InputError(
            given=f"F of {len(cumulative)} values",
            needed="at least two integers, the first >= 1, none below the one before",
            remedy="give F(0), ..., F(n) of a law on 0 to n, with F(n) its denominator",
        )
    return n


def _enough(m: int, n: int) -> None:
    if m <= n:
        raise InputError(
            given=f"m={m} counts in [0, {n}]",
            needed=f"m >= {n + 1}, of which the greatest {n + 1} are drawn",
            remedy="raise m",
        )
