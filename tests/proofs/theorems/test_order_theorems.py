"""The levels, labels and least probabilities of the theorems on sparse histograms are those of the mechanisms."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial, prod

import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.finite_computers.ordsample import ordsample, ordsample_law
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance, random_histogram_law
from dpcert.mechanisms.finite_computers.sparse_histogram import precision
from dpcert.proofs.finite_computers.checks.approximation import binomial_law
from dpcert.reading.paths.enumerator import enumerate_law


def levels(f: Sequence[int], v: int, missing: int, m: int) -> dict[tuple[int, ...], Fraction]:
    """Return the law `levels_from` of Rocq: a capped binomial number of m counts at the level v, then the next."""
    if v == 0:
        return {(0,) * missing: Fraction(1)}
    found: dict[tuple[int, ...], Fraction] = {}
    for hits, p in binomial_law(m=m, p=f[v] - f[v - 1], q=f[v], cap=missing).items():
        for rest, chance in levels(f, v - 1, missing - hits, m - hits).items():
            found[(v,) * hits + rest] = found.get((v,) * hits + rest, Fraction(0)) + p * chance
    return found


@pytest.mark.parametrize("f", [(1, 2), (2, 2), (1, 1, 3)])
@pytest.mark.parametrize("more", [1, 2])
def test_levels_are_those_of_ordsample(f: tuple[int, ...], more: int) -> None:
    """The law by levels is that of the program and of the greatest of independent counts; so with no cap."""
    n, m = len(f) - 1, len(f) - 1 + more
    law = Dist.of(levels(f, n, n + 1, m))
    assert law == enumerate_law(ordsample(cumulative=f), m, eager=True).law == ordsample_law(cumulative=f)(m)
    steps = [(z, Fraction(above - below, f[-1])) for z, (above, below) in enumerate(zip(f, (0, *f), strict=False))]
    ways: dict[tuple[int, ...], Fraction] = {}
    for way in product(steps, repeat=m):
        ordered = tuple(sorted((z for z, _ in way), reverse=True))
        ways[ordered] = ways.get(ordered, Fraction(0)) + prod((p for _, p in way), start=Fraction(1))
    assert law == Dist.of([(ordered[: n + 1], p) for ordered, p in ways.items() if p])
    assert Dist.of(levels(f, n, m, m)) == Dist.of([(ordered, p) for ordered, p in ways.items() if p])


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("delta", [Fraction(1), Fraction(1, 10), Fraction(1, 1000)])
def test_the_precision_is_that_of_the_mechanism(n: int, delta: Fraction) -> None:
    """n levels, each of m (n + 2)/s, are within delta for the mechanism's s and every number m of labels."""
    for universe in (2 * n + 1, 40):
        s = precision(n=n, universe=universe, delta=delta)
        assert s == (n**2 + 2 * n) * universe / delta
        assert n**2 * universe / delta <= s <= (n + 1) ** 2 * universe / delta
        for m in (1, universe - n, universe):
            assert n * Fraction(m * (n + 2), s) == Fraction(m * (n**2 + 2 * n), s) <= delta


@pytest.mark.parametrize(("n", "universe"), [(1, 3), (1, 5), (2, 5), (3, 7)])
def test_every_histogram_is_as_probable_as_stated(n: int, universe: int) -> None:
    law = random_histogram_law(n=n, universe=universe)
    least = min(law.prob(outcome) for outcome in law.outcomes())
    assert least == factorial(n) * Fraction(1, (n + 1) * universe) ** n >= Fraction(1, 3 * universe) ** n
    for inverse, beta in product((1, 2, 5), (Fraction(1), Fraction(1, 2), Fraction(1, 10))):
        epsilon = Fraction(1, inverse)
        delta = pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta)
        ratio = 1 + epsilon + epsilon**2 / 2  # at most e^epsilon
        assert 3 * delta <= epsilon * beta * least
        assert delta * (1 - beta) * (ratio + 1) <= (ratio - 1) * beta * least
