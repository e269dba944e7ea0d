"""Optional packages: an example or adapter names the one that it needs, and audits skip it where that is missing."""

import importlib.util

from dpcert.mechanisms.exact.errors import InputError


class MissingExtra(ImportError):
    """A file needs a package of an extra that is not installed; `command` installs it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.command = f"pip install 'dpcert[{extra}]'"
        super().__init__(f"needs {package}: {self.command}")


def needs_extra(package: str, *, extra: str | None = None) -> None:
    """Return if the package can be imported; `extra` is the extra that installs it, by default one of its own name.

    Raises: MissingExtra otherwise; `dpcert audit` then lists the file as skipped, with the command that installs it.
    """
    if importlib.util.find_spec(package) is None:
        raise MissingExtra(package, extra or package)


def need_package(package: str, given: str, *, extra: str) -> None:
    """Return if the package that the `given` option or file needs is installed.

    Raises: InputError otherwise, with the command that installs it.
    """
    try:
        needs_extra(package, extra=extra)
    except MissingExtra as missing:
        raise InputError(given=given, needed=f"the package {package}", remedy=missing.command) from None
