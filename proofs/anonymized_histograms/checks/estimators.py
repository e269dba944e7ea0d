"""Checks of symmetric properties from a private histogram: Corollary 1 and Appendix F of anonymized-histograms."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, prod

from dpcert.mechanisms.anonymized_histograms.partitions import Counts, anonymized, histograms, prevalences
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1
from dpcert.mechanisms.anonymized_histograms.symmetric import LinearEstimator, private_estimate, rarefied_coverage
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.logarithm import root_bounds
from dpcert.proofs.check import check

ZERO, HALF = Fraction(0), Fraction(1, 2)
LARGEST = 4
BITS = 64


def of_samples(samples: tuple[int, ...]) -> Counts:
    """Return the anonymized histogram of a sequence of labels."""
    return anonymized(Counter(samples))


def table(values: tuple[Fraction, ...]) -> LinearEstimator:
    """Return the estimator with f(r, n) = values[r - 1], whatever n; the last value for every greater r."""
    return LinearEstimator("table", lambda r, n: values[min(r, len(values)) - 1] if r else ZERO)


def estimators() -> Iterator[tuple[tuple[Fraction, ...], LinearEstimator]]:
    """Yield every f with f(1), ..., f(LARGEST) among 0, 1 and -1."""
    for values in product((ZERO, Fraction(1), Fraction(-1)), repeat=LARGEST):
        yield values, table(values)


def value_of(estimator: LinearEstimator, h: Counts, n: int) -> Fraction:
    """Return the estimate from a histogram, as if of n samples."""
    return estimator.estimate(prevalences(h), n)


@check("ah-coupling")
def coupling() -> Iterator[str]:
    """n independent samples, all but N dropped at random or N - n more drawn, are N independent samples."""

    def law(p: tuple[Fraction, ...], size: int) -> dict[tuple[int, ...], Fraction]:
        return {xs: prod((p[x] for x in xs), start=Fraction(1)) for xs in product(range(len(p)), repeat=size)}

    def resized(p: tuple[Fraction, ...], n: int, size: int) -> dict[tuple[int, ...], Fraction]:
        found: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for xs, mass in law(p, n).items():
            if size <= n:
                for kept in combinations(xs, size):
                    found[kept] += mass / comb(n, size)
            else:
                for more, other in law(p, size - n).items():
                    found[xs + more] += mass * other
        return dict(found)

    laws = ((HALF, HALF), (Fraction(1, 3), Fraction(2, 3)), (HALF, Fraction(1, 3), Fraction(1, 6)))
    return (
        f"p = {', '.join(map(str, p))}, n = {n}, N = {size}"
        for p, n, size in product(laws, range(4), range(5))
        if resized(p, n, size) != law(p, size)
    )


@check("ah-property-empty-total")
def empty_total() -> Iterator[str]:
    """The noisy total of n items is 0 with probability alpha^n/(1 + alpha), alpha = e^-epsilon1."""
    return (
        f"alpha = {1 / ratio}, n = {n}"
        for ratio, n in product((Fraction(5, 4), Fraction(2), Fraction(7)), range(9))
        if geometric_law(n=9, ratio=ratio)(n).prob(0) != (1 / ratio) ** n / (1 + 1 / ratio)
    )


def _farthest(n: int, total: int, power: Callable[[int], Fraction]) -> Fraction:
    """Return the greatest |E(n) - E(N)| for an E whose steps at m are at most power(m)."""
    return sum((power(m) for m in range(min(n, total), max(n, total))), ZERO)


POWERS: tuple[tuple[str, Callable[[int], Fraction], Callable[[int], Fraction]], ...] = (
    ("0", lambda m: Fraction(1, m), lambda m: Fraction(1, m)),
    ("1/2", lambda m: root_bounds(Fraction(1, m), BITS)[0], lambda m: root_bounds(Fraction(1, m), BITS)[1]),
)
"""beta, with m^(beta - 1) bounded from below and from above."""


@check("ah-sample-size-printed")
def sample_size_printed() -> Iterator[str]:
    """|E(n) - E(N)| <= |N - n| N^(beta - 1) wherever each step |E(m) - E(m + 1)| is at most m^(beta - 1)."""
    return (
        f"beta = {beta}, n = {n}, N = {total}: steps m^(beta - 1), all of one sign"
        for beta, lo, hi in POWERS
        for total, n in product(range(1, 13), repeat=2)
        if _farthest(n, total, lo) > abs(total - n) * hi(total)
    )


@check("ah-sample-size-corrected")
def sample_size_corrected() -> Iterator[str]:
    """The bound holds with min(n, N) for N, and so with N and a factor 2^(1 - beta) where N <= 2n."""
    for beta, lo, hi in POWERS:
        for total, n in product(range(1, 13), repeat=2):
            reach = _farthest(n, total, hi)
            slack = Fraction(abs(total - n), 1 << BITS - 8)
            if reach > abs(total - n) * lo(min(n, total)) + slack:
                yield f"beta = {beta}, n = {n}, N = {total}"
            twice = 2 if beta == "0" else root_bounds(Fraction(2), BITS)[1]
            if total <= 2 * n and reach > twice * abs(total - n) * hi(total) + slack:
                yield f"beta = {beta}, n = {n}, N = {total}, with the factor"


@check("ah-resized-sample")
def resized_sample() -> Iterator[str]:
    """Dropping or adding d samples moves the histogram by at most d, and a linear estimate by at most d L."""
    seen = set()
    for n in range(LARGEST + 1):
        for xs in product(range(3), repeat=n):
            for size in range(n + 1):
                seen |= {(of_samples(xs), of_samples(kept), n - size) for kept in combinations(xs, size)}
    for whole, kept, d in sorted(seen):
        if sorted_l1(whole, kept) > d:
            yield f"{whole}, {kept}"
        for values, f in estimators():
            if abs(value_of(f, whole, 1) - value_of(f, kept, 1)) > d * f.lipschitz(1, largest=LARGEST):
                yield f"f = {tuple(map(int, values))}, {whole}, {kept}"


def _lipschitz_witnesses(factor: Callable[[tuple[Fraction, ...]], Fraction]) -> Iterator[str]:
    pairs = sorted(product(list(histograms(LARGEST)), repeat=2), key=lambda pair: (sum(map(sum, pair)), pair))
    chosen = [(values, f, factor(values)) for values, f in estimators()]
    for a, b in pairs:
        away = sorted_l1(a, b)
        for values, f, most in chosen:
            if abs(value_of(f, a, 1) - value_of(f, b, 1)) > most * away:
                yield f"f(1), ..., f({LARGEST}) = {', '.join(map(str, values))}; histograms {list(a)} and {list(b)}"


@check("ah-private-histogram-printed")
def private_histogram_printed() -> Iterator[str]:
    """Two histograms' linear estimates differ by at most max_r |f(r)| times their distance."""
    return _lipschitz_witnesses(lambda values: max(map(abs, values)))


