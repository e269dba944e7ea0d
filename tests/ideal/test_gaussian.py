"""Gaussian mixtures at a delta: bounds against quadrature and closed forms, wrong proofs."""

import ast
import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dpcert.audit.ideal.certificates import checker, gauss
from dpcert.mechanisms.exact.epsilon import Epsilon

from .gaussians import bounds, fmpq, fraction, mixture, sampled, sampled_delta, truth

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
