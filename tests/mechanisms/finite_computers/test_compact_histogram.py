"""Compact histograms: program, closed form and the paper's procedure; Theorems 8.3 and 8.6, Lemma 8.4; refusals."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from dpcert import Coins, Dist, Epsilon, InputError, Refuted, Verified, seeded_coins
from dpcert.mechanisms.exact.coins import Recorded
from dpcert.mechanisms.finite_computers.compact_costs import Costs, costs, exact_ratio, settled
from dpcert.mechanisms.finite_computers.compact_histogram import (
    COMPACT_HISTOGRAM,
    compact_histogram,
    compact_histogram_law,
    counts_of,
    ingredients,
    label_counts,
    label_counts_law,
    parts_of,
    private_histogram,
)
from dpcert.mechanisms.finite_computers.count_response import count_response, count_response_law
from dpcert.mechanisms.finite_computers.empty_bin import (
    EmptyBin,
    NoisyZero,
    fastsample_zero,
    geosample_zero,
    response_zero,
)
from dpcert.mechanisms.finite_computers.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law
from dpcert.mechanisms.finite_computers.hash_family import BinaryFamily
from dpcert.mechanisms.mechanism import Instance
from dpcert.reading.paths.enumerator import enumerate_law

SMALL = [
    {"sampler": "response", "n": "1", "universe": "4", "weight": "2"},
    {"sampler": "response", "n": "1", "universe": "2", "weight": "1"},
    {"sampler": "response", "n": "2", "universe": "3", "weight": "1"},
    {"field": "prime", "sampler": "response", "n": "2", "universe": "2", "weight": "1"},
    {"field": "prime", "n": "1", "universe": "3"},
]
COUNTS = [
    {"view": "counts", "n": "1", "universe": "2"},
    {"view": "counts", "n": "2", "universe": "3"},
    {"view": "counts", "n": "3", "universe": "2", "epsilon": "1/10"},
    {"view": "counts", "n": "2", "universe": "2", "sampler": "fastsample", "gamma": "1/10"},
]


def built(settings: dict[str, str]) -> Instance:
    return COMPACT_HISTOGRAM.build(COMPACT_HISTOGRAM.settings(settings))


def greatest_ratio(instance: Instance) -> Fraction:
    """The greatest ratio over all inputs that differ in one label, from the closed form, by plain division."""
    assert instance.closed_form is not None
    laws = [(people, dict(instance.closed_form(people).items())) for people in instance.inputs]
    found: Fraction = max(
        p[x] / q[x]
        for (a, p), (b, q) in product(laws, repeat=2)
        if sum(one != other for one, other in zip(a, b, strict=True)) == 1
        for x in p
    )
    return found


@pytest.mark.points(2)
@pytest.mark.parametrize("settings", [*SMALL, *COUNTS], ids=str)
def test_twin_program_and_closed_form(settings: dict[str, str]) -> None:
    instance = built(settings)
    assert instance.closed_form is not None
    for people in instance.inputs:
        law = enumerate_law(instance.program, people).law
        assert law == instance.closed_form(people)
        assert law.tail == 0


@pytest.mark.nightly
@pytest.mark.parametrize("epsilon", ["1", "1/2"])
def test_twin_program_and_closed_form_over_gf64(epsilon: str) -> None:
    """4,096 polynomials, and the same by the paper's interpolation through a uniform value on one more label."""
    family, sampler, empty = ingredients(
        COMPACT_HISTOGRAM.settings({"epsilon": epsilon, "bits": "6", "universe": "60"})
    )
    closed = compact_histogram_law(n=1, family=family, law=sampler.law, empty=empty)

    def paper(people: list[int], coins: Coins) -> tuple[int, ...]:
        numbers = empty.preimages(sampler.program(1, coins))
        value = numbers[int(coins.below(len(numbers)))] - 1
        return family.through([people[0], 17], [value, int(coins.below(64))], ())

    program = compact_histogram(n=1, family=family, sampler=sampler.program, empty=empty)
    assert enumerate_law(program, [5]).law == closed([5]) == enumerate_law(paper, [5], replay=False).law
    assert len(closed([5])) == 4096


