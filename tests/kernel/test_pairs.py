"""Evidence for examine.py: every pair of neighbours is examined once, in any order."""

import random
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import pytest
from given_laws import each_pair, examination

from dpcert import ApproxDP, Claim, Dist, PureDP, Refuted, Unauditable, Undecided, Verified
from dpcert.audit.kernel.examine import Witness, marks, name_outcome
from dpcert.audit.kernel.neighbours import custom

from .claims import HALF, PLAIN, THIRD, Examine, P, Q, answers, claim, digests, left, reason


def some_claims() -> Iterator[Claim]:
    """Claims with relations by chance, from none to any two."""
    toss = random.Random(7)
    for count in range(2, 9):
        for chance in (0.15, 0.4, 0.8, 1):
            related = {pair for pair in permutations(range(count), 2) if toss.random() < chance}
            near = custom(lambda a, b, related=related: (a, b) in related)
            yield Claim("m", (), tuple(range(count)), near, PLAIN)


def test_exact_twin_bits_are_the_pairs_of_the_claim() -> None:
    for asked in some_claims():
        found, pairs = examination(asked, lambda position: HALF), list(asked.pairs())
        assert left(found) == pairs
        assert found.pairs == found.left() == len(pairs)
        positions = [*range(-3, len(asked.inputs) + 3), 10**17, -(10**17)]
        for a in positions:
            for b in positions:
                assert marks(found.whole, a, b) is marks(found.open, a, b) is ((a, b) in pairs)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_examined_in_any_order_and_each_once(seed: int) -> None:
    asked = claim(*range(6), guarantee=ApproxDP(0, 1), neighbours="any")
    laws = [Dist.bernoulli(Fraction(1, 2 + i)) for i in range(6)]
    found, pairs = examination(asked, laws.__getitem__), list(asked.pairs())
    for position in range(6):
        found.hold(position)
    random.Random(seed).shuffle(pairs)
    again = [law.digest() for law in laws]
    for pair in pairs:
        assert isinstance(found.verdict(again), Undecided)
        assert found.pair(*pair)[0] is True
        assert marks(found.whole, *pair)
        with pytest.raises(ValueError, match="no open pair"):
            found.pair(*pair)
    verdict = found.verdict(again)
    assert isinstance(verdict, Verified)
    assert (verdict.pairs, found.left(), found.beyond) == (len(pairs), 0, None)


def test_a_relation_that_changes_its_mind_is_held_to_its_first_answers() -> None:
    said = [True, False, True]

    def fickle(a: int, b: int) -> bool:
        return bool(said) and said.pop(0)

    found = examination(Claim("m", (), (0, 1), custom(fickle), PLAIN), lambda position: HALF)
    assert said == [False, True]
    assert [(answer.a, answer.b) for answer in each_pair(found)] == [(0, 1), (1, 0)]
    assert said == [False, True]
    assert marks(found.whole, 0, 1)


def test_40000_pairs_take_a_bit_each_and_not_a_row_of_a_list() -> None:
    asked = claim(*range(201), neighbours="any")
    tracemalloc.start()
    found = examination(asked, lambda position: HALF)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.pairs == 40_200
    assert peak < 75_000


def test_a_refutation_takes_laws_that_are_held_and_asks_for_the_others() -> None:
    asked: list[int] = []

    def law_of(position: int) -> Dist:
        asked.append(position)
        return [P, Q][position]

    found = examination(claim(0, 1, guarantee=PureDP(0)), law_of)
    found.hold(1)
    assert isinstance(found.refute(Witness(0, 1, (name_outcome("c"),))), Refuted)
    assert asked == [1, 0]


def test_what_a_program_raises_is_passed_on() -> None:
    def law_of(position: int) -> Dist:
        if position == 2:
            raise Unauditable("it cannot be followed")
        return HALF

    found = examination(claim(0, 1, 2), law_of)
    with pytest.raises(Unauditable, match="it cannot be followed"):
        for _ in each_pair(found):
            pass
    assert left(found) == [(1, 2), (2, 1)]
    assert "not every pair" in reason(found.verdict([HALF.digest()] * 3))


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_the_order_of_inputs_does_not_change_a_verdict(order: tuple[int, ...], examine: Examine) -> None:
    laws = [HALF, THIRD, Dist.bernoulli("1/6")]
    found = examine(claim(*order, guarantee=PureDP("ln(2)")), [laws[i] for i in order])
    assert isinstance(found.verdict(digests(found)), Verified)
    tight = answers(claim(*order, guarantee=PureDP("ln(199/100)")), [laws[i] for i in order], False)
    assert [(order[a], order[b]) for a, b in tight] == [(1, 2)]
