"""The trie, heavy hitters in one round, quantiles and ranges: twins by hand, composition, error laws, refusals."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from dpcert import Dist, Epsilon, InputError, Refuted, Verified, seeded_coins
from dpcert.audit.accounting import optimal
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.profile import profile
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.sample_and_threshold import hierarchical
from dpcert.mechanisms.sample_and_threshold.heavy_hitters import HEAVY_HITTERS
from dpcert.mechanisms.sample_and_threshold.quantile_search import (
    QUANTILE_SEARCH,
    found,
    next_split,
    quantile_search,
    quantile_search_law,
)
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law
from dpcert.mechanisms.sample_and_threshold.trie import TRIE, composed_claim, prefix, pruned, trie, trie_law
from dpcert.reading.paths.enumerator import enumerate_law

Law = dict[Any, Fraction]
HALF = Fraction(1, 2)


def digits(label: int, branching: int, levels: int) -> str:
    text = ""
    for _ in range(levels):
        text = str(label % branching) + text
        label //= branching
    return text


def by_subsets(
    people: Sequence[int], rate: Fraction, threshold: int, branching: int, levels: int, *, ancestors: bool
) -> Law:
    """Sum over who is sampled at each level; a prefix is counted as a text, and hidden with every shorter one."""
    words = [digits(x, branching, levels) for x in people]
    law: Law = {}
    choices = list(product((False, True), repeat=len(people)))
    for rows in product(choices, repeat=levels):
        p, trie_shown, shown = Fraction(1), [], {""}
        for level, taken in enumerate(rows, 1):
            heads = [word[:level] for word, is_taken in zip(words, taken, strict=True) if is_taken]
            p *= rate ** sum(taken) * (1 - rate) ** (len(people) - sum(taken))
            kept = [
                (head, heads.count(head))
                for head in sorted(set(heads))
                if heads.count(head) >= threshold and (head[:-1] in shown or not ancestors)
            ]
            shown = {head for head, _ in kept}
            trie_shown.append(tuple((int(head, branching), count) for head, count in kept))
        law[tuple(trie_shown)] = law.get(tuple(trie_shown), Fraction(0)) + p
    return law


@pytest.mark.points(6)
@pytest.mark.parametrize(
    ("branching", "levels", "threshold", "people"),
    [
        (2, 2, 1, [0, 1, 3]),
        (2, 2, 2, [2, 3, 3]),
        (3, 2, 1, [4, 8]),
        (2, 3, 1, [5, 4]),
        (2, 1, 2, [0, 0, 0, 1]),
        (10, 2, 1, [99, 90]),
        (2, 2, 2, []),
    ],
)
@pytest.mark.parametrize("ancestors", [True, False])
def test_twin_by_all_subsets(branching: int, levels: int, threshold: int, people: list[int], ancestors: bool) -> None:
    rate = Fraction(1, 3)
    program = trie(rate=rate, threshold=threshold, branching=branching, levels=levels, ancestors=ancestors)
    closed_form = trie_law(rate=rate, threshold=threshold, branching=branching, levels=levels, ancestors=ancestors)
    law = enumerate_law(program, people).law
    assert law.tail == 0
    assert law == closed_form(people)
    assert law == Dist.of(by_subsets(people, rate, threshold, branching, levels, ancestors=ancestors))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("mechanism", "settings"),
    [
        (TRIE, {"n": "2"}),
        (TRIE, {"n": "2", "threshold": "1", "rate": "1/4", "ancestors": "no"}),
        (TRIE, {"n": "1", "levels": "3", "branching": "3"}),
        (hierarchical.HIERARCHICAL_HISTOGRAM, {"n": "2", "rate": "1/2"}),
        (HEAVY_HITTERS, {"n": "2"}),
        (HEAVY_HITTERS, {"n": "3", "levels": "1", "branching": "3", "counts": "no"}),
        (QUANTILE_SEARCH, {"n": "2"}),
        (QUANTILE_SEARCH, {"n": "2", "phi": "9/10", "threshold": "1", "rate": "1/2"}),
    ],
)
def test_twin_program_and_closed_form_and_the_claim_is_verified(
    audit: Any, mechanism: Mechanism, settings: dict[str, str]
) -> None:
    instance = mechanism.build(mechanism.settings(settings))
    assert instance.closed_form is not None
    for people in instance.inputs:
        assert enumerate_law(instance.program, people).law == instance.closed_form(people)
    report = audit(mechanism, settings)
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0


@pytest.mark.points(1)
@pytest.mark.parametrize("mechanism", [TRIE, HEAVY_HITTERS, QUANTILE_SEARCH, hierarchical.HIERARCHICAL_HISTOGRAM])
def test_caught_a_delta_that_is_too_small(audit: Any, mechanism: Mechanism) -> None:
    """Two people with one label are shown with probability p^2 = 1/100, one of them never is."""
    assert isinstance(audit(mechanism, {"n": "2"}, delta="99/10000").verdict, Refuted)


def test_the_sampler_draws_what_the_law_says() -> None:
    law = trie_law(rate=HALF, threshold=2, branching=2, levels=2, ancestors=True)([0, 0, 1, 3])
    program = trie(rate=HALF, threshold=2, branching=2, levels=2, ancestors=True)
    coins = seeded_coins(7)
    seen = [program([0, 0, 1, 3], coins) for _ in range(300)]
    assert set(seen) <= set(law.outcomes())
    # alpha = 4 e^-12: 300 draws miss a mean by 60 with probability 2 e^(-2 60^2 / 300) at most
    assert abs(seen.count(((), ())) - 300 * law.prob(((), ()))) < 60


def test_exact_composition_of_levels() -> None:
    """Without ancestors the joint law of people who share a label is the power of one bin's, exactly."""
    rate, threshold, ratio = Fraction(1, 10), 2, Fraction(20, 9)
    for levels, count in product((1, 2, 3), (1, 2, 3)):
        law = trie_law(rate=rate, threshold=threshold, branching=2, levels=levels, ancestors=False)
        one_bin = sample_threshold_law(rate=rate, threshold=threshold)
        more, fewer = law([1] * count), law([1] * (count - 1))
        for p, q, a, b in ((more, fewer, count, count - 1), (fewer, more, count - 1, count)):
            power = profile(one_bin(a), one_bin(b)).power(levels)
            for at in (Fraction(1), ratio, ratio**levels):
                assert hockey_stick(p, q, at) == power.delta(at)


