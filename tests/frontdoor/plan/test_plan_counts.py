"""`dpcert plan` for noisy counts and stability-based histograms: twins of its searches, and answers at the edge."""

from fractions import Fraction
from math import ceil, comb, log
from pathlib import Path
from typing import Any

import pytest

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.sbh import lone_key
from dpcert.planning.bisection import least
from dpcert.planning.fixed import binomial_at_least, geometric_at_least
from dpcert.planning.noisy_count import (
    error_of,
    inverse_within,
    least_cutoff,
    least_exponent,
    noise_of,
    parameter_for,
    within,
)
from dpcert.planning.stability import Lone, printed_stability_threshold


def test_the_least_number_of_a_rising_predicate_is_found() -> None:
    for low, high in ((0, 0), (0, 9), (3, 20), (-2, 5)):
        for first in range(low, high + 2):
            assert least(first.__le__, low, high) == (first if first <= high else None)


@pytest.mark.points(1)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_twin_the_conditions_of_a_cutoff_are_those_of_all_laws(k: int) -> None:
    for n in (1, 2, 5, 9):
        for t in range(13):
            for weight in (2, 5, 40):
                law = fastsample_law(n=n, epsilon=parameter_for(k), gamma=Fraction(1, weight), at=t)
                laws = [dict(law(c).items()) for c in range(n + 1)]
                for ratio in (1 + Fraction(1, 2**k), 1 + Fraction(3, 2 ** (k + 1)), Fraction(3)):
                    private = all(
                        p.get(z, 0) <= ratio * q.get(z, 0)
                        for a in range(n)
                        for p, q in ((laws[a], laws[a + 1]), (laws[a + 1], laws[a]))
                        for z in range(n + 1)
                    )
                    assert private == within(n=n, k=k, t=t, weight=weight, ratio=ratio)


@pytest.mark.parametrize("text", ["1/10", "ln(6/5)", "3/25", "2", "1/1000"])
def test_the_least_exponent_and_the_printed_epsilon_are_the_best(text: str) -> None:
    epsilon = Epsilon.of(text)
    below, above = epsilon.exp_bounds(64)
    k, printed = least_exponent(epsilon), inverse_within(epsilon, 2)
    assert 1 + Fraction(1, 2**k) <= below
    assert k == 1 or 1 + Fraction(1, 2 ** (k - 1)) > above
    assert Epsilon.of(printed / 2).exp_bounds(64)[1] <= above
    assert printed == 1 or Epsilon.of(1 / (1 / printed - 1) / 2).exp_bounds(64)[0] > below
    assert noise_exponent(printed) >= k == noise_exponent(parameter_for(k))


def test_the_error_of_noise_is_exact() -> None:
    for k in (1, 3):
        for beta in (Fraction(1, 20), Fraction(1, 3)):
            bound = error_of(k, beta)
            assert noise_of(k).beyond(bound) <= beta < noise_of(k).beyond(bound - 1)


def test_geosample_spends_epsilon_and_one_less_is_refuted(planned: Any, inside: Any, tmp_path: Path) -> None:
    asked = ("geosample", "--epsilon", "3/25", "--neighbours", "counts_differ_by_one", "--certificates", tmp_path)
    document = planned(*asked, "--against", "paper")
    assert (document["answer"]["k"], document["paper"]["k"]) == ("3", "4")
    assert document["achieved"]["epsilon"] == {"lo": "ln(9/8)", "hi": "ln(9/8)"}
    assert document["budget"]["delta"] == "0/1"
    (beyond,) = document["beyond"]
    assert (document["kind"], beyond["verdict"]) == ("optimum", "refuted")
    for certificate in (document["certificate"], beyond["certificate"]):
        assert inside("recheck", certificate).status == 0


@pytest.mark.parametrize("given", ["gamma=1/30", "cutoff=12"])
def test_fastsample_is_cut_off_as_early_as_can_be(planned: Any, given: str) -> None:
    asked = ("--epsilon", "3/8", "--neighbours", "counts_differ_by_one", "--set", "n=8", "--set", given)
    document = planned("fastsample", *asked)
    answer, (beyond,) = document["answer"], document["beyond"]
    assert given in {f"{name}={value}" for name, value in answer.items()}
    assert (document["kind"], beyond["verdict"]) == ("optimum", "refuted")
    other = "cutoff" if given.startswith("gamma") else "gamma"
    assert beyond["parameters"][other] != answer[other]
    if other == "cutoff":
        assert int(beyond["parameters"]["cutoff"]) == int(answer["cutoff"]) - 1
        assert int(document["paper"]["cutoff"]) > int(answer["cutoff"])


