"""What holds of compositions in every build of their modules: each check against exact laws."""

from fractions import Fraction
from math import comb, lcm
from types import SimpleNamespace

import mpmath

from dpcert import Epsilon
from dpcert.audit import losses
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
