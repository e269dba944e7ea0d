"""Gaussian mixtures at a delta: bounds against quadrature and closed forms, wrong proofs, and programs."""

import ast
import math
import random
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import flint
import mpmath
import numpy as np
import pytest

from dpcert.audit.ideal.certificates import checker, gauss
from dpcert.audit.ideal.gaussian import Mixtures
from dpcert.mechanisms.exact.epsilon import Epsilon

from .claims import decided


def fmpq(x):
    x = Fraction(x)
    return flint.fmpq(x.numerator, x.denominator)


def vector(mean):
    return tuple(map(fmpq, mean if isinstance(mean, tuple) else (mean,)))


def mixture(rows, variance=1):
    """Return the mixture of rows (weight, mean), the same variance in each coordinate."""
    size = len(vector(rows[0][1]))
    covariance = tuple(tuple(fmpq(variance if i == j else 0) for j in range(size)) for i in range(size))
    return gauss.Mixture(covariance, [({checker.ZERO: fmpq(w)}, vector(mean)) for w, mean in rows])


def bounds(p, q, epsilon, variance=1):
    """Return the bounds of delta, and the search that finds them."""
    search = Mixtures([{"x": mixture(p, variance)}, {"x": mixture(q, variance)}])
    return search.bounds(0, 1, Epsilon.of(epsilon)), search


def fraction(x):
    """Return a number of mpmath as it is."""
    mantissa, exponent = x.man_exp
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def truth(p, q, epsilon, variance=1):
    """Return delta by the zeros of the difference of densities, in 30 digits."""
    with mpmath.workdps(30):
        ratio, deviation = mpmath.exp(number(epsilon)), mpmath.sqrt(number(variance))
        rows = [(number(w), number(m)) for w, m in p] + [(-ratio * number(w), number(m)) for w, m in q]

        def excess(y):
            return mpmath.fsum(a * mpmath.npdf(y, m, deviation) for a, m in rows)

        def below(y):
            return mpmath.fsum(a * mpmath.ncdf((y - m) / deviation) for a, m in rows)

        means = [float(m) for _, m in rows]
        grid = list(mpmath.linspace(min(means) - 13 * deviation, max(means) + 13 * deviation, 601))
        signs = [excess(y) > 0 for y in grid]
        found = [pair for *pair, a, b in zip(grid, grid[1:], signs, signs[1:], strict=False) if a != b]
        ends = [grid[0], *(mpmath.findroot(excess, pair, solver="anderson") for pair in found), grid[-1]]
        return fraction(mpmath.fsum(below(b) - below(a) for a, b in pairwise(ends) if excess((a + b) / 2) > 0))


def number(x):
    x = Fraction(x)
    return mpmath.mpf(x.numerator) / x.denominator


def sampled(rate, mean=1):
    return [(1 - Fraction(rate), 0), (Fraction(rate), mean)]


def sampled_delta(rate, deviation, epsilon, *, removed):
    """Return the delta of a sampled Gaussian by its formula, in 60 digits.

    With the noise, the density with the person over that without is 1 - rate + rate e^((2y - 1)/(2 deviation^2)).
    """
    with mpmath.workdps(60):
        q, s, ratio = number(rate), number(deviation), mpmath.exp(number(epsilon))
        bound = ratio if removed else 1 / ratio
        if bound <= 1 - q:
            return mpmath.mpf(0)
        y = s**2 * mpmath.log((bound - 1 + q) / q) + mpmath.mpf(1) / 2
        if removed:
            with_one = (1 - q) * mpmath.ncdf(-y / s) + q * mpmath.ncdf((1 - y) / s)
            return with_one - ratio * mpmath.ncdf(-y / s)
        with_one = (1 - q) * mpmath.ncdf(y / s) + q * mpmath.ncdf((y - 1) / s)
        return mpmath.ncdf(y / s) - ratio * with_one


