"""The closed form and the constraints of the theorems are those of the mechanism's recurrence."""

from fractions import Fraction
from itertools import pairwise

import pytest

from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities

RATIOS = [Fraction(3, 2), Fraction(2), Fraction(3)]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("length", [1, 2, 5])
def test_the_closed_form_is_that_of_the_mechanism(ratio: Fraction, length: int) -> None:
    delta = (ratio - 1) / (ratio**length * (ratio + 1) - 2)
    found = reporting_probabilities(q=[Fraction(1)] * (2 * length + 3), ratio=ratio, delta=delta)
    slope = delta / (ratio - 1)
    up = [slope * (ratio**i - 1) for i in range(1, length + 2)]
    on = [1 - slope * (ratio ** (2 * length + 1 - i) - 1) for i in range(length + 2, 2 * length + 2)]
    assert found == [*up, *on, 1, 1]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("base", [Fraction(1, 3), Fraction(9, 10)])
def test_the_constraints_are_those_of_the_mechanism(ratio: Fraction, base: Fraction) -> None:
    delta = Fraction(1, 50)
    free = reporting_probabilities(q=[Fraction(1)] * 30, ratio=ratio, delta=delta)
    for before, after in pairwise([Fraction(0), *free]):
        if before < 1:
            binds = before * (1 + ratio) <= 1 - delta
            assert after == (ratio * before + delta if binds else min(1, 1 + (before + delta - 1) / ratio))
    q = [1 - base**i for i in range(1, 31)]
    switch = next(i for i, most in enumerate(q) if free[i] > most)
    assert reporting_probabilities(q=q, ratio=ratio, delta=delta) == free[:switch] + q[switch:]


@pytest.mark.parametrize("tau", [Fraction(1, 400), Fraction(1, 50)])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_priority_sampling_grows_as_the_lemmas_need(tau: Fraction, p: int) -> None:
    q = [min(Fraction(1), tau * i**p) for i in range(1, 40)]
    if p == 1:
        assert q == sampling_probabilities(f"priority:{tau}", 39)
    for a, b, c in zip(q, q[1:], q[2:], strict=False):
        assert c - b <= b - a or p > 1
        assert c == 1 or b * b - a * c >= tau * (b - a)
    for delta in (tau / 2, tau):
        for ratio in RATIOS:
            binds = [after <= ratio * before + delta for before, after in pairwise(q)]
            assert all(binds[binds.index(True) :])
