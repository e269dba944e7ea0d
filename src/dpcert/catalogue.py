"""The closed registry of what ships: every built-in mechanism by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from dpcert.mechanisms.broken import ZOO
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.mechanism import Mechanism

__all__ = ["BUILT_IN", "MECHANISMS", "ZOO", "find"]

BUILT_IN: Mapping[str, Mechanism] = MappingProxyType({m.name: m for m in (*MECHANISMS, *ZOO)})


def find(name: str) -> Mechanism:
    """Return the built-in mechanism of that name.

    Raises: InputError with the nearest name.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    near = difflib.get_close_matches(name, [*BUILT_IN, "zoo"], n=1)
    raise InputError(
        given=f"target {name!r}",
        needed="a name from `dpcert list`, FILE.py, FILE.py:function, a folder, or zoo",
        remedy=f"did you mean {near[0]!r}?" if near else "see `dpcert list`",
    )