TABLE = [
    (rate, deviation, epsilon)
    for rate in ("1/1000", "1/100", "1/10", "1/2")
    for deviation in ("7/10", 1, 2, 5)
    for epsilon in ("1/100", "1/10", "1/2", 2)
]


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize(("rate", "deviation", "epsilon"), TABLE)
def test_a_sampled_gaussian_equals_its_formula_to_twenty_digits(rate, deviation, epsilon, removed):
    laws = sampled(rate), [(1, 0)]
    p, q = laws if removed else laws[::-1]
    (low, high), _ = bounds(p, q, epsilon, Fraction(deviation) ** 2)
    expected = fraction(sampled_delta(rate, deviation, epsilon, removed=removed))
    assert low - expected / 10**40 <= expected <= high + expected / 10**40
    assert high - low <= high / 10**20


def subsets(rows, rate=Fraction(1, 4)):
    """Return the law of the sum of a Poisson sample."""
    found = []
    for kept in product((0, 1), repeat=len(rows)):
        weight = Fraction(1)
        for each in kept:
            weight *= rate if each else 1 - rate
        found.append((weight, sum((row for row, each in zip(rows, kept, strict=True) if each), Fraction(0))))
    return found


def random_rows(seed, count):
    dice = random.Random(seed)
    weights = [Fraction(dice.randint(1, 9)) for _ in range(count)]
    return [(w / sum(weights), Fraction(dice.randint(-12, 12), 4)) for w in weights]


@pytest.mark.parametrize("seed", range(6))
def test_a_random_mixture_equals_its_integral(seed):
    p, q = random_rows(seed, 4), random_rows(seed + 100, 3)
    (low, high), _ = bounds(p, q, "1/3", Fraction(1, 4))
    expected = truth(p, q, "1/3", Fraction(1, 4))
    assert float(low) == pytest.approx(float(expected), rel=1e-13)
    assert high - low <= high / 10**20


def test_fewer_zeros_than_changes_of_sign_are_shown_by_balls():
    """Three changes of sign, and one zero: a small dent in the middle."""
    p, q = [(Fraction(1, 2), 0), (Fraction(1, 2), 2)], [(Fraction(9, 10), -1), (Fraction(1, 10), 1)]
    (low, high), search = bounds(p, q, "1/10")
    assert float(low) == pytest.approx(float(truth(p, q, "1/10")), rel=1e-13)
    assert high - low <= high / 10**20
    _, _, (cuts,) = search.proof(0, 1, Epsilon.of("1/10"))["x"]
    assert len(cuts) > 6


def test_a_step_of_four_rows_equals_its_integral():
    rows = [Fraction(1), Fraction(1, 2), Fraction(-3, 4), Fraction(-2, 3)]
    p, q = subsets(rows), subsets(rows[:-1])
    (low, high), _ = bounds(p, q, "1/10", 4)
    assert high - low <= high / 10**20
    assert float(low) == pytest.approx(float(truth(merged(p), merged(q), "1/10", 4)), rel=1e-12)


def merged(rows):
    found = {}
    for w, m in rows:
        found[m] = found.get(m, Fraction(0)) + w
    return [(w, m) for m, w in found.items()]


def test_means_that_floats_hardly_tell_apart_are_bounded():
    tiny = Fraction(1, 1 << 52)
    p, q = [(Fraction(1, 2), 0), (Fraction(1, 4), 1), (Fraction(1, 4), 1 + tiny)], [(Fraction(1), tiny)]
    (low, high), _ = bounds(p, q, "1/4")
    about = float(sampled_delta("1/2", 1, "1/4", removed=True))
    assert float(low) == pytest.approx(about, rel=1e-12)
    assert high - low <= high / 10**15


def test_collinear_means_are_those_of_one_dimension():
    p, q = sampled("1/3", (Fraction(3, 5), 0, Fraction(4, 5))), [(1, (0, 0, 0))]
    plain = [((1 - Fraction(1, 3)), (0, 0, 0)), *p[1:]]
    found, _ = bounds(plain, q, "1/5", 2)
    one, _ = bounds(sampled("1/3"), [(1, 0)], "1/5", 2)
    assert found[0] <= one[1]
    assert one[0] <= found[1]
    assert found[1] - found[0] <= found[1] / 10**20


