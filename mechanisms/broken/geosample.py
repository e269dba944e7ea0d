"""The faults of geosample."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.epsilons import less
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, distribution, geosample, settings_of
from dpcert.mechanisms.mechanism import Expected, integer, inverse

fault = FaultsOf(GEOSAMPLE, defaults={"n": "3", "epsilon": "1/2"})


@fault(
    "geosample-strict",
    source="finite-computers, Algorithm 4.8, step 3, misread",
    fault="`<` for `<=` in the comparison with the cumulative distribution",
    edit=("u < cumulative(count, z)", "u <= cumulative(count, z)"),
    expected=Expected(0, 1, [0], "124/225", "99/225"),
)
def geosample_strict(settings: Settings) -> Callable[[int, Coins], int]:
    """geosample with < for <= in the inverse transform"""
    n, k = settings_of(settings)
    d, cumulative = distribution(n=n, k=k)

    def release(count: int, coins: Coins) -> int:
        u = coins.below(d) + 1
        return least(0, n, lambda z: u < cumulative(count, z))

    return release


@fault(
    "geosample-exponent",
    source="finite-computers, Algorithm 4.8, step 2, misread",
    fault="k (z - c) for k (z - c + 1) in the exponent",
    edit=("(k * (z - count)))", "(k * (z - count + 1)))"),
    expected=Expected(0, 1, [0], "8/9", "4/9"),
)
def geosample_exponent(settings: Settings) -> Callable[[int, Coins], int]:
    """geosample with an exponent shifted by one in the upper half of F"""
    n, k = settings_of(settings)
    base = (1 << k) + 1
    d = ((1 << (k + 1)) + 1) * base ** (n - 1)

    def release(count: int, coins: Coins) -> int:
        def cumulative(z: int) -> int:
            f: int
            if z < count:
                f = base ** (n - (count - z)) << (k * (count - z))
            else:
                f = d - (base ** (n - 1 - (z - count)) << (k * (z - count)))
            return f

        u = coins.below(d) + 1
        return least(0, n, lambda z: u <= cumulative(z))

    return release


@fault(
    "geosample-floor",
    source="finite-computers, Algorithm 4.8, step 1, rounded the wrong way",
    fault="floor for ceiling in k = ceil(log2(2/epsilon))",
    edit=("int(2 / epsilon).bit_length() - 1", "int(2 / epsilon - 1).bit_length()"),
    defaults={"epsilon": "1/3"},
    about={"epsilon": "1/epsilon is an integer; a power of two hides the fault"},
    expected=Expected(0, 1, [0], "5/9", "4/9"),
)
def geosample_floor(settings: Settings) -> Program:
    """geosample with k = floor(log2(2/epsilon))"""
    n, epsilon = integer(settings, "n", least=1), inverse(settings, "epsilon")
    return geosample(n=n, k=int(2 / epsilon).bit_length() - 1)


@fault(
    "geosample-half-scale",
    source="finite-computers, Algorithm 4.8, step 1, without its 2",
    fault="a scale for half the sensitivity, 1/epsilon for 2/epsilon",
    edit=("while 2**k < 1 / epsilon", "while 2**k < 2 / epsilon"),
    about={"epsilon": "1/epsilon is an integer above 1"},
    expected=Expected(0, 1, [0], "3/5", "2/5"),
)
def geosample_half_scale(settings: Settings) -> Program:
    """geosample with k = ceil(log2(1/epsilon)), noise for half the sensitivity"""
    n, epsilon, k = integer(settings, "n", least=1), inverse(settings, "epsilon", least=2), 0
    while 2**k < 1 / epsilon:
        k += 1
    return geosample(n=n, k=k)


@fault(
    "geosample-natural-log",
    source="finite-computers, Algorithm 4.8, step 1, with another base",
    fault="the natural for the binary logarithm in k = ceil(log2(2/epsilon))",
    edit=("while less(Epsilon.of(k), Epsilon.ln(2 / epsilon))", "while 2**k < 2 / epsilon"),
    defaults={"epsilon": "1/5"},
    claim=lambda settings, meant: {"epsilon": Epsilon.of(inverse(settings, "epsilon") / 2)},
    about={"epsilon": "1/epsilon is an integer; the claim is epsilon/2"},
    expected=Expected(0, 1, [0], "9/17", "8/17"),
)
def geosample_natural_log(settings: Settings) -> Program:
    """geosample with k = ceil(ln(2/epsilon)); the claim is epsilon/2"""
    n, epsilon, k = integer(settings, "n", least=1), inverse(settings, "epsilon"), 0
    while less(Epsilon.of(k), Epsilon.ln(2 / epsilon)):
        k += 1
    return geosample(n=n, k=k)


@fault(
    "geosample-raises",
    source="finite-computers, Algorithm 4.5, with a check for its clamp",
    fault="an exception that names the true count",
    edit=("clamp(count + shifted(n, coins) - n, count)", "min(max(count + shifted(n, coins) - n, 0), n)"),
    defaults={"n": "2"},
    expected=Expected(0, 1, [Raised("ValueError", ("0 with noise -2 is outside 0..2",))], "16/45", "0"),
)
def geosample_raises(settings: Settings) -> Callable[[int, Coins], int]:
    """geosample that raises an error with the true count in it instead of clamping"""
    n, k = settings_of(settings)
    shifted = geosample(n=2 * n, k=k)

    def clamp(noisy: int, count: int) -> int:
        if not 0 <= noisy <= n:
            raise ValueError(f"{count} with noise {noisy - count} is outside 0..{n}")
        return noisy

    return lambda count, coins: clamp(count + shifted(n, coins) - n, count)


@fault(
    "geosample-rejection",
    source="finite-computers, Algorithm 4.5, with rejection for its clamp",
    fault="drawing again for clamping",
    edit=("Done(noisy) if 0 <= noisy <= n else again", "Done(min(max(noisy, 0), n))"),
    expected=Expected(0, 1, [3], "64/125", "16/81"),
)
def geosample_rejection(settings: Settings) -> Callable[[int, Coins], int]:
    """geosample that draws again until the noisy count is in its range"""
    n, k = settings_of(settings)
    shifted = geosample(n=2 * n, k=k)

    def release(count: int, coins: Coins) -> int:
        def attempt(again: bool, coins: Coins) -> bool | Done[int]:
            noisy = count + shifted(n, coins) - n
            return Done(noisy) if 0 <= noisy <= n else again

        return coins.loop(True, attempt)

    return release


@fault(
    "geosample-short-draw",
    source="finite-computers, Algorithm 4.8, step 1, with a d for each count",
    fault="a draw whose size depends on the count",
    edit=("gcd(d, *(cumulative(count, z) for z in range(n)))", "1"),
    observes="outcome and draws",
    expected=Expected(0, 1, [(0, (225,))], "5/9", "0"),
)
def geosample_short_draw(settings: Settings) -> Callable[[int, Coins], int]:
    """geosample that reduces its distribution to lowest terms and draws fewer bits; the draws are observed"""
    n, k = settings_of(settings)
    d, cumulative = distribution(n=n, k=k)

    def release(count: int, coins: Coins) -> int:
        g = gcd(d, *(cumulative(count, z) for z in range(n)))
        u = coins.below(d // g) + 1
        return least(0, n, lambda z: u <= cumulative(count, z) // g)

    return release


def unclamped(*, n: int, k: int) -> Callable[[int, Coins], int]:
    """Release a count plus noise clamped to [-n, n], where that sum clamped to [0, n] is meant."""
    shifted = geosample(n=2 * n, k=k)
    return lambda count, coins: count + shifted(n, coins) - n


@fault(
    "geosample-unclamped",
    source="finite-computers, Algorithm 4.5, without its clamp",
    fault="no clamp of the noisy count to [0, n]",
    edit=("count + shifted(n, coins) - n", "min(max(count + shifted(n, coins) - n, 0), n)"),
    place=unclamped,
    expected=Expected(0, 1, [-3], "64/225", "0"),
)
def geosample_unclamped(settings: Settings) -> Program:
    """geosample that adds bounded noise and does not clamp the sum"""
    n, k = settings_of(settings)
    return unclamped(n=n, k=k)
