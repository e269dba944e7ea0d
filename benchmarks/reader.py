"""Write the table of the reader by states into docs/findings/benchmarks.md: `python benchmarks/reader.py`.

Each row is one law in a process of its own: processor time beyond the start of Python and the imports, states, replays
of the program, and the process's peak of resident memory. "law" is what the law alone takes, "in all" the law and its
replays. Where icepool is installed, it states the law of how many stay beside it: with the weights of
`random() < 0.1`, and with weights 9 to 1. The discrete Laplace and Gaussian are those of Canonne, Kamath and Steinke
2020, as `tests/reading/programs/plain_gaussian.py` has them; that of diffprivlib has its own rows where it is
installed. The last rows are whole commands, `dpcert audit` in all its processes, with the start of Python. "asked" is
what a law and all may take.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tables import filled, table

from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.explore import Limits
from dpcert.reading.explore import read_law
from dpcert.reading.replay import replay

sys.path.append(str(Path(__file__).parent.parent / "tests" / "reading" / "programs"))
loops, plain_gaussian = import_module("loops"), import_module("plain_gaussian")
PAGE = Path(__file__).parent.parent / "docs" / "findings" / "benchmarks.md"
FAR = Limits(max_runs=1_000_000)
COUNTS = """
import dpcert


@dpcert.target(guarantee=dpcert.ApproxDP("1/2", "1/5"), inputs=range({n} + 1), neighbours="counts_differ_by_one")
def kept(n, coins):
    count = 0
    for _ in range(n):
        if coins.random() < 0.1:
            count += 1
    return count
"""
GAUSSIAN = """
from diffprivlib.mechanisms import GaussianDiscrete

from dpcert.libraries import diffprivlib

release = diffprivlib.target(GaussianDiscrete(epsilon=1, delta=1e-8), inputs=range({n} + 1))
"""
COMMANDS = {
    "audit of a `for` loop, counts 0 to n": COUNTS,
    "audit of diffprivlib's discrete Gaussian, inputs 0 to n": GAUSSIAN,
    "audit of all n mechanisms that ship": None,
}
"""Files that are audited; without one, what ships."""


def kept_vector(n: int, rng: Any) -> int:
    """Count who stays, by a vector of numpy."""
    return int((rng.random(n) < 0.1).sum())


def gaussian_of_diffprivlib() -> Callable[[Any, Coins], Any]:
    """Return the discrete Gaussian of diffprivlib for epsilon 1 and delta 1e-8, of scale 5.1."""
    library, adapter = import_module("diffprivlib.mechanisms"), import_module("dpcert.libraries.diffprivlib")
    program: Callable[[Any, Coins], Any] = adapter.target(
        library.GaussianDiscrete(epsilon=1, delta=1e-8), inputs=(0, 1)
    ).function
    return program


def icepool_kept(n: int, leaves: int, stays: int) -> float:
    """Return the processor seconds in which icepool states how many stay, by the weights of one who leaves or stays."""
    import icepool

    sys.setrecursionlimit(10 * n + 1000)  # it calls itself for each die
    begin = time.process_time()
    (n @ icepool.Die({0: leaves, 1: stays})).items()
    return time.process_time() - begin


PROGRAMS: dict[str, Callable[[int, Coins], Any]] = {
    "a `for` loop, 1 of 10": loops.kept_tenth,
    "a `for` loop": loops.kept_loop,
    "`sum` of ones, 1 of 10": loops.kept_ones_tenth,
    "`sum` of ones": loops.kept_ones,
    "`sum` of a generator expression": loops.kept_sum,
    "`sum` of a vector": kept_vector,
    "a `while` loop": loops.kept_while,
    "histogram of three values in a dict": loops.histogram,
    "a class with state": loops.tally,
    "walk with its maximum": loops.walk,
    "two-sided geometric, two loops": loops.two_sided,
    "discrete Laplace of scale n": lambda n, coins: plain_gaussian.laplace(n, coins),
    "discrete Gaussian of variance n": lambda n, coins: plain_gaussian.gaussian(Fraction(n), coins),
}
SIZES = {
    "histogram of three values in a dict": (10, 30),
    "a class with state": (30, 100),
    "walk with its maximum": (20, 60),
    "two-sided geometric, two loops": (0,),
    "discrete Laplace of scale n": (1, 3, 10),
    "discrete Gaussian of variance n": (1, 4),
    "diffprivlib's discrete Gaussian, input n": (0, 1),
    "audit of a `for` loop, counts 0 to n": (100,),
    "audit of diffprivlib's discrete Gaussian, inputs 0 to n": (1,),
    "audit of all n mechanisms that ship": (len(MECHANISMS),),
}
LOOP = {300: "0.2", 1000: "1.5"}
ASKED: dict[str, dict[int, str]] = {
    "a `for` loop, 1 of 10": LOOP,
    "a `for` loop": LOOP,
    "`sum` of ones, 1 of 10": {1000: "1.5"},
    "`sum` of ones": {1000: "1.5"},
    "`sum` of a generator expression": {1000: "10"},
    "histogram of three values in a dict": {30: "5.0"},
    "a class with state": {100: "0.8"},
    "walk with its maximum": {60: "1.1"},
    "discrete Laplace of scale n": {10: "0.5"},
    "discrete Gaussian of variance n": {4: "2.5"},
    "audit of all n mechanisms that ship": {len(MECHANISMS): "20"},
}
"""Seconds that a law and all, or all, may take."""


def measured(name: str, size: int) -> dict[str, Any]:
    """Return what one law costs, in this process."""
    program = PROGRAMS[name] if name in PROGRAMS else gaussian_of_diffprivlib()
    if program is kept_vector:
        return of_vector(size)
    begin = time.process_time()
    found = read_law(program, size)
    law = time.process_time() - begin
    before = time.process_time() + children()
    count = replay(program, size)
    replays = time.process_time() + children() - before
    row = {"states": found.states, "replays": count, "tail": float(found.law.tail), "peak": peak()}
    return {**row, "law": law, "all": law + replays, **peers(program, size)}


def peers(program: Callable[..., Any], size: int) -> dict[str, float | None]:
    """Return what icepool takes for how many stay, with the weights of `random() < 0.1`, and with weights 9 to 1."""
    named = program.__name__
    if "kept" not in named or not find_spec("icepool"):
        return {"peer": None, "fair": None}
    stays = round(0.1 * 2**53)
    tenth = "tenth" in named or "while" in named
    return {"peer": None if tenth else icepool_kept(size, 2**53 - stays, stays), "fair": icepool_kept(size, 9, 1)}


def children() -> float:
    """Return the processor seconds of processes that were forked and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_vector(size: int) -> dict[str, Any]:
    """Return what the law of a program of vectors costs, which is found by paths."""
    enumerator, redirecting = (
        import_module("dpcert.reading.paths.enumerator"),
        import_module("dpcert.targets.redirecting"),
    )
    import_module("numpy")
    program = redirecting.redirect()(kept_vector)
    seconds = []
    for first in (True, False):
        begin = time.process_time()
        found = enumerator.enumerate_law(program, size, limits=FAR, reverse=not first, replay=first)
        seconds.append(time.process_time() - begin)
    row = {"states": "", "replays": found.leaves, "tail": float(found.law.tail), "peak": peak()}
    return {**row, "law": seconds[1], "all": sum(seconds), "peer": None, "fair": None}


