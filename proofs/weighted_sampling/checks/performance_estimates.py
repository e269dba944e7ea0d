"""Checks of Section 8.4 of weighted-sampling: bias, variance and error of estimates, against the sampled baseline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.weighted_sampling.pws_estimators import Moments, maximum_likelihood, moments
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.mechanisms.weighted_sampling.sbh import printed_threshold, sbh_law
from dpcert.proofs.check import check
from dpcert.proofs.weighted_sampling.checks.frequencies import integral_delta

ZERO = Fraction(0)
ONE = Fraction(1)
RATIO = Fraction(5, 3)
DELTA = Fraction(1, 2**20)
IMAX = 40
MOST = 70
"""The greatest value of the baseline: what noise adds beyond it to a frequency up to IMAX is below E^-29."""
KEYS = 1000
"""How many keys of each frequency a selection has."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One priority sampling: the rate of each frequency, and the moments of PWS (MLE) and of sampled-SbH."""

    q: list[Fraction]
    ours: list[Moments]
    theirs: list[Moments]


def _ours(tau: Fraction, imax: int, ratio: Fraction, delta: Fraction) -> list[Moments]:
    """Return the moments of the maximum-likelihood estimate of frequencies 1, ..., imax, by Algorithm 4."""
    rows = discrete_rows(q=sampling_probabilities(f"priority:{tau}", imax), ratio=ratio, delta=delta)
    estimates = maximum_likelihood(rows=rows, g=lambda i: i)
    return [moments(row=row, estimates=estimates, meant=i) for i, row in enumerate(rows) if i]


def _theirs(tau: Fraction, imax: int, ratio: Fraction, delta: Fraction, most: int = MOST) -> list[Moments]:
    """Return the moments of the estimate j/q_j of sampled-SbH, with geometric noise."""
    q = sampling_probabilities(f"priority:{tau}", most)
    law = sbh_law(threshold=printed_threshold(ratio=ratio, delta=delta), law=geometric_law(n=most, ratio=ratio), q=q)
    estimates = (ZERO, *(j / q[j - 1] for j in range(1, most + 1)))
    found = []
    for i in range(1, imax + 1):
        row = [ZERO] * (most + 1)
        for value, p in law(i).items():
            row[value] = p
        found.append(moments(row=tuple(row), estimates=estimates, meant=i))
    return found


def _at(tau: Fraction) -> Rate:
    q = sampling_probabilities(f"priority:{tau}", IMAX)
    return Rate(q, _ours(tau, IMAX, RATIO, DELTA), _theirs(tau, IMAX, RATIO, DELTA))


def _accurate_from(moments: Sequence[Moments]) -> int:
    """Return the least frequency from which on the bias is at most a tenth of the frequency."""
    return 1 + max((i for i, one in enumerate(moments, 1) if abs(one.bias) * 10 > i), default=0)


def _tens(*powers: int) -> list[Fraction]:
    return [Fraction(1, 10**k) for k in powers]


@check("pws-accurate-from")
def pws_accurate_from() -> Iterator[str]:
    """The bias is within a tenth from 32 on for SbH; for PWS from 26, 19, 13, 8 on at tau = 1, 1e-3, 1e-4, 1e-5."""
    for tau, meant in zip(_tens(0, 3, 4, 5), (26, 19, 13, 8), strict=True):
        at = _at(tau)
        if (_accurate_from(at.ours), _accurate_from(at.theirs)) != (meant, 32):
            yield f"tau = {tau}: {_accurate_from(at.ours)} and {_accurate_from(at.theirs)}"


@check("pws-bias-fades")
def pws_bias_fades() -> Iterator[str]:
    """From 2(T - 1) = 2 ln(1/delta)/epsilon on, SbH's bias is at most delta i, and PWS's below 1: E = 2, T = 11."""
    ratio, delta = Fraction(2), Fraction(1, 2**10)
    for tau in (ONE, Fraction(1, 10), Fraction(1, 1000)):
        theirs, ours = _theirs(tau, 30, ratio, delta), _ours(tau, 42, ratio, delta)
        for i in range(20, 31):
            if abs(theirs[i - 1].bias) > delta * i or abs(ours[i - 1].bias) >= 1:
                yield f"tau = {tau}, i = {i}"
        if abs(theirs[8].bias) < 1 or (tau == 1 and abs(ours[8].bias) < 1):
            yield f"tau = {tau}: the bias is small already at 9"


