"""Checks of user-level-histograms, Section 5: Algorithms 3 and 4 as programs, their extensions, and orders of error."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, factorial, isqrt, prod

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.adapters.balls import Bounds, enclose
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.user_level.clipped_sum_l1 import clipped_sum_l1_law
from dpcert.mechanisms.user_level.clipping import clip_l1
from dpcert.mechanisms.user_level.debiasing import (
    clipped_mean,
    clipped_slope,
    debiased,
    debiased_vector,
    inverse,
    poisson_mass,
    processed_count,
)
from dpcert.proofs.check import check
from dpcert.proofs.user_level.checks.debiasing import CLIPS, RATES
from dpcert.reading.paths.enumerator import enumerate_law


@check("debias-inverse")
def inverse_is_inverse() -> Iterator[str]:
    """psi_C of the inverse's bounds encloses the mean it was found for, and the bounds are 2^-64 apart at most."""
    for clip, place in product((1, 2, 5, 20), range(-1, 12)):
        mean, cap = Fraction(clip * place, 10), Fraction(3 * clip)
        lo, hi = inverse(mean, clip, cap=cap)
        low, high = clipped_mean(lo, clip)[0], clipped_mean(hi, clip)[1]
        inside = 0 < mean < clipped_mean(cap, clip)[0]
        if hi - lo > Fraction(1, 2**64) or (inside and not low <= mean <= high):
            yield f"C = {clip}, mean {mean}"
        if not inside and (lo, hi) not in ((0, 0), (cap, cap)):
            yield f"C = {clip}, mean {mean} outside"


def printed_sum(rate: Fraction, clip: int) -> Bounds:
    """Return bounds of the sum of Pr[Poi(rate) >= k] for k = 1..C, each from the masses below k."""
    lo = hi = Fraction(0)
    for k in range(1, clip + 1):
        below = [poisson_mass(rate, value) for value in range(k)]
        lo += 1 - sum((high for _, high in below), Fraction(0))
        hi += 1 - sum((low for low, _ in below), Fraction(0))
    return lo, hi


@check("debias-mean")
def mean_in_two_forms() -> Iterator[str]:
    """C less the missing mass is psi_C, the sum of Pr[Poi(rate) >= k]; its slope is a sum of masses below C."""
    for rate, clip in product(RATES, (1, 2, 5, 12)):
        for one, other in (
            (clipped_mean(rate, clip), printed_sum(rate, clip)),
            (clipped_slope(rate, clip), _total([poisson_mass(rate, k) for k in range(clip)])),
        ):
            if one[0] > other[1] or other[0] > one[1] or other[1] - other[0] > Fraction(1, 2**100):
                yield f"rate {rate}, C = {clip}"


def _total(bounds: Sequence[Bounds]) -> Bounds:
    return sum((lo for lo, _ in bounds), Fraction(0)), sum((hi for _, hi in bounds), Fraction(0))


@check("debias-balance")
def balance() -> Iterator[str]:
    """A C^2 + B/C is least, 3 (A B^2/4)^(1/3), at C^3 = B/(2A): for A of noise and B of bias, C = (n eps V)^(2/3)."""
    for a, b, c in product((Fraction(1, 100), Fraction(1), Fraction(3)), (1, 54, 1000), range(1, 30)):
        if (a * c * c + Fraction(b, c)) ** 3 < 27 * a * b * b / 4:
            yield f"A = {a}, B = {b}, C = {c}"
    if (Fraction(1) * 3 * 3 + Fraction(54, 3)) ** 3 != Fraction(27 * 54 * 54, 4):
        yield "C^3 = B/(2A) is not the least"


@check("debias-similar")
def similar_users() -> Iterator[str]:
    """Where n V^2/(8 pi) + 2 <= epsilon sqrt(n), some C has C^2/(n eps)^2 <= 1/n and V^2/(8 pi (C - 1)) <= 1/n.

    That C is the integer from n V^2/(8 pi) + 1 on; 8 pi is bounded below by 25.
    """
    for n, epsilon, part in product((100, 10**4, 10**6), (Fraction(1), Fraction(1, 4)), (1, 2, 10)):
        root = epsilon * isqrt(n)
        if root < 2:
            continue
        square = (root - 2) * 25 / n / part
        c = ceil(n * square / 25) + 1
        if c**2 * n > (n * epsilon) ** 2 or square * n > 25 * (c - 1):
            yield f"n = {n}, epsilon = {epsilon}, V^2 = {square}"


