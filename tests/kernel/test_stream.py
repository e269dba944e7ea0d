"""Evidence for the stream of examine.py: pairs are bits, laws beyond a budget are asked for again, nothing is lost."""

import random
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.examine import BUDGET, Examination, Undecided, Verified, marked, memory, stream
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable

CHANGED = r"^computed a second time, a law differs: the program keeps hidden state$"
WIDE, NARROW = ApproxDP("ln(3)", "3/5"), ApproxDP("ln(3)", "1/3")


def any_two(count: int) -> Claim:
    return Claim("m", (), tuple(range(count)), RELATIONS["any"], WIDE)


def among(count: int, related: set[tuple[int, int]]) -> Claim:
    """The claim on so many inputs of which these are neighbours."""

    def near(a: int, b: int) -> bool:
        return (a, b) in related

    return Claim("m", (), tuple(range(count)), custom(near), WIDE)


def window(count: int, reach: int) -> Claim:
    return among(count, {(a, b) for a in range(count) for b in range(count) if a < b <= a + reach})


def some_claims() -> Iterator[Claim]:
    """Claims with relations by chance, from none to any two."""
    toss = random.Random(7)
    for count in range(2, 9):
        for chance in (0.15, 0.4, 0.8, 1):
            yield among(count, {pair for pair in permutations(range(count), 2) if toss.random() < chance})


def laws_of(count: int) -> list[Dist]:
    """Laws of 2 to 4 outcomes, no two the same."""
    weights = [[7 + i, 8, 9, 10][: 2 + i % 3] for i in range(count)]
    return [Dist.from_weights(enumerate(row), sum(row)) for row in weights]


class Given:
    """Laws by position, noting which are asked for."""

    def __init__(self, laws: Sequence[Dist]) -> None:
        self.laws = laws
        self.asked: list[int] = []

    def __call__(self, position: int) -> Dist:
        self.asked.append(position)
        return self.laws[position]


def listed(asked: Claim, laws: Callable[[int], Dist]) -> list[tuple[int, int]]:
    """What `stream` does within its budget: the pairs as a list, and each law dropped after its last one."""
    pairs = list(asked.pairs())
    last = {i: place for place, pair in enumerate(pairs) for i in pair}
    held: dict[int, Dist] = {}
    for place, pair in enumerate(pairs):
        for i in pair:
            if i not in held:
                held[i] = laws(i)
        for i in pair:
            if last[i] == place:
                del held[i]
    for i in range(len(asked.inputs)):
        if i not in last:
            laws(i)
    return pairs


# -- pairs as bits


def test_exact_twin_bits_are_the_pairs_of_the_claim() -> None:
    for asked in some_claims():
        found, pairs = Examination(asked), list(asked.pairs())
        assert [pair for later, row in found.open.items() for pair in marked(later, row)] == pairs
        assert found.pairs == len(pairs)
        positions = [*range(-3, len(asked.inputs) + 3), 10**17, -(10**17)]
        for a in positions:
            for b in positions:
                assert found.related(a, b) is ((a, b) in pairs)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_examined_in_any_order_and_each_once(seed: int) -> None:
    asked = window(6, 3)
    found, pairs = Examination(asked), list(asked.pairs())
    for position, law in enumerate(laws_of(6)):
        found.law(position, law)
    random.Random(seed).shuffle(pairs)
    again = [law.digest() for law in laws_of(6)]
    for pair in pairs:
        assert isinstance(found.verdict(again), Undecided)
        answer = found.pair(*pair)
        assert (answer.a, answer.b) == pair
        assert found.related(*pair)
        with pytest.raises(ValueError, match="no open pair"):
            found.pair(*pair)
    verdict = found.verdict(again)
    assert isinstance(verdict, Verified)
    assert verdict.pairs == len(pairs)


def test_a_relation_that_changes_its_mind_is_held_to_its_first_answers() -> None:
    left = [True, False, True]

    def fickle(a: int, b: int) -> bool:
        return bool(left) and left.pop(0)

    found = Examination(Claim("m", (), (0, 1), custom(fickle), WIDE))
    assert left == [False, True]
    given = Given(laws_of(2))
    assert [(answer.a, answer.b) for answer, _, _ in stream(found, given)] == [(0, 1), (1, 0)]
    assert left == [False, True]
    assert found.related(0, 1)


def test_160000_pairs_take_a_bit_each_and_not_a_row_of_a_list() -> None:
    asked = any_two(401)
    tracemalloc.start()
    found = Examination(asked)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.pairs == 160_400
    assert peak < 300_000


def test_the_rows_of_near_neighbours_are_short_wherever_they_are() -> None:
    found = Examination(Claim("m", (), tuple(range(300)), RELATIONS["element"], WIDE))
    assert set(found.open.values()) == {0b1100}


# -- laws beyond a budget


def test_exact_twin_within_the_budget_laws_and_pairs_come_in_the_order_of_a_list() -> None:
    for asked in some_claims():
        laws = laws_of(len(asked.inputs))
        given, twin = Given(laws), Given(laws)
        found = [(answer.a, answer.b) for answer, _, _ in stream(Examination(asked), given)]
        assert (found, given.asked) == (listed(asked, twin), twin.asked)


