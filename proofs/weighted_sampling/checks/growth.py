"""Checks of weighted-sampling, Appendices A, B, D and G: growth of q, two passes, sets of keys, cases."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, least_entries, raised_entries
from dpcert.proofs.check import check, checks
from dpcert.proofs.weighted_sampling.checks.baseline import (
    EPSILONS,
    FREQUENCIES,
    TAUS,
    THRESHOLDS,
    ExponentialSum,
    against_laplace,
    e,
    integral,
    priority_rate,
)
from dpcert.proofs.weighted_sampling.checks.frequencies import RATIOS, integral_delta, rows_grid
from dpcert.proofs.weighted_sampling.checks.separation import separation

ZERO = Fraction(0)
ONE = Fraction(1)
HALF = Fraction(1, 2)
BITS = 128
SHARES = tuple(Fraction(n, 4) for n in range(1, 41))
"""Values of delta / tau."""


def _grows(p: int, share: Fraction, i: int) -> bool:
    """Whether (22) holds for q_i = tau i^p below 1."""
    return Fraction(i + 1) ** p - Fraction(i) ** p >= share


def _slope(p: int, share: Fraction, i: int) -> bool:
    """Whether (23) holds for q_i = tau i^p below 1: the derivative of tau i^p is tau p i^(p-1)."""
    return p * Fraction(i) ** (p - 1) >= share


@check("pws-growth")
def pws_growth() -> Iterator[str]:
    """For i^p, p >= 1: (23) at i implies (22) at i, and that (23) at i + 1; for ppswor the other way round."""
    for p, i, share in product((1, 2, 3), range(1, 12), SHARES):
        implied = [_slope(p, share, i), _grows(p, share, i), _slope(p, share, i + 1)]
        if implied != sorted(implied):
            yield f"q_i = tau i^{p}, delta = {share} tau, i = {i}"
    for tau in (Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2), ONE, Fraction(3)):
        lo, hi = Epsilon.of(tau).exp_bounds(BITS)
        if not (1 - 1 / hi <= tau and tau / lo <= 1 - 1 / lo):  # tau >= 1 - e^-tau >= tau e^-tau
            yield f"q_i = 1 - e^(-{tau} i)"


@check("pws-growth-of-powers")
def pws_growth_of_powers() -> Iterator[str]:
    """(24): for q_i = tau i^p below 1, (23) holds iff i^(p-1) >= delta/(p tau); slopes by difference quotients."""
    for p, i, share in product((1, 2, 3), range(1, 12), SHARES):
        slopes = [(Fraction(i + s * h) ** p - i**p) / (s * h) for s in (1, -1) for h in (Fraction(1, 1 << 40),)]
        slope = sum(slopes) / 2 - (Fraction(1, 1 << 80) if p == 3 else 0)  # of i^3 the quotient has h^2 more
        if (slope >= share) != (i ** (p - 1) >= share / p):
            yield f"p = {p}, delta/tau = {share}, i = {i}"


def _capped(tau: Fraction, p: int, i: int) -> Fraction:
    return min(ONE, tau * Fraction(i) ** p)


@checks(
    {
        "pws-priority-ratio-printed": lambda now, after: now < 1,
        "pws-priority-ratio-corrected": lambda now, after: now < 1 and (after < 1 or after * now == after),
    }
)
def _ratio_of_priority(applies: Callable[[Fraction, Fraction], bool]) -> Iterator[str]:
    """Where q_i = tau i^p < 1, the ratio of (20) is ((i+1)^p - delta/tau)/i^p; corrected, where tau (i+1)^p <= 1 it is,
    and where q is cut off at 1 it is no greater; (22) does not hold where q_i = 1.
    """
    for i, n, p, share in product(range(1, 12), range(2, 40), (1, 2, 3), (Fraction(1, 2), ONE)):
        tau = Fraction(2, n)
        now, after, delta = _capped(tau, p, i), _capped(tau, p, i + 1), share * tau
        printed, rho = ((i + 1) ** p - share) / i**p, (after - delta) / now
        if applies(now, after) and printed != rho:
            yield f"tau = {tau}, p = {p}, delta = {delta}, i = {i}: the ratio is {rho}, printed {printed}"
        if now == 1 and after - now >= delta:
            yield f"tau = {tau}, p = {p}, delta = {delta}, i = {i}: (22) holds where q_i = 1"
        if printed < rho:
            yield f"tau = {tau}, p = {p}, delta = {delta}, i = {i}: the ratio is {rho}, above {printed}"


def _power(i: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of i^p."""
    scaled = i**p.numerator << (64 * p.denominator)
    above = 1 << (scaled.bit_length() // p.denominator + 1)
    floor = least(1, above, lambda x: x**p.denominator > scaled) - 1
    return Fraction(floor, 1 << 64), Fraction(floor + (floor**p.denominator != scaled), 1 << 64)


POWERS = (ZERO, Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), ONE)


