"""`[tool.dpcert]` of a project's pyproject.toml: defaults for `dpcert audit` and for the pytest plugin."""

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.nearest import nearest
from dpcert.run.accepted import Accepted, entry_of, is_entry
from dpcert.targets.catalogue import BUILT_IN
from dpcert.targets.named import split_target
from dpcert.worker.codec import Unfit, decode

Text = Annotated[str, bool]
Seconds = Annotated[int | float, lambda value: 0 < value <= sys.float_info.max]
KEYS: dict[str, tuple[Any, str]] = {
    "targets": (list[Text], 'a list of texts, such as ["src/mechanism.py"]'),
    "time-limit": (Seconds, "seconds above 0, such as 60"),
    "budgets": (dict[str, Seconds], 'a table of seconds, such as { "src/mechanism.py:release" = 120 }'),
    "jobs": (Annotated[int, lambda value: value >= 1], "a whole number from 1 on"),
    "lock": (Text, 'the name of a file, such as "dpcert.lock"'),
    "expect": (bool, "true or false"),
    "rounding": (
        Annotated[str, lambda value: value in ("fail", "accept")],
        '"fail" or "accept", of claims that rounding alone refutes',
    ),
    "accepted": (
        list[Annotated[Any, is_entry]],
        "tables with all of: target, reason, until, such as until = 2030-12-31",
    ),
}
"""Each key with the type of its value, and the type in words."""


@dataclass(frozen=True, slots=True)
class Config:
    """The values of the table, None for a missing key; paths in targets, budgets, lock and accepted are absolute."""

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
        config = config_of(place / "pyproject.toml")
        if config is not None:
            return config
        if (place / ".git").exists():  # folders above belong to another repository
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
    see = "see docs/reference/command-line.md"
    for key, value in table.items():
        if key not in KEYS:
            given, needed = f"{file}: [tool.dpcert] {key}", f"one of {', '.join(KEYS)}"
            raise InputError(given=given, needed=needed, remedy=nearest(key, KEYS, see))
        try:
            decode(KEYS[key][0], value)
        except Unfit:
            given = f"{file}: [tool.dpcert] {key} = {value!r}"
            raise InputError(given=given, needed=f"{key}: {KEYS[key][1]}", remedy=see) from None
    folder = file.parent.resolve()
    return Config(
        targets=tuple(_placed(text, folder) for text in table.get("targets", ())),
        time_limit=table.get("time-limit"),
        budgets={_placed(name, folder): seconds for name, seconds in table.get("budgets", {}).items()},
        jobs=table.get("jobs"),
        lock=folder / table["lock"] if "lock" in table else None,
        expect=table.get("expect"),
        rounding=table.get("rounding") == "accept",
        accepted={_placed(entry["target"], folder): entry_of(entry) for entry in table.get("accepted", ())},
    )


def _placed(text: str, folder: Path) -> str:
    """Return a target's text with its path made absolute; a name stays."""
    path, function, name = split_target(text)
    if path is None and name not in ("zoo", *BUILT_IN) and (folder / name).is_dir():
        path = Path(name)
    if path is None:
        return name
    whole = str((folder / path).resolve())
    return whole if function is None else f"{whole}:{function}"
