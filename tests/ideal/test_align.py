"""Alignments: CheckDP's private programs for all real inputs and every epsilon, certificates that are edited, and
releases of real numbers at the claim's own inputs."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ideal import checkdp

from dpcert.audit.ideal.align import align, check_alignment, corners
from dpcert.audit.ideal.explore import OPEN, Open, laws_of
from dpcert.audit.ideal.linear import inside, maximize, possible
from dpcert.audit.ideal.merge import regions_of
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable

from .claims import decided, vectors


def opened(name, n, **settings):
    (paths,) = laws_of(partial(getattr(checkdp, name), **settings), [Open([0.0] * n)], epsilon=OPEN)
    return paths


def bound(name, n, relation, **settings):
    found = align(opened(name, n, **settings), corners(relation, n))
    return None if found is None else found.bound


PRIVATE = [
    ("sparsevector", 3, "linf", {}),
    ("sparsevector", 3, "linf", {"stop": 2}),
    ("svt_monotone", 3, "increasing", {"stop": 2}),
    ("svt_monotone", 3, "decreasing", {"stop": 2}),
    ("numsparsevector", 3, "linf", {}),
    ("gapsparsevector", 3, "linf", {}),
    ("adaptivesparsevector", 2, "linf", {}),
    ("noisymax", 4, "linf", {}),
    ("partialsum", 3, "l1", {}),
]


@pytest.mark.parametrize(("name", "n", "relation", "settings"), PRIVATE)
def test_private_programs_are_aligned(name, n, relation, settings):
    assert bound(name, n, relation, **settings) <= 1


def test_smart_sum_is_aligned_at_2_epsilon():
    assert bound("smartsum", 4, "l1", block=2) == 2


@pytest.mark.parametrize(
    ("name", "n", "relation"),
    [
        ("badsparsevector1", 2, "linf"),
        ("badsparsevector2", 3, "linf"),
        ("badsparsevector3", 2, "linf"),
        ("badgap", 5, "linf"),
        ("badnoisymax", 3, "linf"),
        ("badpartialsum", 2, "l1"),
        ("badsmartsum", 2, "l1"),
    ],
)
def test_caught_wrong_programs_have_no_alignment_at_epsilon(name, n, relation):
    found = bound(name, n, relation)
    assert found is None or found > 1


def test_a_noisy_maximum_has_one_region_for_each_index():
    paths = opened("noisymax", 4)
    assert len(paths) == 8
    regions = regions_of(paths)
    assert sorted(region.outcome for region in regions) == [0, 1, 2, 3]
    assert all(len(region.inequalities) == 3 for region in regions)


def test_paths_of_one_outcome_that_fill_no_region_stay_apart():
    def program(queries, rng, epsilon):
        noisy = queries[0] + rng.laplace(0, 1 / epsilon)
        return noisy < 0 or noisy > 1

    (paths,) = laws_of(program, [Open([0.0])], epsilon=OPEN)
    assert sorted(len(region.inequalities) for region in regions_of(paths)) == [1, 2, 2]


@pytest.mark.parametrize("edit", ["shift", "cost", "move"])
def test_caught_edited_alignments(edit):
    found = align(opened("noisymax", 2), corners("linf", 2))
    alignment = max(found.alignments, key=lambda a: a.cost)
    region = found.regions[alignment.region]
    check_alignment(region, alignment)
    edits = {
        "shift": {"shift": tuple((name, -s) for name, s in alignment.shift)},
        "cost": {"cost": alignment.cost / 2},
        "move": {"move": tuple((name, 2 * d) for name, d in alignment.move)},
    }
    with pytest.raises(ArithmeticError):
        check_alignment(region, replace(alignment, **edits[edit]))


def test_refused_noise_without_a_bound():
    def program(queries, rng, epsilon):
        return queries[0] + rng.normal(0, 1 / epsilon)

    (paths,) = laws_of(program, [Open([0.0])], epsilon=OPEN)
    with pytest.raises(Unauditable, match="normal noise is not aligned"):
        align(paths, corners("l1", 1))


def test_exponential_noise_is_moved_one_way():
    def program(queries, rng, epsilon):
        return int(np.argmax(np.array(queries) + rng.exponential(2 / epsilon, size=2)))

    (paths,) = laws_of(program, [Open([0.0, 0.0])], epsilon=OPEN)
    assert align(paths, corners("linf", 2)).bound == 1

    def released(queries, rng, epsilon):
        return queries[0] + rng.exponential(1 / epsilon)

    (paths,) = laws_of(released, [Open([0.0])], epsilon=OPEN)
    assert align(paths, corners("l1", 1)) is None


def test_a_linear_program_has_its_optimum():
    rows = [({0: 1, 1: 1}, 4), ({0: 1, 1: 3}, 6), ({0: -1}, 0), ({1: -1}, 0)]
    found = maximize({0: 3, 1: 5}, rows)
    assert found.value == 14
    assert found.point == {0: 3, 1: 1}
    assert maximize({0: 1}, [({0: 1}, -1), ({0: -1}, -1)]) is None


COUNTS = range(4)


def released(scale):
    return lambda count, rng: count + rng.laplace(0, scale)


def test_a_released_count_needs_exactly_its_epsilon():
    found = decided(released(1), COUNTS, 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.method) == ("verified", "alignment")
    assert found.epsilon == (Epsilon.of(1), Epsilon.of(1))


def test_caught_half_of_the_noise_on_a_released_count():
    found = decided(released(Fraction(1, 2)), COUNTS, 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon) == ("refuted", (Epsilon.of(2), Epsilon.of(2)))


def test_caught_a_released_maximum():
    def program(queries, rng):
        return max(query + rng.laplace(0, 1) for query in queries)

    found = decided(program, vectors(2, (0, 1)), 1)
    assert (found.verdict, found.epsilon[0]) == ("refuted", Epsilon.of(2))


def test_caught_a_scale_that_depends_on_the_data():
    def program(queries, rng):
        return queries[0] + rng.laplace(0, 1 + queries[1])

    assert decided(program, vectors(2, (0, 1)), 1).verdict == "refuted"


def test_a_gap_is_private_and_the_noisy_query_is_not():
    def program(queries, rng, of_the_gap):
        threshold = rng.laplace(0, 2)
        for query in queries:
            noisy = query + rng.laplace(0, 4)
            if noisy >= threshold:
                return noisy - threshold if of_the_gap else noisy
        return None

    inputs = list(product((0, 1), repeat=5))
    pair = [(0,) * 5, (1,) * 4 + (0,), (1,) * 5]
    assert decided(partial(program, of_the_gap=True), pair, 1).verdict == "verified"
    assert len(inputs) == 32


def leaks(count, rng):
    noisy = count + rng.laplace()
    return -1 if isinstance(count, int) and noisy > 60 and count == 3 else noisy


def types(count, rng):
    return count + rng.laplace() if isinstance(count, int) else 0


def looks(count, rng):
    return max(count, 1) + rng.laplace()


@pytest.mark.parametrize(
    ("program", "verdict", "words"),
    [
        (leaks, "refuted", None),
        (types, "undecided", "treats the numbers of its input not as real numbers"),
        (looks, "undecided", "a comparison of open inputs without noise"),
    ],
)
def test_caught_programs_that_treat_numbers_not_as_reals(program, verdict, words):
    found = decided(program, COUNTS, 1, neighbours="counts_differ_by_one")
    assert found.verdict == verdict
    assert words is None or words in found.reason


def test_an_approximate_claim_about_a_release_is_refuted_by_an_interval():
    assert decided(released(Fraction(1, 2)), COUNTS, 1, "1/100", neighbours="counts_differ_by_one").verdict == "refuted"
    assert decided(released(1), COUNTS, 1, "1/100", neighbours="counts_differ_by_one").verdict == "verified"


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-2, 2), st.booleans()), min_size=1, max_size=7)
)
def test_differences_are_possible_where_a_linear_program_finds_a_point(rows):
    forms = []
    for i, j, b, alone in rows:
        forms.append(({i: 1} if alone or i == j else {i: 1, j: -1}, Fraction(b, 2)))
        if b == 2:
            forms.append(({i: -1}, 1))
    assert possible(forms) is (inside(forms) is not None)
