"""Checks of steps of PrivHist: the noisy total, the highest counts, the split and its fake counts, regression."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, histograms, joined
from dpcert.mechanisms.anonymized_histograms.postprocess import high_privacy_histogram, isotonic, nearest
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1
from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.proofs.anonymized_histograms.checks.noise import ALPHAS, epsilon_hi, epsilon_lo
from dpcert.proofs.check import check

ZERO, ONE = Fraction(0), Fraction(1)


@check("ah-total-moments")
def ah_total_moments() -> Iterator[str]:
    """Appendix D, total: E|N - n| = (2 alpha - alpha^(n+1))/(1 - alpha^2), at most E|Z|, which is below 1/epsilon.

    Twins: E N by steps of n, and the sums of Pr[|N - n| >= j] and of (2j - 1) times it, of which those of N < n are
    finite. For epsilon > 1 the error is at most 3 e^-epsilon.
    """
    for alpha, n in product(ALPHAS, range(12)):
        law = GeometricMoments(alpha)
        size, square = law.mean_size(), law.mean_square()
        below = [law.at_least(j) for j in range(1, n + 1)]  # Pr[N <= n - j]
        where = f"alpha = {alpha}, n = {n}"
        if law.total_mean(n + 1) - law.total_mean(n) != law.at_least(-n) or law.total_mean(0) != size / 2:
            yield f"{where}: E N"
        if law.total_error(n) != size / 2 + sum(below):
            yield f"{where}: E|N - n|"
        if law.total_square(n) != square / 2 + sum((2 * j - 1) * a for j, a in enumerate(below, 1)):
            yield f"{where}: E(N - n)^2"
        if law.total_error(n) > size or law.total_error(n) != (2 * alpha - alpha ** (n + 1)) / (1 - alpha**2):
            yield f"{where}: closed form"
        if size * epsilon_hi(alpha) > 1 or (epsilon_lo(alpha) > 1 and size > 3 * alpha):
            yield f"{where}: bounds"


def empty_total(alpha: Fraction, n: int) -> Fraction:
    """Return n Pr[N = 0], the part of the error from N = 0, where the empty histogram is released."""
    return n * GeometricMoments(alpha).at_least(n)


@check("ah-empty-total-printed")
def ah_empty_total_printed() -> Iterator[str]:
    """Appendix D: n Pr[N = 0] is at most e^(-epsilon_1/2) times a constant, here 10, for all n and epsilon_1."""
    for alpha, n in product((ONE - Fraction(1, 10**k) for k in (1, 2, 3)), (10**k for k in range(4))):
        if empty_total(alpha, n) ** 2 > 100 * alpha:
            yield f"e^-epsilon_1 = {alpha}, n = {n}: n Pr[N = 0] is above 10"


@check("ah-empty-total-corrected")
def ah_empty_total_corrected() -> Iterator[str]:
    """Appendix D, corrected: n Pr[N = 0] = n alpha^n/(1 + alpha) <= max(1, 1/epsilon_1) e^(-epsilon_1/2), n >= 1."""
    for alpha, n in product(ALPHAS, (*range(1, 30), 100, 1000, 10000)):
        found = empty_total(alpha, n)
        if found != n * alpha**n / (1 + alpha):
            yield f"alpha = {alpha}, n = {n}: closed form"
        if found**2 > alpha * max(ONE, 1 / epsilon_hi(alpha)) ** 2:
            yield f"alpha = {alpha}, n = {n}"


@check("ah-decomposition")
def ah_decomposition() -> Iterator[str]:
    """Appendix D, opening: the error is that where N > 0, and n Pr[N = 0], which is n Pr[Z <= -n]."""
    for alpha, h in product(ALPHAS[2:6], histograms(6)):
        law, n = GeometricMoments(alpha), sum(h)
        if sorted_l1(h, ()) != n or 1 - law.at_least(1 - n) != law.at_least(n):
            yield f"alpha = {alpha}, h = {h}"


def capped(h: Counts, most: int) -> Counts:
    """Return the histogram with every count above `most` moved to it."""
    return tuple(min(x, most) for x in h if most)


@check("ah-high-counts-printed")
def ah_high_counts_printed() -> Iterator[str]:
    """Section 4.3: moving every count above 2N to N, neighbours stay at a distance of at most one."""
    for total in range(1, 4):
        h, other = (2 * total,), (2 * total + 1,)
        moved = tuple(total if x > 2 * total else x for x in other)
        if sorted_l1(h, moved) > 1:
            yield f"N = {total}: {{{h[0]}}} and {{{other[0]}}} become {{{h[0]}}} and {{{moved[0]}}}"


@check("ah-high-counts")
def ah_high_counts() -> Iterator[str]:
    """Step H1 and equation (15): counts move only where N < n/2, and E l1(h, H^u) <= n Pr[N < n/2] <= 2/epsilon_1.

    The expectation is exact: a finite sum over N = 1, ..., n/2, and the part with N = 0, where all of h is lost.
    """
    for alpha, h in product(ALPHAS, histograms(8)):
        law, n = GeometricMoments(alpha), sum(h)
        if any(capped(h, 2 * total) != h for total in range((n + 1) // 2, 2 * n + 1) if total):
            yield f"h = {h}: moved though N >= n/2"
        error = n * law.at_least(n) if n else ZERO
        for total in range(1, n):
            error += law.mass(total - n) * sorted_l1(h, capped(h, 2 * total))
        rare = n * law.at_least(n // 2 + 1)  # n Pr[Z < -n/2]
        if not error <= rare <= n * alpha ** (n // 2 + 1) or rare * epsilon_hi(alpha) > 2:
            yield f"alpha = {alpha}, h = {h}"
    for alpha, n in product(ALPHAS, (30, 100, 1000, 10**4)):
        if n * GeometricMoments(alpha).at_least(n // 2 + 1) * epsilon_hi(alpha) > 2:
            yield f"alpha = {alpha}, n = {n}"


def split(h: Counts, t: int, m: int, z: int) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Return the prevalences of H^b, of its small part and of its large part, as step 2 has them."""
    top = max([t + 1, *h])
    b = {r: h.count(r) + m * (r in (t, t + 1)) + z * ((r == t + 1) - (r == t)) for r in range(1, top + 1)}
    small: dict[int, int] = {}
    for r in range(t, 0, -1):
        small[r] = max(0, sum(b[s] for s in range(r, t + 1)) - sum(small[s] for s in range(r + 1, t + 1)))
    large: dict[int, int] = {}
    for r in range(t + 1, top + 1):
        large[r] = max(0, sum(b[s] for s in range(t + 1, r + 1)) - sum(large[s] for s in range(t + 1, r)))
    return b, small, large


