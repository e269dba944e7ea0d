"""Loss laws: the mass of p at each likelihood ratio p/q, a power of one base, exactly or rounded to the safe side.

On a grid of ratios, the profile of independent observations is a power of a sequence. A pair that is not on a grid is
put on one from both sides. From above, each outcome is split in two, on the grid points around its ratio, and both laws
keep their masses: the pair is a post-processing of the result. From below, only the index of the grid point next to an
outcome's ratio is released: the result is a post-processing of the pair. Neither moves the mean of the ratio, so that
the error is of second order in the distance of grid points.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.enclosure import EnclosedProfile
from dpcert.audit.profile import Profile

FIXED = 1280
"""The bits behind the binary point of the masses and inverse ratios that are put on a grid."""
_RANGE = 192
_SPARE = 128
_RUNGS = _RANGE + _SPARE
"""The bits behind the binary point of the ratios of a grid."""
_ONE, _INVERSE = 1 << FIXED, 1 << FIXED + _RUNGS
_LEAST = 1 << 64

Row = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LossLaw:
    """p gives masses[i] / denominator to ratio base**(first + i), and `infinite` to outcomes that q never has.

    q gives to any event at most `rest` more than these masses and ratios imply.
    """

    first: int
    masses: Sequence[int]
    denominator: int
    infinite: Fraction
    rest: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A pair of laws: masses under p with the inverses of their ratios p/q, both over 2**FIXED, ratios descending.

    `infinite` and `rest` are as in `LossLaw`.
    """

    rows: Sequence[Row]
    infinite: Fraction
    rest: Fraction = Fraction(0)


def on_lattice(pair: Profile, exponents: Sequence[int]) -> LossLaw:
    """Return the loss law of a profile of which row i, as `rows` gives it, has ratio base**exponents[i]."""
    least = min(exponents)
    masses = [0] * (max(exponents) - least + 1)
    for (ratio, weight), exponent in zip(pair.rows(), exponents, strict=True):
        masses[exponent - least] = (ratio * weight * pair.p_denominator).numerator
    return LossLaw(least, masses, pair.p_denominator, pair.infinite)


def outcomes_of(pair: Profile | EnclosedProfile, *, above: bool) -> Outcomes:
    """Return outcomes that are at no epsilon more private than the pair; or, if not `above`, at no epsilon less.

    Masses and ratios are rounded up, or down: more mass under p at a greater ratio is less private, whatever the
    other outcomes. From above, masses below 2**(64 - FIXED) and those at ratios above 2**192 count as infinite, and
    those at ratios below 2**-192 are put at that ratio. From below, they count at 2**192, or are left out.
    """
    if isinstance(pair, Profile):
        found, infinite, rest = _of_exact(pair, above), pair.infinite, Fraction(0)
    else:
        found, rest = _of_enclosed(pair, above), pair.q_rest
        infinite = pair.p_only.above + pair.p_rest if above else pair.p_only.below
    rows, endless, high, low = [], 0, 1 << FIXED - _RANGE, 1 << FIXED + _RANGE
    for mass, inverse in found:
        if above and (mass < _LEAST or inverse < high):
            endless += mass
        elif mass >= _LEAST and (above or inverse <= low):
            rows.append((mass, min(max(inverse, high), low)))
    rows.sort(key=lambda row: row[1])
    return Outcomes(rows, min(Fraction(1), infinite + Fraction(endless, _ONE)), rest)


