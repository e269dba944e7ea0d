"""Checks of Appendix G of weighted-sampling: stability-based histograms with Laplace noise, sampled afterwards.

Where epsilon, tau, T and i are rational, every quantity there is a sum of rational multiples of e^x for rational x. By
the theorem of Lindemann and Weierstrass two such sums are equal only if their multiples are, x by x: `==` is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from dpcert.proofs.check import check, checks

ZERO = Fraction(0)
ONE = Fraction(1)
HALF = Fraction(1, 2)
EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1))
TAUS = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2))
THRESHOLDS = (Fraction(3), Fraction(15, 2))
FREQUENCIES = (1, 2, 4, 6, 9, 30)


@dataclass(frozen=True, slots=True)
class ExponentialSum:
    """A sum of rational multiples of e^x: exponents x with their multiples, none 0."""

    terms: tuple[tuple[Fraction, Fraction], ...]

    @classmethod
    def of(cls, terms: Mapping[Fraction, Fraction]) -> ExponentialSum:
        """The sum with these multiples."""
        return cls(tuple(sorted((x, c) for x, c in terms.items() if c)))

    def __add__(self, other: ExponentialSum) -> ExponentialSum:
        found = dict(self.terms)
        for x, c in other.terms:
            found[x] = found.get(x, ZERO) + c
        return ExponentialSum.of(found)

    def __sub__(self, other: ExponentialSum) -> ExponentialSum:
        return self + other.times(-ONE)

    def __mul__(self, other: ExponentialSum) -> ExponentialSum:
        found: dict[Fraction, Fraction] = {}
        for (x, c), (y, d) in product(self.terms, other.terms):
            found[x + y] = found.get(x + y, ZERO) + c * d
        return ExponentialSum.of(found)

    def times(self, factor: Fraction | int) -> ExponentialSum:
        return ExponentialSum.of({x: c * factor for x, c in self.terms})


def e(x: Fraction | int) -> ExponentialSum:
    """Return e^x."""
    return ExponentialSum.of({Fraction(x): ONE})


def number(value: Fraction | int) -> ExponentialSum:
    """Return a rational number as a sum."""
    return ExponentialSum.of({ZERO: Fraction(value)})


def integral(powers: Sequence[Fraction | int], rate: Fraction, lo: Fraction, hi: Fraction | None) -> ExponentialSum:
    """Return the integral of (p_0 + p_1 x + ...) e^(rate x) from lo to hi, None for infinity.

    Requires: rate != 0, and rate < 0 where hi is None.
    """
    return (_antiderivative(powers, rate, hi) if hi is not None else number(0)) - _antiderivative(powers, rate, lo)


def _antiderivative(powers: Sequence[Fraction | int], rate: Fraction, x: Fraction) -> ExponentialSum:
    """Return sum over n of (-1)^n p^(n)(x) / rate^(n+1), times e^(rate x): integration by parts."""
    value, derivative, sign = ZERO, [Fraction(p) for p in powers], ONE / rate
    while derivative:
        value += sign * sum((p * x**k for k, p in enumerate(derivative)), ZERO)
        derivative = [k * p for k, p in enumerate(derivative)][1:]
        sign /= -rate
    return e(rate * x).times(value)


Density = Callable[[Fraction, Fraction | None, Fraction], ExponentialSum]
"""The integral of a function times e^(rate j) over j from lo to hi; arguments lo, hi, rate."""


def against_laplace(function: Density, epsilon: Fraction, threshold: Fraction, i: Fraction) -> ExponentialSum:
    """Return the integral of the function times Laplace's density around i, over values of at least the threshold."""
    above = function(max(i, threshold), None, -epsilon) * e(epsilon * i)
    below = function(threshold, i, epsilon) * e(-epsilon * i) if i > threshold else number(0)
    return (above + below).times(epsilon / 2)


def _power(k: int) -> Density:
    return lambda lo, hi, rate: integral([*[0] * k, 1], rate, lo, hi)


