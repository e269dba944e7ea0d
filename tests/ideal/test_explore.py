"""Runs on ideal noise: the paths of a program, what numpy itself says of parameters, and what is refused."""

import math
import random
import time

import numpy as np
import pytest

from dpcert.audit.ideal.explore import Limits, laws_of
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised

from .programs import noisy_max, sparse_vector


def paths(program, value=0):
    return laws_of(program, [value])[0]


def outcomes(program, value=0):
    return [path.outcome for path in paths(program, value)]


def test_each_answer_of_a_comparison_is_a_path():
    assert sorted(outcomes(sparse_vector, [0, 0])) == [[False, False], [False, True], [True, False]]


def test_argmax_of_an_array_is_followed():
    assert sorted(outcomes(noisy_max, [0, 1, 2])) == [0, 1, 2, 2]


def is_finite(x, rng):
    try:
        return bool(np.all(np.isfinite(rng.laplace(size=2))))
    except TypeError:
        return False


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (lambda x, rng: (y := rng.laplace()) >= y, [True]),
        (lambda x, rng: (y := rng.laplace()) > y, [False]),
        (lambda x, rng: (y := rng.laplace()) - y + 1 > 1, [False]),
        (lambda x, rng: (y := rng.laplace()) == y, [True]),
        (lambda x, rng: rng.laplace() == rng.laplace(), [False]),
        (lambda x, rng: max(rng.laplace(), 0) == 0, [False, True]),
        (lambda x, rng: bool(np.clip(rng.laplace(size=1), 0, 1)[0] == 1), [False, False, True]),
        (lambda x, rng: rng.exponential() < 0, [False]),
        (lambda x, rng: rng.exponential() > -1, [True]),
        (lambda x, rng: rng.random() < 2, [True]),
        (lambda x, rng: rng.laplace(3, 0) == 3, [True]),
        (lambda x, rng: rng.laplace() < math.inf, [True]),
        (lambda x, rng: rng.laplace() == math.inf, [False]),
        (lambda x, rng: -math.inf > rng.laplace(), [False]),
        (lambda x, rng: abs(rng.laplace()) >= 0, [True, True]),
        (lambda x, rng: int(rng.integers(3)), [0, 1, 2]),
        (lambda x, rng: str(rng.choice(["a", "b"])), ["a", "b"]),
        (lambda x, rng: int(rng.binomial(2, 0.5)), [0, 1, 2]),
        (lambda x, rng: rng.integers(2, size=2).tolist(), [[0, 0], [0, 1], [1, 0], [1, 1]]),
        (lambda x, rng: np.random.randint(1, 3, size=(1, 1)).tolist(), [[[1]], [[2]]]),
        (is_finite, [True]),
        (lambda x, rng: random.choice("ab") + str(random.randint(1, 2)), ["a1", "a2", "b1", "b2"]),
        (lambda x, rng: random.choices("ab", [1, 3]), [["a"], ["b"]]),
        (lambda x, rng: random.choices("abc", cum_weights=[1, 1, 2], k=1), [["a"], ["c"]]),
        (lambda x, rng: bool(np.any(np.array([0.5, 1.5]) + rng.laplace(size=2) > 9)), [False, True, True, True]),
        (lambda x, rng: bool((np.float64(1) + rng.laplace()) > np.float32(2)), [False, True]),
        (lambda x, rng: isinstance(rng.laplace(), float), [True]),
    ],
)
def test_outcomes_are(program, expected):
    found = outcomes(program)
    assert sorted(found) == expected


def test_weights_are_those_of_the_draw():
    found = paths(lambda x, rng: random.choices("ab", [1, 3], k=2))
    assert sorted((path.outcome, path.weight * 16) for path in found) == [
        (["a", "a"], 1),
        (["a", "b"], 3),
        (["b", "a"], 3),
        (["b", "b"], 9),
    ]
    drawn = paths(lambda x, rng: rng.choice(3, size=1, p=[0.5, 0.25, 0.25]).tolist())
    assert sorted((path.outcome, path.weight * 4) for path in drawn) == [([0], 2), ([1], 1), ([2], 1)]


def test_an_implied_comparison_makes_no_path():
    def program(x, rng):
        a, b, c = rng.laplace(size=3)
        return (a < b, b < c, a < c)

    found = outcomes(program)
    assert len(found) == 6
    assert (True, True, False) not in found
    assert (False, False, True) not in found


def test_numpy_itself_refuses_a_negative_scale():
    (outcome,) = outcomes(lambda x, rng: rng.laplace(0, -1))
    with pytest.raises(ValueError, match="scale < 0") as caught:
        np.random.default_rng().laplace(0, -1)
    assert outcome == Raised("ValueError", caught.value.args)


def test_the_modules_of_randomness_are_routed():
    assert sorted(outcomes(lambda x, rng: 0 if np.random.laplace() > x else 1, 1)) == [0, 1]
    assert sorted(outcomes(lambda x, rng: 0 if random.expovariate(2.0) > x else 1, 1)) == [0, 1]
    assert sorted(outcomes(lambda x, rng: 0 if np.random.default_rng().normal() > x else 1, 1)) == [0, 1]
    before = np.random.laplace
    outcomes(lambda x, rng: 0)
    assert np.random.laplace is before


KEPT = []


def keeps(x, rng):
    KEPT.append(x)
    return bool(rng.laplace() > len(KEPT))


def swallows(x, rng):
    try:
        return str(rng.laplace())
    except Exception:
        return 0


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda x, rng: rng.laplace() * rng.laplace() > 0, "compare its arguments"),
        (lambda x, rng: math.exp(rng.laplace()) > 0, "compare its arguments"),
        (lambda x, rng: bool(np.exp(rng.laplace(size=2))[0] > 0), "compare its arguments"),
        (swallows, "needed as a plain number"),
        (lambda x, rng: str(rng.laplace()), "needed as a plain number"),
        (lambda x, rng: len({rng.laplace()}), "needed as a plain number"),
        (lambda x, rng: rng.choice(3, size=2, replace=False, shuffle=False), "with shuffle=False"),
        (lambda x, rng: rng.choice(["a", "b"], size=1), "an array of <U1 is not followed"),
        (lambda x, rng: rng.integers([1, 2], 4), "integers between arrays"),
        (lambda x, rng: rng.vonmises(0, 1), r"vonmises is not followed \(line \d+ of .+\.py, in <lambda>\) .*; draw"),
        (lambda x, rng: rng.laplace(0, abs(rng.laplace())) > 0, "a scale that is itself noisy"),
        (lambda x, rng: np.random.default_rng(0).laplace() > 0, "a generator that is seeded"),
        (lambda x, rng: time.time() > 0, "a call of time"),
        (keeps, "other decisions|hidden state|on floats in the same place"),
    ],
)
def test_caught_what_is_not_followed(program, words):
    with pytest.raises(Unauditable, match=words):
        laws_of(program, [0, 1])


def test_caught_a_loop_without_bound():
    def loops(x, rng):
        turns = []
        while rng.laplace() < 0:
            turns.append(x)
        return len(turns)

    with pytest.raises(Unauditable, match="more than 50 comparisons in one run: the number of draws may have no bound"):
        laws_of(loops, [0], limits=Limits(decisions=50))


def test_an_input_changed_in_place_is_fresh_in_each_run():
    def program(x, rng):
        x.append(1)
        return len(x) if rng.laplace() > 0 else -len(x)

    assert sorted(outcomes(program, [])) == [-1, 1]
