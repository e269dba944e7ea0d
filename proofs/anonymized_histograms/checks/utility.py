"""Checks of the error and the time of PrivHist: Theorem 1, its running time, and the rival method."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import fsum, isqrt, log, sqrt

from dpcert.mechanisms.anonymized_histograms.expected_error import expected_error, smoothing_error
from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import fitted
from dpcert.mechanisms.anonymized_histograms.parameters import boundaries, fakes, is_low_privacy, threshold
from dpcert.mechanisms.anonymized_histograms.partitions import (
    histograms,
    prevalences,
)
from dpcert.mechanisms.anonymized_histograms.postprocess import Prevalences
from dpcert.mechanisms.anonymized_histograms.succinct import compact_distance, items, privhist_sampler, split
from dpcert.mechanisms.anonymized_histograms.symmetric import accounts_exposed
from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.proofs.check import check

LOW, HIGH = (Fraction(3, 2), Fraction(3), Fraction(8)), (Fraction(31, 30), Fraction(11, 10), Fraction(25, 18))
SIZES = (10**4, 10**5, 10**6)
SEEDS = range(5)
BITS = 64


@cache
def harmonic(n: int) -> Prevalences:
    """Return the histogram of about n items whose r-th count is the floor of n/(12 r), in the compact format."""
    top, found, r = n // 12, [], 1
    while r <= top:
        count = top // r
        last = top // count
        found.append((count, last - r + 1))
        r = last + 1
    return tuple(reversed(found))


@cache
def method_error(n: int, ratio: Fraction) -> float:
    """Return the mean error of PrivHist on the harmonic histogram, over a few seeds."""
    histogram, release = harmonic(n), privhist_sampler(ratio=ratio)
    return fsum(compact_distance(histogram, release(histogram, seeded_coins(seed))[0]) for seed in SEEDS) / len(SEEDS)


@cache
def rival_error(n: int, ratio: Fraction) -> float:
    """Return the mean error of noise on all sorted counts and isotonic regression, the whole epsilon in one step."""
    counts = [r for r, many in reversed(harmonic(n)) for _ in range(many)]
    noise, errors = geometric_noise(ratio=ratio**3), []
    for seed in SEEDS:
        coins = seeded_coins(seed)
        found = fitted(tuple(count + noise(coins) for count in counts))
        errors.append(sum(abs(x - y) for x, y in zip(counts, found, strict=True)))
    return fsum(errors) / len(SEEDS)


def counted(n: int, ratio: Fraction) -> int:
    """Return the number of draws of coins in a release of the harmonic histogram, on one seed."""
    draws = 0
    seeded = seeded_coins(1)

    def draw(bound: int) -> int:
        nonlocal draws
        draws += 1
        return seeded.below(bound)

    privhist_sampler(ratio=ratio)(harmonic(n), Coins(Plain(draw)))
    return draws


def _epsilon(ratio: Fraction) -> float:
    return 3 * log(ratio)


def _rate(n: int, ratio: Fraction) -> float:
    e = _epsilon(ratio)
    return sqrt(n / ratio) if e > 1 else sqrt(n / e * log(2 / e))


@check("ah-error-exact")
def error_exact() -> Iterator[str]:
    """At e^epsilon = 64^3, for every histogram h of 1 to 4 items: E l1(h, H) <= sqrt(n) e^(-epsilon/6) 3/2."""
    root = Fraction(1, 8)
    for counts in histograms(4):
        lo, hi = expected_error(counts, Fraction(64), reach=5)
        if hi - lo > Fraction(1, 50):
            yield f"h = {counts}: only between {float(lo)} and {float(hi)}"
        if counts and hi**2 > sum(counts) * (root * Fraction(3, 2)) ** 2:
            yield f"h = {counts}: {float(hi)}"


@check("ah-smoothing-exact")
def smoothing_exact() -> Iterator[str]:
    """At e^epsilon = (4/3)^3, for h = {1} and N = 1: 3.4523 < E[l1(h, H) | N] < 3.4524."""
    lo, hi = smoothing_error((1,), 1, Fraction(4, 3), reach=70)
    if not Fraction("3.4523") < lo <= hi < Fraction("3.4524"):
        yield f"between {float(lo)} and {float(hi)}"


@check("ah-error-growth")
def error_growth() -> Iterator[str]:
    """On harmonic histograms the mean error is at most 3 rates, and from 10^4 to 10^6 items grows 5 to 20 times."""
    for ratio in (*LOW, *HIGH):
        errors = [method_error(n, ratio) for n in SIZES]
        for n, error in zip(SIZES, errors, strict=True):
            if error > 3 * _rate(n, ratio):
                yield f"e^epsilon = {ratio}^3, n = {n}: {error}"
        if not 5 <= errors[-1] / errors[0] <= 20:
            yield f"e^epsilon = {ratio}^3: {errors}"


@check("ah-error-compared")
def error_compared() -> Iterator[str]:
    """On harmonic histograms of 10^4 and 10^5 items the rival errs more at epsilon = 0.03, less at 0.98 and 3.3."""
    for n in SIZES[:2]:
        for ratio, fewer in ((Fraction(101, 100), True), (Fraction(25, 18), False), (Fraction(3), False)):
            ours, theirs = method_error(n, ratio), rival_error(n, ratio)
            if (ours < theirs) is not fewer:
                yield f"e^epsilon = {ratio}^3, n = {n}: {ours} and {theirs}"


@check("ah-draws-growth")
def draws_growth() -> Iterator[str]:
    """From 10^4 to 10^8 items the draws of a release grow by a factor of at most 160, where sqrt(n) grows by 100."""
    for ratio in (Fraction(11, 10), Fraction(25, 18), Fraction(3, 2), Fraction(8)):
        few, many = counted(10**4, ratio), counted(10**8, ratio)
        if many > 160 * few:
            yield f"e^epsilon = {ratio}^3: {few} and {many} draws"


@check("ah-draws-counted")
def draws_counted() -> Iterator[str]:
    """The noises of a release: for the total, for Z^b, T for the small part, at most n/(T + 1) + M + Z^b for the large.

    Small epsilon needs one more for each boundary, at most T + log(T'/T)/log(1 + q) + 2 of them and one for each large
    count. Two draws make a noise, or one where it is 0, but for a chance below 2^-30.
    """
    for counts in histograms(8):
        n = sum(counts)
        for limit in range(1, 5):
            for shift in range(-3, 4):
                small, large = split(prevalences(counts), limit=limit, made=2, shift=shift)
                if len(small) != limit or sum(many for _, many in large) > n // (limit + 1) + max(0, 2 + shift):
                    yield f"{counts}, T = {limit}, Z = {shift}"
    for n in (10**3, 10**5, 10**7):
        for ratio in (*LOW, *HIGH):
            limit, histogram = threshold(n, ratio), harmonic(n)
            noises = 2 + fakes(n, ratio) + items(histogram) // (limit + 1)
            noises += limit if is_low_privacy(ratio) else len(boundaries(n, ratio, [])) + noises
            if counted(n, ratio) > 2 * noises + 12 * isqrt(noises) + 200:
                yield f"e^epsilon = {ratio}^3, n = {n}: {counted(n, ratio)} draws, {noises} noises"


@check("ah-gap-to-bound")
def gap_to_bound() -> Iterator[str]:
    """For epsilon <= 1: log 2 <= log(2/epsilon), so that the root of the latter is at most 1/sqrt(log 2) times it."""
    for k in range(1, 200):
        for epsilon in (Fraction(1, k), Fraction(k, k + 1)):
            least, log_hi = ln_bounds(Fraction(2), BITS)[0], ln_bounds(2 / epsilon, BITS)[1]
            if log_hi < least:
                yield f"epsilon = {epsilon}"


@check("ah-exponents")
def exponents() -> Iterator[str]:
    """At beta = 1/10: (1/(alpha^2 epsilon))^(1/(1 - 2 beta)) is alpha^(-5/2) epsilon^(-5/4); 1 + beta is 11/10."""
    beta = Fraction(1, 10)
    power = 1 / (1 - 2 * beta)
    found = (2 * power, power, 1 + beta)
    if found != (Fraction(5, 2), Fraction(5, 4), Fraction(11, 10)):
        yield ", ".join(map(str, found))


@check("ah-guesses")
def guesses_expose() -> Iterator[str]:
    """No choice of that many labels covers more accounts than the largest counts do, and one covers as many."""
    return (
        f"{counts}, {guesses} guesses"
        for counts in histograms(9)
        for guesses in range(len(counts) + 2)
        if accounts_exposed(prevalences(counts), guesses)
        != max(sum(chosen) for chosen in combinations(counts, min(guesses, len(counts))))
    )


@check("ah-total-is-noisier")
def total_is_noisier() -> Iterator[str]:
    """On a histogram of about 10^4 items the total of H errs more than N, on the mean of 20 seeds."""
    histogram = harmonic(10**4)
    n = items(histogram)
    for ratio in (Fraction(11, 10), Fraction(3, 2), Fraction(3)):
        drawn = [privhist_sampler(ratio=ratio)(histogram, seeded_coins(seed)) for seed in range(20)]
        ours = fsum(abs(items(released) - n) for released, _ in drawn)
        total = fsum(abs(noisy - n) for _, noisy in drawn)
        if ours <= total:
            yield f"e^epsilon = {ratio}^3: {ours / 20} and {total / 20}"
