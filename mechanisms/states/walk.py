"""What a program can reach from some values, as a key: equal keys mean that nothing reachable differs.

Values are taken by exact type, as in the registry of outcomes (`exact/outcome.py`). Objects that can be changed in
place are numbered when first met, so two names of one list differ from two equal lists. Functions stand for their code,
closure, defaults, attributes, and the globals that their code names; classes for their attributes. The standard library
and a few large libraries are assumed to keep no state of their own. Anything unknown is refused.
"""

from __future__ import annotations

import functools
import re
import types
from collections import deque, namedtuple
from collections.abc import Callable
from enum import EnumType
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.home import Home
from dpcert.mechanisms.states.library import class_of_library
from dpcert.mechanisms.states.meanings import (
    visit_builtin,
    visit_cell,
    visit_class,
    visit_descriptor,
    visit_function,
    visit_instance,
    visit_member,
    visit_method,
    visit_module,
    visit_partial,
    visit_property,
    visit_wrapped,
)
from dpcert.mechanisms.states.values import (
    visit_atom,
    visit_bytearray,
    visit_coins,
    visit_dict,
    visit_lazy,
    visit_numpy,
    visit_part_of_tuple,
    visit_parts,
    visit_pattern,
    visit_range,
    visit_sequence,
    visit_set,
)

MAX_TOKENS = 20_000
MAX_DEPTH = 60
DESCRIPTORS = (
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    type(vars(namedtuple("Pair", "left"))["left"]),
)


class Walk:
    """One walk: `tokens` tell all that was visited; `objects` are those that can be changed, in order of discovery."""

    def __init__(self, home: Home, coins: Coins | None) -> None:
        self.home = home
        self.coins = coins
        self.tokens: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.objects: list[Any] = []
        self.undecided = False
        self.named: set[tuple[int, str]] = set()
        self.places: list[tuple[Any, str, Any]] = []

    def key(self) -> tuple[Any, ...]:
        """Return what was visited so far."""
        return tuple(self.tokens)

    def visit(self, value: Any, depth: int = 0) -> None:
        """Add all that is reachable from a value.

        Raises: NotRead for what is not known, or too much.
        """
        if len(self.tokens) > MAX_TOKENS:
            raise NotRead(f"more than {MAX_TOKENS} values are reachable")
        if depth > MAX_DEPTH:
            raise NotRead("values are nested too deep")
        kind = type(value)
        if kind is int or kind is str or kind is bool or kind is bytes or value is None:
            self.tokens += (kind, value)
            return
        how = VISITS.get(kind)
        if how is not None:
            how(self, value, depth + 1)
        elif issubclass(kind, Lazy):
            visit_lazy(self, value, depth)
        elif value is Ellipsis or value is NotImplemented:
            self.tokens.append(kind)
        elif isinstance(kind, EnumType):
            visit_member(self, value, kind, depth + 1)
        elif issubclass(kind, type):
            visit_class(self, value, depth + 1)
        elif issubclass(kind, tuple):
            visit_part_of_tuple(self, value, kind, depth + 1)
        elif kind.__module__ == "numpy" and class_of_library(kind):
            visit_numpy(self, value)
        else:
            visit_instance(self, value, kind, depth + 1)

    def seen(self, value: Any) -> bool:
        """Whether an object was met before; it is numbered, and its number is added."""
        number = self.numbers.setdefault(id(value), len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
            return False
        self.tokens += ("again", number)
        return True


VISITS: dict[type, Callable[[Walk, Any, int], None]] = {
    float: visit_atom,
    complex: visit_atom,
    Fraction: visit_atom,
    range: visit_range,
    re.Pattern: visit_pattern,
    tuple: visit_parts,
    frozenset: visit_parts,
    list: visit_sequence,
    deque: visit_sequence,
    bytearray: visit_bytearray,
    dict: visit_dict,
    set: visit_set,
    Coins: visit_coins,
    types.FunctionType: visit_function,
    types.BuiltinFunctionType: visit_builtin,
    types.MethodWrapperType: visit_builtin,
    types.MethodType: visit_method,
    types.ModuleType: visit_module,
    types.CellType: visit_cell,
    staticmethod: visit_wrapped,
    classmethod: visit_wrapped,
    property: visit_property,
    functools.partial: visit_partial,
    **dict.fromkeys(DESCRIPTORS, visit_descriptor),
}