def test_twin_counts_of_a_release_have_the_law_of_their_noisy_counts() -> None:
    """Wherever those who occur are among the n + 1 labels: on others, the rest of the polynomial shows."""
    for settings in SMALL:
        instance, (family, sampler, empty) = built(settings), ingredients(COMPACT_HISTOGRAM.settings(settings))
        small = min(family.universe, int(settings["n"]) + 1)
        read = partial(counts_of, labels=range(small), family=family, empty=empty)
        counts = label_counts_law(universe=small, law=sampler.law, empty=empty)
        program = label_counts(universe=small, sampler=sampler.program, empty=empty)
        assert instance.closed_form is not None
        for people in instance.inputs:
            seen = instance.closed_form(people).map(read).map(tuple)
            if max(people) < small:
                assert seen == counts(people) == enumerate_law(program, people).law
            elif sampler.epsilon != Epsilon.of(0):
                assert seen != counts(people)


@pytest.mark.nightly
@pytest.mark.parametrize("settings", [*SMALL, *COUNTS], ids=str)
def test_verified_at_the_claim_with_the_least_epsilon_of_two_bins(audit: Any, settings: dict[str, str]) -> None:
    report = audit(COMPACT_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    family, sampler, empty = ingredients(COMPACT_HISTOGRAM.settings(settings))
    found = exact_ratio(n=int(settings["n"]), universe=family.universe, law=sampler.law, zero=empty.law())
    assert greatest_ratio(built(settings)) == found
    assert report.epsilon_hi is not None
    assert isinstance(audit(COMPACT_HISTOGRAM, settings, epsilon=Epsilon.ln(found)).verdict, Verified)
    if found > 1:
        below = Epsilon.ln(found - Fraction(1, 10**60))
        assert isinstance(audit(COMPACT_HISTOGRAM, settings, epsilon=below).verdict, Refuted)


def test_the_polynomial_and_the_counts_have_one_least_epsilon_at_n_1_and_theorem_8_3_is_tight_there() -> None:
    polynomial, counts = built({}), built({"view": "counts"})
    assert greatest_ratio(polynomial) == greatest_ratio(counts) == Fraction(117, 50)
    assert polynomial.epsilon == counts.epsilon == Epsilon.ln(Fraction(117, 50))


def test_fewer_independent_labels_are_as_private_and_less_accurate() -> None:
    """Polynomials of degree n - 1: the proof of 8.3 i does not need n + 1 independent labels, but that of ii does.

    With n = 2 people and one coefficient fewer, the least ratio stays. A label that does not occur then has the
    count that the two others leave: not that of the empty-bin sampler.
    """
    family, empty = BinaryFamily(0, 3), EmptyBin(response_zero(n=2, weight=1), 4)
    sampler = count_response(n=2, weight=2)

    def program(people: list[int], coins: Coins) -> tuple[int, ...]:
        counts = sorted(Counter(people).items())
        numbers = [empty.preimages(sampler(count, coins)) for _, count in counts]
        values = [some[int(coins.below(len(some)))] - 1 for some in numbers]
        rest = [int(coins.below(4)) for _ in range(2 - len(counts))]
        return family.through([label for label, _ in counts], values, rest)

    laws = {people: enumerate_law(program, list(people)).law for people in product(range(3), repeat=2)}
    meant = exact_ratio(n=2, universe=3, law=count_response_law(n=2, weight=2), zero=empty.law())
    found = max(
        p.prob(x) / q.prob(x)
        for (a, p), (b, q) in product(laws.items(), repeat=2)
        if sum(one != other for one, other in zip(a, b, strict=True)) == 1
        for x in p.outcomes()
    )
    assert found <= meant == 4
    third = laws[0, 1].map(lambda row: counts_of(row, [2], family=family, empty=empty)[0][1])
    assert third != empty.law()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_twin_the_noisy_zeros_are_the_samplers_at_0(n: int) -> None:
    gamma, half = Fraction(1, 10), Fraction(1, 2)
    for zero, program, law in (
        (geosample_zero(n=n, k=2), geosample(n=n, k=2), geosample_law(n=n, k=2)),
        (
            fastsample_zero(n=n, epsilon=half, gamma=gamma),
            fastsample(n=n, epsilon=half, gamma=gamma),
            fastsample_law(n=n, epsilon=half, gamma=gamma),
        ),
        (response_zero(n=n, weight=3), count_response(n=n, weight=3), count_response_law(n=n, weight=3)),
    ):
        assert zero.law() == law(0) == enumerate_law(program, 0).law
        draw = Random(n)
        for u in (1, zero.d, *(draw.randint(1, zero.d) for _ in range(50))):
            assert zero.count(u) == program(0, Coins(Recorded([(zero.d, u - 1)])))


def test_twin_the_zero_of_fastsample_where_its_noise_is_cut_off() -> None:
    zero = fastsample_zero(n=41, epsilon=Fraction(1), gamma=Fraction(1, 2))
    assert zero.law() == fastsample_law(n=41, epsilon=Fraction(1), gamma=Fraction(1, 2))(0)


@pytest.mark.parametrize("weight", [1, 2, 7])
@pytest.mark.parametrize("n", [1, 4])
def test_twin_the_count_by_response_and_its_order(n: int, weight: int) -> None:
    program, law = count_response(n=n, weight=weight), count_response_law(n=n, weight=weight)
    for count in range(n + 1):
        assert enumerate_law(program, count).law == law(count)
        counts = [program(count, Coins(Recorded([(n + weight, u)]))) for u in range(n + weight)]
        assert counts == sorted(counts)
        assert Dist.uniform(counts) == law(count)


def test_the_costs_are_least() -> None:
    law, empty = count_response_law(n=2, weight=3), EmptyBin(response_zero(n=2, weight=1), 4)
    found = costs(n=2, law=law, zero=empty.law())
    assert found == Costs(Fraction(3), Fraction(5, 4), Fraction(6, 5))
    with pytest.raises(InputError, match="different outcomes"):
        costs(n=2, law=law, zero=Dist.uniform(2))


@pytest.mark.parametrize(
    ("settings", "least"),
    [
        ({}, Fraction(117, 50)),
        ({"n": "2", "universe": "3"}, Fraction(5, 2)),
        ({"n": "3", "universe": "10"}, Fraction(23, 6)),
        ({"n": "5", "universe": "10", "epsilon": "1/2"}, None),
        ({"n": "2", "sampler": "fastsample"}, None),
    ],
    ids=str,
)
def test_theorem_8_3_has_no_slack_and_lemma_8_4_has(settings: dict[str, str], least: Fraction | None) -> None:
    whole = COMPACT_HISTOGRAM.settings(settings)
    family, sampler, empty = ingredients(whole)
    n, zero = int(whole["n"]), empty.law()
    found = costs(n=n, law=sampler.law, zero=zero)
    exact = exact_ratio(n=n, universe=family.universe, law=sampler.law, zero=zero)
    slack = Fraction(1, 10**19) if whole["sampler"] == "fastsample" else 0
    assert exact <= found.total <= exact * (1 + slack)
    assert exact == (least or exact)
    share = Epsilon.of(3 * Fraction(empty.zero.d, empty.d0)).exp_bounds(400)[0]
    assert 1 < found.below * found.above < share


def test_theorem_8_6_at_its_parameters_leaves_more_than_half_of_epsilon() -> None:
    """epsilon = 1: FastSample has 1/2, of which the noise takes 2 ln(5/4). At n = 10,000 and |X| = 2^64 a number has
    4,374 bits in the paper's field, and 1,958 in base 2^89 - 1.
    """
    family, _ = parts_of(n=10_000, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10))
    assert (family.small.order, family.bits) == (2**89 - 1, 1958)
    chosen = settled(n=10_000, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10))
    assert (chosen.epsilon, chosen.exponent, chosen.d.bit_length()) == (Fraction(1, 2), 7, 1880)
    chosen = settled(n=6, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10))
    law = fastsample_law(n=6, epsilon=chosen.epsilon, gamma=chosen.gamma)
    _, empty = parts_of(n=6, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10))
    found = exact_ratio(n=6, universe=2**64, law=law, zero=empty.law())
    assert Epsilon.of("0.44628").exp_bounds(64)[1] < found < Epsilon.of("0.44629").exp_bounds(64)[0]


