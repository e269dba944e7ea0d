"""What of a machine a program may have asked for without a trace: its time zone, its locale, its processor."""

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
"""How the names of those instructions begin by which libraries of numbers choose their code."""
IMPORTS = {
    "time zone": frozenset({"calendar", "datetime", "email", "time", "zoneinfo"}),
    "locale": frozenset({"gettext", "locale"}),
    "processor": frozenset({"cmath", "math", "random", "statistics"}),
}
PARTS = tuple(IMPORTS)


def machine_part(name: str) -> str | None:
    """Return what a part of this machine is now, in a text to compare; None for a name of none."""
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
    """Return the parts of the machine that user code may ask, by what its files import, wherever the statement stands.

    The processor is asked by powers, too, and by every installed package, as mathematical functions come out
    otherwise, in their last bits, on a processor with other instructions.
    """
    found = {"processor"} if any(True for _ in packages) else set()
    for file in files:
        if file.endswith(".py"):
            with suppress(OSError, SyntaxError, ValueError, RecursionError):
                found |= _asked(ast.parse(Path(file).read_bytes()))
    return sorted(found)


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
    """Return the processor's instructions by which libraries choose their code; elsewhere than on Linux, its name."""
    with suppress(OSError), CPU.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, flags = line.partition(":")
            if name.strip() in ("flags", "Features"):
                return " ".join(sorted(flag for flag in flags.split() if DISPATCHED.match(flag)))
    return f"{platform.machine()} {platform.processor()}"
