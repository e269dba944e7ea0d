"""`[tool.dpcert]` of a project's pyproject.toml: defaults for `dpcert audit` and for the pytest plugin."""

from __future__ import annotations

import difflib
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.accepted import Accepted, entry_of, is_entry
from dpcert.targets.catalogue import BUILT_IN
from dpcert.targets.named import split_target

KEYS = {
    "targets": 'a list of texts, such as ["src/mechanism.py"]',
    "time-limit": "seconds above 0, such as 60",
    "budgets": 'a table of seconds, such as { "src/mechanism.py:release" = 120 }',
    "jobs": "a whole number from 1 on",
    "lock": 'the name of a file, such as "dpcert.lock"',
    "expect": "true or false",
    "rounding": '"fail" or "accept", of claims that rounding alone refutes',
    "accepted": "tables with all of: target, reason, until, such as until = 2030-12-31",
}
"""Each key with what it takes."""


@dataclass(frozen=True, slots=True)
class Config:
    """What the table says, None where it is silent; targets, budgets, lock and what is accepted by absolute paths."""

    targets: tuple[str, ...] = ()
    time_limit: float | None = None
    budgets: Mapping[str, float] = field(default_factory=dict)
    jobs: int | None = None
    lock: Path | None = None
    expect: bool | None = None
    rounding: bool = False
    accepted: Mapping[str, Accepted] = field(default_factory=dict)


def config_near(folder: Path) -> Config:
    """Return the configuration of the nearest pyproject.toml with such a table, in a folder or above it.

    Raises: InputError as `config_of`.
    """
    for place in (folder, *folder.parents):
        found = config_of(place / "pyproject.toml")
        if found is not None:
            return found
        if (place / ".git").exists():  # what is above belongs to another repository
            break
    return Config()


def config_of(file: Path) -> Config | None:
    """Return the configuration in a file, or None where there is no file or no table in it.

    Raises: InputError for a file that is no TOML, a table with an unknown key, or a value that the key cannot have.
    """
    try:
        text = file.read_text(encoding="utf-8")
        table = tomllib.loads(text).get("tool", {})
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(
            given=f"{file}: {error.strerror}", needed="a file that can be read", remedy="see its rights"
        ) from None
    except ValueError as error:
        raise InputError(given=f"{file}: {error}", needed="TOML", remedy="mend that line") from None
    table = table.get("dpcert") if isinstance(table, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InputError(given=f"{file}: tool.dpcert = {table!r}", needed="a table", remedy="write [tool.dpcert]")
    for key in table:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            remedy = f"did you mean {near[0]!r}?" if near else "see docs/reference/command-line.md"
            given, needed = f"{file}: [tool.dpcert] {key}", f"one of {', '.join(KEYS)}"
            raise InputError(given=given, needed=needed, remedy=remedy)
    return _config(table, file)


def _config(table: Mapping[str, Any], file: Path) -> Config:
    folder = file.parent.resolve()
    targets, budgets, jobs = table.get("targets", []), table.get("budgets", {}), table.get("jobs")
    lock, expect, limit = table.get("lock"), table.get("expect"), table.get("time-limit")
    accepted = table.get("accepted", [])
    checks = {
        "targets": isinstance(targets, list) and all(isinstance(text, str) and text for text in targets),
        "time-limit": limit is None or _is_time(limit),
        "budgets": isinstance(budgets, dict) and all(map(_is_time, budgets.values())),
        "jobs": jobs is None or (type(jobs) is int and jobs >= 1),
        "lock": lock is None or (isinstance(lock, str) and bool(lock)),
        "expect": expect is None or isinstance(expect, bool),
        "rounding": table.get("rounding", "fail") in ("fail", "accept"),
        "accepted": isinstance(accepted, list) and all(map(is_entry, accepted)),
    }
    for key, fine in checks.items():
        if not fine:
            given = f"{file}: [tool.dpcert] {key} = {table[key]!r}"
            raise InputError(given=given, needed=f"{key}: {KEYS[key]}", remedy="see docs/reference/command-line.md")
    return Config(
        targets=tuple(_placed(text, folder) for text in targets),
        time_limit=limit,
        budgets={_placed(name, folder): seconds for name, seconds in budgets.items()},
        jobs=jobs,
        lock=None if lock is None else folder / lock,
        expect=expect,
        rounding=table.get("rounding") == "accept",
        accepted={_placed(entry["target"], folder): entry_of(entry) for entry in accepted},
    )


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value <= sys.float_info.max


def _placed(text: str, folder: Path) -> str:
    """Return a target's text with the path in it made absolute; a name stays."""
    path, function, name = split_target(text)
    if path is None and name not in ("zoo", *BUILT_IN) and (folder / name).is_dir():
        path = Path(name)
    if path is None:
        return name
    whole = str((folder / path).resolve())
    return whole if function is None else f"{whole}:{function}"
