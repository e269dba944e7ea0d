"""The checker of loops on trees by hand, and paths that are one but for the generators that they draw from."""

from fractions import Fraction

import pytest

from dpcert.audit.ideal.certificates.certificate import integrals_of
from dpcert.audit.ideal.certificates.checker import NotShown, Proofs, number
from dpcert.audit.ideal.certificates.signs import Scope
from dpcert.audit.ideal.certificates.turns import tree
from dpcert.audit.ideal.counts import with_first_turns
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.mechanisms.ideal.path import Loop, Path

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
