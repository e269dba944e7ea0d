"""Certified bounds of the probabilities of paths whose noise has no exponential polynomial for its density.

One inequality on normal noise is decided by one normal variable, and an order of Gumbel noise of one scale has a closed
form. Else inequalities must make a star, in which all share one variable: they are integrated over it, by the balls of
python-flint. Deeper ones are undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import flint

from dpcert.audit.ideal.measure import linked
from dpcert.audit.ideal.merge import needed
from dpcert.audit.ideal.normal import BITS, Bounds, above, ball, bounds, normal_between
from dpcert.audit.ideal.orders import ordered
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.noise import EXACT, WHOLE_VALUED, Law
from dpcert.mechanisms.ideal.path import Inequality, Path

TOLERANCE = 1e-40

Function = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """A law of scale 1, with functions for each piece between kinks: its density, its chance to be above a number, and
    that to be below it.

    `low` and `high` are the ends of the integral; the outside has a probability below `rest`.
    """

    kinks: tuple[int, ...]
    densities: tuple[Function, ...]
    above: tuple[Function, ...]
    below: tuple[Function, ...]
    low: int
    high: int
    rest: Callable[[], Any]

    def piece(self, x: Fraction) -> int:
        """Return the number of the piece around a number that is no kink."""
        return sum(1 for kink in self.kinks if x > kink)


def _nothing(x: Any) -> Any:
    return 0 * x


def _one(x: Any) -> Any:
    return 0 * x + 1


def _decay(x: Any) -> Any:
    return (-x).exp()


SHAPES = {
    "normal": Shape(
        kinks=(),
        densities=(lambda x: (-x * x / 2).exp() / (2 * flint.arb.pi()).sqrt(),),
        above=(above,),
        below=(lambda x: above(-x),),
        low=-18,
        high=18,
        rest=lambda: 2 * above(ball(18)),
    ),
    "laplace": Shape(
        kinks=(0,),
        densities=(lambda x: x.exp() / 2, lambda x: _decay(x) / 2),
        above=(lambda x: 1 - x.exp() / 2, lambda x: _decay(x) / 2),
        below=(lambda x: x.exp() / 2, lambda x: 1 - _decay(x) / 2),
        low=-150,
        high=150,
        rest=lambda: _decay(ball(150)),
    ),
    "exponential": Shape(
        kinks=(0,),
        densities=(_nothing, _decay),
        above=(_one, _decay),
        below=(_nothing, lambda x: -(-x).expm1()),
        low=0,
        high=150,
        rest=lambda: _decay(ball(150)),
    ),
    "uniform": Shape(
        kinks=(0, 1),
        densities=(_nothing, _one, _nothing),
        above=(_one, lambda x: 1 - x, _nothing),
        below=(_nothing, lambda x: x, _one),
        low=0,
        high=1,
        rest=lambda: ball(0),
    ),
    "gumbel": Shape(
        kinks=(),
        densities=(lambda x: (-x - _decay(x)).exp(),),
        above=(lambda x: -(-_decay(x)).expm1(),),
        below=(lambda x: (-_decay(x)).exp(),),
        low=-5,
        high=150,
        rest=lambda: 2 * _decay(ball(148)),
    ),
    "logistic": Shape(
        kinks=(),
        densities=(lambda x: 1 / (x / 2).cosh() ** 2 / 4,),
        above=(lambda x: 1 / (1 + x.exp()),),
        below=(lambda x: 1 / (1 + _decay(x)),),
        low=-150,
        high=150,
        rest=lambda: 2 * _decay(ball(150)),
    ),
}
"""The laws by name. Gumbel noise is below -5 with the chance e^(-e^5) < e^(-148), above 150 with less than e^(-150)."""


def is_enclosed(paths: Sequence[Sequence[Path]]) -> bool:
    """Whether an outcome of these paths is decided by noise whose probabilities are enclosed by balls."""
    return any(
        path.laws[name].kind not in EXACT
        for row in paths
        for path in row
        for item in path.inequalities
        for name, _ in item.form
    )


def bounds_of(path: Path) -> Bounds:
    """Return bounds of the probability of a path.

    Raises: Unauditable for inequalities that make no star.
    """
    low = high = path.chance()
    for items in linked(path.inequalities):
        names = sorted({name for item in items for name, _ in item.form})
        if any(path.laws[name].rate.power for name in names):
            raise Unauditable(f"{path.laws[names[0]].kind} noise of a scale c/epsilon is decided at one epsilon only")
        mark = tuple(sorted(((item.form, item.threshold, item.above) for item in items), key=str))
        found = _component(mark, tuple((name, path.laws[name]) for name in names))
        low, high = low * found[0], high * found[1]
    return low, high


@cache
def _component(mark: tuple[Any, ...], named: tuple[tuple[int, Law], ...]) -> Bounds:
    laws = dict(named)
    items = [Inequality(*part) for part in mark]
    if len(items) > 2:
        items = needed(items, [laws.get(name, Law("normal")) for name in range(max(laws) + 1)])
    kinds = {law.kind for law in laws.values()}
    if kinds & WHOLE_VALUED:
        raise Unauditable("discrete noise beside noise whose probabilities are enclosed is not summed")
    with flint.ctx.workprec(BITS):
        if kinds == {"normal"} and len({item.form for item in items}) == 1:
            return bounds(normal_between(items, {name: 1 / law.rate.factor for name, law in laws.items()}))
        if kinds == {"gumbel"} and len(set(laws.values())) == 1:
            found = ordered(items, named[0][1].rate.factor)
            if found is not None:
                return bounds(found)
        if len(laws) == 1:
            return _alone(items, named[0][1])
        return _star(items, laws)


def _alone(items: Sequence[Inequality], law: Law) -> Bounds:
    """Return bounds of the chance of one variable between numbers, relatively precise in both tails."""
    low, high = _ends(items, items[0].form[0][0], law.rate.factor)
    if low is not None and high is not None and low >= high:
        return Fraction(0), Fraction(0)
    shape = SHAPES[law.kind]
    side = shape.below if high is not None and high <= 0 else shape.above
    outer, inner = (high, low) if side is shape.below else (low, high)
    found = ball(1) if outer is None else side[shape.piece(outer)](ball(outer))
    return bounds(found if inner is None else found - side[shape.piece(inner)](ball(inner)))


def _ends(items: Sequence[Inequality], name: int, rate: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """Return the thresholds between which inequalities put a variable, per coefficient, in units of its scale."""
    ends: dict[bool, list[Fraction]] = {True: [], False: []}
    for item in items:
        own = Fraction(dict(item.form)[name])
        ends[item.above == (own > 0)].append(rate * item.threshold / own)
    return max(ends[True], default=None), min(ends[False], default=None)


def _star(items: Sequence[Inequality], laws: Mapping[int, Law]) -> Bounds:
    """Return bounds where all inequalities share one variable, and each other variable is in inequalities of one form.

    Raises: Unauditable for anything else.
    """
    shared = set(laws).intersection(*({name for name, _ in item.form} for item in items if len(item.form) > 1))
    for centre in sorted(shared):
        leaves: dict[int, list[Inequality]] = {}
        for item in items:
            others = [name for name, _ in item.form if name != centre]
            if len(others) > 1 or centre not in dict(item.form):
                break
            if others:
                leaves.setdefault(others[0], []).append(item)
        else:
            if all(len({item.form for item in group}) == 1 for group in leaves.values()):
                own = [item for item in items if len(item.form) == 1]
                return _integrated(
                    centre, own, [_Leaf.of(centre, name, group, laws) for name, group in leaves.items()], laws
                )
    kinds = ", ".join(sorted({law.kind for law in laws.values()}))
    raise Unauditable(f"{kinds} noise whose comparisons are no star is not integrated")


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A variable with law `shape` that lies above `low` and below `high`, lines (slope, offset) of the shared one."""

    shape: Shape
    low: tuple[Fraction, Fraction] | None
    high: tuple[Fraction, Fraction] | None

    @classmethod
    def of(cls, centre: int, name: int, group: Sequence[Inequality], laws: Mapping[int, Law]) -> _Leaf:
        """Return the leaf that inequalities of one form make, in units of its scale."""
        form, rate = dict(group[0].form), laws[name].rate.factor
        slope = -rate * Fraction(form[centre]) / Fraction(form[name])
        low, high = (None if end is None else (slope, end) for end in _ends(group, name, rate))
        return cls(SHAPES[laws[name].kind], low, high)

    def kinks(self) -> list[Fraction]:
        """Return the places of the shared variable at which an end meets a kink."""
        lines = [line for line in (self.low, self.high) if line is not None]
        return [(kink - offset) / slope for slope, offset in lines for kink in self.shape.kinks]

    def chance(self, z: Any, inner: Fraction) -> Any:
        """Return the leaf's chance as a function of the shared variable, in the piece around `inner`."""
        if self.low is not None and self.high is not None and self.low[1] >= self.high[1]:
            return _nothing(z)
        start = _one(z) if self.low is None else self._above(self.low, z, inner)
        return start if self.high is None else start - self._above(self.high, z, inner)

    def _above(self, line: tuple[Fraction, Fraction], z: Any, inner: Fraction) -> Any:
        slope, offset = line
        return self.shape.above[self.shape.piece(slope * inner + offset)](ball(slope) * z + ball(offset))


