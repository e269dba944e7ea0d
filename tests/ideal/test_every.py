"""Claims for every epsilon at once: DiPC's programs, functions of both signs, refutations; and published formulas."""

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ideal import dipc
from ideal.literature import LONG, NAMES, WITHOUT_REAL_NOISE, verdict
from literature.registry import BENCHMARK
from literature.truth import truths

from dpcert.audit.ideal.every import Range, nowhere_negative
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.logarithm import epsilon_bounds

from .claims import vectors


def number(value, h):
    return sum(float(c) * h**i * exp(h * b) for (i, b), c in value.items())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, True),
        ({(0, 1): 1, (0, 0): -1}, True),  # e^h - 1
        ({(0, 1): 1, (0, 0): -1, (1, 0): -1}, True),  # e^h - 1 - h
        ({(0, 1): 1, (0, 0): -1, (1, 0): Fraction(-1001, 1000)}, False),  # negative near 0
        ({(0, 0): 1, (0, -1): -1}, True),  # 1 - e^-h
        ({(0, 0): 1, (1, -1): -2, (0, -2): -1}, True),  # 1 - 2 h e^-h - e^-2h, times e^h: 2 (sinh h - h)
        ({(0, 0): 1, (1, -1): -3, (0, -2): -1}, False),
        ({(0, 2): 1, (0, 1): Fraction(-21, 10), (0, 0): Fraction(11, 10)}, False),  # negative in (0, ln(11/10))
        ({(0, 0): -1}, False),
        ({(1, 3): 1, (0, 3): -1, (0, 0): 2}, False),
    ],
)
def test_signs_are(value, expected):
    assert nowhere_negative(value) is expected


terms = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(-3, 3)), st.fractions(-3, 3, max_denominator=8), max_size=6
)


@given(terms)
def test_what_is_nowhere_negative_is_so_at_some_points(value):
    value = {name: c for name, c in value.items() if c}
    if nowhere_negative(value):
        assert all(number(value, h) >= -1e-9 for h in (0.01, 0.1, 0.5, 1, 2, 3, 5))


@given(terms)
def test_what_has_coefficients_of_one_sign_is_found(value):
    """Squares, and sums of terms that are positive one by one, have Taylor coefficients of one sign."""
    assert nowhere_negative({name: abs(c) for name, c in value.items() if c})


@pytest.mark.points(6)
@pytest.mark.parametrize(
    ("name", "n", "verdict"),
    [
        ("svt1", 2, "verified"),
        ("svt2", 2, "verified"),
        ("svt3", 2, "verified"),
        ("svt3_binary", 2, "verified"),
        ("svt4", 2, "refuted"),
        ("svt5", 2, "refuted"),
        ("svt6", 3, "refuted"),
        ("nmax1", 2, "verified"),
        ("nmax2", 2, "verified"),
        ("nmax3", 2, "verified"),
        ("nmax3", 3, "refuted"),
        ("nmax4", 1, "refuted"),
    ],
)
def test_published_verdicts_are_met(name, n, verdict):
    found = decide_every(getattr(dipc, name), vectors(n), RELATIONS["linf"])
    assert found.verdict == verdict
    if verdict == "refuted":
        (p, _), (_, q) = found.worst.p, found.worst.q
        assert p > Fraction(exp(found.epsilon)) * q * (1 + Fraction(1, 10**9))


def test_histograms_meet_the_published_verdicts():
    assert decide_every(dipc.histogram1, vectors(2), RELATIONS["l1"]).verdict == "verified"
    assert decide_every(dipc.histogram2, vectors(1), RELATIONS["l1"]).verdict == "refuted"


def test_randomized_response_is_refuted_below_1():
    below = Range(high=Fraction(99, 100))
    found = decide_every(dipc.randomized_response, vectors(1, (0, 1)), RELATIONS["linf"], within=below)
    assert found.verdict == "refuted"
    assert found.epsilon < 1


@pytest.mark.parametrize(("delta", "verdict"), [(0, "refuted"), (Fraction(9692, 10000), "verified")])
def test_a_delta_for_every_epsilon(delta, verdict):
    found = decide_every(dipc.sparse, vectors(3, (0, 1)), RELATIONS["linf"], factor=Fraction(1, 2), delta=delta)
    assert found.verdict == verdict


