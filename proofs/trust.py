"""The parts that a reader must trust for a check's result, by the modules that the check reaches."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from dpcert.proofs.registry import MODULES
from dpcert.proofs.rocq.bindings import BINDINGS

KERNEL = "the kernel"
LIBRARIES = {"flint": "FLINT", **{name: name for name in ("mpmath", "numpy", "sympy", "wordfreq", "z3")}}
ROCQ = "Rocq"


def trusted(method: str) -> frozenset[str]:
    """Return the parts that a check rests on beside Python: Rocq, libraries, and the kernel.

    Raises: KeyError for any other id.
    """
    if method in BINDINGS:
        return frozenset({ROCQ})
    reached = _reached(MODULES[method])
    libraries = {LIBRARIES[name] for name in reached if name in LIBRARIES}
    kernel = {KERNEL} if any(name.startswith("dpcert.audit.kernel") for name in reached) else set()
    return frozenset(libraries | kernel)


@cache
def _reached(module: str) -> frozenset[str]:
    """Return every module of the project that a module reaches by imports, with the packages these import."""
    reached, waiting = {module}, [module]
    while waiting:
        for name in _imported(waiting.pop()):
            if name not in reached:
                reached.add(name)
                if name.startswith("dpcert."):
                    waiting.append(name)
    return frozenset(reached)


@cache
def _imported(module: str) -> frozenset[str]:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return frozenset()
    return frozenset(_names(ast.parse(Path(spec.origin).read_text("utf-8"))))


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            own = node.module.startswith("dpcert")
            yield node.module if own else node.module.partition(".")[0]
            if own:
                members = (f"{node.module}.{alias.name}" for alias in node.names)
                yield from (name for name in members if _is_module(name))


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, AttributeError):
        return False
