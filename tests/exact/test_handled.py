"""Evidence for handled.py: errors that undecided draws alone raise are refused, also where the program handles them.

Each program of `HANDLED` is, at every value but one, as if code in C had not been asked; no replay has that value.
"""

import contextlib
import dataclasses
import dis
import heapq
import inspect
import statistics
import sys
import typing
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from operator import methodcaller
from types import CodeType, ModuleType
from typing import Any

import pytest

from dpcert import Coins, Dist
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.handled import Errors

from .tricks import Refusal, Twin

RARE, MANY = 321, 1000
ALONE = "code in C raises TypeError, which no replay met"
BY_NAME = "is called by name, which in C takes an undecided draw for no number; write the operator"


def handled(holds: Callable[[Any], object]) -> Callable[[Any, Coins], bool]:
    def program(_: object, coins: Coins) -> bool:
        u = coins.below(MANY)
        try:
            return bool(holds(u))
        except TypeError:
            return False

    return program


def suppressed(_: object, coins: Coins) -> bool:
    u, found = coins.below(MANY), False
    with contextlib.suppress(TypeError):
        found = Decimal(u) == RARE
    return found


def dropped_by_a_list(_: object, coins: Coins) -> int:
    u, seen = coins.below(MANY), []

    class Sized:
        def __len__(self) -> int:
            if Decimal(u) == RARE:
                seen.append(1)
            return 0

        def __iter__(self) -> Any:
            return iter(())

    list(Sized())
    return len(seen)


def at_a_line_that_raises_on_another_path(_: object, coins: Coins) -> bool:
    part: Any = coins.below(MANY) if coins.below(2) else []
    try:
        return Decimal(part) == RARE
    except (TypeError, ValueError):
        return False


def in_a_loop(_: object, coins: Coins) -> int:
    found = 0
    for _ in range(12):
        u = coins.below(MANY)
        with contextlib.suppress(TypeError):
            found += Decimal(u) == RARE
    return found


HANDLED: dict[str, tuple[Callable[[Any, Coins], Any], str]] = {
    "a Decimal": (handled(lambda u: Decimal(u) == RARE), ALONE),
    "a Decimal of a float": (handled(lambda u: Decimal(u / 2) == RARE), ALONE),
    "a Decimal that escapes": (lambda _, coins: Decimal(coins.below(MANY)) == RARE, ALONE),
    "a date": (handled(lambda u: timedelta(days=u).days == RARE), ALONE),
    "a power": (handled(lambda u: pow(2, u, MANY + 1) == pow(2, RARE, MANY + 1)), ALONE),
    "suppress": (suppressed, ALONE),
    "len in list": (dropped_by_a_list, ALONE),
    "a line that raises": (at_a_line_that_raises_on_another_path, ALONE),
    "a loop": (in_a_loop, ALONE),
    "a method of a number": (handled(lambda u: (RARE).__eq__(u) is True), BY_NAME),
    "a method of int": (handled(lambda u: int.__eq__(RARE, u) is True), BY_NAME),
    "a method by its text": (handled(lambda u: methodcaller("__eq__", u)(RARE) is True), BY_NAME),
    "a method of a float": (handled(lambda u: (RARE + 0.5).__eq__(u + 0.5) is True), BY_NAME),
}


@pytest.mark.parametrize("name", HANDLED)
def test_refused_error_of_an_undecided_draw_that_the_program_handles(refusal: Refusal, name: str) -> None:
    program, words = HANDLED[name]
    refusal(program, "test_handled.py:", words)


@pytest.mark.parametrize("name", ["a Decimal", "suppress", "a method of int"])
def test_without_the_watch_such_a_law_is_false(name: str) -> None:
    assert exact_law(HANDLED[name][0], None).law == Dist.uniform(1).map(lambda _: False)


def looked_up(_: object, coins: Coins) -> int:
    try:
        return {0: 5, 1: 7}[coins.below(3)]
    except KeyError:
        return 9


def converted(_: object, coins: Coins) -> int:
    try:
        return int("12x"[: coins.below(4)])
    except ValueError:
        return 9


def raised_on_purpose(_: object, coins: Coins) -> object:
    found = []
    for _ in range(3):
        try:
            if coins.below(9) < 2:
                raise ValueError("too small")
        except ValueError as error:
            found.append(str(error))
        finally:
            found.append("")
    return tuple(found)


def of_a_none(_: object, coins: Coins) -> int:
    part: Any = None if coins.below(2) else 5
    try:
        return part + coins.below(3)
    except TypeError:
        return -1


@pytest.mark.parametrize(
    "program", [looked_up, converted, raised_on_purpose, of_a_none], ids=lambda each: each.__name__
)
def test_exact_twin_of_a_program_that_handles_errors(twin: Twin, program: Callable[..., Any]) -> None:
    twin(program)


def test_choices_handle_errors_of_their_own(law: Callable[..., Dist]) -> None:
    found = law(lambda coins: coins.choices("ab", weights=[1, 3])[0])
    assert found.prob("a") == Fraction(1, 4)


def test_an_error_of_a_run_that_is_given_up_does_not_count() -> None:
    def program(_: object, coins: Coins) -> int:
        if coins.below(2):
            return 1
        try:
            return int(Decimal(coins.below(MANY)))
        except TypeError:
            return {0.5: 2}.get(coins.random(), 3)

    of_one = Fraction(1, 2 * MANY)
    rows = [(i, of_one + (Fraction(1, 2) if i == 1 else 0)) for i in range(MANY)]
    assert enumerate_law(program, None).law == Dist.of(rows)


def test_an_active_tracer_is_set_again(law: Callable[..., Dist]) -> None:
    before = sys.gettrace()
    law(lambda coins: looked_up(None, coins))
    assert sys.gettrace() is before


def codes_of(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_of(each)


@pytest.mark.parametrize("module", [contextlib, dataclasses, heapq, inspect, statistics, typing])
def test_a_handler_that_does_not_begin_to_handle_raises_again(module: ModuleType) -> None:
    """But for those of `yield from`, which end a StopIteration."""
    for code in codes_of(compile(inspect.getsource(module), "module", "exec")):
        made = list(dis.get_instructions(code))
        for entry in vars(dis.Bytecode(code))["exception_entries"]:
            names = [each.opname for each in made if each.offset >= entry.target]
            last = next(i for i, name in enumerate(names) if name == "RERAISE" or "JUMP" in name or "RETURN" in name)
            begins = {"PUSH_EXC_INFO", "CLEANUP_THROW"}
            assert names[0] in begins or (names[last] == "RERAISE" and begins.isdisjoint(names[: last + 1]))


def test_a_comprehension_handles_no_error_and_a_try_statement_does() -> None:
    def plain() -> Iterator[list[int]]:
        yield [2 * each for each in (1, 2)]

    def catching() -> Iterator[int]:
        with contextlib.suppress(TypeError):
            yield 1

    for generator, handles in ((plain(), False), (catching(), True)):
        errors = Errors()
        errors.enter(generator.gi_frame)
        assert errors.handles is handles