def _integrated(centre: int, own: Sequence[Inequality], leaves: Sequence[_Leaf], laws: Mapping[int, Law]) -> Bounds:
    shape, rate = SHAPES[laws[centre].kind], laws[centre].rate.factor
    low = max([shape.low / rate, *(Fraction(item.threshold) for item in own if item.above)])
    high = min([shape.high / rate, *(Fraction(item.threshold) for item in own if not item.above)])
    if low >= high:
        return Fraction(0), bounds(shape.rest())[1]
    kinks = [*(kink / rate for kink in shape.kinks), *(kink for leaf in leaves for kink in leaf.kinks())]
    ends = [low, *sorted({kink for kink in kinks if low < kink < high}), high]
    middle = flint.arb(0)
    for start, end in pairwise(ends):
        inner = (start + end) / 2
        density = shape.densities[shape.piece(rate * inner)]

        # All pieces are meromorphic, and a ball around a pole is not finite: `analytic` has nothing to add.
        def integrand(z: Any, analytic: bool, density: Function = density, inner: Fraction = inner) -> Any:
            found = density(z * ball(rate)) * ball(rate)
            for leaf in leaves:
                found = found * leaf.chance(z, inner)
            return found

        middle += flint.acb.integral(integrand, ball(start), ball(end), abs_tol=flint.arb(TOLERANCE)).real
    lower, upper = bounds(middle)
    # The integrand is at most the density, so the noise beyond the ends adds at most `rest`.
    return lower, upper + bounds(shape.rest())[1]
