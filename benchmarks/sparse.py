"""Sample sparse histograms at real sizes and write time, memory and growth into docs/papers/approximation.md.

`python benchmarks/sparse.py` takes some minutes; each row is a process of its own. Seconds are of the processor, for
one release, the best of three where one takes less than 10 s; memory is the largest that the process held, Python
included.
"""

import json
import random
import resource
import subprocess
import sys
import time
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from tables import ROOT, filled, shown, table

from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.finite_computers.approx_sampling import approx_bin_sample, approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance, pure_sparse_histogram
from dpcert.mechanisms.finite_computers.sparse_histogram import precision, sparse_histogram

PAGE = ROOT / "docs" / "papers" / "approximation.md"
KINDS = ("sparse-histogram", "pure-sparse-histogram")
SAMPLERS = ("geosample", "fastsample")


def run(kind: str, sampler: str, n: int, bits: int, *, plain: bool) -> dict[str, Any]:
    """Release one histogram of n people over 2^bits labels; return seconds, KiB, the bits of s, and the bins."""
    universe, start = 2**bits, time.process_time()
    gamma = f"1/{800 * universe}"
    noise = Sampler.of({"n": str(n), "epsilon": "1/2", "sampler": sampler, "gamma": gamma})
    cumulative = scaled_cumulative(noise.law(0), n)
    distance = Fraction(1, 10**6)
    if kind != KINDS[0]:
        distance = pure_distance(n=n, universe=universe, epsilon=Fraction(1, 2), beta=Fraction(1, 100))
    s = precision(n=n, universe=universe, delta=distance)
    binomial = partial(approx_bin_sample, long_bits=1 << 62) if plain else approx_bin_sample
    release = sparse_histogram(
        n=n,
        universe=universe,
        sampler=noise.program,
        order_statistics=approx_ordsample(cumulative=cumulative, s=s, binomial=binomial),
    )
    if kind != KINDS[0]:
        release = pure_sparse_histogram(n=n, universe=universe, sparse=release, weight=100)
    prepared = time.process_time() - start
    chance, seconds = random.Random(n), []
    people = [min(int(chance.paretovariate(1)), universe - 1) for _ in range(n)]
    while not seconds or (len(seconds) < 3 and seconds[0] < 10):
        start = time.process_time()
        bins = release(people, system_coins())
        seconds.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": prepared + min(seconds), "kib": peak, "bits": s.bit_length(), "bins": len(bins)}


def apart(kind: str, sampler: str, n: int, bits: int, *, plain: bool = False) -> dict[str, Any]:
    """Return what `run` does in a process of its own."""
    command = [sys.executable, __file__, kind, sampler, str(n), str(bits), "plain" if plain else "bounds"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def growth(before: dict[str, Any] | None, now: dict[str, Any]) -> str:
    return "" if before is None else f"{now['seconds'] / before['seconds']:.1f}"


def by_people() -> str:
    """Return the table over n, at 2^64 labels."""
    rows: list[list[object]] = []
    for kind in KINDS:
        for sampler in SAMPLERS:
            before = None
            for n in (1_250, 2_500, 5_000, 10_000):
                now = apart(kind, sampler, n, 64)
                memory = f"{now['kib'] // 1024} MiB"
                rows.append(
                    [kind, sampler, f"{n:,}", f"{now['bits']:,}", shown(now["seconds"]), growth(before, now), memory]
                )
                before = now
    return table(["mechanism", "sampler", "n", "bits of s", "one release", "growth", "memory"], rows, left=2)


def by_labels() -> str:
    """Return the table over the universe, at n = 1,000."""
    rows: list[list[object]] = []
    for kind in KINDS:
        before = None
        for bits in (16, 32, 64, 128):
            now = apart(kind, "fastsample", 1_000, bits)
            rows.append([kind, f"2^{bits}", f"{now['bits']:,}", shown(now["seconds"]), growth(before, now)])
            before = now
    return table(["mechanism", "universe", "bits of s", "one release", "growth"], rows)


def by_search() -> str:
    """Return the table of the search as the paper has it, beside the one with bounds, at 2^64 labels."""
    rows: list[list[object]] = []
    for kind, sizes in ((KINDS[0], (40, 80, 160, 320)), (KINDS[1], (10, 20, 40, 80))):
        before = None
        for n in sizes:
            bounds, plain = apart(kind, "fastsample", n, 64), apart(kind, "fastsample", n, 64, plain=True)
            rows.append([kind, n, shown(plain["seconds"]), growth(before, plain), shown(bounds["seconds"])])
            before = plain
    return table(["mechanism", "n", "the weights alone", "growth", "bounds first"], rows)


def main(arguments: list[str]) -> int:
    """Fill the page; with arguments, be one of its rows."""
    if arguments:
        kind, sampler, n, bits, search = arguments
        print(json.dumps(run(kind, sampler, int(n), int(bits), plain=search == "plain")))
        return 0
    page = PAGE.read_text(encoding="utf-8")
    for name, made in (("people", by_people), ("labels", by_labels), ("search", by_search)):
        page = filled(page, name, made())
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
