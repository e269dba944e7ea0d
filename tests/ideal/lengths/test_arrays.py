"""The index of the greatest entry of an array of any length: what is followed of it, and what is refused by name."""

from fractions import Fraction

import numpy as np
import pytest

from dpcert import Claim, PureDP, Unauditable
from dpcert.audit.ideal.lengths import bound_for_any_length
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.neighbours import RELATIONS

PAIRS = ((0, 0), (0, 1), (1, 1), (1, 0), (0, 0, 1), (1, 1, 0))


def bounded(program, relation="linf"):
    return bound_for_any_length(program, relation).bound


FOLLOWED = [
    (lambda x, rng: int(np.argmax(np.array(x) + rng.laplace(scale=2, size=len(x)))), 1),
    (lambda x, rng: np.argmax(rng.laplace(0, 4, len(x)) + np.array(x)), Fraction(1, 2)),
    (lambda x, rng: int(np.argmax(np.array(x) + rng.exponential(2, size=len(x)))), 1),
    (lambda x, rng: int(np.argmax(np.array(x) + rng.gumbel(scale=2, size=len(x)))), 1),
    (lambda x, rng: int(np.argmax(np.array(x) + rng.logistic(scale=2, size=len(x)))) + 1, 1),
    (lambda x, rng: int(np.argmax(np.array(x) + rng.laplace(7, 2, len(x)))), 1),
    (lambda x, rng: (rng.integers(0, 2), np.argmax(np.array(x) + rng.laplace(scale=2, size=len(x)))), 1),
]


@pytest.mark.parametrize(("program", "bound"), FOLLOWED)
def test_the_index_of_the_greatest_entry(program, bound):
    assert bounded(program) == bound


LOGISTIC = FOLLOWED[4]
"""Its noise is bounded by quadrature alone, which takes seconds."""


@pytest.mark.parametrize(
    ("program", "bound"),
    [pytest.param(*each, marks=[pytest.mark.nightly] * (each is LOGISTIC)) for each in FOLLOWED],
)
def test_short_lists_meet_the_bound_of_the_index(program, bound):
    claim = Claim("program", (), PAIRS, RELATIONS["linf"], PureDP(bound))
    try:
        assert decide_ideal(claim, program).verdict == "verified"
    except Unauditable:
        assert program is LOGISTIC[0]


def noise_for_two(x, rng):
    """Noise that both of two entries have is none; the sum of twice the same noise is no sum of two."""
    noise = rng.laplace(scale=2, size=len(x))
    return np.argmax(np.array(x) + noise + noise)


def test_noise_that_is_added_twice_is_twice_that_noise():
    assert bounded(noise_for_two) == Fraction(1, 2)


REFUSED = [
    (lambda x, rng: np.argmax(np.array(x)), "without noise"),
    (lambda x, rng: np.argmax(rng.laplace(size=len(x))), "without noise"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(rng.laplace(), 0, size=len(x))), "fresh noise"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(rng.laplace(), 1, size=len(x))), "fresh noise"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(scale=0, size=len(x))), "fresh noise"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(0, [1, 2], size=len(x))), "."),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace()), "add of an array of any length"),
    (lambda x, rng: np.argmax(np.array(x) - rng.laplace(size=len(x))), "sub of an array of any length"),
    (lambda x, rng: np.argmax(2 * np.array(x) + rng.laplace(size=len(x))), "mul of an array of any length"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(size=len(x) + 1)), "add of the length of a list"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(size=(len(x),))), "."),
    (lambda x, rng: np.argmax(np.array(x) + rng.random(size=len(x))), "no number or text"),
    (lambda x, rng: np.argmax(np.array(x) + rng.normal(size=len(x))), "no number or text"),
    (lambda x, rng: rng.laplace(x), "a copy|no number or text"),
    (lambda x, rng: np.argmax(np.array(x, dtype=float) + rng.laplace(size=len(x))), "."),
    (lambda x, rng: np.argmin(np.array(x) + rng.laplace(size=len(x))), "."),
    (lambda x, rng: np.max(np.array(x) + rng.laplace(size=len(x))), "."),
    (lambda x, rng: (np.array(x) + rng.laplace(size=len(x))).argmax(), "argmax of an array of any length"),
    (lambda x, rng: (np.array(x) + rng.laplace(size=len(x)))[0], "an index of an array of any length"),
    (lambda x, rng: np.array(x) + rng.laplace(size=len(x)), "an outcome|the content"),
    (lambda x, rng: list(np.array(x) + rng.laplace(size=len(x))), "."),
    (lambda x, rng: rng.laplace(size=len(x)), "an outcome|the content"),
    (lambda x, rng: len(x), "an outcome|the content"),
    (lambda x, rng: len(x) > 2, "a comparison of the length of a list"),
    (lambda x, rng: list(range(len(x))), "."),
    (lambda x, rng: x[np.argmax(np.array(x) + rng.laplace(size=len(x)))], "an index of a list of any length"),
    (lambda x, rng: sum(x) + np.argmax(np.array(x) + rng.laplace(size=len(x))), "a second time"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(size=len(x))) > 1, "a comparison of an integer"),
    (lambda x, rng: np.argmax(np.array(x) + rng.laplace(size=len(x))) % 2, "a remainder by 2"),
]


@pytest.mark.parametrize(("program", "words"), REFUSED)
def test_what_is_not_followed_is_refused_by_name(program, words):
    with pytest.raises(Unauditable, match=words):
        bounded(program)


def two_of_one_noise(x, rng):
    values, noise = np.array(x), rng.laplace(scale=2, size=len(x))
    return np.argmax(values + noise), np.argmax(values + values + noise)


def test_a_second_winner_is_refused():
    with pytest.raises(Unauditable, match="a second time"):
        bounded(two_of_one_noise)


def test_one_number_that_differs_is_not_followed():
    with pytest.raises(Unauditable, match="of which one number differs"):
        bounded(FOLLOWED[0][0], "l1")
