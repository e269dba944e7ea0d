"""Checks of Sections 1 to 4 of anonymized-histograms on histograms: their number, their size, and group privacy."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.anonymized_histograms.partitions import (
    anonymized,
    cumulative,
    histograms,
    joined,
    of_prevalences,
    partition_numbers,
    partitions,
    prevalences,
)
from dpcert.mechanisms.anonymized_histograms.sorted_distance import (
    sorted_l1,
)
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import root_bounds
from dpcert.proofs.check import check

ZERO, HALF = Fraction(0), Fraction(1, 2)


@check("ah-four-labels")
def ah_four_labels() -> Iterator[str]:
    """Section 1: the histogram of counts 8, 0, 8 and 3 is {3, 8, 8}, with phi_3 = 1, phi_8 = 2 and no other."""
    h = anonymized({"a": 8, "b": 0, "c": 8, "d": 3})
    if not (h == (8, 8, 3) and prevalences(h) == ((3, 1), (8, 2)) and of_prevalences(((8, 2), (3, 1))) == h):
        yield f"{h} with prevalences {prevalences(h)}"


@check("ah-items-counted")
def ah_items_counted() -> Iterator[str]:
    """Section 3.1: the sum of counts is that of r phi_r, and of phi_r+; the prevalences give the counts back."""
    for h in histograms(12):
        r_phi = sum(r * many for r, many in prevalences(h))
        if not sum(h) == r_phi == sum(cumulative(h)) or of_prevalences(prevalences(h)) != h:
            yield f"h = {h}"


@check("ah-number-of-histograms")
def ah_number_of_histograms() -> Iterator[str]:
    """Section 3.1: 2^(m - 1) <= p(n) < e^(pi sqrt(2n/3)) for the greatest m with m(m + 1)/2 <= n.

    A set of different counts above 1, filled up with ones, shows the former. The check of the latter takes
    2565/1000 < pi sqrt(2/3) and a lower bound of the root.
    """
    numbers = partition_numbers(1000)
    if any(len(list(partitions(n))) != numbers[n] for n in range(21)):
        yield "the recurrence"
    if Fraction(2565, 1000) ** 2 * 3 >= 2 * Fraction(314159, 100000) ** 2:
        yield "the constant"
    for n in range(1, 1001):
        m = max(m for m in range(1, 50) if m * (m + 1) // 2 <= n)
        root = root_bounds(Fraction(n), 20)[0]
        if not 2 ** (m - 1) <= numbers[n] < Epsilon.of(Fraction(2565, 1000) * root).exp_bounds(64)[0]:
            yield f"n = {n}"


def group_delta(delta: Fraction, ratio: Fraction, k: int) -> Fraction:
    """Return delta (1 + E + ... + E^(k - 1)): the delta of k steps of (epsilon, delta) at k epsilon, E = e^epsilon."""
    return delta * sum(ratio**i for i in range(k))


def _chain(delta: Fraction, ratio: Fraction, k: int) -> list[Fraction]:
    """Return the probabilities of an event along k neighbours that grow as fast as (epsilon, delta) lets them."""
    found = [ZERO]
    for _ in range(k):
        found.append(min(ratio * found[-1] + delta, 1 - (1 - found[-1] - delta) / ratio, Fraction(1)))
    return found


GROUPS = tuple(product((Fraction(3, 2), Fraction(2), Fraction(3)), (Fraction(1, 10), Fraction(1, 1000)), range(1, 6)))


@check("ah-group-printed")
def ah_group_printed() -> Iterator[str]:
    """Section 3.1: for groups of k, (epsilon, delta) privacy gives (k epsilon, e^(k epsilon) delta)."""
    for ratio, delta, k in GROUPS:
        chain = _chain(delta, ratio, k)
        if chain[-1] > ratio**k * chain[0] + ratio**k * delta:
            yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}: an event of 0 has {chain[-1]} after k steps"


@check("ah-group-corrected")
def ah_group_corrected() -> Iterator[str]:
    """Section 3.1, corrected: it gives delta (e^(k epsilon) - 1)/(e^epsilon - 1), which is attained, and at most
    e^(k epsilon) delta for epsilon >= ln 2."""
    for ratio, delta, k in GROUPS:
        allowed = group_delta(delta, ratio, k)
        chain = _chain(delta, ratio, k)
        if allowed != delta * (ratio**k - 1) / (ratio - 1) or chain[-1] > allowed:
            yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}"
        if allowed <= HALF / ratio and chain[-1] != allowed:
            yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}: not attained"
        if ratio >= 2 and allowed > ratio**k * delta:
            yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}: above e^(k epsilon) delta"


@check("ah-naive-split-printed")
def ah_naive_split_printed() -> Iterator[str]:
    """Section 4.2: {T, n - T} and {T + 1, n - T - 1} are neighbours, for T + 1 < n - T."""
    for t, n in product(range(1, 4), range(4, 12)):
        a, b = joined((t,), (n - t,)), joined((t + 1,), (n - t - 1,))
        if t + 1 < n - t and sorted_l1(a, b) != 1:
            yield f"T = {t}, n = {n}: {{{a[1]}, {a[0]}}} and {{{b[1]}, {b[0]}}} are at distance {sorted_l1(a, b)}"


@check("ah-naive-split-corrected")
def ah_naive_split_corrected() -> Iterator[str]:
    """Section 4.2, corrected: {T, n - T} and {T + 1, n - T} are neighbours; their parts above T are T + 1 apart, those
    up to T are T apart. The printed pair has T + 2 above T."""
    for t, n in product(range(1, 6), range(3, 16)):
        if n - t > t:
            a, b = joined((t,), (n - t,)), joined((t + 1,), (n - t,))
            above = [tuple(x for x in h if x > t) for h in (a, b)]
            small = [tuple(x for x in h if x <= t) for h in (a, b)]
            if (sorted_l1(a, b), sorted_l1(*above), sorted_l1(*small)) != (1, t + 1, t):
                yield f"T = {t}, n = {n}"
        if n - t - 1 > t and sorted_l1((n - t,), joined((t + 1,), (n - t - 1,))) != t + 2:
            yield f"T = {t}, n = {n}: the printed parts"


Graph = frozenset[tuple[int, int]]
RATIOS = (Fraction(3, 2), Fraction(2), Fraction(3))


def _graphs(vertices: int) -> Iterator[Graph]:
    edges = list(combinations(range(vertices), 2))
    return (frozenset(chosen) for size in range(len(edges) + 1) for chosen in combinations(edges, size))


def _degrees(graph: Graph, vertices: int) -> tuple[int, ...]:
    """Return the histogram of the positive degrees, the largest first."""
    return anonymized({vertex: sum(vertex in edge for edge in graph) for vertex in range(vertices)})


@check("ah-stars-counted")
def stars_counted() -> Iterator[str]:
    """The stars with k >= 2 leaves number sum over r of phi_r C(r, k), phi of the degrees; counted one by one."""

    def stars(graph: Graph, vertices: int, k: int) -> int:
        return sum(
            all((min(centre, leaf), max(centre, leaf)) in graph for leaf in leaves)
            for centre in range(vertices)
            for leaves in combinations([vertex for vertex in range(vertices) if vertex != centre], k)
        )

    return (
        f"{vertices} vertices, edges {sorted(graph)}, k = {k}"
        for vertices in range(1, 6)
        for graph in _graphs(vertices)
        for k in range(2, 5)
        if stars(graph, vertices, k) != sum(many * comb(r, k) for r, many in prevalences(_degrees(graph, vertices)))
    )


@check("ah-degrees-can-tell")
def degrees_can_tell() -> Iterator[str]:
    """On n <= 5 vertices, the degrees (n - 1, 1, ..., 1) are those of the star alone, up to names."""

    def same(a: Graph, b: Graph, vertices: int) -> bool:
        return any(
            frozenset((min(names[u], names[v]), max(names[u], names[v])) for u, v in a) == b
            for names in permutations(range(vertices))
        )

    return (
        f"edges {sorted(graph)}"
        for vertices in range(2, 6)
        for graph in _graphs(vertices)
        if _degrees(graph, vertices) == (vertices - 1,) + (1,) * (vertices - 1)
        and not same(graph, frozenset((0, leaf) for leaf in range(1, vertices)), vertices)
    )


def _pairs() -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Yield e^epsilon, the masses that two laws p and q on {0, 1} give to 0, and the probability with which (1)
    fails.
    """
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


