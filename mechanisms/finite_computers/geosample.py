"""GeoSample: a count with two-sided geometric noise, clamped, from one draw of uniform coins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import accumulate, repeat
from operator import mul
from typing import NamedTuple

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

MAX_BITS = 10**6


def noise_exponent(epsilon: Fraction) -> int:
    """Return k = ceil(log2(2 / epsilon)), in integer arithmetic.

    Requires: 1/epsilon a positive integer.
    Source:   finite-computers, Theorem 4.7.
    """
    return int(2 / epsilon - 1).bit_length()


def noise_ratio_of(epsilon: Fraction) -> Fraction:
    """Return 1 + 2^-k, the ratio of the noise at this epsilon, whichever program draws it."""
    return 1 + Fraction(1, 1 << noise_exponent(epsilon))


def distribution(*, n: int, k: int) -> tuple[int, Callable[[int, int], int]]:
    """Return d, and the function of a count and of a z in [0, n) that is d Pr[count + noise <= z], an integer.

    Source: finite-computers, Algorithm 4.8, steps 1 and 2.
    """
    base = (1 << k) + 1
    d: int = ((1 << (k + 1)) + 1) * base ** (n - 1)

    def cumulative(count: int, z: int) -> int:
        f: int
        if z < count:
            f = base ** (n - (count - z)) << (k * (count - z))
        else:
            f = d - (base ** (n - 1 - (z - count)) << (k * (z - count + 1)))
        return f

    return d, cumulative


def geosample(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release a count in [0, n] with two-sided geometric noise, clamped, in one draw of uniform coins.

    Requires: n >= 1, k >= 1; inputs 0..n.
    Claims:   (ln(1 + 2^-k), 0)-DP for counts that differ by one; tight. With k = ceil(log2(2/epsilon)) that
              is e/2 for e = 2 ln(1 + 2^-k) in (4/9 epsilon, epsilon].
    Source:   finite-computers, Algorithm 4.8 and Theorem 4.7.
    """
    d, cumulative = distribution(n=n, k=k)

    def release(count: int, coins: Coins) -> int:
        u = coins.below(d) + 1
        return least(0, n, lambda z: u <= cumulative(count, z))

    return release


class Weights(NamedTuple):
    """The weights of an end, and of a count between the ends, by distance from the input, over one denominator."""

    ends: list[int]
    interior: list[int]
    denominator: int

    @classmethod
    def of(cls, *, n: int, k: int) -> Weights:
        """Return the weights of `geosample` for n and k."""
        powers = [1, *accumulate(repeat((1 << k) + 1, n), mul)]
        ends = [powers[n - distance] << (k * distance) for distance in range(n + 1)]
        interior = [powers[n - 1 - distance] << (k * distance) for distance in range(n)]
        return cls(ends, interior, ((1 << (k + 1)) + 1) * powers[n - 1])


def geosample_law(*, n: int, k: int) -> Callable[[int], Dist]:
    """Return the law of `geosample` in closed form: the probability of each count, not their sums.

    Source: the density of the geometric law (finite-computers, Section 4.1), cleared of denominators.
    """
    weights = cache(lambda: Weights.of(n=n, k=k))

    def law(count: int) -> Dist:
        ends, interior, denominator = weights()
        between = [(z, interior[abs(z - count)]) for z in range(1, n)]
        return Dist.from_weights([(0, ends[count]), *between, (n, ends[n - count])], denominator)

    return law


def settings_of(settings: Mapping[str, str]) -> tuple[int, int]:
    """Return n and k of the textual parameters.

    Raises: InputError unless n >= 1 is an integer, epsilon the inverse of one, and d short of MAX_BITS bits.
    """
    epsilon = inverse(settings, "epsilon")
    n, k = integer(settings, "n", least=1, greatest=10**5), noise_exponent(epsilon)
    if n * (k + 1) >= MAX_BITS:
        raise InputError(
            given=f"n={n}, epsilon={settings['epsilon']}",
            needed=f"n (k + 1) < {MAX_BITS}, the bits of the one draw, for k = ceil(log2(2/epsilon))",
            remedy="lower n or raise epsilon",
        )
    return n, k


def _build(settings: Mapping[str, str]) -> Instance:
    n, k = settings_of(settings)
    return Instance(
        program=geosample(n=n, k=k),
        closed_form=geosample_law(n=n, k=k),
        inputs=tuple(range(n + 1)),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.ln(1 + Fraction(1, 1 << k)),
        delta=Fraction(0),
        domain=counts(n),
    )


PARAMETERS = (
    Parameter("n", "20", "the greatest count"),
    Parameter("epsilon", "1/10", "1/epsilon is an integer; the claim is ln(1 + 2^-k), k = ceil(log2(2/epsilon))"),
)

GEOSAMPLE = Mechanism(
    name="geosample",
    words="a count in [0, n] with two-sided geometric noise, clamped, from one uniform draw",
    source="finite-computers, Algorithm 4.8, Theorem 4.7",
    parameters=PARAMETERS,
    build=_build,
)
