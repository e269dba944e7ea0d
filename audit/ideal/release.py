"""Claims about programs that release real numbers with noise: aligned, or refuted by events of intervals.

An alignment bounds epsilon from above. From below, each released number is cut at some points, which is
post-processing: what refutes the claim then refutes it at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import gcd, lcm
from typing import Any

import numpy as np

from dpcert.audit.ideal.align import Aligned, Move, align
from dpcert.audit.ideal.decide import TOO_NEAR, Decision, IdealReport, Seen, rounded
from dpcert.audit.ideal.explore import Open, laws_of
from dpcert.audit.ideal.linear import possible
from dpcert.audit.ideal.mixture import Divergence, mixtures_of
from dpcert.audit.ideal.noise import Law
from dpcert.audit.ideal.normal import gaussian_delta, gaussian_event
from dpcert.audit.ideal.outcomes import Noisy, Rounded, noisy_parts, with_parts
from dpcert.audit.ideal.parameter import exactly
from dpcert.audit.ideal.run import Inequality, Path, normal_form, supports
from dpcert.audit.ideal.terms import Number
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import key, show

MOST_CELLS, MOST_PARTS = 200, 4
"""The most events of intervals of one path, and the most released numbers that they are about."""
POINTS = 5
"""At how many places around which released numbers lie these are cut, at the most."""
MOST_EPSILON, HALVINGS = 64, 20
"""Where the search for the least epsilon at a delta ends."""
SCALES, MOST_VALUES = 45, 2000
"""How many scales of the noise around all released whole numbers are looked at, and how many values at the most."""
FAR = (8, 64)
"""How far from all of them they are cut, too."""


def decide_release(
    claim: Claim, program: Callable[..., Any], paths: Sequence[Sequence[Path]], *, epsilon: Fraction | None = None
) -> IdealReport:
    """Decide a claim about a program that releases noisy numbers, whose paths on each input are given.

    Raises: Unauditable naming what is not followed.
    """
    pairs = list(claim.pairs())
    gaussian = _gaussian(claim, paths, pairs) if claim.guarantee.delta else None
    if gaussian is not None:
        return gaussian
    if claim.guarantee.delta:
        for decide in (_mixed, _whole):
            with suppress(Unauditable):  # what follows may decide it, too
                return decide(claim, paths, pairs, epsilon or Fraction(1))
    aligned, reason = _aligned(claim, program, paths, pairs, epsilon)
    points = points_of(paths)
    try:
        cut = [[cell for path in row for cell in cells(path, points)] for row in paths]
        report = Decision(claim, cut, at_epsilon=epsilon or Fraction(1)).report(pairs)
    except Unauditable as error:
        if aligned is None:
            raise Unauditable(f"{reason}; {error}") from None
        report = _uncut(claim, len(pairs), sum(map(len, paths)))
    low, high = report.epsilon
    notes: tuple[str, ...] = ()
    if aligned is not None and claim.guarantee.delta == 0:
        bound = Epsilon.of(aligned.bound)
        kind = "integer" if aligned.integers else "real"
        notes = (f"alignments give the bound {bound} for all {kind} inputs that differ so",)
        high = bound
        if low == bound or is_at_least(low, bound):
            low = bound
    else:
        high = None
    if report.verdict == "refuted":
        return replace(report, epsilon=(low, high if aligned is not None else None), notes=notes, method="intervals")
    if aligned is not None and is_at_least(claim.guarantee.epsilon, Epsilon.of(aligned.bound)):
        zero = Fraction(0), Fraction(0)
        return replace(
            report,
            verdict="verified",
            reason=None,
            epsilon=(low, high),
            delta=zero,
            notes=notes,
            method="alignment",
            alignments=aligned.alignments,
        )
    why = reason if aligned is None else f"alignments give no bound below {Epsilon.of(aligned.bound)}"
    return replace(
        report,
        verdict="undecided",
        reason=f"{why}, and no event of intervals refutes it",
        epsilon=(low, high),
        delta=(report.delta[0], Fraction(1)),
        notes=notes,
    )


def _mixed(
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


def _whole(
    claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]], at_epsilon: Fraction
) -> IdealReport:
    """Return the report on outcomes of which each holds one rounded noisy number, or none: all values are told apart
    but those far away, which count in full.

    Raises: Unauditable for others.
    """
    parts = [part for row in paths for path in row for part in noisy_parts(path.outcome)]
    most = max(len(set(noisy_parts(path.outcome))) for row in paths for path in row)
    whole = {part for part in parts if isinstance(part, Rounded)}
    if most > 1 or len(whole) < len(set(parts)):
        raise Unauditable("it releases more than one rounded noisy number")
    points = _between_values(whole, max((path.laws for row in paths for path in row), key=len))
    cut: list[list[Path]] = []
    far: list[set[Any]] = []
    for row in paths:
        ways = [list(_cells(path, list(set(noisy_parts(path.outcome))), points, {})) for path in row]
        cut.append([cell for way in ways for cell in way])
        far.append({key(way[end].outcome) for way in ways if len(way) > 1 for end in (0, -1)})
    decision = Decision(claim, cut, at_epsilon=at_epsilon)
    report = decision.report(pairs)
    rest = [
        sum((decision.known.bounds[number][1] for name, (_, number) in law.items() if name in names), Fraction(0))
        for law, names in zip(decision.laws, far, strict=True)
    ]
    if report.verdict == "refuted":
        return replace(report, epsilon=(report.epsilon[0], None), method="intervals")
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


def _between_values(parts: Collection[Rounded], laws: Sequence[Law]) -> list[Fraction]:
    """Return points between any two values that rounded numbers can have, within many scales of the noise.

    Raises: Unauditable for more than MOST_VALUES.
    """
    first = next(iter(parts)).shift
    sizes = [Fraction(x) for part in parts for x in (part.factor, part.shift - first) if x]
    unit = lcm(*(size.denominator for size in sizes))
    step = Fraction(gcd(*(int(size * unit) for size in sizes)), unit)
    low = min(_place(part) - _reach(part, laws) for part in parts)
    high = max(_place(part) + _reach(part, laws) for part in parts)
    start, stop = math.floor((low - first) / step), math.ceil((high - first) / step)
    if stop - start > MOST_VALUES:
        raise Unauditable("it releases a rounded number of too many values")
    return [first + step * (k - Fraction(1, 2)) for k in range(start, stop)]


def _reach(part: Rounded, laws: Sequence[Law]) -> Fraction:
    scales = sum(abs(Fraction(c)) / laws[name].rate.factor for name, c in part.terms)
    return part.factor * (SCALES * scales + 2)


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


def _gaussian(claim: Claim, paths: Sequence[Sequence[Path]], pairs: Sequence[tuple[int, int]]) -> IdealReport | None:
    """Return the report where all that depends on the input is where released normal variables lie; None otherwise."""
    places = [_means(row) for row in paths]
    known = [place for place in places if place is not None]
    if len(known) < len(places) or len({place[0] for place in known}) > 1:
        return None
    distances = {(a, b): sum((x - y) ** 2 for x, y in zip(known[a][1], known[b][1], strict=True)) for a, b in pairs}
    squared = Fraction(max(distances.values()))
    low, high = gaussian_delta(squared, claim.guarantee.epsilon)
    delta = claim.guarantee.delta
    verdict = "verified" if high <= delta else "refuted" if low > delta else "undecided"
    a, b = max(distances, key=lambda pair: distances[pair])
    ends = _least_gaussian(squared, delta)
    worst = None
    if verdict == "refuted":
        p, q = gaussian_event(squared, claim.guarantee.epsilon)
        event = (f"a density more than e^({claim.guarantee.epsilon}) times that on the other",)
        worst = Seen(claim.inputs[a], claim.inputs[b], event, p, q)
    return IdealReport(
        claim=claim,
        verdict=verdict,
        reason=None if verdict != "undecided" else TOO_NEAR,
        pairs=len(pairs),
        paths=len(paths),
        outcomes=0,
        delta=(rounded(low, up=False), rounded(high, up=True)),
        epsilon=ends,
        worst=worst,
        method="normal release",
    )


def _means(paths: Sequence[Path]) -> tuple[Any, list[Fraction]] | None:
    """Return what is released besides the means, and the means in standard deviations; None where it is more than
    normal variables, each released once."""
    if len(paths) != 1:
        return None
    (path,) = paths
    parts = list(noisy_parts(path.outcome))
    used = [part.terms[0][0] for part in parts if len(part.terms) == 1 and isinstance(part, Noisy)]
    if len(used) < len(parts) or len(set(used)) < len(used):
        return None
    laws = [path.laws[name] for name in used]
    if any(law.kind != "normal" or law.rate.power for law in laws):
        return None
    widths = [abs(part.terms[0][1] / law.rate.factor) for part, law in zip(parts, laws, strict=True)]
    signs = tuple(part.terms[0] for part in parts)
    rest = key(with_parts(path.outcome, lambda part: None)), signs, tuple(widths)
    return rest, [part.offset / width for part, width in zip(parts, widths, strict=True)]


def _least_gaussian(squared: Fraction, delta: Fraction) -> tuple[Epsilon, Epsilon | None]:
    """Return bounds of the least epsilon of a normal release at a delta."""
    low, high = Fraction(0), Fraction(1)
    if gaussian_delta(squared, Epsilon.of(0))[1] <= delta:
        return Epsilon.of(0), Epsilon.of(0)
    while gaussian_delta(squared, Epsilon.of(high))[1] > delta:
        high *= 2
        if high > 1 << 12:
            return Epsilon.of(0), None
    for _ in range(60):
        middle = (low + high) / 2
        lower, upper = gaussian_delta(squared, Epsilon.of(middle))
        if upper <= delta:
            high = middle
        elif lower > delta:
            low = middle
        else:
            break
    return Epsilon.of(low), Epsilon.of(high)


def _uncut(claim: Claim, pairs: int, paths: int) -> IdealReport:
    """Return a report of what is not integrated: nothing is known from below."""
    nothing = (Fraction(0), Fraction(1))
    return IdealReport(claim, "undecided", None, pairs, paths, 0, nothing, (Epsilon.of(0), None), None)


def is_at_least(x: Epsilon, y: Epsilon) -> bool:
    """Whether x >= y for certain; y is rational."""
    if x.ratio == 1:
        return x.rational >= y.rational
    return x.exp_bounds(128)[0] >= y.exp_bounds(128)[1]


def _aligned(
    claim: Claim,
    program: Callable[..., Any],
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
    epsilon: Fraction | str | None,
) -> tuple[Aligned | None, str | None]:
    """Return the alignment for the differences between the claim's inputs, or why there is none."""
    try:
        opened, moves = opened_paths(claim, program, paths, pairs, epsilon=epsilon)
        found = align(opened, moves)
    except Unauditable as error:
        return None, str(error)
    return found, None if found is not None else "no alignment keeps what is released"


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


