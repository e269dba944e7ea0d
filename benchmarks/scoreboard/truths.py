"""The truth of each problem, from what the project holds already: `python -m scoreboard.truths` writes truths.json.

In `benchmarks/`. No number is typed here. A fault of the zoo brings the witness that its tests hold to plain fractions;
the literature's mechanisms have theirs by formula; a bug of a library has the law that stands beside it; the programs
of the ideal sets have the verdict that is published, and where that is *not private* the event that integration found.
Every witness is checked once more, exactly, before it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ideal.rows import IntegerRow, RealRow
from literature.exponentials import Total, enclosed
from literature.registry import BENCHMARK
from literature.truth import truths as formulas

from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.forms import to_json
from dpcert.mechanisms.zoo import ZOO
from scoreboard.bugs import BUGS
from scoreboard.cases import QUERIES, Sized, built_in, of_a_library, of_the_literature, on_ideal_noise, rows
from scoreboard.known import FILE
from scoreboard.problem import Problem

SCHEMA = "dpcert.truths/1"
BITS = 96
"""Enclosed probabilities are written with so many bits, rounded to the side on which the witness stays one."""
EPSILONS = (Fraction(1), Fraction(1, 4), Fraction(4))
"""At the first of these that shows it, a program that is not private for every epsilon is refuted."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An event of probability p or more on a, and of q or less on b; its outcomes, or words."""

    a: Any
    b: Any
    event: tuple[Any, ...] | str
    p: Fraction
    q: Fraction


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a problem: its witness where it is not private, and bounds of its least epsilon where known.

    `least` is a pair whose second is None where no epsilon is enough; `source` says where the truth comes from.
    """

    problem: Problem
    witness: Witness | None
    least: tuple[Fraction, Fraction | None] | None
    source: str

    @property
    def private(self) -> bool:
        """Whether the claim is true."""
        return self.witness is None

    def record(self) -> dict[str, Any]:
        """Return the truth as data.

        Raises: ArithmeticError where the witness does not break the claim.
        """
        problem, claim = self.problem, self.problem.claim
        return {
            "id": problem.id,
            "group": problem.group,
            "program": problem.reference,
            "parameters": dict(problem.parameters),
            "noise": problem.noise,
            "claim": {
                "epsilon": str(problem.epsilon),
                "delta": text(problem.delta),
                "neighbours": claim.neighbours.words,
                "inputs": claim.inputs_words(),
                "pairs": sum(1 for _ in claim.pairs()),
            },
            "private": self.private,
            "witness": None if self.witness is None else self._witness(self.witness),
            "least": None if self.least is None else self._least(*self.least),
            "from": self.source,
        }

    def _witness(self, witness: Witness) -> dict[str, Any]:
        if not breaks(self.problem, witness):
            raise ArithmeticError(f"{self.problem.id}: the witness does not break the claim")
        event = witness.event if isinstance(witness.event, str) else [to_json(outcome) for outcome in witness.event]
        found = {"a": to_json(witness.a), "b": to_json(witness.b), "event": event}
        return {**found, "p": text(witness.p), "q": text(witness.q)}

    def _least(self, low: Fraction, high: Fraction | None) -> dict[str, Any]:
        return {"low": text(low), "high": None if high is None else text(high)}


def text(number: Fraction) -> str:
    """Return a fraction as text, an integer without a denominator."""
    return ratio_text(number).removesuffix("/1")


def breaks(problem: Problem, witness: Witness) -> bool:
    """Say whether p > e^epsilon q + delta, with e^epsilon from above, and whether the inputs are neighbours."""
    inputs = problem.claim.inputs
    near = witness.a in inputs and witness.b in inputs and problem.claim.neighbours(witness.a, witness.b)
    return near and witness.p > Epsilon.of(problem.epsilon).exp_bounds(256)[1] * witness.q + problem.delta


def of_correct() -> Iterator[Truth]:
    """Yield the correct mechanisms: private, as their papers prove, and as a closed form of the law confirms."""
    for mechanism in MECHANISMS:
        problem = built_in(mechanism)
        yield Truth(problem, None, None, f"its paper: {mechanism.source}")


def of_faults() -> Iterator[Truth]:
    """Yield the faults of the zoo, each with the smallest witness that its law in plain fractions has."""
    for mechanism in ZOO:
        problem, fault = built_in(mechanism), mechanism.fault
        if fault is None:
            raise AssertionError(f"{mechanism.name} has no fault")
        expected = fault.expected
        event = tuple(expected.event)
        witness = Witness(expected.a, expected.b, event, Fraction(expected.p), Fraction(expected.q))
        words = f"its law in plain fractions, tests/mechanisms/zoo_laws; one edit from {fault.of.name}"
        yield Truth(problem, witness, None, words)


def of_formulas() -> Iterator[Truth]:
    """Yield the literature's mechanisms, by the formulas of benchmarks/literature."""
    found = formulas()
    for name, row in BENCHMARK.items():
        truth = found[name]
        p, q = (rounded(total, up=up) for total, up in ((truth.p, False), (truth.q, True)))
        witness = None if row.correct else Witness(*truth.pair, truth.event.words, p, q)
        least: tuple[Fraction, Fraction | None] = Fraction(0), None
        if truth.epsilon is not None:
            least = on_grid(truth.epsilon[0], up=False), on_grid(truth.epsilon[1], up=True)
        words = f"a formula, benchmarks/literature/truth.py; least for {truth.scope}"
        yield Truth(of_the_literature(row), witness, least, words)


