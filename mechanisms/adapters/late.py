"""python-flint, executed when it is first needed: the reader of programs imports its formulas, and few programs ask."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING


def late(name: str) -> ModuleType:
    """Return a module that Python finds now and executes when one of its attributes is first asked for.

    Raises: ImportError where there is none.
    """
    if name in sys.modules:
        return sys.modules[name]
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    spec.loader = LazyLoader(spec.loader)
    sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


if TYPE_CHECKING:
    import flint as flint
else:
    flint = late("flint")