def points_of(paths: Sequence[Sequence[Path]]) -> list[Fraction]:
    """Return where released numbers are cut, the most useful first: at places around which some of them lie, no more
    than POINTS, and far from all."""
    places = sorted({_place(part) for row in paths for path in row for part in noisy_parts(path.outcome)})
    chosen = places[:: -(-len(places) // POINTS) or 1]
    return [*chosen, *(end for far in FAR for end in (places[0] - far, places[-1] + far))] if places else []


def _place(part: Noisy | Rounded) -> Fraction:
    """Return a number around which a released one lies, which a rounded one never is."""
    if isinstance(part, Noisy):
        return part.offset
    return part.factor * (math.floor(part.offset) - Fraction(1, 2)) + part.shift


def cells(path: Path, points: Sequence[Fraction]) -> Iterator[Path]:
    """Yield a path in parts, one for each way in which the released numbers lie between points. Of many numbers the
    first are looked at alone: to drop the others is post-processing."""
    parts = list(dict.fromkeys(noisy_parts(path.outcome)))[:MOST_PARTS]
    count = len(points)
    while count > 1 and (count + 1) ** len(parts) > MOST_CELLS:
        count -= 1
    yield from _cells(path, parts, sorted(points[:count]), {})


def _cells(path: Path, parts: Sequence[Any], points: Sequence[Fraction], words: dict[Any, str]) -> Iterator[Path]:
    if not parts:
        yield replace(path, outcome=with_parts(path.outcome, lambda part: words.get(part, "any number")))
        return
    part, *rest = parts
    ends: list[Fraction | None] = [None, *points, None]
    for low, high in pairwise(ends):
        items = list(path.inequalities)
        for end, above in ((low, True), (high, False)):
            if end is not None:
                form, threshold, flipped = normal_form(dict(part.terms), part.offset - _least(part, end))
                items.append(Inequality(form, threshold, above != flipped))
        yield from _cells(replace(path, inequalities=tuple(items)), rest, points, {**words, part: _interval(low, high)})


def _least(part: Noisy | Rounded, end: Fraction) -> Fraction:
    """Return from where on a noisy number, before it is rounded, is released as at least `end`."""
    return end if isinstance(part, Noisy) else Fraction(math.ceil((end - part.shift) / part.factor))


def _interval(low: Fraction | None, high: Fraction | None) -> str:
    below, above = (None if end is None else ratio_text(end).removesuffix("/1") for end in (low, high))
    if below is None:
        return f"below {above}"
    return f"above {below}" if above is None else f"between {below} and {above}"
