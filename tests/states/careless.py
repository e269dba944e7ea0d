"""Programs that keep state where no variable of a frame, no closure and no global of a function shows it."""

from __future__ import annotations

import enum
import operator
import os
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dpcert.mechanisms.exact.coins import Coins

LIMIT = 5
SETTINGS: Any = types.ModuleType("settings_of_careless")
PACKAGE: Any = types.ModuleType("package_of_careless")
vars(PACKAGE)["inner"] = SETTINGS
MODULES = [SETTINGS]
COUNTS: dict[int, int] = {}
THIS = types.ModuleType("this")  # a file of the user's that has the name of a module of the standard library
THIS.__file__ = f"{os.sep}home{os.sep}user{os.sep}this.py"
THIS_COUNT = [0]
vars(THIS)["THIS_COUNT"] = THIS_COUNT
POLYNOMIAL: Any = np.poly1d([1.0, 2.0])
VECTORIZED: Any = np.vectorize(lambda v: v)


def _there(function: Any) -> Callable[[], Any]:
    return types.FunctionType(function.__code__, vars(THIS))


def _set() -> None:
    THIS_COUNT[0] = 0


def _add() -> None:
    THIS_COUNT[0] += 1


def _get() -> int:
    return THIS_COUNT[0]


zero, more, found = map(_there, (_set, _add, _get))


class Meta(type):
    """A class of classes with a list."""

    log: ClassVar[list[int]] = []


class Logged(metaclass=Meta):
    """A class whose class keeps a list."""


class Mode(enum.Enum):
    """A member that counts, by itself and by a global that its methods alone name."""

    A = 1

    def reset(self) -> None:
        COUNTS[self.value] = 0

    def more(self) -> None:
        COUNTS[self.value] += 1

    def count(self) -> int:
        return COUNTS[self.value]


class Machine:
    """A thing with a step that is exchanged while it waits."""

    step: Callable[..., Any]


def wait(coins: Coins) -> int:
    while coins.below(2):
        pass
    return 0


def first(_: Any) -> int:
    return 1


def second(_: Any) -> int:
    return 2


def waited(machine: Machine, coins: Coins) -> int:
    machine.step = first
    while coins.below(2):
        pass
    return 0


def made(number: int) -> Callable[[Machine, Coins], int]:
    def step(machine: Machine, coins: Coins) -> int:
        machine.step = made(0)
        while coins.below(2):
            pass
        return number

    return step


def in_a_module_of_a_module(x: Any, coins: Coins) -> Any:
    PACKAGE.inner.n = 0
    while coins.below(2):
        PACKAGE.inner.n += 1
    return PACKAGE.inner.n >= LIMIT


def in_a_module_of_a_list(x: Any, coins: Coins) -> Any:
    MODULES[0].n = 0
    while coins.below(2):
        MODULES[0].n += 1
    return MODULES[0].n >= LIMIT


def in_an_imported_module(x: Any, coins: Coins) -> Any:
    import settings_of_careless as kept

    kept.n = 0
    while coins.below(2):
        kept.n += 1
    return kept.n >= LIMIT


def _more() -> None:
    import settings_of_careless as kept

    kept.n += 1


def _zero() -> int:
    import settings_of_careless as kept

    before: int = getattr(kept, "n", 0)
    kept.n = 0
    return before


def in_a_module_that_callees_import(x: Any, coins: Coins) -> Any:
    _zero()
    while coins.below(2):
        _more()
    return _zero() >= LIMIT


def in_a_module_named_as_a_library(x: Any, coins: Coins) -> Any:
    zero()
    while coins.below(2):
        more()
    return found() >= LIMIT


def in_a_class_of_a_class(x: Any, coins: Coins) -> Any:
    Logged.log.clear()
    while coins.below(2):
        Logged.log.append(1)
    return len(Logged.log) >= LIMIT


def in_a_member(x: Any, coins: Coins) -> Any:
    x.hits = 0
    while coins.below(2):
        x.hits += 1
    return x.hits >= LIMIT


def in_methods_of_a_member(x: Any, coins: Coins) -> Any:
    x.reset()
    while coins.below(2):
        x.more()
    return x.count() >= LIMIT


def in_a_polynomial(x: Any, coins: Coins) -> Any:
    POLYNOMIAL.coeffs[0] = 0.0
    while coins.below(2):
        POLYNOMIAL.coeffs[0] += 1.0
    return bool(POLYNOMIAL.coeffs[0] >= LIMIT)


def in_a_vectorized_function(x: Any, coins: Coins) -> Any:
    VECTORIZED.n = 0
    while coins.below(2):
        VECTORIZED.n += 1
    return VECTORIZED.n >= LIMIT


def in_a_file(x: Any, coins: Coins) -> Any:
    file = Path(os.devnull).parent / "shm" / f"careless-{os.getpid()}"
    file.write_text("0")
    while coins.below(2):
        file.write_text(f"{int(file.read_text()) + 1}")
    count = int(file.read_text())
    file.unlink()
    return count >= LIMIT


HOME = os.getcwd()


def in_the_working_folder(x: Any, coins: Coins) -> Any:
    n = 0
    os.chdir(HOME)
    while coins.below(2):
        n = min(n + 1, LIMIT)
        if n == LIMIT:
            os.chdir(os.sep)
    n = 0
    wait(coins)
    away = os.getcwd() == os.sep
    os.chdir(HOME)
    return away


def _machine(coins: Coins, ways: list[Any]) -> Machine:
    machine = Machine()
    machine.step = ways[coins.below(4)]
    return machine


def in_a_step_on_the_stack(x: Any, coins: Coins) -> Any:
    machine = _machine(coins, [first, first, second, second])
    return machine.step(waited(machine, coins))


def in_the_closure_that_runs(x: Any, coins: Coins) -> Any:
    machine = _machine(coins, [made(1), made(1), made(2), made(3)])
    return machine.step(machine, coins)


def in_a_shared_variable_on_the_stack(x: Any, coins: Coins) -> Any:
    def running(step: Callable[[int], int]) -> Callable[[], int]:
        def draw() -> int:
            nonlocal step
            step = first
            while coins.below(2):
                pass
            return 0

        def run() -> int:
            return step(draw())

        return run

    ways = [running(first), running(first), running(second), running(second)]
    run = ways[coins.below(4)]
    ways = []
    return run()


def in_which_nan_it_is(x: Any, coins: Coins) -> Any:
    nan = float("nan")
    chosen = [nan, nan, float("nan"), float("nan")][coins.below(4)]
    kept = [nan]
    wait(coins)
    return chosen in kept


def in_which_number_it_is(x: Any, coins: Coins) -> Any:
    big = 10**20 + int(coins.below(1))
    chosen = [big, big, big + 1 - 1, big + 1 - 1][coins.below(4)]
    wait(coins)
    return operator.is_(chosen, big)