def test_the_worst_counts_of_two_levels() -> None:
    """One person more is one of k_1 at the first level, and of k_2 <= k_1 at the second: k_1 = k_2 = tau is worst."""
    rate, threshold, ratio = Fraction(1, 10), 2, Fraction(20, 9)
    one_bin = sample_threshold_law(rate=rate, threshold=threshold)
    pairs = [profile(one_bin(k + 1), one_bin(k)) for k in range(9)]
    needed = {
        (first + 1, second + 1): pairs[first].compose(pairs[second]).delta(ratio**2)
        for first in range(9)
        for second in range(first + 1)
    }
    worst = max(needed, key=lambda counts: needed[counts])
    assert worst == (2, 2)
    assert needed[worst] == 1 - (1 - rate**2) ** 2 == Fraction(199, 10000)
    assert needed[worst] < 2 * max(pair.delta(ratio) for pair in pairs)


def test_optimal_composition_knows_less_than_the_joint_law() -> None:
    epsilon, delta = Epsilon.ln("20/9"), Fraction(1, 100)
    best = optimal([(epsilon, delta, 2)]).ratio_at(2 * delta).lo
    pair = profile(*(sample_threshold_law(rate=Fraction(1, 10), threshold=2)(k) for k in (3, 2))).power(2)
    least = pair.least_ratio(2 * delta)
    assert least < best


def test_the_claim_is_the_sum_and_at_most_one() -> None:
    epsilon, delta = composed_claim(rate=Fraction(1, 10), threshold=2, rounds=3)
    once, least = composed_claim(rate=Fraction(1, 10), threshold=2, rounds=1)
    assert (epsilon, delta) == (once + once + once, 3 * least)
    assert composed_claim(rate=HALF, threshold=1, rounds=9)[1] == 1


def test_ancestors_matter_to_delta() -> None:
    """A hidden node hides its children: pruned, two people need p^2 and not 1 - (1 - p^2)^2."""
    ratio, found_deltas = Fraction(20, 9) ** 2, []
    for ancestors in (True, False):
        law = trie_law(rate=Fraction(1, 10), threshold=2, branching=2, levels=2, ancestors=ancestors)
        found_deltas.append(hockey_stick(law([0, 0]), law([0]), ratio))
    assert found_deltas == [Fraction(1, 100), Fraction(199, 10000)]


