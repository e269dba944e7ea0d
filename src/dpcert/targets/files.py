"""Reading and writing files: a file is written whole or not at all, and each error about it is one line."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpcert.mechanisms.exact.errors import InputError

WRITE = "name another, or make room"
"""The remedy where a file cannot be written."""


@contextmanager
def file_errors(file: object, needed: str, remedy: str = WRITE, *malformed: type[Exception]) -> Iterator[None]:
    """Raise InputError where the body raises an OSError, or one of the errors that mean that content is `malformed`."""
    try:
        yield
    except OSError as error:
        raise InputError(given=f"{file}: {error.strerror or error}", needed=needed, remedy=remedy) from error
    except malformed as error:
        raise InputError(given=f"{file}: {error}", needed=needed, remedy=remedy) from error


def replace_file(path: Path, content: str | bytes, *, synced: bool = False) -> None:
    """Write a file, whole or not at all; if `synced`, even if the system goes down meanwhile.

    Raises: OSError where the system refuses; a file that was there before stays as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            if synced:
                os.fsync(file.fileno())
        with suppress(OSError):
            temporary.chmod(path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
