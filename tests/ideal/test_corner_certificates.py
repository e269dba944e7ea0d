"""Certificates of releases beside tags: what is written is accepted, and trees that show no privacy are not."""

import ast
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from dpcert.audit.ideal.certificates import checker, corners, signs, turns
from dpcert.audit.ideal.certificates.certificate import check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import RELATIONS

from .claims import ONE_APART, STATED
from .test_checker import fmpq, no_quadrature
from .test_corners import sampled, sampled_for_every

STANDARD = set(sys.stdlib_module_names)


def claim(epsilon):
    return Claim("program", (), tuple(range(3)), RELATIONS[ONE_APART], ApproxDP(epsilon, 0))


def at_one():
    case = claim("1/2")
    return case, sampled, certificate_of(decide_ideal(case, sampled), STATED), {}


def at_all(factor="3/4", high=1):
    case, within = claim(factor), Range(high=Fraction(high))
    report = decide_every(
        sampled_for_every, case.inputs, case.neighbours, factor=case.guarantee.epsilon.rational, within=within
    )
    found = certificate_of_every(report, case, sampled_for_every, STATED, every="epsilon")
    return case, sampled_for_every, found, {"every": "epsilon", "within": within}


@pytest.mark.parametrize("written", [at_one, at_all])
def test_what_is_written_is_accepted(written):
    case, program, found, more = written()
    assert found.method == "corners"
    check_ideal(found, case, program, STATED, **more)


def test_rejected_with_another_claim():
    _, program, found, more = at_one()
    small = replace(found, epsilon="1/4")
    with pytest.raises(Rejected, match="corner is not within"):
        check_ideal(small, claim("1/4"), program, STATED, **more)
    case, program, found, more = at_one()
    with pytest.raises(Rejected, match="refute nothing"):
        check_ideal(replace(found, verdict="refuted"), case, program, STATED, **more)
    case, program, found, more = at_all()
    with pytest.raises(Rejected, match="not within the claim for"):
        check_ideal(found, case, program, STATED, **{**more, "within": Range()})


def leaf(kind="laplace", offset=0, scale=1, weight=1, tag="a", rows=(), power=0):
    row = {0: fmpq(1), checker.UNIT: fmpq(offset)} if offset else {0: fmpq(1)}
    law = (kind, 1 / fmpq(scale), power)
    part = checker.Part(row, None)
    return checker.Region((0,), {0: law}, tuple(rows), tag, (part,), fmpq(weight))


def shown(first, other, epsilon, **scope):
    """Whether the check shows that the law of some leaves is within e^epsilon of that of others."""
    trees = [checker.Tree(dict(enumerate(leaves)), False) for leaves in (first, other)]
    found = corners.Corners(trees, {fmpq(epsilon): fmpq(1)}, signs.Scope(**scope), checker.Integrals(no_quadrature))
    try:
        found.need_within(0, 1)
    except checker.NotShown:
        return False
    return True


def test_the_check_sees_each_law():
    assert shown([leaf()], [leaf(offset=1)], 1)
    assert shown([leaf(weight="1/2"), leaf(offset=1, weight="1/2")], [leaf(offset=1)], 1)
    assert not shown([leaf()], [leaf(offset="1001/1000")], 1)
    assert not shown([leaf()], [leaf(tag="b")], 9)
    assert not shown([leaf()], [leaf(offset=1)], "999/1000")
    assert not shown([leaf("exponential")], [leaf("exponential", offset=1)], 9)
    assert shown([leaf("exponential", offset=1)], [leaf("exponential")], 1)
    assert not shown([leaf("exponential", offset=1)], [leaf("exponential")], "999/1000")
    assert shown([leaf("uniform")], [leaf("uniform")], 0)


def up_to(end):
    return {0: fmpq(-1), checker.UNIT: fmpq(end)}


