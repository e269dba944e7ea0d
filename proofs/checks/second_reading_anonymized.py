"""Checks of what a second reading added to anonymized-histograms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, fsum
from types import MappingProxyType
from typing import Any

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.anonymized_histograms.partitions import (
    anonymized,
    histograms,
    joined,
    of_prevalences,
    prevalences,
)
from dpcert.mechanisms.anonymized_histograms.postprocess import high_privacy_histogram, isotonic, nearest
from dpcert.mechanisms.anonymized_histograms.succinct import items, privhist_sampler
from dpcert.mechanisms.exact.coins import seeded_coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.anonymized_utility import harmonic

__all__ = ["SECOND_READING_ANONYMIZED"]

Graph = frozenset[tuple[int, int]]

RATIOS = (Fraction(3, 2), Fraction(2), Fraction(3))
BOXES = 2048


def _graphs(vertices: int) -> Iterator[Graph]:
    edges = list(combinations(range(vertices), 2))
    return (frozenset(chosen) for size in range(len(edges) + 1) for chosen in combinations(edges, size))


def _degrees(graph: Graph, vertices: int) -> tuple[int, ...]:
    """Return the histogram of the positive degrees, the largest first."""
    return anonymized({vertex: sum(vertex in edge for edge in graph) for vertex in range(vertices)})


def stars_counted() -> Finding:
    """The stars with k >= 2 leaves number sum over r of phi_r C(r, k), phi of the degrees; counted one by one."""

    def stars(graph: Graph, vertices: int, k: int) -> int:
        return sum(
            all((min(centre, leaf), max(centre, leaf)) in graph for leaf in leaves)
            for centre in range(vertices)
            for leaves in combinations([vertex for vertex in range(vertices) if vertex != centre], k)
        )

    return first(
        f"{vertices} vertices, edges {sorted(graph)}, k = {k}"
        for vertices in range(1, 6)
        for graph in _graphs(vertices)
        for k in range(2, 5)
        if stars(graph, vertices, k) != sum(many * comb(r, k) for r, many in prevalences(_degrees(graph, vertices)))
    )


def degrees_can_tell() -> Finding:
    """On n <= 5 vertices, the degrees (n - 1, 1, ..., 1) are those of the star alone, up to names."""

    def same(a: Graph, b: Graph, vertices: int) -> bool:
        return any(
            frozenset((min(names[u], names[v]), max(names[u], names[v])) for u, v in a) == b
            for names in permutations(range(vertices))
        )

    return first(
        f"edges {sorted(graph)}"
        for vertices in range(2, 6)
        for graph in _graphs(vertices)
        if _degrees(graph, vertices) == (vertices - 1,) + (1,) * (vertices - 1)
        and not same(graph, frozenset((0, leaf) for leaf in range(1, vertices)), vertices)
    )


def _pairs() -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Yield e^epsilon, the masses that two laws p and q on {0, 1} give 0, and with what probability (1) fails."""
    for ratio, parts in product(RATIOS, range(1, 9)):
        for a, b in product(range(parts + 1), repeat=2):
            p, q = Fraction(a, parts), Fraction(b, parts)
            yield ratio, p, q, max(_failing(p, q, ratio), _failing(q, p, ratio))


def _failing(p: Fraction, q: Fraction, ratio: Fraction) -> Fraction:
    """Return the mass that p has on outcomes of which it has more than `ratio` times what q has."""
    return sum((x for x, y in ((p, q), (1 - p, 1 - q)) if x > ratio * y), Fraction(0))


def _least_delta(p: Fraction, q: Fraction, ratio: Fraction) -> Fraction:
    """Return the least delta at which both orders of the two laws are (epsilon, delta)-close."""
    orders = (((p, q), (1 - p, 1 - q)), ((q, p), (1 - q, 1 - p)))
    return max(sum((max(x - ratio * y, Fraction(0)) for x, y in order), Fraction(0)) for order in orders)


def with_probability_printed() -> Finding:
    """Where (epsilon, delta)-DP holds, (1) holds with probability 1 - delta, outcome by outcome."""
    return first(
        f"e^epsilon = {ratio}, laws ({p}, {1 - p}) and ({q}, {1 - q}): delta = {_least_delta(p, q, ratio)}, and (1) "
        f"fails with probability {failing}"
        for ratio, p, q, failing in _pairs()
        if failing > _least_delta(p, q, ratio)
    )


