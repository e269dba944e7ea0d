"""The empty-bin sampler: a noisy count of 0, from a uniform number of another range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.fastsample import cutoff
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.finite_computers.hash_family import least_exponent
from dpcert.mechanisms.mechanism import integer, inverse


@dataclass(frozen=True, slots=True)
class NoisyZero:
    """A noisy count of 0 in [0, n] that does not decrease in its uniform number u from 1 to d.

    `cumulative(z)`, for z in [0, n], is the number of u that give at most z.
    """

    n: int
    d: int
    cumulative: Callable[[int], int]

    def count(self, u: int) -> int:
        """Return the noisy count for u: the least z with cumulative(z) >= u."""
        return least(0, self.n, lambda z: self.cumulative(z) >= u)

    def law(self) -> Dist:
        """Return the law of the noisy count for uniform u."""
        return _law([self.cumulative(z) for z in range(self.n + 1)], self.d)


@dataclass(frozen=True, slots=True)
class EmptyBin:
    """The empty-bin sampler: `zero` at f(u0), where f maps 1, ..., d0 onto 1, ..., d and does not decrease.

    Requires: d0 >= (4/3) d.
    Claims:   it does not decrease; its probability of each count is at least e^(-2 d/d0) and at most e^(d/d0) times
              that of `zero`, and its distribution function is at least that of `zero`.
    Source:   finite-computers, Lemma 8.4 and Algorithm 8.5.
    Raises:   InputError for a smaller d0.
    """

    zero: NoisyZero
    d0: int

    def __post_init__(self) -> None:
        if 3 * self.d0 < 4 * self.zero.d:
            raise InputError(
                given=f"{_about(self.d0)} numbers for a noisy count that draws from {_about(self.zero.d)}",
                needed="at least 4/3 as many",
                remedy=f"take a field of {2 * 3 ** least_exponent(-(-4 * self.zero.d // 3))} bits, or a smaller n",
            )

    def narrowed(self, u0: int) -> int:
        """Return f(u0)."""
        q, r = divmod(self.d0, self.zero.d)
        if u0 <= r * (q + 1):
            return -(-u0 // (q + 1))
        return -(-(u0 - r) // q)

    def count(self, u0: int) -> int:
        """Return the noisy count of an empty bin for u0 from 1 to d0."""
        return self.zero.count(self.narrowed(u0))

    def last(self, u: int) -> int:
        """Return the greatest u0 with f(u0) <= u, for u in [0, d]."""
        q, r = divmod(self.d0, self.zero.d)
        return (q + 1) * u if u <= r else q * u + r

    def preimages(self, count: int) -> range:
        """Return the numbers u0 that give this count.

        Source: finite-computers, proof of Lemma 8.4 v.
        """
        below = self.zero.cumulative(count - 1) if count else 0
        return range(self.last(below) + 1, self.last(self.zero.cumulative(count)) + 1)

    def law(self) -> Dist:
        """Return the law of the noisy count for uniform u0."""
        return _law([self.last(self.zero.cumulative(z)) for z in range(self.zero.n + 1)], self.d0)


def _about(number: int) -> str:
    return str(number) if number < 10**6 else f"about 2^{number.bit_length() - 1}"


def _law(sums: list[int], denominator: int) -> Dist:
    return Dist.from_weights(
        ((z, upper - lower) for z, (lower, upper) in enumerate(zip([0, *sums], sums, strict=False))), denominator
    )


def geosample_zero(*, n: int, k: int) -> NoisyZero:
    """Return `geosample` of the count 0.

    Source: finite-computers, Algorithm 4.8 at c = 0.
    """
    base = (1 << k) + 1
    d = ((1 << (k + 1)) + 1) * base ** (n - 1)

    def cumulative(z: int) -> int:
        below: int = d if z >= n else d - (base ** (n - 1 - z) << (k * (z + 1)))
        return below

    return NoisyZero(n, d, cumulative)


def fastsample_zero(*, n: int, epsilon: Fraction, gamma: Fraction) -> NoisyZero:
    """Return `fastsample` of the count 0.

    Source: finite-computers, Algorithm 4.11 at c = 0.
    """
    k, t = noise_exponent(epsilon), cutoff(n=n, epsilon=epsilon, gamma=gamma)
    base, weight = (1 << k) + 1, int(1 / gamma)
    d_short: int = ((1 << (k + 1)) + 1) * base**t
    beyond = 1 << (k * (t + 1))

    def cumulative(z: int) -> int:
        below = d_short
        if z < min(t, n):
            below = d_short - (base ** (t - z) << (k * (z + 1))) + beyond
        return (z + 1) * d_short + (weight - 1) * (n + 1) * below

    return NoisyZero(n, (n + 1) * d_short * weight, cumulative)


def response_zero(*, n: int, weight: int) -> NoisyZero:
    """Return `count_response` of the count 0."""
    return NoisyZero(n, n + weight, lambda z: z + weight)


def zero_of(settings: Mapping[str, str]) -> NoisyZero:
    """Return the noisy count of 0 that the parameters n, epsilon, sampler, gamma and weight name.

    Raises: InputError for a value that is none of theirs.
    """
    n, epsilon = integer(settings, "n", least=1), inverse(settings, "epsilon")
    match settings["sampler"]:
        case "geosample":
            return geosample_zero(n=n, k=noise_exponent(epsilon))
        case "fastsample":
            return fastsample_zero(n=n, epsilon=epsilon, gamma=inverse(settings, "gamma", least=2))
        case "response":
            return response_zero(n=n, weight=integer(settings, "weight", least=1))
    raise InputError(
        given=f"sampler={settings['sampler']}",
        needed="geosample, fastsample or response",
        remedy="set one of these",
    )
