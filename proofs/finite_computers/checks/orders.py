"""Checks of finite-computers, Section 6.1: keep-heavy from all bins and from few, and order statistics."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

from dpcert.mechanisms.broken.keep_heavy_sparse import continuous_order_statistics
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.ordsample import order_statistic_cdf, ordsample, scaled_cumulative
from dpcert.proofs.check import check
from dpcert.reading.paths.enumerator import enumerate_law


def cumulatives(n: int, greatest: int) -> Iterator[tuple[int, ...]]:
    """Return every F(0) <= ... <= F(n) with F(0) >= 1 and F(n) at most `greatest`."""
    for d in range(1, greatest + 1):
        yield from ((*head, d) for head in combinations_with_replacement(range(1, d + 1), n))


GRID = [(f, m) for n in (1, 2) for f in cumulatives(n, 3) for m in range(n + 1, n + 4)]


def _points(f: Sequence[int]) -> list[tuple[int, Fraction]]:
    return [(z, Fraction(above - below, f[-1])) for z, (above, below) in enumerate(zip(f, (0, *f), strict=False))]


def _greatest(f: Sequence[int], m: int) -> Dist:
    ways = product(_points(f), repeat=m)
    return Dist.of(
        (tuple(sorted((z for z, _ in way), reverse=True)[: len(f)]), prod((p for _, p in way), start=Fraction(1)))
        for way in ways
    )


@check("ordsample-law")
def ordsample_law_check() -> Iterator[str]:
    """OrdSample has the law of the n + 1 greatest of m independent counts."""
    return (f"F = {f}, m = {m}" for f, m in GRID if enumerate_law(ordsample(cumulative=f), m).law != _greatest(f, m))


@check("order-statistics-earlier")
def earlier_version_is_wrong() -> Iterator[str]:
    """The earlier version's conditional law fails for each F but point masses; first for two fair coins."""
    for f, m in GRID:
        same = enumerate_law(continuous_order_statistics(cumulative=f), m).law == _greatest(f, m)
        if same is not (f[0] == f[-1]):
            yield f"F = {f}, m = {m}: the laws are {'equal' if same else 'different'}"
    smallest = enumerate_law(continuous_order_statistics(cumulative=(1, 2)), 2).law.prob((1, 1))
    if (smallest, _greatest((1, 2), 2).prob((1, 1))) != (Fraction(3, 8), Fraction(1, 4)):
        yield "two fair coins"


@check("order-statistics-bits")
def bits_of_the_greatest() -> Iterator[str]:
    """Pr[Z_(m) = 0] = Pr[M(0, U) = 0]^m, in lowest terms over a denominator of more than m bits."""
    for n, k in product((1, 2, 3), (1, 2, 3)):
        law = geosample_law(n=n, k=k)(0)
        f = scaled_cumulative(law, n)
        for m in (1, 2, 3, 10, 100, 1000):
            none = order_statistic_cdf(cumulative=f, m=m, rank=0, z=0)
            exponentially_small = none <= Fraction(2, 3) ** m
            if none != law.prob(0) ** m or none.denominator.bit_length() <= m or not exponentially_small:
                yield f"n = {n}, k = {k}, m = {m}"
        for m in range(n + 1, n + 3):
            if enumerate_law(ordsample(cumulative=f), m).law.prob((0,) * (n + 1)) != law.prob(0) ** m:
                yield f"n = {n}, k = {k}, m = {m}: OrdSample"


@check("ties-from-candidates")
def ties_from_candidates() -> Iterator[str]:
    """The bins that are n-th heaviest or heavier, ties included, are not a function of A and q_0, ..., q_n."""

    def tied(bins: Sequence[tuple[int, int]], n: int) -> Bins:
        border = sorted((z for _, z in bins), reverse=True)[n - 1]
        return tuple(sorted((x, z) for x, z in bins if z >= border))

    law = geosample_law(n=1, k=1)
    f = scaled_cumulative(law(0), 1)
    for universe in (3, 4):
        everything = Dist.point(()).product(law(1), *[law(0)] * (universe - 1))
        of_all = everything.map(lambda row: tied(tuple(enumerate(row[1:])), 1))

        def of_few(_: int, coins: Coins, universe: int = universe) -> Bins:
            own = coins.bernoulli(law(1).prob(1))
            top = ordsample(cumulative=f)(universe - 1, coins)
            drawn = zip(coins.sample(range(1, universe), 2), top, strict=True)
            return tied([(0, int(own)), *drawn], 1)

        if (enumerate_law(of_few, 0).law == of_all) is not (universe == 3):
            yield f"n = 1, universe = {universe}, D = [0]"
