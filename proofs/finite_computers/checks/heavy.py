"""Checks of finite-computers, Section 6.1: keep-heavy from all bins and from few, its privacy and accuracy."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

from dpcert.mechanisms.broken.keep_heavy import keep_heavy_order
from dpcert.mechanisms.broken.keep_heavy_sparse import keep_heavy_sparse_earlier
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, basic_histogram
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy, keep_heavy_law, keep_heavy_sparse
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.proofs.check import check
from dpcert.reading.paths.enumerator import enumerate_law

SMALL = [(1, 2, 1), (1, 3, 1), (1, 4, 2), (2, 3, 2), (2, 4, 1)]
"""n, universe and k, for laws by every noise of every bin."""
SPARSE = [(1, 3, 1), (1, 4, 2), (2, 5, 1)]
"""Those where 2n + 1 labels are there."""

Noise = Callable[[int], Dist]


def _sorted_lists(n: int, universe: int) -> list[list[int]]:
    """Return the lists of n labels up to their order, on which no law here depends."""
    return [list(people) for people in combinations_with_replacement(range(universe), n)]


def _every_bin(people: Sequence[int], universe: int, noise: Noise) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Return every way in which the noisy counts of all labels come out, with its probability."""
    for row in product(*(list(noise(list(people).count(x)).items()) for x in range(universe))):
        yield tuple(z for z, _ in row), prod((p for _, p in row), start=Fraction(1))


def _border(row: Sequence[int], n: int) -> int:
    """Return the (n+1)-st greatest count."""
    return sorted(row, reverse=True)[n]


def _printed(people: Sequence[int], n: int, universe: int, noise: Noise) -> Dist:
    """Return the law of Algorithm 6.1, step by step."""
    return Dist.of(
        [
            (tuple((x, z) for x, z in enumerate(row) if z > _border(row, n)), p)
            for row, p in _every_bin(people, universe, noise)
        ]
    )


def _program(n: int, universe: int, k: int) -> Callable[[Sequence[int], Coins], Bins]:
    return keep_heavy(n=n, universe=universe, sampler=geosample(n=n, k=k))


@check("keep-heavy-law")
def keep_heavy_law_check() -> Iterator[str]:
    """The program keep-heavy has the law of Algorithm 6.1; the bins are in order, at most n, with counts 1 to n."""
    for n, universe, k in SMALL:
        for people in _sorted_lists(n, universe):
            law = enumerate_law(_program(n, universe, k), people).law
            if law != _printed(people, n, universe, geosample_law(n=n, k=k)):
                yield f"n = {n}, universe = {universe}, k = {k}, D = {people}"
            for bins in law.outcomes():
                inside = all(0 <= x < universe and 1 <= z <= n for x, z in bins)
                if len(bins) > n or not inside or list(bins) != sorted(bins):
                    yield f"n = {n}, universe = {universe}, D = {people}: {bins}"


@check("keep-heavy-sparse-law")
def keep_heavy_sparse_law_check() -> Iterator[str]:
    """The program keep-heavy-sparse, Algorithm 6.4, has the law of Algorithm 6.1."""
    for n, universe, k in SPARSE:
        noise = geosample_law(n=n, k=k)
        program = keep_heavy_sparse(
            n=n,
            universe=universe,
            sampler=geosample(n=n, k=k),
            order_statistics=ordsample(cumulative=scaled_cumulative(noise(0), n)),
        )
        for people in ([0] * n, [*range(n)], [universe - 1] * n):
            if enumerate_law(program, people).law != _printed(people, n, universe, noise):
                yield f"n = {n}, universe = {universe}, k = {k}, D = {people}"


def _least_ratio(n: int, universe: int, law: Noise, people: Sequence[Sequence[int]]) -> Fraction:
    """Return the greatest ratio of probabilities over the given lists and all lists one substitution away."""
    laws: dict[tuple[int, ...], tuple[int, dict[Bins, int]]] = {}
    pairs = set()
    for one in people:
        for i, x in product(range(n), range(universe)):
            pairs.add((tuple(sorted(one)), tuple(sorted([*one[:i], x, *one[i + 1 :]]))))
    of_counts = keep_heavy_law(n=n, universe=universe, law=law)
    for one in {one for pair in pairs for one in pair}:
        whole = of_counts(one)
        laws[one] = whole.denominator, {outcome: weight for _, outcome, weight in whole.weights()}
    greatest = Fraction(1)
    for a, b in sorted(pairs):
        (c, p), (d, q) = laws[a], laws[b]
        above, below = greatest.numerator * c, greatest.denominator * d
        if any(weight * below > q[outcome] * above for outcome, weight in p.items()):
            greatest = max(Fraction(weight * d, q[outcome] * c) for outcome, weight in p.items())
    return greatest


