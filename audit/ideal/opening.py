"""What a check of alignments needs beside them: the program on open inputs, and what alignments leave, integrated.

An alignment of open inputs says something of a claim where the program does on the claim's own inputs what it does on
open ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.ideal.alignment import Checked, Move, Region
from dpcert.audit.ideal.compare import at
from dpcert.audit.ideal.decide import Probabilities, rounded
from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.explore import Open, laws_of
from dpcert.audit.ideal.linear import possible
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.outcomes import Noisy, Rounded, with_parts
from dpcert.audit.ideal.parameter import exactly
from dpcert.audit.ideal.run import Inequality, Path, supports
from dpcert.audit.ideal.stars import bounds_of, is_enclosed
from dpcert.audit.ideal.terms import Number
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show


def is_at_least(x: Epsilon, y: Epsilon) -> bool:
    """Whether x >= y for certain; y is rational."""
    if x.ratio == 1:
        return x.rational >= y.rational
    return x.exp_bounds(128)[0] >= y.exp_bounds(128)[1]


def left_over(checked: Checked, epsilon: Fraction | str | None = None) -> Fraction:
    """Return a bound of the probability that alignments leave on any input.

    Raises: Unauditable for what is not integrated.
    """
    found = Fraction(0)
    for left in checked.left:
        whole = sum((_bounds(region, epsilon)[1] for region, _ in left), Fraction(0))
        aligned = sum((_bounds(part, epsilon)[0] for _, part in left if part is not None), Fraction(0))
        found = max(found, whole - aligned)
    return rounded(found, up=True)


def _bounds(region: Region, epsilon: Fraction | str | None) -> tuple[Fraction, Fraction]:
    """Return bounds of the probability of a region."""
    path = Path(region.laws, region.inequalities, region.weight, None)
    if is_enclosed([[path]]):
        return bounds_of(path)
    units = Units.of([path])
    h = units.h(epsilon if isinstance(epsilon, Fraction) else Fraction(1))
    chances = chances_of([[path]], units)
    known = Probabilities(h, at(chances.whole, h))
    return known.bounds[known.number(chances.rows[0][0])]


def opened_paths(
    claim: Claim,
    program: Callable[..., Any],
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
    *,
    epsilon: Fraction | str | None = None,
) -> tuple[list[Path], list[Move]]:
    """Return the paths of a program on open inputs, and by how much the claim's inputs differ.

    Raises: Unauditable where inputs are no numbers, or where the program is another function on the claim's own inputs.
    """
    numbers = [numbers_of(value) for value in claim.inputs]
    known = [row for row in numbers if row is not None]
    if len(known) < len(numbers) or len({key(_shape(value)) for value in claim.inputs}) != 1:
        raise Unauditable("its inputs are no numbers, or lists of numbers of one length")
    (opened,) = laws_of(program, [Open(_shape(claim.inputs[0]))], epsilon=epsilon)
    for row, value in zip(paths, known, strict=True):
        need_same(row, [closed(path, value) for path in opened])
    moves = {tuple(y - x for x, y in zip(known[a], known[b], strict=True)) for a, b in pairs}
    return opened, [{-1 - i: d for i, d in enumerate(move)} for move in sorted(moves)]


def numbers_of(value: Any) -> list[Number] | None:
    """Return the numbers of an input in order; None where it holds anything else."""
    if isinstance(value, (list, tuple)):
        parts = [numbers_of(item) for item in value]
        return None if any(part is None for part in parts) else [x for part in parts for x in part or ()]
    if isinstance(value, np.ndarray):
        return numbers_of(value.ravel().tolist())
    if isinstance(value, (bool, np.bool_)):
        return None
    number = exactly(value)
    return None if number is None else [number]


def _shape(value: Any) -> Any:
    """Return an input with 0.0 for each number."""
    if isinstance(value, (list, tuple)):
        return type(value)([_shape(item) for item in value])
    return np.zeros(value.shape) if isinstance(value, np.ndarray) else 0.0


def closed(path: Path, numbers: Sequence[Number]) -> Path:
    """Return a path of an open input on the input with these numbers."""
    items = []
    for item in path.inequalities:
        given = sum(c * numbers[-1 - name] for name, c in item.form if name < 0)
        form = tuple((name, c) for name, c in item.form if name >= 0)
        items.append(Inequality(form, item.threshold - given, item.above))
    return replace(
        path, inequalities=tuple(items), outcome=with_parts(path.outcome, lambda part: _given(part, numbers))
    )


def _given(part: Noisy | Rounded, numbers: Sequence[Number]) -> Any:
    offset = Fraction(part.offset + sum(c * numbers[-1 - name] for name, c in part.terms if name < 0))
    terms = tuple((name, c) for name, c in part.terms if name >= 0)
    if terms:
        return replace(part, terms=terms, offset=offset)
    return part.factor * math.floor(offset) + part.shift if isinstance(part, Rounded) else offset


def need_same(paths: Sequence[Path], others: Sequence[Path]) -> None:
    """Check that two sets of paths, each of which fill the space of all noise, are one function on it.

    Raises: Unauditable otherwise: where two paths have different outcomes, they must be apart.
    """
    for path in paths:
        for other in others:
            shared = min(len(path.laws), len(other.laws))
            same = path.laws[:shared] == other.laws[:shared] and path.drawn == other.drawn
            if same and _same_outcome(path.outcome, other.outcome) and path.weight == other.weight:
                continue
            if not _apart(path, other):
                words = f"{show(path.outcome)} on an input, and {show(other.outcome)} on open ones"
                raise Unauditable(f"it treats the numbers of its input not as real numbers: {words}")


def _same_outcome(x: Any, y: Any) -> bool:
    def plain(value: Any) -> Any:
        return bool(value) if isinstance(value, np.bool_) else value

    if isinstance(x, (list, tuple)) and type(x) is type(y) and len(x) == len(y):
        return all(map(_same_outcome, x, y))
    left, right = plain(x), plain(y)
    if isinstance(left, (int, float, Fraction)) and isinstance(right, (int, float, Fraction)):
        return isinstance(left, bool) == isinstance(right, bool) and Fraction(left) == Fraction(right)
    return key(left) == key(right)


def _apart(path: Path, other: Path) -> bool:
    opposite = {Inequality(item.form, item.threshold, not item.above) for item in path.inequalities}
    if not opposite.isdisjoint(other.inequalities):
        return True
    if path.drawn != other.drawn and path.drawn[: len(other.drawn)] != other.drawn[: len(path.drawn)]:
        return True
    both = [*path.inequalities, *other.inequalities]
    laws = max(path.laws, other.laws, key=len)
    names = {name for item in both for name, _ in item.form}
    return not possible([*(item.inward() for item in both), *supports(laws, names)])
