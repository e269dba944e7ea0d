"""`dpcert.redirect`: a function that takes its randomness from modules as a program (input, coins)."""

import inspect
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.reading.paths.routed import GENERATORS, routed
from dpcert.targets.taken import NOTHING, taken

NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def redirect(what: Any = None) -> Any:
    """Return a function (input, ...) as a program (input, coins, ...): the random numbers of modules come from coins.

    A target does this by itself. A second parameter that is named `rng`, or annotated as a generator of `random` or
    numpy, gets such a generator.

    Raises: InputError for anything but a function.
    """
    if what is None:
        return redirect
    if not callable(what) or isinstance(what, type):
        raise InputError(
            given=f"dpcert.redirect of a {type(what).__name__}",
            needed="a function (input, ...)",
            remedy="write @dpcert.redirect() above it",
        )
    return _function(what)


def _function(function: Callable[..., Any]) -> Callable[..., Any]:
    parameters = list(inspect.signature(function).parameters.values())
    takes = taken(function, [parameter.name for parameter in parameters[2:] if parameter.kind in NAMED])
    takes = takes if takes in GENERATORS else NOTHING
    redirected = routed(function, takes, told=False)
    kind, any_named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_KEYWORD
    rest = [
        parameter if parameter.kind is any_named else parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in parameters[1 + (takes in GENERATORS) :]
        if parameter.kind is not inspect.Parameter.VAR_POSITIONAL
    ]
    given = [inspect.Parameter("input", kind), inspect.Parameter("coins", kind), *rest]
    redirected.__dict__["__redirects__"] = function
    redirected.__dict__["__signature__"] = inspect.Signature(given)
    return redirected
