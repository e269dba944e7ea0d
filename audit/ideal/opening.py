"""The needs of a check of alignments: the program on open inputs, and integrals of the parts that alignments leave.

An alignment of open inputs is about a claim where the program acts on the claim's own inputs as it does on
open ones.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from dpcert.audit.ideal.alignment import Checked, Move, Region
from dpcert.audit.ideal.compare import at
from dpcert.audit.ideal.decide import Probabilities, rounded
from dpcert.audit.ideal.discrete.lattice import chances_of
from dpcert.audit.ideal.explore import laws_of, replayed
from dpcert.audit.ideal.measure import Units
from dpcert.audit.ideal.outcomes import with_parts
from dpcert.audit.ideal.stars import bounds_of, is_enclosed
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.ideal.given import is_void
from dpcert.mechanisms.ideal.meant import Open
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.parts import HOLE, Noisy, Rounded
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.terms import Number
from dpcert.reading.ideal.explore import Limits


def is_at_least(x: Epsilon, y: Epsilon) -> bool:
    """Whether x >= y for certain; y is rational."""
    if x.ratio == 1:
        return x.rational >= y.rational
    return x.exp_bounds(128)[0] >= y.exp_bounds(128)[1]


def left_over(checked: Checked, epsilon: Fraction | str | None = None) -> Fraction:
    """Return a bound of the probability that alignments leave on any input.

    Raises: Unauditable for noise that is not integrated.
    """
    found = Fraction(0)
    for left in checked.left:
        whole = sum((_bounds(region, epsilon)[1] for region, _ in left), Fraction(0))
        aligned = sum((_bounds(part, epsilon)[0] for _, part in left if part is not None), Fraction(0))
        found = max(found, whole - aligned)
    return rounded(found, up=True)


def _bounds(region: Region, epsilon: Fraction | str | None) -> tuple[Fraction, Fraction]:
    path = Path(region.laws, region.inequalities, region.weight, None)
    if is_enclosed([[path]]):
        return bounds_of(path)
    units = Units.of([path])
    h = units.h(epsilon if isinstance(epsilon, Fraction) else Fraction(1))
    chances = chances_of([[path]], units)
    known = Probabilities(h, at(chances.whole, h))
    return known.bounds[known.number(chances.rows[0][0])]


SHORT = Limits(decisions=1_000)
"""No alignment is found for longer ways."""


def opened_paths(
    claim: Claim,
    program: Callable[..., Any],
    pairs: Sequence[tuple[int, int]],
    *,
    epsilon: Fraction | str | None = None,
) -> tuple[list[Path], list[Move]]:
    """Return the paths of a program on open inputs, and by how much the claim's inputs differ.

    Raises: Unauditable where inputs are no numbers, or where the program is another function on the claim's own inputs.
    """
    moves = moves_of(claim.inputs, pairs)
    (opened,) = laws_of(program, [open_input(claim.inputs)], epsilon=epsilon, limits=SHORT)
    if any(path.loops for path in opened):
        raise Unauditable("a loop without bound is not followed on open inputs")
    need_same(program, claim.inputs, opened, epsilon=epsilon)
    return opened, moves


def moves_of(inputs: Sequence[Any], pairs: Sequence[tuple[int, int]]) -> list[Move]:
    """Return by how much the inputs of pairs differ, in order.

    Raises: Unauditable where inputs are no numbers, or of several shapes.
    """
    open_input(inputs)
    known = [numbers_of(value) or [] for value in inputs]
    moves = {tuple(y - x for x, y in zip(known[a], known[b], strict=True)) for a, b in pairs}
    return [{-1 - i: d for i, d in enumerate(move)} for move in sorted(moves)]


def open_input(inputs: Sequence[Any]) -> Open:
    """Return the open input of which these are values.

    Raises: Unauditable where there is none.
    """
    if any(numbers_of(value) is None for value in inputs) or len({key(_shape(value)) for value in inputs}) != 1:
        raise Unauditable("its inputs are no numbers, or lists of numbers of one length")
    return Open(_shape(inputs[0]))


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


def need_same(
    program: Callable[..., Any], inputs: Sequence[Any], opened: Sequence[Path], *, epsilon: Fraction | str | None = None
) -> list[list[Path]]:
    """Return the paths of a program on some inputs, each of which is a path of open inputs.

    Raises: Unauditable where the program does something else on one of them.
    """
    given = [
        [path for path in (closed(path, numbers_of(value) or []) for path in opened) if not is_void(path)]
        for value in inputs
    ]
    found = replayed(program, inputs, given, epsilon=epsilon)
    shown: dict[Hashable, Hashable] = {}  # as a caller sees the outcomes of open inputs
    for path, other in zip(chain(*found), chain(*given), strict=True):
        same = shown.setdefault(_tag(other), _tag(path)) == _tag(path) and _same_outcome(path.outcome, other.outcome)
        if not same or path.weight != other.weight:
            words = f"{show(path.outcome)} on an input, and {show(other.outcome)} on open ones"
            raise Unauditable(f"it treats the numbers of its input not as real numbers: {words}")
    return found


def _tag(path: Path) -> Hashable:
    """Return the name of an outcome without its noisy numbers."""
    return key(with_parts(path.outcome, lambda part: HOLE))


def _same_outcome(x: Any, y: Any) -> bool:
    """Whether an outcome is another one but for the types of its numbers."""
    if isinstance(x, (list, tuple)) and type(x) is type(y) and len(x) == len(y):
        return all(map(_same_outcome, x, y))
    left, right = (bool(value) if isinstance(value, np.bool_) else value for value in (x, y))
    mine, its = (None if isinstance(value, bool) else exactly(value) for value in (left, right))
    return mine == its if mine is not None and its is not None else key(left) == key(right)
