"""Loading a user's file: this runs its code. Only worker processes and the user's own process do it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from dpcert.extras import MissingExtra
from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets import Target

__all__ = ["load_file", "targets_in"]


def _dotted(path: Path) -> tuple[Path, str]:
    """Return the folder to import from and the dotted module name of a file, inside its packages."""
    parts = [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


def load_file(path: Path) -> ModuleType:
    """Execute a Python file and return its module.

    Raises: MissingExtra as the file raised it; InputError with the last line of whatever else went wrong.
    """
    folder, name = _dotted(path)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        if "." in name:
            return importlib.import_module(name)
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise InputError(given=str(path), needed="a Python file", remedy="name a file that ends in .py")
        if name in sys.modules and getattr(sys.modules[name], "__file__", None) != str(path):
            spec.name = f"dpcert_target_{name}"
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    except (MissingExtra, KeyboardInterrupt):
        raise
    except InputError as error:
        raise InputError(given=f"{path}: {error.given}", needed=error.needed, remedy=error.remedy) from error
    except BaseException as error:
        where = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InputError(
            given=f"{path} does not import: {type(error).__name__}: {error}{where}",
            needed="a file that Python can run",
            remedy=f"try python {path}",
        ) from error


def targets_in(module: ModuleType) -> dict[str, Target]:
    """Return the targets of a module by the names they are bound to, each once."""
    found: dict[int, tuple[str, Target]] = {}
    for name, value in vars(module).items():
        if isinstance(value, Target):
            found.setdefault(id(value), (name, value))
    return dict(found.values())
