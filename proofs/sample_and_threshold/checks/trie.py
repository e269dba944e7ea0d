"""Checks of sample-and-threshold, Section 4 and Lemma 8: the trie, heavy hitters in one round, quantiles, ranges."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, product
from math import comb, isqrt

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.sample_and_threshold.heavy_hitters import heavy_hitters
from dpcert.mechanisms.sample_and_threshold.hierarchical import prefix_weight, probes
from dpcert.mechanisms.sample_and_threshold.quantile_search import (
    Steps,
    found,
    next_split,
    quantile_search,
    quantile_search_law,
)
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law
from dpcert.mechanisms.sample_and_threshold.trie import Trie, prefix, pruned, trie, trie_law
from dpcert.proofs.check import check
from dpcert.proofs.sample_and_threshold.checks.sampling import binomial, exp_minus
from dpcert.reading.paths.enumerator import enumerate_law

Law = Callable[[Sequence[int]], Dist]
People = tuple[int, ...]
RATES = (Fraction(1, 10), Fraction(1, 2))
HALF, MOST = Fraction(1, 2), 100
"""A rate, and the constant that is granted where the paper has an O."""


def people_up_to(n: int, universe: int) -> list[People]:
    """Return every list of at most n labels, in order; the laws depend only on how often each label occurs."""
    return [people for k in range(n + 1) for people in combinations_with_replacement(range(universe), k)]


def neighbours(people: People, relation: str, universe: int) -> Iterator[People]:
    """Yield the lists without one person, or with another label for that person."""
    for i in range(len(people)):
        rest = people[:i] + people[i + 1 :]
        if relation == "add-remove":
            yield rest
        else:
            yield from (tuple(sorted((*rest, x))) for x in range(universe) if x != people[i])


def most(law: Law, inputs: list[People], relation: str, universe: int, ratio: Fraction) -> Fraction:
    """Return the least delta at e^epsilon = ratio for these inputs and all that are neighbours of one, both ways."""
    known, seen, worst = cache(law), set(), Fraction(0)
    for a in inputs:
        for b in neighbours(a, relation, universe):
            if (a, b) in seen:
                continue
            seen |= {(a, b), (b, a)}
            p, q = known(a), known(b)
            worst = max(worst, hockey_stick(p, q, ratio), hockey_stick(q, p, ratio))
    return worst


def law_of(program: Callable[[Sequence[int], Coins], object]) -> Law:
    """Return the law of a program by enumeration."""
    return lambda people: enumerate_law(program, list(people)).law


@check("trie-program")
def trie_program() -> Iterator[str]:
    """The program of TrieHH++ has the law of independent levels, pruned where ancestors are asked for."""
    for rate, threshold, ancestors in product(RATES, (1, 2), (False, True)):
        for branching, levels, n in ((2, 2, 2), (3, 1, 2), (2, 3, 1)):
            program = partial(trie, rate=rate, threshold=threshold, branching=branching, levels=levels)
            law = partial(trie_law, rate=rate, threshold=threshold, branching=branching, levels=levels)
            for people in people_up_to(n, branching**levels):
                if enumerate_law(program(ancestors=ancestors), list(people)).law != law(ancestors=ancestors)(people):
                    yield f"p = {rate}, tau = {threshold}, beta = {branching}, ancestors {ancestors}: {people}"


@check("trie-ancestors")
def trie_ancestors() -> Iterator[str]:
    """The trie restricted to released ancestors is the other trie, pruned: its delta is no greater."""
    for rate, threshold in product(RATES, (1, 2)):
        program = trie(rate=rate, threshold=threshold, branching=2, levels=2, ancestors=True)
        bound, free = (
            trie_law(rate=rate, threshold=threshold, branching=2, levels=2, ancestors=ancestors)
            for ancestors in (True, False)
        )
        for people in people_up_to(2, 4):
            pruning = free(people).map(lambda grown: pruned(grown, branching=2))
            if enumerate_law(program, list(people)).law != pruning:
                yield f"p = {rate}, tau = {threshold}, {people}"
        ratio = (2 / (1 - rate)) ** 2
        restricted, whole = (most(law, people_up_to(3, 4), "add-remove", 4, ratio) for law in (bound, free))
        if restricted > whole:
            yield f"p = {rate}, tau = {threshold}: {restricted} > {whole}"


@check("trie-composition")
def trie_composition() -> Iterator[str]:
    """(epsilon, delta) for each level's histogram makes (L epsilon, L delta) for the trie, in both relations."""
    for rate, threshold, relation in product(RATES, (1, 2), ("add-remove", "substitute")):
        for levels, n in ((2, 3), (3, 2)):
            labels, ratio, inputs = 2**levels, 2 / (1 - rate), people_up_to(n, 2**levels)
            one = max(
                most(level_law(rate, threshold, level, levels), inputs, relation, labels, ratio)
                for level in range(1, levels + 1)
            )
            for ancestors in (False, True):
                law = trie_law(rate=rate, threshold=threshold, branching=2, levels=levels, ancestors=ancestors)
                if most(law, inputs, relation, labels, ratio**levels) > levels * one:
                    yield f"p = {rate}, tau = {threshold}, {relation}, L = {levels}, ancestors {ancestors}"


