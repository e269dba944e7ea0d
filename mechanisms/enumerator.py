"""The exact law of a program, found by the trusted enumerator while watches look for what it must not do.

The enumerator (`exact/enumerator.py`) is exact for every program that is a function of its input and coins. The
watches (`watch.py`) refuse programs that are caught not to be: a fault in them can miss such a program, but cannot
change the law of an honest one, which is why they are not part of the trusted base.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

from dpcert.mechanisms.exact.enumerator import Enumeration, Program, exact_law
from dpcert.mechanisms.exact.explore import Limits, Watch
from dpcert.mechanisms.watch import (
    GuardedType,
    bound_type,
    own_globals,
    refuse_hidden_randomness,
    refuse_shared_generators,
)

__all__ = ["Enumeration", "Limits", "enumerate_law"]


def enumerate_law(
    program: Program,
    value: Any,
    *,
    limits: Limits | None = None,
    eager: bool = False,
    draws: bool = False,
    reverse: bool = False,
    replay: bool = True,
    observe: Callable[[], AbstractContextManager[object]] | None = None,
) -> Enumeration:
    """Return the exact law of `program(value, coins)` as `exact_law` does, and refuse what the watches see.

    `observe` is entered around one replay of each leaf.

    Raises:   Unauditable as `exact_law`, and naming hidden randomness, a clock, or `type()` of an undecided draw.
    """
    spaces = own_globals(program)

    @contextmanager
    def first() -> Iterator[None]:
        with refuse_hidden_randomness(), (observe or nullcontext)():
            yield

    watch = Watch(run=partial(bound_type, spaces, GuardedType), replay=partial(bound_type, spaces, type), first=first)
    with refuse_shared_generators():
        return exact_law(
            program, value, limits=limits, eager=eager, draws=draws, reverse=reverse, replay=replay, watch=watch
        )
