"""The law sources and their files, on which a verdict rests beside the kernel and the exact layer.

The kernel has the names, `SOURCES`. Of each, the files are computed from the modules that it imports, in turn.
"""

from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from dpcert.audit.sources import imports_of, spec_of

ASKED = "dpcert.audit.subject"
"""The module that the kernel asks for laws. It reads the program on paths, or hands over to another source."""

PATHS = "dpcert.reading.paths"
"""The package that has CPython run a program on its paths, and guards such runs; it is no part of the machine."""

ROOTS: dict[str, tuple[str, ...]] = {
    "paths": (ASKED, PATHS),
    "states": (ASKED, "dpcert.reading"),
    "floats": (ASKED, "dpcert.reading.floats", "dpcert.reading.paths.reach", "dpcert.audit.one_float"),
    "vectors": (ASKED, "dpcert.reading.numpy.factored", "dpcert.audit.layout"),
    "closed-form": (ASKED, "dpcert.audit.closed_form"),
    "ideal": ("dpcert.audit.ideal",),
    "theorem": ("dpcert.audit.unbounded", "dpcert.unbounded"),
}
"""The modules and packages that each source begins with."""

HANDS_OVER = (ASKED, PATHS, *ROOTS["theorem"])
"""Of the other sources, these have the modules that they name; what these import belongs to a source that is named."""

FOLLOWED = ("dpcert.audit", "dpcert.mechanisms", "dpcert.reading")
"""Imports are followed into these alone: the front door finds no law."""
BASE = ("dpcert.audit.kernel", "dpcert.mechanisms.exact")


@cache
def files_of(source: str) -> frozenset[str]:
    """Return the files of a source, without those of the trusted base."""
    return frozenset(file for root in ROOTS[source] for file in _closure(root))


@cache
def _closure(root: str) -> frozenset[str]:
    """Return the files of a root, and of all that it imports, in turn."""
    others = {each for roots in ROOTS.values() for each in roots} - {*HANDS_OVER} if root in HANDS_OVER else set()
    ends = {*others, ASKED}
    waiting, found = [*_modules(root)], dict[str, str]()
    while waiting:
        name = waiting.pop()
        spec = None if name in found or _within(name, BASE) else spec_of(name)
        if spec is None or spec.origin is None or not Path(spec.origin).is_file():
            continue
        found[name] = spec.origin
        if name == root or _innermost(name) not in ends:
            targets = (resolve_name(each, spec.parent or "") for each in imports_of(Path(spec.origin).read_bytes()))
            waiting += [each for each in targets if _within(each, FOLLOWED)]
    return frozenset(found.values())


def _modules(root: str) -> Iterator[str]:
    """Yield the modules of a root: itself, and where it is a package, all modules within."""
    yield root
    spec = spec_of(root)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for file in sorted(Path(folder).rglob("*.py")):
            yield ".".join((root, *file.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")


def _innermost(name: str) -> str | None:
    """Return the root that a module belongs to, if any: the innermost of the roots that contain it."""
    held = [root for roots in ROOTS.values() for root in roots if _within(name, (root,))]
    return max(held, key=len, default=None)


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)