def rounded(total: Total, *, up: bool) -> Fraction:
    """Return a sum of exponentials on one side: itself where it is rational."""
    if set(total) <= {Fraction(0)}:
        return sum(total.values(), Fraction(0))
    low, high = enclosed(total)
    return on_grid(high if up else low, up=up)


def on_grid(number: Fraction, *, up: bool) -> Fraction:
    """Return a positive number with about BITS bits, at or below it, or at or above; itself where it has no more."""
    if number.denominator < 1 << BITS:
        return number
    grid = 1 << (BITS + number.denominator.bit_length() - number.numerator.bit_length())
    scaled = number * grid
    return Fraction(-(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator, grid)


def of_ideal_sets(wanted: Callable[[Sized], bool] = lambda sized: True) -> Iterator[Truth]:
    """Yield the programs of the ideal sets, by the published verdicts, at the least size that shows a fault."""
    for name, row in rows():
        if isinstance(row, IntegerRow):
            epsilon = Fraction(1) if row.upper is None else Fraction(1, 2)
            sizes = [Sized(name, row, row.n, size) for size in ([epsilon] if row.private else [epsilon, *EPSILONS[1:]])]
        elif row.private:
            sizes = [Sized(name, row, min(QUERIES, row.n), Fraction(1))]
        else:
            sizes = [Sized(name, row, n, epsilon) for n in range(1, row.n + 1) for epsilon in EPSILONS]
        if not wanted(sizes[0]):
            continue
        yield _published(sizes[0]) if row.private else _refuted(row, sizes)


def _published(sized: Sized) -> Truth:
    return Truth(on_ideal_noise(sized), None, None, f"published as private: {sized.set}, {sized.row.name}")


def _refuted(row: IntegerRow | RealRow, sizes: list[Sized]) -> Truth:
    for sized in sizes:
        problem = on_ideal_noise(sized)
        report = decide_ideal(problem.claim, problem.program)
        if report.verdict == "refuted" and report.worst is not None:
            seen = report.worst
            p, q = on_grid(seen.p[0], up=False), on_grid(seen.q[1], up=True)
            witness = Witness(seen.a, seen.b, seen.event, p, q)
            words = f"published as not private: {sized.set}, {row.name}; the event by integration"
            return Truth(problem, witness, None, words)
    raise ArithmeticError(f"{row.name}: no size and no epsilon refutes it")


def of_bugs() -> Iterator[Truth]:
    """Yield the bugs of libraries and their repairs, by the laws beside them."""
    for bug in BUGS:
        witness = None
        if bug.witness is not None:
            a, b, event = bug.witness
            p, q = (sum((bug.law(value).prob(outcome) for outcome in event), Fraction(0)) for value in (a, b))
            witness = Witness(a, b, event, p, q)
        words = f"a law by formula, benchmarks/scoreboard/bugs.py; {bug.library}: {bug.row}"
        yield Truth(of_a_library(bug), witness, None, words)


def all_truths() -> Iterator[Truth]:
    """Yield the truth of every problem."""
    yield from of_correct()
    yield from of_faults()
    yield from of_formulas()
    yield from of_ideal_sets()
    yield from of_bugs()


def written(found: Iterator[Truth]) -> str:
    """Return truths as the text of the file, one a line."""
    lines = ",\n".join(json.dumps(truth.record(), ensure_ascii=False) for truth in found)
    return f'{{"schema": "{SCHEMA}", "truths": [\n{lines}\n]}}\n'


def main() -> None:
    """Write the file."""
    FILE.write_text(written(all_truths()), encoding="utf-8")


if __name__ == "__main__":
    main()
