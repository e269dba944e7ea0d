"""Factored laws against their joint laws."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, InputError
from dpcert.reading.numpy.factored import Factored

COIN = Dist.bernoulli("1/2")
BIASED = Dist.bernoulli("1/3")
SAME_COIN = Dist.from_weights([(False, 2), (True, 2)], 4)
LOADED = Dist.of([(0, "1/6"), (1, "1/3"), (2, "1/2")])
TAILED = Dist.of([(0, "1/2"), (1, "1/4")], tail="1/4")
POOL = [COIN, SAME_COIN, BIASED, LOADED, Dist.point(0), Dist.point(False)]
pairs = st.lists(st.tuples(st.sampled_from(POOL), st.sampled_from(POOL)), max_size=4)


def divergence(p: Dist, q: Dist, ratio: Fraction) -> Fraction:
    """The hockey-stick divergence of two laws without tails, outcome by outcome."""
    excess = (x - ratio * q.prob(outcome) for outcome, x in p.items())
    return sum((x for x in excess if x > 0), Fraction(0))


@given(st.lists(st.sampled_from([*POOL, TAILED]), max_size=4))
def test_twin_the_joint_law_multiplies_the_parts(parts: list[Dist]) -> None:
    joint = Factored(tuple(parts)).expand()
    expected = 0
    for row in product(*(part.items() for part in parts)):
        p = Fraction(1)
        for _, factor in row:
            p *= factor
        assert joint.prob(tuple(outcome for outcome, _ in row)) == p
        expected += 1
    assert len(joint) == expected
    kept = Fraction(1)
    for part in parts:
        kept *= 1 - part.tail
    assert joint.tail == 1 - kept


@given(pairs, st.fractions(0, 4, max_denominator=6))
def test_twin_cancelling_leaves_every_divergence(factors: list[tuple[Dist, Dist]], ratio: Fraction) -> None:
    a, b = Factored(tuple(x for x, _ in factors)), Factored(tuple(y for _, y in factors))
    p, q = a.cancel(b)
    assert divergence(p.expand(), q.expand(), ratio) == divergence(a.expand(), b.expand(), ratio)
    assert len(p) == len(q) == sum(x != y for x, y in factors)
    assert list(zip(p.parts, q.parts, strict=True)) == [(x, y) for x, y in factors if x != y]


def test_twin_a_million_coordinates_cancel_to_the_two_that_differ() -> None:
    bins = (LOADED,) * 1_000_000
    a = Factored((*bins, COIN, BIASED))
    b = Factored((*bins, BIASED, COIN))
    assert a.cancel(b) == (Factored((COIN, BIASED)), Factored((BIASED, COIN)))
    assert a.cancel(a) == (Factored(()), Factored(()))
    assert Factored(()).expand() == Dist.point(())


def test_twin_equal_laws_over_other_denominators_cancel() -> None:
    assert Factored((COIN,)).cancel(Factored((SAME_COIN,))) == (Factored(()), Factored(()))


def test_twin_equal_factors_with_a_tail_stay() -> None:
    a, b = Factored((TAILED, COIN, LOADED)), Factored((TAILED, COIN, BIASED))
    assert a.cancel(b) == (Factored((TAILED, LOADED)), Factored((TAILED, BIASED)))


def test_twin_laws_that_differ_by_type_only_stay() -> None:
    zero, false = Factored((Dist.point(0),)), Factored((Dist.point(False),))
    assert zero.cancel(false) == (zero, false)
    assert zero != false


@given(pairs)
def test_twin_equality_is_equality_of_the_joint_laws(factors: list[tuple[Dist, Dist]]) -> None:
    a, b = Factored(tuple(x for x, _ in factors)), Factored(tuple(y for _, y in factors))
    assert (a == b) is (a.expand() == b.expand())
    assert a != b or hash(a) == hash(b)
    assert len(a) == len(factors)


def test_twin_the_limit_is_the_number_of_joint_outcomes() -> None:
    law = Factored((LOADED, LOADED))
    assert len(law.expand(limit=9)) == 9
    with pytest.raises(InputError, match=r"^9 outcomes: at most 8; cancel equal coordinates first$"):
        law.expand(limit=8)
    with pytest.raises(InputError, match=r"^<integer of 1001 bits> outcomes: at most 100,000; cancel"):
        Factored((COIN,) * 1000).expand()


@pytest.mark.parametrize("other", [Factored((COIN, COIN)), Factored(()), COIN, (COIN,)])
def test_refused_cancelling_of_other_shapes(other: Any) -> None:
    with pytest.raises(InputError, match="a law of 1 coordinates; give both laws the same coordinates"):
        Factored((COIN,)).cancel(other)


@pytest.mark.parametrize("parts", [[COIN], COIN, (COIN, 1), (Factored(()),), None])
def test_refused_parts(parts: Any) -> None:
    with pytest.raises(InputError, match=r"a tuple of laws; write Factored\(\(law, law\)\)"):
        Factored(parts)


def test_refused_truth_value_and_changes() -> None:
    law = Factored((COIN,))
    with pytest.raises(TypeError, match=r"a law has no truth value; ask len\(law\) or law == other"):
        bool(law)
    with pytest.raises(AttributeError, match="cannot assign to field 'parts'"):
        law.parts = ()