@check("ah-lipschitz-printed")
def lipschitz_printed() -> Iterator[str]:
    """They differ by at most max(f(1), max_r |f(r) - f(r + 1)|) times their distance."""
    return _lipschitz_witnesses(lambda values: max(values[0], *(abs(x - y) for x, y in pairwise(values))))


@check("ah-private-histogram-corrected")
def private_histogram_corrected() -> Iterator[str]:
    """They differ by at most L times their distance, L = max(|f(1)|, max_r |f(r) - f(r + 1)|), and L is attained."""

    def attained(f: LinearEstimator) -> bool:
        steps = [abs(value_of(f, (r + 1,), 1) - value_of(f, (r,) if r else (), 1)) for r in range(LARGEST)]
        return max(steps) == f.lipschitz(1, largest=LARGEST)

    yield from _lipschitz_witnesses(lambda values: table(values).lipschitz(1, largest=LARGEST))
    yield from (f"f = {values}" for values, f in estimators() if not attained(f))


@check("ah-private-error")
def private_error() -> Iterator[str]:
    """Given N >= 1 the private estimate is within L (|N - n| + distance) of the estimate from the resized sample."""
    resized = {
        (of_samples(xs), of_samples(xs[:size]), abs(n - size))
        for n, size in product(range(1, 4), repeat=2)
        for xs in product(range(3), repeat=max(n, size))
    }
    pairs = {(a, b, d) for one, other, d in resized for a, b in ((one, other), (other, one))}
    chosen = [(f, f.lipschitz(1, largest=LARGEST)) for _, f in estimators()]
    for h, (whole, sized, d) in product(list(histograms(3)), sorted(pairs)):
        away = d + sorted_l1(whole, h)
        for f, most in chosen:
            total = max(1, sum(sized))
            if abs(private_estimate(f, prevalences(h), total) - value_of(f, sized, total)) > most * away:
                yield f"{h}, {whole}, {sized}"


@check("ah-rarefied")
def rarefied_unbiased() -> Iterator[str]:
    """The estimate of support coverage by dropping samples has no bias: its mean is the sum of 1 - (1 - p)^m over m."""

    def mean(p: tuple[Fraction, ...], n: int, m: int) -> Fraction:
        f = rarefied_coverage(size=m)
        samples = product(range(len(p)), repeat=n)
        return sum((prod(p[x] for x in xs) * value_of(f, of_samples(xs), n) for xs in samples), ZERO)

    laws = ((HALF, HALF), (Fraction(1, 5), Fraction(4, 5)), (HALF, Fraction(1, 3), Fraction(1, 6)))
    return (
        f"p = {', '.join(map(str, p))}, n = {n}, m = {m}"
        for p, n in product(laws, range(1, 5))
        for m in range(1, n + 1)
        if mean(p, n, m) != sum(1 - (1 - q) ** m for q in p) / m
    )


@check("ah-enough-samples")
def enough_samples() -> Iterator[str]:
    """c n^(beta - 1/2) <= a exactly from n = (c/a)^(2/(1 - 2 beta)) on, at beta = 0 and beta = 1/4."""
    for c, a in product((Fraction(1, 3), Fraction(2), Fraction(5)), (Fraction(1, 2), Fraction(2, 3), Fraction(1))):
        for n in range(1, 700):
            if (c**2 <= a**2 * n) != (n >= (c / a) ** 2) or (c**4 <= a**4 * n) != (n >= (c / a) ** 4):
                yield f"c = {c}, a = {a}, n = {n}"
