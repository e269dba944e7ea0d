"""Run the benchmarks and write docs/benchmarks.md: `python benchmarks/report.py [JSON...]`.

With the JSON of earlier runs, of `pytest benchmarks --benchmark-json=JSON`, nothing is run, and each benchmark
counts with its best one: what else the machine does only ever adds time.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"

Row = dict[str, Any]

TEXT = """\
# Benchmarks

Written by `python benchmarks/report.py`, which runs `pytest benchmarks`; a plain `pytest` runs none of this.
Machine: {machine}.
Seconds are by the clock, the best of some rounds. All audits are of `geosample` at epsilon = 1/10,
over all ordered pairs of neighbouring counts, through the installed command line: the start of Python, the
replays and the second process with its own computation of all laws are included.

## Audits from the program

`dpcert audit geosample --set n=N --time-limit 600`; n = 200 must take less than 30 s.

{program}

A law has n + 1 outcomes, each found by one run of about log2(n) decisions and three replays, on numbers
of about 5 n bits. *Processor* adds up all processes; *largest process* is the largest one's peak of
resident memory (`getrusage`), a bare Python included.

## Audits from the closed form

`dpcert audit geosample --set n=N --law-source closed-form --time-limit 600`; n = 1000 must take less than
10 s.

{closed}

## Rechecking

`dpcert recheck CERTIFICATE`, beside the audit that wrote it. The kernel computes every law and every pair
again, with the same replays; it measures nothing, looks for no witness and starts no second process.

{recheck}

## Where the time goes

One law of the program, on input 100 of n = 200, by what is switched on:

{law}

The steps of the audit from the closed form, at input 500 of n = 1000:

{steps}

## Memory

Laws are streamed: one is computed while at most one other is held, whatever the number of inputs. Traced by
`tracemalloc` in one process, laws from the program: computing one law (its paths and their recorded draws
included), examining all pairs, garbage collected before each law, and keeping all laws at once, which no
audit does.

{memory}
"""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, numbers to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def shown(seconds: float) -> str:
    """Return a time to three significant digits, in s or ms."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def audits(rows: list[Row]) -> str:
    """Return the table of audits; growth is the ratio of the times at n and n / 2."""
    at = {row["params"]["n"]: row["stats"]["min"] for row in rows}
    return table(
        ["n", "ordered pairs", "seconds", "growth from n/2", "processor", "largest process"],
        (
            [
                n,
                2 * n,
                f"{seconds:.2f}",
                f"{seconds / at[n // 2]:.1f}" if 2 * (n // 2) == n and n // 2 in at else "",
                f"{row['extra_info']['processor']:.1f} s",
                f"{row['extra_info']['mebibytes']:.0f} MiB",
            ]
            for row in rows
            for n, seconds in [(row["params"]["n"], row["stats"]["min"])]
        ),
    )


def rechecks(rows: list[Row], audited: dict[tuple[str, int], Row]) -> str:
    """Return the table of rechecks beside their audits."""
    lines = []
    for row in rows:
        source, n = row["params"]["source"], row["params"]["n"]
        audit = audited[source, n]
        lines.append(
            [
                f"{source}, n = {n}",
                f"{row['extra_info']['bytes']:,} bytes",
                f"{audit['stats']['min']:.2f} s",
                f"{row['stats']['min']:.2f} s",
                f"{audit['extra_info']['processor']:.1f} s",
                f"{row['extra_info']['processor']:.1f} s",
            ]
        )
    head = ["", "certificate", "audit", "recheck", "audit, processor", "recheck, processor"]
    return table(head, lines)


def page(data: dict[str, Any]) -> str:
    """Return the page for the JSON of pytest-benchmark."""
    by_test: dict[str, list[Row]] = {}
    for row in data["benchmarks"]:
        by_test.setdefault(row["name"].partition("[")[0], []).append(row)
    program, closed = by_test["test_audit_from_the_program"], by_test["test_audit_from_the_closed_form"]
    audited = {("program", row["params"]["n"]): row for row in program}
    audited.update({("closed-form", row["params"]["n"]): row for row in closed})
    machine = data["machine_info"]
    return TEXT.format(
        machine=f"{machine['cpu']['count']} cores of {machine['cpu'].get('brand_raw', machine['machine'])}, "
        f"{machine['python_implementation']} {machine['python_version']}, {machine['system']}",
        program=audits(program),
        closed=audits(closed),
        recheck=rechecks(by_test["test_recheck"], audited),
        law=table(
            ["part", "time"],
            ([row["params"]["part"], shown(row["stats"]["min"])] for row in by_test["test_one_law_from_the_program"]),
        ),
        steps=table(
            ["step", "time"],
            (
                [row["params"]["part"], shown(row["stats"]["min"])]
                for row in by_test["test_one_step_from_the_closed_form"]
            ),
        ),
        memory=table(
            ["n", "laws at once", "one law", "all pairs", "all laws kept"],
            (
                [
                    row["params"]["n"],
                    row["extra_info"]["laws"],
                    *(f"{row['extra_info'][key]:,} KiB" for key in ("one", "peak", "every")),
                ]
                for row in by_test["test_memory_holds_two_laws"]
            ),
        ),
    )


def best(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the first run with each of its benchmarks as it was in the run in which it was fastest."""
    rows: dict[str, Row] = {}
    for row in (row for run in runs for row in run["benchmarks"]):
        known = rows.setdefault(row["name"], row)
        if row["stats"]["min"] < known["stats"]["min"]:
            rows[row["name"]] = row
    return {**runs[0], "benchmarks": list(rows.values())}


def main(arguments: Sequence[str]) -> int:
    """Write the page; return the status of the benchmarks."""
    with tempfile.TemporaryDirectory() as folder:
        paths = list(arguments) or [f"{folder}/benchmarks.json"]
        if not arguments:
            command = [sys.executable, "-m", "pytest", "benchmarks", f"--benchmark-json={paths[0]}"]
            status = subprocess.run(command, cwd=ROOT, check=False).returncode
            if status:
                return status
        runs = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    PAGE.write_text(page(best(runs)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
