"""Checks of finite-computers, Section 5: the privacy of basic and stability histograms, and how tight it is."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

from dpcert.audit.kernel.divergence import decide_pair, hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler, basic_histogram, basic_histogram_law, lists
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.finite_computers.stability_histogram import (
    lone_label,
    stability_histogram,
    stability_histogram_law,
)
from dpcert.proofs.check import check
from dpcert.proofs.evidence import within
from dpcert.proofs.finite_computers.checks.accuracy import kept_above
from dpcert.reading.paths.enumerator import enumerate_law

SIZES = ((1, 2), (2, 2), (3, 2), (2, 3))
TINY = Fraction(1, 10**30)


def _samplers(n: int) -> Iterator[tuple[str, Sampler]]:
    for name, inverse in product(("geosample", "fastsample"), (1, 3)):
        settings = {"n": str(n), "epsilon": f"1/{inverse}", "sampler": name, "gamma": "1/9"}
        yield f"{name}, epsilon = 1/{inverse}", Sampler.of(settings)


def _pairs(
    n: int, universe: int, law: Callable[[Sequence[int]], Dist]
) -> list[tuple[list[int], list[int], Dist, Dist]]:
    """Return every ordered pair of lists that differ in one label, with their laws."""
    rows = [(people, law(people)) for people in lists(n, universe)]
    differ = ((a, b, p, q) for (a, p), (b, q) in permutations(rows, 2))
    return [row for row in differ if sum(x != y for x, y in zip(row[0], row[1], strict=True)) == 1]


@check("basic-histogram-private")
def basic_histogram_private() -> Iterator[str]:
    """Theorem 5.2 i and 5.3 i: twice the sampler's epsilon is enough, and with geosample no less is."""
    for n, universe in SIZES:
        for name, sampler in _samplers(n):
            pairs = _pairs(n, universe, basic_histogram_law(universe=universe, law=sampler.law))
            where = f"n = {n}, |X| = {universe}, {name}"
            if any(decide_pair(p, q, sampler.epsilon, Fraction(0))[0] is not True for _, _, p, q in pairs):
                yield where
            if name.startswith("geosample") and all(
                hockey_stick(p, q, sampler.epsilon.ratio - TINY) == 0 for _, _, p, q in pairs
            ):
                yield f"{where}: less is enough"


@check("basic-histogram-program")
def basic_histogram_program() -> Iterator[str]:
    """Algorithm 5.1's program has the product law, also with Algorithm 4.5 for its counts."""
    for n, universe in SIZES[:3]:
        for name, sampler in _samplers(n):
            program = basic_histogram(universe=universe, sampler=sampler.program)
            law = basic_histogram_law(universe=universe, law=sampler.law)
            if any(enumerate_law(program, people).law != law(people) for people in lists(n, universe)):
                yield f"n = {n}, |X| = {universe}, {name}"
        ratio = Fraction(6, 5)
        program = basic_histogram(universe=universe, sampler=geometric(n=n, ratio=ratio))
        law = basic_histogram_law(universe=universe, law=geometric_law(n=n, ratio=ratio))
        if any(enumerate_law(program, people).law != law(people) for people in lists(n, universe)):
            yield f"n = {n}, |X| = {universe}, the geometric mechanism"


@check("occurring-bins")
def occurring_bins() -> Iterator[str]:
    """The noisy counts of the labels that occur are not private at any epsilon: they disclose which labels occur."""
    for name, sampler in _samplers(1):
        one, other = (Dist.point(label).product(sampler.law(1)) for label in (0, 1))
        if hockey_stick(one, other, Fraction(10**9)) != 1:
            yield name


@check("stability-private")
def stability_private() -> Iterator[str]:
    """Theorem 5.5 i: (epsilon, delta)-private at delta = Pr[M(1) > b], and at no smaller one, whatever epsilon."""
    for n, universe in SIZES:
        for (name, sampler), b in product(_samplers(n), (0, 1, n)):
            pairs = _pairs(n, universe, stability_histogram_law(threshold=b, law=sampler.law))
            delta = lone_label(threshold=b, law=sampler.law)
            where = f"n = {n}, |X| = {universe}, b = {b}, {name}"
            if any(decide_pair(p, q, sampler.epsilon, delta)[0] is not True for _, _, p, q in pairs):
                yield where
            if max(hockey_stick(p, q, Fraction(10**9)) for _, _, p, q in pairs) != delta:
                yield f"{where}: less is enough at a large epsilon"


@check("stability-program")
def stability_program() -> Iterator[str]:
    """Algorithm 5.4's program has the product law of its released bins; for b >= n it releases nothing."""
    for (n, universe), b in product(SIZES[:3], (0, 1, 2, 3)):
        for name, sampler in _samplers(n):
            program = stability_histogram(threshold=b, sampler=sampler.program)
            law = stability_histogram_law(threshold=b, law=sampler.law)
            for people in lists(n, universe):
                found = enumerate_law(program, people).law
                if found != law(people) or (b >= n and found != Dist.point(())):
                    yield f"n = {n}, |X| = {universe}, b = {b}, {name}, input {people}"


@check("swapped-singletons")
def swapped_singletons() -> Iterator[str]:
    """Where a lone label is replaced by another, the bins are (0, delta)-close; the worst event is the release of the
    first.
    """
    for n, b in product((1, 2, 5), (0, 1, 3)):
        for name, sampler in _samplers(n):
            lone = kept_above(sampler.law, b)(1)
            p, q = lone.product(Dist.point(0)), Dist.point(0).product(lone)
            delta = lone_label(threshold=b, law=sampler.law)
            released = p.prob_of(lambda pair: pair[0] > 0), q.prob_of(lambda pair: pair[0] > 0)
            if not p.total_variation(q) == delta == released[0] or released[1]:
                yield f"n = {n}, b = {b}, {name}"


@check("stability-cases")
def stability_cases() -> Iterator[str]:
    """One bin: both counts positive, (epsilon/2, 0)-close; 1 and 0, (epsilon/2, delta)-close."""
    for n, b in product((1, 2, 5), (0, 1, 3)):
        for name, sampler in _samplers(n):
            inverse = int(name.rpartition("/")[2])
            half, kept = Epsilon.of(Fraction(1, 2 * inverse)), kept_above(sampler.law, b)
            delta = lone_label(threshold=b, law=sampler.law)
            if not within([kept(c) for c in range(1, n + 1)], half, Fraction(0)) or not within(
                [kept(0), kept(1)], half, delta
            ):
                yield f"n = {n}, b = {b}, {name}"
