"""Processor time and memory of releases at size: `python benchmarks/sizes_of_releases.py` fills its page.

Each row is a process of its own, `dpcert release` on a file, reading and writing included. Words occur about as often
as Zipf's law says; `--only NAME` runs the rows of one mechanism and prints them.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tables import ROOT, filled, table

PAGE = ROOT / "docs" / "how-to" / "release-a-histogram.md"
LABELS = 10**5


@dataclass(frozen=True)
class Row:
    """A release: its mechanism and options, the data, and how they are called in the table."""

    mechanism: str
    options: tuple[str, ...]
    data: str
    people: int
    labels: int = 0


SAMPLED = ("--epsilon", "ln(2)", "--set", "rate=1/10", "--set", "threshold=20")
DELTA = ("--epsilon", "1", "--delta", "1e-6")
ONE = ("--epsilon", "1")
L1, L2 = ("--set", "clip=5"), ("--set", "clip=5", "--set", "sigma=5")
ROWS = (
    *(
        Row(mechanism, options, "words", people)
        for mechanism, options in (
            ("sample-threshold-histogram", SAMPLED),
            ("stability-histogram", DELTA),
            ("pws-keys", DELTA),
            ("pws-frequencies", DELTA),
            ("privhist", ONE),
        )
        for people in (10**6, 10**7)
    ),
    *(
        Row(mechanism, (*ONE, *options), "users", people, LABELS)
        for mechanism, options in (("clipped-sum-l1", L1), ("clipped-sum-l2", L2))
        for people in (10**6, 10**7)
    ),
    Row("basic-histogram", ONE, "words", 10**6, LABELS),
    Row("keep-heavy", (*ONE, "--set", f"n={10**5}"), "words", 10**5, 2 * 10**5),
    Row("pure-sparse-histogram", (*ONE, "--set", f"n={10**4}"), "words", 10**4, LABELS),
    Row("compact-histogram", (*ONE, "--set", f"n={10**4}"), "words", 10**4, LABELS),
)


def words(people: int) -> Iterator[int]:
    """Yield so many labels below LABELS, the same ones every time."""
    source = random.Random(1)
    return (min(LABELS - 1, int(source.paretovariate(0.6))) for _ in range(people))


def written(folder: Path, row: Row) -> Path:
    """Return the file of a row's data, made where it is not there: ten rows for each of the users."""
    path = folder / f"{row.data}-{row.people}.{'csv' if row.data == 'users' else 'txt'}"
    if not path.exists():
        with path.open("w") as file:
            if row.data == "words":
                file.writelines(f"w{word}\n" for word in words(row.people))
            else:
                draw, users = random.Random(2), row.people // 10
                file.writelines(f"u{draw.randrange(users)},w{word}\n" for word in words(row.people))
    return path


def cost(row: Row, folder: Path) -> tuple[float, int]:
    """Return the seconds of processor time and the MiB that a release takes in a process of its own."""
    options = list(row.options)
    if row.labels:
        labels = folder / f"labels-{row.labels}.txt"
        labels.write_text("".join(f"w{label}\n" for label in range(row.labels)))
        options += ["--labels", str(labels)]
    options += ["--data", str(written(folder, row)), "--out", str(folder / f"{row.mechanism}-{row.people}.csv")]
    call = [sys.executable, "-m", "dpcert", "release", row.mechanism, *options]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{row.mechanism} ended with status {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def main() -> None:
    """Fill the page, or print the rows of one mechanism."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="NAME")
    parser.add_argument("--rows", type=int, help="the first rows alone", default=len(ROWS))
    arguments = parser.parse_args()
    chosen = [row for row in ROWS if arguments.only in (None, row.mechanism)]
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        for row in islice(chosen, arguments.rows):
            seconds, memory = cost(row, Path(folder))
            noun = "rows of a tenth as many users" if row.data == "users" else "people"
            shown.append([row.mechanism, f"{row.people:,} {noun}", f"{seconds:.1f} s", f"{memory} MiB"])
            print(*shown[-1], sep=" | ", flush=True)
    if arguments.only is None and arguments.rows >= len(ROWS):
        text = table(["release", "data", "processor time", "memory"], shown, left=2)
        PAGE.write_text(filled(PAGE.read_text("utf-8"), "sizes", text), encoding="utf-8")


if __name__ == "__main__":
    main()
