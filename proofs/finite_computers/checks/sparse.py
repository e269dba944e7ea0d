"""Checks of the sparse histograms of finite-computers, Section 6.2, and of the statements of Section 6.3 on them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import permutations, product
from math import comb, factorial

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import log_ceiling, per_query, simultaneous
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample_law
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_histogram_law, lists
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.keep_heavy import above, keep_heavy_law, runner_up
from dpcert.mechanisms.finite_computers.ordsample import ordsample_law, scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import (
    PURE_SPARSE_HISTOGRAM,
    pure_distance,
    random_histogram_law,
    random_histogram_least,
)
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM, precision, sparse_histogram_law
from dpcert.proofs.check import check, checks
from dpcert.reading.paths.enumerator import enumerate_law

ONE = Fraction(1)

Law = Callable[[Sequence[int]], Dist]

SIZES = [(1, 3), (1, 4), (2, 5)]
"""n and the universe."""


def _sampler(n: int) -> Sampler:
    return Sampler.of({"n": str(n), "epsilon": "1/2", "sampler": "geosample", "gamma": "1/100"})


def _laws(n: int, universe: int, delta: Fraction, form: Callable[..., Law] = sparse_histogram_law) -> tuple[Law, Law]:
    """Return the laws of keep-heavy and of sparse-histogram, by one formula from their order statistics."""
    sampler = _sampler(n)
    cumulative = scaled_cumulative(sampler.law(0), n)
    law = partial(form, n=n, universe=universe, law=sampler.law)
    near = approx_ordsample_law(cumulative=cumulative, s=precision(n=n, universe=universe, delta=delta))
    return law(order_statistics=ordsample_law(cumulative=cumulative)), law(order_statistics=near)


@check("sparse-law")
def sparse_law() -> Iterator[str]:
    """The program of Algorithm 6.21 has the law of its closed form, from draws that are the same for every list."""
    for n, universe, people in ((1, 3, None), (2, 5, [0, 1])):
        settings = SPARSE_HISTOGRAM.settings({"n": str(n), "universe": str(universe)})
        instance = SPARSE_HISTOGRAM.build(settings)
        bounds = set()
        for each in instance.inputs if people is None else (people, [2, 2]):
            found = enumerate_law(instance.program, each, draws=True).law
            bounds |= {drawn for _, drawn in found.outcomes()}
            if instance.closed_form is None or found.map(lambda outcome: outcome[0]) != instance.closed_form(each):
                yield f"n = {n}, universe {universe}, D = {each}"
        if len(bounds) != 1:
            yield f"n = {n}, universe {universe}: the draws differ"


@check("sparse-distance")
def sparse_distance() -> Iterator[str]:
    """Sparse-histogram is within delta of keep-heavy, whose law two formulas give."""
    for (n, universe), delta in product(SIZES, (Fraction(1), Fraction(1, 10), Fraction(1, 1000))):
        exact, sparse = _laws(n, universe, delta)
        other = keep_heavy_law(n=n, universe=universe, law=_sampler(n).law)
        for people in lists(n, universe):
            if people == sorted(people) and (
                exact(people) != other(people) or exact(people).total_variation(sparse(people)) > delta
            ):
                yield f"n = {n}, universe {universe}, delta = {delta}, D = {people}"


def released_whole(
    *, n: int, universe: int, law: Callable[[int], Dist], order_statistics: Callable[[int], Dist]
) -> Law:
    """Return the law of KH* or SparseHistogram* of the proof of Theorem 6.8: all 2n + 1 candidates, as a histogram."""

    def whole(people: Sequence[int]) -> Dist:
        counts = Counter(people)
        occur = sorted(counts)
        free = [label for label in range(universe) if label not in counts]
        parts = (order_statistics(len(free)), Dist.uniform(permutations(free, n + 1)), *(law(counts[x]) for x in occur))

        def histogram(row: tuple[object, ...]) -> Bins:
            (_, others, labels, *noisy) = row
            assert isinstance(others, tuple)
            assert isinstance(labels, tuple)
            rows = [*zip(occur, noisy, strict=True), *zip(labels, others, strict=True)]
            return tuple(sorted((x, z) for x, z in rows if isinstance(z, int) and z > 0))

        return Dist.point(()).product(*parts).map(histogram)

    return whole


@check("sparse-heaviest")
def heaviest_of_whole() -> Iterator[str]:
    """Keeping the counts above the (n+1)-st greatest maps KH* to KH', KH' to itself, and the approximations alike."""
    for n, universe, people in ((1, 3, [0]), (1, 4, [2]), (2, 5, [0, 0])):
        laws = (_laws(n, universe, Fraction(1, 10), form) for form in (sparse_histogram_law, released_whole))
        for kept, whole in zip(*laws, strict=True):

            def heaviest(bins: Bins, n: int = n) -> Bins:
                return above(bins, runner_up((count for _, count in bins), n))

            if not whole(people).map(heaviest) == kept(people) == kept(people).map(heaviest):
                yield f"n = {n}, universe {universe}, D = {people}"


@check("sparse-whole-distance-printed")
def whole_distance_printed() -> Iterator[str]:
    """KH', which releases the heaviest, is within delta of SparseHistogram*, which releases all candidates."""
    return (
        f"n = {n}, universe {universe}, D = [0], delta = {delta}: total variation {distance}"
        for n, universe in SIZES[:1]
        for delta in (Fraction(1), Fraction(1, 2), Fraction(1, 10))
        for distance in [
            _laws(n, universe, delta)[0]([0]).total_variation(_laws(n, universe, delta, released_whole)[1]([0]))
        ]
        if distance > delta
    )


