"""The geometric mechanism: a count with two-sided geometric noise, clamped, where e^(epsilon/2) is rational."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

MAX_BITS = 10**6

State = tuple[int, int, bool]
"""The number of flips left, the distance so far, and whether it still grows."""


def geometric(*, n: int, ratio: Fraction) -> Callable[[int, Coins], int]:
    """Release a count in [0, n] plus Z, clamped, where Pr[Z = z] is proportional to ratio^-|z|, in one draw.

    Requires: n >= 1, ratio > 1; inputs 0..n.
    Claims:   (ln ratio, 0)-DP for counts that differ by one; tight. The draw's bound is (a + b) a^(n-1) for
              ratio a/b: with a = 2^k + 1 and b = 2^k this is `geosample`.
    Source:   finite-computers, Algorithm 4.5 and Theorem 4.6, for rational ratio = e^(epsilon/2).
    """
    d, find = inverse(n=n, ratio=ratio)
    return lambda count, coins: find(count, coins.below(d))


def inverse(*, n: int, ratio: Fraction) -> tuple[int, Callable[[int, float], int]]:
    """Return d, and the function of a count and a u below d that finds the least z with u < d Pr[count + Z <= z].

    Requires: n >= 1, ratio > 1; counts 0..n, and Z clamped as in `geometric`.
    """
    a, b = ratio.numerator, ratio.denominator
    d = (a + b) * a ** (n - 1)

    def find(count: int, u: float) -> int:
        def cumulative(z: int) -> int:
            """Return d Pr[count + Z <= z], for z in [0, n)."""
            f: int
            if z < count:
                f = a ** (n - (count - z)) * b ** (count - z)
            else:
                f = d - a ** (n - 1 - (z - count)) * b ** (z - count + 1)
            return f

        return least(0, n, lambda z: u < cumulative(z))

    return d, find


def geometric_by_flips(*, n: int, ratio: Fraction) -> Callable[[int, Coins], int]:
    """Release as `geometric` does, from n short draws: one for the sign, and always n - 1 flips.

    Requires: n >= 1, ratio > 1; inputs 0..n.
    Claims:   the law of `geometric`; as many draws, with the same bounds, for every count and noise.
    Source:   finite-computers, Section 1: executions padded to one length disclose nothing by their time.
    """
    a, b = ratio.numerator, ratio.denominator

    def flip(state: State, coins: Coins) -> State | Done[int]:
        left, distance, growing = state
        if left == 0:
            return Done(distance)
        more = coins.below(a) < b and growing
        return left - 1, distance + more, more

    def release(count: int, coins: Coins) -> int:
        first = coins.below(a + b)
        sign = 0 if first < a - b else 1 if first < a else -1
        noisy = count + sign * coins.loop((n - 1, 1, sign != 0), flip)
        return min(max(noisy, 0), n)

    return release


def geometric_law(*, n: int, ratio: Fraction) -> Callable[[int], Dist]:
    """Return the law of `geometric` from the density of the noise; the mass beyond an end is added to that end.

    Source: finite-computers, Section 4.1, cleared of denominators.
    """
    a, b = ratio.numerator, ratio.denominator
    ends = [a ** (n - distance) * b**distance for distance in range(n + 1)]
    between = [(a - b) * a ** (n - 1 - distance) * b**distance for distance in range(n)]

    def law(count: int) -> Dist:
        inner = [(z, between[abs(z - count)]) for z in range(1, n)]
        return Dist.from_weights([(0, ends[count]), *inner, (n, ends[n - count])], (a + b) * a ** (n - 1))

    return law


def ratio_of(settings: Mapping[str, str]) -> tuple[int, Fraction]:
    """Return n and the ratio of the textual parameters.

    Raises: InputError unless n >= 1 is an integer, the ratio above 1, and the draw short of MAX_BITS bits.
    """
    n, ratio = integer(settings, "n", least=1, greatest=10**5), exact(settings["ratio"], "ratio")
    if ratio <= 1:
        raise InputError(given=f"ratio={settings['ratio']}", needed="a number above 1", remedy='write "6/5"')
    if n * ratio.numerator.bit_length() >= MAX_BITS:
        raise InputError(
            given=f"n={n}, ratio={settings['ratio']}",
            needed=f"n times the bits of the ratio's numerator below {MAX_BITS}, the bits of the one draw",
            remedy="lower n or take a ratio of fewer digits",
        )
    return n, ratio


def _build(settings: Mapping[str, str]) -> Instance:
    n, ratio = ratio_of(settings)
    methods = {"draw": geometric, "flips": geometric_by_flips, "words": clamped_noise}
    method = methods.get(settings["method"])
    if method is None:
        given = f"method={settings['method']}"
        raise InputError(given=given, needed=" or ".join(methods), remedy="set one of these")
    return Instance(
        program=method(n=n, ratio=ratio),
        closed_form=geometric_law(n=n, ratio=ratio),
        inputs=tuple(range(n + 1)),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.ln(ratio),
        delta=Fraction(0),
        domain=counts(n),
    )


PARAMETERS = (
    Parameter("n", "20", "the greatest count"),
    Parameter("ratio", "6/5", "e^(epsilon/2), a number above 1; the claim is its logarithm"),
    Parameter("method", "draw", "draw, for one long draw, flips, for n short ones, or words, for few short ones"),
)

GEOMETRIC = Mechanism(
    name="geometric",
    words="a count in [0, n] with two-sided geometric noise of any rational ratio, clamped, its draws alike for all",
    source="finite-computers, Algorithm 4.5, Theorem 4.6",
    parameters=PARAMETERS,
    build=_build,
)
