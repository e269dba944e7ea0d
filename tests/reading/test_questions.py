"""Evidence that a call which is read by itself gives the law of calls that are followed within their callers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import calls_alone
import calls_of_methods
import plain_gaussian
import pytest
from oracle import truth_of, unlike
from test_adversaries import MOVED, OWN, found, value_for

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.law import Law
from dpcert.reading import explore, machine, questions
from dpcert.reading.explore import Limits, read_law
from dpcert.reading.solve import Mass

ALONE = (calls_alone, calls_of_methods)
FEW = Limits(states=3_000, tail=Fraction(1, 10**12))


def law_of(program: Callable[..., Any], value: Any, limits: Limits = FEW) -> Law | str:
    try:
        return read_law(program, value, limits).law
    except Unauditable as refusal:
        words = str(refusal)
        return "internal" if "internal" in words else "many" if words.startswith("more than") else "refused"


def without_calls(program: Callable[..., Any], value: Any, limits: Limits = FEW) -> Law | str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "MOST_FRAMES", 0)
        return law_of(program, value, limits)


def agree(one: Law, other: Law) -> bool:
    """Whether two laws can be of one program: equal without a tail, else each within the other's tail."""
    if not one.tail and not other.tail:
        return one == other
    ps, qs = one.scaled(1), other.scaled(1)
    for name in ps.keys() | qs.keys():
        p, q = Fraction(ps.get(name, 0), one.denominator), Fraction(qs.get(name, 0), other.denominator)
        if p > q + other.tail or q > p + one.tail:
            return False
    return one.tail < Fraction(1, 10**9) or one.tail <= 2 * other.tail


@pytest.fixture
def every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have calls of every function read by themselves, not of those alone that have loops."""
    monkeypatch.setattr(machine, "worth_reading", lambda code: not code.host.co_flags & questions.GENERATOR)


@pytest.mark.points(40)
@pytest.mark.usefixtures("every_call")
@pytest.mark.parametrize(("module", "program"), [*found(*OWN, *MOVED, *ALONE)])
def test_the_law_is_that_of_calls_that_are_followed(module: Any, program: Callable[..., Any]) -> None:
    value = 1 if module in ALONE else value_for(module)
    one, other = law_of(program, value), without_calls(program, value)
    if isinstance(one, Law) and isinstance(other, Law):
        assert agree(one, other)
    else:
        assert {one, other} <= {"refused", "many"} or "many" in (one, other)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(("module", "program"), [*found(*ALONE)])
def test_calls_that_look_alike_are_told_apart(
    module: Any, program: Callable[..., Any], every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if every:
        monkeypatch.setattr(machine, "worth_reading", lambda code: not code.host.co_flags & questions.GENERATOR)
    law = law_of(program, 1)
    assert law == "refused" if isinstance(law, str) else not unlike(law, *truth_of(program, 1))


def heads(k: int, coins: Coins) -> int:
    count = 0
    for _ in range(k):
        count += coins.below(2)
    return count


def by_two_calls(n: int, coins: Coins) -> int:
    return heads(n, coins) + heads(n, coins)


def test_equal_calls_are_read_once() -> None:
    reading = read_law(by_two_calls, 9)
    assert reading.law == Dist.binomial(18, "1/2")
    assert reading.states < 9 * 10 / 2 + 9 + 20


def test_a_sampler_of_calls_within_calls() -> None:
    alone = read_law(plain_gaussian.laplace, 2)
    assert alone.law.tail < Fraction(1, 10**30)
    followed = without_calls(plain_gaussian.laplace, 2, Limits(tail=Fraction(1, 10**4)))
    assert isinstance(followed, Law)
    assert agree(alone.law, followed)
    weights = {outcome: weight for _, outcome, weight in alone.law.weights()}
    assert all(weights[k] == weights[-k] for k in range(1, 40))


def test_masses_are_rounded_down_where_some_is_missing() -> None:
    found = questions.weighed([1, 2, 3], [Mass(1, 3), Mass(2, 6), Mass(1, 10**40)], 16)
    assert not found.whole
    assert [value for value, _ in found.values] == [1, 2]
    assert all(0 <= Fraction(1, 3) - Fraction(*mass) < Fraction(1, 1 << 56) for _, mass in found.values)
    whole = questions.weighed([1, 2], [Mass(1, 3), Mass(4, 6)], 16)
    assert whole.whole
    assert sum(Fraction(*mass) for _, mass in whole.values) == 1


def test_a_call_that_leaves_a_tail_leaves_it_to_its_caller() -> None:
    def waiting(coins: Coins) -> int:
        k = 0
        while coins.below(2):
            k += 1
        return k

    def twice(n: int, coins: Coins) -> int:
        return waiting(coins) + waiting(coins)

    law = read_law(twice, 1, Limits(tail=Fraction(1, 1000))).law
    assert 0 < law.tail < Fraction(1, 100)
    probs = {outcome: Fraction(weight, law.denominator) for _, outcome, weight in law.weights()}
    assert all(p <= Fraction(k + 1, 2 ** (k + 2)) for k, p in probs.items())
    assert sum(probs.values()) + law.tail == 1


PLANTED: dict[str, tuple[dict[str, Any], Callable[..., Any]]] = {
    "the error that is handled is forgotten": ({"in_flight": lambda m: False}, calls_alone.called_in_except),
    "what a call leaves is forgotten": ({"is_changed": lambda m: False}, calls_alone.default_grows),
    "globals are forgotten": ({"is_changed": lambda m: False}, calls_alone.global_is_changed),
    "arguments are copied": ({"MOST_RECORDS": 9, "Record": ()}, calls_alone.list_is_handed),
    "shared variables are copied": ({"MOST_RECORDS": 9, "Record": ()}, calls_alone.cell_is_written),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_caught_fault_in_calls_that_are_read_alone(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patches, program = PLANTED[fault]
    for name, planted in patches.items():
        monkeypatch.setattr(questions, name, planted)
    law = law_of(program, 1)
    assert law == "refused" or unlike(law, *truth_of(program, 1))


def test_caught_fault_in_the_values_that_calls_return(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "returned", lambda m: (questions.returned(m)[1] == 0, questions.returned(m)[1]))
    law = law_of(calls_alone.kinds_of_zero, 1)
    assert law == "refused" or unlike(law, *truth_of(calls_alone.kinds_of_zero, 1))