def test_it_samples_a_universe_of_2_to_the_64_labels() -> None:
    """Twenty people, five of them with one label; each release gives counts near the true ones."""
    n, label = 20, 2**63 + 12345
    release = private_histogram(n=n, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10))
    family, empty = parts_of(n=n, universe=2**64, epsilon=Fraction(1), beta=Fraction(1, 10))
    people = [label] * 15 + [7 * i for i in range(5)]
    seen = Counter[str]()
    for seed in range(12):
        row = release(people, seeded_coins(seed))
        assert len(row) == n + 1
        assert all(type(number) is int and 0 <= number < family.size for number in row)
        ((_, count), (_, none)) = counts_of(row, [label, 2**64 - 1], family=family, empty=empty)
        seen["label"] += count
        seen["none"] += none
    assert seen["label"] > 12 * 10 > 12 * 6 > seen["none"]


@pytest.mark.parametrize(
    ("label", "given"), [(2, "the label 2"), (-1, "the label -1"), ("0", "the label '0'"), (1.0, "1.0")]
)
def test_refused_labels(label: Any, given: str) -> None:
    family, sampler, empty = ingredients(COMPACT_HISTOGRAM.settings({}))
    program = compact_histogram(n=1, family=family, sampler=sampler.program, empty=empty)
    with pytest.raises(InputError, match=given):
        program([label], seeded_coins(1))
    with pytest.raises(InputError, match=given):
        counts_of(program([1], seeded_coins(1)), [0, label], family=family, empty=empty)