def level_law(rate: Fraction, threshold: int, level: int, levels: int) -> Law:
    """Return the law of one level's histogram of a binary trie."""
    histogram = threshold_histogram_law(rate=rate, threshold=threshold, universe=2**level)
    return lambda people: histogram([prefix(x, level, branching=2, levels=levels) for x in people])


@check("trie-levels")
def levels_reached() -> Iterator[str]:
    """Who is added changes one cell of each level; who moves, two cells of each level from where the digits differ."""
    for branching, levels in ((2, 4), (3, 3), (4, 2)):
        for a, b in product(range(branching**levels), repeat=2):
            paths = [
                [prefix(x, level, branching=branching, levels=levels) for x in (a, b)] for level in range(1, levels + 1)
            ]
            differ = [x != y for x, y in paths]
            if a != b and (differ != sorted(differ) or not differ[-1]):
                yield f"branching {branching}, {levels} levels: {a} and {b}"


@check("heavy-hitters-one-round")
def one_round() -> Iterator[str]:
    """One histogram of whole items needs the delta of one bin, however many digits they have."""
    for rate, threshold, levels in product(RATES, (1, 2), (1, 2)):
        ratio, labels, inputs = 2 / (1 - rate), 2**levels, people_up_to(3, 2**levels)
        one_bin = most(
            threshold_histogram_law(rate=rate, threshold=threshold, universe=1),
            people_up_to(3, 1),
            "add-remove",
            1,
            ratio,
        )
        for counts in (True, False):
            program = heavy_hitters(rate=rate, threshold=threshold, universe=labels, counts=counts)
            needed = most(law_of(program), inputs, "add-remove", labels, ratio)
            if needed > one_bin or (counts and needed != one_bin):
                yield f"p = {rate}, tau = {threshold}, L = {levels}: {needed} against {one_bin}"


@check("quantile-search-composition")
def search_composition() -> Iterator[str]:
    """h histograms of two bins, each (epsilon, delta)-private, make a search (h epsilon, h delta)-private."""
    for rate, threshold, phi in product(RATES, (1, 2), (HALF, Fraction(4, 5))):
        for halvings, n in ((2, 3), (3, 1)):
            ratio, labels, inputs = 2 / (1 - rate), 2**halvings, people_up_to(n, 2**halvings)
            law = quantile_search_law(rate=rate, threshold=threshold, phi=phi, halvings=halvings)
            one = most(
                threshold_histogram_law(rate=rate, threshold=threshold, universe=2),
                people_up_to(n, 2),
                "add-remove",
                2,
                ratio,
            )
            if most(law, inputs, "add-remove", labels, ratio**halvings) > halvings * one:
                yield f"p = {rate}, tau = {threshold}, phi = {phi}, h = {halvings}"


@check("quantile-search-accuracy-printed")
def unseen_upper_half() -> Iterator[str]:
    """Lemma 8 as printed requires that phi exceed tau/m, but not that 1 - phi does.

    At p = 1/2, tau = n/4 = m/2 and phi = 7/8, let n/4 - 1 of n people be in the upper half. They are never shown, and
    the search ends in the lower half, whose end has rank 3/4 + 1/n: off by 1/8 - 1/n.
    """
    program = quantile_search(rate=HALF, threshold=2, phi=Fraction(7, 8), halvings=2)
    law = enumerate_law(program, [0] * 7 + [3]).law
    ends = {found(steps, phi=Fraction(7, 8)) for steps in law.outcomes()}
    n = next(n for n in range(4, 10**8, 40_000) if (Fraction(1, 8) - Fraction(1, n)) ** 2 * n / 2 > MOST**2)
    if max(ends) < 2:
        yield (
            f"p = 1/2, tau = n/4, phi = 7/8, n/4 - 1 of n people in the upper half: never found there; "
            f"at n = {n:,} the rank is off by more than {MOST}/sqrt(m)"
        )