def plane(rows, rate=Fraction(1, 4)):
    first, second = (subsets([row[i] for row in rows], rate) for i in (0, 1))
    return [(w, (x, y)) for (w, x), (_, y) in zip(first, second, strict=True)]


def test_off_a_line_the_truth_is_between():
    """By quadrature over the plane."""
    rows = [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (Fraction(3, 5), Fraction(4, 5))]
    p, q = plane(rows), plane(rows[:-1])
    (low, high), _ = bounds(p, q, "1/10")
    side = np.linspace(-9, 11, 1001)
    x, y = np.meshgrid(side, side)

    def density(law):
        parts = [float(w) * np.exp(-((x - float(a)) ** 2 + (y - float(b)) ** 2) / 2) for w, (a, b) in law]
        return sum(parts) / (2 * np.pi)

    excess = np.maximum(density(p) - np.exp(0.1) * density(q), 0).sum() * (side[1] - side[0]) ** 2
    assert float(low) < excess < float(high)
    one, _ = bounds(sampled("1/4"), [(1, 0)], "1/10")
    assert float(high) == pytest.approx(float(one[1]), rel=1e-12)


def test_roundings_of_means_are_counted():
    """Rows whose sums floats round: groups agree but for that, and the bound is the accountant's in 13 digits."""
    rows = [(0.1, 0.7), (0.3, -0.2), (0.6, 0.8)]
    p, q = added(rows), added(rows[:-1])
    (low, high), _ = bounds(p, q, "1/10")
    one, _ = bounds(sampled("1/4"), [(1, 0)], "1/10")
    assert float(high) == pytest.approx(float(one[1]), rel=1e-12)
    assert high > one[1]
    assert low < one[0]


def added(rows):
    """Return the law of the sum of a Poisson sample of rows, as floats add it."""
    found = []
    for kept in product((0, 1), repeat=len(rows)):
        weight = Fraction(1, 4) ** sum(kept) * Fraction(3, 4) ** (len(rows) - sum(kept))
        chosen = [row for row, each in zip(rows, kept, strict=True) if each]
        found.append((weight, tuple(sum(row[place] for row in chosen) for place in (0, 1))))
    return found


def test_caught_means_that_are_moved_far():
    """Without places, all leaves are one group: the bound from above counts how far they are moved."""
    p, q = [(1, (0, Fraction(2, 5)))], [(1, (0, Fraction(-2, 5)))]
    (low, _), _ = bounds(p, q, "1/10")
    laws = ({"x": mixture(rows)} for rows in (p, q))
    found = gauss.delta_bounds(*laws, (fmpq("1/10"), checker.ONE), {"x": [["1", "0"], 0, [[]]]})
    assert Fraction(str(found[1])) > low > 0


def checked(p, q, epsilon, proof):
    given = checker.number(str(Fraction(epsilon))), checker.ONE
    low, high = gauss.delta_bounds({"x": mixture(p)}, {"x": mixture(q)}, given, proof)
    return Fraction(str(low)), Fraction(str(high))


def as_texts(cuts):
    return [str(Fraction(cut)) for cut in cuts]


@pytest.mark.points(10)
@pytest.mark.parametrize("seed", range(40))
def test_no_cuts_show_what_is_false(seed):
    """Whatever the cuts, the truth is between the bounds."""
    dice = random.Random(seed)
    p, q = random_rows(seed % 8, 3), random_rows(seed % 8 + 50, 3)
    expected = truth(p, q, "1/5")
    (near, _), search = bounds(p, q, "1/5")
    assert float(near) == pytest.approx(float(expected), rel=1e-12)
    _, _, (found,) = search.proof(0, 1, Epsilon.of("1/5"))["x"]
    cuts = sorted(map(Fraction, found))
    few = sorted({Fraction(dice.randint(-600, 600), 100) for _ in range(dice.randint(0, 12))})
    moved = sorted({cut + Fraction(dice.randint(-1, 1), 1000) for cut in cuts})
    dropped = [cut for cut in cuts if dice.random() < 0.7]
    for each in (few, moved, dropped, []):
        low, high = checked(p, q, "1/5", {"x": [["1"], 30, [as_texts(each)]]})
        slack = expected / 10**20
        assert low <= expected + slack
        assert high >= expected - slack


