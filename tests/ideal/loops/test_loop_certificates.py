"""Verdicts on loops on ideal noise, and the check of their certificates: an edit of one is rejected."""

import copy
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcert.audit.ideal.certificates.certificate import check_ideal, integrals_of
from dpcert.audit.ideal.certificates.checker import NotShown, Proofs, number
from dpcert.audit.ideal.certificates.signs import Scope
from dpcert.audit.ideal.certificates.turns import tree
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.loops import with_first_turns
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.mechanisms.ideal.path import Loop, Path
from dpcert.reading.ideal import loops

from ..test_certificate import STATED, claim
from .test_loops import HALF, compared_before, in_range, nested, redrawn, side


def redrawn_too_seldom(v, rng):
    return redrawn(v, rng) if rng.random() < 0.5 else v


def by_epsilon(x, rng, epsilon):
    while True:
        y = x + rng.laplace(scale=2 / epsilon)
        if y > 2 or y < 0:
            return y > 2


def before(x, rng):
    while rng.laplace() > 1:
        pass
    return x + rng.laplace()


ANY = {"neighbours": "any"}
CASES = {
    "redrawn": (claim(range(4), "ln(3)", **ANY), redrawn, "verified"),
    "too seldom": (claim(range(4), "ln(3)", **ANY), redrawn_too_seldom, "refuted"),
    "in a range": (claim(range(3), 2), in_range, "verified"),
    "in a range, less": (claim(range(3), 1), in_range, "refuted"),
    "side": (claim(range(3), "3/2"), side, "verified"),
    "nested": (claim(range(2), 0), nested, "verified"),
    "before": (claim(range(2), 1), before, "verified"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_is_accepted(name):
    case, program, verdict = CASES[name]
    report = decide_ideal(case, program)
    found = certificate_of(report, STATED)
    assert found.verdict == report.verdict == verdict
    assert any(leaf["repeats"] is not None for tree in found.trees for leaf in tree)
    check_ideal(found, case, program, STATED)


def test_the_least_epsilon_of_a_rejected_draw():
    """Densities of Laplace noise on [0, 2] around 0 and 1, where they differ most: e (1 - e^-1) / (1/2 (1 - e^-2))."""
    low, high = decide_ideal(claim(range(3), 2), in_range).epsilon
    e = Exact.power(number=1)
    least = e * (Exact.of(1) - Exact.power(number=-1)) / ((Exact.of(1) - Exact.power(number=-2)) * Exact.of(HALF))
    assert [(Exact.of(end.ratio) - least).sign() for end in (low, high)] == [-1, 1]


def test_a_loop_of_every_epsilon():
    case, within = claim(range(3), 1), Range()
    report = decide_every(by_epsilon, case.inputs, case.neighbours, factor=Fraction(1), within=within)
    assert report.verdict == "verified"
    found = certificate_of_every(report, case, by_epsilon, STATED, every="epsilon")
    assert any(leaf["repeats"] is not None for tree in found.trees for leaf in tree)
    check_ideal(found, case, by_epsilon, STATED, every="epsilon", within=within)


def edited(found, change):
    trees = copy.deepcopy(found.trees)
    for each in trees:
        change(each)
    return replace(found, trees=trees)


def another_factor(tree):
    for leaf in tree:
        if leaf["repeats"] is not None:
            leaf["repeats"][1] = "2/1"


def two_factors(tree):
    next(leaf for leaf in tree if leaf["repeats"] is not None)["repeats"][1] = "2/1"


def an_outcome(tree):
    first = next(leaf["outcome"] for leaf in tree if leaf["outcome"] is not None)
    next(leaf for leaf in tree if leaf["repeats"] is not None)["outcome"] = first


def empty(tree):
    next(leaf for leaf in tree if leaf["repeats"] is not None)["repeats"] = None


def no_state_before(tree):
    leaf = next(leaf for leaf in tree if leaf["repeats"] is not None)
    leaf["repeats"][0] = len(leaf["steps"])


def written_otherwise(tree):
    leaf = next(leaf for leaf in tree if leaf["repeats"] is not None and leaf["repeats"][0])
    leaf["steps"][0] = [*leaf["steps"][0][:2], "-2/4"]


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("redrawn", another_factor, "a loop is left with another probability"),
        ("in a range", another_factor, "a loop is left with another probability"),
        ("in a range", two_factors, "a loop of two factors"),
        ("redrawn", an_outcome, "a leaf with an outcome that comes back"),
        ("redrawn", empty, "not shown that rows have no common point"),
        ("redrawn", no_state_before, "comes back to no state before"),
        ("redrawn", written_otherwise, "written in two ways"),
    ],
)
def test_caught_edits(name, change, words):
    case, program, _ = CASES[name]
    found = certificate_of(decide_ideal(case, program), STATED)
    with pytest.raises(Rejected, match=words):
        check_ideal(edited(found, change), case, program, STATED)


