"""Run the benchmarks of profiles and compositions and write their tables into docs/profiles.md.

`python benchmarks/profiles.py [JSON...]` needs dp-accounting. With the JSON of earlier runs, written by
`pytest benchmarks --benchmark-json=JSON`, nothing is run, and each benchmark counts with its best one: what else the
machine does only ever adds time.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "profiles.md"
FILES = ("benchmarks/test_profile.py", "benchmarks/test_composition.py")

Row = dict[str, Any]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, numbers to the right."""
    lines = [head, [*["---:"] * len(head)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def shown(seconds: float) -> str:
    """Return a time to three significant digits, in s, ms or µs."""
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def decimal(log10: float | None) -> str:
    """Return the number of which this is the decimal logarithm."""
    if log10 is None:
        return "0"
    exponent = int(log10 // 1)
    return f"{10 ** (log10 - exponent):.4f}e{exponent}"


def error(mine: float, other: float | None) -> str:
    """Return by how much another number differs, from their decimal logarithms."""
    if other is None:
        return "all of it"
    ratio = 10 ** (other - mine)
    return f"{100 * (ratio - 1):+.2g} %" if ratio < 2 else f"{ratio:.2g} times"


def profiles(rows: Sequence[Row]) -> str:
    """Return the table of single pairs."""
    at = {(row["params"]["n"], row["params"]["at"], row["params"]["way"]): row for row in rows}
    lines = []
    for n, epsilon in sorted({key[:2] for key in at}, key=lambda key: (key[1] == "1/10", key[0])):
        for way, other in (("laws", "dp-accounting"), ("parameters", "dp-accounting with tables")):
            mine, theirs = at.get((n, epsilon, way)), at.get((n, epsilon, other))
            if mine is None or theirs is None:
                continue
            seconds = [row["stats"]["min"] for row in (mine, theirs)]
            info = mine["extra_info"]
            lines.append(
                [
                    f"{n:,}",
                    info["epsilon"],
                    way,
                    shown(seconds[0]),
                    shown(seconds[1]),
                    f"{seconds[1] / seconds[0]:.2g}",
                    info["method"],
                    f"{decimal(info['log10'])} ({info['bits']} bits)",
                    error(info["log10"], theirs["extra_info"]["log10"]),
                ]
            )
    head = ["N", "epsilon", "given", "dpcert", "dp-accounting", "times faster", "method", "delta", "float error"]
    return table(head, lines)


def compositions(rows: Sequence[Row]) -> str:
    """Return the table of compositions."""
    at = {(row["params"]["name"], row["params"]["times"], row["params"]["way"]): row for row in rows}
    lines = []
    for name, times in sorted({key[:2] for key in at}, key=lambda key: (key[0] == "binomial", key[1])):
        mine, theirs = at[name, times, "dpcert"], at[name, times, "dp-accounting"]
        seconds = [row["stats"]["min"] for row in (mine, theirs)]
        info = mine["extra_info"]
        lo, hi = decimal(info["log10"]), decimal(info["log10_hi"])
        lines.append(
            [
                name,
                f"{times:,}",
                info["epsilon"],
                shown(seconds[0]),
                shown(seconds[1]),
                f"{seconds[1] / seconds[0]:.2g}",
                lo if lo == hi else f"{lo} to {hi}",
                error(info["log10_hi"], theirs["extra_info"]["log10"]),
            ]
        )
    head = ["pair", "times", "epsilon", "dpcert", "dp-accounting", "times faster", "delta", "float error"]
    return table(head, lines)


def best(runs: Sequence[dict[str, Any]]) -> list[Row]:
    """Return each benchmark as it was in the run in which it was fastest."""
    rows: dict[str, Row] = {}
    for row in (row for run in runs for row in run["benchmarks"]):
        known = rows.setdefault(row["name"], row)
        if row["stats"]["min"] < known["stats"]["min"]:
            rows[row["name"]] = row
    return list(rows.values())


def filled(page: str, name: str, text: str) -> str:
    """Return the page with the text between the marks of this name."""
    pattern = rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)"
    found, count = re.subn(pattern, lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page, flags=re.DOTALL)
    assert count == 1, name
    return found


def main(arguments: Sequence[str]) -> int:
    """Fill the page; return the status of the benchmarks."""
    with tempfile.TemporaryDirectory() as folder:
        paths = list(arguments) or [f"{folder}/benchmarks.json"]
        if not arguments:
            command = [sys.executable, "-m", "pytest", *FILES, f"--benchmark-json={paths[0]}"]
            status = subprocess.run(command, cwd=ROOT, check=False).returncode
            if status:
                return status
        runs = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    rows, machine = best(runs), runs[0]["machine_info"]
    page = PAGE.read_text(encoding="utf-8")
    page = filled(page, "profiles", profiles([row for row in rows if row["name"].startswith("test_delta_of_a_pair")]))
    named = [row for row in rows if row["name"].startswith("test_delta_of_a_composition")]
    page = filled(page, "compositions", compositions(named))
    text = (
        f"Machine: {machine['cpu']['count']} cores of {machine['cpu'].get('brand_raw', machine['machine'])}, "
        f"{machine['python_implementation']} {machine['python_version']}, {machine['system']}."
    )
    PAGE.write_text(filled(page, "machine", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