def _violations(settings: Mapping[str, str], *, pure: bool) -> Iterator[str]:
    mechanism = PURE_SPARSE_HISTOGRAM if pure else SPARSE_HISTOGRAM
    instance = mechanism.build(mechanism.settings(settings))
    form = instance.closed_form
    laws = {tuple(people): form(people) for people in instance.inputs} if form is not None else {}
    for a, b in product(laws, laws):
        differ = sum(x != y for x, y in zip(a, b, strict=True)) == 1
        if differ and decide_pair(laws[a], laws[b], instance.epsilon, instance.delta)[0] is not True:
            yield f"{dict(settings)}, D = {list(a)}, D' = {list(b)}"
    if not laws:
        yield f"{dict(settings)}: no law"


SETTINGS: list[dict[str, str]] = [
    {"n": "1", "universe": "3"},
    {"n": "1", "universe": "6", "epsilon": "1"},
    {"n": "1", "universe": "3", "sampler": "fastsample", "epsilon": "1"},
    {"n": "2", "universe": "5"},
]


@check("sparse-private")
def sparse_private() -> Iterator[str]:
    """Sparse-histogram is (epsilon, (e^epsilon + 1) delta)-DP for lists that differ in one label."""
    coarse = {"n": "1", "universe": "3", "delta": "1/2"}
    return (one for settings in (*SETTINGS, coarse) for one in _violations(settings, pure=False))


@check("pure-private")
def pure_private() -> Iterator[str]:
    """Pure-sparse-histogram is (epsilon, 0)-DP for lists that differ in one label."""
    coarse = {"n": "1", "universe": "3", "beta": "1/2"}
    return (one for settings in (*SETTINGS, coarse) for one in _violations(settings, pure=True))


@check("pure-law")
def pure_law() -> Iterator[str]:
    """The program of Algorithm 6.9 has the law of its closed form, from draws that are the same for every list."""
    instance = PURE_SPARSE_HISTOGRAM.build(PURE_SPARSE_HISTOGRAM.settings({"n": "1", "universe": "3"}))
    bounds = set()
    for people in instance.inputs:
        found = enumerate_law(instance.program, people, draws=True).law
        bounds |= {drawn for _, drawn in found.outcomes()}
        if instance.closed_form is None or found.map(lambda outcome: outcome[0]) != instance.closed_form(people):
            yield f"D = {people}"
    if len(bounds) != 1:
        yield "the draws differ"