def test_caught_a_state_that_is_another_one(monkeypatch):
    """A certificate that comes back to a state where less is known of the noise is rejected: a run to both tells."""
    with monkeypatch.context() as patched:
        patched.setattr(loops, "_law_of", lambda known, met: ())
        case = claim([0, 1], 0, **ANY)
        found = certificate_of(decide_ideal(case, compared_before), STATED)
    with pytest.raises(Unauditable, match="comes back to another state"):
        check_ideal(found, case, compared_before, STATED)


UNIFORM = ["uniform", "1/1", 0]
COUNT = Law("geometric", Rate(Fraction(0), 0, Fraction(2)))


def leaf(*steps, outcome=None, repeats=None):
    return {"laws": [UNIFORM] * 3, "steps": list(steps), "outcome": outcome, "parts": [], "repeats": repeats}


def step(side, name, threshold):
    return [side, [[name, "1"]], str(-Fraction(threshold))]


def shown(leaves, proofs=()):
    whole = tree(leaves, Proofs(proofs), Scope(), integrals_of())
    return [(region.outcome, region.weight) for region in whole.leaves.values()]


def one_loop(head, back, factor):
    """A loop at a head that U > `head` leads to, which is turned again where V > `back`."""
    start = step("above", 0, head)
    return [
        leaf(step("below", 0, head), outcome="before"),
        leaf(start, step("above", 1, back), repeats=[1, factor]),
        leaf(start, step("below", 1, back), outcome="after"),
    ]


def test_a_loop_by_hand():
    assert shown(one_loop("1/3", "1/4", "4/1")) == [("before", 1), ("after", 4)]
    assert shown(one_loop("1/3", "3/4", "4/3")) == [("before", 1), ("after", number("4/3"))]


@pytest.mark.parametrize("factor", ["4/1", "1/1", "0/1", "-4/1", "1000000/1"])
def test_a_head_without_probability_is_caught(factor):
    for head in (2, 1):
        with pytest.raises(NotShown, match="a loop is left with another probability"):
            shown(one_loop(head, "3/4", factor))


@pytest.mark.parametrize("factor", ["4/1", "1/1", "5/4", "-4/3", "0/1"])
def test_another_factor_is_caught(factor):
    with pytest.raises(NotShown, match="a loop is left with another probability"):
        shown(one_loop("1/3", "3/4", factor))


@pytest.mark.parametrize("back", ["0", "-1"])
def test_a_loop_without_an_end_has_no_factor(back):
    for factor in ("0/1", "1/1", "1000000/1"):
        with pytest.raises(NotShown, match="a loop is left with another probability"):
            shown(one_loop("1/3", back, factor))


def two_loops(inner, outer):
    """A loop in another one: V > 1/2 turns the inner one again; else W > 1/4 the outer one."""
    start = step("above", 0, "1/2")
    return [
        leaf(step("below", 0, "1/2"), outcome="before"),
        leaf(start, step("above", 1, "1/2"), step("above", 2, "1/2"), repeats=[2, inner]),
        leaf(start, step("above", 1, "1/2"), step("below", 2, "1/2"), outcome="inner"),
        leaf(start, step("below", 1, "1/2"), step("above", 2, "1/4"), repeats=[1, outer]),
        leaf(start, step("below", 1, "1/2"), step("below", 2, "1/4"), outcome="outer"),
    ]


def test_loops_in_loops_by_hand():
    # of the outer loop 3/8 come back, whatever the inner one does: that ends in its own leaf
    assert shown(two_loops("2/1", "8/5")) == [("before", 1), ("inner", number("16/5")), ("outer", number("8/5"))]
    for inner, outer in (("1/1", "8/5"), ("2/1", "2/1"), ("2/1", "8/3")):
        with pytest.raises(NotShown, match="a loop is left with another probability"):
            shown(two_loops(inner, outer))


def counted(outcome, weight, **more):
    loop = Loop(Path((), (), Fraction(1), None), (), counter=0)
    return Path((COUNT,), (), weight, outcome, loops=(loop,), **more)


def test_paths_that_are_one_keep_what_each_draws_from_and_leaves():
    n = Noisy(((0, Fraction(1)),), Fraction(0))
    paths = [
        counted(n, Fraction(1, 4), held=("a",), left=("x",)),
        counted(n, Fraction(1, 4), held=("b",)),
        Path((), (), Fraction(1, 4), 7, held=("c",)),
        Path((), (), Fraction(1, 4), 7, left=("y",)),
    ]
    found = with_first_turns(paths, ["int"])
    assert [(path.weight, path.held, path.left) for path in found] == [
        (Fraction(1, 2), ("a", "b"), ("x",)),
        (Fraction(1, 2), ("c",), ("y",)),
    ]


def test_a_first_turn_keeps_what_it_draws_from():
    n = Noisy(((0, Fraction(1)),), Fraction(0))
    first = Path((), (), Fraction(1, 2), 0, held=("a",))
    (found,) = with_first_turns([counted(n, Fraction(1, 2), held=("b",)), first], ["int"])
    assert found.outcome == Noisy(((0, Fraction(1)),), Fraction(-1))
    assert (found.weight, found.held) == (1, ("a", "b"))