def ppswor_rate(tau: Fraction) -> Density:
    """Return 1 - e^(-tau j), to be integrated."""

    def function(lo: Fraction, hi: Fraction | None, rate: Fraction) -> ExponentialSum:
        whole = integral([1], rate, lo, hi)
        if rate == tau:
            assert hi is not None
            return whole - number(hi - lo)
        return whole - integral([1], rate - tau, lo, hi)

    return function


def priority_rate(tau: Fraction) -> Density:
    """Return min(1, tau j), to be integrated."""

    def function(lo: Fraction, hi: Fraction | None, rate: Fraction) -> ExponentialSum:
        knee = 1 / tau
        rising = integral([0, tau], rate, lo, min(knee, hi) if hi is not None else knee) if lo < knee else number(0)
        flat = integral([1], rate, max(lo, knee), hi) if hi is None or hi > knee else number(0)
        return rising + flat

    return function


def _points(taus: Sequence[Fraction] = (ONE,)) -> Iterator[tuple[str, Fraction, Fraction, Fraction, Fraction]]:
    for epsilon, threshold, i, tau in product(EPSILONS, THRESHOLDS, FREQUENCIES, taus):
        where = f"epsilon = {epsilon}, T = {threshold}, i = {i}" + (f", tau = {tau}" if len(taus) > 1 else "")
        yield where, epsilon, threshold, Fraction(i), tau


@check("pws-baseline-antiderivatives")
def pws_baseline_antiderivatives() -> Iterator[str]:
    """The four antiderivatives of Appendix G.3, between two points."""

    def printed(power: int, rate: Fraction, x: Fraction) -> ExponentialSum:
        epsilon, sign = abs(rate), 1 if rate > 0 else -1
        linear, square = epsilon * x - sign, epsilon**2 * x**2 - sign * 2 * epsilon * x + 2
        return e(rate * x).times(sign * (linear / epsilon**2 if power == 1 else square / epsilon**3))

    return (
        f"x^{power} e^({rate} x)"
        for power, rate in product((1, 2), (*EPSILONS, *(-epsilon for epsilon in EPSILONS)))
        if printed(power, rate, Fraction(7)) - printed(power, rate, Fraction(2))
        != integral([*[0] * power, 1], rate, Fraction(2), Fraction(7))
    )


@check("pws-baseline-unsampled")
def pws_baseline_unsampled() -> Iterator[str]:
    """(49) with delta = e^(-epsilon (T - 1)), which is T = 1 + ln(1/delta)/epsilon, and the case T >= 1/tau of G.3."""
    for where, epsilon, threshold, i, _ in _points():
        delta, inverse = e(-epsilon * (threshold - 1)), e(epsilon * (threshold - 1))
        early = (delta * e(epsilon * (i - 1))).times(HALF)
        meant = number(1) - (inverse * e(-epsilon * (i - 1))).times(HALF) if i >= threshold else early
        if against_laplace(_power(0), epsilon, threshold, i) != meant:
            yield where
        if against_laplace(priority_rate(1 / threshold), epsilon, threshold, i) != meant:
            yield f"{where}, tau = 1/T"


@check("pws-baseline-mean")
def pws_baseline_mean() -> Iterator[str]:
    """(47): the mean of the estimate j of a reported value j."""
    for where, epsilon, threshold, i, _ in _points():
        late = number(i) - e(-epsilon * (i - threshold)).times(HALF * (threshold - 1 / epsilon))
        early = e(-epsilon * (threshold - i)).times(HALF * (threshold + 1 / epsilon))
        if against_laplace(_power(1), epsilon, threshold, i) != (late if i > threshold else early):
            yield where