def audited(name: str, size: int) -> dict[str, Any]:
    """Return what a whole command costs, in all its processes."""
    text = COMMANDS[name]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "audited.py"
        file.write_text((text or "").format(n=size), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        what = ["--exact", str(file)] if text else []
        command = [sys.executable, "-m", "dpcert", "audit", "--json", "--time-limit", "900", *what]
        done = subprocess.run(command, check=False, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    results = json.loads(done.stdout)["results"]
    if "undecided" in {result["verdict"] for result in results}:
        raise SystemExit(f"{name}: undecided")
    tail = max(Fraction(result["tail"]) for result in results)
    row = {"states": "", "replays": "", "tail": float(tail), "peak": after.ru_maxrss // 1024}
    return {**row, "law": None, "all": seconds, "peer": None, "fair": None}


def peak() -> int:
    """Return this process's peak of resident memory, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def rows_of(name: str) -> list[list[str]]:
    """Measure one program at each of its sizes."""
    rows: list[list[str]] = []
    before = None
    for size in SIZES.get(name, (30, 100, 300, 1000)):
        done = subprocess.run([sys.executable, __file__, name, str(size)], check=True, capture_output=True, text=True)
        row = json.loads(done.stdout)
        growth = "" if before is None else f"{row['all'] / before:.1f}"
        before = row["all"]
        tail = "0" if not row["tail"] else f"{row['tail']:.1e}"
        law, peer, fair = ("" if row[each] is None else f"{row[each]:.3f}" for each in ("law", "peer", "fair"))
        states = [str(row["states"]), str(row["replays"]), tail]
        asked = ASKED.get(name, {}).get(size, "")
        times = [law, f"{row['all']:.2f}", asked, growth, peer, fair]
        rows.append([name, str(size), *times, *states, f"{row['peak']} MiB"])
    return rows


def main() -> None:
    """Measure all rows, each in a process of its own, and write the table."""
    names = [*PROGRAMS, *SIZES]
    if not find_spec("diffprivlib"):
        names = [name for name in names if "diffprivlib" not in name]
    rows = [row for name in dict.fromkeys(names) for row in rows_of(name)]
    head = [
        "program",
        "n",
        "law (s)",
        "in all (s)",
        "asked (s)",
        "growth",
        "icepool (s)",
        "icepool, 9 : 1 (s)",
        "states",
        "replays",
        "tail",
        "peak memory",
    ]
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), "reader", table(head, rows)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        name, size = sys.argv[1], int(sys.argv[2])
        print(json.dumps(audited(name, size) if name in COMMANDS else measured(name, size)))
    else:
        main()