def fake_counts(total: int, alpha: Fraction) -> int:
    """Return M, the least integer that is at least max(2 ln(N e^epsilon_2), 1)/epsilon_2, for alpha = e^-epsilon_2."""
    lo, hi = ln_bounds(1 / alpha, 200)

    def enough(m: int) -> bool:
        if m * lo < 1 <= m * hi:
            raise ArithmeticError("more bits of the logarithm are needed")
        return alpha ** (2 - m) >= total**2 and m * lo >= 1

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    return least(low + 1, high, enough)


@check("ah-fakes-proper")
def ah_fakes_proper() -> Iterator[str]:
    """Section 4.2: while |Z^b| <= M no prevalence is negative and the split is H^b itself; that fails with probability
    2 alpha^(M+1)/(1 + alpha) <= 2 alpha^3/((1 + alpha) N^2)."""
    for h, t, m in product(histograms(6), range(1, 4), range(4)):
        for z in range(-m, m + 1):
            b, small, large = split(h, t, m, z)
            if min(b.values()) < 0 or {**small, **large} != b:
                yield f"h = {h}, T = {t}, M = {m}, Z = {z}"
    for total, alpha in product((1, 2, 3, 10, 100, 10**6), ALPHAS[:6]):
        m = fake_counts(total, alpha)
        if GeometricMoments(alpha).beyond(m) > 2 * alpha**3 / ((1 + alpha) * total**2):
            yield f"N = {total}, alpha = {alpha}, M = {m}"


@check("ah-split-error")
def ah_split_error() -> Iterator[str]:
    """Equation (9), first inequality: E l1(H^b, H^a) <= E[|Z| + (n + 2 M (T + 1)) 1{|Z| > M}], with M as in step 2.

    Beyond |Z| > n + M + 1 the distance grows linearly in |Z|, with a slope of T + 1 for positive Z and at most T + 1
    for negative Z, so that its expectation is a finite sum and two geometric series.
    """
    for h, t, alpha, total in product(histograms(4), (1, 2, 3), ALPHAS[2:5], (1, 2, 5)):
        law, n, m = GeometricMoments(alpha), sum(h), fake_counts(total, alpha)
        before = joined(h, (t + 1,) * m + (t,) * m)

        def distance(z: int, h: Counts = h, t: int = t, m: int = m, before: Counts = before) -> int:
            _, small, large = split(h, t, m, z)
            after = tuple(r for r, many in sorted({**small, **large}.items(), reverse=True) for _ in range(many))
            return sorted_l1(before, after)

        far = n + m + 2
        found = sum((law.mass(z) * distance(z) for z in range(-far, far + 1)), ZERO)
        for sign in (1, -1):
            here, slope = distance(sign * far), distance(sign * (far + 1)) - distance(sign * far)
            if distance(sign * (far + 2)) != here + 2 * slope:
                yield f"h = {h}, T = {t}, M = {m}: not linear"
            found += law.at_least(far + 1) * here + slope * law.excess(far)
        if found > law.mean_size() + (n + 2 * m * (t + 1)) * law.beyond(m):
            yield f"h = {h}, T = {t}, M = {m}, N = {total}, alpha = {alpha}: {found}"
        for z in range(-m, m + 1):
            if distance(z) != abs(z):
                yield f"h = {h}, T = {t}, M = {m}, Z = {z}"


@check("ah-proper-after-projection")
def proper_after_projection() -> Iterator[str]:
    """Isotonic regression, the cut at 0 and rounding make non-increasing integers >= 0, so a histogram."""
    for values in product(range(-3, 4), repeat=4):
        for gaps in ((1, 1, 1, 1), (1, 2, 1, 3), (2, 1, 4, 1)):
            fitted = [max(nearest(max(value, Fraction(0))), 0) for value in isotonic(values, [g * g for g in gaps])]
            if min(fitted) < 0 or fitted != sorted(fitted, reverse=True):
                yield f"values {values}, gaps {gaps}"
            boundaries = [sum(gaps[: i + 1]) for i in range(4)]
            found = high_privacy_histogram([g * value for g, value in zip(gaps, values, strict=True)], boundaries)
            steps = zip(boundaries, fitted, [*fitted[1:], 0], strict=True)
            if found != tuple((r, here - above) for r, here, above in steps if here > above):
                yield f"values {values}, gaps {gaps}: the histogram"
