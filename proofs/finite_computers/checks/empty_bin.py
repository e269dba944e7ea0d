"""Checks of the empty-bin sampler and of the parameters of compact histograms: finite-computers, Section 8.3."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.compact_costs import exact_ratio, settled
from dpcert.mechanisms.finite_computers.count_response import count_response_law
from dpcert.mechanisms.finite_computers.empty_bin import (
    EmptyBin,
    NoisyZero,
    fastsample_zero,
    geosample_zero,
    response_zero,
)
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.finite_computers.hash_family import PrimeFamily
from dpcert.proofs.check import check


def beyond(law: Dist, count: int, a: int) -> Fraction:
    """Return the probability that a noisy count is further than a from the count."""
    return law.prob_of(lambda z: abs(z - count) > a)


SIZES = [(d, d0) for d in range(1, 14) for d0 in range(-(-4 * d // 3), 5 * d + 8)]


def _spread(d: int, d0: int) -> EmptyBin:
    return EmptyBin(NoisyZero(d - 1, d, lambda z: z + 1), d0)


@check("empty-bin-map")
def empty_map() -> Iterator[str]:
    """f of Algorithm 8.5 is as printed, does not decrease, and has the preimages and end points of the proof."""
    for d, d0 in SIZES:
        q, r = divmod(d0, d)
        one = _spread(d, d0)
        printed = [-(-u0 // (q + 1)) if r != 0 and u0 <= r * (q + 1) else -((r - u0) // q) for u0 in range(1, d0 + 1)]
        shifted = [-(-(u0 - r * (q + 1)) // q) + r for u0 in range(1, d0 + 1)]
        sizes = Counter(printed)
        fine = (
            printed == [one.narrowed(u0) for u0 in range(1, d0 + 1)] == sorted(printed)
            and all(a == b for a, b in zip(printed[r * (q + 1) :], shifted[r * (q + 1) :], strict=True))
            and all(sizes[u] == (q + 1 if u <= r else q) for u in range(1, d + 1))
            and all(one.last(u) == max(u0 for u0 in range(1, d0 + 1) if printed[u0 - 1] <= u) for u in range(1, d + 1))
            and all(list(one.preimages(u - 1)) == [i + 1 for i in range(d0) if printed[i] == u] for u in sizes)
        )
        if not fine:
            yield f"d = {d}, d0 = {d0}"


@check("empty-bin-ratios")
def empty_ratios() -> Iterator[str]:
    """Each u from 1 to d has between (1 - d/d0)/d and (1 + d/d0)/d, so e^(-2 d/d0) and e^(d/d0) times 1/d.

    The first u have more, so that M0 is at least as often small.
    """
    for d, d0 in SIZES:
        law, share = _spread(d, d0).law(), Fraction(d, d0)
        ratios = [law.prob(z) * d for z in range(d)]
        upper, lower = Epsilon.of(share).exp_bounds(64)[0], Epsilon.of(2 * share).exp_bounds(64)[0]
        held = all(1 - share <= ratio <= 1 + share <= upper and ratio * lower >= 1 for ratio in ratios)
        if not held or (d0 % d == 0) != (ratios == [1] * d):
            yield f"d = {d}, d0 = {d0}"
        if any(sum(ratios[:u]) < u for u in range(1, d + 1)):
            yield f"d = {d}, d0 = {d0}: M0 is less often small"


@check("empty-bin-counts")
def empty_counts() -> Iterator[str]:
    """M0 = M(0, f(u0)) for the samplers of Section 4: no decrease, the intervals of v, and the bounds of ii and iii."""
    zeros: list[tuple[NoisyZero, Dist]] = [
        *((geosample_zero(n=n, k=1), Dist.of(_geometric(n))) for n in (1, 2, 3)),
        *((response_zero(n=n, weight=w), count_response_law(n=n, weight=w)(0)) for n in (1, 4) for w in (1, 2, 5)),
    ]
    for zero, known in zeros:
        if zero.law() != known:
            yield f"n = {zero.n}, d = {zero.d}: another law at 0"
        for d0 in range(-(-4 * zero.d // 3), 3 * zero.d + 2):
            one = EmptyBin(zero, d0)
            counts = [one.count(u0) for u0 in range(1, d0 + 1)]
            intervals = all(
                list(one.preimages(v)) == [i + 1 for i in range(d0) if counts[i] == v] for v in range(zero.n + 1)
            )
            above = all(beyond(one.law(), 0, a) <= beyond(known, 0, a) for a in range(zero.n))
            if counts != sorted(counts) or not intervals or not above or one.law() != Dist.uniform(counts):
                yield f"n = {zero.n}, d = {zero.d}, d0 = {d0}"


def _geometric(n: int) -> dict[int, Fraction]:
    """GeoSample at c = 0 for e^(epsilon/2) = 3/2, from the density of the noise."""
    ratio = Fraction(3, 2)
    law = {z: (ratio - 1) / (ratio + 1) / ratio**z for z in range(n)}
    law[0] += 1 / (ratio + 1)
    law[n] = 1 - sum(law.values(), Fraction(0))
    return law


SETTINGS = [
    {"n": n, "universe": universe, "epsilon": Fraction(1, inverse), "beta": Fraction(1, beta)}
    for n in (1, 100, 10_000)
    for universe in (2, 10**6, 2**64)
    for inverse in (1, 2, 3, 7, 10)
    for beta in (1, 10, 10**6)
]


@check("compact-sizes")
def sizes() -> Iterator[str]:
    """The l of the proof of Theorem 8.6: d0 >= |X|, d/d0 <= epsilon/30, epsilon' + 3 d/d0 <= epsilon, d0 <= 8 max^3.

    The first three hold for a prime and a width, too.
    """
    for given in SETTINGS:
        n, universe = int(given["n"]), int(given["universe"])
        epsilon = Fraction(given["epsilon"])
        chosen = settled(n=n, universe=universe, epsilon=epsilon, beta=Fraction(given["beta"]))
        d0, d = 2 ** (2 * 3**chosen.exponent), chosen.d
        largest = max(Fraction(universe), 30 * d / epsilon)
        prime = PrimeFamily.least(universe=universe, size=chosen.least)
        fine = d0 <= 8 * largest**3 and universe <= min(d0, prime.small.order)
        if not fine or not all(
            Fraction(d, size) <= epsilon / 30 and chosen.epsilon + 3 * Fraction(d, size) <= epsilon
            for size in (d0, prime.size)
        ):
            yield ", ".join(f"{name} = {value}" for name, value in given.items())
    yield from (f"1/epsilon = {m}" for m in range(1, 20_000) if not _within_five(m))


def _within_five(m: int) -> bool:
    """Whether 2 / e for the noise of epsilon' is at most 5 m: 1 / ln(1 + 2^-k) <= 2^k + 1/2."""
    return Fraction(2 ** noise_exponent(Fraction(1, -(-10 * m // 9)))) + Fraction(1, 2) <= 5 * m


REAL = [(1, 1, 2), (6, 1, 2**64), (12, 2, 1000), (60, 1, 2**64)]
"""n, 1/epsilon, |X|; beta0 = 1/10."""


@check("compact-real-parameters")
def real_parameters() -> Iterator[str]:
    """At the parameters of Theorem 8.6: the least ratio is at most e^epsilon; errors are as ii says, and iii."""
    for n, m, universe in REAL:
        epsilon, beta0 = Fraction(1, m), Fraction(1, 10)
        chosen = settled(n=n, universe=universe, epsilon=epsilon, beta=beta0)
        law = fastsample_law(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
        zero = fastsample_zero(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
        laws = [(c, law(c)) for c in range(n + 1)]
        for d0 in (2 ** (2 * 3**chosen.exponent), PrimeFamily.least(universe=universe, size=chosen.least).size):
            empty, words = EmptyBin(zero, d0).law(), f"n = {n}, epsilon = 1/{m}, |X| = {universe}, d0 = {d0}"
            if exact_ratio(n=n, universe=universe, law=law, zero=empty) > Epsilon.of(epsilon).exp_bounds(64)[0]:
                yield f"{words}: not private"
            for beta in (beta0 / universe, beta0, Fraction(1, 2), Fraction(1)):
                a = _error(epsilon, beta)
                if any(beyond(p, c, a) > beta for c, p in [(0, empty), *laws]):
                    yield f"{words}, beta = {beta}: a = {a} is exceeded"


def _error(epsilon: Fraction, beta: Fraction) -> int:
    """Return ceil(5 / epsilon ln(2 / beta))."""
    a = 0
    while Epsilon.of(a * epsilon / 5).exp_bounds(64)[0] < 2 / beta:
        a += 1
    return a


@check("compact-bits")
def bits() -> Iterator[str]:
    """From n = 64 to 16,384 FastSample's d grows by at most 60 bits a step of 4, GeoSample's to more than 3 times."""
    ns = [64, 256, 1024, 4096, 16_384]
    slow = [settled(n=n, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10)).d.bit_length() for n in ns]
    fast = [geosample_zero(n=n, k=2).d.bit_length() for n in ns]
    for i in range(len(ns) - 1):
        if not (0 < slow[i + 1] - slow[i] <= 60 and fast[i + 1] > 3 * fast[i]):
            yield f"n = {ns[i]} to {ns[i + 1]}: {slow[i]} to {slow[i + 1]} and {fast[i]} to {fast[i + 1]} bits"
