"""Checks of finite-computers, Sections 2 and 3: privacy's laws, statistical distance, inverse transforms, mixing."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.basic_histogram import lists
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.mixing import (
    greatest_distance,
    mixed,
    mixed_law,
    rounded_geosample,
    rounded_geosample_law,
)
from dpcert.proofs.check import check
from dpcert.proofs.evidence import within
from dpcert.reading.paths.enumerator import enumerate_law


def _laws(outcomes: int, unit: int) -> list[Dist]:
    """Return every law on 0, ..., outcomes - 1 whose probabilities are multiples of 1/unit."""
    rows = (row for row in product(range(unit + 1), repeat=outcomes) if sum(row) == unit)
    return [Dist.from_weights(enumerate(row), unit) for row in rows]


@check("inverse-transform")
def inverse_transform() -> Iterator[str]:
    """Lemmas 2.12 and 2.13: min{z : F(z) >= u} has the law of Z, for u a uniform multiple of 1/d, 1/2d or 1/3d.

    F is constant on each ((i - 1)/d, i/d], so that finer multiples stand for every u of (0, 1].
    """
    for law in _laws(4, 6):
        support = sorted(law.outcomes())
        sums = list(accumulate(law.prob(z) for z in support))
        for d in (6, 12, 18):
            quantiles = [
                next(z for z, below in zip(support, sums, strict=True) if below >= Fraction(u, d))
                for u in range(1, d + 1)
            ]
            if Dist.uniform(quantiles) != law:
                yield f"{law}, d = {d}"


ROUNDED = [(n, k, bits) for n in (1, 3, 6) for k in (1, 2) for bits in (2, 4, 8, 14)]


@check("mixing")
def mixing() -> Iterator[str]:
    """Algorithm 3.1 mixes the two laws; where (3.1) holds it is private, and within gamma + delta of M."""
    for (n, k, bits), inverse in product(ROUNDED, (2, 10)):
        gamma, ratio, uniform = Fraction(1, inverse), 1 + Fraction(1, 1 << k), Dist.uniform(n + 1)
        exactly, rounded = geosample_law(n=n, k=k), rounded_geosample_law(n=n, k=k, bits=bits)
        laws = [mixed_law(rounded, uniform, gamma)(c) for c in range(n + 1)]
        distance = max(exactly(c).total_variation(rounded(c)) for c in range(n + 1))
        where = f"n = {n}, k = {k}, bits = {bits}, gamma = {gamma}"
        if distance <= greatest_distance(ratio=ratio, gamma=gamma, least=Fraction(1, n + 1)) and not within(
            laws, Epsilon.ln(ratio), Fraction(0)
        ):
            yield where
        if any(exactly(c).total_variation(laws[c]) > gamma + distance for c in range(n + 1)):
            yield f"{where}: distance"
        if n == 1:
            program = mixed(rounded_geosample(n=1, k=k, bits=bits), lambda coins: coins.below(2), gamma)
            if any(enumerate_law(program, c).law != laws[c] for c in range(n + 1)):
                yield f"{where}: the program"


@check("mixing-tight")
def mixing_tight() -> Iterator[str]:
    """Randomized response at a distance meets the bound of (3.1) with equality, and no greater distance is enough."""
    for ratio, gamma in product((Fraction(3, 2), Fraction(7)), (Fraction(1, 50), Fraction(1, 5))):
        bound = greatest_distance(ratio=ratio, gamma=gamma, least=Fraction(1, 2))
        for distance, private in ((bound, True), (bound + Fraction(1, 10**40), False)):
            keep = ratio / (ratio + 1) + distance
            laws = [
                Dist.mix([(1 - gamma, Dist.bernoulli(p)), (gamma, Dist.uniform([True, False]))])
                for p in (keep, 1 - keep)
            ]
            if within(laws, Epsilon.ln(ratio), Fraction(0)) != private:
                yield f"e^epsilon = {ratio}, gamma = {gamma}, delta = {distance}"


@check("uniform-best")
def uniform_best() -> Iterator[str]:
    """The least probability of a law on r outcomes is at most 1/r, with equality for the uniform law alone."""
    return (
        f"{law}"
        for r, unit in ((2, 12), (3, 9), (4, 8))
        for law in _laws(r, unit)
        for least in [min(law.prob(z) for z in range(r))]
        if least > Fraction(1, r) or (least == Fraction(1, r)) is not (law == Dist.uniform(range(r)))
    )


@check("counts-of-lists")
def counts_of_lists() -> Iterator[str]:
    """The counts of a list of n labels sum to n, and at most n are positive; n are, where there are n labels."""
    for n, universe in ((1, 2), (2, 2), (3, 3), (3, 4), (4, 2)):
        occurring = set()
        for each in lists(n, universe):
            counts = [sum(label == x for label in each) for x in range(universe)]
            occurring.add(sum(count > 0 for count in counts))
            if sum(counts) != n:
                yield f"D = {each}"
        if max(occurring) != min(n, universe):
            yield f"n = {n}, |X| = {universe}"


@check("mixing-steps")
def mixing_steps() -> Iterator[str]:
    """Each line of the two displays in the proof of Lemma 3.2 is at most the next, for masses of one outcome."""
    grid = [Fraction(a, 6) for a in range(7)]
    for ratio, gamma, least in product((Fraction(3, 2), Fraction(4)), (Fraction(1, 3), Fraction(3, 4)), grid[1:4]):
        delta = greatest_distance(ratio=ratio, gamma=gamma, least=least)
        for p, a, b, shift, back in product((least, grid[3]), grid, grid, (-1, 0, 1), (-1, 0, 1)):
            near, far = a + shift * delta, b + back * delta
            if p < least or a > ratio * b or not (0 <= near <= 1 and 0 <= far <= 1):
                continue
            rest = 1 - gamma
            lines = (
                gamma * p + rest * near,
                gamma * p + rest * (a + delta),
                gamma * p + rest * (ratio * b + delta),
                gamma * p + rest * (ratio * (far + delta) + delta),
                ratio * rest * far + gamma * p + (ratio + 1) * rest * delta,
                ratio * rest * far + gamma * p + (ratio - 1) * gamma * least,
                ratio * (rest * far + gamma * p),
            )
            if list(lines) != sorted(lines):
                yield f"e^epsilon = {ratio}, gamma = {gamma}, masses {p}, {a}, {b}, {near}, {far}"
