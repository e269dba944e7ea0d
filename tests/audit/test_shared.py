"""Steps that laws share: the laws are those of an audit that shares none, and a step that is not what it says is found.

The second computation of all laws shares nothing. So a step that depends on more than its arguments has two laws.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert import ApproxDP, Coins, Done, Refuted, Undecided, Verified, summarize
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.shared import Shared

Program = Callable[[Any, Coins], Any]


def subject(program: Program, *inputs: Any) -> Subject:
    return Subject("target", program, inputs, RELATIONS["any"])


@summarize
def doubled(x: int, coins: Coins) -> int:
    return 2 * x + coins.below(4) // 3


def bits(people: tuple[int, ...], coins: Coins) -> int:
    return sum(doubled(person, coins) for person in people) % 3


def walk(n: int, coins: Coins) -> int:
    def step(x: int, coins: Coins) -> int | Done[int]:
        return Done(x % 2) if x > 3 and coins.below(2) else (x + 1) % 7

    return coins.loop(n, step)


def noisy(n: int, coins: Coins) -> int:
    def add(total: int, item: int, coins: Coins) -> int:
        return (total + item * coins.below(3)) % 5

    return coins.fold(range(n), 0, add)


CALLS = [(bits, ((0, 1), (1, 0), (1, 1, 1))), (walk, (0, 2, 4)), (noisy, (1, 2, 5))]


@pytest.mark.parametrize(("program", "inputs"), CALLS)
def test_a_law_with_shared_steps_equals_that_without(program: Program, inputs: tuple[Any, ...]) -> None:
    shared = Shared()
    for value in inputs:
        assert enumerate_law(program, value, shared=shared).law == enumerate_law(program, value).law
    assert shared.used


RUNS: list[int] = []


@summarize
def counted(x: int, coins: Coins) -> int:
    RUNS.append(x)
    return x + coins.below(2)


def total(people: tuple[int, ...], coins: Coins) -> int:
    return sum(counted(person, coins) for person in people)


def test_a_step_is_explored_once_for_equal_arguments() -> None:
    def count(shared: Shared | None) -> int:
        RUNS.clear()
        for value in ((0, 0, 0), (0, 1, 0), (1, 0, 0)):
            enumerate_law(total, value, shared=shared, replay=False)
        return len(RUNS)

    assert count(Shared()) == 4  # two paths of each of two calls
    assert count(None) > 20


K = 0


def of_a_global(n: int, coins: Coins) -> int:
    global K
    K = n

    @summarize
    def step(coins: Coins) -> bool:
        return coins.below(100) < K

    return int(step(coins))


def test_caught_a_step_that_depends_on_a_global_that_is_another_on_each_input() -> None:
    """Shared in one order of inputs and in the other, all laws are one: such a claim would be verified."""
    for inputs in ((1, 2), (1, 2, 3)):
        case = subject(of_a_global, *inputs)
        shared = Shared()
        laws = [enumerate_law(of_a_global, value, shared=shared, replay=False).law for value in case.inputs]
        assert all(law == laws[0] for law in laws)
        found = decide(case, ApproxDP("1/100", 0), again=case.digests)
        assert isinstance(found.verdict, Refuted)
        assert found.worst.p != found.worst.q
    true = subject(of_a_global, 2, 3)
    assert isinstance(decide(true, ApproxDP("ln(3/2)", 0), again=true.digests).verdict, Verified)


def test_caught_a_second_computation_that_shares() -> None:
    """With digests that share as the first laws did, the claim would be verified; so `digests` shares none."""
    case = subject(of_a_global, 1, 2, 3)
    case.reader.shared = Shared()
    first = [case.law(position).digest() for position in range(3)]
    assert len(set(first)) == 1
    assert len(set(case.digests())) == 3
    case.forget()
    assert case.reader.shared is None


def test_a_verdict_without_a_second_computation_is_undecided() -> None:
    case = subject(bits, (0, 1), (1, 0))
    found = decide(case, ApproxDP("10", 0), again=lambda: None)
    assert isinstance(found.verdict, Undecided)


def at_a_time(n: int, coins: Coins) -> int:
    """Equal code with another content of the closure, and a step that calls itself."""
    more = n + 1

    @summarize
    def step(coins: Coins) -> int:
        return coins.below(2) * more

    def again(depth: int, coins: Coins) -> int:
        return depth if not depth or coins.below(2) else again(depth - 1, coins)

    return step(coins) + summarize(again)(2, coins)


def test_steps_that_hold_something_else_are_not_shared() -> None:
    shared = Shared()
    for n in (0, 1, 5):
        assert enumerate_law(at_a_time, n, shared=shared).law == enumerate_law(at_a_time, n).law


def test_a_step_that_holds_an_undecided_draw_is_not_shared() -> None:
    def program(n: int, coins: Coins) -> Any:
        u = coins.below(9)

        def step(state: int, item: int, coins: Coins) -> Any:
            return (u < 3 + item) + coins.below(2)

        return coins.fold((n, n), 0, step), u < 5

    shared = Shared()
    for n in (0, 1, 0):
        assert enumerate_law(program, n, shared=shared).law == enumerate_law(program, n).law
    assert not shared.used


def test_steps_that_raise_or_leave_a_tail_are_not_shared() -> None:
    @summarize
    def raises(coins: Coins) -> int:
        return 1 // coins.below(2)

    @summarize
    def endless(coins: Coins) -> int:
        n = 0
        while coins.below(2):
            n += 1
        return n

    for step in (raises, endless):
        shared = Shared()
        for _ in range(2):
            found = enumerate_law(lambda _, coins, step=step: step(coins), None, shared=shared, merge=False)
            assert (found.law.tail > Fraction(0)) == (step is endless) == bool(found.notes)
        assert not shared.used