@check("pws-bias-in-the-limit")
def pws_bias_in_the_limit() -> Iterator[str]:
    """For q = 1: where L is an integer, PWS's bias is 0 from 3L + 1 on; at L = 8.4... it is 0.497 from 26 to 41."""
    for ratio, length in product((Fraction(3, 2), Fraction(2), Fraction(3)), (1, 2, 3)):
        found = _ours(ONE, 6 * length + 4, ratio, integral_delta(ratio, length))
        if any(one.bias for one in found[3 * length : 5 * length]):
            yield f"e^epsilon = {ratio}, L = {length}"
    late = [round(one.bias, 3) for one in _ours(ONE, 50, Fraction(2), Fraction(1, 2**10))[25:41]]
    if set(late) != {Fraction(497, 1000)}:
        yield f"e^epsilon = 2, delta = 1/1024: {late[0]}"


SMALL = tuple(product((Fraction(3, 2), Fraction(2), Fraction(3)), (Fraction(1, 5), Fraction(1, 10), Fraction(1, 100))))
HALVES = tuple(Fraction(1, 2**k) for k in range(5))


@check("pws-bias-and-rate")
def pws_bias_and_rate() -> Iterator[str]:
    """Where the rate falls, no frequency is underestimated by more; for tau <= delta no i < 1/tau has any bias."""
    for ratio, delta in SMALL:
        found = [_ours(tau, 12, ratio, delta) for tau in HALVES]
        for more, fewer in pairwise(found):
            for i, (a, b) in enumerate(zip(more[:8], fewer[:8], strict=True), 1):
                if min(b.bias, ZERO) < min(a.bias, ZERO):
                    yield f"e^epsilon = {ratio}, delta = {delta}, i = {i}"
        for tau in (delta, delta / 2, delta / 10):
            if any(one.bias for i, one in enumerate(_ours(tau, 9, ratio, delta), 1) if i * tau < 1):
                yield f"e^epsilon = {ratio}, delta = {delta}, tau = {tau}"


@check("pws-baseline-bias-any-rate")
def pws_baseline_bias_any_rate() -> Iterator[str]:
    """For every frequency: the mean of sampled-SbH's estimate is the same at all rates."""
    for ratio, delta in SMALL:
        means = [
            [one.mean for one in _theirs(tau, 20, ratio, delta, 30)] for tau in (ONE, *HALVES[1:], Fraction(1, 1000))
        ]
        if any(other != means[0] for other in means):
            yield f"e^epsilon = {ratio}, delta = {delta}"


@check("pws-variance-low")
def pws_variance_low() -> Iterator[str]:
    """The variance of both is at most i^2 (3/4 + 5/4 (1/q_i - 1)), the last being 5/4 of that without privacy."""
    for tau in _tens(0, 2, 3, 4, 5):
        at = _at(tau)
        for i, (q, *both) in enumerate(zip(at.q, at.ours, at.theirs, strict=True), 1):
            if any(one.variance > i**2 * (Fraction(3, 4) + Fraction(5, 4) * (1 / q - 1)) for one in both):
                yield f"tau = {tau}, i = {i}"


def _squared(moments: Sequence[Moments]) -> Fraction:
    """Return the mean squared error of the estimated sum of a selection with KEYS keys of each frequency."""
    bias, variance = (sum(values, ZERO) for values in zip(*((one.bias, one.variance) for one in moments), strict=True))
    return KEYS * variance + (KEYS * bias) ** 2


@check("pws-middle-rate")
def pws_middle_rate() -> Iterator[str]:
    """The error without privacy and that of SbH fall from tau = 1e-6 to 1; that of PWS is least at 1e-4."""
    rates = [_at(tau) for tau in _tens(6, 5, 4, 3, 2, 0)]
    plain = [sum((i * i * (1 / q - 1) for i, q in enumerate(at.q, 1)), ZERO) for at in rates]
    ours, theirs = [_squared(at.ours) for at in rates], [_squared(at.theirs) for at in rates]
    if any(a <= b for values in (plain, theirs) for a, b in pairwise(values)):
        yield "an error that grows with the rate"
    if not ours[0] > ours[1] > ours[2] < ours[3] < ours[4] < ours[5]:
        yield "PWS is not best in the middle"


@check("pws-better-unsampled")
def pws_better_unsampled() -> Iterator[str]:
    """Without sampling the squared error of PWS is less than half of SbH's; at tau = 1e-6 it is greater than SbH's."""
    unsampled, rare = _at(ONE), _at(Fraction(1, 10**6))
    half = 2 * _squared(unsampled.ours) < _squared(unsampled.theirs)
    if not (half and _squared(rare.ours) > _squared(rare.theirs)):
        yield f"{_squared(unsampled.ours)} and {_squared(unsampled.theirs)}"
