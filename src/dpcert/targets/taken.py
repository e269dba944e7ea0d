"""What a function takes beside its input: coins, a generator of `random` or numpy, or nothing."""

import functools
import inspect
import random
import re
from collections.abc import Callable, Iterable
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.asked import asked_of

COINS, RNG, RANDOM, STATE, NOTHING = "coins", "rng", "random", "state", "nothing"
WORDS = {
    RNG: "a numpy Generator",
    RANDOM: "a random.Random",
    STATE: "a numpy RandomState",
    COINS: "coins, as of dpcert.system_coins()",
}
"""The argument beside the input, in words."""
ANNOTATED = {"Random": RANDOM, "Generator": RNG, "RandomState": STATE, "Coins": COINS, "SystemRandom": COINS}
OF_NO_GENERATOR = re.compile(r"\b(typing|abc|collections\.abc)\.(Async)?Generator\b")


def taken(function: Callable[..., Any], grid: Iterable[str] = ()) -> str:
    """Return what a function takes beside its input and the parameters of a grid.

    The second parameter shows it by its annotation, else by the methods that the function calls on it, else by its
    name: `rng` is a numpy Generator, any other name is coins. The name `coins` means coins, whatever the annotation.
    A second parameter of another name that has a default, such as 1.0, is a setting.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return COINS
    try:
        signature.bind(None, None, **dict.fromkeys(grid))
    except TypeError:
        return NOTHING
    second = next(iter(list(signature.parameters.values())[1:2]), None)
    if second is None or second.name == "coins":
        return COINS
    named = _annotated(second.annotation)
    if named is None and second.name != "rng" and second.default not in (inspect.Parameter.empty, None):
        return NOTHING
    if named is None and (asked := asked_of(function, second.name)) is not None:
        return ANNOTATED[asked[0].__name__]
    return named or (RNG if second.name == "rng" else COINS)


def guessed(function: Callable[..., Any], takes: str) -> str | None:
    """Return in words why a function gets a generator that only its calls show; None where it gets another thing."""
    if takes in (COINS, NOTHING):
        return None
    second = list(inspect.signature(function).parameters.values())[1]
    asked = None if _annotated(second.annotation) else asked_of(function, second.name)
    return asked and f"{second.name} is {WORDS[takes]}, as {asked[1]} asks for one; an annotation says so for certain"


def as_if(program: Callable[..., Any], function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Return a program with the parameters and the name of a function, or with another name."""
    functools.update_wrapper(program, function, assigned=("__module__", "__name__", "__doc__"), updated=())
    program.__name__ = program.__qualname__ = str(name or getattr(function, "__name__", type(function).__name__))
    return program


def handed(function: Callable[..., Any], takes: str) -> str:
    """Return in words what a function gets beside its input, by its parameter's name where it is known."""
    if takes == NOTHING:
        return "it is handed the input alone"
    try:
        name = list(inspect.signature(function).parameters)[1]
    except (TypeError, ValueError, IndexError):
        return f"it is handed {WORDS[takes]}"
    return f"{name} is {WORDS[takes]}"


def plain(takes: str, coins: Coins) -> tuple[Any, ...]:
    """Return the arguments beside the input on a plain run: a real generator, seeded by coins; coins; or none."""
    if takes == NOTHING:
        return ()
    if takes == COINS:
        return (coins,)
    if takes == RANDOM:
        return (random.Random(coins.getrandbits(256)),)
    import numpy.random

    return (
        numpy.random.default_rng(coins.getrandbits(128))
        if takes == RNG
        else numpy.random.RandomState(coins.getrandbits(32)),
    )


def _annotated(annotation: Any) -> str | None:
    """Return the source of randomness that an annotation names, a class or a text, also inside `Random | None`."""
    if annotation is inspect.Parameter.empty:
        return None
    text = str(annotation)
    if isinstance(annotation, type):
        text = f"{annotation.__module__}.{annotation.__qualname__}"
    words = re.findall(r"\w+", OF_NO_GENERATOR.sub("", text))
    return next((ANNOTATED[word] for word in words if word in ANNOTATED), None)
