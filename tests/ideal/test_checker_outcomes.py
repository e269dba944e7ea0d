"""The checker's probabilities, and what they show of pairs of inputs; each thing that it asks for is needed."""

import ast
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from dpcert.audit.ideal.certificates import checker
from dpcert.audit.ideal.compare import at
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.measure import Measure, Units

from .programs import noisy_max, order, sparse_vector
from .test_checker import ERRORS, Unasked, fmpq, no_quadrature


def fraction(x):
    return Fraction(int(x.p), int(x.q))


def between(count, rng):
    noisy = count + rng.exponential(2) - 2 * rng.laplace() + rng.random()
    return 0 < noisy < 3, bool(rng.random() < 0.3 and noisy > 1)


@pytest.mark.parametrize(
    ("program", "inputs"),
    [
        (sparse_vector, list(product((0, 1), repeat=2))),
        (noisy_max, [(0, 0, 1), (0, -1, 1)]),
        (order, [(0, 1, 2), (0, 0, 1)]),
        (between, [0, 1]),
    ],
)
def test_probabilities_equal_those_by_elimination(program, inputs):
    """Two ways to integrate: cell by cell, and by messages along the tree of the constraints. Sums are the same."""
    paths = [path for row in laws_of(program, inputs) for path in row]
    units = Units.of(paths)
    measure, integrals = Measure(units), checker.Integrals(no_quadrature)
    for path in paths:
        found = {fraction(s): fraction(c) for s, c in integrals.probability(leaf(path)).items()}
        assert found == at(measure.probability(path), units.h(Fraction(1)))


def leaf(path):
    """Return the region of one path, without its tree."""
    laws = {n: (law.kind, fmpq(law.rate.factor), law.rate.power) for n, law in enumerate(path.laws)}
    rows = []
    for item in path.inequalities:
        form, offset = item.inward()
        row = {n: fmpq(c) for n, c in form.items()}
        rows.append({**row, checker.UNIT: fmpq(offset)} if offset else row)
    return checker.Region((0,), laws, tuple(rows), "", (), fmpq(path.weight))


E_ROUNDED = "271828182845904523536028747135266249775724709369995/1" + "0" * 50
"""The number e, to 50 decimals, rounded down."""


@pytest.mark.parametrize(
    ("terms", "sign"),
    [
        ({0: 1, 1: 0}, 1),
        ({0: "1/3", 1: "-1/8"}, -1),
        ({1: 1, 0: "-" + E_ROUNDED}, 1),
        ({1: -1, 0: E_ROUNDED}, -1),
        ({}, 0),
    ],
)
def test_signs_of_sums(terms, sign):
    assert checker.sign(checker.combined((checker.ONE, {fmpq(s): fmpq(c) for s, c in terms.items()}))) == sign


def test_caught_a_sum_that_is_too_near_to_0(monkeypatch):
    monkeypatch.setattr(checker, "MOST_BITS", checker.BITS)
    with pytest.raises(checker.NotShown, match="too near to 0"):
        checker.sign({fmpq(1): fmpq(1), fmpq(0): -fmpq(E_ROUNDED)})


def test_caught_an_integral_without_end():
    with pytest.raises(checker.NotShown, match="without end"):
        checker._at(None, ({}, {}, 0, checker.ZERO, checker.ONE), 1)


def tree_data(*leaves, law=("exponential", "1", 0)):
    """Return a tree of one noise variable and one comparison with 1, below it and above."""
    return [
        {"laws": [list(law)], "steps": [[side, [[0, "1"]], "-1"]], "outcome": name, "parts": []}
        for side, name in zip(("below", "above"), leaves, strict=True)
    ]


def checked(data, alignments, delta=0, epsilon=1, proofs=()):
    proofs = checker.Proofs(proofs)
    whole = checker.tree(data, proofs)
    regions = [checker.region([[place], []], whole, proofs) for place in whole.leaves]
    checker.check_alignments(
        [whole],
        [regions],
        [checker.Step(0, 0)],
        alignments,
        proofs,
        epsilon=(fmpq(epsilon), checker.ONE),
        delta=fmpq(delta),
        power=0,
        integrals=checker.Integrals(no_quadrature),
    )


def test_caught_two_regions_that_are_taken_into_one():
    """Both would be shown to be likely by e times what is above 1."""
    data = tree_data("same", "same")
    checked(data, [[0, 0, 0, [], [], []], [0, 1, 1, [], [], []]])
    with pytest.raises(checker.NotShown, match="into the same one"):
        checked(data, [[0, 0, 1, [[0, "1"]], [], []], [0, 1, 1, [], [], []]])


