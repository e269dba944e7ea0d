"""`dpcert.redirect`: code that takes its randomness from modules, audited as it stands."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from dpcert.audit.coverage import code_of
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.floating.held import Holder, instances
from dpcert.mechanisms.floating.routing import ROUTED, Routed, routing
from dpcert.mechanisms.floating.stand_ins import StandIns
from dpcert.mechanisms.watch import own_modules
from dpcert.targets.taken import NOTHING, RANDOM, RNG, STATE, taken

Function = Callable[..., Any]

NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

STAND_INS: dict[str, Callable[[StandIns, Coins], Any]] = {
    RNG: lambda stand_ins, coins: stand_ins.generator_on(coins),
    STATE: lambda stand_ins, coins: stand_ins.state_on(coins),
    RANDOM: lambda stand_ins, coins: stand_ins.random_on(coins),
}
"""What a function gets beside its input, by what it takes."""


def redirect(what: Any = None) -> Any:
    """Route the randomness of modules to coins: of `random`, `secrets`, `os.urandom` and `numpy.random`.

    `@dpcert.redirect()` on a function (input, ...) makes a function (input, coins, ...) of it, in which the names of
    these modules mean the coins, also where the function's own modules import them by name, and so do the generators
    that these modules hold in globals. A parameter after the input that is named `rng`, or annotated as a generator of
    `random` or numpy, gets such a generator on the coins. With `with dpcert.redirect(coins):` the names of the modules
    themselves mean the coins inside.

    What cannot be routed is refused by name when it is called.

    Raises: InputError for anything but a function or coins.
    """
    if what is None:
        return redirect
    if isinstance(what, Coins):
        return _inside(what)
    if not callable(what) or isinstance(what, type):
        raise InputError(
            given=f"dpcert.redirect of a {type(what).__name__}",
            needed="a function (input, ...), or coins",
            remedy="write @dpcert.redirect() above it",
        )
    return _function(what)


def holders(program: object) -> list[Holder]:
    """Return what holds a program's own names: its modules, and the instances that it is a method of."""
    spaces = own_modules(program)
    return [*map(Holder, spaces), *instances(program, spaces)]


def routed(function: Function, takes: str, *, told: bool = True) -> Function:
    """Return the function (input, coins, ...) that runs a function which takes no coins with its randomness on them.

    `takes` is what it takes beside its input, as `taken` says. Where it is `told`, it is an assumption of the law that
    what it drew are fair coins.
    """
    _import_numpy(function, takes)
    make = STAND_INS.get(takes)
    found = Routed(function, functools.partial(holders, function), make, takes if make else None, told)

    @functools.wraps(function)
    def program(value: Any, coins: Coins, /, **settings: Any) -> Any:
        return found.run(value, coins, settings)

    ROUTED[program] = found, {}
    return program


def _import_numpy(function: Function, takes: str) -> None:
    """Import numpy where the function needs it, since an import while it runs draws from the system."""
    code = code_of(function)
    if takes in (RNG, STATE) or (code is not None and "numpy" in code.co_names):
        importlib.import_module("numpy")


def _inside(coins: Coins) -> AbstractContextManager[object]:
    return routing([]).to(coins)


def _function(function: Function) -> Function:
    parameters = list(inspect.signature(function).parameters.values())
    takes = taken(function, [parameter.name for parameter in parameters[2:] if parameter.kind in NAMED])
    takes = takes if takes in STAND_INS else NOTHING
    redirected = routed(function, takes, told=False)
    kind, named, any_named = (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    )
    rest = [
        parameter if parameter.kind is any_named else parameter.replace(kind=named)
        for parameter in parameters[1 + (takes in STAND_INS) :]
        if parameter.kind is not inspect.Parameter.VAR_POSITIONAL
    ]
    given = [inspect.Parameter("input", kind), inspect.Parameter("coins", kind), *rest]
    redirected.__dict__["__redirects__"] = function
    redirected.__dict__["__signature__"] = inspect.Signature(given)
    return redirected
