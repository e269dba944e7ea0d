"""What a certificate on ideal noise holds beside a verdict: trees, regions, alignments, and the proofs about them.

Proofs are found by linear programs while the check itself runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal import checker
from dpcert.audit.ideal.alignment import HOLE, Alignment, Region, Step, check_alignments
from dpcert.audit.ideal.linear import maximize
from dpcert.audit.ideal.logarithms import Derived
from dpcert.audit.ideal.merge import grouped
from dpcert.audit.ideal.noise import Law, Rate
from dpcert.audit.ideal.outcomes import Noisy, Rounded, noisy_parts, with_parts
from dpcert.audit.ideal.run import Inequality, Path, normal_form
from dpcert.audit.ideal.terms import Number
from dpcert.audit.kernel.examine import name_outcome
from dpcert.mechanisms.exact.number import exact, ratio_text

Data = Any
"""What is written as JSON."""


class FoundProofs(checker.Proofs):
    """Proofs that are found when they are asked for, and kept in `kept`."""

    def __init__(self) -> None:
        super().__init__(())
        self.kept: list[Data] = []

    def asked(self, rows: Sequence[checker.Row]) -> Data:
        """Return multipliers that show that rows have no common point; none where there are none."""
        proof = [[place, ratio_text(x)] for place, x in _multipliers(rows)]
        self.kept.append(proof)
        return proof


def _multipliers(rows: Sequence[checker.Row]) -> Iterator[tuple[int, Fraction]]:
    """Yield the rows and the multipliers that sum to a contradiction, if there are any."""
    plain = [{name: _fraction(c) for name, c in row.items()} for row in rows]
    names = {name for row in plain for name in row} - {checker.UNIT}
    places = range(len(plain))
    equal = [({n: row.get(name, Fraction(0)) for n, row in enumerate(plain)}, 0) for name in names]
    equal.append((dict.fromkeys(places, Fraction(1)), 1))
    sums: list[tuple[Mapping[int, Number], Number]] = [({n: -1}, 0) for n in places]
    sums.append(({n: row.get(checker.UNIT, 0) for n, row in enumerate(plain)}, 0))
    for form, total in equal:
        sums += [(form, total), ({n: -c for n, c in form.items()}, -total)]
    found = maximize({}, sums)
    return ((place, x) for place, x in (found.point if found else {}).items() if x)


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def tree_of(paths: Sequence[Path]) -> list[Data]:
    """Return the tree of the paths on an input: a leaf for each, then those that no noise takes."""
    leaves = [leaf_of(path) for path in paths]
    known = {_mark(leaf["steps"][:depth]) for leaf in leaves for depth in range(1, len(leaf["steps"]) + 1)}
    for path, leaf in zip(paths, list(leaves), strict=True):
        for depth, step in enumerate(leaf["steps"]):
            if step[0] == "draw":
                continue
            steps = [*leaf["steps"][:depth], ["below" if step[0] == "above" else "above", *step[1:]]]
            if _mark(steps) not in known:
                known.add(_mark(steps))
                leaves.append(
                    {**leaf_of(path), "steps": steps, "outcome": None, "parts": [], "derived": [], "halves": []}
                )
    return leaves


def _mark(data: Data) -> Any:
    return tuple(map(_mark, data)) if isinstance(data, list) else data


def leaf_of(path: Path) -> Data:
    """Return a path as a leaf: {"laws", "steps", "outcome", "parts", "derived", "halves"}."""
    steps: list[Data] = []
    draws = [(place, weights, side) for (place, weights), side in zip(path.draws, path.drawn, strict=True)]
    for place in range(len(path.inequalities) + 1):
        steps += [["draw", list(map(ratio_text, weights)), side] for before, weights, side in draws if before == place]
        for item in path.inequalities[place : place + 1]:
            steps.append(["above" if item.above else "below", _form(item.form), _text(-item.threshold)])
    return {
        "laws": [[law.kind, ratio_text(law.rate.factor), law.rate.power] for law in path.laws],
        "steps": steps,
        "outcome": outline(path.outcome),
        "parts": [_part(part) for part in noisy_parts(path.outcome)],
        "derived": [
            [d.uniform, d.name, None if d.factor is None else _text(d.factor), _text(d.offset)] for d in path.derived
        ],
        "halves": [leaf_of(half) for half in path.halves],
    }


def outline(outcome: Any) -> str:
    """Return the name of an outcome without the noisy numbers in it."""
    return name_outcome(with_parts(outcome, lambda part: HOLE))


def _text(x: Number) -> str:
    return ratio_text(Fraction(x))


def _form(items: Iterable[tuple[int, Number]]) -> Data:
    return [[name, _text(c)] for name, c in items]


def _part(part: Noisy | Rounded) -> Data:
    rounding = [_text(part.factor), _text(part.shift)] if isinstance(part, Rounded) else [None, None]
    return [_form(part.terms), _text(part.offset), *rounding]


def path_of(leaf: Data) -> Path:
    """Return the path that a leaf is, without its outcome; it is one of a tree that was checked."""
    inequalities: list[Inequality] = []
    draws: list[tuple[int, tuple[Fraction, ...]]] = []
    for side, mark, last in leaf["steps"]:
        if side == "draw":
            draws.append((len(inequalities), tuple(map(exact, mark))))
        else:
            form = tuple((name, exact(c)) for name, c in mark)
            inequalities.append(Inequality(form, -exact(last), side == "above"))
    return Path(
        tuple(Law(kind, Rate(exact(rate), power)) for kind, rate, power in leaf["laws"]),
        tuple(inequalities),
        Fraction(1),
        None,
        tuple(step[2] for step in leaf["steps"] if step[0] == "draw"),
        derived=tuple(Derived(u, name, None if c is None else exact(c), exact(b)) for u, name, c, b in leaf["derived"]),
        draws=tuple(draws),
    )


def regions_data(paths: Sequence[Path]) -> list[Data]:
    """Return the regions of the paths on an input, as [leaves, rows]: rows of those of several leaves."""
    places = {id(path): place for place, path in enumerate(paths)}
    found = []
    for region, members in grouped(paths):
        rows = [] if len(members) == 1 else [_row(item) for item in region.inequalities]
        found.append([[places[id(path)] for path in members], rows])
    return found


def _row(item: Inequality) -> Data:
    form, offset = item.inward()
    return [_form(form.items()), _text(offset)]


def alignments_data(steps: Sequence[Step], alignments: Sequence[Alignment]) -> list[Data]:
    """Return alignments as rows [step, source, target, shift, names, cut]."""
    cuts: dict[tuple[int, int], Region] = {}
    for place, left in enumerate(check_alignments(steps, alignments).left):
        sources = {id(source): number for number, source in enumerate(steps[place].sources)}
        cuts |= {(place, sources[id(source)]): part for source, part in left if part is not None}
    found = []
    for each in alignments:
        source, part = steps[each.step].sources[each.source], cuts.get((each.step, each.source))
        cut = [] if part is None else part.inequalities[len(source.inequalities) :]
        names = [list(pair) for pair in each.names]
        found.append([each.step, each.source, each.target, _form(each.shift), names, [_row(item) for item in cut]])
    return found


def region_path(region: checker.Region) -> Path:
    """Return a region as a path without an outcome."""
    laws = [Law("laplace")] * (max(region.laws, default=-1) + 1)
    for name, (kind, rate, power) in region.laws.items():
        laws[name] = Law(kind, Rate(_fraction(rate), power))
    items = []
    for row in region.rows:
        terms = {name: _fraction(c) for name, c in row.items()}
        form, threshold, flipped = normal_form(terms, terms.pop(checker.UNIT, Fraction(0)))
        items.append(Inequality(form, threshold, not flipped))
    return Path(tuple(laws), tuple(items), _fraction(region.weight), None)
