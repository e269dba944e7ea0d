"""Compositions hold the exact ones, on lattices and on grids, at full precision and at a few bits."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import comb, lcm
from types import SimpleNamespace

import mpmath
import pytest

from dpcert import Epsilon
from dpcert.audit import composition, convolution, grids, losses, recurrence, sums
from dpcert.audit import profile as profiles
from dpcert.audit.profile import Profile, profile

from .enclosures import law


def pair(a: list[int], b: list[int]) -> Profile:
    return profile(law(a), law(b))


def response(a: int, b: int) -> Profile:
    return pair([a, b], [b, a])


Parts = list[tuple[Profile, int]]
Cases = list[tuple[Parts, Profile]]


def holds_weights(build: SimpleNamespace) -> None:
    """Powers of sequences are lower bounds of the exact powers, whatever ends are dropped."""
    made = build.convolution
    for size in (4, 8, 11, 16):
        unit = 1 << 8 * (size - 1)
        units = [unit // 7, 3, 0, unit // 3, unit // 5, 1]
        for times in (1, 2, 3, 7):
            one = made.WeightBounds.of(-2, units, size)
            assert (one.units, one.one) == (units, unit)
            found, exact = one.power(times), [Fraction(1)]
            for _ in range(times):
                exact = convolved(exact, [Fraction(y, unit) for y in units])
            for i, weight in enumerate(found.units):
                assert Fraction(weight, unit) <= exact[found.first + 2 * times + i]
            assert times == 1 or min(found.units[0], found.units[-1]) >= 1 << 8 * made._SPARE
            assert sum(exact) - Fraction(sum(found.units), unit) <= Fraction(40 * times << 8 * made._SPARE, unit)
    whole = made.WeightBounds.one_at_zero(3)
    assert made.product(whole, whole).units == whole.units == [whole.one]


def convolved(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    found = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] += x * y
    return found


def holds_powers(build: SimpleNamespace) -> None:
    """Bounds of powers, and of the probability of endless losses, hold them."""
    made = build.sums
    for x in (Fraction(3, 2), Fraction(10**9 + 7, 10**9), Fraction(2, 7), Fraction(8, 9)):
        for n in (-13, -1, 0, 1, 2, 5, 31):
            found = made.power_bounds(x, n)
            assert found.below <= x**n <= found.above
    for x in (Fraction(2, 7), Fraction(8, 9), Fraction(1)):
        if x < 1:
            for units in ([1], [3, 0, 7], [k * k % 11 for k in range(3 * made._BLOCK + 5)]):
                lo, hi = (Fraction(made.evaluated(units, x, up=up), made._ONE) for up in (False, True))
                assert lo <= sum(weight * x**k for k, weight in enumerate(units)) <= hi <= lo * 2
    for infinite in (Fraction(1, 3), Fraction(1, 10**4), Fraction(1, 10**12)):
        law = losses.LossLaw(0, [1], 1, infinite)
        lo, hi = made.endless([(law, 3), (law, 4)])
        assert lo <= 1 - (1 - infinite) ** 7 <= hi


def holds_tilts(build: SimpleNamespace, laws: list[tuple[Fraction, losses.LossLaw]]) -> None:
    """Tilted weights are lower bounds, and their total an upper bound."""
    for _, one in laws:
        for tilt in (Fraction(1), Fraction(1 + (1 << 40), 1 << 40), Fraction(7, 4), Fraction(255, 2)):
            weights, total = build.sums._tilted(one, tilt, 5)
            exact = [Fraction(mass, one.denominator) * tilt**i for i, mass in enumerate(one.masses)]
            assert sum(exact) <= total
            assert weights.units
            assert all(
                Fraction(weight, weights.one) <= exact[i] / total
                for i, weight in enumerate(weights.units, weights.first)
            )


def holds_folds(build: SimpleNamespace) -> None:
    """The tails of a sum hold the exact sums of the same weights, wherever they start."""
    made, units = build.sums, [3, 1, 4, 1, 5, 9, 2, 6]
    total = made.Powered(units, 100, -2, build.recurrence.Scaled(1, 1, 0), -4)
    assert total.lost == Fraction(69, 100)
    for tilt in (Fraction(7, 4), Fraction(1), Fraction(10, 9), Fraction(255, 7)):
        for start in (-90, -3, -2, 0, 5, 6):
            exact = sum(
                (Fraction(weight, 100) / tilt ** (j - start) for j, weight in enumerate(units, -2) if j >= start),
                Fraction(0),
            )
            lo, hi = (total.tail(start, tilt, up=up) for up in (False, True))
            assert lo <= exact <= hi
            assert start < -2 or hi - lo <= Fraction(1, 1 << made._FIXED - 4)


def holds_deltas(build: SimpleNamespace, laws: list[tuple[Fraction, losses.LossLaw]]) -> None:
    """Sums on a grid hold the exact deltas, whether from p's masses or from p's and q's."""
    made = build.sums
    for base, one in laws:
        q = [Fraction(mass, one.denominator) / base ** (one.first + i) for i, mass in enumerate(one.masses)]
        unit = lcm(*(mass.denominator for mass in q))
        under_q = losses.LossLaw(one.first, [int(mass * unit) for mass in q], unit, Fraction(0))
        for times in (1, 2, 5):
            exact = [Fraction(1)]
            for _ in range(times):
                exact = convolved(exact, [Fraction(mass, one.denominator) for mass in one.masses])
            endless = 1 - (1 - one.infinite) ** times
            for ratio in (Fraction(1), base, base**2, Fraction(8, 7), Fraction(7, 2)):
                gains = (
                    mass * max(Fraction(0), 1 - ratio / base**j) for j, mass in enumerate(exact, times * one.first)
                )
                delta = endless + sum(gains)
                for size in (3, 14):
                    total = made.LossSum(base, [(one, times)], size)
                    assert total.delta_lo(ratio) <= delta <= total.delta_hi(ratio)
                    observed = made.ObservedSum(base, [(one, under_q, times)], size)
                    for tilt in (Fraction(1), made.find_tilt(total.parts, total.start(ratio))):
                        assert observed.delta_lo(ratio, tilt) <= delta
                        for enough in (delta, delta + Fraction(1, 9)):
                            assert observed.ratio_lo(enough, ratio, tilt) <= ratio