@check("pure-random-support")
def random_support() -> Iterator[str]:
    """Step 2 of Algorithm 6.9 reaches every histogram of at most n bins; n!/((n + 1) universe)^n is the least mass."""
    for n, universe in (*SIZES, (2, 6), (3, 7)):
        law = random_histogram_law(n=n, universe=universe)
        least = min(p for _, p in law.items())
        printed = Fraction(factorial(n), ((n + 1) * universe) ** n)
        if len(law) != sum(comb(universe, r) * n**r for r in range(n + 1)) or law.tail:
            yield f"n = {n}, universe {universe}: support"
        if not least == printed == random_histogram_least(n=n, universe=universe) >= Fraction(1, (3 * universe) ** n):
            yield f"n = {n}, universe {universe}: least mass {least}"


@check("pure-mixing-condition")
def mixing_condition() -> Iterator[str]:
    """The chosen delta meets the condition of Lemma 3.2 with the exact least mass, and is at most beta."""
    for n, inverse, weight in product((1, 2, 3, 10, 40), (1, 2, 3, 10, 1000), (2, 3, 10, 1000)):
        for universe in (2 * n + 1, 2**64):
            epsilon, beta = Fraction(1, inverse), Fraction(1, weight)
            delta = pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta)
            ratio = Epsilon.of(epsilon).exp_bounds(64)[0]
            least = random_histogram_least(n=n, universe=universe)
            allowed = (ratio - 1) / (ratio + 1) * beta / (1 - beta) * least
            if not delta <= min(allowed, beta) or (1 / delta).denominator != 1:
                yield f"n = {n}, universe {universe}, epsilon = {epsilon}, beta = {beta}"


@check("pure-distance-bits")
def distance_bits() -> Iterator[str]:
    """1/delta is at most the third power of universe^n / (beta epsilon): log(1/delta) is of the order printed."""
    return (
        f"n = {n}, universe {universe}, epsilon = {epsilon}, beta = {beta}"
        for n, epsilon, beta in product((1, 2, 5, 30), (Fraction(1), Fraction(1, 9)), (Fraction(1, 2), Fraction(1, 99)))
        for universe in (2 * n + 1, 2**20, 2**64)
        if 1 / pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta) > (universe**n / (beta * epsilon)) ** 3
    )


@check("sparse-delta")
def smaller_delta() -> Iterator[str]:
    """A tenth of delta costs four bits of s; stability's threshold of Theorem 5.6 passes n where delta is small."""
    for digits in range(1, 8):
        delta = Fraction(1, 10**digits)
        more = (
            precision(n=2, universe=5, delta=delta / 10).bit_length()
            - precision(n=2, universe=5, delta=delta).bit_length()
        )
        exact, sparse = _laws(1, 3, delta)
        if more > 4 or exact([0]).total_variation(sparse([0])) > delta:
            yield f"delta = {delta}"
        threshold = 1 + log_ceiling(2 / delta, Epsilon.of(Fraction(2, 9)))
        if threshold < Fraction(9, 2) * digits:
            yield f"delta = {delta}: threshold {threshold}"


@cache
def _pure_laws(
    n: int, universe: int
) -> tuple[tuple[tuple[dict[int, int], Dist], ...], tuple[tuple[dict[int, int], Dist], ...]]:
    """Return the laws of basic-histogram and of pure-sparse-histogram at beta = 1/100, with the true counts."""
    instance = PURE_SPARSE_HISTOGRAM.build(PURE_SPARSE_HISTOGRAM.settings({"n": str(n), "universe": str(universe)}))
    basic = basic_histogram_law(universe=universe, law=_sampler(n).law)
    inputs = [people for people in instance.inputs if people == sorted(people)]
    form = instance.closed_form
    assert form is not None
    return (
        tuple((dict(Counter(people)), basic(people)) for people in inputs),
        tuple((dict(Counter(people)), form(people)) for people in inputs),
    )