@pytest.mark.parametrize("guarantee", [WIDE, NARROW], ids=["within", "violated"])
@pytest.mark.parametrize("held", range(9))
def test_exact_twin_beyond_the_budget_the_same_pairs_verdict_and_digests(held: int, guarantee: ApproxDP) -> None:
    for asked in (replace(asked, guarantee=guarantee) for asked in some_claims()):
        count = len(asked.inputs)
        given = Given(laws_of(count))
        sizes = [memory(law) for law in given.laws]
        budget = held * max(sizes) // 2
        found = Examination(asked)
        pairs = []
        for answer, p, q in stream(found, given, budget=budget):
            assert p is given.laws[answer.a]
            assert q is given.laws[answer.b]
            assert found.held[answer.a] is p
            assert found.held[answer.b] is q
            pairs.append((answer.a, answer.b))
            assert sum(sizes[position] for position in found.held) <= budget + 2 * max(sizes)
        assert sorted(pairs) == sorted(asked.pairs())
        assert (set(found.open.values()) <= {0}, found.held) == (True, {})
        whole = Examination(asked)
        for _ in stream(whole, given.laws.__getitem__):
            pass
        again = [law.digest() for law in given.laws]
        assert found.verdict(again) == whole.verdict(again)
        assert (found.digests, found.tail, found.answers) == (whole.digests, whole.tail, whole.answers)
        assert isinstance(found.verdict(again), Verified) is (found.pairs > 0 and guarantee is WIDE)


def calls(count: int, block: int) -> int:
    """How many laws are asked for where any two of so many inputs meet: those left, in passes of a block each."""
    return sum(range(count, 1, -block))


@pytest.mark.parametrize("block", range(1, 9))
@pytest.mark.parametrize("count", range(2, 8))
def test_where_any_two_meet_each_pass_asks_for_the_laws_that_are_left_once(count: int, block: int) -> None:
    given = Given([Dist.bernoulli(Fraction(1, 3))] * count)
    found = Examination(any_two(count))
    for _ in stream(found, given, budget=block * memory(given.laws[0])):
        assert len(found.held) <= block + 1
    assert len(given.asked) == calls(count, block)
    passes = [list(range(first, count)) for first in range(0, count - 1, block)]
    assert given.asked == [position for row in passes for position in row]


def test_a_budget_of_one_byte_more_keeps_one_law_more() -> None:
    law = Dist.bernoulli(Fraction(1, 3))
    for budget, asked in ((2 * memory(law), 4 + 2), (2 * memory(law) + 1, 4), (3 * memory(law), 4)):
        given = Given([law] * 4)
        for _ in stream(Examination(any_two(4)), given, budget=budget):
            pass
        assert len(given.asked) == asked


def test_near_neighbours_are_asked_for_once_if_the_budget_holds_their_window() -> None:
    law = Dist.bernoulli(Fraction(1, 3))
    for held, asked in ((5, 30), (4, 30), (1, 57)):
        given = Given([law] * 30)
        for _ in stream(Examination(window(30, 2)), given, budget=held * memory(law)):
            pass
        assert len(given.asked) >= asked
        if held > 3:
            assert given.asked == list(range(30))


def test_a_law_without_a_neighbour_is_asked_for_once_whatever_the_budget() -> None:
    asked = among(5, {(0, 2), (2, 4)})
    given = Given(laws_of(5))
    found = Examination(asked)
    for _ in stream(found, given, budget=1):
        pass
    assert given.asked == [0, 2, 2, 4, 1, 3]
    assert found.held == {}
    assert sorted(found.digests) == [0, 1, 2, 3, 4]


def test_caught_program_whose_law_differs_when_it_is_asked_for_again() -> None:
    first, second = Dist.bernoulli(Fraction(1, 3)), Dist.bernoulli(Fraction(1, 2))
    for changed in range(1, 4):
        asked: list[int] = []

        def law_of(position: int, changed: int = changed, asked: list[int] = asked) -> Dist:
            asked.append(position)
            return second if position == changed and asked.count(position) == 2 else first

        found = Examination(any_two(4))
        with pytest.raises(Unauditable, match=CHANGED):
            for _ in stream(found, law_of, budget=1):
                pass
        assert asked.count(changed) == 2
        assert isinstance(found.verdict([first.digest()] * 4), Undecided)
        done = Examination(any_two(4))
        asked.clear()
        for _ in stream(done, law_of):
            pass
        assert isinstance(done.verdict([first.digest()] * 4), Verified)


def test_the_memory_of_a_law_goes_by_its_outcomes_their_length_and_the_digits_of_its_weights() -> None:
    assert memory(Dist.point(0)) == 150 + 9 * 8
    assert memory(Dist.uniform(8)) == 8 * (150 + 9 * 8)
    assert memory(Dist.of({}, tail=1)) == 0
    assert memory(Dist.from_weights([(0, 1), (1, (1 << 800) - 1)], 1 << 800)) == 2 * (150 + 9 * 8 + 100)
    text = "x" * 1000
    late = [*range(99), text], [*range(100), text]
    for outcomes, longest in zip(late, (1000, 0), strict=True):
        grown = memory(Dist.uniform(outcomes)) - len(outcomes) * 150
        assert (grown > 9 * 1000 * len(outcomes)) is (longest == 1000)


def test_the_budget_is_a_gigabyte_and_a_half() -> None:
    assert BUDGET == 1.5 * 2**30
    law = Dist.uniform(1000)
    assert 6_000_000 < BUDGET // (memory(law) // 1000) < 8_000_000