@check("keep-heavy-private")
def keep_heavy_private() -> Iterator[str]:
    """With GeoSample, KeepHeavy is (ln (1 + 2^-k)^2, 0)-DP for one substituted label, and for no smaller epsilon."""
    return (
        f"n = {n}, universe = {universe}, k = {k}"
        for n, universe in ((1, 2), (1, 3), (1, 9), (2, 3), (2, 5), (2, 6), (3, 4))
        for k in (1, 2, 3)
        if _least_ratio(n, universe, geosample_law(n=n, k=k), _sorted_lists(n, universe))
        != (1 + Fraction(1, 2**k)) ** 2
    )


@check("keep-heavy-three-of-seven")
def keep_heavy_three_of_seven() -> Iterator[str]:
    """The same for all 343 lists of three of seven labels and all 6,174 substitutions, at k = 2."""
    ratio = _least_ratio(3, 7, geosample_law(n=3, k=2), _sorted_lists(3, 7))
    if ratio != Fraction(25, 16):
        yield f"a ratio of {ratio}"


def _accuracy(n: int, universe: int, noise: Noise, a1: int, a2: int) -> Fraction:
    """Return the least beta for which BasicHistogram has (a1, beta)-per-query and (a2, beta)-simultaneous accuracy."""

    def within(count: int, a: int) -> Fraction:
        return noise(count).prob_of(lambda z: abs(z - count) <= a)

    people = _sorted_lists(n, universe)
    per_query = [1 - within(count, a1) for count in range(n + 1)]
    together = [1 - prod((within(one.count(x), a2) for x in range(universe)), start=Fraction(1)) for one in people]
    return max(*per_query, *together)


def _errors(law: Dist, people: Sequence[int], universe: int) -> tuple[int, list[tuple[list[int], int]]]:
    """Return a denominator, and of each outcome the errors of all labels with its weight."""
    counts = [people.count(x) for x in range(universe)]
    rows = [
        ([abs(shown.get(x, 0) - c) for x, c in enumerate(counts)], weight)
        for shown, weight in ((dict(bins), weight) for _, bins, weight in law.weights())
    ]
    return law.denominator, rows


@check("keep-heavy-accurate")
def keep_heavy_accurate() -> Iterator[str]:
    """Theorem 6.2 ii and iii, for every a1 <= a2 and the least beta that BasicHistogram has at these."""
    for n, universe, k in ((1, 2, 1), (1, 5, 2), (2, 5, 1), (3, 5, 2), (3, 5, 4)):
        noise = geosample_law(n=n, k=k)
        law = keep_heavy_law(n=n, universe=universe, law=noise)
        laws = [(people, *_errors(law(people), people, universe)) for people in _sorted_lists(n, universe)]
        for a1, a2 in combinations_with_replacement(range(n + 1), 2):
            beta = _accuracy(n, universe, noise, a1, a2)
            for people, whole, rows in laws:
                far = sum(weight for errors, weight in rows if max(errors) > 2 * a2)
                large = [x for x in range(universe) if people.count(x) > 2 * a2]
                miss = [sum(weight for errors, weight in rows if errors[x] > a1) for x in large]
                if far > beta * whole or any(each > 2 * beta * whole for each in miss):
                    yield f"n = {n}, universe = {universe}, k = {k}, a1 = {a1}, a2 = {a2}, D = {people}"


def _kept(signed: bool) -> Iterator[str]:
    """Return where the event E of Lemma 6.3 does not keep a label that occurs more than 2 a2 times."""
    for n, universe in ((1, 2), (1, 3), (2, 3), (2, 4), (3, 4)):
        for a2, people in product(range(n + 1), _sorted_lists(n, universe)):
            counts = [people.count(x) for x in range(universe)]
            for row in product(range(n + 1), repeat=universe):
                errors = [z - c for z, c in zip(row, counts, strict=True)]
                event = max(errors if signed else map(abs, errors)) <= a2
                lost = any(z <= _border(row, n) for z, c in zip(row, counts, strict=True) if c > 2 * a2)
                if event and lost:
                    yield f"n = {n}, |X| = {universe}, a2 = {a2}, D = {people}, noisy counts {row}"


