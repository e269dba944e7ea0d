"""Evidence for float_outcomes.py: real-valued outcomes are refuted by exact events, and never verified."""

import math
import re
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert import Coins, Dist, Report
from dpcert.audit.decide import decide
from dpcert.audit.float_outcomes import POINTS, points_of, search_floats, seen_subject
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.passes import examined
from dpcert.reading.floats.coarse import coarse, floats_in, seen_by
from dpcert.reading.paths.enumerator import enumerate_law

ALL = 1 << 53


def target(guarantee: dpcert.ApproxDP, function: Any) -> dpcert.Target:
    return dpcert.target(guarantee=guarantee, inputs=[0, 1, 2], neighbours="counts_differ_by_one")(function)


def audit(found: dpcert.Target) -> Report:
    subject = found.subject({})
    report = decide(subject, found.guarantee, again=subject.digests)
    return search_floats(report, subject, found.guarantee)


def laplace(count: int, coins: Coins) -> float:
    u = coins.random() - 0.5
    return count - math.copysign(1.0, u) * math.log(1.0 - 2.0 * abs(u))


def half_laplace(count: int, coins: Coins) -> float:
    u = coins.random() - 0.5
    return count - 0.5 * math.copysign(1.0, u) * math.log(1.0 - 2.0 * abs(u))


@dpcert.redirect
def numpys_laplace(count: int) -> float:
    return count + np.random.laplace(scale=1.0)


@pytest.mark.points(1)
@pytest.mark.parametrize("mechanism", [laplace, numpys_laplace])
def test_laplace_in_floats_is_refuted_by_a_float_that_one_input_cannot_reach(mechanism: Any) -> None:
    report = audit(target(dpcert.PureDP(1), mechanism))
    verdict = report.verdict
    assert isinstance(verdict, dpcert.Refuted)
    (y,) = verdict.event
    assert type(y) is float
    found = [enumerate_law(seen_by(mechanism, [y]), x).law for x in (verdict.a, verdict.b)]
    assert found[0].prob(y) >= Fraction(1, ALL)
    assert found[1].prob(y) == 0
    assert verdict.q_hi <= Fraction(1, 1 << 100)  # what numpy's rejection of u = 0 leaves
    assert any("lies within 8 units in the last place" in words for words in report.assumptions)
    assert report.pairs == 1


def test_the_impossible_float_is_reached_by_no_draw_near_it() -> None:
    verdict = audit(target(dpcert.PureDP(1), laplace)).verdict
    assert isinstance(verdict, dpcert.Refuted)
    (y,) = verdict.event

    def value(count: int, k: int) -> float:
        u = k / ALL - 0.5
        return count - math.copysign(1.0, u) * math.log(1.0 - 2.0 * abs(u))

    def nearest(count: int) -> int:
        lo, hi = 1, ALL - 1
        while hi - lo > 1:
            middle = (lo + hi) // 2
            lo, hi = (middle, hi) if value(count, middle) < y else (lo, middle)
        return lo

    for count, reached in ((verdict.a, True), (verdict.b, False)):
        near = nearest(count)
        assert any(value(count, k) == y for k in range(max(near - 2000, 1), near + 2000)) == reached


def test_too_little_noise_is_refuted_at_a_positive_delta() -> None:
    report = audit(target(dpcert.ApproxDP(1, "1e-6"), half_laplace))
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo > Fraction(1, 20)


@pytest.mark.nightly
def test_the_right_noise_at_a_positive_delta_is_undecided_and_never_verified() -> None:
    report = audit(target(dpcert.ApproxDP(1, "1e-6"), laplace))
    assert isinstance(report.verdict, dpcert.Undecided)
    assert "can be refuted and never verified" in report.verdict.reason


def test_an_outcome_that_is_rounded_is_not_called_a_float() -> None:
    def rounded(count: int, coins: dpcert.Coins) -> int:
        return round(count + coins.gauss(0, 5))

    report = audit(target(dpcert.ApproxDP(1, "1e-5"), rounded))
    assert isinstance(report.verdict, dpcert.Undecided)
    assert re.match(r"gauss_next of the coins is not followed \(line \d+ of random.py, in gauss", report.verdict.reason)


class Colour(Enum):
    RED = 1
    BLUE = 2


class Other:
    pass