@pytest.mark.parametrize(
    ("grown", "kept"),
    [
        ((((0, 2),), ((0, 2), (2, 3))), (((0, 2),), ((0, 2),))),
        (((), ((0, 2),), ((1, 4),)), ((), (), ())),
        ((((1, 2),), ((2, 2),), ((4, 5), (6, 2))), (((1, 2),), ((2, 2),), ((4, 5),))),
        ((), ()),
    ],
)
def test_pruned_by_hand(grown: Any, kept: Any) -> None:
    assert pruned(grown, branching=2) == kept


@pytest.mark.parametrize(
    ("label", "level", "expected"), [(7, 1, 1), (7, 2, 3), (7, 3, 7), (4, 1, 1), (4, 2, 2), (3, 1, 0)]
)
def test_prefixes_by_hand(label: int, level: int, expected: int) -> None:
    assert prefix(label, level, branching=2, levels=3) == expected


def test_exactly_the_delta_of_one_bin_in_one_round() -> None:
    ratio = Fraction(20, 9)
    bin_law = sample_threshold_law(rate=Fraction(1, 10), threshold=2)
    histogram = threshold_histogram_law(rate=Fraction(1, 10), threshold=2, universe=4)
    instance = HEAVY_HITTERS.build(HEAVY_HITTERS.settings({}))
    for count, rest in product((1, 2, 3), ([], [0, 0], [0, 1, 2])):
        more, fewer = ([3] * k + rest for k in (count, count - 1))
        assert instance.closed_form is not None
        assert instance.closed_form(more) == histogram(more)
        for a, b, i, j in ((more, fewer, count, count - 1), (fewer, more, count - 1, count)):
            assert hockey_stick(histogram(a), histogram(b), ratio) == hockey_stick(bin_law(i), bin_law(j), ratio)


def test_a_heavy_hitter_is_missed_with_its_binomial_tail() -> None:
    """Four of five people share an item: it is missed with probability Pr[Bin(4, 1/2) <= 1] = 5/16 in one round.

    In a trie of two levels it is missed where either level hides it, at the first one with all five below the node.
    """
    people = [2, 2, 2, 2, 3]
    once = HEAVY_HITTERS.build(HEAVY_HITTERS.settings({"rate": "1/2", "counts": "no"}))
    assert sum(p for items, p in enumerate_law(once.program, people).law.items() if 2 not in items) == Fraction(5, 16)
    law = enumerate_law(trie(rate=HALF, threshold=2, branching=2, levels=2, ancestors=True), people).law
    missed = sum(p for grown, p in law.items() if 2 not in dict(grown[1]))
    assert missed == 1 - Fraction(11, 16) * (1 - Fraction(6, 32))


def test_exact_error_law_of_the_search() -> None:
    """Seven people at 0, 1, ..., 6 of 8 cells: where the median search ends, against a walk by binomials."""
    people, phi = list(range(7)), HALF
    law = quantile_search_law(rate=HALF, threshold=2, phi=phi, halvings=3)(people)
    ends = law.map(lambda steps: found(steps, phi=phi))

    def up(split: int) -> Fraction:
        below = min(split, 7)
        shown = [
            (v if v >= 2 else 0, w if w >= 2 else 0, Fraction(comb(below, v) * comb(7 - below, w), 2**7))
            for v in range(below + 1)
            for w in range(8 - below)
        ]
        return sum((p for v, w, p in shown if 2 * v < v + w), Fraction(0))

    for cell in range(8):
        high, middle, low = cell // 4, cell // 2 % 2, cell % 2
        first, second, third = up(4), up(4 * high + 2), up(4 * high + 2 * middle + 1)
        chance = Fraction(1)
        for turn, p in ((high, first), (middle, second), (low, third)):
            chance *= p if turn else 1 - p
        assert ends.prob(cell) == chance
    assert (ends.prob(2), ends.prob(3)) == (Fraction(40749, 131072), Fraction(35955, 131072))


