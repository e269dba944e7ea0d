"""Checks of Appendix G of weighted-sampling on the density of the baseline, and its squared error range by range."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

from dpcert.proofs.check import check
from dpcert.proofs.weighted_sampling.checks.baseline import ExponentialSum, against_laplace, e, integral, priority_rate

ONE = Fraction(1)
HALF = Fraction(1, 2)
EPSILONS = (Fraction(1, 10), Fraction(1, 2), ONE)
THRESHOLDS = (Fraction(3), Fraction(15, 2))
FREQUENCIES = (1, 2, 4, 6, 9, 30)
TAUS = (Fraction(1, 40), Fraction(1, 20), Fraction(1, 5), Fraction(1, 2))


def _distribution(x: Fraction, epsilon: Fraction) -> ExponentialSum:
    """Return the probability that Laplace noise of scale 1/epsilon is at most x."""
    return e(epsilon * x).times(HALF) if x <= 0 else e(0) - e(-epsilon * x).times(HALF)


def _piece(
    i: Fraction, epsilon: Fraction, lo: Fraction, hi: Fraction, powers: tuple[Fraction | int, ...]
) -> ExponentialSum:
    """Return the integral of a polynomial times epsilon e^(-epsilon |j - i|)/2 from lo to hi, on one side of i."""
    sign = -1 if lo >= i else 1
    return (integral(powers, sign * epsilon, lo, hi) * e(-sign * epsilon * i)).times(epsilon / 2)


@check("pws-baseline-density")
def pws_baseline_density() -> Iterator[str]:
    """q_j epsilon e^(-epsilon |j - i|)/2 over a cell on which q is constant is q times the noise's mass of the cell."""
    for epsilon, i, rate in product(EPSILONS, FREQUENCIES, (ONE, Fraction(1, 3))):
        ends = sorted({Fraction(1, 2), Fraction(3), Fraction(15, 2), Fraction(12), Fraction(i)})
        for lo, hi in pairwise(ends):
            mass = _distribution(hi - i, epsilon) - _distribution(lo - i, epsilon)
            if _piece(Fraction(i), epsilon, lo, hi, (rate,)) != mass.times(rate):
                yield f"epsilon = {epsilon}, i = {i}, from {lo} to {hi}"


@check("pws-baseline-priority-error")
def pws_baseline_priority_error() -> Iterator[str]:
    """The integrals of j^2/min(tau j, 1) in their cases give E (a_j - i)^2 with a_j = j/q_j, cell by cell."""

    def printed(lo: Fraction, hi: Fraction | None, rate: Fraction, tau: Fraction) -> ExponentialSum:
        """Return the integral of j^2/min(tau j, 1) e^(rate j): j/tau up to 1/tau, and j^2 beyond, as G.3 has it."""
        knee = 1 / tau
        if knee <= lo:
            return integral([0, 0, 1], rate, lo, hi)
        if hi is not None and hi <= knee:
            return integral([0, 1 / tau], rate, lo, hi)
        return integral([0, 1 / tau], rate, lo, knee) + integral([0, 0, 1], rate, knee, hi)

    def direct(epsilon: Fraction, threshold: Fraction, i: Fraction, tau: Fraction) -> ExponentialSum:
        """Return i^2 (1 - phi_i) and the integral of q_j (j/q_j - i)^2: (1/tau - 2i + tau i^2/j ...) by cells."""
        phi = against_laplace(priority_rate(tau), epsilon, threshold, i)
        found = (e(0) - phi).times(i * i)
        ends = sorted({threshold, *(x for x in (i, 1 / tau) if x > threshold)})
        for lo, hi in pairwise(ends):
            # below the knee q (j/q - i)^2 = tau j (1/tau - i)^2, beyond it (j - i)^2
            powers = (0, tau * (1 / tau - i) ** 2) if hi <= 1 / tau else (i * i, -2 * i, 1)
            found = found + _piece(i, epsilon, lo, hi, powers)
        last = integral([i * i, -2 * i, 1], -epsilon, ends[-1], None) * e(epsilon * i)
        return found + last.times(epsilon / 2)

    for epsilon, threshold, n, tau in product(EPSILONS, THRESHOLDS, FREQUENCIES, TAUS):
        i = Fraction(n)
        squares = printed(max(i, threshold), None, -epsilon, tau) * e(epsilon * i)
        if i > threshold:
            squares = squares + printed(threshold, i, epsilon, tau) * e(-epsilon * i)
        mean = against_laplace(lambda lo, hi, rate: integral([0, 1], rate, lo, hi), epsilon, threshold, i)
        found = e(0).times(i * i) - mean.times(2 * i) + squares.times(epsilon / 2)
        if found != direct(epsilon, threshold, i, tau):
            yield f"epsilon = {epsilon}, T = {threshold}, i = {n}, tau = {tau}"
