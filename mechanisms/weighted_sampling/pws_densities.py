"""Sanitized frequencies as densities: reported values finer than frequencies, which tell frequencies apart best."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row

Piece = tuple[Fraction, Fraction]
"""A piece of a density: its end (it begins at the end of the piece before, the first one at 0), and its mass."""

ZERO = Fraction(0)


def density_rows(*, q: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> tuple[list[Row], list[Fraction]]:
    """Return rows 0, 1, ..., m of the discretized densities, and the breakpoints z_1 < ... < z_t that end their cells.

    Reporting j stands for a value drawn uniformly from (z_(j-1), z_j], with z_0 = 0; values of a key of frequency i
    lie in (0, i].

    Requires: q non-decreasing in [0, 1]; ratio = e^epsilon >= 1; delta in (0, 1].
    Claims:   t <= 3m; neighbouring rows are (epsilon, delta)-close; row i's mass on 1..t is the pi_i of Algorithm 3;
              of all rows i with this mass that keep privacy with row i - 1, on however fine cells, it has the least
              mass on (0, z] for every z <= i - 1, and at most delta beyond.
    Source:   weighted-sampling, Algorithm 5, Theorem C.2 and Lemma C.3.
    """
    unreported = Fraction(1)
    density: list[Piece] = []
    densities = [(unreported, density)]
    cuts: set[Fraction] = set()
    for i, pi in enumerate(reporting_probabilities(q=q, ratio=ratio, delta=delta), 1):
        slack = max(unreported / ratio - (1 - pi), ZERO)
        b = _reach(density, delta - ratio * slack)
        lower = [(end, ZERO if end <= b else mass / ratio) for end, mass in _split(density, [b])]
        upper = [(end, ratio * mass) for end, mass in _split(density, [b])]
        newest = min(pi, delta)
        c = _switch(lower, upper, pi - newest)
        low = [piece for piece in _split(lower, [c]) if piece[0] <= c]
        high = [(end, ratio * mass) for end, mass in _split(density, [c]) if end > c]
        density = [*_without_idle([*low, *high]), (Fraction(i), newest)]
        unreported = 1 - pi
        densities.append((unreported, density))
        cuts |= {Fraction(i), min(b, c), c}  # beyond c, b cuts nothing
    ends = sorted(cuts - {ZERO})
    return [(atom, *_masses(pieces, ends)) for atom, pieces in densities], ends


def _without_idle(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the same density with neighbouring pieces of mass 0 as one."""
    return [piece for place, piece in enumerate(pieces) if piece[1] or place + 1 == len(pieces) or pieces[place + 1][1]]


def _masses(pieces: Sequence[Piece], ends: Sequence[Fraction]) -> Iterator[Fraction]:
    """Yield the mass of each cell; every piece ends at one of the ends, and none goes beyond the last."""
    masses = dict(_split(pieces, ends))
    return (masses.get(end, ZERO) for end in ends)


def _split(pieces: Sequence[Piece], cuts: Iterable[Fraction]) -> list[Piece]:
    """Return the same density with its pieces cut at the given points."""
    cut: list[Piece] = []
    points = sorted(cuts)
    place, start = 0, ZERO
    for end, mass in pieces:
        while place < len(points) and points[place] <= start:
            place += 1
        inner = [start]
        while place < len(points) and points[place] < end:
            inner.append(points[place])
            place += 1
        if len(inner) == 1:
            cut.append((end, mass))
        else:
            cut += [(hi, mass * (hi - lo) / (end - start) if mass else ZERO) for lo, hi in pairwise([*inner, end])]
        start = end
    return cut


def _reach(pieces: Sequence[Piece], budget: Fraction) -> Fraction:
    """Return the greatest z for which the mass on (0, z] is within the budget, a number >= 0."""
    total = start = ZERO
    for end, mass in pieces:
        if total + mass > budget:
            return start + (end - start) * (budget - total) / mass
        total += mass
        start = end
    return start


def _switch(lower: Sequence[Piece], upper: Sequence[Piece], meant: Fraction) -> Fraction:
    """Return the c for which the lower density on (0, c] and the upper one beyond have the meant mass in all.

    Requires: equal cells; lower <= upper; the lower density's mass is at most `meant`, the upper one's at least.
    """
    total = sum((mass for _, mass in lower), ZERO)
    starts = [ZERO, *(end for end, _ in lower)]
    for place in range(len(lower) - 1, -1, -1):
        more = upper[place][1] - lower[place][1]
        if total + more >= meant:
            if more == 0:
                return starts[place + 1]
            return starts[place + 1] - (starts[place + 1] - starts[place]) * (meant - total) / more
        total += more
    return ZERO