@pytest.mark.parametrize(
    "proof",
    [
        {},
        {"x": [["1"], 30, [[]]], "y": [["1"], 30, [[]]]},
        {"x": [["0"], 30, [["0"]]]},
        {"x": [["1"], 30, [["1", "1"]]]},
        {"x": [["1"], 30, [["2", "1"]]]},
        {"x": [["1"], 30, [["0.5"]]]},
        {"x": [["1/0"], 30, [[]]]},
        {"x": [["1"], -1, [[]]]},
        {"x": [["1"], True, [[]]]},
    ],
)
def test_refused_a_proof_of_another_form(proof):
    with pytest.raises(checker.NotShown):
        checked(sampled("1/2"), [(1, 0)], "1/5", proof)


@pytest.mark.parametrize(
    "proof", [{"x": [["1", "1"], 30, [[]]]}, {"x": [["1"], 30, [[], []]]}, {"x": [[], 30, [[]]]}, {"x": []}]
)
def test_refused_a_proof_of_other_lengths(proof):
    with pytest.raises((checker.NotShown, ValueError)):
        checked(sampled("1/2"), [(1, 0)], "1/5", proof)


ROW = {0: checker.ONE}
NORMAL = {0: ("normal", checker.ONE, 0), 1: ("normal", checker.ONE, 0)}


@pytest.mark.parametrize(
    ("laws", "rows", "rounding", "words"),
    [
        ({**NORMAL, 0: ("laplace", checker.ONE, 0)}, (), None, "not normal"),
        ({**NORMAL, 0: ("normal", checker.ONE, 1)}, (), None, "not normal"),
        ({1: NORMAL[1]}, (), None, "not normal"),
        (NORMAL, (ROW,), None, "compared"),
        (NORMAL, ({0: checker.ONE, 1: -checker.ONE},), None, "compared"),
        (NORMAL, (), (checker.ONE, checker.ZERO), "rounded"),
        (NORMAL, ({1: checker.ONE},), None, "not integrated"),
    ],
)
def test_refused_leaves_that_are_no_normal_law(laws, rows, rounding, words):
    region = checker.Region((), laws, rows, "x", (checker.Part(ROW, rounding),), checker.ONE)
    with pytest.raises(checker.NotShown, match=words):
        gauss.mixtures([region], checker.Integrals(lambda _: (checker.ZERO, checker.ONE)))


def test_refused_two_covariances():
    halves = [
        checker.Region((), {0: ("normal", fmpq(rate), 0)}, (), "x", (checker.Part(ROW, None),), fmpq("1/2"))
        for rate in (1, 2)
    ]
    with pytest.raises(checker.NotShown, match="two covariances"):
        gauss.mixtures(halves, checker.Integrals(lambda _: (checker.ZERO, checker.ONE)))
    laws = {"x": mixture([(1, 1)])}, {"x": mixture([(1, 0)], 2)}
    with pytest.raises(checker.NotShown, match="two covariances"):
        gauss.delta_bounds(*laws, (checker.ZERO, checker.ONE), {"x": [["1"], 30, [[]]]})


def test_refused_weights_that_do_not_sum_to_1():
    region = checker.Region((), {0: ("normal", checker.ONE, 0)}, (), "x", (), fmpq("1/2"))
    with pytest.raises(checker.NotShown, match="sum to 1"):
        gauss.mixtures([region], checker.Integrals(lambda _: (checker.ZERO, checker.ONE)))


def test_the_checker_imports_the_standard_library_flint_and_the_other_checker_and_never_asserts():
    tree = ast.parse(Path(gauss.__file__).read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    known = {"__future__", "collections", "collections.abc", "dataclasses", "flint", "itertools", "typing"}
    assert names == {*known, checker.__name__, checker.__name__.rpartition(".")[0]}
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))


