"""Evidence that the type of an undecided draw is refused by name, and that `type` is otherwise itself."""

import builtins
import functools
import sys
from collections.abc import Callable
from contextlib import nullcontext
from types import FunctionType, ModuleType
from typing import Any

import pytest

from dpcert import Coins, Dist, Done, Unauditable, summarize
from dpcert.reading.paths.enumerator import Enumeration, Limits, enumerate_law
from dpcert.reading.paths.watch import own_modules, refuse_hidden_sources

Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]
Program = Callable[[Any, Coins], Any]

REFUSED = "type() of an undecided draw cannot be followed; use isinstance"


def hidden_branch(secret: int, coins: Coins) -> int:
    u = coins.below(2**40)
    if type(u) is not int:
        return 0
    return secret if u == 12345 else 0


def decorated(program: Program) -> Program:
    @functools.wraps(program)
    def wrapper(value: Any, coins: Coins) -> Any:
        return program(value, coins)

    return wrapper


class Callee:
    def __call__(self, value: int, coins: Coins) -> int:
        return self.method(value, coins)

    def method(self, value: int, coins: Coins) -> int:
        return hidden_branch(value, coins)


PROGRAMS: dict[str, Program] = {
    "a function": hidden_branch,
    "decorated": decorated(hidden_branch),
    "cached": functools.lru_cache(hidden_branch),
    "partial": functools.partial(hidden_branch, coins=None),
    "a closure": lambda value, coins: (lambda: hidden_branch(value, coins))(),
    "a method": Callee().method,
    "an object": Callee(),
    "a float": lambda value, coins: value if type(coins.random()) is float and coins.below(9) == 7 else 0,
    "a swallowed signal": lambda value, coins: swallowed(value, coins),
    "a step of fold": lambda value, coins: coins.fold([1], 0, lambda s, i, c: hidden_branch(value, c)),
    "a step of loop": lambda value, coins: coins.loop(0, lambda s, c: Done(hidden_branch(value, c))),
    "a summary": lambda value, coins: summarize(hidden_branch)(value, coins),
    "an outer draw in a step": lambda value, coins: outer(coins.below(2**40), coins),
}
PROGRAMS["partial"] = functools.partial(lambda extra, value, coins: hidden_branch(value, coins), None)


def swallowed(value: int, coins: Coins) -> int:
    try:
        return hidden_branch(value, coins)
    except BaseException:
        return 0


def outer(u: int, coins: Coins) -> Any:
    return coins.fold([1], 0, lambda s, i, c: type(u) is int and c.below(9) == 7)


@pytest.mark.parametrize("name", PROGRAMS)
def test_refused_type_of_a_draw(refusal: Refusal, name: str) -> None:
    refusal(PROGRAMS[name], REFUSED, value=7)
    assert "type" not in globals()


def test_the_refused_program_is_no_constant() -> None:
    """What the refusal is for: replays alone never meet the one value in 2^40 at which the secret shows."""
    assert enumerate_law(lambda secret, coins: secret if coins.below(2**40) == 12345 else 0, 7).law.prob(7) > 0


def test_type_of_plain_values_is_itself(twin: Twin) -> None:
    class Local:
        pass

    def program(_: None, coins: Coins) -> Any:
        u = coins.below(3)
        made = type("Made", (), {"c": 5})
        return (
            u < 1,
            type(int(u)) is int,
            type(Local()).__name__,
            type(int) is type,
            isinstance(int, type),
            isinstance(u, type),
            made().c,
        )

    found = twin(program).law
    rest = (True, "Local", True, True, False, 5)
    assert found == Dist.from_weights([((True, *rest), 1), ((False, *rest), 2)], 3)


def test_modules_that_watch_keep_their_type_beside_a_program_of_their_folder(twin: Twin) -> None:
    def below(u: Any, held: Any = summarize) -> bool:
        try:
            return bool(u < 3)
        except TypeError:
            return False

    twin(lambda _, coins: below(coins.below(9)))


def test_no_module_by_which_a_watch_looks_at_draws_is_the_programs() -> None:
    assert own_modules(summarize) != []
    assert [space for space in own_modules(refuse_hidden_sources) if space["__name__"].startswith("dpcert.")] == []


def test_isinstance_of_a_draw_is_followed(twin: Twin) -> None:
    assert twin(lambda _, coins: isinstance(coins.below(9), int)).law == Dist.point(True)


@pytest.mark.parametrize("end", ["value", "exception", "poison", "cut", "deep"])
def test_globals_are_restored(end: str) -> None:
    seen: list[object] = []

    def program(_: None, coins: Coins) -> Any:
        u = coins.below(2**70)
        seen.append(globals().get("type", builtins.type))
        match end:
            case "exception":
                raise ValueError
            case "poison":
                return type(u)
            case "cut":
                return hash(u)
            case "deep":
                while coins.below(2):
                    pass
        return u < 5

    expected = pytest.raises(Unauditable, match="use isinstance") if end == "poison" else nullcontext()
    with expected:
        enumerate_law(program, None, limits=Limits(max_runs=200))
    assert seen[0] is not type
    assert "type" not in globals()
    assert end in ("poison", "cut") or seen.count(type) > 0  # the replays have the builtin


@pytest.fixture
def neighbour(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module in the folder of this one."""
    module = ModuleType("neighbour")
    module.__file__ = __file__
    monkeypatch.setitem(sys.modules, "neighbour", module)
    return module


def test_refused_in_another_module_of_the_same_folder(refusal: Refusal, neighbour: ModuleType) -> None:
    vars(neighbour)["ask"] = FunctionType(hidden_branch.__code__, vars(neighbour))
    refusal(lambda secret, coins: sys.modules["neighbour"].ask(secret, coins), REFUSED, value=7)
    assert "type" not in vars(neighbour)


def test_a_module_keeps_a_type_of_its_own(neighbour: ModuleType) -> None:
    vars(neighbour)["type"] = kept = lambda u: "mine"
    assert enumerate_law(lambda _, coins: sys.modules["neighbour"].type(coins.below(9)), None).law == Dist.point("mine")
    assert vars(neighbour)["type"] is kept


def test_a_loop_may_end_in_an_outer_draw_that_is_undecided() -> None:
    def program(_: None, coins: Coins) -> Any:
        u = coins.below(6)
        return coins.loop(0, lambda _, c: Done((u, u + 1)) if c.below(2) else 0)

    assert enumerate_law(program, None).law == Dist.uniform([(u, u + 1) for u in range(6)])


def test_a_step_may_raise_an_outer_draw_that_is_undecided() -> None:
    def program(_: None, coins: Coins) -> Any:
        u = coins.below(3)

        def step(state: int, item: int, c: Coins) -> int:
            if c.below(2):
                raise ValueError(u)
            return 9

        try:
            return coins.fold([1], 0, step)
        except ValueError as error:
            return error.args[0]

    assert enumerate_law(program, None).law == Dist.of({0: "1/6", 1: "1/6", 2: "1/6", 9: "1/2"})
