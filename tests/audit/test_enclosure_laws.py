"""Enclosures of laws without an end, against their exact profiles; refused parameters."""

from fractions import Fraction
from math import comb

import mpmath
import pytest

from dpcert import Answer, Dist, Epsilon, InputError
from dpcert.audit.enclosure import profile_at_size
from dpcert.audit.profile import profile
from dpcert.audit.recurrence import RecurrentLaw, binomial, geometric, hypergeometric, poisson

from .enclosures import binomial_probability, law


def test_laws_without_an_end() -> None:
    answer = profile_at_size(poisson(20), poisson(15)).delta_at(Epsilon.of("1/2"))
    with mpmath.workdps(40):
        e, total = mpmath.exp(mpmath.mpf(1) / 2), mpmath.mpf(0)
        for k in range(200):
            at = [mpmath.exp(-rate) * mpmath.mpf(rate) ** k / mpmath.factorial(k) for rate in (20, 15)]
            total += max(0, at[0] - e * at[1])
        assert abs(mpmath.mpf(answer.lo.numerator) / answer.lo.denominator / total - 1) < mpmath.mpf(10) ** -30
    assert answer.bits > 100
    with pytest.raises(InputError, match="no end"):
        poisson(3).exact()


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (binomial(9, "1/3"), binomial(7, "1/2")),
        (hypergeometric(12, 9, 8), binomial(6, "2/5")),
        (hypergeometric(12, 11, 9), binomial(6, "2/5")),
        (geometric("1/3", last=4), geometric("1/2", last=9)),
        (binomial(9, "1/3").then(lambda k: max(k, 3)), binomial(7, "1/2").then(lambda k: max(k, 3))),
        (RecurrentLaw(2, 6, ((7, -1),), ((1, 1),)), binomial(7, "1/2")),
    ],
)
def test_twin_exact_profiles_of_recurrent_laws(p: RecurrentLaw, q: RecurrentLaw) -> None:
    assert profile_at_size(p, q) == profile(p.exact(), q.exact())
    assert profile_at_size(q, p) == profile(q.exact(), p.exact())


@pytest.mark.parametrize("made", [binomial(9, "1/3"), hypergeometric(30, 12, 9), geometric("2/7", last=6)])
def test_twin_exact_laws_by_their_ratios(made: RecurrentLaw) -> None:
    found = made.exact()
    assert sum(probability for _, probability in found.items()) == 1
    first = next(found.outcomes())
    expected = {
        9: lambda k: binomial_probability(9, k, Fraction(1, 3)),
        12: lambda k: Fraction(comb(12, k) * comb(18, 9 - k), comb(30, 9)),
        7: lambda k: Fraction(2, 7) ** k * Fraction(5, 7) / (1 - Fraction(2, 7) ** 7),
    }[{(9, 1): 9, (9, 2): 12, (6, 1): 7}[len(made) - 1, len(made.tops)]]
    assert all(found.prob(first + i) == expected(first + i) for i in range(len(made)))


def test_refused_parameters_and_tails() -> None:
    for call in (
        lambda: binomial(0, "1/2"),
        lambda: binomial(3, 1),
        lambda: hypergeometric(5, 5, 2),
        lambda: poisson(0),
        lambda: geometric(1),
        lambda: profile_at_size(Dist.from_weights([(0, 1)], 2), law([1])),
    ):
        with pytest.raises(InputError):
            call()


def test_answers_state_their_precision() -> None:
    assert Answer(Fraction(1), Fraction(1), "exact").bits is None
    assert Answer(Fraction(7, 8), Fraction(1), "enclosed").bits == 3
    assert Answer(Fraction(0), Fraction(1), "enclosed").bits == 0
    assert Answer(Fraction(5), None, "enclosed").bits == 0
