"""Signs on a range: true ones kept, negative places exact, ends decided, and programs private up to an epsilon."""

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.audit.ideal.compare import Exponentials, at
from dpcert.audit.ideal.every import Range, sign_on
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.kernel.neighbours import RELATIONS

from .claims import vectors


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        ({}, 0, None, True),
        ({(0, 1): 1, (0, 0): -2}, 1, 2, True),  # e^h - 2
        ({(0, 1): 1, (0, 0): -2}, 0, 2, "negative"),
        ({(0, 1): 1, (0, 0): -2}, 1, None, True),
        ({(0, 1): -1, (0, 0): 2}, 0, Fraction(1, 2), True),
        ({(0, 1): -1, (0, 0): 2}, 0, None, "negative"),
        ({(0, 1): -1, (0, 0): 2}, Fraction(1, 2), 1, "negative"),
        ({(1, 0): 1, (2, 0): -1}, 0, Fraction(1, 2), True),  # h - h^2
        ({(1, 0): 1, (2, 0): -1}, Fraction(1, 2), Fraction(101, 100), "negative"),
        ({(2, 0): 1, (1, 0): -2, (0, 0): 1}, 0, 3, None),  # (h - 1)^2
        ({(2, 0): 1, (1, 0): -2, (0, 0): Fraction(1001, 1000)}, 0, None, True),
        ({(2, 0): 1, (1, 0): -2, (0, 0): Fraction(999, 1000)}, 0, None, "negative"),
        ({(0, 1): 1, (0, 0): -1, (1, 0): Fraction(-1001, 1000)}, 0, 1, "negative"),  # negative next to 0
        ({(-1, 1): 1, (-1, 0): -1, (0, 0): -2}, 2, None, True),  # (e^h - 1)/h - 2
    ],
)
def test_signs_are(value, low, high, expected):
    found = sign_on(value, Fraction(low), None if high is None else Fraction(high))
    if expected != "negative":
        assert found is expected
        return
    assert low <= found
    assert found > 0
    assert high is None or found <= high
    assert Exponentials().sign(at(value, found)) < 0


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 2), st.integers(-2, 2)), st.integers(-4, 4).filter(bool), min_size=1, max_size=4
    ),
    st.sampled_from([(0, 1), (0, None), (1, 3), (Fraction(1, 2), None)]),
)
def test_a_sign_is_never_wrong(value, ends):
    low, high = ends
    found = sign_on(value, Fraction(low), None if high is None else Fraction(high))
    if found is True:
        for place in range(1, 60):
            h = low + (place / 60) * ((high or 20) - low)
            assert sum(c * h**i * exp(b * h) for (i, b), c in value.items()) >= -1e-9 * exp(2 * h)
    elif found is not None:
        assert found >= low
        assert high is None or found <= high
        assert Exponentials().sign(at(value, found)) < 0


def threshold(bits, rng, epsilon):
    """Release whether a noisy sum is above 1, with noise that does not depend on epsilon."""
    return bool(sum(bits) + rng.laplace(scale=1) + 0 * epsilon > 1)


def counted(count, rng, epsilon):
    return bool(count + rng.laplace(scale=2 / epsilon) > 1)


def squandered(count, rng, epsilon):
    return [bool(count + rng.laplace(scale=1 / epsilon) > 1) for _ in range(2)]


def test_a_claim_with_a_delta_holds_for_some_epsilons_only():
    """Two releases at epsilon each need a delta that grows from 0 on, and falls again where all is told anyway."""
    inputs, relation = [0, 1], RELATIONS["counts_differ_by_one"]
    small = decide_every(squandered, inputs, relation, delta=Fraction(1, 20), within=Range(high=Fraction(1, 10)))
    assert small.verdict == "verified"
    assert Fraction(1, 100) < small.delta[0] <= small.delta[1] == Fraction(1, 20)
    assert decide_every(squandered, inputs, relation, delta=Fraction(1, 20)).verdict == "refuted"
    far = decide_every(squandered, inputs, relation, delta=Fraction(1, 20), within=Range(low=Fraction(1)))
    assert (far.verdict, far.epsilon >= 1) == ("refuted", True)


def test_ends_of_a_range_are_decided():
    inputs, relation = [0, 1], RELATIONS["counts_differ_by_one"]
    assert decide_every(counted, inputs, relation, factor=Fraction(1, 2)).verdict == "verified"
    for within in (Range(), Range(high=Fraction(1, 3)), Range(low=Fraction(5))):
        found = decide_every(counted, inputs, relation, factor=Fraction(49, 100), within=within)
        assert found.verdict == "refuted"
        assert found.epsilon in within


def test_a_release_is_aligned_for_every_epsilon():
    def released(count, rng, epsilon):
        return count + rng.laplace(scale=1 / epsilon)

    inputs, relation = [0, 1], RELATIONS["counts_differ_by_one"]
    assert decide_every(released, inputs, relation).verdict == "verified"
    assert decide_every(released, inputs, relation, factor=Fraction(9, 10)).verdict == "refuted"


def test_noise_of_a_fixed_scale_is_decided_at_some_epsilons_only():
    found = decide_every(threshold, vectors(2, (0, 1)), RELATIONS["l1"])
    assert found.verdict in ("refuted", "undecided")
    assert found.verdict != "verified"
