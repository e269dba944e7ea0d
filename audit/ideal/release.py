"""Claims about programs that release real numbers with noise: aligned, or refuted by events of intervals.

An alignment bounds epsilon from above. From below, each released number is cut at some points, which is
post-processing: an event that refutes the claim then refutes it at all.

At a delta, releases of normal noise are decided by densities, and those of rounded numbers by all values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Any

from dpcert.audit.ideal.align import align
from dpcert.audit.ideal.alignment import Alignment, Step, check_alignments
from dpcert.audit.ideal.corners import by_corners
from dpcert.audit.ideal.cutting import MOST_CELLS, boxes, cut, is_discrete, need_no_words, place_of, points_of
from dpcert.audit.ideal.decide import TOO_NEAR, rounded
from dpcert.audit.ideal.discrete.values import MOST_VALUES, Cut, both_ways, by_values, decided, ways_at, without_loss
from dpcert.audit.ideal.gaussian import by_mixtures, releases_normal
from dpcert.audit.ideal.merge import open_steps, pair_steps
from dpcert.audit.ideal.mixture import Divergence, mixtures_of
from dpcert.audit.ideal.opening import is_at_least, left_over, opened_paths
from dpcert.audit.ideal.orders import in_closed_form
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.audit.ideal.report import IdealReport, Search, Seen, unknown_report
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Path, step_of

MOST_EPSILON, HALVINGS = 64, 20
"""Where the search for the least epsilon at a delta ends."""
SCALES = 45
"""How many scales of the noise around all released whole numbers are looked at."""


def by_densities(
    claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]], at_epsilon: Fraction
) -> IdealReport:
    """Return the report on outcomes of which each holds one noise variable, or none.

    Raises: Unauditable for others.
    """
    units, mixtures = mixtures_of(paths)
    delta = claim.guarantee.delta

    def bounds(pair: tuple[int, int], epsilon: Epsilon) -> tuple[Fraction, Fraction]:
        return Divergence(units, at_epsilon, epsilon).of(mixtures[pair[0]], mixtures[pair[1]])

    claimed = claim.guarantee.epsilon
    found = {pair: bounds(pair, claimed) for pair in pairs}
    worst = a, b = max(found, key=lambda pair: found[pair][0])
    low, high = found[worst][0], max(high for _, high in found.values())
    verdict = "verified" if high <= delta else "refuted" if low > delta else "undecided"
    seen = None
    if verdict == "refuted":
        event, p, q = Divergence(units, at_epsilon, claimed).event(mixtures[a], mixtures[b])
        seen = Seen(claim.inputs[a], claim.inputs[b], event, p, q)
    least, most = _bisected(partial(bounds, worst), delta)
    if most is not None and any(bounds(pair, most)[1] > delta for pair in pairs):
        most = claimed if verdict == "verified" else None
    return IdealReport(
        claim=claim,
        verdict=verdict,
        reason=None if verdict != "undecided" else TOO_NEAR,
        pairs=len(pairs),
        paths=sum(map(len, paths)),
        outcomes=len({name for mixture in mixtures for name in (*mixture.atoms, *mixture.densities)}),
        delta=(rounded(low, up=False), rounded(high, up=True)),
        epsilon=(least, most),
        worst=seen,
        method="densities",
    )


def by_whole_values(
    claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]], at_epsilon: Fraction
) -> IdealReport:
    """Return the report on outcomes of which each holds one rounded or whole noisy number, or none: all values are told
    apart but those far away, which count in full.

    Raises: Unauditable for others.
    """
    parts = [part for row in paths for path in row for part in noisy_parts(path.outcome)]
    most = max(len(set(noisy_parts(path.outcome))) for row in paths for path in row)
    if most > 1 or not all(
        is_discrete(path, part) for row in paths for path in row for part in noisy_parts(path.outcome)
    ):
        raise Unauditable("it releases more than one rounded noisy number")
    whole = {_as_rounded(part) for part in parts}
    points = _between_values(whole, max((path.laws for row in paths for path in row), key=len))
    need_no_words(paths, points)
    pieces = Cut([ways_at(row, points) for row in paths], points)
    far = [_far(row, points) for row in paths]
    decision, _, report = both_ways(claim, pieces, pairs, at_epsilon)
    if report.verdict == "refuted":
        event = pieces.event(report)
        return replace(report, epsilon=(report.epsilon[0], None), method="intervals", event=event)
    rest = [
        sum((decision.known.bounds[number][1] for name, (_, number) in law.items() if name in names), Fraction(0))
        for law, names in zip(decision.laws, far, strict=True)
    ]
    most_delta = max(decision.divergence(a, b, decision.ratio)[1] + rest[a] for a, b in pairs)
    verified = most_delta <= claim.guarantee.delta
    return replace(
        report,
        verdict="verified" if verified else "undecided",
        reason=None if verified else TOO_NEAR,
        delta=(report.delta[0], rounded(most_delta, up=True)),
        epsilon=(report.epsilon[0], claim.guarantee.epsilon if verified else None),
        method="intervals",
    )


def _far(row: Sequence[Path], points: Sequence[Fraction]) -> set[Any]:
    """Return the outcomes on an input in which a number is released that lies below all points, or above all."""
    ends = [[(path, ways[0]), (path, ways[-1])] for path in row if len(ways := ways_at([path], points)) > 1]
    return {key(cut(path, box).outcome) for each in ends for path, (_, box) in each}


def _between_values(parts: Collection[Rounded], laws: Sequence[Law]) -> list[Fraction]:
    """Return points between any two values that rounded numbers can have, within many scales of the noise.

    Raises: Unauditable for more than MOST_VALUES.
    """
    first = next(iter(parts)).shift
    sizes = [Fraction(x) for part in parts for x in (part.factor, part.shift - first) if x]
    unit = lcm(*(size.denominator for size in sizes))
    step = Fraction(gcd(*(int(size * unit) for size in sizes)), unit)
    low = min(place_of(part) - _reach(part, laws) for part in parts)
    high = max(place_of(part) + _reach(part, laws) for part in parts)
    start, stop = math.floor((low - first) / step), math.ceil((high - first) / step)
    if stop - start > MOST_VALUES:
        raise Unauditable("it releases a rounded number of too many values")
    return [first + step * (k - Fraction(1, 2)) for k in range(start, stop)]


def _as_rounded(part: Noisy | Rounded) -> Rounded:
    """Return discrete noise as a multiple of its step, rounded down."""
    if isinstance(part, Rounded):
        return part
    step = step_of(c for _, c in part.terms)
    return Rounded(tuple((name, c / step) for name, c in part.terms), Fraction(0), step, part.offset)


def _reach(part: Rounded, laws: Sequence[Law]) -> Fraction:
    return part.factor * (sum(abs(Fraction(c)) * _width(laws[name]) for name, c in part.terms) + 2)


def _width(law: Law) -> Fraction:
    """Return a number that noise seldom exceeds."""
    if law.kind == "poisson":
        return law.rate.factor + 12 * math.isqrt(math.ceil(law.rate.factor)) + SCALES
    return SCALES / (law.rate.factor + 1 - 1 / law.rate.ratio)


def _bisected(
    bounds: Callable[[Epsilon], tuple[Fraction, Fraction]], delta: Fraction
) -> tuple[Epsilon, Epsilon | None]:
    """Return bounds of the least epsilon at a delta, where bounds of the least delta at an epsilon are known."""
    low, high = Fraction(0), Fraction(1)
    if bounds(Epsilon.of(0))[1] <= delta:
        return Epsilon.of(0), Epsilon.of(0)
    while bounds(Epsilon.of(high))[1] > delta:
        low, high = high if bounds(Epsilon.of(high))[0] > delta else low, 2 * high
        if high > MOST_EPSILON:
            return Epsilon.of(low), None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        lower, upper = bounds(Epsilon.of(middle))
        if upper <= delta:
            high = middle
        elif lower > delta:
            low = middle
        else:
            break
    return Epsilon.of(low), Epsilon.of(high)


def decide_release(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], *, epsilon: Fraction | None = None
) -> IdealReport:
    """Decide a claim about a program that releases noisy numbers, whose paths on each input are given.

    Raises: Unauditable naming an operation that is not followed.
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
        # Each of these bounds delta from both sides; an alignment bounds it from above alone.
        for decide in (by_values, by_densities, by_whole_values):
            with suppress(Unauditable):  # the next method may decide it, too
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
    """Return the report on a cut without loss; else on some events of intervals, which bound from below."""
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
    claim's do; or for the claim's own inputs alone, where `scope` is None. Regions without an alignment have at most
    the probability `delta`. `opened` are the paths on open inputs."""

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
    # Open inputs come first: their bound holds for all inputs. At a delta, the mass that alignments leave is a number
    # on the claim's own inputs alone.
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
