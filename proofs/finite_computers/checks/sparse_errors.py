"""Checks of finite-computers, Sections 6 to 8: exact errors of sparse and compact histograms between their bounds."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import (
    Accuracy,
    accuracy_of,
    log_ceiling,
    worst,
)
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.proofs.check import check

BETAS = tuple(Fraction(1, inverse) for inverse in (2, 3, 10, 1000, 10**6))

Law = Callable[[int], Dist]


def _room(*, n: int, universe: int, zero: Dist) -> list[tuple[Fraction, Fraction]]:
    """Return for each z the probability that at most n - 1, and that at most n - 2, of universe - 2 counts reach z."""
    empty, found = universe - 2, []
    for z in range(n + 1):
        p = zero.prob_of(z.__le__)
        a, d = p.numerator, p.denominator
        powers = [comb(empty, j) * a**j * (d - a) ** (empty - j) for j in range(min(n - 1, empty) + 1)]
        found.append((Fraction(sum(powers), d**empty), Fraction(sum(powers[: n - 1]), d**empty)))
    return found


def _accuracy(n: int, law: Law, count: int, room: list[tuple[Fraction, Fraction]]) -> Accuracy:
    """Return the accuracy of a label that occurs `count` times, where the others have this room."""
    other = law(n - count)

    def kept(z: int) -> Fraction:
        high, (few, fewer) = other.prob_of(lambda noisy: noisy >= z), room[z]
        return (1 - high) * few + high * fewer

    rows = [(abs(z - count), p * kept(z)) for z, p in law(count).items() if z > 0]
    rows.append((count, 1 - sum((p for _, p in rows), Fraction(0))))
    # Each outcome once, with its whole probability.
    sums: dict[int, Fraction] = {}
    for outcome, p in rows:
        sums[outcome] = sums.get(outcome, Fraction(0)) + p
    return accuracy_of(Dist.of([row for row in sums.items() if row[1]]), int)


def heavy_per_query(*, n: int, universe: int, law: Law, above: int = -1) -> Accuracy:
    """Return the worst of these accuracies over all counts above a given one: on some lists, so a lower bound."""
    room = _room(n=n, universe=universe, zero=law(0))
    return worst(_accuracy(n, law, c, room) for c in range(above + 1, n + 1))


@check("heavy-below")
def heavy_below() -> Iterator[str]:
    """Keep-heavy errs at most as Theorem 6.2 ii says on counts above 2 a2, on lists of two labels, at larger sizes.

    a2 is the least at which a union bound over all labels leaves beta.
    """
    for n, universe, k in ((40, 81, 1), (40, 100, 1)):
        law, ratio = geosample_law(n=n, k=k), 1 + Fraction(1, 1 << k)
        whole = heavy_per_query(n=n, universe=universe, law=law)
        for beta in (Fraction(1, 2), Fraction(1, 10)):
            a1 = log_ceiling(1 / beta, Epsilon.ln(ratio))
            a2 = log_ceiling(2 * universe / (beta * (ratio + 1)), Epsilon.ln(ratio))
            if 2 * a2 < n:
                above = heavy_per_query(n=n, universe=universe, law=law, above=2 * a2)
                if above.beta(a1) > 2 * beta:
                    yield f"n = {n}, |X| = {universe}, k = {k}, beta = {beta}: counts above {2 * a2}"
            if whole.beta(2 * a2) > beta:
                yield f"n = {n}, |X| = {universe}, k = {k}, beta = {beta}: all counts"


def _distance(count: int) -> Callable[[int], int]:
    return lambda noisy: abs(noisy - count)


@check("figure-6-geosample")
def figure_6_geosample() -> Iterator[str]:
    """With GeoSample at 1/ceil(10/(9 epsilon)), each count is within ceil((5/epsilon) ln(1/beta)) with 1 - beta.

    A label that does not occur errs no more often than GeoSample on 0 (Lemma 8.4 iii); all together by a union bound.
    """
    for m, n in ((1, 40), (2, 60), (5, 60)):
        finer = Fraction(1, -(-10 * m // 9))
        law = geosample_law(n=n, k=noise_exponent(finer))
        found = worst(accuracy_of(law(c), _distance(c)) for c in range(0, n + 1, 5))
        for beta in (*BETAS[:4], Fraction(1, 10 * 64)):
            if found.error(beta) > log_ceiling(1 / beta, Epsilon.of(Fraction(1, 5 * m))):
                yield f"1/epsilon = {m}, n = {n}, beta = {beta}"
