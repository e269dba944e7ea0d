"""Alignments: CheckDP's private programs for all real inputs and every epsilon, certificates that are edited, and
releases of real numbers at the claim's own inputs."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ideal import checkdp

from dpcert import Epsilon, Unauditable
from dpcert.audit.ideal.align import align, corners
from dpcert.audit.ideal.alignment import Alignment, Region, Step, aligned_part, check_alignments, renamed
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.merge import open_steps, regions_of
from dpcert.mechanisms.ideal.linear import inside, maximize, possible
from dpcert.mechanisms.ideal.meant import OPEN, Open
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parts import Noisy, Rounded
from dpcert.mechanisms.ideal.path import Derived, Inequality, Path

from .claims import counted, decided, vectors


def opened(name, n, **settings):
    (paths,) = laws_of(partial(getattr(checkdp, name), **settings), [Open([0.0] * n)], epsilon=OPEN)
    return paths


def bound(name, n, relation, **settings):
    found = aligned(opened(name, n, **settings), corners(relation, n))
    return None if found is None else found.bound


LAPLACE = Law("laplace", Rate(Fraction(1)))


def aligned(paths, moves):
    """Return what the alignments for all moves show; None where some region has none."""
    steps = open_steps(paths, moves)
    found = align(steps)
    return None if found is None else check_alignments(steps, found)


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


@pytest.mark.parametrize(("derived", "regions"), [((), 1), ((Derived(1, 2),), 2)])
def test_paths_whose_noise_makes_no_one_space_stay_apart(derived, regions):
    above, below = (
        Path((LAPLACE,) * 3, (Inequality(((0, 1),), 0, side),), Fraction(1), None) for side in (True, False)
    )
    assert len(regions_of([above, replace(below, derived=derived)])) == regions


@pytest.fixture(scope="module")
def maximum():
    steps = open_steps(opened("noisymax", 2), corners("linf", 2))
    return steps, list(align(steps))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda each: replace(each, shift=((7, Fraction(1)),)), "what is less likely"),
        (lambda each: replace(each, shift=((-1, Fraction(1)),)), "noise of different laws"),
        (lambda each: replace(each, target=1 - each.target), "two regions|another outcome"),
        (lambda each: replace(each, target=2), "to no region"),
        (lambda each: replace(each, step=99), "of no region"),
    ],
)
def test_caught_edited_alignments(maximum, edit, words):
    steps, alignments = maximum
    checked = check_alignments(steps, alignments)
    assert (checked.bound, checked.power, any(checked.left)) == (1, 1, False)
    place = max(range(len(alignments)), key=lambda i: len(alignments[i].shift))
    edited = [*alignments[:place], edit(alignments[place]), *alignments[place + 1 :]]
    with pytest.raises(ArithmeticError, match=words):
        check_alignments(steps, edited)


def test_caught_an_alignment_that_is_missing_or_leaves_its_region(maximum):
    steps, alignments = maximum
    assert check_alignments(steps, alignments[1:]).left[0] == ((steps[0].sources[alignments[0].source], None),)
    place = max(range(len(alignments)), key=lambda i: len(alignments[i].shift))
    for edited in (tuple((name, -s) for name, s in alignments[place].shift), ()):
        changed = [*alignments[:place], replace(alignments[place], shift=edited), *alignments[place + 1 :]]
        ((source, part),) = check_alignments(steps, changed).left[alignments[place].step]
        assert len(part.inequalities) > len(source.inequalities)


def region(*items, outcome=None, laws=(LAPLACE,), weight=1):
    return Region(laws, tuple(Inequality(((0, 1),), t, above) for t, above in items), outcome, Fraction(weight))


def released_at(offset):
    return Noisy(((0, Fraction(1)),), Fraction(offset))


@pytest.mark.parametrize(
    ("source", "target", "shift", "cost"),
    [
        (region((1, True)), region((0, True)), 0, 0),
        (region((1, True), (2, False)), region((3, True), (4, False)), 2, 2),
        (region(outcome=released_at(0)), region(outcome=released_at(1)), -1, 1),
        (region(weight=Fraction(1, 3)), region(weight=Fraction(1, 2)), 0, 0),
        (region(laws=(Law("uniform"),)), region((2, False), laws=(Law("uniform"),)), 0, 0),
    ],
)
def test_a_shift_costs_its_size_in_scales(source, target, shift, cost):
    assert aligned_part(source, target, {0: Fraction(shift)} if shift else {}) == (cost, source)


@pytest.mark.parametrize(
    ("source", "target", "shift"),
    [
        (region(outcome=released_at(0)), region(outcome=released_at(1)), 1),
        (region(outcome=released_at(0)), region(outcome=Rounded(((0, Fraction(1)),), *map(Fraction, (1, 1, 0)))), -1),
        (region(outcome=1), region(outcome=2), 0),
        (region(outcome=None), region(outcome=released_at(0)), 0),
        (region(weight=Fraction(1, 2)), region(weight=Fraction(1, 3)), 0),
        (region((1, True)), region((1, True), laws=(Law("laplace", Rate(Fraction(2))),)), 0),
        (region((1, True), laws=(Law("exponential"),)), region((0, True), laws=(Law("exponential"),)), -1),
        (region((1, True), laws=(Law("normal"),)), region((2, True), laws=(Law("normal"),)), 1),
    ],
)
def test_caught_a_shift_to_another_outcome(source, target, shift):
    with pytest.raises(ArithmeticError):
        aligned_part(source, target, {0: Fraction(shift)} if shift else {})


@pytest.mark.parametrize(
    ("source", "target", "shift", "part"),
    [
        (region((0, True)), region((1, True)), 0, region((0, True), (1, True))),
        (region(), region((1, True)), 5, region((-4, True))),
        (region(laws=()), region((2, True)), 0, region((2, True))),
    ],
)
def test_caught_a_shift_out_of_a_region(source, target, shift, part):
    assert aligned_part(source, target, {0: Fraction(shift)} if shift else {}) == (shift, part)


def test_a_target_has_other_names_for_its_noise():
    source = region((1, True), outcome=released_at(0))
    target = Region((LAPLACE, LAPLACE), (Inequality(((1, 1),), 2, True),), Noisy(((1, Fraction(1)),), Fraction(1)))
    (found,) = align([Step((source,), (target,))], lambda cost: True)
    assert (found.names, found.shift) == (((1, 0),), ((0, Fraction(-1)),))
    with pytest.raises(ArithmeticError, match="two variables of one name"):
        renamed(replace(target, outcome=[target.outcome, released_at(0)]), {1: 0}, source.laws)


def test_caught_two_regions_taken_into_one():
    """Of two regions of one outcome, both taken into the one that is half as likely, the bound would be 0."""
    halves = region((0, True), outcome=released_at(0)), region((0, False), outcome=released_at(0))
    step = Step(halves, (region(outcome=released_at(0)),))
    with pytest.raises(ArithmeticError, match="two regions are taken into the same one"):
        check_alignments([step], [Alignment(0, 0, 0, ()), Alignment(0, 1, 0, ())])
    assert align([step]) is None


def test_refused_noise_without_a_bound():
    def program(queries, rng, epsilon):
        return queries[0] + rng.normal(0, 1 / epsilon)

    (paths,) = laws_of(program, [Open([0.0])], epsilon=OPEN)
    with pytest.raises(Unauditable, match="normal noise is not aligned"):
        aligned(paths, corners("l1", 1))


def test_exponential_noise_is_moved_one_way():
    def program(queries, rng, epsilon):
        return int(np.argmax(np.array(queries) + rng.exponential(2 / epsilon, size=2)))

    (paths,) = laws_of(program, [Open([0.0, 0.0])], epsilon=OPEN)
    assert aligned(paths, corners("linf", 2)).bound == 1

    def released(queries, rng, epsilon):
        return queries[0] + rng.exponential(1 / epsilon)

    (paths,) = laws_of(released, [Open([0.0])], epsilon=OPEN)
    assert aligned(paths, corners("l1", 1)) is None


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

    pair = [(0,) * 5, (1,) * 4 + (0,), (1,) * 5]
    assert decided(partial(program, of_the_gap=True), pair, 1).verdict == "verified"


def leaks(count, rng):
    noisy = count + rng.laplace()
    return -1 if isinstance(count, int) and noisy > 60 and count == 3 else noisy


@pytest.mark.parametrize(
    ("program", "verdict", "method", "most"),
    [
        (leaks, "refuted", "intervals", None),
        (lambda count, rng: count + rng.laplace() if isinstance(count, int) else 0, "verified", "pairs", 1),
        (lambda count, rng: max(count, 1) + rng.laplace(), "verified", "pairs", 1),
        (lambda count, rng: [0, 2, 3, 3][count] + rng.laplace(), "refuted", "intervals", 2),
    ],
)
def test_programs_that_treat_numbers_not_as_reals_are_aligned_at_the_claims_inputs(program, verdict, method, most):
    found = decided(program, COUNTS, 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.method) == (verdict, method)
    assert found.epsilon[1] == (None if most is None else Epsilon.of(most))
    assert not any("inputs that differ so" in note for note in found.notes)


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


def test_nothing_is_said_of_all_inputs_where_one_is_told_by_its_value():
    """An input of 1/2 shows itself, though no input of the claim does."""

    def at_a_half(count, rng):
        return count == 0.5, count + rng.laplace()

    report = counted(at_a_half, 1, counts=range(2))
    assert (report.verdict, report.method, report.notes) == ("verified", "pairs", ())
