"""Write the table of the reader by states into docs/findings/benchmarks.md: `python benchmarks/reader.py`.

Each row is one law in a process of its own: processor time beyond the start of Python and the imports, states, replays
of the program, and the process's peak of resident memory. Where icepool is installed, it states the same law beside it.
The discrete Laplace and Gaussian are those of Canonne, Kamath and Steinke 2020, as `tests/states/plain_gaussian.py` has
them.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tables import filled, table

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.states.read import merged_law

sys.path.append(str(Path(__file__).parent.parent / "tests" / "states"))
plain_gaussian = import_module("plain_gaussian")
PAGE = Path(__file__).parent.parent / "docs" / "findings" / "benchmarks.md"
FAR = Limits(max_runs=1_000_000)


def kept_loop(n: int, coins: Coins) -> int:
    """Count who stays, by a loop."""
    kept = 0
    for _ in range(n):
        if coins.random() < 0.1:
            kept += 1
    return kept


def kept_sum(n: int, coins: Coins) -> int:
    """Count who stays, by a generator expression."""
    return sum(coins.random() < 0.1 for _ in range(n))


def kept_while(n: int, coins: Coins) -> int:
    """Count who stays, by a while loop."""
    kept = at = 0
    while at < n:
        at += 1
        kept += coins.bernoulli("1/10")
    return kept


def two_sided(n: int, coins: Coins) -> int:
    """Draw two-sided geometric noise by two loops."""
    noise = 0
    while coins.random() < 0.5:
        noise += 1
    while coins.random() < 0.5:
        noise -= 1
    return n + noise


def icepool_kept(n: int) -> float:
    """Return the processor seconds in which icepool states how many stay."""
    import icepool

    begin = time.process_time()
    stays = round(0.1 * 2**53)
    (n @ icepool.Die({0: 2**53 - stays, 1: stays})).items()
    return time.process_time() - begin


PROGRAMS: dict[str, Callable[[int, Coins], Any]] = {
    "a `for` loop": kept_loop,
    "`sum` of a generator expression": kept_sum,
    "a `while` loop": kept_while,
    "two-sided geometric, two loops": two_sided,
    "discrete Laplace of scale n": lambda n, coins: plain_gaussian.laplace(n, coins),
    "discrete Gaussian of variance n": lambda n, coins: plain_gaussian.gaussian(Fraction(n), coins),
}
SIZES = {
    "two-sided geometric, two loops": (0,),
    "discrete Laplace of scale n": (1, 3, 10),
    "discrete Gaussian of variance n": (1, 4),
}


def measured(name: str, size: int) -> dict[str, Any]:
    """Return what one law costs, in this process."""
    begin = time.process_time()
    found = merged_law(PROGRAMS[name], size, limits=FAR)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    row = {"seconds": seconds, "states": found.states, "replays": found.replays, "peak": peak}
    peer = icepool_kept(size) if "kept" in PROGRAMS[name].__name__ and find_spec("icepool") else None
    return {**row, "tail": float(found.law.tail), "peer": peer}


def main() -> None:
    """Measure all rows, each in a process of its own, and write the table."""
    rows = []
    for name in PROGRAMS:
        before = None
        for size in SIZES.get(name, (30, 100, 300, 1000)):
            done = subprocess.run(
                [sys.executable, __file__, name, str(size)], check=True, capture_output=True, text=True
            )
            row = json.loads(done.stdout)
            growth = "" if before is None else f"{row['seconds'] / before:.1f}"
            before = row["seconds"]
            tail = "0" if not row["tail"] else f"{row['tail']:.1e}"
            states = [str(row["states"]), str(row["replays"]), tail]
            peer = "" if row["peer"] is None else f"{row['peer']:.3f}"
            rows.append([name, str(size), *states, f"{row['seconds']:.2f}", growth, f"{row['peak']} MiB", peer])
    head = ["program", "n", "states", "replays", "tail", "processor seconds", "growth", "peak memory", "icepool"]
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), "reader", table(head, rows)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measured(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
