"""Run the benchmarks and write their tables into docs/findings/benchmarks.md: `python benchmarks/report.py [JSON...]`.

With the JSON of earlier runs, of `pytest benchmarks --benchmark-json=JSON`, nothing is run, and each benchmark
counts with its best one: what else the machine does only ever adds time. Tables of benchmarks that were not run stay.
"""

import sys
from collections.abc import Sequence

from tables import ROOT, Row, best, filled, machine, measured, shown, table

PAGE = ROOT / "docs" / "findings" / "benchmarks.md"


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


def jobs(rows: list[Row]) -> str:
    """Return the table of audits of many targets by one job and by two."""
    at = {(row["params"]["targets"], row["params"]["jobs"]): row for row in rows}
    lines = []
    for targets in dict.fromkeys(name for name, _ in at):
        one, two = at[targets, 1], at[targets, 2]
        seconds = [row["stats"]["min"] for row in (one, two)]
        spent = [f"{row['extra_info']['processor']:.1f} s" for row in (one, two)]
        times = [f"{x:.1f} s" for x in seconds]
        lines.append([targets, one["extra_info"]["claims"], *times, f"{seconds[0] / seconds[1]:.2f}", *spent])
    head = ["", "claims", "one job", "two jobs", "times faster", "processor, one job", "processor, two jobs"]
    return table(head, lines)


def unbounded(rows: list[Row]) -> str:
    """Return the table of audits of counts of any size."""
    lines = [
        [
            row["params"]["relation"],
            row["params"]["delta"],
            row["extra_info"]["verdict"],
            f"{row['stats']['min']:.1f} s",
            f"{row['extra_info']['processor']:.1f} s",
        ]
        for row in rows
    ]
    return table(["relation", "delta", "verdict", "seconds", "processor"], lines)


def parts(rows: list[Row]) -> str:
    """Return the table of the parts of something."""
    return table(["part", "time"], ([row["params"]["part"], shown(row["stats"]["min"])] for row in rows))


def memories(rows: list[Row]) -> str:
    """Return the table of traced memory."""
    kept = ("one", "peak", "every")
    lines = (
        [row["params"]["n"], row["extra_info"]["laws"], *(f"{row['extra_info'][k]:,} KiB" for k in kept)]
        for row in rows
    )
    return table(["n", "laws at once", "one law", "all pairs", "all laws kept"], lines)


def probabilities(rows: list[Row]) -> str:
    """Return the table of probabilities of many frequencies."""
    kept = {(row["params"]["source"], row["params"]["n"]): row for row in rows}
    lines = [
        [source, f"{n:,}", shown(row["stats"]["min"]), f"{row['extra_info']['bits']:,}"]
        for (source, n), row in sorted(kept.items())
    ]
    return table(["", "frequencies", "time", "most bits of one"], lines)


def values(rows: list[Row]) -> str:
    """Return the table of rows of many values; growth is the ratio of the times at n and n / 2."""
    at = {(row["params"]["source"], row["params"]["n"]): row for row in rows}
    lines = []
    for (source, n), row in sorted(at.items()):
        half = at.get((source, n // 2))
        growth = f"{row['stats']['min'] / half['stats']['min']:.1f}" if half else ""
        lines.append([source, f"{n:,}", f"{row['extra_info']['cells']:,}", shown(row["stats"]["min"]), growth])
    return table(["", "greatest frequency", "cells", "time", "growth from half"], lines)


def sanitized(rows: list[Row]) -> str:
    """Return the table of samples sanitized from a file."""
    lines = [
        [
            f"{row['params']['n']:,}",
            f"{row['extra_info']['size'] / 2**20:.1f} MiB",
            f"{row['stats']['min']:.1f} s",
            f"{row['extra_info']['processor']:.1f} s",
            f"{row['extra_info']['mebibytes']:.0f} MiB",
        ]
        for row in rows
    ]
    return table(["pairs", "file", "seconds", "processor", "largest process"], lines)


def noises(rows: list[Row]) -> str:
    """Return the table of sampled Gaussians, each way beside the others of the same run."""
    lines = [
        [
            row["params"]["what"],
            row["params"]["way"],
            shown(row["extra_info"]["processor"]),
            row["extra_info"]["delta"],
            row["extra_info"]["error"],
        ]
        for row in sorted(rows, key=lambda row: (row["params"]["what"], row["params"]["way"]))
    ]
    return table(["", "way", "processor", "delta", "relative width, or error"], lines, left=2)


TABLES = {
    "noise": ("test_sampled_gaussian", noises),
    "weighted-probabilities": ("test_many_probabilities", probabilities),
    "weighted-values": ("test_many_values", values),
    "weighted-file": ("test_sample_from_a_file", sanitized),
    "program": ("test_audit_from_the_program", audits),
    "closed": ("test_audit_from_the_closed_form", audits),
    "size": ("test_audit_of_many_people", audits),
    "counts": ("test_audit_of_many_counts", audits),
    "unbounded": ("test_audit_of_counts_of_any_size", unbounded),
    "jobs": ("test_jobs", jobs),
    "law": ("test_one_law_from_the_program", parts),
    "steps": ("test_one_step_from_the_closed_form", parts),
    "memory": ("test_memory_holds_two_laws", memories),
}


def main(arguments: Sequence[str]) -> int:
    """Fill the page."""
    runs = measured(arguments, ("benchmarks",))
    rows, page = best(runs), PAGE.read_text(encoding="utf-8")
    for name, (test, made) in TABLES.items():
        if test in rows:
            page = filled(page, name, made(rows[test]))
    if "test_recheck" in rows:
        audited = {("program", row["params"]["n"]): row for row in rows["test_audit_from_the_program"]}
        audited.update({("closed-form", row["params"]["n"]): row for row in rows["test_audit_from_the_closed_form"]})
        page = filled(page, "recheck", rechecks(rows["test_recheck"], audited))
    PAGE.write_text(filled(page, "machine", f"Machine: {machine(runs[0])}."), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
