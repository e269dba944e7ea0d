"""Writes the tables of docs/findings/pipelines.md: `python benchmarks/pipelines/run.py` where a library is installed.

Each library that can be imported here is examined, or those that are named; its table is written between the marks of
its name on the page.
"""

from __future__ import annotations

import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dpcert.libraries.comparison import Comparison
from pipelines import engine, opendp_chains, tumult

PAGE = Path(__file__).resolve().parents[2] / "docs" / "findings" / "pipelines.md"


def line(*cells: object) -> str:
    """Return a row of a table, and print it."""
    found = f"| {' | '.join(map(str, cells))} |"
    print(found, flush=True)
    return found


def of_the_engine() -> Iterator[str]:
    """Yield the rows of PipelineDP."""
    yield line("pipeline", "claimed", "least delta at epsilon", "least epsilon", "verdict", "pairs", "seconds")
    yield line(*["---"] * 7)
    for pipeline in engine.pipelines():
        start = time.process_time()
        found = engine.measured(pipeline)
        low, high = float(found.delta.low), float(found.delta.high)
        delta = f"{high:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
        if found.verdict == "too small" and pipeline.delta:
            delta += f", (1 + {float(found.delta.low / Fraction(pipeline.delta) - 1):.2g}) times the claim"
        pure = pipeline.public and pipeline.noise == "LAPLACE"
        claim = f"({pipeline.epsilon:g}, {pipeline.delta:g})"
        epsilon = f"{float(found.epsilon):.10g}" if pure else ""
        yield line(
            pipeline.words, claim, delta, epsilon, found.verdict, found.pairs, f"{time.process_time() - start:.0f}"
        )


def of_comparisons(found: Iterator[Comparison]) -> Iterator[str]:
    """Yield the rows of a library whose bounds are compared one by one."""
    yield line("measurement", "claimed", "least that is true", "claimed - least", "verdict")
    yield line(*["---"] * 5)
    for each in found:
        low, high = each.least
        yield line(
            each.words,
            f"{float(each.claimed):.10g}",
            f"{float(low):.10g}",
            f"{float(each.claimed - high):.2g}",
            each.verdict,
        )


def of_opendp() -> Iterator[str]:
    """Yield the rows of OpenDP."""
    yield from of_comparisons(
        comparison
        for part in (map(opendp_chains.compared, opendp_chains.chains()), opendp_chains.responses())
        for comparison in part
    )


def of_tumult() -> Iterator[str]:
    """Yield the rows of Tumult Core."""
    yield from of_comparisons(tumult.comparisons())


LIBRARIES: dict[str, tuple[str, str, Callable[[], Iterator[str]]]] = {
    "pipeline-dp": ("pipeline_dp", "pipeline-dp", of_the_engine),
    "opendp": ("opendp", "opendp", of_opendp),
    "tmlt-core": ("tmlt", "tmlt.core", of_tumult),
}


def put(page: str, name: str, text: str) -> str:
    """Return a page with a text between the marks of a name.

    Raises: ValueError where the page has no such marks.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    found, count = re.subn(rf"{begin}.*?{end}", lambda _: f"{begin}\n\n{text}\n\n{end}", page, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"{count} places for {name}")
    return found


def main(names: Sequence[str]) -> None:
    """Examine libraries and write their tables.

    Raises: SystemExit for a name that is none of theirs.
    """
    unknown = [name for name in names if name not in LIBRARIES]
    if unknown:
        raise SystemExit(f"no such library: {', '.join(unknown)}; needed: {', '.join(LIBRARIES)}")
    warnings.simplefilter("ignore")
    for name, (package, distribution, rows) in LIBRARIES.items():
        if name in names or (not names and find_spec(package) is not None):
            text = f"{distribution} {version(distribution)}\n\n" + "\n".join(rows())
            PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
