"""Checks of the structure of the reporting probabilities of weighted-sampling: Section 4, Appendix A, Section 8.2."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.proofs.check import check, checks, smallest
from dpcert.proofs.weighted_sampling.checks.frequencies import integral_delta

RATIOS = (Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10))
DELTAS = tuple(Fraction(1, n) for n in (1, 2, 3, 4, 5, 7, 10, 20, 100, 1000))
SAMPLINGS = ("1", "1/2", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "priority:1/8", "1/100, 1/50, 1/50, 1/3, 1")
IMAX = 60
ZERO = Fraction(0)
ONE = Fraction(1)


def _unsampled(ratio: Fraction, delta: Fraction, imax: int = IMAX) -> list[Fraction]:
    """Return pi*_0, ..., pi*_imax, the probabilities without sampling."""
    return [ZERO, *reporting_probabilities(q=[ONE] * imax, ratio=ratio, delta=delta)]


def _steps(ratio: Fraction, delta: Fraction) -> int:
    """Return floor(L) + 1: the number of frequencies up to which pi* grows by the factor e^epsilon and delta."""
    k = 1
    while delta * (ratio**k - 1) * (1 + ratio) <= (1 - delta) * (ratio - 1):
        k += 1
    return k


def _length_power(ratio: Fraction, delta: Fraction) -> Fraction:
    """Return e^(epsilon L), by equation (4)."""
    return (ratio - 1 + 2 * delta) / (delta * (ratio + 1))


@check("pws-closed-form-general")
def pws_closed_form_general() -> Iterator[str]:
    """pi* for every delta: geometric up to k = floor(L) + 1, then its complement decays, down to 0."""
    for ratio, delta in product(RATIOS, DELTAS):
        k, pi = _steps(ratio, delta), _unsampled(ratio, delta)
        share = delta / (ratio - 1)
        top = share * (ratio**k - 1)
        for i in range(1, IMAX + 1):
            late = 1 - max(ZERO, (1 - top + share) / ratio ** (i - k) - share) if i > k else ONE
            if pi[i] != (min(ONE, share * (ratio**i - 1)) if i <= k else late):
                yield f"e^epsilon = {ratio}, delta = {delta}, i = {i}"


@check("pws-length")
def pws_length() -> Iterator[str]:
    """L is where delta (e^(epsilon L) - 1)/(e^epsilon - 1) meets (1 - delta)/(1 + e^epsilon) <= (1 - delta)/2."""
    return (
        f"e^epsilon = {ratio}, delta = {delta}"
        for ratio, delta in product(RATIOS, DELTAS)
        if delta * (_length_power(ratio, delta) - 1) / (ratio - 1) != (1 - delta) / (1 + ratio)
        or not (1 - delta) / (1 + ratio) <= (1 - delta) / 2
        or not ratio ** (_steps(ratio, delta) - 1) <= _length_power(ratio, delta) < ratio ** _steps(ratio, delta)
    )


def _grid() -> Iterator[tuple[str, Fraction, Fraction, list[Fraction], list[Fraction]]]:
    for ratio, delta, text in product(RATIOS, DELTAS, SAMPLINGS):
        q = sampling_probabilities(text, 40)
        pi = [ZERO, *reporting_probabilities(q=q, ratio=ratio, delta=delta)]
        yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}", ratio, delta, q, pi


def _losses() -> Iterator[tuple[str, Fraction, Fraction, int]]:
    """Yield where, e^epsilon, delta, and how many frequencies have pi_i < q_i."""
    for where, ratio, delta, q, pi in _grid():
        yield where, ratio, delta, sum(1 for p, most in zip(pi[1:], q, strict=True) if p < most)


@check("pws-loss-count-printed")
@smallest
def pws_loss_count_printed() -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """At most 2L + 1 frequencies have pi_i < q_i, whether L is an integer or not."""
    for where, ratio, delta, n in _losses():
        if n and ratio ** (n - 1) > _length_power(ratio, delta) ** 2:
            yield n, ratio, -delta, f"{where}: {n} frequencies have pi_i < q_i, and {n} > 2L + 1"


@check("pws-loss-count-corrected")
def pws_loss_count_corrected() -> Iterator[str]:
    """No more frequencies have pi_i < q_i than have pi*_i < 1, which are fewer than 2L + 2."""
    return (
        where
        for where, ratio, delta, n in _losses()
        for most in [sum(1 for p in _unsampled(ratio, delta, 90)[1:] if p < 1)]
        if n > most or (most and ratio**most >= ratio**2 * _length_power(ratio, delta) ** 2)
    )


@checks({"pws-below-one-printed": lambda length: 2 * length + 1, "pws-below-one-corrected": lambda length: 2 * length})
@smallest
def _below_one(number: Callable[[int], int]) -> Iterator[tuple[int, Fraction, str]]:
    """There are 2L + 1 frequencies with pi*_i < 1, as the proof of Lemma 4.3 has it; corrected, 2L."""
    for length in range(1, 6):
        for ratio in RATIOS[1:]:
            found = sum(1 for p in _unsampled(ratio, integral_delta(ratio, length))[1:] if p < 1)
            if found != number(length):
                yield length, ratio, f"e^epsilon = {ratio}, L = {length}: {found} frequencies have pi*_i < 1"


@check("pws-lossy-dominate")
def pws_lossy_dominate() -> Iterator[str]:
    """The h-th frequency with pi_i < q_i has pi_i >= pi*_h."""
    return (
        where
        for where, ratio, delta, q, pi in _grid()
        for lossy in [[p for p, most in zip(pi[1:], q, strict=True) if p < most]]
        if any(p < least for p, least in zip(lossy, _unsampled(ratio, delta, 40)[1:], strict=False))
    )


def _kinds(q: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> str:
    """Return which constraint gives each pi_i: s for the sampling's where it is the least alone, else u or d."""
    before, found = ZERO, ""
    for most in q:
        # The right sides of (16) and (17) for pi_i, from pi_(i-1).
        up, down = ratio * before + delta, 1 + (before + delta - 1) / ratio
        found += "s" if most < min(up, down) else "u" if up <= down else "d"
        before = min(most, up, down)
    return found