@check("pure-accuracy")
def pure_accuracy() -> Iterator[str]:
    """Theorem 6.10 ii and iii, for every a_1 <= a_2 with the exact accuracies of basic-histogram."""
    for n, universe in ((1, 3), (2, 5)):
        (basic, pure), beta = _pure_laws(n, universe), Fraction(1, 100)
        labels = range(universe)
        one, all_at_once = per_query(basic, labels=labels), simultaneous(basic, labels=labels)
        pure_all = simultaneous(pure, labels=labels)
        for a_2 in range(n + 1):
            if pure_all.beta(2 * a_2) > 2 * beta + all_at_once.beta(a_2):
                yield f"n = {n}, universe {universe}, a_2 = {a_2}: all counts"
            for a_1 in range(a_2 + 1):
                allowed = 2 * beta + 2 * max(one.beta(a_1), all_at_once.beta(a_2))
                if 2 * a_2 < n and per_query(pure, labels=labels, above=2 * a_2).beta(a_1) > allowed:
                    yield f"n = {n}, universe {universe}, a_1 = {a_1}, a_2 = {a_2}: one count"


def _beyond(law: Callable[[int], Dist], n: int, a: int) -> Fraction:
    """Return the greatest probability, over the counts 0, n/2 and n, of an error above a."""

    def off(count: int) -> Fraction:
        return law(count).prob_of(lambda noisy: abs(noisy - count) > a)

    return max(map(off, (0, n // 2, n)))


@check("pure-constants")
def pure_constants() -> Iterator[str]:
    """Theorem 6.11 and Figure 5 follow from Theorem 6.10 with the exact errors of single counts and a union bound."""
    for n, inverse, beta in product((20, 60), (1, 2), (Fraction(1, 2), Fraction(1, 20))):
        epsilon = Fraction(1, inverse)
        for universe in (2 * n + 1, 10**4):
            gamma = beta / (8 * universe)
            for name, law, times in (
                ("geosample", geosample_law(n=n, k=noise_exponent(epsilon)), 1),
                ("fastsample", fastsample_law(n=n, epsilon=epsilon, gamma=gamma), 2),
            ):
                step = Epsilon.of(2 * epsilon / 9)
                one, many, all_at_once = (
                    log_ceiling(times * x / beta, step)
                    for x in (Fraction(4), Fraction(4 * universe), Fraction(2 * universe))
                )
                if (
                    _beyond(law, n, one) > beta / 4
                    or _beyond(law, n, many) * universe > beta / 4
                    or _beyond(law, n, all_at_once) * universe > beta / 2
                ):
                    yield f"{name}, n = {n}, epsilon = {epsilon}, beta = {beta}, universe {universe}"


PRECISIONS = [
    (n, universe, m)
    for n, universe, m in product((1, 2, 5, 40), (3, 17, 1024, 10**6), (1, 2, 10, 1000))
    if universe > 2 * n
]
"""n, the universe and 1/delta."""


@check("precision-above")
def precision_above() -> Iterator[str]:
    """s of Algorithm 6.9 is above 2^n, and above (3 |X|)^n."""
    return (
        f"n = {n}, |X| = {universe}, beta_1 = 1/{m + 1}"
        for n, universe, m in PRECISIONS
        for delta in [pure_distance(n=n, universe=universe, epsilon=ONE, beta=Fraction(1, m + 1))]
        if not 2**n < (3 * universe) ** n < precision(n=n, universe=universe, delta=delta)
    )


@checks({"sparse-privacy-step-printed": True, "sparse-privacy-step": False})
def _privacy_step(same: bool) -> Iterator[str]:
    """The last line of the proof of Theorem 6.8, part ii: Pr[KH'(D') in S] <= Pr[SparseHistogram(D') in S] + delta, for
    single releases S; as printed, with D for the latter D'.
    """
    delta = Fraction(1, 100)
    for n, universe in ((1, 3), (1, 4)):
        sampler = geosample_law(n=n, k=2)
        cumulative = scaled_cumulative(sampler(0), n)
        s = precision(n=n, universe=universe, delta=delta)
        exact, near = (
            sparse_histogram_law(n=n, universe=universe, law=sampler, order_statistics=law)
            for law in (ordsample_law(cumulative=cumulative), approx_ordsample_law(cumulative=cumulative, s=s))
        )
        for a, b in permutations(lists(n, universe), 2):
            found = dict(near(a if same else b).items())
            for outcome, p in exact(b).items():
                if p > found.get(outcome, 0) + delta:
                    yield f"n = {n}, |X| = {universe}, D = {a}, D' = {b}, S = {{{outcome}}}"
