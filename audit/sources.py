"""The files and packages that a program consists of: their names in a certificate, and their digests."""

from __future__ import annotations

import ast
import hashlib
import platform
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, ModuleType

import dpcert.audit.kernel
import dpcert.mechanisms
import dpcert.mechanisms.exact
from dpcert.reading.paths.loaded import globals_of

PATHS = sysconfig.get_paths()
OWN = sys.modules[__name__.partition(".")[0]]
TRUSTED = (("audit/kernel", dpcert.audit.kernel), ("mechanisms/exact", dpcert.mechanisms.exact))
MECHANISMS = "dpcert/mechanisms/"
USERS, INSTALLED = "the user's", ""
PACKAGES = frozenset({"site-packages", "dist-packages"})
IMPORTERS = frozenset({"import_module", "__import__"})


def own_version() -> str:
    """Return the version of this package."""
    return _installed("dpcert") or "unknown"


def versions() -> dict[str, str]:
    """Return the versions of Python and of this package."""
    return {"python": platform.python_version(), "dpcert": own_version()}


def certified_versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions that a certificate depends on: Python's language, this package, and these by name."""
    major, minor, _ = platform.python_version_tuple()
    named = {name: _installed(name) or "unknown" for name in packages}
    return {**named, "python": f"{platform.python_implementation()} {major}.{minor}", "dpcert": own_version()}


def source_digests(files: Iterable[str], folder: Path | None) -> dict[str, str]:
    """Return {name: SHA-256} for the trusted base and these files, without those of the standard library. Names are
    relative to the folder of the packages or of the program's own file, so they mean the same on another machine,
    however this package is installed there.
    """
    result: dict[str, str] = {}
    for prefix, package in TRUSTED:
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            result[f"dpcert/{prefix}/{path.name}"] = _sha256(path)
    trusted = {package.__path__[0] for _, package in TRUSTED}
    for text in sorted(files):
        path = Path(text)
        name = _source_name(path, folder) if str(path.parent) not in trusted and path.is_file() else None
        if name is not None:
            while name in result:  # two files of one name, from folders that mean nothing elsewhere
                name += "+"
            result[name] = _sha256(path)
    return result


@dataclass(slots=True)
class Imported:
    """The imports of a program's own modules: files, whether or not a line of them ran, and installed packages."""

    files: set[str] = field(default_factory=set)
    packages: set[str] = field(default_factory=set)


def imported(codes: Iterable[CodeType], names: Iterable[str] = ()) -> Imported:
    """Return the imports of the modules of these code objects, and in turn of each own module that they import.

    Every import statement counts, executed or not, and so do `names`. So the result does not depend on the audited
    inputs, nor on other imports of this process. A module is own if it is a file of the user's, or, for installed
    code, a file of its package; files called `__init__.py` of a package are not followed further.
    """
    found = Imported()
    for file in sorted({code.co_filename for code in codes}):
        if Path(file).is_file():
            module = next((m for m in map(globals_of, list(sys.modules.values())) if m.get("__file__") == file), {})
            _follow(file, module.get("__name__") or "", module.get("__package__") or "", found, names)
    return found


def read_imports(name: str) -> None:
    """Read the imports of a module, and in turn of its own modules: once for all processes forked from this one."""
    space = globals_of(sys.modules.get(name))
    _follow(space["__file__"], name, space["__package__"], Imported(), ())


def _follow(file: str, name: str, package: str, imported_so_far: Imported, names: Iterable[str]) -> None:
    """Add the imports of one file, and in turn those of its own modules."""
    owner, seen = _owner(Path(file)), {file}
    waiting = [*names, *_parents(name), *_named(file, name, package)]
    known = set(waiting)
    while waiting:
        spec = spec_of(waiting.pop())
        origin = None if spec is None else spec.origin
        if spec is None or origin is None or origin in seen or not Path(origin).is_file():
            continue
        seen.add(origin)
        if _owner(Path(origin)) != owner:
            if _home(Path(origin)) == INSTALLED:
                _add_package(spec.name.partition(".")[0], origin, imported_so_far)
            continue
        imported_so_far.files.add(origin)
        if owner[0] == USERS or not origin.endswith("__init__.py"):
            more = set(_named(origin, spec.name, spec.parent or "")) - known
            known |= more
            waiting += more


