"""How other processes find a target that a caller passes as an object."""

import sys
from pathlib import Path

from dpcert.audit.coverage import code_of
from dpcert.mechanisms.exact.errors import InputError
from dpcert.reading.paths.loaded import globals_of
from dpcert.targets.spec import FileSpec
from dpcert.targets.target import Target


def locate(target: Target, point: int) -> FileSpec | None:
    """Return how another process finds this target, or None where it cannot."""
    name = getattr(target.function, "__module__", "")
    module = sys.modules.get(name)
    code = code_of(target.function)
    file = globals_of(module).get("__file__")
    if code is None or not isinstance(file, str) or not Path(file).is_file():
        return None
    for bound, value in globals_of(module).items():
        if value is target:
            alias = globals_of(module)["__name__"]
            return FileSpec(str(Path(file).resolve()), bound, point, alias)
    return None


def located(target: Target, spec: FileSpec | None) -> FileSpec:
    """Return a spec by which other processes find a target.

    Raises: InputError where they cannot.
    """
    if spec is None:
        given = f"{target.name}, which is not a name of a module's file"
        raise InputError(given=given, needed="a target that other processes can find", remedy="define it in a file")
    return spec


def need_target(value: object) -> None:
    """Return if something is a target.

    Raises: InputError otherwise.
    """
    if not isinstance(value, Target):
        raise InputError(
            given=f"a {type(value).__name__}", needed="a dpcert target", remedy="decorate it with @dpcert.target(...)"
        )