@check("pws-concave-growth-printed")
def pws_concave_growth_printed() -> Iterator[str]:
    """For p <= 1 and tau <= delta, q_i = tau i^p grows by less than delta: (22) does not hold."""
    return (
        f"p = {p}, tau = delta, i = {i}: q_(i+1) - q_i = delta"
        for p, i in product(POWERS, range(1, 30))
        if _power(i + 1, p)[1] - _power(i, p)[0] >= 1
    )


@check("pws-concave-growth-corrected")
def pws_concave_growth_corrected() -> Iterator[str]:
    """For p < 1 it grows by less than tau; for p = 1 by tau, where the ratio of (20) is 1 for tau = delta."""
    for p, i in product(POWERS[:-1], range(1, 60)):
        if _power(i + 1, p)[1] - _power(i, p)[0] >= 1:
            yield f"p = {p}, i = {i}"
    for i, tau in product(range(1, 60), (Fraction(1, 1000), Fraction(1, 60))):
        now, after = tau * i, tau * (i + 1)
        if after - now != tau or (after - tau) / now != 1:
            yield f"p = 1, tau = delta = {tau}, i = {i}"


def _form(ratio: Fraction, length: int, i: int) -> tuple[Fraction, ...]:
    """Return the last i entries of (34) over delta, with zeros before them where i is more than 2 length + 1."""
    powers = [ratio**k for k in (*range(length), *range(length, -1, -1))]
    return (*[ZERO] * (i - len(powers)), *powers[max(len(powers) - i, 0) :])


@check("pws-passes-keep-the-form")
def pws_passes_keep_the_form() -> Iterator[str]:
    """For q = 1 and integral L: from a row i of the form (34), the two passes make a row i + 1 of this form."""
    for ratio, length in product(RATIOS, range(5)):
        delta = integral_delta(ratio, length)
        for i in range(1, 2 * length + 5):
            row, meant = ([delta * x for x in _form(ratio, length, k)] for k in (i, i + 1))
            before: Row = (1 - sum(row, ZERO), *row)
            pi = sum(meant, ZERO)
            least = least_entries(before, pi, ratio, delta)
            found = raised_entries(before, least, pi - sum(least, ZERO), ratio, delta)
            late = length + 1 <= i <= 2 * length
            if found != meant or (late and least != [x / ratio for x in row]):
                yield f"e^epsilon = {ratio}, L = {length}, i = {i}"


