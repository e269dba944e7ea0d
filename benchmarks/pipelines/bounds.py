"""Bounds of the least delta of independent noise and public choices between two known states, exact or enclosed.

A *release* is what a pipeline does once its data are aggregated and its samples drawn: it keeps each of some partitions
with a public probability, and adds independent noise to the numbers of those that it keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from dpcert.libraries.comparison import least_delta
from dpcert.mechanisms.exact.epsilon import Epsilon

ONE, ZERO = Fraction(1), Fraction(0)
BITS = 128
SPLITS = 64
"""In how many ways epsilon is divided between the choice of partitions and the noise."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that gets noise: its value, "laplace" or "gaussian", and the scale or standard deviation."""

    value: Fraction
    kind: str
    parameter: Fraction


@dataclass(frozen=True, slots=True)
class Partition:
    """The chance that a partition is kept, and its numbers."""

    keep: Fraction
    numbers: tuple[Number, ...]


Release = Mapping[object, Partition]


@dataclass(frozen=True, slots=True)
class DeltaBounds:
    """The least delta between two releases lies between these."""

    low: Fraction
    high: Fraction


def ratio(epsilon: Fraction, *, up: bool) -> Fraction:
    """Return e^epsilon, rounded."""
    return Epsilon.of(epsilon).exp_bounds(BITS)[1 if up else 0]


def chosen(a: Release, b: Release) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the chances on a and b of each set of partitions that may be kept.

    A partition that both keep with one probability says nothing, and is left out.
    """
    keys = [key for key in a.keys() | b.keys() if keep(a, key) != keep(b, key)]
    for kept in product((True, False), repeat=len(keys)):
        p = q = ONE
        for key, shown in zip(keys, kept, strict=True):
            p *= keep(a, key) if shown else 1 - keep(a, key)
            q *= keep(b, key) if shown else 1 - keep(b, key)
        yield p, q


def keep(release: Release, key: object) -> Fraction:
    """Return the chance that a partition is kept; 0 where it does not occur."""
    return release[key].keep if key in release else ZERO


def of_choices(a: Release, b: Release, epsilon: Fraction, *, up: bool) -> Fraction:
    """Return the least delta at epsilon of which partitions are kept, rounded."""
    factor = ratio(epsilon, up=not up)
    return sum((max(ZERO, p - factor * q) for p, q in chosen(a, b)), ZERO)


def moved(a: Release, b: Release) -> list[tuple[str, Fraction]]:
    """Return how far the numbers of partitions that may be kept on both are apart, in units of their noise.

    Raises: ValueError where the same number has unlike noise on both.
    """
    found = []
    for key in a.keys() & b.keys():
        if not (a[key].keep and b[key].keep):
            continue
        for one, other in zip(a[key].numbers, b[key].numbers, strict=True):
            if (one.kind, one.parameter) != (other.kind, other.parameter):
                raise ValueError(f"{key}: noise that depends on the data")
            if one.value != other.value:
                found.append((one.kind, abs(one.value - other.value) / one.parameter))
    return found


def laplace_epsilon(a: Release, b: Release) -> Fraction:
    """Return the least epsilon of the Laplace noise alone, which is exact: the sum of all distances over scales."""
    return sum((units for kind, units in moved(a, b) if kind == "laplace"), ZERO)


def of_gaussians(a: Release, b: Release, epsilon: Fraction) -> DeltaBounds:
    """Return the least delta at epsilon of the Gaussian noise alone: that of one number, all squares added up."""
    square = sum((units * units for kind, units in moved(a, b) if kind == "gaussian"), ZERO)
    if not square:
        return DeltaBounds(ZERO, ZERO)
    low, high = (root(square, up=up) for up in (False, True))
    return DeltaBounds(
        max(ZERO, least_delta(sigma=1 / low, epsilon=epsilon)[0]), least_delta(sigma=1 / high, epsilon=epsilon)[1]
    )


def root(square: Fraction, *, up: bool) -> Fraction:
    """Return a square root, rounded to a multiple of 2^-BITS; never 0."""
    from math import isqrt

    scaled = square * (1 << 2 * BITS)
    whole = isqrt(scaled.numerator // scaled.denominator)
    return Fraction(whole + 1 if up else whole, 1 << BITS)


def of_noise(a: Release, b: Release, epsilon: Fraction) -> DeltaBounds:
    """Return the least delta at epsilon of all noise alone, where nothing is dropped.

    Laplace noise uses its own epsilon up first. Beyond it, k numbers are all on the far side of both values with
    chances 2^-k and 2^-k e^-(sum): what that shows is the lower bound, and all of it is the upper one.
    """
    spent = laplace_epsilon(a, b)
    gaussian = of_gaussians(a, b, max(ZERO, epsilon - spent))
    if spent <= epsilon:
        return DeltaBounds(ZERO if spent else gaussian.low, gaussian.high)
    count = sum(kind == "laplace" for kind, _ in moved(a, b))
    return DeltaBounds((1 - 1 / ratio(spent - epsilon, up=False)) / (1 << count), ONE)


def between(a: Release, b: Release, epsilon: Fraction) -> DeltaBounds:
    """Return bounds of the least delta at epsilon, for a against b.

    Claims: low is that of an event of the choices, or of the noise where nothing is dropped; high is the least, over
            divisions of epsilon, of the sum for the choices and for the noise, by composition.
    """
    certain = all(keep(release, key) == 1 for release in (a, b) for key in a.keys() | b.keys())
    if certain:
        return of_noise(a, b, epsilon)
    low = of_choices(a, b, epsilon, up=False)
    spent = laplace_epsilon(a, b)
    if spent > epsilon:
        return DeltaBounds(low, ONE)
    high = ONE
    for k in range(SPLITS + 1):
        share = (epsilon - spent) * k / SPLITS
        total = of_choices(a, b, share, up=True) + of_gaussians(a, b, epsilon - spent - share).high
        high = min(high, total)
        if not any(kind == "gaussian" for kind, _ in moved(a, b)):
            high = min(high, of_choices(a, b, epsilon - spent, up=True))
            break
    return DeltaBounds(low, high)


def mixed(many: Sequence[tuple[Release, Fraction]], one: Release, epsilon: Fraction) -> tuple[DeltaBounds, DeltaBounds]:
    """Return bounds of the least delta at epsilon of a mixture of releases against one, and of one against it.

    Claims: the upper bounds hold as the divergence is jointly convex; the lower ones are 0 unless there is one release.
    """
    found = []
    for forth in (True, False):
        parts = [(between(*((a, one) if forth else (one, a)), epsilon), p) for a, p in many]
        high = sum((bounds.high * p for bounds, p in parts), ZERO)
        low = parts[0][0].low if len(parts) == 1 else ZERO
        found.append(DeltaBounds(low, high))
    return found[0], found[1]


def worst(found: Iterable[DeltaBounds]) -> DeltaBounds:
    """Return bounds of the greatest."""
    known = list(found)
    return DeltaBounds(max(each.low for each in known), max(each.high for each in known))