def _add_package(top: str, origin: str, imported_so_far: Imported) -> None:
    """Add an installed package by the names of its distributions; one that has none by its file."""
    names = [top] if _installed(top) is not None else _distributions().get(top, [])
    imported_so_far.packages.update(names)
    if not names:
        imported_so_far.files.add(origin)


def _named(file: str, name: str, package: str) -> Iterator[str]:
    """Yield the names that a source file may import, with parents, and the modules that its module holds."""
    module = sys.modules.get(name)
    for key, value in dict(vars(module)).items() if module is not None else ():
        if isinstance(value, ModuleType) and key.isidentifier() and value.__name__ != f"{name}.{key}":
            yield from (value.__name__, *_parents(value.__name__))
    if not file.endswith(".py"):
        return
    for target in imports_of(Path(file).read_bytes()):
        try:
            whole = resolve_name(target, package)
        except ImportError:
            continue
        yield from (whole, *_parents(whole))


@cache
def imports_of(text: bytes) -> frozenset[str]:
    """Return the names in the import statements of a source text, and in calls that import a constant name."""
    found: set[str] = set()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found.update(alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = "." * level + (module or "")
                dot = "" if base.endswith(".") else "."
                found.update([base], (f"{base}{dot}{alias.name}" for alias in names))
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Constant(value=str(name)), *_]
            ) if called in IMPORTERS:
                found.add(name)
    return frozenset(found - {""})


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(1, len(parts))]


def spec_of(name: str) -> ModuleSpec | None:
    """Return the location from which a module was, or would be, imported; nothing is imported for that."""
    spec = globals_of(sys.modules.get(name)).get("__spec__")
    if isinstance(spec, ModuleSpec):
        return spec
    parent = name.rpartition(".")[0]
    above = spec_of(parent) if parent else None
    folders = None if above is None else above.submodule_search_locations
    if parent and folders is None:
        return None
    try:
        return PathFinder.find_spec(name, None if folders is None else list(folders))
    except (ImportError, ValueError, KeyError):  # the last where a namespace package is in one that is not imported
        return None


@cache
def _owner(path: Path) -> tuple[str | None, str]:
    """Return the owner of a file: the user, the mechanisms, or a package or a folder of one."""
    home = _home(path)
    name = _source_name(path, None)
    whole = home in (None, USERS, MECHANISMS) or name is None
    return home, "" if whole or name is None else name.removeprefix(home or "").partition("/")[0]


@cache
def _homes() -> list[tuple[str, str]]:
    """Return the folders of packages, and the prefix of the names of files in them."""
    return [
        (sys.modules["dpcert.audit"].__path__[0], "dpcert/audit/"),
        (dpcert.mechanisms.__path__[0], MECHANISMS),
        (OWN.__path__[0], "dpcert/"),
        (PATHS["purelib"], INSTALLED),
        (PATHS["platlib"], INSTALLED),
    ]


@cache
def _home(path: Path) -> str | None:
    """Return the prefix of a file's name, which is that of its package; None for a file of the standard library."""
    for home, prefix in _homes():
        if path.is_relative_to(home):
            return prefix
    if not PACKAGES.isdisjoint(path.parts) or any(map(_is_site, path.parents)):
        return INSTALLED
    return None if path.is_relative_to(PATHS["stdlib"]) else USERS


@cache
def _is_site(folder: Path) -> bool:
    """Whether packages are installed into a folder, wherever that is."""
    return next(folder.glob("*.dist-info"), None) is not None


def _source_name(path: Path, folder: Path | None) -> str | None:
    """Return the name under which a source file is known on any machine; None for the standard library's."""
    for home, prefix in _homes():
        if path.is_relative_to(home):
            return prefix + path.relative_to(home).as_posix()
    if path.is_relative_to(PATHS["stdlib"]):
        return None
    base = folder if folder is not None and path.is_relative_to(folder) else path.parent
    return path.relative_to(base).as_posix()


@cache
def _distributions() -> dict[str, list[str]]:
    from importlib.metadata import packages_distributions  # a package for mail comes with it

    return {name: sorted(set(owners)) for name, owners in packages_distributions().items()}


@cache
def _installed(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
