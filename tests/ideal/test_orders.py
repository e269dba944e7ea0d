"""Orders of Gumbel noise in closed form: the exponential mechanism as it is drawn, at one epsilon and at all."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpcert.audit.ideal.certificates.certificate import check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import EVERYWHERE
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.orders import in_closed_form, is_order
from dpcert.audit.ideal.stars import bounds_of
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.ideal.exact import ONE, exact_of, total

from .claims import STATED

CELLS = tuple(product((0, 1), repeat=2))


def choice(cells, rng, epsilon=1):
    return int(np.argmax(np.array(cells) + rng.gumbel(scale=2 / epsilon, size=len(cells))))


def ranking(cells, rng, epsilon=1):
    return [int(i) for i in np.argsort(np.array(cells) + rng.gumbel(scale=2 / epsilon, size=len(cells)))]


def measured(cells, rng, epsilon=1):
    place = choice(cells, rng, epsilon / 2)
    return place, -cells[place] + rng.laplace(scale=2 / epsilon)


@pytest.mark.parametrize("program", [choice, ranking])
def test_closed_forms_are_what_integration_bounds(program):
    (paths,) = laws_of(program, [(0, 1, 3)])
    (closed,) = in_closed_form([paths])
    assert total(exact_of(path.weight) for path in closed).same(ONE)
    for path, other in zip(paths, closed, strict=True):
        assert is_order(path)
        assert not other.inequalities
        low, high = bounds_of(path)
        found = exact_of(other.weight).enclosed()
        assert float(low) == pytest.approx(float(high), rel=1e-12) == float(found.mid())


def test_what_is_no_order_stays():
    def program(cells, rng):
        first, second = (count + rng.gumbel() for count in cells)
        return bool(first > second), bool(first > 1)

    found = laws_of(program, [(0, 1)])
    assert in_closed_form(found) == found
    assert not any(map(is_order, found[0]))


@pytest.mark.parametrize(
    ("program", "factor", "relation", "verdict"),
    [
        (choice, "1/2", "linf", "verified"),
        (choice, "499/1000", "linf", "refuted"),
        (ranking, "1/2", "linf", "verified"),
        (measured, 1, "l1", "verified"),
        (measured, "1/2", "l1", "refuted"),
    ],
)
def test_for_every_epsilon(program, factor, relation, verdict):
    """Between two cells that move by one each, e^epsilon/2 is the greatest ratio."""
    case = Claim("program", (), CELLS, RELATIONS[relation], ApproxDP(Fraction(factor), 0))
    report = decide_every(program, CELLS, case.neighbours, factor=Fraction(factor))
    assert report.verdict == verdict
    found = certificate_of_every(report, case, program, STATED, every="epsilon")
    assert found.trees
    check_ideal(found, case, program, STATED, every="epsilon", within=EVERYWHERE)


def test_a_claim_that_is_tight_is_decided_and_certified():
    case = Claim("program", (), CELLS, RELATIONS["linf"], ApproxDP("1/2", 0))
    report = decide_ideal(case, choice)
    assert report.verdict == "verified"
    assert tuple(map(str, report.epsilon)) == ("1/2", "1/2")
    found = certificate_of(report, STATED)
    assert found.trees
    check_ideal(found, case, choice, STATED)


def test_rejected_where_the_closed_form_is_too_much():
    case = Claim("program", (), CELLS, RELATIONS["linf"], ApproxDP("1/2", 0))
    found = certificate_of(decide_ideal(case, choice), STATED)
    small = Claim("program", (), CELLS, RELATIONS["linf"], ApproxDP("499999999999999/1000000000000000", 0))
    edited = replace(found, epsilon=str(small.guarantee.epsilon))
    with pytest.raises(Rejected, match="not within the claim"):
        check_ideal(edited, small, choice, STATED)
