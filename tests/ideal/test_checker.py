"""The checker of certificates on ideal noise: what it shows is so, and each thing that it asks for is needed."""

import copy
from fractions import Fraction

import flint
import pytest

from dpcert.audit.ideal.align import align, corners
from dpcert.audit.ideal.certificates import checker, writing
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.merge import open_steps
from dpcert.mechanisms.ideal.meant import Open

ERRORS = checker.NotShown, TypeError, KeyError, IndexError, AttributeError, ValueError


def fmpq(x):
    x = Fraction(x)
    return flint.fmpq(x.numerator, x.denominator)


def no_quadrature(region):
    raise AssertionError("no other noise")


class Unasked(checker.Proofs):
    """Proofs that are not needed."""

    def __init__(self):
        super().__init__(())

    def asked(self, rows):
        raise AssertionError("a proof was needed")


# --- alignments ---------------------------------------------------------------------------------------------------


class Case:
    """The data of a program on open inputs with the alignments that are found for it, to be edited and checked."""

    def __init__(self, program, n, relation, epsilon):
        (paths,) = laws_of(program, [Open([0.0] * n)])
        moves = corners(relation, n)
        steps = open_steps(paths, moves)
        self.tree, self.regions = writing.tree_of(paths), writing.regions_data(paths)
        self.alignments = writing.alignments_data(steps, align(steps))
        self.epsilon, self.delta, self.power = fmpq(epsilon), fmpq(0), 0
        self.steps = [checker.Step(0, 0, {name: fmpq(x) for name, x in move.items()}) for move in moves]
        found = writing.FoundProofs()
        self.check(found)
        self.proofs = found.kept

    def check(self, proofs=None):
        proofs = proofs or checker.Proofs(self.proofs)
        whole = checker.tree(self.tree, proofs)
        regions = [checker.region(each, whole, proofs) for each in self.regions]
        checker.check_alignments(
            [whole],
            [regions],
            self.steps,
            self.alignments,
            proofs,
            epsilon=(self.epsilon, checker.ONE),
            delta=self.delta,
            power=self.power,
            integrals=checker.Integrals(no_quadrature),
        )


def maximum(queries, rng):
    """A running maximum: two of its paths make one region; and a comparison of which one side is empty."""
    best, where = None, -1
    for i, query in enumerate(queries):
        noisy = query + rng.laplace(scale=2)
        if best is None or noisy > best:
            best, where = noisy, i
    return where


def gap(queries, rng):
    threshold = rng.laplace(scale=2)
    for i, query in enumerate(queries):
        above = query + rng.laplace(scale=4) - threshold
        if above >= 0:
            return i, above
    return None


def drawn(queries, rng):
    noisy = queries[0] + rng.exponential(scale=2)
    if rng.integers(2):
        return "first", noisy
    return "second", noisy


def rounded_positive(queries, rng):
    """That exponential noise is above -1 is known: the other side is empty."""
    noise = rng.laplace()
    other = rng.exponential()
    return round(queries[0] + noise) if other > -1 or noise > 5 else None


CASES = {
    "maximum": (maximum, 3, "linf", 1),
    "gap": (gap, 2, "linf", 1),
    "drawn": (drawn, 1, "decreasing", "1/2"),
    "rounded": (rounded_positive, 1, "linf", 1),
}


@pytest.fixture(scope="module")
def cases():
    return {name: Case(*settings) for name, settings in CASES.items()}


@pytest.fixture
def case(request, cases):
    return copy.deepcopy(cases[request.param])


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_what_is_found_is_shown(case):
    case.check()


def edits(name, *words):
    """Return a decorator that notes an edit of a case, and what is said of it."""

    def note(edit):
        EDITS.append(pytest.param(name, edit, words[0] if words else None, id=edit.__name__))
        return edit

    return note


EDITS = []


@edits("maximum", "costs more")
def less_epsilon(case):
    case.epsilon = fmpq("99/100")


@edits("maximum", "not shown that rows")
def less_shift(case):
    row = next(row for row in case.alignments if row[3])
    row[3][0][1] = "1/2" if row[3][0][1][0] != "-" else "-1/2"


@edits("maximum", "inputs that are left open")
def no_alignment(case):
    del case.alignments[0]


@edits("maximum", "no alignment")
def no_alignment_for_every_epsilon(case):
    case.power, case.delta = 1, fmpq(1)
    case.alignments = []


@edits("maximum", "aligned twice")
def aligned_twice(case):
    case.alignments.append(case.alignments[-1])


@edits("maximum", "two outcomes")
def two_outcomes_in_one_region(case):
    leaves = next(each[0] for each in case.regions if len(each[0]) > 1)
    case.tree[leaves[0]]["outcome"] = "another"


@edits("maximum", "not shown that rows")
def a_region_that_is_smaller_than_its_leaves(case):
    region = next(each for each in case.regions if len(each[0]) > 1)
    region[1][0][1] = "-1"


@edits("maximum", "not shown that rows")
def a_region_that_holds_other_leaves(case):
    region = next(each for each in case.regions if len(each[0]) > 1)
    del region[1][0]


