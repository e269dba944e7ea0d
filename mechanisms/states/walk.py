"""What a program can reach from some values: the objects that can be changed in place, and what its names mean.

Values are taken by exact type, as in the registry of outcomes (`exact/outcome.py`). Functions stand for their closure,
defaults, attributes, and the globals that their code names; classes for their attributes. The standard library and a
few large libraries are assumed to keep no state of their own. Anything unknown is refused.
"""

from __future__ import annotations

import functools
import re
import types
from collections import deque, namedtuple
from collections.abc import Callable, Container
from enum import EnumType
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.floating.stand_ins import is_stand_in
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.home import Home
from dpcert.mechanisms.states.library import class_of_library
from dpcert.mechanisms.states.meanings import (
    visit_builtin,
    visit_cell,
    visit_class,
    visit_described,
    visit_function,
    visit_instance,
    visit_member,
    visit_method,
    visit_module,
    visit_partial,
    visit_property,
    visit_stand_in,
    visit_wrapped,
)
from dpcert.mechanisms.states.values import (
    visit_atom,
    visit_changing,
    visit_dict,
    visit_numpy,
    visit_part_of_tuple,
    visit_parts,
)

MAX_VALUES = 20_000
MAX_DEPTH = 60
NOTHING = frozenset(
    (
        *(int, str, bool, bytes, type(None), range, re.Pattern),
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
        type(vars(namedtuple("Pair", "left"))["left"]),
    )
)
"""Types of values that reach nothing and cannot be changed."""


class Walk:
    """One walk: `objects` are those that can be changed, in order of discovery; `named` and `places` are of globals.

    It may go on from what another walk found, which is `known`; then it may come to the `coins`.
    """

    def __init__(self, home: Home, known: Container[int] = (), coins: Coins | None = None) -> None:
        self.home = home
        self.known = known
        self.further = coins is not None
        self.coins = coins
        self.objects: dict[int, Any] = {}
        self.named: set[tuple[int, str]] = set()
        self.places: list[tuple[Any, str, Any]] = []
        self.count = 0

    def visit(self, value: Any, depth: int = 0) -> None:
        """Add all that is reachable from a value.

        Raises: NotRead for what is not known, or too much.
        """
        self.count += 1
        if self.count > MAX_VALUES:
            raise NotRead(f"more than {MAX_VALUES} values are reachable")
        if depth > MAX_DEPTH:
            raise NotRead("values are nested too deep")
        kind = type(value)
        if kind in NOTHING or value is Ellipsis or value is NotImplemented:
            return
        how = VISITS.get(kind)
        if how is not None:
            how(self, value, depth + 1)
        elif value is self.coins:
            return
        elif issubclass(kind, (Lazy, Coins)):
            raise NotRead("coins, or what was drawn, are kept from before")
        elif is_stand_in(kind) or is_stand_in(value):
            visit_stand_in(self, value, depth + 1)
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
        """Whether an object was met before; it is noted."""
        if id(value) in self.objects or id(value) in self.known:
            return True
        self.objects[id(value)] = value
        return False


VISITS: dict[type, Callable[[Walk, Any, int], None]] = {
    float: visit_atom,
    complex: visit_atom,
    Fraction: visit_atom,
    tuple: visit_parts,
    frozenset: visit_parts,
    list: visit_changing,
    deque: visit_changing,
    bytearray: visit_changing,
    dict: visit_dict,
    set: visit_changing,
    types.FunctionType: visit_function,
    types.BuiltinFunctionType: visit_builtin,
    types.MethodWrapperType: visit_builtin,
    types.MethodDescriptorType: visit_described,
    types.WrapperDescriptorType: visit_described,
    types.ClassMethodDescriptorType: visit_described,
    types.MethodType: visit_method,
    types.ModuleType: visit_module,
    types.CellType: visit_cell,
    staticmethod: visit_wrapped,
    classmethod: visit_wrapped,
    property: visit_property,
    functools.partial: visit_partial,
}
