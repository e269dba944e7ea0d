"""Evidence for passes.py: each law is held for as long as it is needed, beyond a budget asked for again, none lost."""

import gc
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from given_laws import each_pair, examination

from dpcert import ApproxDP, Claim, Dist
from dpcert.audit.kernel.examine import WIDTH
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.audit.passes import BUDGET, columns_of, marked, memory
from dpcert.mechanisms.exact.law import Law

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
    """What `examined` does within its budget: the pairs as a list, and each law dropped after its last one."""
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


def claim(*inputs: int) -> Claim:
    """The claim on counts that differ by one."""
    return Claim("m", (), inputs, RELATIONS["counts_differ_by_one"], WIDE)


def test_exact_twin_the_positions_in_a_row_of_bits() -> None:
    for row in range(1 << 8):
        for column in (0, 1, 3):
            assert marked(row, column) == [column * WIDTH + i for i in range(8) if row >> i & 1]


def test_columns_are_those_of_each_input_in_order() -> None:
    assert columns_of({(3, 1): 1, (0, 7): 1, (3, 0): 1}) == {0: [7], 3: [0, 1]}


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        (claim(0, 1, 2, 3), [0, 1, 2, 3]),
        (claim(0, 9, 1, 7, 2), [0, 2, 4, 1, 3]),
        (claim(5, 3, 1), [0, 1, 2]),
        (any_two(3), [0, 1, 2]),
        (claim(), []),
    ],
)
def test_each_law_is_asked_for_once_and_every_pair_answered(asked: Claim, order: list[int]) -> None:
    laws = [Dist.bernoulli(Fraction(1, 2 + i)) for i in range(len(asked.inputs))]
    positions: list[int] = []

    def law_of(position: int) -> Dist:
        positions.append(position)
        return laws[position]

    found = examination(asked, law_of)
    answered = []
    for answer in each_pair(found):
        assert found.held[answer.a] == laws[answer.a]
        assert found.held[answer.b] == laws[answer.b]
        answered.append((answer.a, answer.b))
    assert positions == order
    assert answered == list(asked.pairs())
    assert [digest for _, digest in sorted(found.digests.items())] == [law.digest() for law in laws]
    assert found.held == {}
    assert found.left() == 0


@pytest.mark.nightly
def test_two_laws_are_held_at_a_time_where_counts_differ_by_one() -> None:
    alive = []

    def count() -> int:
        return sum(type(thing) in (Law, Dist) for thing in gc.get_objects())

    def law_of(position: int) -> Dist:
        alive.append(count() - before)
        return Dist.bernoulli(Fraction(1, 2 + position))

    found = examination(claim(*range(6), 20, 30), law_of)
    before = count()
    for _ in each_pair(found):
        assert len(found.held) <= 2
    assert max(alive) == 1
    assert len(alive) == 8
    assert alive[-1] == 0


def test_exact_twin_within_the_budget_laws_and_pairs_come_in_the_order_of_a_list() -> None:
    for asked in some_claims():
        laws = laws_of(len(asked.inputs))
        given, twin = Given(laws), Given(laws)
        found = [(answer.a, answer.b) for answer in each_pair(examination(asked, given))]
        assert (found, given.asked) == (listed(asked, twin), twin.asked)


def calls(count: int, block: int) -> int:
    """How many laws are asked for where any two of so many inputs meet: those left, in passes of a block each."""
    return sum(range(count, 1, -block))


@pytest.mark.parametrize("block", range(1, 9))
@pytest.mark.parametrize("count", range(2, 8))
def test_where_any_two_meet_each_pass_asks_for_the_laws_that_are_left_once(count: int, block: int) -> None:
    given = Given([Dist.bernoulli(Fraction(1, 3))] * count)
    found = examination(any_two(count), given)
    for _ in each_pair(found, budget=block * memory(given.laws[0])):
        assert len(found.held) <= block + 1
    assert len(given.asked) == calls(count, block)
    passes = [list(range(first, count)) for first in range(0, count - 1, block)]
    assert given.asked == [position for row in passes for position in row]


def test_a_budget_of_one_byte_more_keeps_one_law_more() -> None:
    law = Dist.bernoulli(Fraction(1, 3))
    for budget, asked in ((2 * memory(law), 4 + 2), (2 * memory(law) + 1, 4), (3 * memory(law), 4)):
        given = Given([law] * 4)
        for _ in each_pair(examination(any_two(4), given), budget=budget):
            pass
        assert len(given.asked) == asked


def test_near_neighbours_are_asked_for_once_if_the_budget_holds_their_window() -> None:
    law = Dist.bernoulli(Fraction(1, 3))
    for held, asked in ((5, 30), (4, 30), (1, 57)):
        given = Given([law] * 30)
        for _ in each_pair(examination(window(30, 2), given), budget=held * memory(law)):
            pass
        assert len(given.asked) >= asked
        if held > 3:
            assert given.asked == list(range(30))


def test_a_law_without_a_neighbour_is_asked_for_once_whatever_the_budget() -> None:
    asked = among(5, {(0, 2), (2, 4)})
    given = Given(laws_of(5))
    found = examination(asked, given)
    for _ in each_pair(found, budget=1):
        pass
    assert given.asked == [0, 2, 2, 4, 1, 3]
    assert found.held == {}
    assert sorted(found.digests) == [0, 1, 2, 3, 4]


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