@edits("maximum", "one leaf twice")
def a_region_of_one_leaf_twice(case):
    case.regions[0][0] *= 2


@edits("maximum", "a region of no leaves")
def a_region_of_no_leaf(case):
    case.regions[0][0].clear()


@edits("maximum", "side of a comparison")
def a_leaf_is_missing(case):
    del case.tree[0]


@edits("maximum", "missing, or there twice")
def a_leaf_is_there_twice(case):
    case.tree.append(case.tree[0])


@edits("maximum", "two comparisons at one place")
def another_threshold(case):
    case.tree[0]["steps"][0][2] = "1/7"


@edits("maximum", "a variable of two laws")
def another_rate_on_one_leaf(case):
    case.tree[0]["laws"][0][1] = "1/3"


@edits("maximum", "variable that is not drawn")
def a_variable_is_not_drawn(case):
    case.tree[0]["laws"].pop()


@edits("maximum", "noise that is not known")
def unknown_noise(case):
    for leaf in case.tree:
        leaf["laws"][0][0] = "cauchy"


@edits("maximum", "noise that is not known")
def a_rate_of_nothing(case):
    for leaf in case.tree:
        leaf["laws"][0][1] = "0"


@edits("maximum", "no bound for a shift")
def noise_without_a_bound(case):
    for leaf in case.tree:
        for law in leaf["laws"]:
            law[0] = "normal"


@edits("maximum", "plain numbers")
def a_rate_of_epsilon(case):
    for leaf in case.tree:
        for law in leaf["laws"]:
            law[2] = 1


@edits("maximum", "moves inputs")
def a_shift_of_inputs(case):
    for row in case.alignments:
        row[3].append([-1, "-1"])


@edits("maximum", "a form with a variable twice")
def a_variable_twice(case):
    case.alignments[0][3] = [[0, "1"], [0, "-1"]]


@edits("maximum", "whole numbers")
def another_place(case):
    case.alignments[0][1] = -1


@edits("maximum", "no text of a fraction")
def a_number_that_is_none(case):
    case.tree[0]["steps"][0][2] = 0


@edits("maximum", "division by 0")
def a_division_by_nothing(case):
    case.tree[0]["steps"][0][2] = "1/0"


@edits("gap", "what is released")
def another_number_is_released(case):
    for row in case.alignments:
        row[3] = []


@edits("gap", "less likely")
def another_outcome(case):
    first, second = (row for row in case.alignments if row[0] == 0 and row[1] < 2)
    first[2], second[2] = second[2], first[2]


@edits("gap", "two variables of one name")
def two_variables_of_one_name(case):
    next(row for row in case.alignments if row[1] == 0)[4] = [[0, 1]]


@edits("gap", "between different laws")
def another_variable(case):
    next(row for row in case.alignments if row[1] == 0)[4] = [[0, 1], [1, 0]]


@edits("drawn", "different weights|do not sum to 1")
def weights_that_sum_to_more(case):
    for leaf in case.tree:
        leaf["steps"][0][1] = ["1/1", "1/2"]


@edits("drawn", "side of a comparison or a draw")
def a_draw_with_another_value(case):
    for leaf in case.tree:
        leaf["steps"][0][1] = ["1/4", "1/4", "1/2"]


@edits("drawn", "less likely")
def another_weight(case):
    for leaf in case.tree:
        leaf["steps"][0][1] = ["1/4", "3/4"]
        leaf["outcome"] = "one"
    for row in case.alignments:
        row[2] = 1 - row[1]


@edits("drawn", "no bound for a shift")
def exponential_noise_shifted_down(case):
    for step in range(len(case.steps)):
        case.steps[step] = checker.Step(0, 0, {-1: fmpq(1)})
    for row in case.alignments:
        row[3] = [[0, "-1"]]


@edits("drawn", "noise or draws differ")
def a_region_beside_draws(case):
    case.regions[0] = [[0, 1], []]


@edits("drawn", "a step that is none")
def no_step(case):
    case.tree[0]["steps"][0][0] = "maybe"


@edits("rounded", "no multiple")
def rounded_to_no_multiple(case):
    for leaf in case.tree:
        for part in leaf["parts"]:
            part[2] = "-1"


@edits("rounded", "not shown that rows")
def a_leaf_that_is_not_empty(case):
    leaf = next(leaf for leaf in case.tree if leaf["outcome"] is not None)
    leaf["outcome"] = None


@edits("rounded", "an outcome that is no text")
def an_outcome_that_is_no_text(case):
    next(leaf for leaf in case.tree if leaf["outcome"] is not None)["outcome"] = 1


@edits("rounded", "without noise")
def a_comparison_without_noise(case):
    for leaf in case.tree:
        leaf["steps"].insert(0, ["above", [[-1, "1"]], "0"])


@pytest.mark.parametrize(("name", "edit", "words"), EDITS)
def test_caught_an_edit(cases, name, edit, words):
    case = copy.deepcopy(cases[name])
    edit(case)
    with pytest.raises(checker.NotShown, match=words):
        case.check()
