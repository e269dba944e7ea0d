"""Checks of the utility analysis of PrivHist: Appendix D of anonymized-histograms, step by step, and its totals."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.partitions import histograms, joined, partitions
from dpcert.mechanisms.anonymized_histograms.postprocess import isotonic
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1, ways_to_remove
from dpcert.mechanisms.logarithm import ln_bounds, root_bounds
from dpcert.proofs.anonymized_histograms.checks.smoothing import rounded, upper_sums
from dpcert.proofs.anonymized_histograms.checks.steps import fake_counts, split
from dpcert.proofs.check import check, checks

ZERO, ONE = Fraction(0), Fraction(1)
BITS = 40


def root_hi(x: Fraction | int) -> Fraction:
    """Return an upper bound of a square root."""
    return root_bounds(Fraction(x), BITS)[1]


def root_lo(x: Fraction | int) -> Fraction:
    """Return a lower bound of a square root."""
    return root_bounds(Fraction(x), BITS)[0]


def ceiling_root(x: Fraction) -> int:
    """Return the least integer that is at least the root of a number."""
    low = floor(root_lo(x))
    return low if low * low >= x else low + 1


@check("ah-logarithmic")
def ah_logarithmic() -> Iterator[str]:
    """Section 4.3: of the boundaries T (1 + q)^i those up to 2N are ln(2N/T)/ln(T'/T) times as many as those up to T';
    T'/T = 10/sqrt(epsilon epsilon_3^3) does not depend on N, and each factor of 100 in N adds as much to the ratio."""
    for epsilon in map(Fraction, ("1", "1/4", "1/100")):
        squares = []
        for k in range(1, 9):
            total = Fraction(100) ** k
            squares.append((2700 * total / epsilon**3) / (total * epsilon))  # (T'/T)^2
            lo = ln_bounds((2 * total) ** 2 / (total * epsilon), BITS)[0]  # 2 ln(2N/T)
            if lo < k * ln_bounds(Fraction(100), BITS)[0]:
                yield f"epsilon = {epsilon}, N = {total}"
        if set(squares) != {100 / (epsilon * (epsilon / 3) ** 3)}:
            yield f"epsilon = {epsilon}: T'/T"


@checks({"ah-small-counts-printed": True, "ah-small-counts-corrected": False})
def _small_counts(printed: bool) -> Iterator[str]:
    """Equation (12): l1(H^bs, H^ds)^2 <= 4 T sum over r of (Z_r^cs)^2, by way of its (a), (b) and (c); as printed, of
    (Z_r^cs - Z^b)^2, for phi^bs possible with M = 1.
    """
    for t in (1, 2, 3):
        for h, cut, z in product(
            (h for h in histograms(4) if all(x <= t for x in h)), (1, 0, -1), product(range(-2, 3), repeat=t)
        ):
            _, small, _ = split(h, t, 1, cut)
            true = upper_sums({r: Fraction(many) for r, many in small.items()}, t)
            fitted = isotonic([v + w for v, w in zip(true, z, strict=True)])
            error = sum(max(abs(v - y) for y in rounded(x)) for v, x in zip(true, fitted, strict=True))
            spread = sum((abs(v - x) for v, x in zip(true, fitted, strict=True)), ZERO)
            squares = sum((v - x) ** 2 for v, x in zip(true, fitted, strict=True))
            noise = sum((w - cut * printed) ** 2 for w in z)
            steps = error <= 2 * spread and spread**2 <= t * squares and squares <= sum(w * w for w in z)
            if error**2 > 4 * t * noise or not steps:
                yield f"h = {h}, T = {t}, M = 1, Z^b = {cut}, Z^cs = {z}: l1 = {error}, bound {2 * t * noise}"


@check("ah-small-counts-mean")
def ah_small_counts_mean() -> Iterator[str]:
    """Equation (13): E l1(H^bs, H^ds) <= 2 T sqrt(E Z^2), from (12) and Jensen; for T = 1 exactly, and at most that."""
    for alpha, k in product(map(Fraction, ("1/100", "1/3", "2/3", "9/10")), range(5)):
        law = GeometricMoments(alpha)
        if law.total_error(k) ** 2 > 4 * law.mean_square() or law.mean_size() ** 2 > law.mean_square():
            yield f"alpha = {alpha}, phi_1 = {k}"


@check("ah-large-counts")
def ah_large_counts() -> Iterator[str]:
    """Equation (11): the large part has max(0, L + M + Z^b) counts, L <= n/(T + 1), and is off by at most sum |Z_i^c|,
    clamped to T or not; so E l1 <= (n/T + M + E|Z|) E|Z|."""
    for h, t, m, cut in product(histograms(6), (1, 2, 3), (0, 1, 2), range(-4, 4)):
        _, _, large = split(h, t, m, cut)
        above = sum(x > t for x in h)
        if sum(large.values()) != max(0, above + m + cut) or above * (t + 1) > sum(h):
            yield f"h = {h}, T = {t}, M = {m}, Z^b = {cut}"
    for t in (1, 2):
        for h in (h for h in histograms(9) if 0 < len(h) < 4 and h[-1] > t):
            for z in product(range(-3, 4), repeat=len(h)):
                noisy = tuple(sorted((max(x + w, t) for x, w in zip(h, z, strict=True)), reverse=True))
                if sorted_l1(h, noisy) > sum(map(abs, z)):
                    yield f"h = {h}, T = {t}, noise {z}"


@check("ah-removed-printed")
def removed_twice() -> Iterator[str]:
    """Equation (8): with positive counts removed alone, l1(h, H^e) <= 4 l1(H^a, H^d)."""
    for total in range(13):
        for left in range(total + 1):
            for h, noisy, t, m in product(partitions(left), partitions(total - left), (1, 2), (1, 2)):
                bound = 4 * sorted_l1(joined(h, (t + 1,) * m + (t,) * m), noisy)
                for once in ways_to_remove(noisy, m, t + 1, zeros=False):
                    for rest in ways_to_remove(once, m, t, zeros=False):
                        if sorted_l1(h, rest) > bound:
                            yield f"h = {h}, H^d = {noisy}, T = {t}, M = {m}: {sorted_l1(h, rest)} above {bound}"


def threshold(total: int, epsilon: Fraction) -> int:
    """Return T = ceil(sqrt(N min(epsilon, 1)))."""
    return ceiling_root(total * min(epsilon, ONE))


def low_privacy_bound(n: int, alpha: Fraction) -> Fraction:
    """Return an upper bound of E l1(h, H^e) for N = n and epsilon > 1 from (8) to (13), alpha = e^-epsilon_2.

    4 ((n/T + M + E|Z|) E|Z| + 2 T sqrt(E Z^2) + E|Z| + (n + 2 M (T + 1)) Pr[|Z| > M]).
    """
    law, t, m = GeometricMoments(alpha), threshold(n, ONE), fake_counts(n, alpha)
    size = law.mean_size()
    large = (Fraction(n, t) + m + size) * size
    small = 2 * t * root_hi(law.mean_square())
    return 4 * (large + small + size + (n + 2 * m * (t + 1)) * law.beyond(m))


@check("ah-low-privacy")
def ah_low_privacy() -> Iterator[str]:
    """Appendix D.1: for N = n and epsilon > 1, (8) to (13) together give at most 170 sqrt(n) e^(-epsilon_2/2)."""
    for n, alpha in product((1, 2, 5, 10, 30, 100, 1000, 10**5, 10**8), map(Fraction, LOW_ALPHAS)):
        if low_privacy_bound(n, alpha) > 170 * root_lo(n) * root_lo(alpha):
            yield f"n = {n}, alpha = {alpha}"


LOW_ALPHAS = ("7/10", "1/2", "1/5", "1/100", "1/10000")


"""e^-epsilon_2 for epsilon > 1, epsilon_2 = epsilon/3: below 0.7165."""


def upper_threshold(total: int, epsilon: Fraction) -> int:
    """Return T' = ceil(10 sqrt(N/epsilon_3^3)), epsilon_3 = epsilon/3."""
    return ceiling_root(2700 * total / epsilon**3)


HIGH_GRID = tuple(
    (n, epsilon)
    for epsilon in map(Fraction, ("1", "1/2", "1/10", "1/100"))
    for n in (1, 2, 10, 100, 10**4, 10**6, 10**9)
    if n * epsilon >= 1
)


@check("ah-pushed-counts")
def ah_pushed_counts() -> Iterator[str]:
    """Equation (18): for N = n, (n/T + M + E|Z|) Pr[Z >= 9 T'/10] is below 1, by e^-x <= 720/x^6; no fake is near T'.

    The noise has e^-epsilon_2, and M and E|Z| <= 1/epsilon_2 the bounds of step 2.
    """
    for n, epsilon in HIGH_GRID:
        t, upper, third = threshold(n, epsilon), upper_threshold(n, epsilon), epsilon / 3
        if 10 * (t + 1) >= upper:
            yield f"n = {n}, epsilon = {epsilon}: fakes"
        m = max(2 * (ln_bounds(Fraction(n), BITS)[1] + third), ONE) / third + 1
        exponent = Fraction(9, 10) * upper * third
        if (Fraction(n, t) + m + 1 / third) * 720 > exponent**6:
            yield f"n = {n}, epsilon = {epsilon}"
        if exponent < 3 * root_hi(n / epsilon):
            yield f"n = {n}, epsilon = {epsilon}: the exponent"


def steepness(n: int, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of q = sqrt(ln(1/epsilon_3)/(N epsilon_3)) for N = n."""
    lo, hi = ln_bounds(3 / epsilon, BITS)
    return root_lo(lo * 3 / (n * epsilon)), root_hi(hi * 3 / (n * epsilon))


def boundary_count(n: int, epsilon: Fraction) -> Fraction:
    """Return an upper bound of the expected number of boundaries for N = n: T, the logarithmic ones, 10 n/T' counts
    that are large before their noise, one for those that the noise makes large (18), and 2N."""
    t, upper = threshold(n, epsilon), upper_threshold(n, epsilon)
    q = steepness(n, epsilon)[0]
    logarithmic = ln_bounds(Fraction(upper, t), BITS)[1] / ln_bounds(1 + q, BITS)[0] + 1
    return t + logarithmic + Fraction(10 * n, upper) + 2


@check("ah-boundary-count")
def ah_boundary_count() -> Iterator[str]:
    """Appendix D.2: |S| is at most T, floor(log_(1+q)(T'/T)) + 1, the noisy counts from T' on, and 1; counts from T'/10
    on are at most 10 n/T'. For N = n that is at most 5 (sqrt(n epsilon ln(2/epsilon)) + ln(2/epsilon) + 1)."""
    for h, upper in product(histograms(12), (5, 10, 15, 30)):
        if sum(10 * x >= upper for x in h) * upper > 10 * sum(h):
            yield f"h = {h}, T' = {upper}"
    for t, upper, q in product((1, 2, 5), (10, 50, 200), map(Fraction, ("1", "1/3", "1/10"))):
        powers = [i for i in range(200) if t * (1 + q) ** i <= upper]
        chosen = {*range(1, t + 1), *(floor(t * (1 + q) ** i) for i in powers)}
        ratio = ln_bounds(Fraction(upper, t), BITS)[1] / ln_bounds(1 + q, BITS)[0]
        if len(powers) > ratio + 1 or len(chosen) > t + len(powers):
            yield f"T = {t}, T' = {upper}, q = {q}"
    for n, epsilon in HIGH_GRID:
        logarithm = ln_bounds(2 / epsilon, BITS)[0]
        if boundary_count(n, epsilon) > 5 * (root_lo(n * epsilon * logarithm) + logarithm + 1):
            yield f"n = {n}, epsilon = {epsilon}"


@check("ah-high-privacy")
def ah_high_privacy() -> Iterator[str]:
    """Appendix D.2: for N = n >= 1/epsilon, (15) to (18) together give at most 100 sqrt(n ln(2/epsilon)/epsilon).

    2/epsilon_1 + 2 (q n + 2 E|Z| n/T' + 2 n Pr[Z < -M] + sqrt(2) |S|/epsilon_3), with E|Z| <= 1/epsilon_2 and
    Pr[Z < -M] <= 1/N^2.
    """
    for n, epsilon in HIGH_GRID:
        third, q = epsilon / 3, steepness(n, epsilon)[1]
        smoothing = q * n + 2 * n / (third * upper_threshold(n, epsilon)) + Fraction(2, n)
        noise = root_hi(2) * boundary_count(n, epsilon) / third
        logarithm = ln_bounds(2 / epsilon, BITS)[0]
        if 2 / third + 2 * (smoothing + noise) > 100 * root_lo(n * logarithm / epsilon):
            yield f"n = {n}, epsilon = {epsilon}"
