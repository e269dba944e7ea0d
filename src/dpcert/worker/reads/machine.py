"""Parts of the machine that a program may read without a trace: its time zone, its locale, its processor."""

import ast
import os
import platform
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

CPU = Path("/proc/cpuinfo")
DISPATCHED = re.compile(r"(s?sse|pni|avx|fma|f16c|xop|amx|fp$|fphp|asimd|neon|vfp|sve|sme|bf16|i8mm)")
"""The beginnings of the names of instructions by which numerical libraries choose their code."""
IMPORTS = {
    "time zone": frozenset({"calendar", "datetime", "email", "time", "zoneinfo"}),
    "locale": frozenset({"gettext", "locale"}),
    "processor": frozenset({"cmath", "math", "random", "statistics"}),
}
PARTS = tuple(IMPORTS)


def machine_part(name: str) -> str | None:
    """Return the present state of a part of this machine, as a text to compare; None for an unknown name."""
    match name:
        case "time zone":
            return f"{os.environ.get('TZ')} {time.tzname} {time.timezone} {time.altzone}"
        case "locale":
            names = sorted(name for name in os.environ if name.startswith(("LC_", "LANG")))
            return " ".join(f"{name}={os.environ[name]}" for name in names)
        case "processor":
            return _processor()
    return None


def parts_asked(files: Iterable[str], packages: Iterable[str]) -> list[str]:
    """Return the parts of the machine that user code may read, by the import statements anywhere in its files.

    Powers and all installed packages read the processor, too: on a processor with other instructions, the last bits of
    mathematical functions may differ.
    """
    parts = {"processor"} if any(True for _ in packages) else set()
    for file in files:
        if file.endswith(".py"):
            with suppress(OSError, SyntaxError, ValueError, RecursionError):
                parts |= _asked(ast.parse(Path(file).read_bytes()))
    return sorted(parts)


def _asked(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Pow):
            names.add("math")
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called in ("pow", "__import__", "import_module"):
                names |= {"math"} if called == "pow" else set().union(*IMPORTS.values())
    return {part for part, modules in IMPORTS.items() if not names.isdisjoint(modules)}


def _processor() -> str:
    """Return the processor's instructions by which libraries choose code; its name on other systems than Linux."""
    with suppress(OSError), CPU.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, flags = line.partition(":")
            if name.strip() in ("flags", "Features"):
                return " ".join(sorted(flag for flag in flags.split() if DISPATCHED.match(flag)))
    return f"{platform.machine()} {platform.processor()}"
