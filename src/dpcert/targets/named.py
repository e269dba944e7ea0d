"""The meaning of a target's text, before anything is imported: a file, a folder, or a mechanism that ships."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.catalogue import BUILT_IN, find
from dpcert.targets.spec import CatalogueSpec


def split_target(text: str) -> tuple[Path | None, str | None, str]:
    """Return (path, function, name): the path for FILE.py, FILE.py:function or a folder, the name for other texts.

    A name of `dpcert list` means the mechanism, even beside a folder of that name; ./name means the folder.
    """
    head, colon, tail = text.rpartition(":")
    if colon and head.endswith(".py"):
        return Path(head), tail, ""
    name = not text.endswith(".py") and (text == "zoo" or text in BUILT_IN)
    if text and not name and (text.endswith(".py") or "/" in text or os.path.isdir(text)):
        return Path(text), None, ""
    return None, None, text


def python_files(folder: Path) -> Sequence[Path]:
    """Return the Python files of a folder and those below it, in order; hidden ones and `__main__.py` left out."""

    def kept(path: Path) -> bool:
        return path.name != "__main__.py" and not any(p.startswith(".") for p in path.relative_to(folder).parts)

    files = sorted(filter(kept, folder.rglob("*.py")))
    if not files:
        raise InputError(given=f"folder {folder}", needed="Python files in it", remedy="name another folder")
    return files


def built_in_specs(name: str, settings: Mapping[str, str]) -> list[CatalogueSpec]:
    """Return the specs that a built-in's name stands for; `zoo` and the empty name stand for many."""
    from dpcert.targets.catalogue import MECHANISMS, ZOO  # a process that audits a file never imports the mechanisms

    many = {"zoo": ZOO, "": MECHANISMS}
    named = many[name] if name in many else [find(name)]
    return [CatalogueSpec(mechanism.name, dict(settings)) for mechanism in named]
