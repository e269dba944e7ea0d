"""Paths as the leaves of a certificate's tree, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import flint

from dpcert.audit.ideal.certificates import checker
from dpcert.audit.ideal.outcomes import noisy_parts, with_parts
from dpcert.audit.kernel.examine import name_outcome
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.ideal.exact import Exact, Weight
from dpcert.mechanisms.ideal.noise import WHOLE_VALUED, Law, Rate
from dpcert.mechanisms.ideal.parts import HOLE, Noisy, Rounded
from dpcert.mechanisms.ideal.path import Derived, Inequality, Loop, Path, every_loop, normal_form
from dpcert.mechanisms.ideal.terms import Number

Data = Any
"""Data that is written as JSON."""


def fraction(x: Any) -> Fraction:
    """Return a number of the checker as a Fraction."""
    return Fraction(int(x.p), int(x.q))


def is_plain(paths: Sequence[Path]) -> bool:
    """Whether no noise of some paths is discrete: a verdict about discrete noise has no tree."""
    laws = {law for path in paths for law in path.laws}
    return all(law.kind not in WHOLE_VALUED and law.rate.ratio == 1 for law in laws)


def leaf_of(path: Path) -> Data:
    """Return a path as a leaf: {"laws", "steps", "outcome", "parts", "derived", "halves", "repeats"}.

    Raises: NotShown for discrete noise.
    """
    checker.need(is_plain([path]), "discrete noise, of which no tree is known")
    steps: list[Data] = []
    draws = [(place, weights, side) for (place, weights), side in zip(path.draws, path.drawn, strict=True)]
    for place in range(len(path.inequalities) + 1):
        steps += [["draw", list(map(_weight, weights)), side] for before, weights, side in draws if before == place]
        for item in path.inequalities[place : place + 1]:
            steps.append(["above" if item.above else "below", form_data(item.form), text_of(-item.threshold)])
    return {
        "laws": [[law.kind, ratio_text(law.rate.factor), law.rate.power] for law in path.laws],
        "steps": steps,
        "outcome": outline(path.outcome),
        "parts": [_part(part) for part in noisy_parts(path.outcome)],
        "derived": [
            [d.uniform, d.name, None if d.factor is None else text_of(d.factor), text_of(d.offset)]
            for d in path.derived
        ],
        "halves": [leaf_of(half) for half in path.halves],
        "repeats": None,
    }


def repeats_of(paths: Sequence[Path]) -> list[Data]:
    """Return the ways that come back to a state of a loop as leaves, with where it was there first and the factor."""
    return [
        {**leaf_of(path), "outcome": None, "parts": [], "repeats": [loop.depth, _weight(loop.factor)]}
        for loop in every_loop(paths)
        for path in loop.repeats
    ]


def is_exact(paths: Iterable[Path]) -> bool:
    """Whether a draw on some paths has a weight that is not rational."""
    drawn = (weight for path in paths for _, weights in path.draws for weight in weights)
    return any(isinstance(weight, Exact) for weight in (*drawn, *(path.weight for path in paths)))


def has_gumbel(paths: Iterable[Path]) -> bool:
    """Whether Gumbel noise is drawn on some paths, of which `corners.py` knows closed forms."""
    return any(law.kind == "gumbel" for path in paths for law in path.laws)


def _weight(weight: Weight) -> Data:
    if isinstance(weight, Fraction):
        return ratio_text(weight)
    return [[[i, *map(ratio_text, (b, s, c))] for (i, b, s), c in rows] for rows in (weight.above, weight.below)]


def _weight_of(data: Data) -> Weight:
    if isinstance(data, str):
        return exact(data)
    return Exact(*(tuple(((i, exact(b), exact(s)), exact(c)) for i, b, s, c in rows) for rows in data))


def outline(outcome: Any) -> str:
    """Return the name of an outcome without the noisy numbers in it."""
    return name_outcome(with_parts(outcome, lambda part: HOLE))


def text_of(x: Number) -> str:
    """Return a number as a text."""
    return ratio_text(Fraction(x))


def form_data(items: Iterable[tuple[int, Number]]) -> Data:
    """Return a form as a list of [variable, coefficient]."""
    return [[name, text_of(c)] for name, c in items]


def _part(part: Noisy | Rounded) -> Data:
    rounding = [text_of(part.factor), text_of(part.shift)] if isinstance(part, Rounded) else [None, None]
    return [form_data(part.terms), text_of(part.offset), *rounding]


def path_of(leaf: Data) -> Path:
    """Return the path that a leaf is, without its outcome; it is one of a tree that was checked."""
    inequalities: list[Inequality] = []
    draws: list[tuple[int, tuple[Weight, ...]]] = []
    for side, mark, last in leaf["steps"]:
        if side == "draw":
            draws.append((len(inequalities), tuple(map(_weight_of, mark))))
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


def given_paths(tree: Sequence[Data]) -> list[tuple[Data, list[Path]]]:
    """Return the leaves of a tree that have an outcome, each with the paths that it is, in the loops that it is in."""
    heads: dict[str, list[Data]] = {}
    for leaf in tree:
        if leaf["repeats"] is not None:
            heads.setdefault(json.dumps(leaf["steps"][: leaf["repeats"][0]]), []).append(leaf)
    loops: list[tuple[list[Any], Loop]] = []

    def inside(leaf: Data, least: int) -> Path:
        own = [loop for steps, loop in loops if len(steps) > least and leaf["steps"][: len(steps)] == steps]
        return replace(path_of(leaf), loops=tuple(sorted(own, key=lambda loop: loop.depth)))

    for members in sorted(heads.values(), key=lambda leaves: -leaves[0]["repeats"][0]):
        depth, factor = members[0]["repeats"]
        steps = members[0]["steps"][:depth]
        head = path_of({**members[0], "steps": steps})
        loops.append((steps, Loop(head, tuple(inside(leaf, depth) for leaf in members), _weight_of(factor))))
    return [
        (leaf, [inside(half, -1) for half in leaf["halves"] or [leaf]]) for leaf in tree if leaf["outcome"] is not None
    ]


def region_of(path: Path) -> checker.Region:
    """Return a path as a region by itself.

    Raises: Unauditable for an outcome of which a part cannot be named.
    """
    rows = []
    for item in path.inequalities:
        form, offset = item.inward()
        rows.append(_row(form.items(), offset))
    parts = []
    for part in noisy_parts(path.outcome):
        rounding = (fmpq(part.factor), fmpq(part.shift)) if isinstance(part, Rounded) else None
        parts.append(checker.Part(_row(part.terms, part.offset), rounding))
    laws = {name: (law.kind, fmpq(law.rate.factor), law.rate.power) for name, law in enumerate(path.laws)}
    return checker.Region((), laws, tuple(rows), outline(path.outcome), tuple(parts), fmpq(path.chance()))


def _row(form: Iterable[tuple[int, Number]], offset: Number) -> checker.Row:
    terms = {name: fmpq(c) for name, c in form if c}
    return {**terms, checker.UNIT: fmpq(offset)} if offset else terms


def fmpq(x: Number) -> checker.Number:
    """Return a number as one of the checker."""
    return flint.fmpq(x.numerator, x.denominator)


def region_path(region: checker.Region) -> Path:
    """Return a region as a path without an outcome."""
    laws = [Law("laplace")] * (max(region.laws, default=-1) + 1)
    for name, (kind, rate, power) in region.laws.items():
        laws[name] = Law(kind, Rate(fraction(rate), power))
    items = []
    for row in region.rows:
        terms = {name: fraction(c) for name, c in row.items()}
        offset = terms.pop(checker.UNIT, Fraction(0))
        form, threshold, flipped = normal_form(terms, offset)
        items.append(Inequality(form, threshold, not flipped))
    return Path(tuple(laws), tuple(items), fraction(region.weight), None)
