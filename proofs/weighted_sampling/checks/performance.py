"""Checks of Section 8 of weighted-sampling on reported keys: against stability-based histograms, in expectation."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.weighted_sampling.gains import (
    zipf_frequencies,
)
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.sbh import least_threshold, lone_key, printed_threshold, sbh_law
from dpcert.proofs.check import check
from dpcert.proofs.evidence import within

ZERO = Fraction(0)
ONE = Fraction(1)
RATIOS = (Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3))
DELTAS = tuple(Fraction(1, n) for n in (2, 3, 10, 100, 1000))
SAMPLINGS = ("1", "1/2", "1/10, 1/2, 1", "priority:1/8", "ppswor:1/10")
KEYS = 10**5
MOST = 330
GRID = 1 << 64
SWEEP = tuple(Fraction(1, 10**k) for k in range(9))


def bounds(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Return multiples of 10^-7 below and above e^epsilon, for a rational epsilon."""
    low, high = Epsilon.of(epsilon).exp_bounds(64)
    return Fraction(low * 10**7 // 1, 10**7), Fraction(-(-high * 10**7 // 1), 10**7)


def _unsampled(ratio: Fraction, delta: Fraction, imax: int) -> list[Fraction]:
    return reporting_probabilities(q=[ONE] * imax, ratio=ratio, delta=delta)


def _reports(alpha: Fraction, delta: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Return bounds of the expected numbers of keys reported by PWS and by SbH, epsilon = 1/10, no sampling.

    A key of frequency MOST or more is counted as one of MOST, and for the upper bounds as certain.
    """
    frequencies = zipf_frequencies(keys=KEYS, alpha=alpha, most=MOST)
    ours: list[Fraction] = []
    theirs: list[Fraction] = []
    for ratio, up in zip(bounds(Fraction(1, 10)), (False, True), strict=True):
        for found, of in ((ours, _grid_reporting), (theirs, _grid_laplace)):
            law = of(ratio, delta, MOST, up=up)
            law = [*law[:-1], GRID] if up else law
            found.append(Fraction(sum(n * p for n, p in zip(frequencies, law, strict=True)), GRID))
    return ours, theirs


def gain_bounds(alpha: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of how many times as many keys PWS reports in expectation as SbH."""
    ours, theirs = _reports(alpha, delta)
    return ours[0] / theirs[1], ours[1] / theirs[0]


@check("pws-zipf-gains-printed")
def pws_zipf_gains_printed() -> Iterator[str]:
    """For Zipf's law, alpha = 1 and 2, epsilon = 1/10, delta = 1, ..., 10^-8: 1.2 to 4 times as many keys reported."""
    for delta, alpha in product(SWEEP, (ONE, Fraction(2))):
        low, high = gain_bounds(alpha, delta)
        if high < Fraction(6, 5) or low > 4:
            yield f"alpha = {alpha}, delta = {delta}, epsilon = 1/10, 100,000 keys: less than {upwards(high)} times"


def upwards(value: Fraction) -> Fraction:
    """Return the value rounded up to hundredths."""
    return Fraction(-(-value * 100 // 1), 100)


@check("pws-zipf-gains-corrected")
def pws_zipf_gains_corrected() -> Iterator[str]:
    """There: 1.19 to 3.15 times for alpha = 1, most at delta = 1/10; 1.09 to 2.07 for alpha = 2."""
    ranges = {ONE: (Fraction(119, 100), Fraction(315, 100)), Fraction(2): (Fraction(109, 100), Fraction(207, 100))}
    for alpha, (least, most) in ranges.items():
        found = {delta: gain_bounds(alpha, delta) for delta in SWEEP}
        for delta, (low, high) in found.items():
            if not least <= low <= high <= most or high > found[Fraction(1, 10)][1]:
                yield f"alpha = {alpha}, delta = {delta}"


@check("pws-zipf-shares")
def pws_zipf_shares() -> Iterator[str]:
    """At delta = 1 all keys are reported, by the baseline fewer; at smaller delta fewer by both, and fewer by it."""
    for alpha in (ONE, Fraction(2)):
        before = [Fraction(KEYS) + 1] * 2
        for delta in SWEEP[::2]:
            ours, theirs = _reports(alpha, delta)
            falls = ours[1] < before[0] and theirs[1] < before[1]
            if not falls or theirs[1] >= ours[0] or (delta == 1) != (ours[0] == KEYS):
                yield f"alpha = {alpha}, delta = {delta}"
            before = [ours[0], theirs[0]]


@check("pws-baseline-private")
def pws_baseline_private() -> Iterator[str]:
    """Discrete SbH with T >= 1 + ln(1/delta)/epsilon, sampled or not, is (epsilon, delta)-DP; T less 1 may not be.

    Its least delta is E^(2-T)/(E + 1) without sampling, and `least_threshold` is private where one less is not.
    """
    for ratio, delta, text in product(RATIOS[1:], DELTAS[1:4], SAMPLINGS):
        most = 24
        law, q = geometric_law(n=most, ratio=ratio), sampling_probabilities(text, most)
        printed, least = printed_threshold(ratio=ratio, delta=delta), least_threshold(law=law, q=q, delta=delta)
        assert least is not None
        where = f"e^epsilon = {ratio}, delta = {delta}, q = {text}"
        for threshold in {printed, least}:
            laws = [sbh_law(threshold=threshold, law=law, q=q)(i) for i in range(10)]
            alone = lone_key(threshold=threshold, law=law, q=q)
            if not within(laws, Epsilon.ln(ratio), delta) or laws[1].prob_of(bool) != alone:
                yield f"{where}, T = {threshold}"
            if text == "1" and alone != ratio / (ratio + 1) / ratio ** (threshold - 1):
                yield f"{where}, T = {threshold}: the least delta"
        if least > printed or (least > 1 and lone_key(threshold=least - 1, law=law, q=q) <= delta):
            yield f"{where}, least T = {least}"


def _grid_reporting(ratio: Fraction, delta: Fraction, imax: int, *, up: bool) -> list[int]:
    """Return bounds of pi*_1, pi*_2, ... over GRID: every step of Algorithm 3 rounded down, or up."""
    a, b, share = ratio.numerator, ratio.denominator, rounded(delta, up=up)
    found, before = [], 0
    for _ in range(imax):
        grown = divided(before * a, b, up=up) + share
        late = GRID + divided((before + share - GRID) * b, a, up=up)
        before = min(GRID, grown, late)
        found.append(before)
    return found


def _grid_laplace(ratio: Fraction, delta: Fraction, imax: int, *, up: bool) -> list[int]:
    """Return bounds of phi_1, phi_2, ... over GRID, with bounds of delta ratio^(i - 1) over GRID."""
    found, grown = [], rounded(delta, up=up)
    for _ in range(imax):
        late = GRID - divided(GRID * GRID, 2 * grown, up=not up)
        found.append(divided(grown, 2, up=up) if grown <= GRID else late)
        grown = divided(grown * ratio.numerator, ratio.denominator, up=up)
    return found


def divided(a: int, b: int, *, up: bool) -> int:
    """Return a / b, rounded up or down."""
    return -(-a // b) if up else a // b


def rounded(value: Fraction, *, up: bool) -> int:
    """Return GRID times the value, rounded up or down."""
    return divided(value.numerator * GRID, value.denominator, up=up)


def _saturation(epsilon: Fraction, delta: Fraction) -> tuple[int, int]:
    """Return the least i with pi*_i = 1 and with phi_i > 1 - delta, each the same by both bounds of e^epsilon."""
    imax = 4
    ends = list(zip(bounds(epsilon), (False, True), strict=True))
    while True:
        ours = [_least(_grid_reporting(ratio, delta, imax, up=up), GRID) for ratio, up in ends]
        most = GRID - rounded(delta, up=True) + 1
        theirs = [_least(_grid_laplace(ratio, delta, imax, up=up), most) for ratio, up in ends]
        if min(*ours, *theirs) > 0:
            break
        imax *= 2
    if ours[0] != ours[1] or theirs[0] != theirs[1]:
        raise ArithmeticError(f"epsilon = {epsilon}, delta = {delta}: the bounds are too far apart")
    return ours[0], theirs[0]


def _least(values: Sequence[int], most: int) -> int:
    """Return the least place, from 1, at which a value is at least this; 0 where none is."""
    return next((i for i, value in enumerate(values, 1) if value >= most), 0)


@check("pws-figure-1")
def pws_figure_1() -> Iterator[str]:
    """phi <= pi*; pi* is 1 from 37, phi above 1 - delta from 87 on at (0.1, 0.01); 1,705 and 2,695 at (0.01, 1e-6)."""
    for epsilon, delta, ours, theirs in FIGURE_1:
        low, high = bounds(epsilon)
        least, most = _grid_reporting(low, delta, theirs, up=False), _grid_laplace(high, delta, theirs, up=True)
        if _saturation(epsilon, delta) != (ours, theirs):
            yield f"epsilon = {epsilon}, delta = {delta}: {_saturation(epsilon, delta)}"
        for i, (pi, phi) in enumerate(zip(least, most, strict=True), 1):
            if phi > pi:
                yield f"epsilon = {epsilon}, delta = {delta}, i = {i}"


FIGURE_1 = ((Fraction(1, 10), Fraction(1, 100), 37, 87), (Fraction(1, 100), Fraction(1, 10**6), 1705, 2695))


@check("pws-saturation-quotient")
def pws_saturation_quotient() -> Iterator[str]:
    """SbH's saturation over PWS's is above ln(1/delta)/ln(epsilon/delta), by 1/4 at most, by less for small delta."""
    for n, least in ((1, 2), (2, 3)):
        before = Fraction(5, 4)
        for k in (least, least + 1, 6, 8, 10, 12, 15):
            ours, theirs = _saturation(Fraction(1, 10**n), Fraction(1, 10**k))
            found = Fraction(theirs, ours) / Fraction(k, k - n)  # the printed one, for powers of ten
            if not 1 < found < before:
                yield f"epsilon = 10^-{n}, delta = 10^-{k}: {theirs} over {ours}"
            before = found
