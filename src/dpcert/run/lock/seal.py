"""Seals of lock entries: an HMAC-SHA256 by a key that is not in the repository, which no pull request can forge."""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "DPCERT_LOCK_KEY"
"""The environment variable with a key that a team or its runners share."""
LEAST = 16
"""The fewest characters of a key."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals entries with one key. The `name` tells keys apart and does not reveal the key."""

    name: str
    key: bytes

    def of(self, entry: Mapping[str, Any]) -> str:
        """Return the seal of all fields of an entry except its seals."""
        text = json.dumps({**entry, "seals": {}}, sort_keys=True)
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    def holds(self, entry: Mapping[str, Any]) -> bool:
        """Whether the entry is as it was when it was sealed with this key."""
        seal = entry["seals"].get(self.name, "")
        return hmac.compare_digest(seal.encode("utf-8", "surrogatepass"), self.of(entry).encode())


def seal_of(key: bytes) -> Seal:
    """Return the seal of a key."""
    return Seal(hashlib.sha256(b"dpcert.lock key name\0" + key).hexdigest()[:16], key)


def key_file() -> Path:
    """Return the path of this user's own key."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(state) / "dpcert" / "lock-key"


def own_key() -> tuple[bytes | None, str]:
    """Return the variable's key, else the user's own, which is made once; or None and why there is no key.

    The variable is removed from the environment, so that no child process gets the key.
    """
    shared = os.environ.pop(VARIABLE, "")
    if shared:
        if len(shared) < LEAST:
            return None, f"{VARIABLE} has fewer than {LEAST} characters"
        return hashlib.sha256(shared.encode("utf-8", "surrogateescape")).digest(), ""
    path = key_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = _made(path)
    except OSError as error:
        return None, f"{path}: {error.strerror}"
    if len(text) < LEAST:
        return None, f"{path} holds no key; remove it to have one made"
    return hashlib.sha256(text).digest(), ""


def _made(path: Path) -> bytes:
    """Return the key in a file; where there is no file, make one that is whole before it gets this name."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes().strip()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path.read_bytes().strip()