def with_probability_corrected() -> Finding:
    """Where (1) holds outcome by outcome with probability 1 - delta, (epsilon, delta)-DP does, by the kernel."""

    def law(p: Fraction) -> Dist:
        return Dist.of([(0, p), (1, 1 - p)])

    return first(
        f"e^epsilon = {ratio}, laws ({p}, {1 - p}) and ({q}, {1 - q})"
        for ratio, p, q, failing in _pairs()
        for one, other in ((p, q), (q, p))
        if decide_pair(law(one), law(other), Epsilon.ln(ratio), failing)[0] is not True
    )


def total_is_noisier() -> Finding:
    """On a histogram of about 10^4 items the total of H errs more than N, on the mean of 20 seeds."""

    def witnesses() -> Iterator[str]:
        histogram = harmonic(10**4)
        n = items(histogram)
        for ratio in (Fraction(11, 10), Fraction(3, 2), Fraction(3)):
            drawn = [privhist_sampler(ratio=ratio)(histogram, seeded_coins(seed)) for seed in range(20)]
            ours = fsum(abs(items(released) - n) for released, _ in drawn)
            total = fsum(abs(noisy - n) for _, noisy in drawn)
            if ours <= total:
                yield f"e^epsilon = {ratio}^3: {ours / 20} and {total / 20}"

    return first(witnesses())


def two_forms() -> Finding:
    """Counts and prevalences determine each other, and prevalences of a sum of histograms add up."""

    def witnesses() -> Iterator[str]:
        seen = set()
        for h in histograms(14):
            seen.add(prevalences(h))
            if of_prevalences(prevalences(h)) != h:
                yield f"{h}"
        if len(seen) != sum(1 for _ in histograms(14)):
            yield "two histograms with the same prevalences"
        for a, b in product(histograms(6), repeat=2):
            one, other, both = (dict(prevalences(h)) for h in (a, b, joined(a, b)))
            if both != {r: one.get(r, 0) + other.get(r, 0) for r in {*one, *other}}:
                yield f"{a} and {b}"

    return first(witnesses())


def proper_after_projection() -> Finding:
    """Isotonic regression, the cut at 0 and rounding make non-increasing integers >= 0, so a histogram."""

    def witnesses() -> Iterator[str]:
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

    return first(witnesses())


def cut_is_no_farther() -> Finding:
    """|max(n + z, 0) - n| <= |z| for n >= 0: equal where n + z >= 0, and n <= -z = |z| where it is not."""
    return first(
        f"n = {n}, z = {Fraction(z, 3)}"
        for n, z in product(range(13), range(-60, 61))
        if abs(max(n + Fraction(z, 3), Fraction(0)) - n) > abs(Fraction(z, 3))
    )


def moderate_difference() -> Finding:
    """1/epsilon - 2 e^-epsilon/(1 - e^(-2 epsilon)) lies between 1/20 and 1/4 for every epsilon in [1/2, 5]."""

    def difference(epsilon: Any) -> Any:
        small = (-epsilon).exp()
        return 1 / epsilon - 2 * small / (1 - small * small)

    def witnesses() -> Iterator[str]:
        low, width = Fraction(1, 2), Fraction(9, 2) / BOXES
        for box in range(BOXES):
            least, most = enclose(difference, (low + box * width, low + (box + 1) * width))
            if least < Fraction(1, 20) or most > Fraction(1, 4):
                yield f"epsilon from {low + box * width}: {least} to {most}"

    return first(witnesses())


SECOND_READING_ANONYMIZED: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {
        "ah-stars-counted": stars_counted,
        "ah-degrees-can-tell": degrees_can_tell,
        "ah-with-probability-printed": with_probability_printed,
        "ah-with-probability-corrected": with_probability_corrected,
        "ah-total-is-noisier": total_is_noisier,
        "ah-two-forms": two_forms,
        "ah-proper-after-projection": proper_after_projection,
        "ah-cut-is-no-farther": cut_is_no_farther,
        "ah-moderate-difference": moderate_difference,
    }
)