FOUR = [1, -1, -1, 1]
STEPS = [FOUR, FOUR[:-1]]
ACCOUNTED = sampled_delta("1/8", 2, "1/10", removed=True)
"""Of four rows that all weigh, less than that of the one that the accountant thinks of, whose other rows are zeros."""


def step(rows, rng, *, rate=0.125, deviation=2, bound=1, more=0):
    total = 0
    for row in rows:
        if rng.random() < rate:
            total += max(-bound, min(bound, row)) + more
    return total + rng.normal(0, deviation)


def near_zeros(**edited):
    """Return the verdict at the accountant's delta to ten digits, on one row beside two zeros."""
    rows = [[0, 0, 1], [0, 0]]
    delta = Fraction(f"{mpmath.nstr(ACCOUNTED, 10)}") + Fraction(1, 10**12)

    def program(data, rng):
        return step(data, rng, **edited)

    return decided(program, rows, "1/10", delta, neighbours="add-remove")


def test_a_step_meets_its_accountants_delta_to_ten_digits():
    report = near_zeros()
    assert report.verdict == "verified"
    assert float(report.delta[0]) == pytest.approx(float(ACCOUNTED), rel=1e-12)
    assert report.method == "normal release"


@pytest.mark.parametrize(
    "edited", [{"rate": 0.12500001}, {"bound": 2, "more": 1}, {"more": 1e-6}, {"deviation": 1.9999999}]
)
def test_caught_a_step_that_is_wrong(edited):
    assert near_zeros(**edited).verdict == "refuted"


def test_caught_a_delta_of_one_digit_less():
    found = decided(step, [[1], []], "1/10", "0.0076", neighbours="add-remove")
    exact = fraction(ACCOUNTED)
    assert found.delta[0] < exact < found.delta[1]
    for digits in (6, 12, 16):
        unit = Fraction(1, 10**digits)
        up = (exact // unit + 1) * unit
        assert decided(step, [[1], []], "1/10", up, neighbours="add-remove").verdict == "verified"
        assert decided(step, [[1], []], "1/10", up - unit, neighbours="add-remove").verdict == "refuted"


def test_a_refutation_has_an_event():
    found = decided(step, STEPS, "1/10", "1/1000", neighbours="add-remove")
    assert found.verdict == "refuted"
    ratio = Epsilon.of("1/10").exp_bounds(64)[1]
    assert found.worst.p[0] > ratio * found.worst.q[1] + Fraction(1, 1000)


def test_the_least_epsilon_is_bounded_from_both_sides():
    found = decided(step, STEPS, "1/10", "1/1000", neighbours="add-remove")
    low, high = found.epsilon
    assert 0 < high.rational - low.rational < Fraction(1, 10**8)
    for epsilon, verdict in ((low, "refuted"), (high, "verified")):
        again = decided(step, STEPS, epsilon.rational, "1/1000", neighbours="add-remove")
        assert again.verdict == verdict


def tagged(count, rng):
    """Say nothing of a count with the probability 1/2, and tell it exactly with 1/64."""
    u = rng.random()
    if u < 0.5:
        return None
    if u < 0.515625:
        return ("plain", count)
    return ("noisy", count + rng.normal(0, 2))


def test_tags_and_outcomes_without_noise_are_added():
    found = decided(tagged, [0, 1], "1/4", "1/2", neighbours="counts_differ_by_one")
    expected = mpmath.mpf(1) / 64 + mpmath.mpf(31) / 64 * sampled_delta(1, 2, "1/4", removed=True)
    assert [float(end) for end in found.delta] == pytest.approx([float(expected)] * 2, rel=1e-12)


def test_forms_of_several_variables_are_told_by_their_covariance():
    """Two numbers that share noise: their difference has the noise of one variable, their sum that of three."""

    def program(count, rng):
        shared, own, other = rng.normal(0, 3), rng.normal(), rng.normal(0, 2)
        return [count + shared + own, count + shared + other]

    found = decided(program, [0, 1], "1/4", "1/2", neighbours="counts_differ_by_one")
    a, b, c = Fraction(10), Fraction(9), Fraction(13)
    squared = (c - 2 * b + a) / (a * c - b * b)
    expected = sampled_delta(1, mpmath_root(1 / squared), "1/4", removed=True)
    assert [float(end) for end in found.delta] == pytest.approx([float(expected)] * 2, rel=1e-12)


def mpmath_root(x):
    with mpmath.workdps(60):
        return fraction(mpmath.sqrt(number(x)))


def compared(count, rng):
    noisy = count + rng.normal()
    return bool(noisy > 0), noisy


def sampled_by_noise(count, rng):
    return count + rng.normal() if rng.normal() > 0 else None


def test_a_weight_that_is_no_rational_number_is_the_float_that_it_is():
    def program(count, rng):
        return (count if rng.random() < 1 / (1 + math.exp(1)) else 0) + rng.normal()

    expected = sampled_delta(Fraction(1 / (1 + math.exp(1))), 1, "1/4", removed=True)
    assert [float(end) for end in counts(program).delta] == pytest.approx([float(expected)] * 2, rel=1e-12)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (compared, "released noise that is compared"),
        (lambda count, rng: count + rng.normal(0, 1 if rng.random() < 0.5 else 2), "released noise of two covariances"),
        (lambda count, rng: count + rng.normal() + rng.laplace(), "released noise that is not normal"),
        (sampled_by_noise, "a leaf whose probability is not integrated"),
    ],
)
def test_undecided_by_name_what_is_no_mixture_of_one_covariance(program, words):
    found = decided(program, [0, 1], "1/4", "1/3", neighbours="counts_differ_by_one")
    assert (found.verdict, found.reason.split(";")[0]) == ("undecided", words)