def _powers(tau: Fraction, p: int) -> list[Fraction]:
    return [min(ONE, tau * i**p) for i in range(1, 41)]


@check("pws-order-needs-tau")
def pws_order_needs_tau() -> Iterator[str]:
    """For p = 2 and tau < delta, a (13) does come before a (16): the condition of Lemma A.3 is needed."""
    return (
        f"e^epsilon = {ratio}, delta = {delta}"
        for ratio, delta in product(RATIOS[:3], (Fraction(1, 100), Fraction(1, 1000)))
        if not _kinds(_powers(delta * 9 / 10, 2), ratio, delta).startswith("su")
    )


def _baseline(i: int, ratio: Fraction, delta: Fraction) -> Fraction:
    """Return phi_i, how often stability-based histograms report a key of frequency i without sampling: (49)."""
    grown = delta * ratio ** (i - 1)
    return 1 - 1 / (2 * grown) if grown >= 1 else grown / 2


@check("pws-above-baseline")
def pws_above_baseline() -> Iterator[str]:
    """pi*_i is at least phi_i; for i <= L + 1 and below T the ratio is 2 (1 + 1/e^epsilon + ...), i terms in all."""
    for ratio, delta in product(RATIOS, DELTAS):
        pi = _unsampled(ratio, delta)
        for i in range(1, IMAX + 1):
            phi = _baseline(i, ratio, delta)
            early = i <= _steps(ratio, delta) and delta * ratio ** (i - 1) < 1
            terms = 2 * sum((1 / ratio**k for k in range(i)), ZERO)
            if pi[i] < phi or (early and not (pi[i] == terms * phi and 2 <= terms <= 2 * i)):
                yield f"e^epsilon = {ratio}, delta = {delta}, i = {i}"
            if delta == 1 and not phi < 1 == pi[i]:
                yield f"e^epsilon = {ratio}, delta = 1, i = {i}"


@check("pws-ratio-printed")
def pws_ratio_printed() -> Iterator[str]:
    """For i <= L, pi*_i / phi_i is at most 2/epsilon, at epsilon = 1/10 and delta = 1e-6, where L is above 108.

    The ratio, 2 (1 + 1/E + ... + 1/E^(i-1)), is bounded from below; that i <= L holds at an upper bound of E.
    """
    low, high = Epsilon.of(Fraction(1, 10)).exp_bounds(64)
    delta, i = Fraction(1, 10**6), 108
    found = 2 * sum((1 / high**k for k in range(i)), ZERO)
    if high**i <= _length_power(low, delta) and found > 20:
        yield f"epsilon = 1/10, delta = 10^-6, i = {i}: the ratio is above {found.__floor__()}, printed at most 20"


@check("pws-ratio-corrected")
def pws_ratio_corrected() -> Iterator[str]:
    """For i <= L, pi*_i / phi_i is in [2, 2/(1 - e^-epsilon)]."""
    for ratio, delta in product(RATIOS, DELTAS):
        pi = _unsampled(ratio, delta)
        for i in range(1, _steps(ratio, delta)):  # the i <= L
            if not 2 <= pi[i] / _baseline(i, ratio, delta) <= 2 / (1 - 1 / ratio):
                yield f"e^epsilon = {ratio}, delta = {delta}, i = {i}"


@check("pws-low-rates")
def pws_low_rates() -> Iterator[str]:
    """Where keys are sampled by priority or ppswor with tau <= delta, privacy costs nothing: pi_i = q_i for all i."""
    return (
        f"e^epsilon = {ratio}, delta = {delta}, q = {text}"
        for ratio, delta in product(RATIOS, DELTAS)
        for tau in (delta, delta / 2, delta / 10)
        for text in (f"priority:{tau}", f"ppswor:{tau}")
        for q in [sampling_probabilities(text, 20)]
        if reporting_probabilities(q=q, ratio=ratio, delta=delta) != q
    )
