"""A target whose program stands for code of a library, with the assumptions under which it does."""

from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.libraries.steps import WINDOW
from dpcert.reading.floats.assumed import machine
from dpcert.targets.target import Target
from dpcert.targets.target import target as targeted

Relation = Neighbours | str | Callable[[Any, Any], bool]


def monotone() -> str:
    """Return the assumption on code that is cut at its steps."""
    return f"on this machine ({machine()}), the code is monotone in its draw but within {WINDOW} draws of a step"


def adapted(
    program: Callable[..., Any],
    guarantee: ApproxDP,
    inputs: Iterable[Any],
    neighbours: Relation,
    *,
    name: str,
    expect: str = "verified",
    assumptions: Iterable[str] = (),
) -> Target:
    """Return a program as a target that claims a guarantee; its verdicts state the assumptions."""
    program.__name__ = name
    made = targeted(guarantee=guarantee, inputs=inputs, neighbours=neighbours, expect=expect)(program)
    made.assumptions = tuple(assumptions)
    return made


def rebound(function: Any, module: ModuleType, **names: Any) -> Any:
    """Return a function of a module with the same code, in which some names of the module have other meanings."""
    again = FunctionType(function.__code__, {**vars(module), **names}, function.__name__, function.__defaults__)
    again.__kwdefaults__ = function.__kwdefaults__
    return again