@check("debias-safe")
def safe_threshold() -> Iterator[str]:
    """At C = ceil(cap + sqrt(2 cap ln n) + ln n) + 1 the mass Pr[Poi(cap) = C - 1] is at most 1/n."""
    for cap, n in product((1, 2, 5, 20), (10, 10**3, 10**6)):
        c = ceil(enclose(lambda x, m: x + (2 * x * m.log()).sqrt() + m.log(), cap, n)[0]) + 1
        if poisson_mass(Fraction(cap), c - 1)[1] > Fraction(1, n):
            yield f"cap {cap}, n = {n}, C = {c}"


def _laws(after: Callable[[int], Fraction]) -> dict[tuple[int, ...], Dist]:
    """Return the laws of Algorithm 3 on two users' counts up to 3, clipped at 2, with noise of ratio 3/2."""
    program = processed_count(before=lambda x: min(x, 2), after=after, greatest=4, ratio=Fraction(3, 2))
    return {counts: enumerate_law(program, counts).law for counts in product(range(4), repeat=2)}


@cache
def _estimate(y: int) -> Fraction:
    return debiased(y, users=2, clip=2, cap=Fraction(3))[0]


@check("debias-private")
def post_processing() -> Iterator[str]:
    """The debiased release is as private as the clipped one: 2 ln(3/2) for clip 2 and noise of ratio 3/2."""
    epsilon, laws = Epsilon.ln(Fraction(9, 4)), _laws(_estimate)
    return (
        f"{a}, {b}"
        for a, b in product(laws, repeat=2)
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1
        and decide_pair(laws[a], laws[b], epsilon, Fraction(0))[0] is not True
    )


@check("debias-only-clipping")
def only_clipping() -> Iterator[str]:
    """Algorithm 3 with min(x, C) and the identity is Algorithm 1 for one item; debiasing maps that law on."""
    release = clipped_sum_l1_law(
        clipped=lambda counts: clip_l1(counts, clip=Fraction(2)), dimension=1, greatest=4, ratio=Fraction(3, 2)
    )
    plain, mapped = _laws(Fraction), _laws(_estimate)
    for counts, law in plain.items():
        sums = release(tuple((count,) for count in counts))
        if law != sums.map(lambda y: Fraction(y[0])):
            yield f"{counts}: not Algorithm 1"
        if mapped[counts] != sums.map(lambda y: _estimate(y[0])):
            yield f"{counts}: not Algorithm 4"


@check("debias-symbols")
def symbol_by_symbol() -> Iterator[str]:
    """Two items, each clipped and debiased with half the epsilon, cost the whole when a user is replaced, not half."""
    half, whole = Fraction(3, 2), Epsilon.ln(Fraction(9, 4))
    law = geometric_law(n=2, ratio=half)
    users = list(product(range(3), repeat=2))

    def release(rows: Sequence[Sequence[int]]) -> Dist:
        one, other = (law(sum(min(row[j], 1) for row in rows)) for j in (0, 1))
        return one.product(other)

    def close(a: Sequence[Sequence[int]], b: Sequence[Sequence[int]], epsilon: Epsilon) -> bool:
        return decide_pair(release(a), release(b), epsilon, Fraction(0))[0] is True

    pairs = [([a, rest], [b, rest]) for a, b, rest in product(users, repeat=3) if a != b]
    if all(close(a, b, Epsilon.ln(half)) for a, b in pairs):
        yield "half is enough"
    yield from (f"{a}, {b}" for a, b in pairs if not close(a, b, whole))


@check("debias-vector")
def vector_mean() -> Iterator[str]:
    """Given n items in all, E h_j min(1, C/n) is min(n, C) rate_j/rate: l1 clipping keeps Poisson proportions.

    And debiasing the mean of the clipped vector, as known, gives back the rates.
    """
    for rates in ((Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))):
        for n, clip in product(range(1, 6), CLIPS):
            means = [Fraction(0)] * len(rates)
            for counts in product(range(n + 1), repeat=len(rates)):
                if sum(counts) == n:
                    ways = factorial(n) // prod(map(factorial, counts))
                    chance = ways * prod((r**k for r, k in zip(rates, counts, strict=True)), start=Fraction(1))
                    for j, count in enumerate(counts):
                        means[j] += chance * count * min(Fraction(1), Fraction(clip, n))
            if means != [min(n, clip) * rate for rate in rates]:
                yield f"shares {rates}, {n} items, C = {clip}"
        for scale, clip in product((1, 3), CLIPS):
            total = clipped_mean(Fraction(scale), clip)[0]
            found = debiased_vector([rate * total for rate in rates], users=1, clip=clip, cap=Fraction(6))
            for rate, (lo, hi) in zip(rates, found, strict=True):
                if not lo - Fraction(1, 2**50) <= scale * rate <= hi + Fraction(1, 2**50):
                    yield f"shares {rates}, rate {scale}, C = {clip}"