def _of_exact(pair: Profile, above: bool) -> Iterator[Row]:
    """Yield each mass and inverse ratio, from the leading bits of weights and denominators, cut to the safe side."""
    p_cut, q_cut = (max(0, n.bit_length() - FIXED - _SPARE) for n in (pair.p_denominator, pair.q_denominator))
    p_up, q_up = int(above and p_cut > 0), int(above and q_cut > 0)
    p_down, q_down = int(p_cut > 0) - p_up, int(q_cut > 0) - q_up
    p_unit, q_unit = (pair.p_denominator >> p_cut) + p_down, (pair.q_denominator >> q_cut) + q_up
    for p, q in zip(pair.p_weights, pair.q_weights, strict=True):
        p, q = (p >> p_cut) + p_up, (q >> q_cut) + q_down
        mass, inverse, unit = p << FIXED, q * p_unit << FIXED, p * q_unit
        if above:
            yield -(-mass // p_unit), inverse // unit
        elif p:
            yield mass // p_unit, -(-inverse // unit)


def _of_enclosed(pair: EnclosedProfile, above: bool) -> Iterator[Row]:
    for i in range(len(pair.keys)):
        p, q = pair.p_at(i), pair.q_at(i)
        shift = FIXED + q.exponent - p.exponent
        top, bottom = (q.lo, p.hi) if above else (q.hi, p.lo)
        top, bottom = (top << shift, bottom) if shift >= 0 else (top, bottom << -shift)
        yield (p.at(-FIXED)[1], top // bottom) if above else (p.at(-FIXED)[0], -(-top // bottom))


def split(outcomes: Outcomes, steps: int) -> LossLaw:
    """Return a loss law on base b = 1 + 1/steps that is nowhere more private than the outcomes.

    For b^j <= r < b^(j + 1), the mass p at ratio r goes to b^(j + 1) by the share (1 - b^j/r)/(1 - 1/b), rounded up,
    and else to b^j: then the q-masses add up too. The ladder is rounded down, the share thereby up.
    """
    first, ladder = _ladder(outcomes.rows, steps)
    found: dict[int, int] = {}
    for mass, inverse in outcomes.rows:
        at = max(0, bisect_right(ladder, _INVERSE // inverse) - 1)
        share = (_ONE - (ladder[at] * inverse >> _RUNGS)) * (steps + 1)
        up = min(mass, -(-mass * share >> FIXED))
        j = first + at
        found[j + 1] = found.get(j + 1, 0) + up
        found[j] = found.get(j, 0) + mass - up
    return _dense(found, outcomes)


def gathered(outcomes: Outcomes, steps: int) -> tuple[LossLaw, LossLaw]:
    """Return the masses under p and q of each index j; an outcome has the j with (1 + 1/steps)**j next to its p/q.

    The index of each observation, or the sum of the indices, is a post-processing. So the two laws may be powered side
    by side, and their ratio need not be on the grid. Masses under q are rounded up.
    """
    first, ladder = _ladder(outcomes.rows, steps)
    p: dict[int, int] = {}
    q: dict[int, int] = {}
    for mass, inverse in outcomes.rows:
        at = max(0, bisect_right(ladder, _INVERSE // inverse) - 1)
        near = at + (ladder[at] * inverse * (2 * steps + 1) < 2 * steps * _INVERSE)
        p[first + near] = p.get(first + near, 0) + mass
        q[first + near] = q.get(first + near, 0) - (-mass * inverse >> FIXED)
    return _dense(p, outcomes), _dense(q, outcomes)


def _ladder(rows: Sequence[Row], steps: int) -> tuple[int, list[int]]:
    """Return (j, lower bounds of b^j, b^(j + 1), ... over 2**_RUNGS).

    The first is above no ratio, the last is above all.
    """
    if not rows:
        return 0, [1 << _RUNGS]
    greatest, least = _INVERSE // rows[0][1] + 1, _INVERSE // rows[-1][1]
    up, down = [1 << _RUNGS], [1 << _RUNGS]
    while up[-1] <= greatest:
        up.append(up[-1] + up[-1] // steps)
    while down[-1] > least:
        down.append(down[-1] * steps // (steps + 1))
    return 1 - len(down), [*reversed(down), *up[1:]]


def _dense(found: Mapping[int, int], outcomes: Outcomes) -> LossLaw:
    """Return the loss law of these masses over 2**FIXED."""
    first, last = min(found, default=0), max(found, default=0)
    masses = [found.get(j, 0) for j in range(first, last + 1)]
    return LossLaw(first, masses, _ONE, outcomes.infinite, outcomes.rest)
