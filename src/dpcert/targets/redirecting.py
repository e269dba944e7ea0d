"""`dpcert.redirect`: code that takes its randomness from modules, audited as it stands."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.floating.routing import Routing, routing
from dpcert.mechanisms.watch import own_modules

Function = Callable[..., Any]


def redirect(what: Any = None) -> Any:
    """Route the randomness of modules to coins: of `random`, `secrets`, `os.urandom` and `numpy.random`.

    `@dpcert.redirect()` on a function (input, ...) makes a function (input, coins, ...) of it, in which the names of
    these modules mean the coins, also where the function's own modules import them by name, and so do the generators
    that these modules hold in globals. A parameter after the input that is named `rng` gets a numpy Generator on the
    coins. With `with dpcert.redirect(coins):` the names of the modules themselves mean the coins inside.

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


def _inside(coins: Coins) -> AbstractContextManager[object]:
    return routing([]).to(coins)


def _function(function: Function) -> Function:
    found: list[Routing] = []
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    takes_rng = [parameter.name for parameter in parameters][1:2] == ["rng"]

    @functools.wraps(function)
    def redirected(value: Any, coins: Coins, /, **settings: Any) -> Any:
        if not found:
            found.append(routing(own_modules(function)))
        with found[0].to(coins) as stand_ins:
            if takes_rng:
                return function(value, stand_ins.generator_on(coins), **settings)
            return function(value, **settings)

    kind, named, any_named = (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    )
    rest = [
        parameter if parameter.kind is any_named else parameter.replace(kind=named)
        for parameter in parameters[1 + takes_rng :]
        if parameter.kind is not inspect.Parameter.VAR_POSITIONAL
    ]
    given = [inspect.Parameter("input", kind), inspect.Parameter("coins", kind), *rest]
    redirected.__dict__["__redirects__"] = function
    redirected.__dict__["__signature__"] = inspect.Signature(given)
    return redirected
