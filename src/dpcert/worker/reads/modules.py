"""The places of modules: the file that an import reads, and the folders of Python and of this package."""

import os
import sys
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, source_from_cache
from pathlib import Path
from types import ModuleType

from dpcert.reading.paths.loaded import globals_of


def spec_of(top: str) -> ModuleSpec | None:
    """Return the specification of the module that an import of a top-level name would find; None for none."""
    try:
        return find_spec(top)
    except (ImportError, ValueError):
        return None


def places_of(top: str) -> set[str]:
    """Return the folders in `sys.path` that have a module of a top-level name."""
    return {os.path.realpath(path) for path in sys.path if PathFinder.find_spec(top, [path]) is not None}


def file_of_spec(spec: ModuleSpec | None) -> str | None:
    """Return the file of a module by its specification, or its folder where it has none; None for no module."""
    if spec is None:
        return None
    return spec.origin or next(iter(spec.submodule_search_locations or ()), None)


def leads(path: str) -> bool:
    """Whether a module is one that installers put on Python's path to lead it to other modules."""
    return not {"_distutils_hack"}.isdisjoint(Path(path).parts) or Path(path).name.startswith(
        ("__editable__", "_virtualenv")
    )


def file_of_module(module: ModuleType) -> str | None:
    """Return the file of an imported module, or the source of a compiled one; None where it has no file."""
    path = globals_of(module).get("__file__")
    if not isinstance(path, str) or not os.path.isabs(path):
        return None
    if path.endswith((".pyc", ".pyo")):
        with suppress(ValueError):
            return source_from_cache(path)
    return path
