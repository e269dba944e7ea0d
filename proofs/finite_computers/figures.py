"""Figures 3 to 6: the error that each row of their tables prints at some parameters, and the exact error beside it."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.accuracy import (
    Accuracy,
    accuracy_of,
    counting,
    log_ceiling,
    spread_beta,
    worst,
)
from dpcert.mechanisms.finite_computers.compact_costs import settled
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, fastsample_zero
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label
from dpcert.mechanisms.mechanism import rational_ratio
from dpcert.proofs.finite_computers.checks.accuracy import kept_above, printed_by_nine_halves, theorem_5_6
from dpcert.proofs.finite_computers.checks.sparse_errors import heavy_per_query

Law = Callable[[int], Dist]
Line = tuple[str, ...]
BETA = Fraction(1, 10)
GEOMETRIC, GEO, FAST = "GeometricMechanism", "GeoSample", "FastSample"
HEADS = {
    3: ("sampler", "1/ε", "labels", "one count: exact", "printed", "all counts: exact", "printed"),
    4: ("sampler", "δ", "b: least", "printed", "counts above t: exact", "printed a", "t", "all: exact", "printed"),
    5: ("sampler", "n", "labels", "counts above t of keep-heavy: exact", "printed a", "t", "all printed"),
    6: ("sampler", "1/ε", "labels", "one count: exact", "printed", "all counts: exact union", "printed"),
}
"""The columns of each figure's table."""


def lines(figure: int) -> Iterator[Line]:
    """Yield the lines of a figure's table, at beta = 1/10, that of Figure 5 at 1/2."""
    yield from {3: basic, 4: stability, 5: sparse, 6: compact}[figure]()


def noises(n: int, epsilon: Fraction, gamma: Fraction) -> list[tuple[str, Law]]:
    """Return the three noisy counts of a histogram of this epsilon, each count at epsilon/2."""
    half = rational_ratio(Epsilon.of(epsilon / 2))
    return [
        (GEOMETRIC, geometric_law(n=n, ratio=half)),
        (GEO, geosample_law(n=n, k=noise_exponent(epsilon))),
        (FAST, fastsample_law(n=n, epsilon=epsilon, gamma=gamma)),
    ]


def printed(sampler: str, epsilon: Fraction, x: Fraction) -> int:
    """Return the printed error: 2/epsilon ln x for the geometric mechanism, 9/(2 epsilon) ln x for the others."""
    if sampler == GEOMETRIC:
        return log_ceiling(x, Epsilon.of(epsilon / 2))
    return printed_by_nine_halves(epsilon=epsilon, x=x)


def by_count(law: Law, counts: range) -> list[Accuracy]:
    """Return the error of each of these counts."""
    return [accuracy_of(law(count), partial(_distance, count)) for count in counts]


def _distance(count: int, noisy: int) -> int:
    return abs(noisy - count)


def together(law: Law, n: int, labels: int) -> int:
    """Return the least error of all counts at once, over all ways to spread n people over the labels."""
    each = by_count(law, range(n + 1))
    return next(a for a in range(n + 1) if spread_beta(each, labels=labels, a=a) <= BETA)


def basic() -> Iterator[Line]:
    """Yield the lines of Figure 3 for 16 people."""
    for m, labels in ((1, 2), (1, 8), (2, 8)):
        epsilon = Fraction(1, m)
        for name, law in noises(16, epsilon, BETA / (2 * labels)):
            times = 2 if name == FAST else 1
            single = printed(name, epsilon, times / BETA), printed(name, epsilon, times * labels / BETA)
            exact = counting(law, range(17)).error(BETA), together(law, 16, labels)
            yield name, str(m), str(labels), str(exact[0]), str(single[0]), str(exact[1]), str(single[1])


def stability() -> Iterator[Line]:
    """Yield the lines of Figure 4 for epsilon = 1: counts above t are of 90 people, all counts of 20."""
    for delta in (Fraction(1, 2), Fraction(1, 10)):
        gamma, _ = theorem_5_6(n=20, epsilon=Fraction(1), delta=delta, beta=BETA)
        many = noises(90, Fraction(1), gamma)
        for (name, law), (_, wide) in zip(noises(20, Fraction(1), gamma), many, strict=True):
            x, y = (2, 4) if name == FAST else (1, 1)
            b = 1 + printed(name, Fraction(1), x / delta)
            least = next(at for at in range(1, 20) if lone_label(threshold=at, law=law) <= delta)
            a, t = printed(name, Fraction(1), x / BETA), 2 + printed(name, Fraction(1), y / (BETA * delta))
            above = worst(by_count(kept_above(wide, b), range(t + 1, 91, 8))).error(BETA)
            every = together(kept_above(law, b), 20, 21), 2 + printed(name, Fraction(1), y * 20 / (BETA * delta))
            yield name, str(delta), str(least), str(b), str(above), str(a), str(t), str(every[0]), str(every[1])


def sparse() -> Iterator[Line]:
    """Yield the lines of Figure 5 for epsilon = 1, beta = 1/2: exact for keep-heavy, which it is close to."""
    n, labels, beta = 66, 133, Fraction(1, 2)
    for name, law in noises(n, Fraction(1), beta / (8 * labels))[1:]:
        x = (8 if name == FAST else 4) / beta
        a, t = printed(name, Fraction(1), x), 2 * printed(name, Fraction(1), x * labels)
        every = 2 * printed(name, Fraction(1), x / 2 * labels)
        found = str(heavy_per_query(n=n, universe=labels, law=law, above=t).error(beta)) if t < n else "no such count"
        yield name, str(n), str(labels), found, str(a), str(t), str(every)


def compact() -> Iterator[Line]:
    """Yield the lines of Figure 6 for 24 people: a label without people has the error of the empty-bin sampler."""
    for m, labels in ((1, 2**16), (2, 1000)):
        chosen = settled(n=24, universe=labels, epsilon=Fraction(1, m), beta=BETA)
        fast = fastsample_law(n=24, epsilon=chosen.epsilon, gamma=chosen.gamma)
        zero = fastsample_zero(n=24, epsilon=chosen.epsilon, gamma=chosen.gamma)
        empty = EmptyBin(zero, 2 ** (2 * 3**chosen.exponent)).law()
        plain = geosample_law(n=24, k=noise_exponent(chosen.epsilon))
        for name, law, hole in ((GEO, plain, plain(0)), (FAST, fast, empty)):
            found = worst([accuracy_of(hole, abs), *by_count(law, range(1, 25))])
            times = 2 if name == FAST else 1
            one, all_ = (log_ceiling(times * x / BETA, Epsilon.of(Fraction(1, 5 * m))) for x in (1, labels))
            union = found.error(BETA / labels)
            yield name, str(m), f"{labels:,}", str(found.error(BETA)), str(one), str(union), str(all_)
