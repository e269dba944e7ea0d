"""Corners decided twice, by the audit and by the check of certificates: on random laws both find the same."""

import random
from fractions import Fraction

import pytest

from dpcert.audit.ideal.certificates import checker, corners, signs
from dpcert.audit.ideal.corners import by_corners, failing
from dpcert.audit.ideal.every import Range
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.mechanisms.ideal.path import Inequality, Path

from .test_checker import fmpq, no_quadrature

EPSILONS = [Fraction(n, 4) for n in range(9)]


def law(rng, kind, power):
    """Return the paths of a random mixture in the plane, beside tags, some of them cut at a random place."""
    scales = Fraction(1), Fraction(2)
    paths = []
    left = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    for weight in left:
        rates = [Rate(1 / scale, power) if kind != "uniform" else Rate(Fraction(1)) for scale in scales]
        laws = tuple(Law(kind, rate) for rate in rates)
        parts = tuple(
            Noisy(((name, Fraction(2 if kind == "uniform" else 1)),), Fraction(rng.randint(0, 2))) for name in range(2)
        )
        chance, tag = Fraction(weight, sum(left)), rng.choice("ab")
        if rng.random() < 0.5:
            paths.append(Path(laws, (), chance, (tag, *parts)))
            continue
        end = Fraction(rng.randint(1, 3), 2 if kind == "uniform" else 1)
        for above, outcome in ((True, (tag, *parts)), (False, (tag, "below", parts[1]))):
            paths.append(Path(laws, (Inequality(((0, 1),), end, above),), chance, outcome))
    return paths


def tree(paths):
    """Return paths as the leaves of a checked tree."""
    leaves = {}
    for place, path in enumerate(paths):
        laws = {n: (each.kind, fmpq(each.rate.factor), each.rate.power) for n, each in enumerate(path.laws)}
        rows = []
        for item in path.inequalities:
            form, offset = item.inward()
            rows.append({**{n: fmpq(c) for n, c in form.items()}, **({checker.UNIT: fmpq(offset)} if offset else {})})
        noisy = [part for part in path.outcome if isinstance(part, Noisy)]
        parts = tuple(
            checker.Part(
                {**{n: fmpq(c) for n, c in part.terms}, **({checker.UNIT: fmpq(part.offset)} if part.offset else {})},
                None,
            )
            for part in noisy
        )
        name = repr([part for part in path.outcome if isinstance(part, str)])
        leaves[place] = checker.Region((place,), laws, tuple(rows), name, parts, fmpq(path.weight))
    return checker.Tree(leaves, True)


def shown(laws, epsilon, scope):
    """Whether the check shows that two laws are within a claim, in both directions."""
    found = corners.Corners(
        [tree(row) for row in laws], {fmpq(epsilon): fmpq(1)}, scope, checker.Integrals(no_quadrature)
    )
    try:
        found.need_within(0, 1)
        found.need_within(1, 0)
    except checker.NotShown:
        return False
    return True


@pytest.mark.parametrize("kind", ["laplace", "exponential", "uniform"])
def test_both_find_the_same_at_one_epsilon(kind):
    verified = 0
    for seed in range(7):
        rng = random.Random(seed)
        laws = [law(rng, kind, 0) for _ in range(2)] if seed % 3 else [law(random.Random(seed), kind, 0)] * 2
        for epsilon in EPSILONS[::2]:
            claim = Claim("program", (), (0, 1), RELATIONS["any"], ApproxDP(epsilon, 0))
            verdict = by_corners(claim, laws, [(0, 1), (1, 0)], Fraction(1)).verdict
            assert shown(laws, epsilon, signs.Scope()) is (verdict == "verified")
            verified += verdict == "verified"
    assert 0 < verified < 7 * len(EPSILONS[::2])


@pytest.mark.parametrize(("low", "high"), [(0, None), (0, 1), ("1/2", 3)])
def test_both_find_the_same_for_every_epsilon(low, high):
    within = Range(Fraction(low), None if high is None else Fraction(high))
    scope = signs.Scope(True, fmpq(low), None if high is None else fmpq(high))
    verified = 0
    for seed in range(10):
        rng = random.Random(seed)
        laws = [law(rng, "laplace", 1) for _ in range(2)] if seed % 3 else [law(random.Random(seed), "laplace", 1)] * 2
        for factor in EPSILONS[::2]:
            holds = not list(failing(laws, [(0, 1), (1, 0)], factor, within))
            assert shown(laws, factor, scope) is holds
            verified += holds
    assert 0 < verified < 10 * len(EPSILONS[::2])