@check("ah-with-probability-printed")
def with_probability_printed() -> Iterator[str]:
    """Where (epsilon, delta)-DP holds, (1) holds with probability 1 - delta, outcome by outcome."""
    return (
        f"e^epsilon = {ratio}, laws ({p}, {1 - p}) and ({q}, {1 - q}): delta = {_least_delta(p, q, ratio)}, and (1) "
        f"fails with probability {failing}"
        for ratio, p, q, failing in _pairs()
        if failing > _least_delta(p, q, ratio)
    )


@check("ah-with-probability-corrected")
def with_probability_corrected() -> Iterator[str]:
    """Where (1) holds outcome by outcome with probability 1 - delta, (epsilon, delta)-DP does, by the kernel."""

    def law(p: Fraction) -> Dist:
        return Dist.of([(0, p), (1, 1 - p)])

    return (
        f"e^epsilon = {ratio}, laws ({p}, {1 - p}) and ({q}, {1 - q})"
        for ratio, p, q, failing in _pairs()
        for one, other in ((p, q), (q, p))
        if decide_pair(law(one), law(other), Epsilon.ln(ratio), failing)[0] is not True
    )


@check("ah-two-forms")
def two_forms() -> Iterator[str]:
    """Counts and prevalences determine each other, and prevalences of a sum of histograms add up."""
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