def holds_outcomes(build: SimpleNamespace, cases: Cases) -> None:
    """Outcomes that are put on a grid are rounded to one side; none is lost above."""
    made = build.losses
    steep = [[(k * k + 1) * base**k + 7**35 + k for k in range(40)] for base in (5, 3)]
    long = [
        pair(*steep),
        pair(*steep[::-1]),
        pair([1, 4095], [2**99, 2**99 - 1]),
        pair([2**88, 2**100 - 2**88 - 1], [1, 1]),
    ]
    for given in [*(parts[0][0] for parts, _ in cases[:-1]), *long]:
        one = mine(build, given)
        rows = sorted(zip(one.p_weights, one.q_weights, strict=True), key=lambda row: Fraction(row[1], row[0]))
        for above in (True, False):
            found = made.outcomes_of(one, above=above)
            unit = 1 << made.FIXED
            for (mass, inverse), (p, q) in zip(found.rows, rows, strict=True):
                exact = Fraction(p, one.p_denominator), Fraction(q, one.q_denominator) / Fraction(p, one.p_denominator)
                if above:
                    assert Fraction(mass, unit) >= exact[0]
                    assert Fraction(inverse, unit) <= exact[1]
                else:
                    assert Fraction(mass, unit) <= exact[0]
                    assert Fraction(inverse, unit) >= exact[1]
    tiny = build.profile.Profile.from_ratios([(Fraction(4), Fraction(1, 1 << made.FIXED))], Fraction(0), Fraction(0))
    assert made.outcomes_of(tiny, above=True).infinite >= Fraction(4, 1 << made.FIXED)
    assert made.outcomes_of(tiny, above=False).rows == []


def mine(build: SimpleNamespace, one: Profile) -> Profile:
    return build.profile.Profile.from_ratios(one.rows(), one.infinite, one.zero)