@check("keep-heavy-kept-without-bars")
def lemma_6_3_without_bars() -> Iterator[str]:
    """Lemma 6.3 as the text has it, with c~_x - c_x(D) <= a2, not its absolute value."""
    return _kept(signed=True)


@check("keep-heavy-kept")
def lemma_6_3() -> Iterator[str]:
    """Lemma 6.3 with |c~_x - c_x(D)| <= a2: labels that occur more than 2 a2 times are kept, and Pr[E] >= 1 - beta."""
    yield from _kept(signed=False)
    for n, universe, k in SMALL:
        noise = geosample_law(n=n, k=k)
        for a2, people in product(range(n + 1), _sorted_lists(n, universe)):
            rows = _every_bin(people, universe, noise)
            event = sum(p for row, p in rows if all(abs(z - people.count(x)) <= a2 for x, z in enumerate(row)))
            if event < 1 - _accuracy(n, universe, noise, a2, a2):
                yield f"n = {n}, |X| = {universe}, k = {k}, a2 = {a2}, D = {people}"


@check("enough-empty-labels")
def enough_empty_labels() -> Iterator[str]:
    """n + 1 labels do not occur in any list of n labels iff there are 2n + 1 labels."""
    return (
        f"n = {n}, universe = {universe}"
        for n, universe in product(range(1, 5), range(1, 10))
        if all(universe - len(set(people)) >= n + 1 for people in _sorted_lists(n, universe))
        is not (universe >= 2 * n + 1)
    )


@check("keep-heavy-length")
def output_length() -> Iterator[str]:
    """KeepHeavy releases at most n bins, and can release n; BasicHistogram always releases |X|."""
    for n, universe, k in SMALL:
        people = [0] * n
        heavy = enumerate_law(_program(n, universe, k), people).law
        dense = enumerate_law(basic_histogram(universe=universe, sampler=geosample(n=n, k=k)), people).law
        if max(map(len, heavy.outcomes())) != n or set(map(len, dense.outcomes())) != {universe}:
            yield f"n = {n}, universe = {universe}"


@check("keep-heavy-threshold")
def threshold_of_accuracy() -> Iterator[str]:
    """With GeoSample, 2 a2 <= 8 log2(|X|/beta) / epsilon for the a2 at which simultaneous error has probability beta.

    For |X| = 2^j and beta = 2^-b, a2 is the least a with (1 + 2^-k)^a >= 2^(j + b); then Pr[|Geo| > a] <= beta/|X|.
    """
    for inverse, j, b in product((1, 2, 3, 10), (1, 4, 16, 64), (1, 5, 20)):
        k = (2 * inverse - 1).bit_length()
        ratio, a2, power = 1 + Fraction(1, 2**k), 0, Fraction(1)
        while power < 2 ** (j + b):
            a2, power = a2 + 1, power * ratio
        beyond = 2 / (power * (ratio + 1))
        if 2 * a2 > 8 * (j + b) * inverse or beyond > Fraction(1, 2 ** (j + b)):
            yield f"1/epsilon = {inverse}, |X| = 2^{j}, beta = 2^-{b}"


@check("keep-heavy-sparse-earlier")
def earlier_version_not_private() -> Iterator[str]:
    """KH' with the earlier version's order statistics is not (epsilon, 0)-DP, at n = 1 over three labels."""
    instance = keep_heavy_sparse_earlier.build(keep_heavy_sparse_earlier.settings({}))
    p, q = (enumerate_law(instance.program, people).law.prob(((0, 1),)) for people in ([0], [1]))
    if (p / q, instance.epsilon.ratio) != (Fraction(225, 112), Fraction(25, 16)):
        yield f"a ratio of {p / q}"


@check("heavy-order-leaks")
def order_of_bins_leaks() -> Iterator[str]:
    """Heavy bins in the order in which labels first occur have an order that some neighbours never have."""
    instance = keep_heavy_order.build(keep_heavy_order.settings({}))
    p, q = (enumerate_law(instance.program, people).law.prob(((1, 2), (2, 2))) for people in ([0, 0], [0, 2]))
    if not p > q == 0:
        yield f"{p} and {q}"
