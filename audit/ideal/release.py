"""Claims about programs that release real numbers with noise: aligned, or refuted by events of intervals.

An alignment bounds epsilon from above. From below, each released number is cut at some points, which is
post-processing: what refutes the claim then refutes it at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.align import align
from dpcert.audit.ideal.alignment import Alignment, Step, check_alignments
from dpcert.audit.ideal.cutting import MOST_CELLS, boxes, is_discrete, points_of
from dpcert.audit.ideal.delta import by_densities, by_whole_values
from dpcert.audit.ideal.discrete.values import MOST_VALUES, Cut, both_ways, by_values, decided, without_loss
from dpcert.audit.ideal.gaussian import by_mixtures, releases_normal
from dpcert.audit.ideal.merge import open_steps, pair_steps
from dpcert.audit.ideal.opening import is_at_least, left_over, opened_paths
from dpcert.audit.ideal.orders import in_closed_form
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.audit.ideal.report import IdealReport, Search, unknown_report
from dpcert.audit.ideal.tags.by_corners import by_corners
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.ideal.path import Path


def decide_release(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], *, epsilon: Fraction | None = None
) -> IdealReport:
    """Decide a claim about a program that releases noisy numbers, whose paths on each input are given.

    Raises: Unauditable naming what is not followed.
    """
    pairs = list(claim.pairs())
    if not claim.guarantee.delta or not releases_normal(paths):
        return _decided(claim, program, paths, pairs, epsilon)
    try:
        mixed = by_mixtures(claim, paths, pairs)
    except Unauditable as error:
        return _decided(claim, program, paths, pairs, epsilon, named=f"{error}; ")
    if mixed.verdict == "undecided":
        with suppress(Unauditable):
            other = _decided(claim, program, paths, pairs, epsilon)
            return mixed if other.verdict == "undecided" else other
    return mixed


def _decided(
    claim: Claim,
    program: Callable[..., Any],
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
    epsilon: Fraction | None,
    named: str = "",
) -> IdealReport:
    """Return the report without mixtures of normal laws; `named` says why there are none."""
    at_epsilon = epsilon or Fraction(1)
    if claim.guarantee.delta:
        for decide in (by_values, by_densities, by_whole_values):
            with suppress(Unauditable):  # what follows may decide it, too
                return decide(claim, paths, pairs, at_epsilon)
    elif has_exact_weights(paths):
        with suppress(Unauditable):  # which no alignment takes
            return by_corners(claim, paths, pairs, at_epsilon)
    aligned, reason = best_alignment(claim, program, paths, pairs, epsilon)
    cut: Cut | None = None
    with suppress(Unauditable):
        cut = without_loss(paths, MOST_VALUES if aligned is None else MOST_CELLS)
    try:
        report = _by_cells(claim, cut, paths, pairs, at_epsilon)
    except Unauditable as error:
        if aligned is None:
            with suppress(Unauditable):
                return by_corners(claim, in_closed_form(paths), pairs, at_epsilon)
            raise Unauditable(f"{named}{reason}; {error}") from None
        report = unknown_report(claim, None, len(pairs), sum(map(len, paths)))  # nothing is known from below
    low = report.epsilon[0]
    high = Epsilon.of(aligned.bound) if aligned is not None and aligned.delta <= claim.guarantee.delta else None
    within = high is not None and is_at_least(claim.guarantee.epsilon, high)
    if high is not None and is_at_least(low, high):
        low = high
    notes = (
        ()
        if aligned is None or high is None or aligned.scope is None
        else (f"alignments give the bound {high} for all {aligned.scope} inputs that differ so",)
    )
    if cut is not None:
        low, high = report.epsilon
    report = replace(report, epsilon=(low, high), notes=notes)
    if report.verdict == "refuted":
        return replace(report, method="intervals")
    if aligned is not None and within:
        return replace(
            report,
            verdict="verified",
            reason=None,
            delta=(report.delta[0], aligned.delta),
            method="pairs" if aligned.scope is None else "alignment",
            alignments=aligned.alignments,
            opened=aligned.opened,
        )
    if cut is not None:
        return report
    with suppress(Unauditable):
        return by_corners(claim, in_closed_form(paths), pairs, at_epsilon)
    why = reason or "alignments give no bound within the claim"
    if high is not None:
        why = f"alignments give no bound below {high}"
    return replace(
        report,
        verdict="undecided",
        reason=f"{named}{why}, and no event of intervals refutes it; claim more, or release less at once",
        delta=(report.delta[0], Fraction(1)),
    )


def has_exact_weights(paths: Sequence[Sequence[Path]]) -> bool:
    """Whether a path has a weight that is not rational."""
    return any(isinstance(path.weight, Exact) for row in paths for path in row)


def _by_cells(
    claim: Claim,
    cut: Cut | None,
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
    at_epsilon: Fraction,
) -> IdealReport:
    """Return the report on what is cut without loss; else on some events of intervals, which bounds from below."""
    if cut is not None:
        return decided(claim, cut, pairs, at_epsilon)
    points = points_of(paths)
    some = Cut([[(path, box) for path in row for box in boxes(path, points)] for row in paths], points)
    if any(is_discrete(path, part) for row in paths for path in row for part in noisy_parts(path.outcome)):
        report = both_ways(claim, some, pairs, at_epsilon)[2]
        return replace(report, event=some.event(report))
    report = Search(claim, some.rows, at_epsilon=at_epsilon).report(pairs)
    return replace(report, event=some.event(report, merged=False))


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of epsilon by alignments: for all open inputs of the `scope`, "real" or "integer", that differ as the
    claim's do; or for the claim's own inputs alone, where `scope` is None. What is not aligned has at most the
    probability `delta`. `opened` are the paths on open inputs."""

    bound: Fraction
    power: int
    delta: Fraction
    alignments: tuple[Alignment, ...]
    scope: str | None
    opened: tuple[Path, ...] = ()


def best_alignment(
    claim: Claim,
    program: Callable[..., Any],
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
    epsilon: Fraction | str | None,
) -> tuple[Bound | None, str | None]:
    """Return the bound for open inputs, else that for the claim's own inputs, or why there is none. At a delta, regions
    of the claim's own inputs may be left without an alignment."""

    def open_inputs() -> tuple[list[Step], str | None, list[Path]]:
        opened, moves = opened_paths(claim, program, pairs, epsilon=epsilon)
        return open_steps(opened, moves), "integer" if any(path.integers for path in opened) else "real", opened

    def own_inputs() -> tuple[list[Step], str | None, list[Path]]:
        return pair_steps(paths, pairs), None, []

    reason = None
    at_delta = claim.guarantee.delta > 0 and epsilon != OPEN
    within = (lambda cost: is_at_least(claim.guarantee.epsilon, Epsilon.of(cost))) if at_delta else None
    for taken in (own_inputs,) if at_delta else (open_inputs, own_inputs):
        try:
            steps, scope, opened = taken()
            found = align(steps, within)
            if found is not None:
                checked = check_alignments(steps, found)
                delta = left_over(checked, epsilon)
                return Bound(checked.bound, checked.power, delta, found, scope, tuple(opened)), None
            reason = "no alignment keeps what is released"
        except Unauditable as error:
            reason = str(error)
    return None, reason
