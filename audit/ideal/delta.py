"""Claims about releases at a delta: of normal noise, by densities, or by all values of what is rounded."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Any

from dpcert.audit.ideal.cutting import cut, is_discrete, need_no_words, place_of
from dpcert.audit.ideal.decide import TOO_NEAR, rounded
from dpcert.audit.ideal.discrete.values import Cut, both_ways, ways_at
from dpcert.audit.ideal.mixture import Divergence, mixtures_of
from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.audit.ideal.report import IdealReport, Seen
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.ideal.noise import Law
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Path, step_of

MOST_EPSILON, HALVINGS = 64, 20
"""Where the search for the least epsilon at a delta ends."""
SCALES, MOST_VALUES = 45, 2000
"""How many scales of the noise around all released whole numbers are looked at, and how many values at the most."""


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
