"""Sample-and-threshold, one bin: sample each person with probability p, report the sampled count if large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb

from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.rounding import Rounding, binomial_down

ALL = "all"
"""The value of kmax that stands for all counts; code for finitely many counts then takes those up to three times the
threshold.
"""
DIGITS = 6
BITS = 128


def sample_threshold(*, rate: Fraction, threshold: int) -> Callable[[int, Coins], int]:
    """Report how many of `count` people were sampled, or 0 where that is below the threshold.

    Requires: 0 < rate < 1, threshold >= 1; inputs are counts >= 0.
    Claims:   (epsilon, delta)-DP for counts that differ by one, delta as in `kl_delta`; not tight.
    Source:   sample-and-threshold, Section 3.1 (Poisson sampling, one bin).
    """

    def sample(sampled: int, person: int, coins: Coins) -> int:
        return sampled + 1 if coins.below(rate.denominator) < rate.numerator else sampled

    def release(count: int, coins: Coins) -> int:
        sampled = coins.fold(range(count), 0, sample)
        return sampled if sampled >= threshold else 0

    return release


def sample_threshold_law(*, rate: Fraction, threshold: int) -> Callable[[int], Dist]:
    """Return the law of `sample_threshold` in closed form: a binomial, small counts moved to 0.

    Requires: 0 < rate < 1, threshold >= 1.
    """

    def law(count: int) -> Dist:
        p, q = rate.numerator, rate.denominator - rate.numerator
        whole, shown = rate.denominator**count, []
        weight = comb(count, threshold) * p**threshold * q ** (count - threshold) if threshold <= count else 0
        for v in range(threshold, count + 1):
            shown.append((v, weight))
            weight = weight * (count - v) * p // ((v + 1) * q)
        return Dist.from_weights([(0, whole - sum(weight for _, weight in shown)), *shown], whole)

    return law


def sample_threshold_form(*, rate: Fraction, threshold: int) -> Rounding:
    """Return the closed form of `sample_threshold` at any size: its law, or for many people that law rounded down."""

    def rounded(count: int, bits: int) -> Dist:
        weights = ((v if v >= threshold else 0, weight) for v, weight in binomial_down(count, rate, bits))
        return Dist.from_weights(weights, 1 << bits)

    def size(count: int) -> int:
        return max(0, count - threshold + 2) * count * rate.denominator.bit_length()

    return Rounding(sample_threshold_law(rate=rate, threshold=threshold), rounded, size)


def kl_delta(*, rate: Fraction, threshold: int, ratio: Fraction) -> Fraction:
    """Return the delta of Theorem 2 at e^epsilon = ratio, rounded up to six significant digits.

    With q = 1 - (1 - p) / ratio the printed bound exp(-(threshold/q) D(q||p)) is exp(-threshold g) for
    g = ln(q/p) - (1-q)/q ln(ratio), since (1-p)/(1-q) = ratio. It is e^-10000 where that is more.

    Requires: ratio (1 - rate) >= 1, which is the theorem's condition e^-epsilon <= 1 - p.
    Source:   sample-and-threshold, Theorem 2.
    """
    q = 1 - (1 - rate) / ratio
    gap_lo = ln_bounds(q / rate, BITS)[0] - (1 - q) / q * ln_bounds(ratio, BITS)[1]
    exponent_lo = min(max(threshold * gap_lo, Fraction(0)), Fraction(10_000))
    return Fraction(decimal_hi(1 / Epsilon.of(exponent_lo).exp_bounds(BITS)[0], DIGITS))


def _build(settings: Mapping[str, str]) -> Instance:
    rate = probability(settings, "rate")
    threshold = integer(settings, "threshold", least=1)
    kmax = 3 * threshold if settings["kmax"] == ALL else integer(settings, "kmax", least=1, greatest=10**5)
    ratio = 2 / (1 - rate)
    return Instance(
        program=sample_threshold(rate=rate, threshold=threshold),
        closed_form=sample_threshold_form(rate=rate, threshold=threshold),
        inputs=tuple(range(kmax + 1)),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.ln(ratio),
        delta=kl_delta(rate=rate, threshold=threshold, ratio=ratio),
        domain=counts(None),
    )


SAMPLE_THRESHOLD = Mechanism(
    name="sample-threshold",
    words="Poisson-sample the people of one bin and report the sampled count if it is at least the threshold",
    source="sample-and-threshold, Section 3.1, Theorem 2",
    parameters=(
        Parameter("rate", "1/10", "the probability p with which each person is sampled"),
        Parameter("threshold", "10", "the least count that is reported"),
        Parameter("kmax", ALL, "the greatest count audited; `all` for a verdict on counts of any size"),
    ),
    build=_build,
)
