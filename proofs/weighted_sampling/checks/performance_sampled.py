"""Checks of Section 8 of weighted-sampling on reported keys under sampling, against sampled stability histograms."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.weighted_sampling.gains import expected_reports, sampled_reporting, zipf_frequencies
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.sbh import printed_threshold
from dpcert.proofs.check import check
from dpcert.proofs.weighted_sampling.checks.performance import (
    GRID,
    KEYS,
    bounds,
    divided,
    gain_bounds,
    rounded,
    upwards,
)

ONE = Fraction(1)


def _nearly(values: Sequence[Fraction], q: Sequence[Fraction]) -> int:
    """Return the least i from which on all values are at least 99 % of q."""
    return 1 + max(
        (i for i, (value, most) in enumerate(zip(values, q, strict=True), 1) if value < most * 99 / 100), default=0
    )


def _sampled(text: str, delta: Fraction, imax: int) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Return q, pi and the baseline's reporting probabilities, e^epsilon = 11/10."""
    ratio, q = Fraction(11, 10), sampling_probabilities(text, 2 * imax)
    threshold = printed_threshold(ratio=ratio, delta=delta)
    pi = reporting_probabilities(q=q[:imax], ratio=ratio, delta=delta)
    return q[:imax], pi, sampled_reporting(q=q, imax=imax, ratio=ratio, threshold=threshold)


@check("pws-sampled-order")
def pws_sampled_order() -> Iterator[str]:
    """For every i: sampled-SbH reports at most as often as PWS, PWS with q_i at most; it nears q from a later i."""
    for delta, kind, n in product((Fraction(1, 100), Fraction(1, 1000)), ("priority", "ppswor"), (10, 100, 1000)):
        q, pi, phi = _sampled(f"{kind}:1/{n}", delta, 180)
        ordered = all(a <= b <= c for a, b, c in zip(phi, pi, q, strict=True))
        if not ordered or not _nearly(pi, q) < _nearly(phi, q) <= 180:
            yield f"delta = {delta}, {kind}, tau = 1/{n}"


@check("pws-sampled-above")
def pws_sampled_above() -> Iterator[str]:
    """At delta = 1/10 and tau = 1/100 sampled-SbH reports a key of frequency 1 more often than it is to be sampled."""
    q, pi, phi = _sampled("priority:1/100", Fraction(1, 10), 40)
    if not pi[0] == q[0] < phi[0]:
        yield f"{pi[0]} and {phi[0]}, sampled with {q[0]}"


def _sampled_gain(alpha: Fraction, tau: Fraction, most: int = 5000) -> Fraction:
    """Return an upper bound of PWS's reports over sampled-SbH's, ppswor with tau, epsilon = 1/10, delta = 1/1000.

    Laplace noise is rounded down to integers, so that a value counts for less, and values below 71 for nothing: the
    threshold is 1 + 10 ln 1000 < 71. PWS reports no key more often than it is sampled.
    """
    low, high = bounds(Fraction(1, 10))
    q = [rounded(rate, up=False) for rate in sampling_probabilities(f"ppswor:{tau}", most)]
    kept = [0] * 70 + q[70:]
    above, below, found = [divided(q[-1] * high.numerator, high.numerator - high.denominator, up=False)], 0, []
    for rate in reversed(kept):
        above.append(rate + divided(above[-1] * high.denominator, high.numerator, up=False))
    above.reverse()
    for i, rate in enumerate(kept):
        found.append((above[i] * (1 - 1 / low) + below * (low - 1)) / 2)
        below = divided((below + rate) * high.denominator, high.numerator, up=False)
    frequencies = zipf_frequencies(keys=KEYS, alpha=alpha, most=most)
    ours = sum(n * p for n, p in zip(frequencies, [*q[:-1], GRID], strict=True)) + KEYS
    return Fraction(ours) / expected_reports(frequencies=frequencies, probabilities=found)


@check("pws-sampled-gains-printed")
def pws_sampled_gains_printed() -> Iterator[str]:
    """For epsilon = 1/10, delta = 1/1000, alpha = 2 and every tau >= delta: PWS reports at least 37 % more keys."""
    for tau in (Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)):
        gain = _sampled_gain(Fraction(2), tau)
        if gain < Fraction(137, 100):
            yield f"alpha = 2, tau = {tau}, 100,000 keys: less than {upwards(gain)} times"


@check("pws-sampled-gains-corrected")
def pws_sampled_gains_corrected() -> Iterator[str]:
    """Without sampling the gains are 230 %, 97 % and 37 %, to less than 3 %, for alpha = 1/2, 1 and 2."""
    printed = {Fraction(1, 2): 330, ONE: 197, Fraction(2): 137}
    for alpha, least in printed.items():
        low, high = gain_bounds(alpha, Fraction(1, 1000))
        if not least <= low * 100 <= high * 100 < least + 3:
            yield f"alpha = {alpha}: {float(low)}"
