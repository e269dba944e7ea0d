"""Keep-heavy, from all bins and from few: one law, that of every way in which the noise can fall; Theorem 6.2."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any

import pytest

from dpcert import ApproxDP, Coins, Dist, Epsilon, Refuted, Verified, seeded_coins
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.measure import greatest_ratio
from dpcert.audit.subject import Subject
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, KEEP_HEAVY_SPARSE, distinct, keep_heavy_sparse
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.reading.paths.enumerator import enumerate_law

from ..histograms import built

Bins = tuple[tuple[int, int], ...]

FAST = {"sampler": "fastsample", "gamma": "1/3"}
SPARSE = [
    {"n": "1", "universe": "3", "epsilon": "1/2"},
    {"n": "1", "universe": "4", "epsilon": "1", **FAST},
    {"n": "2", "universe": "5", "epsilon": "1"},
]
"""Where 2n + 1 labels are there."""
FEW = [
    {"n": "1", "universe": "2", "epsilon": "1/3"},
    {"n": "2", "universe": "3", "epsilon": "1/2"},
    {"n": "2", "universe": "3", "epsilon": "1", **FAST},
    {"n": "1", "universe": "6", "epsilon": "1/10"},
]
"""Where only n + 1 are, for `keep-heavy` alone."""

SMALL = [
    *((KEEP_HEAVY, settings) for settings in SPARSE[:2] + FEW),
    *((KEEP_HEAVY_SPARSE, settings) for settings in SPARSE[:2]),
]
LARGE = [(KEEP_HEAVY, SPARSE[2]), (KEEP_HEAVY_SPARSE, SPARSE[2])]
BOTH = [*SMALL, *(pytest.param(*case, marks=pytest.mark.nightly) for case in LARGE)]
by_case = pytest.mark.parametrize(
    ("mechanism", "settings"), BOTH, ids=lambda value: value.name if isinstance(value, Mechanism) else str(value)
)


def sampler_of(mechanism: Mechanism, settings: dict[str, str]) -> Sampler:
    return Sampler.of(mechanism.settings(settings))


def of_every_bin(people: Sequence[int], n: int, universe: int, noise: Callable[[int], Dist]) -> dict[Bins, Fraction]:
    """Every way in which the noisy counts of all labels can come out, and what is above the (n+1)-st of them."""
    law: dict[Bins, Fraction] = {}
    for row in product(*(list(noise(list(people).count(x)).items()) for x in range(universe))):
        floor = sorted((z for z, _ in row), reverse=True)[n]
        outcome = tuple((x, z) for x, (z, _) in enumerate(row) if z > floor)
        law[outcome] = law.get(outcome, Fraction(0)) + prod((p for _, p in row), start=Fraction(1))
    return law


@pytest.mark.points(1)
@by_case
def test_twin_the_program_the_closed_form_and_every_noise_of_every_bin(
    mechanism: Mechanism, settings: dict[str, str]
) -> None:
    """Algorithm 6.1 as printed, and Proposition 6.5: the law of Algorithm 6.4 is the same."""
    instance, noise = built(mechanism, settings), sampler_of(mechanism, settings).law
    assert instance.closed_form is not None
    n, universe = int(settings["n"]), int(settings["universe"])
    for people in instance.inputs:
        law = enumerate_law(instance.program, people).law
        assert law == instance.closed_form(people)
        if people == sorted(people):
            assert dict(law.items()) == of_every_bin(people, n, universe, noise)


def as_printed(n: int, universe: int, sampler: Sampler) -> Callable[[list[int], Coins], Any]:
    """Algorithm 6.4, step by step, with what it draws decided at once."""
    order_statistics = ordsample(cumulative=scaled_cumulative(sampler.law(0), n))

    def release(people: list[int], coins: Coins) -> Any:
        occur = sorted(set(people))
        m = universe - len(occur)
        bins = [(x, sampler.program(people.count(x), coins)) for x in occur]
        q = coins.sample([x for x in range(universe) if x not in occur], n + 1)
        bins += zip(q, order_statistics(m, coins), strict=True)
        bins.sort(key=lambda one: one[1], reverse=True)
        return tuple(sorted((x, z) for x, z in bins[:n] if z > bins[n][1]))

    return release


@pytest.mark.parametrize("settings", SPARSE[:2], ids=str)
def test_twin_algorithm_6_4_step_by_step(settings: dict[str, str]) -> None:
    instance, n = built(KEEP_HEAVY_SPARSE, settings), int(settings["n"])
    program = as_printed(n, int(settings["universe"]), sampler_of(KEEP_HEAVY_SPARSE, settings))
    for people in [value for value in instance.inputs if value in ([0] * n, [0, 1][:n], [2, 1][:n])]:
        assert enumerate_law(program, people).law == enumerate_law(instance.program, people).law


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("mechanism", "people"), [(KEEP_HEAVY, [3, 0, 3]), (KEEP_HEAVY_SPARSE, [5, 1, 2])], ids=["all", "few"]
)
def test_twin_three_people_over_seven_labels(mechanism: Mechanism, people: list[int]) -> None:
    instance = built(mechanism, {"n": "3", "universe": "7"})
    assert instance.closed_form is not None
    law = enumerate_law(instance.program, people).law
    assert law == instance.closed_form(people)
    assert len(law) == 1156


@pytest.mark.points(1)
@by_case
def test_theorem_6_2_holds_and_is_tight_for_geosample(
    audit: Any, mechanism: Mechanism, settings: dict[str, str]
) -> None:
    report = audit(mechanism, settings)
    assert isinstance(report.verdict, Verified)
    n, universe = int(settings["n"]), int(settings["universe"])
    assert report.pairs == universe**n * n * (universe - 1)
    if "sampler" in settings:
        assert report.claim.guarantee.epsilon == Epsilon.of(settings["epsilon"])
        return
    ratio = (1 + Fraction(1, 2 ** noise_exponent(Fraction(settings["epsilon"])))) ** 2
    assert report.claim.guarantee.epsilon == report.epsilon_lo == report.epsilon_hi == Epsilon.ln(ratio)
    below = audit(mechanism, settings, epsilon=Epsilon.ln(ratio - Fraction(1, 10**40)))
    assert isinstance(below.verdict, Refuted)


@pytest.mark.nightly
def test_all_datasets_and_substitutions_of_three_people_over_seven_labels() -> None:
    """All 6,174 ordered pairs of the 343 lists, of which those with equal counts have one law, from the closed form."""
    instance = built(KEEP_HEAVY, {"n": "3", "universe": "7"})
    assert instance.closed_form is not None
    pairs = {
        (tuple(sorted(people)), tuple(sorted([*people[:i], x, *people[i + 1 :]])))
        for people in instance.inputs
        for i, x in product(range(3), range(7))
        if x != people[i]
    }
    laws = {counts: instance.closed_form(counts) for counts, _ in pairs}
    assert (len(instance.inputs), len(laws)) == (343, 84)
    ratios = {greatest_ratio(laws[a], laws[b])[0] for a, b in pairs}
    assert None not in ratios
    assert max(ratio for ratio in ratios if ratio is not None) == instance.epsilon.ratio == Fraction(25, 16)


@pytest.mark.points(1)
@pytest.mark.parametrize("settings", [*FEW[:2], SPARSE[0]], ids=str)
def test_the_draws_of_keep_heavy_tell_nothing_more(settings: dict[str, str]) -> None:
    instance = built(KEEP_HEAVY, settings)
    subject = Subject(
        "observed", instance.program, instance.inputs, RELATIONS["substitute"], observes="outcome and draws"
    )
    assert isinstance(decide(subject, ApproxDP(instance.epsilon, 0), again=subject.digests).verdict, Verified)


def test_the_draws_of_keep_heavy_sparse_tell_how_many_labels_occur() -> None:
    instance = built(KEEP_HEAVY_SPARSE, {})
    inputs = ([0, 0], [0, 1])
    subject = Subject("observed", instance.program, inputs, RELATIONS["substitute"], observes="outcome and draws")
    verdict = decide(subject, ApproxDP("100", "1/2"), again=subject.digests).verdict
    assert isinstance(verdict, Refuted)
    assert verdict.q_hi == 0


def test_twin_a_sequence_of_distinct_numbers_is_uniform() -> None:
    for amount, size, length in ((0, 0, 0), (2, 2, 2), (3, 4, 3), (3, 5, 1), (4, 4, 2)):

        def beginning(_: int, coins: Coins, amount: int = amount, size: int = size, length: int = length) -> Any:
            return tuple(distinct(amount, size, coins)(length))

        assert enumerate_law(beginning, 0).law == Dist.uniform(permutations(range(size), length))


@pytest.mark.parametrize("mechanism", [KEEP_HEAVY, KEEP_HEAVY_SPARSE], ids=lambda mechanism: mechanism.name)
def test_a_sampled_release_is_a_sparse_histogram_in_order(mechanism: Mechanism) -> None:
    program = built(mechanism, {"n": "3", "universe": "7"}).program
    for seed in range(50):
        release = program([4, 4, 2], seeded_coins(seed))
        assert len(release) <= 3
        assert list(release) == sorted(release)
        assert all(0 <= label < 7 and 1 <= count <= 3 for label, count in release)


def test_footnote_5_with_fewer_than_2n_plus_1_labels_there_are_too_few_empty_ones() -> None:
    assert len(built(KEEP_HEAVY, {"n": "2", "universe": "4"}).inputs) == 16
    sampler = sampler_of(KEEP_HEAVY, {"n": "2"})
    program = keep_heavy_sparse(
        n=2,
        universe=4,
        sampler=sampler.program,
        order_statistics=ordsample(cumulative=scaled_cumulative(sampler.law(0), 2)),
    )
    of_one_label = of_every_bin([3, 3], 2, 4, sampler.law)
    assert dict(enumerate_law(program, [3, 3]).law.items()) == of_one_label  # three labels are left
    with pytest.raises(ValueError, match=r"below\(0\)|m=2 counts"):
        program([3, 0], seeded_coins(1))
