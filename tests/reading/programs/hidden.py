"""The programs of `hidden.toml`: each hides something where a rare pattern of draws shows it."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from textwrap import indent
from types import FunctionType, ModuleType
from typing import Any

PARTS: dict[str, dict[str, Any]] = {
    name: {**dict(zip(("start", "hide", "show"), parts.get("steps", ()), strict=False)), **parts}
    for name, parts in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}
FRAME = """{setup}

def program(n, coins):
{start}
    if coins.below(4) == 0 and n == 1:
{hide}
    code = 0
    for _ in range(4):
        code = (code * 2 + coins.below(2)) % 4
{turn}
    if code == 3:
{show}
    return None
"""
DEPTH = {"setup": 0, "start": 4, "hide": 8, "turn": 8, "show": 8}


def load(name: str) -> Any:
    """Return the program of a name, from a module that is made for it."""
    module = ModuleType(f"hidden_{name}")
    parts = {part: indent(PARTS[name].get(part, ""), " " * depth) for part, depth in DEPTH.items()}
    sys.modules[module.__name__] = module
    FunctionType(compile(FRAME.format(**parts), f"{name} of hidden.toml", "exec"), vars(module))()
    return module.program
