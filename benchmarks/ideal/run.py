"""Measures the verdicts on ideal noise: `python benchmarks/ideal/run.py` writes docs/findings/ideal-benchmark.md.

It needs the extra experiments, for mmh3: `pip install "dpcert[experiments]"`. With names, only the rows of these names
are measured and printed, and nothing is written. Seconds are of processor time, row after row in one process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from literature.registry import BENCHMARK
from literature.truth import truths

from dpcert.audit.ideal.align import align, corners
from dpcert.audit.ideal.alignment import check_alignments
from dpcert.audit.ideal.every import EVERYWHERE, Range
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.lengths import bound_for_any_length
from dpcert.audit.ideal.merge import open_steps
from dpcert.audit.ideal.report import IdealReport
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.meant import OPEN, Open
from dpcert.mechanisms.logarithm import epsilon_bounds
from ideal import literature
from ideal.rows import CHECKDP, DIPC, SHADOWDP, STATDP, IntegerRow, RealRow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "findings" / "ideal-benchmark.md"


@dataclass(frozen=True, slots=True)
class Measured:
    """A row of the page."""

    cells: tuple[str, ...]
    met: bool


def decimal(epsilon: Epsilon | None) -> str:
    """Return an epsilon to six digits, or as it is where it is rational."""
    if epsilon is None:
        return "none"
    if epsilon.ratio == 1:
        return str(epsilon)
    low, high = epsilon_bounds(epsilon, 40)
    return f"{float((low + high) / 2):.6f}"


def least(report: IdealReport) -> str:
    """Return the least epsilon of a report, or between which bounds it lies."""
    low, high = report.epsilon
    if high is None:
        return "none is enough" if low == Epsilon.of(0) else f"above {decimal(low)}"
    return decimal(low) if decimal(low) == decimal(high) else f"{decimal(low)} to {decimal(high)}"


def integer_row(row: IntegerRow) -> Measured:
    """Decide a row of integer queries for every epsilon, and its least epsilon where epsilon is 1."""
    program = partial(row.program, **row.settings)
    inputs = list(product(row.values, repeat=row.n))
    relation = RELATIONS[row.relation]
    start = time.process_time()
    within = EVERYWHERE if row.upper is None else Range(high=row.upper)
    found = decide_every(program, inputs, relation, factor=row.factor, delta=row.delta[1], within=within)
    seconds = time.process_time() - start
    met = found.verdict == ("verified" if row.private else "refuted")
    verdict = "private" if found.verdict == "verified" else f"not at epsilon = {found.epsilon}"
    at_one = "" if row.delta[1] else _least_at_one(row, program, inputs)
    published = "private" if row.private else "not"
    cells = row.name, str(row.n), verdict, at_one, f"{seconds:.2f}", f"{published} {row.seconds}".strip()
    return Measured(cells if row.seconds else (*cells[:-1], ""), met)


def _least_at_one(row: IntegerRow, program: partial[object], inputs: Sequence[object]) -> str:
    """Return the least epsilon of a program whose parameter is 1, or 1/2 where it must be below 1."""
    epsilon = Fraction(1, 2) if row.upper else Fraction(1)
    claim = Claim(row.name, (), tuple(inputs), RELATIONS[row.relation], PureDP(epsilon))
    report = decide_ideal(claim, program, epsilon=epsilon)
    return least(report) + (" (of 1/2)" if row.upper else "")


def real_row(row: RealRow) -> Measured:
    """Bound a row of real queries for every epsilon, on lists of any length or of some; of a wrong program, find the
    least number of queries that refutes it."""
    start = time.process_time()
    n = ""
    if row.private:
        bound, n, scope = _bound_of_any_length(row), "", "any n"
        if bound is None:
            bound, n, scope = _bound(row, row.n), str(row.n), f"n <= {row.n}"
        met = bound is not None and bound <= row.claim
        verdict = f"private for {scope}" if met else "undecided"
        words = "" if bound is None else f"<= {bound}"
    else:
        verdict, words, met = _refuted(row)
    seconds = time.process_time() - start
    published = (
        f"private, {row.claim} epsilon" if row.private and row.claim > 1 else "private" if row.private else "not"
    )
    return Measured((row.name, n, verdict, words, f"{seconds:.2f}", published), met)


def _bound_of_any_length(row: RealRow) -> Fraction | None:
    """Return the bound of epsilon for lists of any length, in units of the parameter; None where there is none."""
    try:
        return bound_for_any_length(partial(row.program, **row.settings), row.relation, epsilon=OPEN).bound
    except Unauditable:
        return None


def _bound(row: RealRow, n: int) -> Fraction | None:
    """Return the bound of epsilon by alignments, in units of the parameter; None where there is none."""
    program = partial(row.program, **row.settings)
    try:
        (paths,) = laws_of(program, [Open([0.0] * n)], epsilon=OPEN)
        steps = open_steps(paths, corners(row.relation, n))
        found = align(steps)
    except Unauditable:
        return None
    return None if found is None else check_alignments(steps, found).bound


def _refuted(row: RealRow) -> tuple[str, str, bool]:
    """Return the least n at which a program is refuted at epsilon = 1, and up to which n it is private."""
    private = 0
    for n in range(1, row.n + 1):
        bound = _bound(row, n)
        if bound is not None and bound <= row.claim:
            private = n
            continue
        for epsilon in (Fraction(1), Fraction(1, 4), Fraction(4)):
            report = _report(row, n, epsilon)
            if report.verdict == "refuted":
                up_to = f"private for n <= {private}, " if private else ""
                at_epsilon = "" if epsilon == 1 else f" at epsilon = {epsilon}"
                return f"{up_to}not for n = {n}{at_epsilon}", least(report), True
    return f"undecided up to n = {row.n}", "", False


def _report(row: RealRow, n: int, epsilon: Fraction) -> IdealReport:
    """Decide a program at integer queries: none, against all that differ from it by 1 everywhere, or in one place."""
    moves = corners(row.relation, n)
    inputs = [[0] * n, *([int(move[-1 - i]) if -1 - i in move else 0 for i in range(n)] for move in moves)]
    claim = Claim(row.name, (), tuple(inputs), RELATIONS[row.relation], PureDP(row.claim * epsilon))
    return decide_ideal(claim, partial(row.program, **row.settings), epsilon=epsilon)


def table(head: Sequence[str], rows: Sequence[Measured]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row.cells) + " |"


def literature_row(name: str) -> Measured:
    """Measure a mechanism of the literature's benchmark; it is met where its formula's epsilon is found."""
    start = time.process_time()
    report = literature.verdict(name)
    seconds = f"{time.process_time() - start:.2f}"
    truth = truths()[name]
    expected = "none is enough" if truth.epsilon is None else truth.exact or f"{float(sum(truth.epsilon) / 2):.6f}"
    correct = BENCHMARK[name].correct
    met = report.verdict == ("verified" if correct else "refuted")
    cells = (name, BENCHMARK[name].claimed, report.verdict, least(report), expected, seconds)
    return Measured(cells, met)


def measured(row: IntegerRow | RealRow | str) -> Measured:
    """Measure a row of any kind."""
    if isinstance(row, str):
        return literature_row(row)
    if isinstance(row, IntegerRow):
        return integer_row(row)
    return real_row(row)


INTEGER = ("program", "n", "for every epsilon", "least epsilon at 1", "seconds", "published, seconds")
LITERATURE = ("mechanism", "claim", "verdict", "least epsilon", "by its formula", "seconds")
REAL = ("program", "n", "for all real queries and every epsilon", "least epsilon at 1", "seconds", "published")


def main(names: Sequence[str]) -> int:
    """Measure all rows, or those of some names; return how many published verdicts are not met."""
    if find_spec("mmh3") is None:  # known now, and not after all other rows
        sys.exit('without mmh3, which the literature\'s benchmark hashes by: pip install "dpcert[experiments]"')

    def wanted(name: str) -> bool:
        return not names or any(name.startswith(part) for part in names)

    missed = 0
    parts: list[list[Measured]] = []
    groups: tuple[Sequence[IntegerRow | RealRow | str], ...] = (
        DIPC,
        CHECKDP,
        SHADOWDP,
        STATDP,
        [name for name in literature.NAMES if name not in literature.LONG],
    )
    for group in groups:
        rows: list[Measured] = []
        for row in group:
            if wanted(row if isinstance(row, str) else row.name):
                rows.append(measured(row))
                missed += not rows[-1].met
                print("" if rows[-1].met else "NOT MET", " | ".join(rows[-1].cells), flush=True)
        parts.append(rows)
    if not names:
        PAGE.write_text(page(parts), encoding="utf-8")
    return missed


def page(parts: Sequence[Sequence[Measured]]) -> str:
    """Return the page."""
    heads = (INTEGER, REAL, REAL, REAL, LITERATURE)
    tables = ["\n".join(table(head, rows)) for head, rows in zip(heads, parts, strict=True)]
    names = ("dipc", "checkdp", "shadowdp", "statdp", "literature")
    published = [row for rows in (parts[0], *parts[2:5]) for row in rows if row.cells[-1]]
    met = sum(row.met for row in published)
    return TEXT.format(**dict(zip(names, tables, strict=True)), met=met, rows=len(published))


TEXT = """# The benchmark of ideal noise

