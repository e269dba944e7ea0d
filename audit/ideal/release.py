"""Claims about programs that release real numbers with noise: aligned, or refuted by events of intervals.

An alignment bounds epsilon from above. From below, each released number is cut at some points, which is
post-processing: what refutes the claim then refutes it at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.ideal.align import align
from dpcert.audit.ideal.alignment import Alignment, Checked, Move, Region, Step, check_alignments
from dpcert.audit.ideal.compare import Exponentials, at
from dpcert.audit.ideal.cutting import cells, points_of
from dpcert.audit.ideal.decide import Decision, IdealReport, rounded
from dpcert.audit.ideal.delta import by_densities, by_whole_values, of_normal_noise
from dpcert.audit.ideal.explore import OPEN, Open, laws_of
from dpcert.audit.ideal.linear import possible
from dpcert.audit.ideal.measure import Measure, Units
from dpcert.audit.ideal.merge import open_steps, pair_steps
from dpcert.audit.ideal.outcomes import Noisy, Rounded, with_parts
from dpcert.audit.ideal.parameter import exactly
from dpcert.audit.ideal.run import Inequality, Path, supports
from dpcert.audit.ideal.stars import bounds_of, is_enclosed
from dpcert.audit.ideal.terms import Number
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show


def decide_release(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], *, epsilon: Fraction | None = None
) -> IdealReport:
    """Decide a claim about a program that releases noisy numbers, whose paths on each input are given.

    Raises: Unauditable naming what is not followed.
    """
    pairs = list(claim.pairs())
    gaussian = of_normal_noise(claim, paths, pairs) if claim.guarantee.delta else None
    if gaussian is not None:
        return gaussian
    if claim.guarantee.delta:
        for decide in (by_densities, by_whole_values):
            with suppress(Unauditable):  # what follows may decide it, too
                return decide(claim, paths, pairs, epsilon or Fraction(1))
    aligned, reason = best_alignment(claim, program, paths, pairs, epsilon)
    points = points_of(paths)
    try:
        cut = [[cell for path in row for cell in cells(path, points)] for row in paths]
        report = Decision(claim, cut, at_epsilon=epsilon or Fraction(1)).report(pairs)
    except Unauditable as error:
        if aligned is None:
            raise Unauditable(f"{reason}; {error}") from None
        report = _uncut(claim, len(pairs), sum(map(len, paths)))
    low = report.epsilon[0]
    high = Epsilon.of(aligned.bound) if aligned is not None and aligned.delta <= claim.guarantee.delta else None
    if high is not None and is_at_least(low, high):
        low = high
    notes = (
        ()
        if aligned is None or high is None or aligned.scope is None
        else (f"alignments give the bound {high} for all {aligned.scope} inputs that differ so",)
    )
    report = replace(report, epsilon=(low, high), notes=notes)
    if report.verdict == "refuted":
        return replace(report, method="intervals")
    if aligned is not None and high is not None and is_at_least(claim.guarantee.epsilon, high):
        return replace(
            report,
            verdict="verified",
            reason=None,
            delta=(report.delta[0], aligned.delta),
            method="pairs" if aligned.scope is None else "alignment",
            alignments=aligned.alignments,
        )
    why = reason or "alignments give no bound within the claim"
    if high is not None:
        why = f"alignments give no bound below {high}"
    return replace(
        report,
        verdict="undecided",
        reason=f"{why}, and no event of intervals refutes it; claim more, or release less at once",
        delta=(report.delta[0], Fraction(1)),
    )


def _uncut(claim: Claim, pairs: int, paths: int) -> IdealReport:
    """Return a report of what is not integrated: nothing is known from below."""
    nothing = (Fraction(0), Fraction(1))
    return IdealReport(claim, "undecided", None, pairs, paths, 0, nothing, (Epsilon.of(0), None), None)


def is_at_least(x: Epsilon, y: Epsilon) -> bool:
    """Whether x >= y for certain; y is rational."""
    if x.ratio == 1:
        return x.rational >= y.rational
    return x.exp_bounds(128)[0] >= y.exp_bounds(128)[1]


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of epsilon by alignments: for all open inputs of the `scope`, "real" or "integer", that differ as the
    claim's do; or for the claim's own inputs alone, where `scope` is None. What is not aligned has at most the
    probability `delta`."""

    bound: Fraction
    power: int
    delta: Fraction
    alignments: tuple[Alignment, ...]
    scope: str | None


def best_alignment(
    claim: Claim,
    program: Callable[..., Any],
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
    epsilon: Fraction | str | None,
) -> tuple[Bound | None, str | None]:
    """Return the bound for open inputs, else that for the claim's own inputs, or why there is none. At a delta, regions
    of the claim's own inputs may be left without an alignment."""

    def open_inputs() -> tuple[list[Step], str | None]:
        opened, moves = opened_paths(claim, program, paths, pairs, epsilon=epsilon)
        return open_steps(opened, moves), "integer" if any(path.integers for path in opened) else "real"

    def own_inputs() -> tuple[list[Step], str | None]:
        return pair_steps(paths, pairs), None

    def within(cost: Fraction) -> bool:
        return is_at_least(claim.guarantee.epsilon, Epsilon.of(cost))

    reason = None
    at_delta = claim.guarantee.delta > 0 and epsilon != OPEN
    for taken in (own_inputs,) if at_delta else (open_inputs, own_inputs):
        try:
            steps, scope = taken()
            found = align(steps, within if at_delta else None)
            if found is not None:
                checked = check_alignments(steps, found)
                delta = left_over(checked, epsilon)
                return Bound(checked.bound, checked.power, delta, found, scope), None
            reason = "no alignment keeps what is released"
        except Unauditable as error:
            reason = str(error)
    return None, reason


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
    return Exponentials().enclose(at(Measure(units).probability(path), h))


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
