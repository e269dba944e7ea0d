"""Run the benchmarks of profiles and compositions and write their tables into docs/explanation/profiles.md.

`python benchmarks/profiles.py [JSON...]` needs dp-accounting. With the JSON of earlier runs, written by
`pytest benchmarks --benchmark-json=JSON`, nothing is run, and each benchmark counts with its best one: what else the
machine does only ever adds time.
"""

import sys
from collections.abc import Sequence

from tables import ROOT, Row, best, filled, machine, measured, shown, table

PAGE = ROOT / "docs" / "explanation" / "profiles.md"
FILES = ("benchmarks/test_profile.py", "benchmarks/test_composition.py")


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
    return table(head, lines, left=0)


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
    return table(head, lines, left=0)


def rounds(rows: Sequence[Row]) -> str:
    """Return the table of rounds of sample-and-threshold."""
    lines = [
        [
            row["params"]["scope"],
            f"{row['params']['times']:,}",
            f"{row['extra_info']['processor']:.2f} s",
            f"{row['extra_info']['epsilon']:.4g}",
        ]
        for row in rows
    ]
    return table(["scope", "rounds", "processor", "epsilon at most"], lines)


def main(arguments: Sequence[str]) -> int:
    """Fill the page."""
    runs = measured(arguments, FILES)
    rows, page = best(runs), PAGE.read_text(encoding="utf-8")
    page = filled(page, "profiles", profiles(rows["test_delta_of_a_pair"]))
    page = filled(page, "compositions", compositions(rows["test_delta_of_a_composition"]))
    page = filled(page, "rounds", rounds(rows["test_epsilon_of_rounds"]))
    PAGE.write_text(filled(page, "machine", f"Machine: {machine(runs[0])}."), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
