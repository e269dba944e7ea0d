"""Compositions hold the exact ones, on lattices and on grids, at full precision and at a few bits."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import comb, lcm
from types import SimpleNamespace

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.audit import composition, convolution, losses, recurrence, sums
from dpcert.audit import profile as profiles
from dpcert.audit.accounting import advanced, basic, optimal
from dpcert.audit.composition import BinomialPower, Canonical, Composition, composed
from dpcert.audit.enclosure import EnclosedProfile, enclosed_profile, profile_at_size
from dpcert.audit.multiplicative import lattice, polynomial_power
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import binomial
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

MODULES = (composition, convolution, losses, profiles, recurrence, sums)
FULL = SimpleNamespace(**{module.__name__.rpartition(".")[2]: module for module in MODULES})


def law(values: list[int]) -> Dist:
    return Dist.from_weights(enumerate(values), sum(values))


def pair(a: list[int], b: list[int]) -> Profile:
    return profile(law(a), law(b))


def response(a: int, b: int) -> Profile:
    return pair([a, b], [b, a])


Parts = list[tuple[Profile, int]]
Cases = list[tuple[Parts, Profile]]


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


def holds_weights(build: SimpleNamespace) -> None:
    """Powers of sequences are lower bounds of the exact powers, whatever ends are dropped."""
    made = build.convolution
    for digits in (3, 7):
        unit = 10**digits
        units = [unit // 7, 3, 0, unit // 3, unit // 5, 1]
        for times in (1, 2, 3, 7):
            found, exact = made.Weights(-2, units, digits).power(times), [Fraction(1)]
            for _ in range(times):
                exact = convolved(exact, [Fraction(y, unit) for y in units])
            for i, weight in enumerate(found.units):
                assert Fraction(weight, unit) <= exact[found.first + 2 * times + i]


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
        unit = 1 << made._FIXED
        for k, (lo, hi) in zip(range(40), made._powers((unit // 3, unit // 3 + 1), x), strict=False):
            assert Fraction(lo, unit) <= x**k / 3 <= Fraction(hi, unit)
    for infinite in (Fraction(1, 3), Fraction(1, 10**4), Fraction(1, 10**12)):
        law = losses.LossLaw(0, [1], 1, infinite)
        lo, hi = made.endless([(law, 3), (law, 4)])
        assert lo <= 1 - (1 - infinite) ** 7 <= hi


def holds_tilts(build: SimpleNamespace, laws: list[tuple[Fraction, losses.LossLaw]]) -> None:
    """Tilted weights are lower bounds, and their total an upper bound."""
    for _, one in laws:
        for tilt in (Fraction(1), Fraction(1 + (1 << 40), 1 << 40), Fraction(7, 4), Fraction(255, 2)):
            weights, total = build.sums._tilted(one, tilt, 9)
            exact = [Fraction(mass, one.denominator) * tilt**i for i, mass in enumerate(one.masses)]
            assert sum(exact) <= total
            assert all(Fraction(w, 10**9) <= x / total for w, x in zip(weights.units, exact, strict=True))


def holds_folds(build: SimpleNamespace) -> None:
    """The sum at the end holds the exact sum of the same weights."""
    made, weights = build.sums, build.convolution.Weights(2, [3, 1, 4, 1, 5, 9, 2, 6], 2)
    total = made.Powered(weights, build.recurrence.Scaled(1, 1, 0), -4)
    for base, tilt in (
        (Fraction(3, 2), Fraction(7, 4)),
        (Fraction(10, 9), Fraction(1)),
        (Fraction(9, 8), Fraction(10, 8)),
    ):
        one = made.Sum(base, [], 2)
        for start in (-3, 0, 3):
            for below, above in (
                (Fraction(7, 5), Fraction(7, 5)),
                (Fraction(11, 10), Fraction(6, 5)),
                (base**2, base**2),
            ):
                lo, hi = one._folded(total, start, tilt, below, above)
                for ratio in (below, above):
                    exact = sum(
                        Fraction(units, 100) / tilt ** (j - start) * max(Fraction(0), 1 - ratio / base**j)
                        for j, units in enumerate(weights.units, -2)
                        if j >= start
                    )
                    assert lo <= exact <= hi


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
                for digits in (4, 30):
                    total = made.Sum(base, [(one, times)], digits)
                    lo, hi = total.delta_between(ratio, ratio)
                    assert lo <= delta <= hi
                    for tilt in (Fraction(1), made.find_tilt(total.parts, total.start(ratio))):
                        assert made.ObservedSum(base, [(one, under_q, times)], digits).delta_lo(ratio, tilt) <= delta


def holds_outcomes(build: SimpleNamespace, cases: Cases) -> None:
    """Outcomes that are put on a grid are rounded to one side; none is lost above."""
    made = build.losses
    for parts, _ in cases[:-1]:
        one = mine(build, parts[0][0])
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
        for grid in (1, 4):
            base = 1 + Fraction(1, 1 << grid)
            split, (p, q) = made.split(above, grid), made.gathered(below, grid)
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
            curves.append(made.Composition(on_one, None))
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
    seen: list[Fraction] = []
    finite = SimpleNamespace(delta_between=lambda *ratios: seen.extend(ratios) or (Fraction(0), Fraction(1)))
    build.composition.BinomialPower(finite, Fraction(2, 3), Fraction(3, 7), 5).delta_between(Fraction(2), Fraction(3))
    assert seen[0] <= 2 * Fraction(9, 14) ** 5
    assert seen[1] >= 3 * Fraction(9, 14) ** 5


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


def test_twin_at_full_precision(checks: dict[str, Check]) -> None:
    for check in checks.values():
        check(FULL)


@pytest.mark.parametrize("only", [None, "recurrence", "composition"])
def test_twin_at_a_few_bits(build: Callable[..., SimpleNamespace], checks: dict[str, Check], only: str | None) -> None:
    coarse = build() if only is None else build(only=[only])
    for check in checks.values():
        check(coarse)


FAULTS = {
    "digits rounded up": ("weights", "convolution", "[int(row) for row", "[int(row) + 1 for row"),
    "endless losses too many": ("powers", "sums", "max(total - total * total / 2, 1 - spared.above)", "total"),
    "endless losses too few": ("powers", "sums", "min(total, 1 - spared.below))", "1 - spared.above)"),
    "a power rounded down": ("powers", "sums", "-(-hi * x_hi >> _FIXED)", "(hi * x_hi >> _FIXED)"),
    "a power rounded up": ("powers", "sums", "lo * x_lo >> _FIXED,", "-(-lo * x_lo >> _FIXED),"),
    "weights rounded up": ("tilts", "sums", "floor * one // whole for", "-(-floor * one // whole) for"),
    "a total of floors alone": ("tilts", "sums", "digits), scaled(whole, last)", "digits), scaled(sum(floors), last)"),
    "shortfall rounded up below": ("folds", "sums", "(_ONE - upper) * fall_lo", "(_ONE - lower) * fall_lo"),
    "shortfall rounded down above": ("folds", "sums", "(_ONE - lower) * fall_hi", "(_ONE - upper) * fall_hi"),
    "falls rounded up below": ("folds", "sums", "(_ONE - upper) * fall_lo", "(_ONE - upper) * fall_hi"),
    "falls rounded down above": ("folds", "sums", "(_ONE - lower) * fall_hi", "(_ONE - lower) * fall_lo"),
    "lost weights forgotten": ("deltas", "sums", "hi += (most + total.lost) * scale.above", "hi += most * scale.above"),
    "lost weights of q forgotten": ("deltas", "sums", "found -= -(-q.lost * p.unit * price // 1)", "found -= 0"),
    "a start too late": ("deltas", "sums", "least + i).above > ratio", "least + i - 1).above > ratio"),
    "the scale rounded down above": ("deltas", "sums", "total.lost) * scale.above", "total.lost) * scale.below"),
    "the scale rounded up below": ("deltas", "sums", "lo += least * scale.below", "lo += least * scale.above"),
    "a price rounded down": (
        "deltas",
        "sums",
        "above * q_scale.above / p_scale.below)",
        "above * q_scale.below / p_scale.above)",
    ),
    "masses rounded down above": ("outcomes", "losses", "yield (-(-mass // p_unit), inv", "yield (mass // p_unit, inv"),
    "masses rounded up below": ("outcomes", "losses", "(mass // p_unit, -(", "(-(-mass // p_unit), -("),
    "ratios rounded down above": ("outcomes", "losses", "p_unit), inverse // unit)", "p_unit), -(-inverse // unit))"),
    "ratios rounded up below": ("outcomes", "losses", "p_unit, -(-inverse // unit))", "p_unit, inverse // unit)"),
    "small masses left out above": (
        "outcomes",
        "losses",
        "            endless += mass\n",
        "            endless += 0\n",
    ),
    "shares rounded down": (
        "grids",
        "losses",
        "up = min(mass, -(-mass * share >> FIXED))",
        "up = mass * share >> FIXED",
    ),
    "shares of a ratio rounded down": (
        "grids",
        "losses",
        "(ladder[at] * inverse >> FIXED))",
        "-(-ladder[at] * inverse >> FIXED))",
    ),
    "q-masses rounded down": ("grids", "losses", "- (-mass * inverse >> FIXED)", "+ (mass * inverse >> FIXED)"),
    "kept mass rounded down above": (
        "kept",
        "composition",
        "1 - p.below + hi * p.above)",
        "1 - p.above + hi * p.below)",
    ),
    "kept mass rounded up below": ("kept", "composition", "1 - p.above + lo * p.below)", "1 - p.below + lo * p.above)"),
    "a ratio of kept masses rounded up below": (
        "kept",
        "composition",
        "below * q.below / p.above",
        "below * q.above / p.below",
    ),
    "a ratio of kept masses rounded down above": (
        "kept",
        "composition",
        "above * q.above / p.below",
        "above * q.below / p.above",
    ),
    "the sides of a pair exchanged": (
        "responses",
        "composition",
        "return self.at(below), self.at(above)",
        "return self.at(above), self.at(below)",
    ),
}
COARSE_ALONE = {
    "endless losses too few": "recurrence",
    "the scale rounded down above": "recurrence",
    "the scale rounded up below": "recurrence",
    "a price rounded down": "recurrence",
    "kept mass rounded down above": "recurrence",
    "kept mass rounded up below": "recurrence",
    "a ratio of kept masses rounded up below": "recurrence",
    "a ratio of kept masses rounded down above": "recurrence",
    "the sides of a pair exchanged": "composition",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_caught_a_rounding_to_the_wrong_side(
    build: Callable[..., SimpleNamespace], checks: dict[str, Check], fault: str
) -> None:
    check, *edit = FAULTS[fault]
    faulty = build(tuple(edit), only=[COARSE_ALONE[fault]]) if fault in COARSE_ALONE else build(tuple(edit))
    with pytest.raises(AssertionError):
        checks[check](faulty)


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=4),
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.integers(1, 4),
    st.fractions(1, 8, max_denominator=9),
)
def test_twin_of_any_pair_on_a_grid(a: list[int], b: list[int], times: int, ratio: Fraction) -> None:
    one = pair(a, b[: len(a)])
    lo, hi = composed([(one, times)], grid=5).delta_at(Epsilon.ln(ratio)).lo, composed([(one, times)], grid=9)
    assert lo <= one.power(times).delta(ratio) <= hi.delta_at(Epsilon.ln(ratio)).hi


@pytest.mark.parametrize(
    ("a", "b", "times"),
    [([101, 100], [100, 101], 40), ([4, 2, 1], [1, 2, 4], 30), ([9, 6, 4], [4, 6, 9], 25)],
)
def test_narrow_on_a_lattice(a: list[int], b: list[int], times: int) -> None:
    one = pair(a, b)
    on_one, exact = composition._on_one_lattice([(one, times)]), one.power(times)
    assert on_one is not None
    for epsilon in ("1/10", "1", "5"):
        answer, (lo, hi) = (
            Composition(on_one, None).delta_at(Epsilon.of(epsilon)),
            exact.delta_bounds(Epsilon.of(epsilon)),
        )
        assert answer.lo <= lo <= hi <= answer.hi
        assert answer.hi <= lo * (1 + Fraction(1, 2**40))


def test_narrow_by_default_on_a_grid() -> None:
    one = profile(binomial(30, "1/10").exact(), binomial(29, "1/10").exact())
    answer, exact = composed([(one, 40)], grid=None), one.power(2)
    assert isinstance(answer, Composition)
    found = answer.delta_at(Epsilon.of("1"))
    assert 0 < found.lo <= found.hi <= found.lo * Fraction(11, 10)
    two = composed([(one, 2)], grid=12).delta_at(Epsilon.of("1/2"))
    lo, hi = exact.delta_bounds(Epsilon.of("1/2"))
    assert two.lo <= lo <= hi <= two.hi <= two.lo * Fraction(1001, 1000)


def reference(times: int, epsilon: str) -> mpmath.mpf:
    """The delta of so many randomized responses at e^(1/100), summed term by term."""
    e0, e = mpmath.mpf(1) / 100, mpmath.mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator
    total, term = mpmath.mpf(0), mpmath.power(1 + mpmath.exp(e0), -times)
    for k in range(times + 1):
        loss = e0 * (2 * k - times)
        if loss > e:
            total += term * (mpmath.exp(e0 * k) - mpmath.exp(e + e0 * (times - k)))
        term = term * (times - k) / (k + 1)
    return total


@pytest.mark.parametrize(("times", "epsilon"), [(10, "1/20"), (100, "1/2"), (10_000, "15/2"), (10_000, "37")])
def test_reference_values_of_randomized_response_by_mpmath(times: int, epsilon: str) -> None:
    answer = composed([(Canonical(Epsilon.of("1/100"), Fraction(0)), times)]).delta_at(Epsilon.of(epsilon))
    assert answer.method == "enclosed"
    with mpmath.workdps(80):
        expected = reference(times, epsilon)
        for bound in (answer.lo, answer.hi):
            assert abs(number(bound) / expected - 1) < mpmath.mpf(10) ** -30
        assert number(answer.lo) <= expected <= number(answer.hi)
    if (times, epsilon) == (10_000, "15/2"):
        assert Fraction(15055, 10**17) < answer.lo < answer.hi < Fraction(15065, 10**17)
    if epsilon == "37":
        assert answer.hi < Fraction(1, 10**299)


def test_a_delta_of_1e_300_has_its_epsilon() -> None:
    found = composed([(Canonical(Epsilon.of("1/100"), Fraction(0)), 10_000)])
    answer = found.ratio_at(Fraction(1, 10**300))
    assert answer.bits is not None
    assert answer.bits > 20
    assert found.delta_between(answer.lo, answer.lo)[0] > Fraction(1, 10**300)
    assert found.delta_between(answer.hi, answer.hi)[1] <= Fraction(1, 10**300)
    assert (
        Epsilon.of("36998/1000").exp_bounds(64)[0] < answer.lo < answer.hi < Epsilon.of("36999/1000").exp_bounds(64)[1]
    )


def test_twin_ten_thousandfold_exactly() -> None:
    exact = response(101, 100).power(10_000)
    enclosed = composed([(response(101, 100), 10_000)])
    assert isinstance(enclosed, BinomialPower)
    for epsilon in ("1/10", "15/2", "36"):
        lo, hi = exact.delta_bounds(Epsilon.of(epsilon))
        answer = enclosed.delta_at(Epsilon.of(epsilon))
        assert answer.lo <= lo <= hi <= answer.hi
        assert answer.bits is not None
        assert answer.bits > 100


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**9), Fraction(1, 50), Fraction(9, 10)])
@pytest.mark.parametrize(("parts", "grid"), [([(response(3, 2), 9)], None), ([(pair([5, 2, 1], [1, 3, 4]), 4)], 6)])
def test_twin_least_ratios(parts: Parts, grid: int | None, delta: Fraction) -> None:
    exact = reduce(Profile.compose, [one for one, times in parts for _ in range(times)])
    curve = composition._binomial_power(*parts[0]) if grid is None else composed(parts, grid=grid)
    answer, least = curve.ratio_at(delta), exact.least_ratio(delta)
    assert least is not None
    assert answer.lo <= least
    assert answer.hi is None or least <= answer.hi
    assert delta == 0 or (answer.hi is not None and answer.hi <= answer.lo * Fraction(5, 4))


def test_enclosed_pairs_compose() -> None:
    p, q = binomial(40, "1/3"), binomial(39, "1/3")
    exact = profile(p.exact(), q.exact())
    squared = exact.compose(exact)
    for one in (
        profile_at_size(binomial(400, "1/3"), binomial(399, "1/3")),
        enclosed_profile(p.enclose(9999), q.enclose(9999)),
    ):
        answer = composed([(one, 2)], grid=9).delta_at(Epsilon.ln("5/4"))
        assert answer.method == "enclosed"
        if isinstance(one, EnclosedProfile):
            assert answer.lo <= squared.delta(Fraction(5, 4)) <= answer.hi <= answer.lo * Fraction(101, 100)
    p, q = binomial(40, "1/10"), binomial(39, "1/10")
    cut, squared = enclosed_profile(p.enclose(-150), q.enclose(-150)), profile(p.exact(), q.exact()).power(2)
    assert min(cut.p_rest, cut.q_rest) > 0
    answer = composed([(cut, 2)], grid=9).delta_at(Epsilon.ln("5/4"))
    assert answer.lo <= squared.delta(Fraction(5, 4)) <= answer.hi


def test_the_choice_is_visible() -> None:
    few, many = composed([(response(3, 2), 10)]), composed([(response(3, 2), 10_000)])
    assert few == response(3, 2).power(10)
    assert (few.delta_at(Epsilon.ln(2)).method, many.delta_at(Epsilon.ln(2)).method) == ("exact", "enclosed")
    several = composed([(response(3, 2), 5), (response(9, 4), 5)])
    assert several == response(3, 2).power(5).compose(response(9, 4).power(5))
    canonical = composed([(Canonical(Epsilon.ln(2), Fraction(1, 10)), 3)])
    assert canonical == Canonical(Epsilon.ln(2), Fraction(1, 10)).at(Fraction(2)).power(3)
    assert composed([(Canonical(Epsilon.of(0), Fraction(1, 10)), 2)]).delta_at(Epsilon.of(0)).lo == Fraction(19, 100)


def test_beyond_every_loss() -> None:
    for curve in (composed([(response(3, 2), 10_000)]), composed([(pair([5, 2, 1], [1, 3, 4]), 30)], grid=5)):
        answer = curve.delta_at(Epsilon.of("1e9"))
        assert answer.lo == 0
        assert answer.hi <= Fraction(1, 2**60)


def test_the_theorems_in_their_order() -> None:
    spent = [(Epsilon.of("1/10"), Fraction(1, 10**8), 60), (Epsilon.of("1/5"), Fraction(0), 10)]
    slack = Fraction(1, 10**6)
    epsilon, delta = basic(spent)
    assert (epsilon, delta) == (Epsilon.of(8), Fraction(60, 10**8))
    bound, total = advanced(spent, slack)
    assert total == delta + slack
    with mpmath.workdps(40):
        drift = sum(times * number(e.rational) * (mpmath.exp(number(e.rational)) - 1) for e, _, times in spent)
        squares = sum(times * number(e.rational) ** 2 for e, _, times in spent)
        expected = drift + mpmath.sqrt(2 * mpmath.log(10**6) * squares)
        assert number(bound.lo) <= expected <= number(bound.hi)
        assert abs(number(bound.hi) - expected) < mpmath.mpf(10) ** -30
    best = optimal(spent)
    assert best.delta_at(epsilon).lo <= delta
    assert best.delta_at(Epsilon.of(bound.hi)).hi <= total
    assert best.delta_at(Epsilon.of(bound.hi / 4)).lo > total


@pytest.mark.parametrize(("k", "i"), [(4, 0), (4, 1), (9, 3), (30, 9)])
def test_twin_the_optimal_theorem(k: int, i: int) -> None:
    ratio, delta = Fraction(3, 2), Fraction(1, 100)
    lost = sum(comb(k, j) * (ratio ** (k - j) - ratio ** (k - 2 * i + j)) for j in range(i)) / (1 + ratio) ** k
    found = optimal([(Epsilon.ln(ratio), delta, k)]).delta_at(Epsilon.ln(ratio ** (k - 2 * i)))
    assert (found.lo, found.hi) == (1 - (1 - delta) ** k * (1 - lost),) * 2


def test_lattices() -> None:
    assert lattice([Fraction(9, 4), Fraction(8, 27), Fraction(1)]) == (Fraction(3, 2), [2, -3, 0])
    assert lattice([Fraction(4), Fraction(8)]) == (Fraction(2), [2, 3])
    assert lattice([Fraction(1)]) == (Fraction(2), [0])
    assert lattice([Fraction(2), Fraction(3)]) is None
    assert lattice([Fraction(2), Fraction(5, 2)]) is None
    assert lattice([]) is None
    assert polynomial_power([1, 0, 2], 3) == [1, 0, 6, 0, 12, 0, 8]


def test_refused_parts() -> None:
    for parts in ([], [(response(3, 2), 0)], [(response(3, 2), True)]):
        with pytest.raises(InputError):
            composed(parts)
    for slack in (Fraction(0), Fraction(1)):
        with pytest.raises(InputError, match="slack"):
            advanced([], slack)
    for delta in (Fraction(1), Fraction(-1, 2), 0):
        with pytest.raises(InputError, match="delta"):
            Canonical(Epsilon.of(1), delta)