`python benchmarks/ideal/run.py` wrote this page. The programs are in `benchmarks/ideal/`, in Python with numpy's noise:
those on which DiPC, CheckDP, ShadowDP and StatDP were measured. {met} of {rows} published verdicts are met.
[Ideal noise](../how-to/ideal-noise.md) says what the verdicts mean.

Seconds are of processor time, for one row in a warm process. The published seconds are those that the authors state, on
their hardware: compare the orders of magnitude, no more.

## DiPC

Queries are integers: in -1, 0, 1, bits for RR, and 0, 1 for Sparse. Neighbours differ by at most 1 in every entry, or
by 1 in one entry for the histograms. The claim is epsilon for every epsilon > 0, below 1 for RR; for Sparse it is
(epsilon/2, delta). The least epsilon is that of the program whose parameter is 1, over the same inputs.

{dipc}

## CheckDP

Queries are real numbers that differ by at most 1 between neighbours: each of them, or one of them for the sums. What is
private is so by an alignment, for all real queries and every epsilon; the least epsilon is at most that factor. Where
no n is given, it is private for [lists of any length](../how-to/ideal-noise.md#lists-of-any-length). What is not is
refuted at the least number of queries; the least epsilon is that of the pairs that refute it. CheckDP decides each
program within 70 s, for any number of queries.

{checkdp}

## ShadowDP

All are published as private, within 3 s each, for any number of queries.

{shadowdp}

## StatDP

StatDP tests hypotheses on samples, in seconds to minutes for each epsilon.

{statdp}

## The literature's benchmark

The mechanisms of [the literature's benchmark](literature-benchmark.md) whose noise is real, from their programs in
`benchmarks/literature/plain.py`, on the input pairs of that page. The other column is what a formula says that was made
for that mechanism by hand; a test holds the two equal. Of SVT34Parallel and PrefixSum, which release many
numbers at once, no verdict is found within minutes.

{literature}
"""

if __name__ == "__main__":
    raise SystemExit(min(main(sys.argv[1:]), 1))
