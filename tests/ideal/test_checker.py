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


def put(value, *path):
    """Return an edit that puts a value at a path of a case, on which `...` is every place of a list."""

    def edit(case):
        places = [vars(case)]
        for step in path[:-1]:
            places = [part for place in places for part in (place if step is ... else [place[step]])]
        for place in places:
            place[path[-1]] = value

    return edit


def less_shift(case):
    row = next(row for row in case.alignments if row[3])
    row[3][0][1] = "1/2" if row[3][0][1][0] != "-" else "-1/2"


def another_outcome(case):
    first, second = (row for row in case.alignments if row[0] == 0 and row[1] < 2)
    first[2], second[2] = second[2], first[2]


def another_weight(case):
    for leaf in case.tree:
        leaf["steps"][0][1] = ["1/4", "3/4"]
        leaf["outcome"] = "one"
    for row in case.alignments:
        row[2] = 1 - row[1]


def shifted_down(case):
    for step in range(len(case.steps)):
        case.steps[step] = checker.Step(0, 0, {-1: fmpq(1)})
    for row in case.alignments:
        row[3] = [[0, "-1"]]


def wide(case):
    return next(each for each in case.regions if len(each[0]) > 1)


def renaming(case, names):
    next(row for row in case.alignments if row[1] == 0)[4] = names


def told(case):
    return next(leaf for leaf in case.tree if leaf["outcome"] is not None)


THRESHOLD, WEIGHTS = ("tree", 0, "steps", 0, 2), ("tree", ..., "steps", 0, 1)
EDITS = {
    "less epsilon": ("maximum", put(fmpq("99/100"), "epsilon"), "costs more"),
    "less shift": ("maximum", less_shift, "not shown that rows"),
    "no alignment": ("maximum", lambda case: case.alignments.pop(0), "inputs that are left open"),
    "no alignment for every epsilon": (
        "maximum",
        lambda case: vars(case).update(power=1, delta=fmpq(1), alignments=[]),
        "no alignment",
    ),
    "aligned twice": ("maximum", lambda case: case.alignments.append(case.alignments[-1]), "aligned twice"),
    "two outcomes in one region": (
        "maximum",
        lambda case: case.tree[wide(case)[0][0]].update(outcome="another"),
        "two outcomes",
    ),
    "a region that is smaller than its leaves": (
        "maximum",
        lambda case: wide(case)[1][0].__setitem__(1, "-1"),
        "not shown that rows",
    ),
    "a region that holds other leaves": ("maximum", lambda case: wide(case)[1].pop(0), "not shown that rows"),
    "a region of one leaf twice": (
        "maximum",
        lambda case: case.regions[0][0].extend(case.regions[0][0][:]),
        "one leaf twice",
    ),
    "a region of no leaf": ("maximum", lambda case: case.regions[0][0].clear(), "a region of no leaves"),
    "a leaf is missing": ("maximum", lambda case: case.tree.pop(0), "side of a comparison"),
    "a leaf is there twice": ("maximum", lambda case: case.tree.append(case.tree[0]), "missing, or there twice"),
    "another threshold": ("maximum", put("1/7", *THRESHOLD), "two comparisons at one place"),
    "another rate on one leaf": ("maximum", put("1/3", "tree", 0, "laws", 0, 1), "a variable of two laws"),
    "a variable is not drawn": ("maximum", lambda case: case.tree[0]["laws"].pop(), "variable that is not drawn"),
    "unknown noise": ("maximum", put("cauchy", "tree", ..., "laws", 0, 0), "noise that is not known"),
    "a rate of nothing": ("maximum", put("0", "tree", ..., "laws", 0, 1), "noise that is not known"),
    "noise without a bound": ("maximum", put("normal", "tree", ..., "laws", ..., 0), "no bound for a shift"),
    "a rate of epsilon": ("maximum", put(1, "tree", ..., "laws", ..., 2), "plain numbers"),
    "a shift of inputs": (
        "maximum",
        lambda case: [row[3].append([-1, "-1"]) for row in case.alignments],
        "moves inputs",
    ),
    "a variable twice": ("maximum", put([[0, "1"], [0, "-1"]], "alignments", 0, 3), "a form with a variable twice"),
    "another place": ("maximum", put(-1, "alignments", 0, 1), "whole numbers"),
    "a number that is none": ("maximum", put(0, *THRESHOLD), "no text of a fraction"),
    "a division by nothing": ("maximum", put("1/0", *THRESHOLD), "division by 0"),
    "another number is released": ("gap", put([], "alignments", ..., 3), "what is released"),
    "another outcome": ("gap", another_outcome, "less likely"),
    "two variables of one name": ("gap", lambda case: renaming(case, [[0, 1]]), "two variables of one name"),
    "another variable": ("gap", lambda case: renaming(case, [[0, 1], [1, 0]]), "between different laws"),
    "weights that sum to more": ("drawn", put(["1/1", "1/2"], *WEIGHTS), "different weights|do not sum to 1"),
    "a draw with another value": ("drawn", put(["1/4", "1/4", "1/2"], *WEIGHTS), "side of a comparison or a draw"),
    "another weight": ("drawn", another_weight, "less likely"),
    "exponential noise shifted down": ("drawn", shifted_down, "no bound for a shift"),
    "a region beside draws": ("drawn", put([[0, 1], []], "regions", 0), "noise or draws differ"),
    "no step": ("drawn", put("maybe", "tree", 0, "steps", 0, 0), "a step that is none"),
    "rounded to no multiple": ("rounded", put("-1", "tree", ..., "parts", ..., 2), "no multiple"),
    "a leaf that is not empty": ("rounded", lambda case: told(case).update(outcome=None), "not shown that rows"),
    "an outcome that is no text": ("rounded", lambda case: told(case).update(outcome=1), "an outcome that is no text"),
    "a comparison without noise": (
        "rounded",
        lambda case: [leaf["steps"].insert(0, ["above", [[-1, "1"]], "0"]) for leaf in case.tree],
        "without noise",
    ),
}


@pytest.mark.parametrize(("name", "edit", "words"), EDITS.values(), ids=EDITS)
def test_caught_an_edit(cases, name, edit, words):
    case = copy.deepcopy(cases[name])
    edit(case)
    with pytest.raises(checker.NotShown, match=words):
        case.check()
