"""Methods that are asked for and not called next.

Two methods are equal if what they are of is one object. Of values that a state tells by value, such as texts, numbers
and tuples, it leaves that out. So where the name of such a method is asked for, what is asked must be told by itself.
"""

from __future__ import annotations

import sys
import types
from collections import deque
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.floating.stand_ins import is_stand_in
from dpcert.mechanisms.states.bytecode import Analysis, Item
from dpcert.mechanisms.states.layouts import of_program

VALUES = (int, str, bytes, float, complex, tuple, frozenset, range, Fraction, Decimal)
TRACKED = (list, dict, set, deque, bytearray, type, types.ModuleType, types.FunctionType, BaseException, Coins)
OF_NAMED = frozenset({"_replace", "_asdict", "_make"})


@cache
def _methods(numpy: Any) -> frozenset[str]:
    kinds = VALUES if numpy is None else (*VALUES, numpy.float64)
    found = {name for kind in kinds for each in kind.__mro__ for name, part in vars(each).items() if callable(part)}
    return OF_NAMED.union(name for name in found if not name.startswith("__"))


def is_method(name: str) -> bool:
    """Whether a value that is told by value may have a method of a name."""
    return name in _methods(sys.modules.get("numpy"))


def owners(analysis: Analysis, of_tuples: set[str]) -> dict[int, Item]:
    """Return of what code asks for such methods, or for some other names, by the place of the instruction."""
    return {
        place: owner
        for name, called, place, owner in analysis.asked
        if not called and owner and (name in of_tuples or is_method(name))
    }


def by_value(value: Any) -> str | None:
    """Return the type of a value that may be told by value; None where it is told by itself."""
    kind = type(value)
    tracked = issubclass(kind, TRACKED) or is_stand_in(kind) or kind is getattr(sys.modules.get("numpy"), "ndarray", 0)
    return None if tracked or (of_program(kind) and not issubclass(kind, VALUES)) else class_name(kind)


def held(frame: types.FrameType, item: Item) -> Any:
    """Return what an item is in a frame, without running code of the program; None where that is not known."""
    if item[0] in ("fast", "deref"):
        return frame.f_locals.get(item[1])
    if item[0] == "const":
        return item[1]
    if item[0] == "global":
        return frame.f_globals.get(item[1])
    if item[0] != "attr":
        return None
    owner = held(frame, item[1])
    if type(owner) is types.ModuleType or not of_program(type(owner)):
        return vars(owner).get(item[2]) if type(owner) is types.ModuleType else None
    slot = next((vars(each)[item[2]] for each in type(owner).__mro__ if item[2] in vars(each)), None)
    if type(slot) is types.MemberDescriptorType:
        return slot.__get__(owner)
    return object.__getattribute__(owner, "__dict__").get(item[2]) if type(owner).__dictoffset__ else None