def turns(below: int, n: int, rate: Fraction, threshold: int, phi: Fraction) -> Fraction:
    """Return the probability that a step goes up, if `below` of its n people are below the split."""
    a_law, b_law = ([binomial(k, rate, v, v) for v in range(k + 1)] for k in (below, n - below))
    up = Fraction(0)
    for a, p in enumerate(a_law):
        shown = a if a >= threshold else 0
        if shown == 0:
            up += p * sum(b_law[threshold:], Fraction(0))
        else:  # a < phi (a + b)
            least = int(shown * (1 - phi) / phi) + 1
            up += p * sum(b_law[max(least, threshold) :], Fraction(0))
    return up


@check("quantile-search-accuracy-corrected")
def search_accuracy() -> Iterator[str]:
    """For tau/m < phi < 1 - tau/m, the cell found has rank phi but for c/sqrt(m), except with chance 2h e^(-c^2/4)."""
    n, h = 60, 3
    for phi, threshold, c in product((Fraction(1, 4), HALF, Fraction(4, 5)), (1, 5), (3, 4)):
        m = n * HALF
        for data in ([n // 8] * 8, [n // 2, *[0] * 6, n - n // 2], [n - 7, *[1] * 7], [0, 0, 0, n, 0, 0, 0, 0]):
            below = [sum(data[:t]) for t in range(9)]
            missed = Fraction(0)
            for cell in range(8):
                low, high = Fraction(below[cell], n), Fraction(below[cell + 1], n)
                off = max(low - phi, phi - high, Fraction(0))
                if off * off * m > c * c:
                    missed += ending(cell, h, [turns(k, n, HALF, threshold, phi) for k in below])
            if missed > 2 * h * exp_minus(Fraction(c * c, 4))[0]:
                yield f"phi = {phi}, tau = {threshold}, c = {c}, {data}"


def ending(cell: int, halvings: int, up: Sequence[Fraction]) -> Fraction:
    """Return the probability that a search ends in a cell, from those with which it goes up at each split."""
    chance, start, width = Fraction(1), 0, 1 << halvings
    while width > 1:
        width //= 2
        split = start + width
        chance *= up[split] if cell >= split else 1 - up[split]
        start = split if cell >= split else start
    return chance


@check("quantile-search-interval")
def halvings_left() -> Iterator[str]:
    """After h halvings 2^-h is left, the last split is at one of its ends, and exact counts keep the quantile in it."""
    for h, phi in product((1, 2, 3), (Fraction(1, 4), HALF, Fraction(2, 3))):
        for people in people_up_to(3, 2**h):
            if not people:
                continue
            steps: Steps = ()
            for _ in range(h):
                split = next_split(steps, phi=phi, halvings=h)
                below = sum(x < split for x in people)
                sides = ((0, below), (1, len(people) - below))
                steps = (*steps, (split, tuple(side for side in sides if side[1])))
            cell = found(steps, phi=phi)
            before, until = sum(x < cell for x in people), sum(x <= cell for x in people)
            if not before <= phi * len(people) <= until or not cell <= steps[-1][0] <= cell + 1:
                yield f"h = {h}, phi = {phi}, {people}: cell {cell}"


@check("hierarchical-pruning")
def pruning_loss() -> Iterator[str]:
    """Each cell hidden loses at most tau - 1 of the sample; a prefix of L digits less than L (beta - 1) tau in all."""
    for branching, levels in ((2, 5), (3, 3), (4, 3)):
        for end in range(branching**levels):
            if len(list(probes(end, branching=branching, levels=levels))) > levels * (branching - 1):
                yield f"beta = {branching}, L = {levels}, end {end}"
    threshold = 3
    for counts in product(range(threshold + 1), repeat=6):
        rows = tuple(tuple(enumerate(level)) for level in (counts[:2], counts[2:]))
        shown: Trie = tuple(tuple(one for one in level if one[1] >= threshold) for level in rows)
        for end in range(4):
            lost = prefix_weight(rows, end, branching=2) - prefix_weight(shown, end, branching=2)
            if not 0 <= lost <= 2 * (threshold - 1):
                yield f"counts {counts}, end {end}"


@check("hierarchical-quantile-printed")
def sampling_error() -> Iterator[str]:
    """Lemma 9 as printed has an error of order 1/n at fixed epsilon, tau and L: below that of sampling.

    With p = 1/2, L = 3, beta = 2, let n/2 + g people be at one value of the first cell and n/2 - g at one of the last,
    or the other way round. A median up to a rank of less than g/n is within 1/8 of the first value, or of the last:
    no f is near both. At each level two counts differ, by 2g people, and one more person changes a binomial law by
    p max_v Pr[Bin(a, p) = v] <= 1/(2 sqrt(3a/2 + 1)) in total variation, a = n/2 - g even: any rule confuses the two
    with a chance of at least 1/4 once 6 * 2g * that is at most 1/2.
    """
    central = all((3 * k + 1) * comb(2 * k, k) ** 2 <= 16**k for k in range(200))
    # ((2k+1)/(2k+2))^2 <= (3k+1)/(3k+4) for all k: the difference of the cross products is k
    induction = all((2 * k + 2) ** 2 * (3 * k + 1) - (2 * k + 1) ** 2 * (3 * k + 4) == k for k in range(4))
    levels, threshold = 3, 2
    g = MOST * (levels * threshold) ** 2 + 1
    a = 96 * g * g
    apart = isqrt(3 * a // 2 + 1)
    if central and induction and 6 * g <= Fraction(apart, 2):
        yield (
            f"epsilon = 1, p = 1/2, tau = {threshold}, L = {levels}, n = {2 * (a + g):,}: every rule misses a rank "
            f"within {MOST} (L tau)^2/(epsilon n) with probability >= 1/4 on one of two inputs"
        )


@check("hierarchical-range-corrected")
def range_accuracy() -> Iterator[str]:
    """A prefix's weight over m is off by at most L (beta - 1)(tau - 1)/m + c/sqrt(m), except with chance 1/c^2."""
    for rate, threshold, c in product((Fraction(1, 4), HALF), (1, 2), (Fraction(3, 2), Fraction(2))):
        law = trie_law(rate=rate, threshold=threshold, branching=2, levels=2, ancestors=False)
        for people in ([0, 1, 1, 2, 3], [0] * 5, [0, 0, 2, 2, 2], [3] * 4):
            m, lost = len(people) * rate, 2 * (threshold - 1)
            for end in range(5):
                meant = sum(x < end for x in people) * rate
                weights = [(prefix_weight(grown, end, branching=2), q) for grown, q in law(people).items()]
                off = sum(
                    (q for w, q in weights if max(Fraction(0), abs(w - meant) - lost) ** 2 > c * c * m), Fraction(0)
                )
                if off > 1 / c**2:
                    yield f"p = {rate}, tau = {threshold}, c = {c}, {people}, end {end}"


TENTHS = tuple(Fraction(tenth, 10) for tenth in range(1, 10))


@check("quantile-removed-bucket-printed")
def removed_bucket_printed() -> Iterator[str]:
    """A step of the search with phi = 1/2 well between tau/m and 1 - tau/m may keep both its buckets."""
    threshold, rate = 2, Fraction(1, 2)
    for people in (9, 12, 18):  # at n = 8 is tau/m = 1/2
        law = threshold_histogram_law(rate=rate, threshold=threshold, universe=2)([0] + [1] * (people - 1))
        if not any(dict(bins).get(0) for bins, _ in law.items()):
            yield (
                f"p = 1/2, tau = 2, phi = 1/2, n = {people}, one value below 1/2: "
                "its bucket is removed with probability 1"
            )


@check("quantile-removed-bucket-corrected")
def removed_bucket_corrected() -> Iterator[str]:
    """Where tau <= phi s and tau <= (1 - phi) s, s sampled, the step goes where it would with no bucket removed."""
    for phi, low, high, threshold in product(TENTHS, range(17), range(17), range(1, 7)):
        total = low + high
        if threshold > min(phi, 1 - phi) * total:
            continue
        whole = tuple((side, count) for side, count in ((0, low), (1, high)) if count)
        kept = tuple((side, count) for side, count in whole if count >= threshold)
        meant = next_split(((2, whole),), phi=phi, halvings=2)
        if next_split(((2, kept),), phi=phi, halvings=2) != meant or (meant == 3) != (low < phi * total):
            yield f"phi = {phi}, counts {low} and {high}, tau = {threshold}"