def test_what_alignments_leave_is_integrated():
    """Below 1, exponential noise is likely by 1 - 1/e = 0.63212; between 1/2 and 1 by 0.23865."""
    data = tree_data("low", "high")
    high = [0, 1, 1, [], [], []]
    checked(data, [high], delta="63213/100000")
    with pytest.raises(checker.NotShown, match="likelier than delta"):
        checked(data, [high], delta="63212/100000")
    cut = [0, 0, 0, [], [], [[[[0, "-1"]], "1/2"]]]
    checked(data, [high, cut], delta="23866/100000")
    with pytest.raises(checker.NotShown, match="likelier than delta"):
        checked(data, [high, cut], delta="23865/100000")


def test_caught_a_cut_of_a_variable_that_is_not_drawn():
    data = tree_data("low", "high")
    with pytest.raises(checker.NotShown, match="not drawn"):
        checked(data, [[0, 0, 0, [], [], [[[[1, "1"]], "0"]]]], delta=1)


@pytest.mark.parametrize(
    "proof_of",
    [
        [],
        [[]],
        [[[0, "0"], [1, "0"]]],
        [[[0, "-1"], [1, "-1"]]],
        [[[5, "1"]]],
        [[[0, "1"], [1, "1"]]],
        [[[0, "1"], [1, "2"]]],
    ],
)
def test_caught_a_proof_that_proves_nothing(proof_of):
    """x + y > 1 and x < 0 and y < 0 are contrary; of two rows alone nothing follows."""
    rows = [{0: fmpq(1), 1: fmpq(1), checker.UNIT: fmpq(-1)}, {0: fmpq(-1)}, {1: fmpq(-1)}]
    checker.Proofs([[[0, "1"], [1, "1"], [2, "1"]]]).need_void(rows)
    with pytest.raises(ERRORS):
        checker.Proofs(proof_of).need_void(rows)
    with pytest.raises(checker.NotShown):
        checker.Proofs([[[0, "1"], [1, "1"], [2, "1"]]]).need_void([{**rows[0], checker.UNIT: fmpq("1/9")}, *rows[1:]])


def outcomes(*trees, epsilon=(0, 1), delta=0):
    integrals = checker.Integrals(no_quadrature)
    wholes = [checker.tree(data, Unasked()) for data in trees]
    return checker.Outcomes(wholes, (fmpq(epsilon[0]), fmpq(epsilon[1])), fmpq(delta), integrals)


def half(name, weight="1/2"):
    """Return a tree of one draw: with this weight the outcome is yes."""
    rest = f"{1 - Fraction(weight)}"
    return [
        {"laws": [], "steps": [["draw", [weight, rest], side]], "outcome": f"{name}{side}", "parts": []}
        for side in (0, 1)
    ]


@pytest.mark.parametrize(
    ("epsilon", "delta", "holds"),
    [
        ((0, 2), 0, True),
        ((0, "199/100"), 0, False),
        ((0, 1), "1/4", True),
        ((0, 1), "24/100", False),
        (("7/10", 1), 0, True),
        (("6/10", 1), 0, False),
    ],
)
def test_a_pair_is_within_what_it_is_within(epsilon, delta, holds):
    """Half against a quarter: at e^epsilon = 2, or at delta = 1/4. The other way it is half against three quarters."""
    both = outcomes(half("x"), half("x", "1/4"), epsilon=epsilon, delta=delta)
    if holds:
        both.need_within(0, 1)
        both.need_within(1, 0)
        return
    with pytest.raises(checker.NotShown, match="not within the claim"):
        both.need_within(0, 1)


def test_caught_an_outcome_that_never_happens_on_the_other():
    with pytest.raises(checker.NotShown, match="not within the claim"):
        outcomes(half("x"), half("y"), epsilon=(9, 1)).need_within(0, 1)


def test_caught_released_noise_among_outcomes():
    data = tree_data("low", "high")
    data[0]["parts"] = [[[[0, "1"]], "0", None, None]]
    with pytest.raises(checker.NotShown, match="released number"):
        outcomes(data)


def test_caught_an_integral_for_every_epsilon():
    with pytest.raises(checker.NotShown, match="for every epsilon"):
        outcomes(tree_data("low", "high", law=("exponential", "1", 1)))


