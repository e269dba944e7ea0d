"""Normal noise: certified bounds of the probabilities of paths, by the balls of python-flint.

A single inequality is decided by one normal variable. Several make a star, in which all share one variable: they are
integrated over it. What is deeper is undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import flint

from dpcert.audit.ideal.measure import linked
from dpcert.audit.ideal.run import Inequality, Path
from dpcert.audit.ideal.terms import Number
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable

Bounds = tuple[Fraction, Fraction]
BITS = 160
CUT = 16
"""How many standard deviations of the shared variable are integrated; the rest is below 2^-180."""
TOLERANCE = 1e-20


def is_normal(paths: Sequence[Sequence[Path]]) -> bool:
    """Whether normal noise decides an outcome of these paths."""
    return any(
        path.laws[name].kind == "normal"
        for row in paths
        for path in row
        for item in path.inequalities
        for name, _ in item.form
    )


def _ball(x: Number) -> Any:
    value = Fraction(x)
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def _bounds(ball: Any) -> Bounds:
    low, high = (_end(end) for end in (ball.lower(), ball.upper()))
    return max(Fraction(0), low), max(Fraction(0), high)


def _end(end: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in end.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _above(x: Any) -> Any:
    """Return the probability that a standard normal variable is above a ball, relatively precise in the tail."""
    return (x / flint.arb(2).sqrt()).erfc() / 2


def bounds_of(path: Path) -> Bounds:
    """Return bounds of the probability of a path whose inequalities are about normal noise.

    Raises: Unauditable for other noise beside it, and for what is no star.
    """
    low = high = path.weight
    for items in linked(path.inequalities):
        names = {name for item in items for name, _ in item.form}
        if any(path.laws[name].kind != "normal" for name in names):
            raise Unauditable("normal noise beside other noise is not integrated")
        mark = tuple(sorted(((item.form, item.threshold, item.above) for item in items), key=str))
        deviations = tuple((name, 1 / path.laws[name].rate.factor) for name in sorted(names))
        if any(path.laws[name].rate.power for name in names):
            raise Unauditable("normal noise whose scale is of the form c/epsilon is decided at one epsilon only")
        found = _component(mark, deviations)
        low, high = low * found[0], high * found[1]
    return low, high


@cache
def _component(mark: tuple[Any, ...], deviations: tuple[tuple[int, Fraction], ...]) -> Bounds:
    items = [Inequality(*part) for part in mark]
    spread = dict(deviations)
    with flint.ctx.workprec(BITS):
        if len({item.form for item in items}) == 1:
            return _bounds(_between(items, spread))
        return _star(items, spread)


def _between(items: Sequence[Inequality], spread: Mapping[int, Fraction]) -> Any:
    """Return the probability that one form of normal variables lies between all its thresholds."""
    variance = sum((Fraction(c) * spread[name]) ** 2 for name, c in items[0].form)
    deviation = _ball(variance).sqrt()
    low = max((item.threshold for item in items if item.above), default=None)
    high = min((item.threshold for item in items if not item.above), default=None)
    if low is not None and high is not None:
        if low >= high:
            return flint.arb(0)
        if low >= 0:
            return _above(_ball(low) / deviation) - _above(_ball(high) / deviation)
        return _above(-_ball(high) / deviation) - _above(-_ball(low) / deviation)
    return flint.arb(1) if low is None and high is None else _one_sided(low, high, deviation)


def _one_sided(low: Number | None, high: Number | None, deviation: Any) -> Any:
    return _above(_ball(low) / deviation) if low is not None else _above(-_ball(high or 0) / deviation)


def _star(items: Sequence[Inequality], spread: Mapping[int, Fraction]) -> Bounds:
    """Return bounds where all inequalities share one variable, and each other variable is in inequalities of one form.

    Raises: Unauditable for anything else.
    """
    shared = set.intersection(*({name for name, _ in item.form} for item in items if len(item.form) > 1))
    for centre in sorted(shared):
        leaves: dict[int, list[Inequality]] = {}
        own: list[Inequality] = []
        for item in items:
            others = [name for name, _ in item.form if name != centre]
            if not others:
                own.append(item)
            elif len(others) == 1 and centre in dict(item.form):
                leaves.setdefault(others[0], []).append(item)
            else:
                break
        else:
            if all(len({item.form for item in group}) == 1 for group in leaves.values()):
                return _integrated(centre, own, leaves, spread)
    raise Unauditable("normal noise whose comparisons are no star is not integrated")


def _integrated(
    centre: int,
    own: Sequence[Inequality],
    leaves: Mapping[int, Sequence[Inequality]],
    spread: Mapping[int, Fraction],
) -> Bounds:
    root = flint.arb(2).sqrt()
    low = max((Fraction(item.threshold) for item in own if item.above), default=-CUT * spread[centre])
    high = min((Fraction(item.threshold) for item in own if not item.above), default=CUT * spread[centre])
    low, high = max(low, -CUT * spread[centre]), min(high, CUT * spread[centre])
    factors = [_leaf(centre, name, group, spread[name], root) for name, group in leaves.items()]
    scale = _ball(spread[centre])

    def integrand(z: Any, analytic: bool) -> Any:
        x = z / scale
        found = (-x * x / 2).exp() / (scale * (2 * flint.arb.pi()).sqrt())
        for factor in factors:
            found = found * factor(z)
        return found

    middle = flint.arb(0)
    if low < high:
        middle = flint.acb.integral(integrand, _ball(low), _ball(high), abs_tol=flint.arb(TOLERANCE)).real
    rest = 2 * _above(flint.arb(CUT))
    lower, upper = _bounds(middle)
    return lower, upper + _bounds(rest)[1]


def _leaf(centre: int, name: int, group: Sequence[Inequality], deviation: Fraction, root: Any) -> Callable[[Any], Any]:
    """Return the chance of a leaf's inequalities as a function of the shared variable."""
    form = dict(group[0].form)
    own, other = Fraction(form[name]), Fraction(form[centre])
    size = _ball(deviation * abs(own)) * root
    lows = [item.threshold for item in group if item.above]
    highs = [item.threshold for item in group if not item.above]

    def above(z: Any, threshold: Number) -> Any:
        """The chance of own * leaf > threshold - other * z."""
        return ((_ball(threshold) - _ball(other) * z) / size).erfc() / 2

    def chance(z: Any) -> Any:
        if not highs:
            return above(z, max(lows))
        if not lows:
            return 1 - above(z, min(highs))
        if max(lows) >= min(highs):
            return flint.acb(0)
        return above(z, max(lows)) - above(z, min(highs))

    return chance


def gaussian_event(squared: Fraction, epsilon: Epsilon) -> tuple[Bounds, Bounds]:
    """Return bounds of the two probabilities of the event that breaks a claim about a normal release most."""
    with flint.ctx.workprec(BITS):
        mean = _ball(squared).sqrt()
        total = _ball(epsilon.rational) + _ball(epsilon.ratio).log()
        return _bounds(_above(total / mean - mean / 2)), _bounds(_above(total / mean + mean / 2))


def gaussian_delta(squared: Fraction, epsilon: Epsilon) -> Bounds:
    """Return bounds of the least delta at which numbers with normal noise are released, the square of whose distance is
    given in standard deviations: Phi(m/2 - epsilon/m) - e^epsilon Phi(-m/2 - epsilon/m).

    Source: BalleWang2018, Theorem 8.
    """
    if squared == 0:
        return Fraction(0), Fraction(0)
    with flint.ctx.workprec(BITS):
        mean = _ball(squared).sqrt()
        total = _ball(epsilon.rational) + _ball(epsilon.ratio).log()
        found = _above(total / mean - mean / 2) - total.exp() * _above(total / mean + mean / 2)
        return _bounds(found)
