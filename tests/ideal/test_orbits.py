"""Pairs up to what is interchangeable: the same verdicts and least epsilon as of all pairs, one by one."""

from fractions import Fraction

import pytest
from ideal import dipc

from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.orbits import Orbits, interchangeable
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.claim import Claim, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.meant import OPEN, Open

from .claims import vectors

STEPS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if abs(a - b) <= 1]


@pytest.mark.parametrize("name", ["svt1", "svt2", "svt3_binary", "svt4", "svt6", "nmax1", "nmax2"])
@pytest.mark.parametrize("n", [2, 3])
def test_verdicts_are_those_of_all_pairs(name, n):
    program = getattr(dipc, name)
    claim = Claim(name, (), tuple(vectors(n)), RELATIONS["linf"], PureDP(1))
    expected = decide_ideal(claim, program, epsilon=Fraction(1))
    found = Orbits(program, n, STEPS).at(Fraction(1))
    assert found.verdict == expected.verdict
    low, high = (end.exp_bounds(64) for end in found.least)
    other_low, other_high = (end.exp_bounds(64) for end in expected.epsilon)
    assert low[0] <= other_high[1]
    assert other_low[0] <= high[1]
    assert high[1] - low[0] < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("name", "n", "verdict"), [("svt1", 4, "verified"), ("nmax1", 4, "verified"), ("svt4", 3, "refuted")]
)
def test_verdicts_for_every_epsilon(name, n, verdict):
    assert Orbits(getattr(dipc, name), n, STEPS).every().verdict == verdict


def test_a_release_without_noise_on_queries_is_refuted_by_what_never_happens():
    found = Orbits(dipc.svt5, 2, STEPS).at(Fraction(1))
    assert (found.verdict, found.least[1]) == ("refuted", None)


def classes(program, n):
    (paths,) = laws_of(program, [Open([0.0] * n)], epsilon=OPEN)
    return sorted(interchangeable([path]) for path in paths)


def test_entries_before_the_first_answer_are_interchangeable():
    assert [[0, 1, 2]] in classes(dipc.svt1, 3)
    assert [[0, 1], [2]] in classes(dipc.svt1, 3)


def test_entries_with_other_noise_or_weights_are_not():
    def other_noise(queries, rng, epsilon):
        return [query + rng.laplace(0, (1 + i) / epsilon) > 0 for i, query in enumerate(queries)]

    def other_weight(queries, rng, epsilon):
        return queries[0] + 2 * queries[1] + rng.laplace(0, 3 / epsilon) > 0

    assert all(found == [[0], [1]] for found in classes(other_noise, 2))
    assert all(found == [[0], [1]] for found in classes(other_weight, 2))

    def of_a_sum(queries, rng, epsilon):
        return queries[0] + queries[1] + rng.laplace(0, 2 / epsilon) > 0

    assert all(found == [[0, 1]] for found in classes(of_a_sum, 2))


def test_refused_released_noise():
    with pytest.raises(Unauditable, match="releases a real number"):
        Orbits(lambda queries, rng, epsilon: queries[0] + rng.laplace(0, 1 / epsilon), 1, STEPS)
