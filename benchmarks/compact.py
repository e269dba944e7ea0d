"""Run compact histograms at the parameters of Theorem 8.6 and write their table into docs/papers/compact-histograms.md.

`python benchmarks/compact.py` takes some minutes: each run has a process of its own, for its memory.
"""

import json
import platform
import re
import resource
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "papers" / "compact-histograms.md"

PEOPLE = [(n, 64, n) for n in (625, 1250, 2500, 5000, 10_000)]
UNIVERSES = [(1000, bits, 1000) for bits in (16, 32, 128, 256)]
FEW = [(10_000, 64, labels) for labels in (10, 1000)]
"""n, the bits of a label, and how many labels occur."""

Row = dict[str, Any]


def run(n: int, bits: int, labels: int) -> Row:
    """Release once for n people, and read off one count, then a thousand more."""
    from dpcert.mechanisms.coins import seeded_coins
    from dpcert.mechanisms.finite_computers.compact_costs import settled
    from dpcert.mechanisms.finite_computers.compact_histogram import counts_of, parts_of, private_histogram

    draw = Random(n)
    chosen = [draw.getrandbits(bits) for _ in range(labels)]
    people = [chosen[i % labels] for i in range(n)]
    epsilon, beta = Fraction(1), Fraction(1, 10)
    start = time.process_time()
    release = private_histogram(n=n, universe=1 << bits, epsilon=epsilon, beta=beta)
    family, empty = parts_of(n=n, universe=1 << bits, epsilon=epsilon, beta=beta)
    marks = [time.process_time()]
    row = release(people, seeded_coins(n))
    marks.append(time.process_time())
    counts_of(row, chosen[:1], family=family, empty=empty)
    marks.append(time.process_time())
    counts_of(row, chosen[:1] * 1001, family=family, empty=empty)
    marks.append(time.process_time())
    return {
        "n": n,
        "bits": bits,
        "labels": len({*people}),
        "field": family.bits,
        "d": settled(n=n, universe=1 << bits, epsilon=epsilon, beta=beta).d.bit_length(),
        "build": marks[0] - start,
        "release": marks[1] - marks[0],
        "count": marks[2] - marks[1],
        "more": (marks[3] - marks[2] - (marks[2] - marks[1])) / 1000,
        "bytes": (n + 1) * family.bits // 8,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def measured(n: int, bits: int, labels: int) -> Row:
    """Run in a process of its own."""
    command = [sys.executable, __file__, str(n), str(bits), str(labels)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    row: Row = json.loads(done.stdout)
    print(row, file=sys.stderr, flush=True)
    return row


def table(rows: list[Row], by: str) -> str:
    """Return the rows in Markdown, with the growth of the release from the row before."""
    head = ["n", "label bits", "labels that occur", "bits of d", "bits of a number", "release", "growth"]
    head += ["first count", "each more", "released", "memory"]
    lines = [head, ["---:"] * len(head)]
    before = None
    for row in rows:
        growth = f"{row['release'] / before['release']:.1f}" if before and by else ""
        lines.append(
            [
                f"{row['n']:,}",
                str(row["bits"]),
                f"{row['labels']:,}",
                f"{row['d']:,}",
                f"{row['field']:,}",
                f"{row['release']:.2f} s",
                growth,
                f"{row['count']:.2f} s",
                f"{1e3 * row['more']:.1f} ms",
                f"{row['bytes'] / 1e6:.2f} MB",
                f"{row['memory']} MiB",
            ]
        )
        before = row
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> int:
    """Fill the page between its marks."""
    parts = [table([measured(*one) for one in PEOPLE], "n"), table([measured(*one) for one in UNIVERSES + FEW], "")]
    machine = f"Machine: {platform.machine()}, CPython {platform.python_version()}, {platform.system()}."
    text = "\n\n".join([machine, *parts])
    page = PAGE.read_text(encoding="utf-8")
    marks = r"(<!-- compact: begin -->\n).*?(<!-- compact: end -->)"
    page, count = re.subn(marks, lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page, flags=re.DOTALL)
    assert count == 1
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(run(*map(int, sys.argv[1:]))))
    else:
        sys.exit(main())