def test_the_search_follows_what_is_shown() -> None:
    left, right, nobody = ((0, 3),), ((1, 2),), ()
    assert next_split((), phi=HALF, halvings=3) == 4
    assert next_split(((4, right),), phi=HALF, halvings=3) == 6
    assert next_split(((4, right), (6, left)), phi=HALF, halvings=3) == 5
    assert found(((4, right), (6, left), (5, nobody)), phi=HALF) == 4
    assert found(((4, ((0, 2), (1, 2))),), phi=HALF) == 0
    assert found(((4, ((0, 2), (1, 2))),), phi=Fraction(3, 4)) == 1


@pytest.mark.nightly
def test_a_hidden_upper_half_is_never_found() -> None:
    phi, ends = Fraction(7, 8), []
    for threshold in (1, 2):
        law = enumerate_law(quantile_search(rate=HALF, threshold=threshold, phi=phi, halvings=2), [0] * 7 + [3]).law
        ends.append({found(steps, phi=phi) for steps in law.outcomes()})
    assert ends == [{0, 1, 2, 3}, {0}]


@pytest.mark.parametrize(("branching", "levels"), [(2, 1), (2, 4), (3, 3), (5, 2)])
def test_probes_are_a_partition_and_as_many_as_the_digits_say(branching: int, levels: int) -> None:
    whole = branching**levels
    for end in range(whole + 1):
        cells = list(hierarchical.probes(end, branching=branching, levels=levels))
        covered: list[int] = []
        for level, cell in cells:
            width = branching ** (levels - level)
            covered += range(cell * width, (cell + 1) * width)
        assert covered == list(range(end))
        if end < whole:
            assert len(cells) == sum(map(int, digits(end, branching, levels)))
    assert max(
        len(list(hierarchical.probes(end, branching=branching, levels=levels))) for end in range(whole)
    ) == levels * (branching - 1)


def test_answers_from_a_whole_hierarchy_are_exact() -> None:
    people = [0, 3, 3, 4, 8, 8, 8]
    grown = tuple(
        tuple(
            (x, [v // 3 ** (2 - level) for v in people].count(x))
            for x in sorted({v // 3 ** (2 - level) for v in people})
        )
        for level in (1, 2)
    )
    for end in range(10):
        assert hierarchical.prefix_weight(grown, end, branching=3) == sum(v < end for v in people)
        for start in range(end + 1):
            assert hierarchical.range_weight(grown, start, end, branching=3) == sum(start <= v < end for v in people)
    for phi in (Fraction(1, 7), HALF, Fraction(4, 7), Fraction(1)):
        end = hierarchical.quantile(grown, phi, branching=3)
        assert sum(v < end - 1 for v in people) < phi * 7 <= sum(v < end for v in people)


def test_a_range_may_weigh_less_than_nothing() -> None:
    assert hierarchical.range_weight((((0, 2),), ((0, 5),)), 1, 2, branching=2) == -3
    assert hierarchical.quantile(((), ()), HALF, branching=2) == 0


@pytest.mark.parametrize(("rate", "threshold"), [(Fraction(1, 4), 1), (HALF, 1), (HALF, 2)])
def test_exact_error_law_of_a_range(rate: Fraction, threshold: int) -> None:
    """[0, 3) of 4 cells is one cell of each level: its weight is a sum of two thresholded binomials."""
    people = [0, 1, 1, 2, 3]
    law = trie_law(rate=rate, threshold=threshold, branching=2, levels=2, ancestors=False)(people)
    weights = law.map(lambda grown: hierarchical.prefix_weight(grown, 3, branching=2))
    one_bin = sample_threshold_law(rate=rate, threshold=threshold)
    assert weights == one_bin(3).product(one_bin(1)).map(sum)
    lost = 4 * rate - weights.expectation()
    assert lost == sum(
        v * comb(k, v) * rate**v * (1 - rate) ** (k - v) for k in (3, 1) for v in range(min(threshold, k + 1))
    )
    if threshold == 1:
        variance = sum((w - 4 * rate) ** 2 * p for w, p in weights.items())
        assert variance == 4 * rate * (1 - rate)


def test_refused_ranges() -> None:
    grown = (((0, 2),), ((0, 5),))
    for start, end in ((0, 5), (-1, 2), (2, 1)):
        with pytest.raises(InputError) as caught:
            hierarchical.range_weight(grown, start, end, branching=2)
        assert "\n" not in str(caught.value)