def test_caught_a_claim_of_a_little_less_than_every_epsilon():
    assert decide_every(dipc.svt1, vectors(1), RELATIONS["linf"]).verdict == "verified"

    def threshold(queries, rng, epsilon):
        return bool(queries[0] + rng.laplace(0, 1 / epsilon) > 0)

    assert decide_every(threshold, vectors(1), RELATIONS["linf"]).verdict == "verified"
    found = decide_every(threshold, vectors(1), RELATIONS["linf"], factor=Fraction(99, 100))
    assert found.verdict == "refuted"


def test_a_verdict_for_every_epsilon_is_that_at_each():
    from dpcert.audit.ideal.verdict import decide_ideal
    from dpcert.audit.kernel.claim import Claim, PureDP

    for epsilon in (Fraction(1, 3), Fraction(5, 2)):
        claim = Claim("svt1", (), tuple(vectors(2)), RELATIONS["linf"], PureDP(epsilon))
        assert decide_ideal(claim, dipc.svt1, epsilon=epsilon).verdict == "verified"


def test_a_comparison_of_epsilon_is_undecided():
    def program(queries, rng, epsilon):
        scale = 1 / epsilon if epsilon > 1 else 2 / epsilon
        return bool(queries[0] + rng.laplace(0, scale) > 0)

    found = decide_every(program, vectors(1), RELATIONS["linf"])
    assert found.verdict == "undecided"
    assert "sign is not known for every epsilon" in found.reason


def test_caught_a_delta_that_many_outcomes_of_equal_probabilities_need():
    """One answer is released beside a label of m, all alike: what breaks the bound is their sum."""

    def program(queries, rng, epsilon, labels=4):
        label = int(rng.integers(labels))
        return bool(queries[0] + rng.laplace(0, 1 / (2 * epsilon)) > 0), label

    least = decide_every(program, vectors(1), RELATIONS["linf"], delta=Fraction(1, 20))
    assert least.verdict == "refuted"
    assert len(least.worst.event) == 4


SLOW = ("SVT6", "NumericalSVT", *LONG)
DEAR = ("ReportNoisyMax3", "ReportNoisyMax4")
BOUNDED = ("LaplaceParallel",)
"""Of these, the least epsilon is known between two bounds, which are no nearer."""
QUICK = [name for name in NAMES if name not in (*SLOW, *BOUNDED, *DEAR)]
CASES = [*QUICK[::2], *(pytest.param(name, marks=pytest.mark.nightly) for name in (*QUICK[1::2], *DEAR))]
DIGITS = Fraction(1, 10**10)


@pytest.fixture(scope="module")
def formulas():
    return truths()


def test_all_mechanisms_are_here():
    assert set(NAMES) | WITHOUT_REAL_NOISE == set(BENCHMARK)
    assert len(NAMES) == 17


@pytest.mark.parametrize(
    "name", [*QUICK[::2], *(pytest.param(x, marks=pytest.mark.nightly) for x in (*QUICK[1::2], *DEAR))]
)
def test_a_program_needs_what_its_formula_says(name, formulas):
    found, truth = verdict(name), formulas[name]
    assert found.verdict == ("verified" if BENCHMARK[name].correct else "refuted")
    low, high = found.epsilon
    if truth.epsilon is None:
        assert high is None
        return
    assert epsilon_bounds(low, 64)[0] <= truth.epsilon[1]
    assert epsilon_bounds(high, 64)[1] >= truth.epsilon[0]
    assert epsilon_bounds(high, 64)[1] - epsilon_bounds(low, 64)[0] < DIGITS


@pytest.mark.parametrize("name", BOUNDED)
def test_a_program_needs_no_more_than_its_formula_says(name, formulas):
    found, truth = verdict(name), formulas[name]
    assert found.verdict == "verified"
    assert epsilon_bounds(found.epsilon[0], 64)[0] <= truth.epsilon[0]
    assert epsilon_bounds(found.epsilon[1], 64)[1] == truth.epsilon[1]