@pytest.mark.parametrize("people", [[], [0, 1], [1, 1]])
def test_refused_lists_of_another_length(people: list[int]) -> None:
    family, sampler, empty = ingredients(COMPACT_HISTOGRAM.settings({}))
    program = compact_histogram(n=1, family=family, sampler=sampler.program, empty=empty)
    with pytest.raises(InputError, match=f"{len(people)} labels: a list of 1, one for each person"):
        program(people, seeded_coins(1))


@pytest.mark.parametrize(
    ("changed", "given"),
    [
        ({"epsilon": Fraction(2, 3)}, "epsilon=2/3"),
        ({"epsilon": Fraction(2)}, "epsilon=2"),
        ({"beta": Fraction(0)}, "beta=0"),
        ({"beta": Fraction(3, 10)}, "beta=3/10"),
        ({"n": 0}, "n=0"),
        ({"universe": 0}, "universe=0"),
    ],
)
def test_refused_parameters_of_theorem_8_6(changed: dict[str, Any], given: str) -> None:
    whole: dict[str, Any] = {"n": 3, "universe": 10, "epsilon": Fraction(1), "beta": Fraction(1, 10), **changed}
    with pytest.raises(InputError, match=given):
        private_histogram(**whole)


def test_refused_empty_bin_with_less_than_four_thirds_of_the_numbers() -> None:
    zero = NoisyZero(3, 4, lambda z: z + 1)
    assert EmptyBin(zero, 6).last(4) == 6
    with pytest.raises(InputError, match="at least 4/3 as many"):
        EmptyBin(zero, 5)