def test_the_check_sees_cuts():
    below, above = leaf(rows=[up_to(3)]), leaf(rows=[{0: fmpq(1), checker.UNIT: fmpq(-3)}], tag="b")
    later = leaf(rows=[up_to(4)]), leaf(rows=[{0: fmpq(1), checker.UNIT: fmpq(-4)}], tag="b")
    assert shown([below, above], [below, above], 0)
    assert not shown([below, above], list(later), 9)


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ([leaf(weight="1/2")], "sum to 1"),
        ([leaf(scale=2)], "two scales"),
        ([leaf(weight="1/2"), leaf("uniform", weight="1/2")], "two scales"),
        ([leaf("normal")], "normal noise"),
        ([leaf(power=1)], "plain numbers"),
        ([replace(leaf(), parts=(checker.Part({0: fmpq(1)}, (fmpq(1), fmpq(0))),))], "one noise variable"),
        ([replace(leaf(), rows=({0: fmpq(1), 1: fmpq(1)},))], "compared with other noise"),
    ],
)
def test_refused_what_corners_do_not_show(first, words):
    trees = [checker.Tree(dict(enumerate(leaves)), False) for leaves in (first, [leaf()])]
    with pytest.raises(checker.NotShown, match=words):
        corners.Corners(trees, {fmpq(9): fmpq(1)}, signs.Scope(), checker.Integrals(no_quadrature)).need_within(0, 1)


def ordered(by):
    """Return the tree of an order of two Gumbel variables, the first of which is put up by a number."""
    laws = dict.fromkeys(range(2), ("gumbel", fmpq(1), 0))
    over = {0: fmpq(1), 1: fmpq(-1), checker.UNIT: fmpq(by)}
    sides = {"over": over, "under": {name: -c for name, c in over.items()}}
    leaves = [checker.Region((n,), laws, (row,), tag, (), fmpq(1)) for n, (tag, row) in enumerate(sides.items())]
    return checker.Tree(dict(enumerate(leaves)), False)


@pytest.mark.parametrize(
    ("source", "target", "tag", "least"),
    [
        (1, 0, "over", "379/1000"),  # ln(2 e/(1 + e))
        (0, 1, "under", "620/1000"),  # ln((1 + e)/2)
        (1, -1, "over", 1),
        (-1, 1, "under", 1),
    ],
)
def test_the_chances_of_a_witness_are_compared_over_one_denominator(source, target, tag, least):
    case = ordered(source), ordered(target), [[tag, []]]
    integrals = checker.Integrals(no_quadrature)
    corners.check_witness(*case, (fmpq(least) - fmpq("1/1000"), checker.ONE), integrals)
    with pytest.raises(checker.NotShown, match="does not violate"):
        corners.check_witness(*case, (fmpq(least) + fmpq("1/1000"), checker.ONE), integrals)


def polynomial(*coefficients):
    """Return the sum of c e^(k epsilon), k from 0 on."""
    return {fmpq(k): fmpq(c) for k, c in enumerate(coefficients) if c}


TINY = Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("found", "low", "high", "holds"),
    [
        (polynomial(1, -1), 0, None, True),
        (polynomial(-1, 1), 0, None, False),
        (polynomial(-4, 4, -1), 0, None, True),  # -(x - 2)^2
        (polynomial(-4 + TINY, 4, -1), 0, None, False),
        (polynomial(-2, 1), 0, "69/100", True),  # ln 2 is 0.6931...
        (polynomial(-2, 1), 0, "70/100", False),
        (polynomial(2, -1), "70/100", None, True),
        (polynomial(2, -1), "69/100", None, False),
        (polynomial(-6, 11, -6, 1), 0, None, False),
        (polynomial(6, -11, 6, -1), "110/100", None, True),  # -(x - 1)(x - 2)(x - 3), and ln 3 is 1.0986...
        (polynomial(6, -11, 6, -1), 0, None, False),
    ],
)
def test_signs_over_a_range(found, low, high, holds):
    try:
        signs.need_nowhere_positive(found, fmpq(low), None if high is None else fmpq(high))
        seen = True
    except checker.NotShown:
        seen = False
    assert seen is holds


@pytest.mark.parametrize(
    ("module", "others"),
    [(corners, {"checker", "signs"}), (signs, {"checker"}), (turns, {"checker", "corners", "signs"})],
)
def test_the_check_imports_flint_and_its_checker_alone(module, others):
    tree = ast.parse(Path(module.__file__).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    folder = "dpcert.audit.ideal.certificates."
    assert {name.removeprefix(folder) for name in names if name.startswith("dpcert")} == others
    assert {name.partition(".")[0] for name in names if not name.startswith("dpcert")} <= STANDARD | {"flint"}