def holds_grids(build: SimpleNamespace, cases: Cases) -> None:
    """One pair split is nowhere more private, and what is seen of it gathered is nowhere less."""
    made, unit = build.losses, 1 << build.losses.FIXED
    outcomes = [
        [made.outcomes_of(mine(build, parts[0][0]), above=above) for above in (True, False)] for parts, _ in cases[:-1]
    ]
    outcomes += [
        [made.Outcomes([(unit // 2 + 1, inverse)], Fraction(0))] * 2 for inverse in (3 * unit // 4, 5 * unit // 8 + 1)
    ]
    for above, below in outcomes:
        exact = [[(Fraction(m, unit), Fraction(unit, s)) for m, s in each.rows] for each in (above, below)]
        for steps in (2, 11, 16):
            base = 1 + Fraction(1, steps)
            split, (p, q) = made.split(above, steps), made.gathered(below, steps)
            for ratio in (Fraction(1), Fraction(17, 16), Fraction(3, 2), Fraction(4)):
                delta = [sum(m * max(Fraction(0), 1 - ratio / at) for m, at in each) for each in exact]
                masses = [(base ** (split.first + i), Fraction(m, unit)) for i, m in enumerate(split.masses)]
                assert above.infinite + delta[0] <= split.infinite + sum(
                    m * max(Fraction(0), 1 - ratio / at) for at, m in masses
                )
                gains = (Fraction(m) - ratio * w for m, w in zip(p.masses, q.masses, strict=True))
                assert sum(max(Fraction(0), gain) for gain in gains) / unit <= delta[1]


def holds_compositions(build: SimpleNamespace, cases: Cases) -> None:
    """Bounds of delta hold the exact deltas: on a lattice where there is one, by binomials, and on grids."""
    made = build.composition
    for parts, exact in cases:
        given_parts = [(mine(build, one), times) for one, times in parts]
        curves = [made.composed(given_parts, grid=3)]
        on_one = made._on_one_lattice(given_parts)
        if on_one is not None:
            curves.append(build.grids.Composition(on_one, None))
        if len(parts) == 1 and len(parts[0][0].rows()) == 2:
            curves.append(made._binomial_power(*given_parts[0]))
        for ratio in (Fraction(1), Fraction(9, 8), Fraction(5), Fraction(40)):
            for curve in curves:
                lo, hi = curve.delta_between(ratio, ratio)
                assert lo <= exact.delta(ratio) <= hi
                lo, hi = curve.delta_between(ratio, 2 * ratio)
                assert lo <= exact.delta(2 * ratio)
                assert exact.delta(ratio) <= hi


def holds_kept(build: SimpleNamespace) -> None:
    """What only p can have is added to both bounds, and what is kept scales them."""
    for kept in (Fraction(2, 3), Fraction(10**6 - 1, 10**6)):
        for delta in (Fraction(0), Fraction(1, 9), Fraction(1)):
            finite = SimpleNamespace(delta_between=lambda below, above, delta=delta: (delta, delta))
            lo, hi = build.composition.BinomialPower(finite, kept, kept, 5).delta_between(Fraction(1), Fraction(2))
            assert lo <= 1 - kept**5 + delta * kept**5 <= hi
    exact = pair([5, 3, 1, 0], [3, 5, 0, 1]).power(6)
    for delta in (Fraction(6, 10), Fraction(7, 10), Fraction(99, 100)):
        found, least = (
            build.composition._binomial_power(pair_of_two(build), 6).ratio_at(delta),
            exact.least_ratio(delta),
        )
        assert found.lo <= least <= found.hi
    seen: list[Fraction] = []
    finite = SimpleNamespace(delta_between=lambda *ratios: seen.extend(ratios) or (Fraction(0), Fraction(1)))
    build.composition.BinomialPower(finite, Fraction(2, 3), Fraction(3, 7), 5).delta_between(Fraction(2), Fraction(3))
    assert seen[0] <= 2 * Fraction(9, 14) ** 5
    assert seen[1] >= 3 * Fraction(9, 14) ** 5


def pair_of_two(build: SimpleNamespace) -> Profile:
    """Return a pair of two ratios, and of an outcome that only p has and one that only q has."""
    return mine(build, pair([5, 3, 1, 0], [3, 5, 0, 1]))


def holds_responses(build: SimpleNamespace) -> None:
    """Randomized response of irrational ratios holds the values of mpmath: by binomials, on a lattice, on a grid."""
    made, delta = build.composition, Fraction(1, 50)
    pairs = [(made.Canonical(Epsilon.of(text), delta), times) for text, times in (("1/2", 3), ("1/3", 4))]
    curves = [(made.composed(pairs[:1]), 0), (made._on_one_step(pairs), 4), (made.composed(pairs, grid=3), 4)]
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(4)):
        for curve, fours in curves:
            with mpmath.workdps(50):
                total = mpmath.mpf(0)
                for i in range(4):
                    for j in range(fours + 1):
                        loss = mpmath.mpf(2 * i - 3) / 2 + mpmath.mpf(2 * j - fours) / 3
                        a, b = (mpmath.exp(mpmath.mpf(1) / k) for k in (2, 3))
                        mass = comb(3, i) * comb(fours, j) * a**i * b**j / (1 + a) ** 3 / (1 + b) ** fours
                        total += mass * max(0, 1 - number(ratio) / mpmath.exp(loss))
                kept = number((1 - delta) ** (3 + fours))
                lo, hi = curve.delta_between(ratio, ratio)
                assert number(lo) <= 1 - kept * (1 - total) <= number(hi)


def number(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


MODULES = (composition, convolution, grids, losses, profiles, recurrence, sums)
FULL = SimpleNamespace(**{module.__name__.rpartition(".")[2]: module for module in MODULES})


@pytest.fixture(scope="module")
def cases() -> Cases:
    """Return compositions: their parts, and the exact profile by products of laws."""
    parts = [
        [(response(3, 2), 9)],
        [(pair([3, 1, 1, 0], [1, 3, 0, 1]), 4)],
        [(pair([4, 2, 1], [1, 2, 4]), 5)],
        [(pair([5, 2, 1, 3], [1, 3, 4, 0]), 4)],
        [(pair([5, 2, 1, 0], [1, 3, 4, 2]), 3), (response(7, 5), 3)],
        [(response(9, 4), 3), (response(3, 2), 5)],
        [(pair([17 * k % 29 + 1 for k in range(16)], [13 * k % 31 + 1 for k in range(16)]), 2)],
        [(pair([10**9, 1], [1, 10**9]), 3)],
    ]
    found = []
    for each in parts:
        whole = [one for one, times in each for _ in range(times)]
        found.append((each, reduce(Profile.compose, whole)))
    return found


@pytest.fixture(scope="module")
def laws() -> list[tuple[Fraction, losses.LossLaw]]:
    """Return bases and loss laws on them."""
    return [
        (Fraction(3, 2), losses.LossLaw(-1, [2, 0, 3], 5, Fraction(0))),
        (Fraction(17, 16), losses.LossLaw(-3, [1, 5, 0, 7, 2, 3, 11], 31, Fraction(2, 31))),
        (Fraction(10, 9), losses.LossLaw(0, [2**40 - 1, 2**40 - 1, 1], 2**41, Fraction(2**41 - 2**41 + 1, 2**41))),
    ]


Check = Callable[[SimpleNamespace], None]


@pytest.fixture(scope="module")
def checks(cases: Cases, laws: list[tuple[Fraction, losses.LossLaw]]) -> dict[str, Check]:
    """Return all checks of a build, by name."""
    return {
        "weights": holds_weights,
        "powers": holds_powers,
        "tilts": lambda build: holds_tilts(build, laws),
        "folds": holds_folds,
        "deltas": lambda build: holds_deltas(build, laws),
        "outcomes": lambda build: holds_outcomes(build, cases),
        "grids": lambda build: holds_grids(build, cases),
        "compositions": lambda build: holds_compositions(build, cases),
        "kept": holds_kept,
        "responses": holds_responses,
    }


@pytest.mark.nightly
def test_twin_at_full_precision(checks: dict[str, Check]) -> None:
    for check in checks.values():
        check(FULL)


@pytest.mark.points(1)
@pytest.mark.parametrize("only", [None, "recurrence", "composition"])
def test_twin_at_a_few_bits(build: Callable[..., SimpleNamespace], checks: dict[str, Check], only: str | None) -> None:
    coarse = build() if only is None else build(only=[only])
    for check in checks.values():
        check(coarse)


BY_MODULE = {
    ("weights", "convolution"): {
        "digits rounded up": ("2 * size - 1]\n", "2 * size - 1] | 1\n"),
    },
    ("powers", "sums"): {
        "endless losses too many": ("max(total - total * total / 2, 1 - spared.above)", "total"),
        "endless losses too few": ("min(total, 1 - spared.below))", "1 - spared.above)"),
        "a power rounded down": ("(sign * powers[-1] * step >> _FIXED) * sign", "powers[-1] * step >> _FIXED"),
        "a power rounded up": ("(sign * powers[-1] * step >> _FIXED) * sign", "-(-powers[-1] * step >> _FIXED)"),
    },
    ("tilts", "sums"): {
        "weights rounded up": ("(floor << 8 * (size - 1)) // whole for", "-(-(floor << 8 * (size - 1)) // whole) for"),
        "a total of floors alone": ("scaled(whole, last)", "scaled(sum(floors), last)"),
    },
    ("folds", "sums"): {
        "falls exchanged": ("fall.above if up else fall.below", "fall.below if up else fall.above"),
    },
    ("deltas", "sums"): {
        "lost weights forgotten": ("spared + total.lost)", "spared)"),
        "lost weights of q forgotten": ("up=True) + q.lost)", "up=True))"),
        "a start too late": ("return low + bisect_left(", "return low + 1 + bisect_left("),
        "the scale rounded down above": ("scale_at(start, tilt).above\n", "scale_at(start, tilt).below\n"),
        "the scale rounded up below": (
            "gained * total.scale_at(start, tilt).below",
            "gained * total.scale_at(start, tilt).above",
        ),
        "what q has rounded down": (
            "q.lost) * q.scale_at(start, q_tilt).above",
            "q.lost) * q.scale_at(start, q_tilt).below",
        ),
        "what p has rounded up": (
            "up=False) * p.scale_at(start, tilt).below",
            "up=False) * p.scale_at(start, tilt).above",
        ),
        "a delta forgotten in a least ratio": ("(infinite + p - delta)", "(infinite + p)"),
    },
    ("outcomes", "losses"): {
        "cut weights rounded down above": ("p, q = (p >> p_cut) + p_up,", "p, q = (p >> p_cut) + 0,"),
        "a cut denominator rounded up above": (
            "(pair.p_denominator >> p_cut) + p_down",
            "(pair.p_denominator >> p_cut) + 1",
        ),
        "a cut denominator rounded down below": (
            "(pair.p_denominator >> p_cut) + p_down",
            "(pair.p_denominator >> p_cut) + 0",
        ),
        "cut weights of q rounded down below": ("(q >> q_cut) + q_down", "(q >> q_cut) + 0"),
        "a cut denominator of q rounded down above": (
            "(pair.q_denominator >> q_cut) + q_up",
            "(pair.q_denominator >> q_cut) + 0",
        ),
        "masses rounded down above": ("yield -(-mass // p_unit), inv", "yield mass // p_unit, inv"),
        "masses rounded up below": ("yield mass // p_unit, -(", "yield -(-mass // p_unit), -("),
        "ratios rounded down above": ("p_unit), inverse // unit\n", "p_unit), -(-inverse // unit)\n"),
        "ratios rounded up below": ("p_unit, -(-inverse // unit)\n", "p_unit, inverse // unit\n"),
        "small masses left out above": ("            endless += mass\n", "            endless += 0\n"),
    },
    ("grids", "losses"): {
        "shares rounded down": ("up = min(mass, -(-mass * share >> FIXED))", "up = mass * share >> FIXED"),
        "shares of a ratio rounded down": ("(ladder[at] * inverse >> _RUNGS))", "-(-ladder[at] * inverse >> _RUNGS))"),
        "q-masses rounded down": ("- (-mass * inverse >> FIXED)", "+ (mass * inverse >> FIXED)"),
    },
    ("kept", "composition"): {
        "kept mass rounded down above": ("1 - p.below + hi * p.above)", "1 - p.above + hi * p.below)"),
        "kept mass rounded up below": ("1 - p.above + lo * p.below)", "1 - p.below + lo * p.above)"),
        "a ratio of kept masses rounded up below": ("below * q.below / p.above", "below * q.above / p.below"),
        "a ratio of kept masses rounded down above": ("above * q.above / p.below", "above * q.below / p.above"),
    },
    ("responses", "composition"): {
        "the sides of a pair exchanged": (
            "return self.at(below), self.at(above)",
            "return self.at(above), self.at(below)",
        ),
    },
}
FAULTS = {name: (*at, *edit) for at, rows in BY_MODULE.items() for name, edit in rows.items()}
COARSE_ALONE = {
    "endless losses too few": "recurrence",
    "the scale rounded down above": "recurrence",
    "the scale rounded up below": "recurrence",
    "what q has rounded down": "recurrence",
    "what p has rounded up": "recurrence",
    "kept mass rounded down above": "recurrence",
    "kept mass rounded up below": "recurrence",
    "a ratio of kept masses rounded up below": "recurrence",
    "a ratio of kept masses rounded down above": "recurrence",
    "the sides of a pair exchanged": "composition",
}


@pytest.mark.points(4)
@pytest.mark.parametrize("fault", FAULTS)
def test_caught_a_rounding_to_the_wrong_side(
    build: Callable[..., SimpleNamespace], checks: dict[str, Check], fault: str
) -> None:
    check, *edit = FAULTS[fault]
    faulty = build(tuple(edit), only=[COARSE_ALONE[fault]]) if fault in COARSE_ALONE else build(tuple(edit))
    with pytest.raises(AssertionError):
        checks[check](faulty)