def counts(program, epsilon="1/4", delta="1/3"):
    return decided(program, [0, 1], epsilon, delta, neighbours="counts_differ_by_one")


def test_caught_a_leak_that_is_seldom():
    def program(count, rng):
        return ("leak", count) if rng.random() < 1e-13 else ("noise", rng.normal())

    assert counts(program, delta="1e-14").verdict == "refuted"
    assert counts(program, delta="2e-13").verdict == "verified"


def test_caught_noise_that_is_released_beside_a_number_with_it():
    def program(count, rng):
        noise = rng.normal()
        return count + noise, noise

    assert counts(program, delta="1/2").verdict == "refuted"


@pytest.mark.parametrize("told", [lambda count: True if count else 1, lambda count: float(count > 5) if count else 0])
def test_caught_a_type_that_tells(told):
    assert counts(lambda count, rng: (count + rng.normal(), told(count))).verdict == "refuted"


def test_tags_by_other_noise_are_weighed():
    """The release itself and the tag are independent, given the count."""

    def program(count, rng):
        return bool(count + rng.laplace() > 0), count + rng.normal(0, 3)

    p, q = [mpmath.mpf(1) / 2] * 2, [1 - mpmath.exp(-1) / 2, mpmath.exp(-1) / 2]
    with mpmath.workdps(30):
        ratio = mpmath.exp(mpmath.mpf(1) / 4)

        def part(first, other):
            """Return the integral of the positive part of first N(0 or 1) - ratio other N(1 or 0)."""
            cut = 9 * mpmath.log(ratio * other / first) + mpmath.mpf(1) / 2
            return first * mpmath.ncdf((1 - cut) / 3) - ratio * other * mpmath.ncdf(-cut / 3)

        both = [part(a, b) + part(c, d) for (a, c), (b, d) in ((q, p), (p, q))]
    found = counts(program)
    assert [float(end) for end in found.delta] == pytest.approx([float(max(both))] * 2, rel=1e-12)


@pytest.mark.parametrize(("distance", "epsilon", "delta"), [(10**6, 1, "999/1000"), (30, 300, "1/1000")])
def test_numbers_that_floats_do_not_hold_are_decided(distance, epsilon, delta):
    assert counts(lambda count, rng: count * distance + rng.normal(), epsilon, delta).verdict == "refuted"
