"""Checks of the noise on anonymized histograms: its moments, Lemma 2, and the cost of noise on everything."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.partitions import histograms, partitions
from dpcert.mechanisms.anonymized_histograms.sorted_distance import neighbours_of, prevalence_l1, sorted_l1
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.proofs.check import check
from dpcert.proofs.weighted_sampling.checks.baseline import ExponentialSum, e, integral

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
ALPHAS = tuple(map(Fraction, ("1/1000", "1/20", "1/3", "1/2", "2/3", "9/10", "99/100", "999/1000")))
BITS = 64


def epsilon_lo(alpha: Fraction) -> Fraction:
    """Return a lower bound of ln(1/alpha)."""
    return ln_bounds(1 / alpha, BITS)[0]


def epsilon_hi(alpha: Fraction) -> Fraction:
    """Return an upper bound of ln(1/alpha)."""
    return ln_bounds(1 / alpha, BITS)[1]


@check("ah-laplace")
def ah_laplace() -> Iterator[str]:
    """Definition 2 and Appendix A: the density has integral 1, E Z = 0, E|Z| = b and E Z^2 = 2 b^2, in exact integrals.

    Where the true result moves by at most Delta, the density at scale b = Delta/epsilon changes by at most
    e^epsilon: the exponents |x - f|/b and |x - f'|/b differ by at most |f - f'|/b.
    """

    def half_line(power: int, b: Fraction) -> ExponentialSum:
        return integral([*[0] * power, 1 / (2 * b)], -1 / b, ZERO, None)

    for b in (Fraction(1, 3), ONE, Fraction(7, 2)):
        sides = [half_line(power, b) for power in range(3)]  # the other side is the same, with the sign of x^power
        meant = (half_line(0, b).times(0) + e(ZERO), e(ZERO).times(b), e(ZERO).times(2 * b * b))
        if tuple(side.times(2) for side in sides) != meant:
            yield f"b = {b}"
    for delta, epsilon, f, g, x in product((1, 3), (HALF, Fraction(2)), range(4), range(4), range(-12, 16)):
        b, point = delta / epsilon, Fraction(x, 3)
        if abs(f - g) <= delta and abs(abs(point - f) - abs(point - g)) > epsilon * b:
            yield f"Delta = {delta}, epsilon = {epsilon}, f = {f}, {g}, x = {point}"


@check("ah-geometric-printed")
def ah_geometric_printed() -> Iterator[str]:
    """Definition 3: G(e^(epsilon/Delta)) has masses that are probabilities, here at epsilon = Delta ln 2."""
    alpha = Fraction(2)
    mass = (1 - alpha) / (1 + alpha)
    if mass < 0:
        yield f"e^(epsilon/Delta) = {alpha}: the mass of 0 is {mass}"


@check("ah-geometric-corrected")
def ah_geometric() -> Iterator[str]:
    """Definition 3, corrected: for G(e^(-epsilon/Delta)) masses sum to 1 and change by at most e^epsilon over Delta.

    The masses of |z| <= m and those beyond sum to 1, and Pr[Z >= m] is the mass at m and Pr[Z >= m + 1].
    """
    for alpha in ALPHAS:
        law = GeometricMoments(alpha)
        for m in range(6):
            inner = sum(law.mass(z) for z in range(-m, m + 1))
            if inner + law.beyond(m) != 1 or law.at_least(m) != law.mass(m) + law.at_least(m + 1):
                yield f"alpha = {alpha}, m = {m}"
        for delta, shift, z in product((1, 2, 4), range(5), range(-8, 9)):
            if shift <= delta and law.mass(z + shift) * alpha**delta > law.mass(z):
                yield f"alpha = {alpha}, Delta = {delta}, z = {z}, shift = {shift}"
        if law.mass(1) * alpha != law.mass(2) or law.mass(-1) != law.mass(1):
            yield f"alpha = {alpha}: not tight"


@check("ah-geometric-moments")
def ah_geometric_moments() -> Iterator[str]:
    """Appendix A: the mean is 0, E|Z| = 2 alpha/(1 - alpha^2) and E Z^2 = 2 alpha/(1 - alpha)^2, by sums of Pr[Z >= j].

    With a_j = Pr[Z >= j]: E|Z|/2 is the sum of all a_j and E Z^2/2 that of (2j - 1) a_j, j >= 1. As a_(j+K) is
    alpha^K a_j, what follows the first K terms is alpha^K times the whole, and 2K times the former sum as well.
    """
    for alpha in ALPHAS:
        law = GeometricMoments(alpha)
        size, square = law.mean_size() / 2, law.mean_square() / 2
        for k in range(1, 6):
            upper_sums = [law.at_least(j) for j in range(1, k + 1)]
            rest = alpha**k
            if sum(upper_sums) + rest * size != size:
                yield f"alpha = {alpha}, E|Z|, K = {k}"
            if sum((2 * j - 1) * a for j, a in enumerate(upper_sums, 1)) + rest * (square + 2 * k * size) != square:
                yield f"alpha = {alpha}, E Z^2, K = {k}"
        if any(law.mass(z) != law.mass(-z) for z in range(9)):
            yield f"alpha = {alpha}, mean"


@check("ah-noise-compared")
def ah_noise_compared() -> Iterator[str]:
    """Section 4.2 and Appendix A: E|Z| < 1/epsilon and E Z^2 < 2/epsilon^2 at alpha = e^-epsilon.

    For all alpha: both say that 2 ln y < y - 1/y, at y = 1/alpha and at its root; the two are equal at y = 1, and
    the difference grows with the derivative (1 - 1/y)^2.
    """
    for alpha in ALPHAS:
        law, epsilon = GeometricMoments(alpha), epsilon_hi(alpha)
        if law.mean_size() * epsilon >= 1 or law.mean_square() * epsilon**2 >= 2:
            yield f"alpha = {alpha}"
        if 1 + alpha**2 - 2 * alpha != (1 - alpha) ** 2:
            yield f"alpha = {alpha}: the derivative"


def roots_at_most(p: Fraction, x: Fraction, q: Fraction, y: Fraction, square: Fraction) -> bool:
    """Whether p sqrt(x) + q sqrt(y) <= sqrt(square), for p, q, x, y >= 0, decided without roots."""
    rest = square - p * p * x - q * q * y
    return rest >= 0 and 4 * p * p * q * q * x * y <= rest * rest


def two_points(most: int) -> Iterator[tuple[int, int, Fraction]]:
    """Yield a, b and Pr[Z = b] of the laws with mean 0 on -a and b: of all laws with mean 0 on -most, ..., most the
    mixtures of these and of the constant 0."""
    for a, b in product(range(1, most + 1), repeat=2):
        yield a, b, Fraction(a, a + b)


@check("ah-cut-total")
def ah_cut_total() -> Iterator[str]:
    """Lemma 2 with constants: E sqrt(Y) <= sqrt(n + E|Z|/2) and E[1{Y > 0}/sqrt(Y)] <= sqrt(1/n + E Z^2/(2 n^2)).

    The right sides are concave in the law of Z and the left ones linear, so that two points suffice.
    """
    for n, (a, b, p) in product(range(17), two_points(20)):
        y, z = Fraction(n + b), Fraction(max(n - a, 0))
        where = f"n = {n}, Z = {-a} or {b}"
        if not roots_at_most(p, y, 1 - p, z, n + Fraction(a * b, a + b)):
            yield f"{where}: the root"
        inverse = 1 / z if z else ZERO
        if n and not roots_at_most(p, 1 / y, 1 - p, inverse, Fraction(1, n) + Fraction(a * b, 2 * n * n)):
            yield f"{where}: the inverse root"


@check("ah-inverse-printed")
def ah_inverse_printed() -> Iterator[str]:
    """Equation (4) as its last form reads: 1/Y <= 1/n + (n - Y)/n^2 + (n - Y)^2/(2 n^2) for integers n, Y >= 1."""
    for n, y in product(range(1, 21), range(1, 41)):
        right = Fraction(1, n) + Fraction(n - y, n * n) + Fraction((n - y) ** 2, 2 * n * n)
        if Fraction(1, y) > right:
            yield f"n = {n}, Y = {y}: 1/Y = {Fraction(1, y)}, and {right}"


@check("ah-inverse-corrected")
def ah_inverse_corrected() -> Iterator[str]:
    """Equation (4), corrected: the expansion of 1/Y is exact, and its last term is at most (n - Y)^2/n^2 for Y >= 1."""
    for n, y in product(range(1, 21), range(1, 41)):
        start = Fraction(1, n) + Fraction(n - y, n * n)
        last = Fraction((n - y) ** 2, n * n)
        middle = Fraction(1, n) + Fraction(n - y, y * n)
        if not middle == start + last / y == Fraction(1, y) <= start + last:
            yield f"n = {n}, Y = {y}"


@check("ah-all-noisy")
def ah_all_noisy() -> Iterator[str]:
    """Section 4.1: with noise on all n counts, E l1 <= n E|Z| <= n/epsilon; on all n prevalences, the bound by (3) is
    n(n + 1)/2 E|Z| <= n(n + 1)/epsilon, with noise for the sensitivity of 2 that prevalences have."""
    for n in range(4):
        for h, z in product(partitions(n), product(range(-2, 3), repeat=n)):
            noisy = sorted((max(x + w, 0) for x, w in zip((*h, *[0] * (n - len(h))), z, strict=True)), reverse=True)
            if sorted_l1(h, tuple(x for x in noisy if x)) > sum(map(abs, z)):
                yield f"h = {h}, noise {z}"
    for h in histograms(7):
        for g in neighbours_of(h):
            changed = sum(abs(h.count(r) - g.count(r)) for r in {*h, *g})
            if changed != (2 if len(h) == len(g) else 1) or prevalence_l1(h, g) > 2 * max(*h, *g, 1) - 1:
                yield f"h = {h}, {g}"
    for root, n in product(ALPHAS, (1, 10, 1000)):
        epsilon = epsilon_hi(root**2)
        counts = n * GeometricMoments(root**2).mean_size()
        naive = sum(range(n + 1)) * GeometricMoments(root).mean_size()
        if counts * epsilon > n or naive * epsilon > n * (n + 1):
            yield f"e^(-epsilon/2) = {root}, n = {n}"
