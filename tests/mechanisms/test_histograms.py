"""Mixing and the histograms against enumerated noise and people, Lemma 3.2, and Theorems 5.2, 5.5, 5.6 and 2."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod
from typing import Any

import mpmath
import pytest

from dpcert.audit.decide import Report, decide
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.kernel.examine import Refuted, Verified
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins, seeded_coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, basic_histogram
from dpcert.mechanisms.finite_computers.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.mixing import (
    MIXING,
    greatest_distance,
    mixed,
    mixed_law,
    rounded_geosample,
    rounded_geosample_law,
    rounding_distance,
)
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, lone_label, stability_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM, threshold_histogram

Law = dict[Any, Fraction]

FAST = {"sampler": "fastsample", "gamma": "1/3"}
BASIC = [
    {"n": "1", "universe": "2", "epsilon": "1"},
    {"n": "2", "universe": "2", "epsilon": "1/3"},
    {"n": "2", "universe": "3", "epsilon": "1/2"},
    {"n": "3", "universe": "2", "epsilon": "1/10"},
    {"n": "2", "universe": "2", "epsilon": "1/2", **FAST},
    {"n": "3", "universe": "2", "epsilon": "1", **FAST},
]
STABLE = [{**settings, "threshold": b} for settings in BASIC for b in ("0", "1", "2")]
THRESHOLDS = [
    {"rate": "1/10", "threshold": "1", "universe": "3", "n": "2"},
    {"rate": "1/3", "threshold": "2", "universe": "2", "n": "3"},
    {"rate": "3/4", "threshold": "2", "universe": "1", "n": "5"},
    {"rate": "1/2", "threshold": "3", "universe": "2", "n": "4"},
]


def clamped_noise(count: int, n: int, m: int, g: int | None) -> Law:
    """A count with two-sided geometric noise for epsilon = 1/m, clamped; mixed with a uniform one at weight 1/g.

    FastSample's cut-off is beyond n here, so that the noise beyond it, moved to 0, is what remains.
    """
    k = noise_exponent(Fraction(1, m))
    r = 1 + Fraction(1, 2**k)
    t = 10**9 if g is None else -(-9 * m * (8 * (n + 1) * m * (g - 1) - 1).bit_length() // 2) - 1
    assert t > n
    lost = Fraction(0) if g is None else r**-t / (r + 1)
    law = {z: (r - 1) / (r + 1) * r ** -abs(z - count) for z in range(n + 1)}
    law[0] += r**-count / (r + 1) - lost
    law[n] += r ** (count - n) / (r + 1) - lost
    law[count] += 2 * lost
    weight = Fraction(0) if g is None else Fraction(1, g)
    return {z: (1 - weight) * p + weight / (n + 1) for z, p in law.items()}


def noise_of(settings: dict[str, str]) -> Callable[[int], Law]:
    n, m = int(settings["n"]), Fraction(settings["epsilon"]).denominator
    g = Fraction(settings["gamma"]).denominator if "gamma" in settings else None
    return lambda count: clamped_noise(count, n, m, g)


def histogram(people: Sequence[int], labels: Sequence[int], noise: Callable[[int], Law], kept: Any) -> Law:
    """Sum over every combination of noisy counts; those that are not kept are left out."""
    law: Law = {}
    for row in product(*(noise(sum(x == y for y in people)).items() for x in labels)):
        outcome = tuple((x, z) for x, (z, _) in zip(labels, row, strict=True) if kept(z))
        law[outcome] = law.get(outcome, Fraction(0)) + prod((p for _, p in row), start=Fraction(1))
    return law


def by_subsets(people: Sequence[int], rate: Fraction, threshold: int) -> Law:
    """Sum over every subset of the people that may be sampled."""
    law: Law = {}
    for taken in product((False, True), repeat=len(people)):
        sampled = [x for x, is_taken in zip(people, taken, strict=True) if is_taken]
        outcome = tuple((x, sampled.count(x)) for x in sorted(set(sampled)) if sampled.count(x) >= threshold)
        p = prod((rate if is_taken else 1 - rate for is_taken in taken), start=Fraction(1))
        law[outcome] = law.get(outcome, Fraction(0)) + p
    return law


def held(instance: Instance, brute: Callable[[Any], Law]) -> None:
    """Hold program, closed form and brute force equal on every input."""
    assert instance.closed_form is not None
    for value in instance.inputs:
        law = enumerate_law(instance.program, value).law
        assert law == instance.closed_form(value)
        assert dict(law.items()) == {outcome: p for outcome, p in brute(value).items() if p}
        assert law.tail == 0


def observed(instance: Instance, *, delta: object = None) -> Report:
    """Audit an instance at its claim, its draws observed."""
    relation = RELATIONS[instance.neighbours]
    subject = Subject("observed", instance.program, instance.inputs, relation, observes="outcome and draws")
    guarantee = ApproxDP(instance.epsilon, instance.delta if delta is None else delta)
    return decide(subject, guarantee, again=subject.digests)


def built(mechanism: Mechanism, settings: dict[str, str]) -> Instance:
    return mechanism.build(mechanism.settings(settings))


# Mixing


def rounded_by_hand(count: int, n: int, k: int, bits: int) -> Law:
    sums, law = [Fraction(0)], {}
    for p in clamped_noise(count, n, 2 ** (k - 1), None).values():
        sums.append(sums[-1] + p)
    floors = [(s * 2**bits).__floor__() for s in sums]
    for z, (a, b) in enumerate(pairwise(floors)):
        law[z] = Fraction(b - a, 2**bits)
    return law


@pytest.mark.parametrize(("n", "k", "bits"), [(1, 1, 1), (1, 2, 9), (3, 1, 4), (5, 2, 6), (6, 3, 40)])
def test_twin_geosample_rounded_down(n: int, k: int, bits: int) -> None:
    program, closed_form = rounded_geosample(n=n, k=k, bits=bits), rounded_geosample_law(n=n, k=k, bits=bits)
    worst = Fraction(0)
    for count in range(n + 1):
        law, exactly = rounded_by_hand(count, n, k, bits), clamped_noise(count, n, 2 ** (k - 1), None)
        assert enumerate_law(program, count).law == closed_form(count) == Dist.of(law)
        worst = max(worst, sum((max(law[z] - exactly[z], Fraction(0)) for z in law), Fraction(0)))
    assert rounding_distance(n=n, k=k, bits=bits) == worst <= Fraction(n, 2**bits)


@pytest.mark.parametrize("gamma", [Fraction(1, 2), Fraction(1, 3), Fraction(1, 100)])
def test_twin_mixing_of_any_two_programs(gamma: Fraction) -> None:
    def loaded(side: str, coins: Coins) -> str:
        return side if coins.below(7) < 5 else "edge"

    def other(coins: Coins) -> str:
        return ("heads", "tails", "edge")[coins.below(4) % 3]

    law = enumerate_law(mixed(loaded, other, gamma), "heads").law
    expected = {
        "heads": (1 - gamma) * Fraction(5, 7) + gamma / 2,
        "tails": gamma / 4,
        "edge": (1 - gamma) * Fraction(2, 7) + gamma / 4,
    }
    assert dict(law.items()) == expected
    apart = Dist.of({"heads": "1/2", "tails": "1/4", "edge": "1/4"})
    assert law == mixed_law(lambda side: Dist.of({side: "5/7", "edge": "2/7"}), apart, gamma)("heads")


@pytest.mark.parametrize(
    "settings",
    [
        {"n": "1", "epsilon": "1", "bits": "3", "gamma": "1/2"},
        {"n": "3", "epsilon": "1/2", "bits": "9", "gamma": "1/10"},
        pytest.param({"n": "12", "epsilon": "1", "bits": "8", "gamma": "1/2"}, marks=pytest.mark.nightly),
    ],
)
def test_twin_the_shipped_mixing(audit: Callable[..., Report], settings: dict[str, str]) -> None:
    n, bits = int(settings["n"]), int(settings["bits"])
    k, gamma = noise_exponent(Fraction(settings["epsilon"])), Fraction(settings["gamma"])

    def brute(count: int) -> Law:
        few = rounded_by_hand(count, n, k, bits)
        return {z: (1 - gamma) * p + gamma / (n + 1) for z, p in few.items()}

    instance = built(MIXING, settings)
    held(instance, brute)
    assert instance.epsilon == Epsilon.ln(1 + Fraction(1, 2**k))
    assert isinstance(audit(MIXING, settings).verdict, Verified)
    assert isinstance(observed(instance).verdict, Verified)


def lemma_3_2(distance: Fraction, *, ratio: Fraction, gamma: Fraction) -> tuple[bool, bool]:
    """Whether (3.1) holds, and whether mixing makes two laws private, for randomized response a distance off.

    A coin of bias r/(r+1) for one input and 1/(r+1) for the other is moved by the distance, further apart.
    """
    keep = ratio / (ratio + 1) + distance
    laws = [Dist.of({0: p, 1: 1 - p}) for p in (keep, 1 - keep)]
    one, other = (mixed_law(lambda law: law, Dist.uniform(2), gamma)(law) for law in laws)
    private = max(hockey_stick(one, other, ratio), hockey_stick(other, one, ratio)) == 0
    return distance <= greatest_distance(ratio=ratio, gamma=gamma, least=Fraction(1, 2)), private


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2), Fraction(7)])
@pytest.mark.parametrize("gamma", [Fraction(1, 50), Fraction(1, 5)])
def test_lemma_3_2_is_tight(ratio: Fraction, gamma: Fraction) -> None:
    """On two outcomes its bound on the distance is met with equality, and nothing above it will do."""
    bound = greatest_distance(ratio=ratio, gamma=gamma, least=Fraction(1, 2))
    assert lemma_3_2(bound, ratio=ratio, gamma=gamma) == (True, True)
    assert lemma_3_2(bound / 2, ratio=ratio, gamma=gamma) == (True, True)
    assert lemma_3_2(bound + Fraction(1, 10**40), ratio=ratio, gamma=gamma) == (False, False)


@pytest.mark.parametrize(("n", "epsilon"), [(1, 1), (3, 1), (2, 2), (5, 2), (4, 3)])
def test_lemma_3_2_on_rounded_geosample(n: int, epsilon: int) -> None:
    """Wherever its condition holds the mixture is private, and with few enough bits it is not."""
    k = noise_exponent(Fraction(1, epsilon))
    ratio, least = 1 + Fraction(1, 2**k), Fraction(1, n + 1)
    refuted = 0
    for bits, g in product(range(1, 12), (2, 5, 50)):
        gamma = Fraction(1, g)
        law = mixed_law(rounded_geosample_law(n=n, k=k, bits=bits), Dist.uniform(n + 1), gamma)
        laws = [law(count) for count in range(n + 1)]
        private = all(hockey_stick(p, q, ratio) == 0 for a, b in pairwise(laws) for p, q in ((a, b), (b, a)))
        distance = rounding_distance(n=n, k=k, bits=bits)
        assert private or distance > greatest_distance(ratio=ratio, gamma=gamma, least=least)
        refuted += not private
    assert refuted


def test_refused_mixing_says_what_would_do(refused: Callable[..., None]) -> None:
    settings = {"n": "8", "epsilon": "1/2", "bits": "12"}
    refused(MIXING, {**settings, "gamma": "1/100"}, "gamma=1/100", "Lemma 3.2", "set gamma=1/32, or raise bits")
    assert built(MIXING, {**settings, "gamma": "1/32"}).delta == 0
    refused(MIXING, {**settings, "gamma": "1/33"}, "set gamma=1/32")
    refused(MIXING, {"bits": "3"}, "raise bits")


# Basic histogram


@pytest.mark.parametrize("settings", BASIC, ids=str)
def test_twin_the_basic_histogram_by_all_noisy_counts(settings: dict[str, str]) -> None:
    labels, noise = range(int(settings["universe"])), noise_of(settings)
    held(built(BASIC_HISTOGRAM, settings), lambda people: histogram(people, labels, noise, lambda z: True))


@pytest.mark.parametrize("settings", BASIC, ids=str)
def test_the_basic_histogram_is_verified_and_its_draws_tell_nothing_more(
    audit: Callable[..., Report], settings: dict[str, str]
) -> None:
    report = audit(BASIC_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    n, universe = int(settings["n"]), int(settings["universe"])
    assert report.pairs == universe**n * n * (universe - 1)
    assert isinstance(observed(built(BASIC_HISTOGRAM, settings)).verdict, Verified)


@pytest.mark.parametrize("settings", BASIC[:4], ids=str)
def test_theorem_5_2_is_tight_for_geosample_and_refuted_just_below(
    audit: Callable[..., Report], settings: dict[str, str]
) -> None:
    ratio = 1 + Fraction(1, 2 ** noise_exponent(Fraction(settings["epsilon"])))
    report = audit(BASIC_HISTOGRAM, settings)
    assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(ratio**2)
    below = audit(BASIC_HISTOGRAM, settings, epsilon=Epsilon.ln(ratio**2 - Fraction(1, 10**40)))
    assert isinstance(below.verdict, Refuted)


def test_the_claim_for_fastsample_is_epsilon_and_for_geosample_twice_ln_1_plus_2_to_the_minus_k() -> None:
    assert built(BASIC_HISTOGRAM, {"epsilon": "1/3"}).epsilon == Epsilon.ln(Fraction(9, 8) ** 2)
    assert built(BASIC_HISTOGRAM, {"epsilon": "1/3", **FAST}).epsilon == Epsilon.of("1/3")


# Stability-based histogram


@pytest.mark.parametrize("settings", STABLE, ids=str)
def test_twin_the_stability_histogram_by_all_noisy_counts(settings: dict[str, str]) -> None:
    b, noise = int(settings["threshold"]), noise_of(settings)
    held(
        built(STABILITY_HISTOGRAM, settings),
        lambda people: histogram(people, sorted(set(people)), noise, lambda z: z > b),
    )


@pytest.mark.parametrize("settings", STABLE, ids=str)
def test_theorem_5_5_holds_and_no_smaller_delta_does_at_any_epsilon(
    audit: Callable[..., Report], settings: dict[str, str]
) -> None:
    """delta = Pr[M(1) > b] is enough, and needed: a label that occurs once is there or not."""
    b = int(settings["threshold"])
    delta = sum((p for z, p in noise_of(settings)(1).items() if z > b), Fraction(0))
    assert built(STABILITY_HISTOGRAM, settings).delta == delta
    report = audit(STABILITY_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    assert report.delta_lo == report.delta_hi == delta
    if delta:
        below = audit(STABILITY_HISTOGRAM, settings, epsilon="100", delta=delta - Fraction(1, 10**40))
        assert isinstance(below.verdict, Refuted)


def test_the_epsilon_of_theorem_5_5_is_nearly_needed_at_its_delta(audit: Callable[..., Report]) -> None:
    """At epsilon = 1, e^epsilon = (3/2)^2 is claimed; from two bins of 10 people, 2.15 is needed at threshold 10."""
    law = geosample_law(n=20, k=1)
    program = stability_histogram(threshold=10, sampler=geosample(n=20, k=1))
    inputs = tuple([0] * (20 - moved) + [1] * moved for moved in (9, 10, 11))
    subject = Subject("two bins", program, inputs, RELATIONS["substitute"])
    delta = lone_label(threshold=10, law=law)
    assert delta == Fraction(2, 3) ** 9 * Fraction(2, 5)
    report = decide(subject, ApproxDP(Epsilon.ln(Fraction(9, 4)), delta), again=subject.digests)
    assert isinstance(report.verdict, Verified)
    assert report.epsilon_hi is not None
    assert Fraction("2.15") < report.epsilon_lo.ratio <= report.epsilon_hi.ratio < Fraction("2.16")


def test_the_draws_of_the_stability_histogram_tell_how_many_labels_occur() -> None:
    """Its claim is about the outcome: it draws once for each label that occurs."""
    report = observed(built(STABILITY_HISTOGRAM, {"n": "2", "universe": "2", "threshold": "2"}), delta="999/1000")
    assert isinstance(report.verdict, Refuted)
    assert report.verdict.p_lo == 1
    assert report.verdict.q_hi == 0


def theorem_5_6(m: int, inverse_delta: int, inverse_beta: int, n: int) -> tuple[Fraction, int]:
    """gamma and b of Theorem 5.6, for epsilon = 1/m: 1 + ceil(9/(2 epsilon) ln(2/delta))."""
    with mpmath.workdps(60):
        b = 1 + int(mpmath.ceil(mpmath.mpf(9 * m) / 2 * mpmath.log(2 * inverse_delta)))
    return min(Fraction(1, inverse_beta * 2 * n), Fraction(1, 2 * inverse_delta)), b


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize("inverse_delta", [2, 10, 10**4])
def test_theorem_5_6s_parameters_meet_the_condition_of_theorem_5_5(m: int, inverse_delta: int) -> None:
    """With fewer than 2/5 of the delta that they are allowed."""
    for inverse_beta in (2, 1000):
        for factor in (1, 2, 4):
            n = factor * theorem_5_6(m, inverse_delta, 1, 1)[1] + 1
            gamma, b = theorem_5_6(m, inverse_delta, inverse_beta, n)
            law = fastsample_law(n=n, epsilon=Fraction(1, m), gamma=gamma)
            assert 0 < lone_label(threshold=b, law=law) * inverse_delta < Fraction(2, 5)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize("inverse_delta", [2, 10, 10**4])
def test_figure_4s_threshold_for_geosample_is_about_twice_what_is_needed(m: int, inverse_delta: int) -> None:
    """b = 1 + ceil(9/(2 epsilon) ln(1/delta)) is enough; Pr[M(1) > b] = r^(1-b) / (r + 1)."""
    with mpmath.workdps(60):
        b = 1 + int(mpmath.ceil(mpmath.mpf(9 * m) / 2 * mpmath.log(inverse_delta)))
    r = 1 + Fraction(1, 2 ** noise_exponent(Fraction(1, m)))
    least = next(c for c in range(b + 1) if r ** (1 - c) / (r + 1) * inverse_delta <= 1)
    n = b + 1
    assert lone_label(threshold=b, law=geosample_law(n=n, k=noise_exponent(Fraction(1, m)))) == r ** (1 - b) / (r + 1)
    assert least < b


def test_theorem_5_6_by_audit_over_all_counts_of_two_labels() -> None:
    """Sorted lists of two labels have every pair of counts, and neighbours among them differ in one element."""
    gamma, b = theorem_5_6(1, 2, 2, 10)
    assert (gamma, b) == (Fraction(1, 40), 8)
    program = stability_histogram(threshold=b, sampler=fastsample(n=10, epsilon=Fraction(1), gamma=gamma))
    inputs = tuple([0] * (10 - moved) + [1] * moved for moved in range(11))
    subject = Subject("Theorem 5.6", program, inputs, RELATIONS["substitute"])
    report = decide(subject, ApproxDP("1", "1/2"), again=subject.digests)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 20
    assert Fraction("0.0273") < report.delta_lo == report.delta_hi < Fraction("0.0274")


# Sample-and-threshold over many bins


@pytest.mark.parametrize("settings", THRESHOLDS, ids=str)
def test_twin_the_sample_threshold_histogram_by_all_subsets(settings: dict[str, str]) -> None:
    rate, threshold = Fraction(settings["rate"]), int(settings["threshold"])
    held(built(THRESHOLD_HISTOGRAM, settings), lambda people: by_subsets(people, rate, threshold))


@pytest.mark.parametrize("settings", THRESHOLDS, ids=str)
def test_the_sample_threshold_histogram_needs_what_one_bin_needs(
    audit: Callable[..., Report], settings: dict[str, str]
) -> None:
    report = audit(THRESHOLD_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    rate, threshold, n = Fraction(settings["rate"]), int(settings["threshold"]), int(settings["n"])
    laws = [sample_threshold_law(rate=rate, threshold=threshold)(count) for count in range(n + 1)]
    needed = max(hockey_stick(p, q, 2 / (1 - rate)) for a, b in pairwise(laws) for p, q in ((a, b), (b, a)))
    assert report.delta_lo == report.delta_hi == needed
    below = audit(THRESHOLD_HISTOGRAM, settings, delta=needed - Fraction(1, 10**40))
    assert isinstance(below.verdict, Refuted)


def test_twin_a_larger_sample_threshold_histogram() -> None:
    """Twelve people of three labels: the states of the fold, and the product of binomials."""
    people, rate = [0] * 6 + [1] * 4 + [2] * 2, Fraction(1, 5)
    law = enumerate_law(threshold_histogram(rate=rate, threshold=3, universe=3), people).law
    for v, w in product(range(3, 7), range(3, 5)):
        p = comb(6, v) * rate**v * (1 - rate) ** (6 - v) * comb(4, w) * rate**w * (1 - rate) ** (4 - w)
        assert law.prob(((0, v), (1, w))) == p
    assert len(law) == 5 * 3


# All of them


@pytest.mark.parametrize(
    ("mechanism", "neighbours", "inputs", "pairs"),
    [
        (MIXING, "element", 9, 16),
        (BASIC_HISTOGRAM, "substitute", 27, 162),
        pytest.param(STABILITY_HISTOGRAM, "substitute", 81, 648, marks=pytest.mark.nightly),
        (THRESHOLD_HISTOGRAM, "add-remove", 31, 128),
    ],
)
def test_verified_at_the_defaults_over_the_whole_scope(
    audit: Callable[..., Report], mechanism: Mechanism, neighbours: str, inputs: int, pairs: int
) -> None:
    instance = built(mechanism, {})
    assert (instance.neighbours, len(instance.inputs)) == (neighbours, inputs)
    report = audit(mechanism, {})
    assert isinstance(report.verdict, Verified)
    assert report.pairs == pairs
    assert report.tail == 0
    assert report.unreached is None


@pytest.mark.parametrize("mechanism", [MIXING, BASIC_HISTOGRAM, STABILITY_HISTOGRAM, THRESHOLD_HISTOGRAM])
def test_they_sample_as_they_are_audited(mechanism: Mechanism) -> None:
    instance = built(mechanism, {})
    value = instance.inputs[-1]
    law = enumerate_law(instance.program, value).law
    drawn = [instance.program(value, seeded_coins(seed)) for seed in range(100)]
    assert set(drawn) <= set(law.outcomes())
    assert len(set(drawn)) > 1


def test_labels_of_a_histogram_are_in_order_whoever_comes_first() -> None:
    basic = basic_histogram(universe=3, sampler=lambda count, coins: count)
    stable = stability_histogram(threshold=0, sampler=lambda count, coins: count)
    coins = seeded_coins(1)
    assert basic([2, 0, 2], coins) == ((0, 1), (1, 0), (2, 2))
    assert stable([2, 0, 2], coins) == ((0, 1), (2, 2))


@pytest.mark.parametrize(
    ("mechanism", "settings", "given"),
    [
        (MIXING, {"n": "0"}, "n=0"),
        (MIXING, {"n": "101"}, "n=101"),
        (MIXING, {"epsilon": "2/3"}, "2/3"),
        (MIXING, {"bits": "0"}, "bits=0"),
        (MIXING, {"bits": "5000"}, "bits=5000"),
        (MIXING, {"gamma": "1"}, "gamma=1"),
        (MIXING, {"gamma": "2/5"}, "2/5"),
        (MIXING, {"delta": "1"}, "delta=1"),
        (BASIC_HISTOGRAM, {"n": "0"}, "n=0"),
        (BASIC_HISTOGRAM, {"n": "3/2"}, "3/2"),
        (BASIC_HISTOGRAM, {"universe": "1"}, "universe=1"),
        (BASIC_HISTOGRAM, {"universe": "many"}, "many"),
        (BASIC_HISTOGRAM, {"n": "61"}, "n=61, universe=3"),
        (BASIC_HISTOGRAM, {"universe": str((1 << 64) + 1)}, "universe=18446744073709551617"),
        (BASIC_HISTOGRAM, {"epsilon": "0.3"}, "0.3"),
        (BASIC_HISTOGRAM, {"sampler": "laplace"}, "laplace"),
        (BASIC_HISTOGRAM, {"gamma": "1"}, "gamma=1"),
        (BASIC_HISTOGRAM, {"sampler": "fastsample", "gamma": "0"}, "0"),
        (BASIC_HISTOGRAM, {"threshold": "1"}, "threshold=1"),
        (STABILITY_HISTOGRAM, {"threshold": "-1"}, "-1"),
        (STABILITY_HISTOGRAM, {"threshold": "1/2"}, "1/2"),
        (STABILITY_HISTOGRAM, {"universe": "0"}, "universe=0"),
        (STABILITY_HISTOGRAM, {"n": "1001", "universe": "2"}, "n=1001"),
        (STABILITY_HISTOGRAM, {"n": "61", "universe": "2"}, "n=61, universe=2"),
        (STABILITY_HISTOGRAM, {"sampler": ""}, "sampler="),
        (THRESHOLD_HISTOGRAM, {"rate": "0"}, "rate=0"),
        (THRESHOLD_HISTOGRAM, {"rate": "1"}, "rate=1"),
        (THRESHOLD_HISTOGRAM, {"rate": "often"}, "often"),
        (THRESHOLD_HISTOGRAM, {"threshold": "0"}, "threshold=0"),
        (THRESHOLD_HISTOGRAM, {"universe": "0"}, "universe=0"),
        (THRESHOLD_HISTOGRAM, {"n": "0"}, "n=0"),
        (THRESHOLD_HISTOGRAM, {"n": "12"}, "n=12, universe=2"),
        (THRESHOLD_HISTOGRAM, {"epsilon": "1"}, "epsilon=1"),
    ],
)
def test_refused_parameters(
    refused: Callable[..., None], mechanism: Mechanism, settings: dict[str, str], given: str
) -> None:
    refused(mechanism, settings, given)