def _middles(row: Row) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield where each cell of positive mass begins, as a quantile, and its mass."""
    reached = row[0]
    for mass in row[1:]:
        if mass:
            yield reached, mass
        reached += mass


def _above(row: Row, quantile: Fraction, higher: Row) -> Fraction:
    """Return the integral from a quantile to 1 of 1 - T, T of the higher row against this one, linear on cells."""
    total = ZERO
    for start, mass in _middles(row):
        low = max(start, quantile)
        if low < start + mass:
            total += (start + mass - low) * (1 - separation(higher, row, (low + start + mass) / 2))
    return total


def _integral_formula(rows: Sequence[Row]) -> Fraction:
    """Return the sum of Appendix D.2 for three keys, lowest frequency first, over how many of them are not reported.

    Where T is linear, the inner integral is a polynomial of degree two in it, which Simpson's rule integrates exactly.
    """
    one, two, three = rows
    all_three = ZERO
    for start, mass in _middles(one):
        at = (_start(two, one, start), *(separation(two, one, start + mass * share) for share in (HALF, ONE)))
        first_end, middle, last_end = (_above(two, quantile, three) for quantile in at)
        all_three += mass * (first_end + 4 * middle + last_end) / 6
    unreported = [row[0] for row in rows]
    two_left = unreported[0] * _above(two, two[0], three)
    one_left = unreported[0] * unreported[1] * HALF * (1 - three[0])
    return all_three + two_left + one_left + unreported[0] * unreported[1] * unreported[2] / 6


def _start(high: Row, low: Row, start: Fraction) -> Fraction:
    """Return T at the quantile at which a cell of `low` begins: the mass of `high` up to that cell."""
    reached, other = low[0], high[0]
    for mass, more in zip(low[1:], high[1:], strict=True):
        if reached == start and mass:
            return other
        reached += mass
        other += more
    return other


def _in_order(rows: Sequence[Row]) -> Fraction:
    """Return the probability that three values are in order, from all triples; m equal ones are in order with 1/m!."""
    cells = range(len(rows[0]))
    total = ZERO
    for x in cells:
        for y in cells[x:]:
            pair = rows[0][x] * rows[1][y]
            if pair:
                ties = sum(rows[2][y + 1 :], ZERO) + rows[2][y] * (HALF if x < y else Fraction(1, 3))
                total += pair * ties * (1 if x < y else HALF)
    return total


@check("pws-three-keys")
def pws_three_keys() -> Iterator[str]:
    """The probability that three keys are in order is the sum of products of f(0) and iterated integrals over T."""
    for where, _, _, _, rows in rows_grid(5, 4):
        for low, middle, high in combinations(range(1, 5), 3):
            chosen = [rows[low], rows[middle], rows[high]]
            if _integral_formula(chosen) != _in_order(chosen):
                yield f"{where}, frequencies {low}, {middle} and {high}"


@check("pws-baseline-cases")
def pws_baseline_cases() -> Iterator[str]:
    """The integrals of j^2/min(tau j, 1) against Laplace's density, case by case as in G.3, are the whole integral."""

    def whole(tau: Fraction) -> Callable[[Fraction, Fraction | None, Fraction], ExponentialSum]:
        def function(lo: Fraction, hi: Fraction | None, rate: Fraction) -> ExponentialSum:
            cuts = [lo, *([1 / tau] if lo < 1 / tau and (hi is None or 1 / tau < hi) else [])]
            found = ExponentialSum.of({})
            for start, end in pairwise([*cuts, hi]):
                assert start is not None
                rising = start < 1 / tau
                found = found + integral([0, 1 / tau] if rising else [0, 0, 1], rate, start, end)
            return found

        return function

    def printed(epsilon: Fraction, threshold: Fraction, i: Fraction, tau: Fraction) -> ExponentialSum:
        knee = 1 / tau

        def above(start: Fraction) -> ExponentialSum:
            if knee < start:
                return integral([0, 0, 1], -epsilon, start, None)
            rising = integral([0, 1], -epsilon, start, knee).times(1 / tau)
            return rising + integral([0, 0, 1], -epsilon, knee, None)

        if i <= threshold:
            return (above(threshold) * e(epsilon * i)).times(epsilon / 2)
        if knee < threshold:
            below = integral([0, 0, 1], epsilon, threshold, i)
        elif knee < i:
            below = integral([0, 1], epsilon, threshold, knee).times(1 / tau) + integral([0, 0, 1], epsilon, knee, i)
        else:
            below = integral([0, 1], epsilon, threshold, i).times(1 / tau)
        return (above(i) * e(epsilon * i) + below * e(-epsilon * i)).times(epsilon / 2)

    return (
        f"epsilon = {epsilon}, T = {threshold}, i = {i}, tau = {tau}"
        for epsilon, threshold, i, tau in product(EPSILONS, THRESHOLDS, FREQUENCIES, (*TAUS, Fraction(2, 15)))
        if printed(epsilon, threshold, Fraction(i), tau) != against_laplace(whole(tau), epsilon, threshold, Fraction(i))
    )


@check("pws-length-approximation")
def pws_length_approximation() -> Iterator[str]:
    """e^(epsilon L) over epsilon/(2 delta) lies between 1 - epsilon^2/12 and 1 + 2 delta/epsilon."""
    for n, k in product(range(1, 31), range(1, 13)):
        epsilon, delta = Fraction(n, 10), Fraction(1, 10**k)
        bounds = Epsilon.of(epsilon).exp_bounds(BITS)
        # rising in E, as (E - 1 + 2 delta)/(E + 1) is 1 - 2 (1 - delta)/(E + 1)
        lo, hi = (2 * (ratio - 1 + 2 * delta) / (epsilon * (ratio + 1)) for ratio in bounds)
        if not (1 - epsilon**2 / 12 <= lo and hi <= 1 + 2 * delta / epsilon):
            yield f"epsilon = {epsilon}, delta = {delta}"


@check("pws-priority-splits")
def priority_splits() -> Iterator[str]:
    """For T < 1/tau the integral of min(tau j, 1) is that of tau j up to 1/tau, and the chance of 1/tau or more."""
    for epsilon, threshold, frequency, tau in product(EPSILONS, THRESHOLDS, FREQUENCIES, TAUS):
        i, knee = Fraction(frequency), 1 / tau
        if threshold >= knee:
            continue
        rising = e(0).times(0)
        if i < knee:
            rising += integral([0, tau], -epsilon, max(i, threshold), knee) * e(epsilon * i)
        if i > threshold:
            rising += integral([0, tau], epsilon, threshold, min(i, knee)) * e(-epsilon * i)
        half = e(-epsilon * abs(knee - i)).times(Fraction(1, 2))
        beyond = half if i <= knee else e(0) - half
        if rising.times(epsilon / 2) + beyond != against_laplace(priority_rate(tau), epsilon, threshold, i):
            yield f"epsilon = {epsilon}, T = {threshold}, tau = {tau}, i = {i}"
