"""The uncut discrete Gaussian, in certified bounds: its weights, their sum to infinity, and the delta of a shift."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import isqrt

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.user_level.discrete_gaussian import CutGaussian, positive


def exp_minus(x: Fraction, bits: int) -> tuple[int, int]:
    """Return integers lo <= 2^bits exp(-x) <= hi, for rational x >= 0; they are at most two apart."""
    lo, hi = Epsilon.of(x).exp_bounds(bits)
    return (hi.denominator << bits) // hi.numerator, -((-lo.denominator << bits) // lo.numerator)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Bounds of 2^bits exp(-(x - center)^2 / (2 variance)), for the integers x of a window about 0 and for all others.

    Claims: lo[i] and hi[i] are bounds for x = i - reach, and `rest` is at least the sum over all |x| > reach.
    """

    lo: tuple[int, ...]
    hi: tuple[int, ...]
    rest: int
    reach: int
    bits: int

    @property
    def total(self) -> tuple[int, int]:
        """Bounds of the sum over all integers, times 2^bits."""
        return sum(self.lo), sum(self.hi) + self.rest


def enclose(*, variance: Fraction | int, bits: int = 128, center: Fraction | int = 0) -> Enclosure:
    """Return bounds of a discrete Gaussian's weights, over a window beyond which they sum to less than about 2^-bits.

    Beyond the window, x >= R + 1 say, each weight is at most exp(-(2 (R - center) + 3)/(2 variance)) of the one before:
    the rest is at most a geometric series, on each side.

    Requires: variance > 0, |center| <= 1.
    Raises:   InputError for a variance that is not above 0, or is a float.
    """
    variance = positive(variance)
    reach = isqrt(2 * bits * -(-variance.numerator // variance.denominator)) + 3
    spare = bits + 16
    rows = [exp_minus((x - center) ** 2 / (2 * variance), spare) for x in range(-reach - 1, reach + 2)]
    ratio = exp_minus((2 * (reach - 1) + 3) / (2 * variance), spare)[1]
    rest = -(-((rows[0][1] + rows[-1][1]) << spare) // ((1 << spare) - ratio))
    return Enclosure(tuple(row[0] for row in rows[1:-1]), tuple(row[1] for row in rows[1:-1]), rest, reach, spare)


def delta_bounds(noise: Enclosure, shift: Sequence[int], epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return bounds of the least delta at epsilon between independent noise on each item and the same noise moved by v.

    The logarithm of the quotient of the two laws at x is (2 <x, v> - |v|^2)/(2 variance). So the worst event is {x :
    <x, v> >= k} for some k, and delta is the greatest over all k of Pr[W >= k - |v|^2] - e^epsilon Pr[W >= k], W =
    <noise, v>.

    Requires: noise about 0; a shift that is not 0.
    Source:   Canonne, Kamath, Steinke 2020, Theorem 7, for several items.
    """
    steps = [abs(step) for step in shift if step]
    lo, hi = {0: 1}, {0: 1}
    for step in steps:
        lo, hi = _plus(lo, noise.lo, step, noise.reach), _plus(hi, noise.hi, step, noise.reach)
    (total_lo, total_hi), square = noise.total, sum(step * step for step in steps)
    all_lo, all_hi = total_lo ** len(steps), total_hi ** len(steps)
    rest = all_hi - sum(hi.values())
    e_lo, e_hi = epsilon.exp_bounds(noise.bits)
    width = noise.reach * sum(steps)
    upper_lo = _sums_from(lo, width, square)
    # The mass outside the window may lie in any event: it counts for each upper bound and for no lower one.
    upper_hi = [value + rest for value in _sums_from(hi, width, square)]
    best_lo = best_hi = Fraction(0)
    for place in range(len(upper_lo)):
        near = max(0, place - square)
        best_lo = max(best_lo, Fraction(upper_lo[near], all_hi) - e_hi * Fraction(upper_hi[place], all_lo))
        best_hi = max(best_hi, Fraction(upper_hi[near], all_lo) - e_lo * Fraction(upper_lo[place], all_hi))
    return best_lo, max(best_hi, Fraction(rest, all_lo))


def _plus(law: dict[int, int], weights: Sequence[int], step: int, reach: int) -> dict[int, int]:
    """Return the weights of a sum of a number of this law and `step` times one of the noise."""
    sums: dict[int, int] = {}
    for at, weight in law.items():
        for place, more in enumerate(weights):
            value = at + step * (place - reach)
            sums[value] = sums.get(value, 0) + weight * more
    return sums


def _sums_from(law: dict[int, int], width: int, beyond: int) -> list[int]:
    """Return the sums of the weights from each place on, from -width to width and further; weights end at width."""
    sums = accumulate(law.get(value, 0) for value in range(width, -width - 1, -1))
    return [*[*sums][::-1], *[0] * (beyond + 1)]


def distance_bounds(cut: CutGaussian, noise: Enclosure) -> tuple[Fraction, Fraction]:
    """Return bounds of the total variation between a cut discrete Gaussian and the uncut one.

    Requires: noise about 0, of the same variance, and a window that holds the cut one's reach.
    """
    total_lo, total_hi = noise.total
    least = most = Fraction(0)
    for place, weight in enumerate(cut.weights):
        at = place - cut.reach + noise.reach
        p = Fraction(weight, cut.total)
        least += max(Fraction(0), p - Fraction(noise.hi[at], total_lo))
        most += max(Fraction(0), p - Fraction(noise.lo[at], total_hi))
    return least, most


def concentrated_delta(rho: Fraction, epsilon: Epsilon, *, bits: int = 64) -> Fraction:
    """Return a delta that is enough at epsilon for a shift v of the noise, whatever its signs and number of items.

    With rho = |v|^2 / (2 variance), it is the bound exp((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1) of rho-zCDP,
    which is valid for every integer a >= 2, at the best a of a few near the optimum.

    Requires: rho > 0.
    Source:   theorem Clipping.gaussian_sums_private; Canonne, Kamath, Steinke 2020, Section 2.
    """
    middle = int((epsilon_bounds(epsilon, bits)[0] / rho + 1) / 2)
    deltas = []
    for order in range(max(2, middle - 1), max(2, middle) + 3):
        grown = Epsilon.of((order - 1) * order * rho).exp_bounds(bits)[1]
        shrunk = epsilon.exp_bounds(bits)[0] ** (order - 1)
        deltas.append(grown / shrunk * Fraction(order - 1, order) ** order / (order - 1))
    return min(Fraction(1), *deltas)
