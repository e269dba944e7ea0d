"""Checks of finite-computers, Sections 6 to 8: exact errors of sparse and compact histograms between their bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import (
    Accuracy,
    accuracy_of,
    log_ceiling,
    per_query,
    simultaneous,
    worst,
)
from dpcert.mechanisms.finite_computers.compact_costs import exact_ratio, settled
from dpcert.mechanisms.finite_computers.compact_histogram import COMPACT_HISTOGRAM, counts_of, ingredients
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, fastsample_zero
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.hash_family import HashFamily
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least, simultaneous_least, sparse_least
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import PURE_SPARSE_HISTOGRAM
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM
from dpcert.mechanisms.mechanism import Instance, Mechanism
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
    return accuracy_of(Dist.of(_merged(rows)), int)


def heavy_accuracy(*, n: int, universe: int, law: Law, count: int) -> Accuracy:
    """Return the accuracy of keep-heavy for a label that occurs `count` times, all others sharing one other label.

    A noisy count z is released iff at most n - 1 of the others are z or more; what is not released reads as 0.

    Requires: 0 <= count <= n, universe >= max(2, n + 1).
    Source:   finite-computers, Algorithm 6.1.
    """
    return _accuracy(n, law, count, _room(n=n, universe=universe, zero=law(0)))


def _merged(rows: list[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """Return each outcome once, with its whole probability."""
    sums: dict[int, Fraction] = {}
    for outcome, p in rows:
        sums[outcome] = sums.get(outcome, Fraction(0)) + p
    return [row for row in sums.items() if row[1]]


def heavy_per_query(*, n: int, universe: int, law: Law, above: int = -1) -> Accuracy:
    """Return the worst of these accuracies over all counts above a given one: on some lists, so a lower bound."""
    room = _room(n=n, universe=universe, zero=law(0))
    return worst(_accuracy(n, law, c, room) for c in range(above + 1, n + 1))


def _instance(mechanism: Mechanism, settings: Mapping[str, str]) -> Instance:
    return mechanism.build(mechanism.settings(settings))


def _laws(instance: Instance) -> list[tuple[dict[int, int], Dist]]:
    """Return the true counts and the law of each list that is sorted: no law here depends on the order."""
    form = instance.closed_form
    assert form is not None
    return [(dict(Counter(people)), form(people)) for people in instance.inputs if people == sorted(people)]


SETTINGS: list[tuple[Mechanism, dict[str, str]]] = [
    (KEEP_HEAVY, {"n": "1", "universe": "5", "epsilon": "1"}),
    (KEEP_HEAVY, {"n": "2", "universe": "5", "epsilon": "1/2"}),
    (SPARSE_HISTOGRAM, {"n": "1", "universe": "6", "epsilon": "1"}),
    (SPARSE_HISTOGRAM, {"n": "2", "universe": "5", "epsilon": "1/2"}),
    (PURE_SPARSE_HISTOGRAM, {"n": "1", "universe": "6", "epsilon": "1"}),
    (PURE_SPARSE_HISTOGRAM, {"n": "2", "universe": "5", "epsilon": "1/2"}),
]


@check("sparse-above")
def sparse_above() -> Iterator[str]:
    """No sparse histogram is more accurate than Theorems 7.1 ii and 7.2 allow, by the packings: whole laws."""
    for mechanism, settings in SETTINGS:
        instance, n, universe = _instance(mechanism, settings), int(settings["n"]), int(settings["universe"])
        laws = _laws(instance)
        one, every = per_query(laws, labels=range(universe)), simultaneous(laws, labels=range(universe))
        for beta in BETAS:
            given: dict[str, Any] = {"epsilon": instance.epsilon, "delta": instance.delta, "beta": beta, "n": n}
            few = sparse_least(**given, universe=universe, outputs=n).packing
            least = simultaneous_least(**given, universe=universe).packing
            if one.error(beta) < few or every.error(beta) < least:
                yield f"{mechanism.name}, {settings}, beta = {beta}"


HEAVY = [(24, 49, 1), (24, 200, 1), (24, 200, 2)]
"""n, the universe and k."""


@check("heavy-above")
def heavy_above() -> Iterator[str]:
    """Keep-heavy errs at least as much as the packings of Theorem 7.2 ask, on lists of two labels alone."""
    for n, universe, k in HEAVY:
        found = heavy_per_query(n=n, universe=universe, law=geosample_law(n=n, k=k))
        epsilon = Epsilon.ln((1 + Fraction(1, 1 << k)) ** 2)
        for beta in BETAS:
            least = sparse_least(epsilon=epsilon, delta=0, beta=beta, n=n, universe=universe, outputs=n)
            if found.error(beta) < least.packing:
                yield f"n = {n}, |X| = {universe}, k = {k}, beta = {beta}: {found.error(beta)} against {least}"


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


@check("compact-above")
def compact_above() -> Iterator[str]:
    """No compact histogram is more accurate than Theorem 7.1 allows, by the packings, at its least epsilon.

    Whole laws: the counts of all labels of small universes, and polynomials over GF(4) read on each label. At the
    parameters of Theorem 8.6: each count by itself.
    """
    small = [{"n": "3", "universe": "3", "view": "counts"}, {"n": "4", "universe": "2", "view": "counts"}]
    response = {"n": "1", "universe": "4", "sampler": "response", "bits": "2"}
    for settings in (*small, response):
        filled = COMPACT_HISTOGRAM.settings(settings)
        instance, (family, _, empty) = COMPACT_HISTOGRAM.build(filled), ingredients(filled)
        laws, n, universe = _laws(instance), int(settings["n"]), int(settings["universe"])

        read = partial(_count, family, empty)
        if settings is response:
            one = per_query(laws, labels=range(universe), read=read)
            every = simultaneous(laws, labels=range(universe), read=read)
        else:
            one, every = per_query(laws, labels=range(universe)), simultaneous(laws, labels=range(universe))
        for beta in BETAS:
            given: dict[str, Any] = {"epsilon": instance.epsilon, "delta": 0, "beta": beta, "n": n}
            least = per_query_least(**given).packing, simultaneous_least(**given, universe=universe).packing
            if one.error(beta) < least[0] or every.error(beta) < least[1]:
                yield f"{settings}, beta = {beta}"
    for n, m, universe in ((6, 1, 1 << 64), (12, 2, 1000)):
        chosen = settled(n=n, universe=universe, epsilon=Fraction(1, m), beta=Fraction(1, 10))
        law = fastsample_law(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
        zero = fastsample_zero(n=n, epsilon=chosen.epsilon, gamma=chosen.gamma)
        hole = EmptyBin(zero, 1 << (2 * 3**chosen.exponent)).law()
        ratio = exact_ratio(n=n, universe=universe, law=law, zero=hole)
        found = worst([accuracy_of(hole, int), *(accuracy_of(law(c), _distance(c)) for c in range(1, n + 1))])
        for beta in BETAS:
            # a smaller e^epsilon asks for more
            least_ratio = Epsilon.ln(Fraction(int(ratio * 1000), 1000))
            if found.error(beta) < per_query_least(epsilon=least_ratio, delta=0, beta=beta, n=n).packing:
                yield f"n = {n}, 1/epsilon = {m}, |X| = {universe}, beta = {beta}"


def _count(family: HashFamily, empty: EmptyBin, row: tuple[int, ...], label: int) -> int:
    return counts_of(row, [label], family=family, empty=empty)[0][1]


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