def _squared_error(epsilon: Fraction, threshold: Fraction, i: Fraction) -> ExponentialSum:
    """Return i^2 (1 - phi_i), and the integral of (j - i)^2 against Laplace's density, without sampling."""
    moments = [against_laplace(_power(k), epsilon, threshold, i) for k in range(3)]
    return (number(1) - moments[0]).times(i * i) + moments[2] - moments[1].times(2 * i) + moments[0].times(i * i)


@check("pws-baseline-squared-error")
def pws_baseline_squared_error() -> Iterator[str]:
    """(50): the squared error without sampling."""
    for where, epsilon, threshold, i, _ in _points():
        half, half_variance = threshold**2 / 2 - i * threshold, 1 / epsilon**2
        shift = (i - threshold) / epsilon
        late = number(2 * half_variance) - e(-epsilon * (i - threshold)).times(half + shift + half_variance)
        early = number(i * i) + e(-epsilon * (threshold - i)).times(half - shift + half_variance)
        if _squared_error(epsilon, threshold, i) != (late if i > threshold else early):
            yield where


@checks({"pws-baseline-general-printed": lambda i: 2 * i, "pws-baseline-general-corrected": lambda i: i})
def _general_squared_error(up_to: Callable[[Fraction], Fraction]) -> Iterator[str]:
    """(48), with its last integral for i > T from T to up_to(i), is the squared error, q = 1 and g(i) = i.

    As printed, the last integral, of a positive function, has no end; taken as far as 2i it is too great.
    """
    for where, epsilon, threshold, i, _ in _points():
        mean = against_laplace(_power(1), epsilon, threshold, i)
        squares = integral([0, 0, 1], -epsilon, max(i, threshold), None) * e(epsilon * i)
        if i > threshold:
            squares = squares + integral([0, 0, 1], epsilon, threshold, up_to(i)) * e(-epsilon * i)
        found = number(i * i) - mean.times(2 * i) + squares.times(epsilon / 2)
        if found != _squared_error(epsilon, threshold, i):
            yield f"{where}, q = 1, g(i) = i: with the last integral from T to {up_to(i)} it is too great already"


@check("pws-baseline-ppswor")
def pws_baseline_ppswor() -> Iterator[str]:
    """(51): the reporting probability under ppswor sampling."""
    for where, epsilon, threshold, i, tau in _points(TAUS):
        share = epsilon / (epsilon + tau)
        if i >= threshold:
            meant = number(1) - e(-epsilon * (i - threshold)).times(HALF) - e(-tau * i).times(share / 2)
            if epsilon == tau:
                meant = meant - e(-epsilon * i).times(epsilon * (i - threshold) / 2)
            else:
                mixed = e(-epsilon * (i - threshold) - tau * threshold) - e(-tau * i)
                meant = meant + mixed.times(epsilon / (2 * (epsilon - tau)))
        else:
            early = e(-epsilon * (threshold - i)).times(HALF)
            meant = early * (number(1) - e(-tau * threshold).times(share))
        if against_laplace(ppswor_rate(tau), epsilon, threshold, i) != meant:
            yield where


@check("pws-baseline-priority")
def pws_baseline_priority() -> Iterator[str]:
    """The three ranges of Appendix G.3 for priority sampling with T < 1/tau."""
    for where, epsilon, threshold, i, tau in _points(TAUS):
        knee = 1 / tau
        if threshold >= knee:
            continue
        at_threshold = e(epsilon * (threshold - i)).times(HALF * (threshold - 1 / epsilon))
        if i < threshold:
            first_term = e((i - threshold) * epsilon).times(threshold + 1 / epsilon)
            meant = (first_term - e((i - knee) * epsilon).times(1 / epsilon)).times(tau / 2)
        elif i < knee:
            meant = (number(i) - e(epsilon * (i - knee)).times(1 / (2 * epsilon)) - at_threshold).times(tau)
        else:
            meant = number(1) - e(epsilon * (knee - i)).times(tau / (2 * epsilon)) - at_threshold.times(tau)
        if against_laplace(priority_rate(tau), epsilon, threshold, i) != meant:
            yield where