def test_caught_bounds_that_do_not_sum_to_1():
    data = tree_data("low", "high", law=("normal", "1", 0))
    whole = checker.tree(data, Unasked())
    for low, high in (("1/9", "1/8"), ("3/4", "7/8")):
        integrals = checker.Integrals(lambda region, ends=(low, high): tuple(map(fmpq, ends)))
        with pytest.raises(checker.NotShown, match="sum to 1"):
            checker.Outcomes([whole], (fmpq(1), fmpq(1)), fmpq(0), integrals)


def test_of_bounds_the_worse_one_counts():
    """Both outcomes are likely by 0.4 to 0.6 on both inputs: that shows e^epsilon = 3/2, and nothing against it."""
    whole = checker.tree(tree_data("low", "high", law=("normal", "1", 0)), Unasked())
    integrals = checker.Integrals(lambda region: (fmpq("2/5"), fmpq("3/5")))
    checker.Outcomes([whole] * 2, (fmpq(0), fmpq("3/2")), fmpq(0), integrals).need_within(0, 1)
    with pytest.raises(checker.NotShown, match="not within the claim"):
        checker.Outcomes([whole] * 2, (fmpq(0), fmpq("149/100")), fmpq(0), integrals).need_within(0, 1)
    with pytest.raises(checker.NotShown, match="does not violate"):
        checker.check_witness(whole, whole, [["low", []]], (fmpq(0), fmpq(1)), fmpq(0), integrals)


def released(offset, rounding=(None, None)):
    """Return the tree of a number with Laplace noise of scale 1."""
    parts = [[[[0, "1"]], str(offset), *rounding]]
    return [{"laws": [["laplace", "1", 0]], "steps": [], "outcome": "number", "parts": parts}]


@pytest.mark.parametrize(
    ("event", "epsilon", "shown"),
    [
        ([["number", [["1", None]]]], "9/10", True),
        ([["number", [["1", None]]]], "1", False),
        ([["number", [["1", "2"]]], ["number", [["2", None]]]], "9/10", True),
        ([["number", [[None, "0"]]]], "0", False),
        ([["other", [["1", None]]]], "0", False),
        ([], "0", False),
    ],
)
def test_a_witness_is_shown_where_it_violates_the_bound(event, epsilon, shown):
    """1 + noise is above 1 with probability 1/2, and noise with 1/(2 e)."""
    trees = [checker.tree(released(offset), Unasked()) for offset in (1, 0)]
    settings = (fmpq(epsilon), checker.ONE), fmpq(0), checker.Integrals(no_quadrature)
    if shown:
        checker.check_witness(*trees, event, *settings)
        return
    with pytest.raises(checker.NotShown, match="does not violate"):
        checker.check_witness(*trees, event, *settings)


@pytest.mark.parametrize(("end", "epsilon"), [("1/2", "9/10"), ("1", "9/10")])
def test_a_rounded_number_is_at_least_an_end_from_the_next_multiple_on(end, epsilon):
    """floor(1 + noise) >= 1/2 says 1 + noise >= 1."""
    trees = [checker.tree(released(offset, ("1", "0")), Unasked()) for offset in (1, 0)]
    integrals = checker.Integrals(no_quadrature)
    checker.check_witness(*trees, [["number", [[end, None]]]], (fmpq(epsilon), checker.ONE), fmpq(0), integrals)
    with pytest.raises(checker.NotShown, match="does not violate"):
        checker.check_witness(*trees, [["number", [[end, None]]]], (checker.ONE, checker.ONE), fmpq(0), integrals)


@pytest.mark.parametrize(
    "event",
    [
        [["number", [["1", None]]], ["number", [["1", None]]]],
        [["number", [["1", None]]], ["number", [["5", None]]]],
        [["number", [["1", "3"]]], ["number", [["2", "4"]]]],
    ],
)
def test_caught_an_event_that_is_counted_twice(event):
    """Twice 1/2 would be more than e^epsilon times twice 1/(2 e) and a delta of 1/2."""
    trees = [checker.tree(released(offset), Unasked()) for offset in (1, 0)]
    with pytest.raises(checker.NotShown, match="there twice"):
        checker.check_witness(*trees, event, (checker.ZERO, checker.ONE), fmpq("1/2"), checker.Integrals(no_quadrature))


def test_the_checker_imports_the_standard_library_and_flint_alone():
    tree = ast.parse(Path(checker.__file__).read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"__future__", "collections", "collections.abc", "dataclasses", "flint", "math", "re", "typing"}