def of_an_enum(count: int, rng: np.random.Generator) -> Colour:
    return Colour(count % 2 + 1) if rng.random() < 0.6 else Colour.RED


def of_a_class(count: int, rng: np.random.Generator) -> bool:
    made: Any = Other()
    if rng.random() < 0.6:
        made.__class__ = Colour
    return bool(count)


def test_the_reason_of_the_machine_comes_before_that_of_a_float() -> None:
    report = audit(target(dpcert.PureDP(1), of_a_class))
    assert isinstance(report.verdict, dpcert.Undecided)
    reason = r"__class__ is assigned to \(line \d+ of .+\.py, in of_a_class\); write that line"
    assert re.match(reason, report.verdict.reason)


def test_a_member_of_an_enum_is_an_outcome() -> None:
    found = {x: enumerate_law(dpcert.redirect(of_an_enum), x).law for x in (0, 1)}
    assert found[0].prob(Colour.RED) == 1
    assert found[1].prob(Colour.BLUE) == Fraction(5404319552844595, 1 << 53)


def test_the_certificate_is_checked_against_the_program_by_the_kernel() -> None:
    found = target(dpcert.PureDP(1), laplace)
    certificate = audit(found).certificate
    points = points_of(certificate.parameters[POINTS], certificate.verdict)
    assert isinstance(check(certificate, seen_subject(found.subject({}), points), examined), dpcert.Refuted)
    with pytest.raises(Rejected, match=r"laws is|witness"):
        check(
            certificate,
            _as(certificate, seen_subject(target(dpcert.PureDP(1), half_laplace).subject({}), points)),
            examined,
        )
    assert "dpcert/reading/floats/enclosed.py" in certificate.sources


def _as(certificate: Any, subject: Any) -> Any:
    subject.name = certificate.target
    return subject


@pytest.mark.parametrize(("text", "verdict"), [("0x1p0", "verified"), ("x", "refuted"), ("0x1p99999", "refuted")])
def test_refused_points(text: str, verdict: str) -> None:
    with pytest.raises(Rejected, match=POINTS):
        points_of(text, verdict)


def test_two_floats_in_a_tuple_are_searched() -> None:
    def both(count: int, coins: Coins) -> Any:
        return {"noisy": (laplace(count, coins), "text")}

    report = audit(target(dpcert.PureDP(1), both))
    assert isinstance(report.verdict, dpcert.Refuted)


def test_an_exception_and_an_integer_outcome_do_not_stop_the_search() -> None:
    def sometimes(count: int, coins: Coins) -> Any:
        if coins.below(4) == 0:
            raise KeyError("no")
        return laplace(count, coins) if coins.below(2) else 7

    assert isinstance(audit(target(dpcert.PureDP(1), sometimes)).verdict, dpcert.Refuted)


def test_exact_law_of_what_tells_floats_apart() -> None:
    points = (-0.5, 0.25, 0.5)
    law = enumerate_law(seen_by(lambda _, coins: coins.random() - 0.5, points), None).law
    gaps = [("between", None, -0.5), ("between", -0.5, 0.25), ("between", 0.25, 0.5), ("between", 0.5, None)]
    counts = [0, 3 * ALL // 4 - 1, ALL // 4 - 1, 0]
    expected = [(gap, count) for gap, count in zip(gaps, counts, strict=True) if count]
    assert law == Dist.from_weights([(-0.5, 1), (0.25, 1), *expected], ALL)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1),
        ("a", "a"),
        (1.0, 1.0),
        (0.5, ("between", None, 1.0)),
        (math.inf, ("between", 2.0, None)),
        (-math.inf, ("between", None, 1.0)),
        (np.float64(2.0), 2.0),
        ([1.5, None, (2.0,)], [("between", 1.0, 2.0), None, (2.0,)]),
        ({"x": 3.0}, {"x": ("between", 2.0, None)}),
        ({1.0}, {1.0}),
    ],
)
def test_coarse_outcomes(value: Any, expected: Any) -> None:
    found = coarse(value, [1.0, 2.0])
    assert (type(found), found) == (type(expected), expected)


def test_a_nan_stays_and_no_search_takes_what_is_infinite() -> None:
    assert math.isnan(coarse(math.nan, [1.0]))
    assert floats_in((1.5, [math.inf, {"x": -2.0}], math.nan, 3, "a", {4.5})) == [1.5, -2.0]
