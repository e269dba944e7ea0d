"""Loading a user's file: this runs its code. Only worker processes do it."""

import importlib
import sys
import sysconfig
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.extras import MissingExtra
from dpcert.targets.lost import lost_in, targets_in
from dpcert.targets.made import Lost, Made, noting
from dpcert.targets.target import Target

STANDARD = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
INSTALLED = frozenset({"site-packages", "dist-packages"})
OWN = f"{__name__.partition('.')[0]}."


class AsWritten(SourceFileLoader):
    """Compiles the text as it is now: a stored module may come from an older text of the same length and second."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module's file."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class Sources(PathFinder):
    """Finds modules where Python does, and loads a module that nobody installed from its text.

    Python loads the modules of this package as usual, also in a checkout.
    """

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module."""
        spec = super().find_spec(fullname, path, target)
        if fullname.startswith(OWN):
            return spec
        if spec is not None and type(spec.loader) is SourceFileLoader and spec.origin is not None:
            origin = Path(spec.origin)
            standard = any(origin.is_relative_to(folder) for folder in STANDARD)
            if not standard and INSTALLED.isdisjoint(origin.parts):
                spec.loader = AsWritten(fullname, spec.origin)
        return spec


def dotted(path: Path) -> tuple[Path, list[str]]:
    """Return the folder to import a file from, and the parts of its module name: its packages, then its own."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder.name:
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, parts


def _execute(path: Path) -> ModuleType:
    folder, parts = dotted(path)
    sys.path[:] = [str(folder), *(path for path in sys.path if path != str(folder))]
    if Sources not in sys.meta_path:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), Sources)
    name = ".".join(parts)
    if path.parent != folder:
        module = importlib.import_module(name)
        if module.__file__ is None or Path(module.__file__).resolve() != path:
            given = f"{path}: its name {name} is that of {module.__file__}"
            raise InputError(given=given, needed="a name of its own", remedy="rename the package")
        return module
    if name in sys.modules:
        name = f"dpcert_target_{name}"
    spec = spec_from_loader(name, AsWritten(name, str(path)))
    if path.suffix != ".py" or spec is None or spec.loader is None:
        raise InputError(given=str(path), needed="a Python file", remedy="name a file that ends in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_file(path: Path, *, alias: str | None = None) -> ModuleType:
    """Execute a Python file and return its module; its classes are found under the module name `alias`, too.

    Raises: MissingExtra where the file raises it; InputError with the last line of any other error.
    """
    try:
        module = _execute(path)
        home = vars(sys.modules.setdefault(alias, module)) if alias is not None else {}
        for name, value in vars(module).items():
            if alias is not None and isinstance(value, type) and value.__module__ == module.__name__:
                value.__module__ = alias
                home.setdefault(name, value)  # where outcomes look for their class
        return module
    except MissingExtra:
        raise
    except InputError as error:
        given = error.given if str(path) in error.given else f"{path}: {error.given}"
        raise InputError(given=given, needed=error.needed, remedy=error.remedy) from error
    except BaseException as error:
        where = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InputError(
            given=f"{path} does not import: {traceback.format_exception_only(error)[-1].strip()}{where}",
            needed="a file that Python can run",
            remedy=f"try python {path}",
        ) from error


@dataclass(frozen=True, slots=True)
class Collected:
    """The targets of a file by name, the targets that no name means, and the files that imported targets come from."""

    targets: dict[str, Target]
    lost: list[Lost]
    imported: dict[str, str] = field(default_factory=dict)


def collect(path: Path, *, alias: str | None = None) -> Collected:
    """Execute a Python file and return its targets.

    Raises: as `load_file`.
    """
    with noting(bad=True) as made:
        module = load_file(path, alias=alias)
    targets, homes = targets_in(module), {id(each.target): _home(each) for each in made}
    imported = {name: home for name, target in targets.items() if (home := homes.get(id(target))) not in (None, path)}
    return Collected(targets, lost_in(module, made), {name: str(home) for name, home in imported.items()})


def _home(made: Made) -> Path | None:
    """Return the file of the module that made a target, None where that is not known."""
    file = None if made.space is None else made.space.get("__file__")
    return Path(file).resolve() if isinstance(file, str) else None
