"""What the tests of tricks share: how a program tells an undecided draw, and ways to swallow what ends a run."""

import builtins
import contextlib
import sys
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.reading.paths.enumerator import Enumeration

Twin = Callable[..., Enumeration]
Refusal = Callable[..., str]


def is_lazy(u: Any) -> bool:
    return issubclass(builtins.type(u), Lazy)


def swallow_exceptions(act: Callable[[], object]) -> object:
    try:
        return act()
    except Exception:
        return None


def swallow_everything(act: Callable[[], object]) -> object:
    try:
        return act()
    except BaseException:
        return None


def swallow_in_finally(act: Callable[[], object]) -> object:
    try:
        try:
            return act()
        finally:
            raise KeyError("instead")
    except KeyError:
        return None


def suppress(act: Callable[[], object]) -> object:
    with contextlib.suppress(BaseException):
        return act()
    return None


def replace(act: Callable[[], object]) -> object:
    try:
        return act()
    except BaseException as error:
        raise ValueError("mine") from error


def leave(act: Callable[[], object]) -> object:
    try:
        return act()
    except BaseException:
        sys.exit(0)


def in_a_generator(act: Callable[[], object]) -> object:
    def generator() -> Any:
        with contextlib.suppress(BaseException):
            yield act()

    return next(generator(), None)


SWALLOWS = [swallow_exceptions, swallow_everything, swallow_in_finally, suppress, replace, leave, in_a_generator]
