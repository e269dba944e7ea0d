"""Reading and writing files: a file is written whole or not at all, and each error about it is one line."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError

MOST = 1 << 28
"""No JSON of more bytes is read."""
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


def json_of(path: Path) -> Any:
    """Return the value of the JSON in a file.

    Raises: OSError; ValueError for a file of more than MOST bytes, and for one that is no JSON or is nested too deep.
    """
    with path.open("rb") as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise ValueError(f"more than {MOST} bytes")
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


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
