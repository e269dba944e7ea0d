"""What the reports share: running benchmarks, the best of several runs, and tables in pages or beside plots."""

import csv
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

Row = dict[str, Any]


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, left: int = 1) -> str:
    """Return a table in Markdown, all but the first `left` columns to the right."""
    lines = [head, [*["---"] * left, *["---:"] * (len(head) - left)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def keep(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table into docs/figures/NAME.csv."""
    with (ROOT / "docs" / "figures" / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def shown(seconds: float) -> str:
    """Return a time to three significant digits, in s, ms or µs."""
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def in_turns(*ways: Callable[[], Any], rounds: int) -> tuple[list[float], list[Any]]:
    """Run each way in turns, so many times, and return the least processor time and the last answer of each."""
    spent, found = [float("inf")] * len(ways), [None] * len(ways)
    for _ in range(rounds):
        for place, run in enumerate(ways):
            start = process_time()
            found[place] = run()
            spent[place] = min(spent[place], process_time() - start)
    return spent, found


def filled(page: str, name: str, text: str) -> str:
    """Return the page with this text between the marks of that name, which must be there once."""
    pattern = rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)"
    found, count = re.subn(pattern, lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"the page has {count} places for {name!r}")
    return found


def measured(arguments: Sequence[str], tests: Sequence[str]) -> list[dict[str, Any]]:
    """Return the JSON of earlier runs, of the files named; where none is, run these benchmarks.

    Raises: SystemExit with the status of the benchmarks, where they fail.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = list(arguments) or [f"{folder}/benchmarks.json"]
        if not arguments:
            command = [sys.executable, "-m", "pytest", *tests, f"--benchmark-json={paths[0]}"]
            status = subprocess.run(command, cwd=ROOT, check=False).returncode
            if status:
                raise SystemExit(status)
        return [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]


def best(runs: Sequence[dict[str, Any]]) -> dict[str, list[Row]]:
    """Return the benchmarks of each test, each as it was in the run in which it was fastest."""
    rows: dict[str, Row] = {}
    for row in (row for run in runs for row in run["benchmarks"]):
        known = rows.setdefault(row["name"], row)
        if row["stats"]["min"] < known["stats"]["min"]:
            rows[row["name"]] = row
    found: dict[str, list[Row]] = {}
    for row in rows.values():
        found.setdefault(row["name"].partition("[")[0], []).append(row)
    return found


def machine(run: dict[str, Any]) -> str:
    """Return the machine of a run in words."""
    info = run["machine_info"]
    brand = info["cpu"].get("brand_raw", info["machine"])
    cores = f"{info['cpu']['count']} cores of {brand}"
    return f"{cores}, {info['python_implementation']} {info['python_version']}, {info['system']}"