def test_the_least_cutoff_is_below_the_printed_one_for_many_people() -> None:
    gamma = Fraction(1, 100)
    found = least_cutoff(n=10**5, k=4, weight=100, ratio=Epsilon.of("1/10").exp_bounds(64)[0])
    assert found < cutoff(n=10**5, epsilon=Fraction(1, 5), gamma=gamma)


def test_twin_a_lone_label_by_closed_forms_and_by_laws() -> None:
    n, k, gamma, epsilon = 9, 2, Fraction(1, 7), Fraction(1, 2)
    t = cutoff(n=n, epsilon=epsilon, gamma=gamma)
    for b in range(n + 2):
        assert Lone(n=n, k=k).delta(b) == lone_label(threshold=b, law=geosample_law(n=n, k=k))
        for at in (0, 1, 3, t):
            law = fastsample_law(n=n, epsilon=epsilon, gamma=gamma, at=at)
            assert Lone(n=n, k=k, gamma=gamma, t=at).delta(b) == lone_label(threshold=b, law=law)


@pytest.mark.parametrize("m", [1, 3, 10])
@pytest.mark.parametrize("delta", ["1/10", "1/1000", "1/12345678"])
def test_twin_the_printed_thresholds(m: int, delta: str) -> None:
    lost = Fraction(delta)
    for fast, top in ((False, 1), (True, 2)):
        found = printed_stability_threshold(epsilon=Fraction(1, m), delta=lost, fast=fast)
        assert found == 1 + ceil(9 * m / 2 * log(top / lost))


@pytest.mark.points(1)
@pytest.mark.parametrize("sampler", ["geosample", "fastsample"])
def test_the_least_threshold_of_a_stability_based_histogram(planned: Any, sampler: str) -> None:
    asked = ("stability-histogram", "--epsilon", "2", "--delta", "1/20", "--neighbours", "substitute", "--frontier")
    document = planned(*asked, "--set", "n=14", "--set", f"sampler={sampler}")
    b = int(document["answer"]["threshold"])
    gamma = Fraction(document["answer"].get("gamma", 0))
    if sampler == "geosample":
        law = geosample_law(n=14, k=1)
    else:
        assert gamma == Fraction(1, 40)
        law = fastsample_law(n=14, epsilon=Fraction(1), gamma=gamma)
    assert lone_label(threshold=b, law=law) <= Fraction(1, 20) < lone_label(threshold=b - 1, law=law)
    assert (document["kind"], [one["verdict"] for one in document["beyond"]]) == ("optimum", ["refuted"])
    assert int(document["paper"]["threshold"]) > b
    thresholds = [row["threshold"] for row in document["frontier"]]
    assert thresholds == sorted(thresholds)
    assert thresholds[0] == b


def test_the_least_threshold_of_one_key(planned: Any) -> None:
    asked = ("--epsilon", "ln(3/2)", "--delta", "1/100", "--neighbours", "counts_differ_by_one", "--set", "imax=6")
    for name, q in (("sbh", "1"), ("sbh-sampled", "priority:1/9")):
        chosen = ("--set", f"q={q}") if name == "sbh-sampled" else ()
        document = planned(name, *asked, *chosen)
        most, threshold = max(30, int(document["paper"]["threshold"]) + 10), int(document["answer"]["threshold"])
        assert document["answer"]["ratio"] == "3/2"
        law = geometric_law(n=most, ratio=Fraction(3, 2))
        rates = sampling_probabilities(q, most)
        spent = [lone_key(threshold=at, law=law, q=rates) for at in (threshold, threshold - 1)]
        assert spent[0] <= Fraction(1, 100) < spent[1]
        assert Fraction(document["achieved"]["delta"]["lo"]) == spent[0]
        assert document["beyond"][0]["verdict"] == "refuted"
        assert int(document["paper"]["threshold"]) >= threshold


def test_twin_expected_values_in_fixed_point() -> None:
    rate, tiny = Fraction(1, 7), Fraction(1, 2**190)
    for people in (0, 3, 40, 900):
        for threshold in (1, 2, 9, 150):
            exactly = 1 - sum(_binomial(people, v, rate) for v in range(threshold)) if threshold <= people else 0
            assert abs(binomial_at_least(people, rate, threshold) - exactly) < tiny
    ratio = Fraction(9, 8)
    for m in range(-60, 61):
        exactly = sum(
            ((ratio - 1) / (ratio + 1) * ratio ** -abs(z) for z in range(m, 61)), start=ratio**-60 / (ratio + 1)
        )
        assert abs(geometric_at_least(ratio, m) - exactly) < tiny


def _binomial(people: int, v: int, rate: Fraction) -> Fraction:
    return comb(people, v) * rate**v * (1 - rate) ** (people - v)
