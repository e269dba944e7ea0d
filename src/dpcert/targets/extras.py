"""Optional packages: an example or adapter that needs one says so, and is listed as skipped without it."""

import importlib.util

from dpcert.mechanisms.exact.errors import InputError


class MissingExtra(ImportError):
    """A file needs a package of an extra that is not installed; `command` installs it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.command = f"pip install 'dpcert[{extra}]'"
        super().__init__(f"needs {package}: {self.command}")


def needs_extra(package: str, *, extra: str | None = None) -> None:
    """Return if the package can be imported; it belongs to the extra of that name, by default its own.

    Raises: MissingExtra otherwise, which `dpcert audit` lists as skipped, with the command that installs it.
    """
    if importlib.util.find_spec(package) is None:
        raise MissingExtra(package, extra or package)


def need_package(package: str, given: str, *, extra: str) -> None:
    """Return if what was `given` can be used, which takes a package of an extra.

    Raises: InputError otherwise, with the command that installs it.
    """
    try:
        needs_extra(package, extra=extra)
    except MissingExtra as missing:
        raise InputError(given=given, needed=f"the package {package}", remedy=missing.command) from None
