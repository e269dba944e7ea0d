"""The programs of `hidden.toml`, each with its law, which is computed on every script of coins."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

from dpcert.mechanisms.dist import Dist

Program = Callable[[Any, Any], Any]
PARTS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FRAME = """{setup}

def program(n, coins):
{start}
    if coins.below(4) == 0 and n == 1:
{hide}
    code = 0
    for _ in range({turns}):
        code = (code * 2 + coins.below(2)) % {codes}
{turn}
    if code == {rare}:
{show}
    return None
"""
DEPTH = {"setup": 0, "start": 4, "hide": 8, "turn": 8, "show": 8}


class Scripted:
    """Coins that give what a script says."""

    def __init__(self, script: list[int]) -> None:
        self.script = script[::-1]

    def below(self, bound: int) -> int:
        """Return the next draw."""
        return self.script.pop() if bound > 1 else 0


def load(name: str, folder: Path, turns: int, bits: int) -> Program:
    """Return the program of a name, from a file that is written for it: it sees the last bits of so many turns."""
    parts = {part: indent(PARTS[name].get(part, ""), " " * depth) for part, depth in DEPTH.items()}
    path = folder / f"hidden_{name}.py"
    codes = 1 << bits
    path.write_text(FRAME.format(**parts, turns=turns, codes=codes, rare=19 % codes), "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    found: Program = module.program
    return found


def truth(program: Program, n: int, turns: int, bits: int) -> Dist:
    """Return the law of a program on an input, by what it returns on each script of the draws that it sees."""
    found: list[Any] = []
    for draw in range(4):
        for code in range(1 << bits):
            seen = [code >> place & 1 for place in reversed(range(bits))]
            found.append(program(n, Scripted([draw, *[0] * (turns - bits), *seen])))
    return Dist.uniform(found)
