"""Evidence for float_outcomes.py: an impossible outcome refutes, is re-checked by the kernel, and is not made up."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import dpcert
from dpcert import Coins, Report
from dpcert.audit.decide import decide
from dpcert.audit.float_outcomes import SEEN, search_floats, seen_as_certified
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.one_float import DRAWN, RELEASED
from dpcert.audit.passes import examined
from dpcert.reading.paths.reach import plain_run


def target(guarantee: dpcert.ApproxDP, function: Any) -> dpcert.Target:
    return dpcert.target(guarantee=guarantee, inputs=[0, 1, 2], neighbours="counts_differ_by_one")(function)


def audit(found: dpcert.Target) -> Report:
    subject = found.subject({})
    report = decide(subject, found.guarantee, again=subject.digests)
    return search_floats(report, subject, found.guarantee)


def noise(coins: Coins) -> float:
    return math.log(1.0 - coins.random()) * math.cos(math.pi * coins.random())


def laplace(count: int, coins: Coins) -> float:
    return count + noise(coins) + 0.0


def both(count: int, coins: Coins) -> Any:
    return {"noisy": (laplace(count, coins), "text"), "odd": coins.below(2)}


@pytest.fixture(scope="module")
def refuted() -> Report:
    return audit(target(dpcert.PureDP(1), laplace))


def test_noise_of_two_draws_is_refuted_by_an_outcome_of_two_draws(refuted: Report) -> None:
    verdict = refuted.verdict
    assert isinstance(verdict, dpcert.Refuted)
    (y,) = verdict.event
    assert (verdict.p_lo, verdict.q_hi) == (Fraction(1, 1 << 106), 0)
    draws = refuted.certificate.parameters[DRAWN].split(", ")
    record = tuple((1 << 53, int(draw.split()[0], 16)) for draw in draws)
    assert plain_run(laplace, verdict.a, record) == (y, record)
    assert (Fraction(y) * 2**53).denominator > 1  # 1 and noise is a multiple of 2^-53 where it is small
    assert any("IEEE 754" in words for words in refuted.assumptions)
    assert "dpcert/reading/paths/reach.py" in refuted.certificate.sources
    assert "dpcert/reading/floats/supersets.py" in refuted.certificate.sources


def recheck(report: Report, function: Any = laplace, **changed: str) -> object:
    parameters = {**report.certificate.parameters, **changed}
    certificate = replace(report.certificate, parameters=parameters)
    subject = target(dpcert.PureDP(1), function).subject({})
    subject.name = certificate.target
    seen = {name: parameters[name] for name in SEEN if name in parameters}
    return check(certificate, seen_as_certified(subject, seen, certificate.verdict), examined)


def test_the_kernel_accepts_the_certificate(refuted: Report) -> None:
    assert isinstance(recheck(refuted), dpcert.Refuted)


@pytest.mark.parametrize(
    "changed",
    [
        {RELEASED: "0x1p-1"},
        {RELEASED: "one"},
        {DRAWN: "0x1 of 0x20000000000000, 0x1 of 0x20000000000000"},
        {DRAWN: "0x5 of 0x4"},
        {DRAWN: ""},
        {"told apart": "0x1p-1"},
    ],
)
def test_a_certificate_of_another_float_or_other_draws_is_refused(refuted: Report, changed: dict[str, str]) -> None:
    with pytest.raises((Rejected, dpcert.Unauditable)):
        recheck(refuted, **changed)


def test_a_certificate_is_refused_for_a_program_that_can_release_the_float(refuted: Report) -> None:
    def wide(count: int, coins: Coins) -> float:
        return laplace(count, coins) if count == 0 else noise(coins) + noise(coins)

    with pytest.raises((Rejected, dpcert.Unauditable)):
        recheck(refuted, wide)


def test_it_can_only_refute(refuted: Report) -> None:
    seen = {name: refuted.certificate.parameters[name] for name in (RELEASED, DRAWN)}
    with pytest.raises(Rejected, match="only be refuted"):
        seen_as_certified(target(dpcert.PureDP(1), laplace).subject({}), seen, "verified")


def test_a_float_inside_of_an_outcome_refutes() -> None:
    verdict = audit(target(dpcert.PureDP(1), both)).verdict
    assert isinstance(verdict, dpcert.Refuted)
    assert verdict.p_lo == Fraction(1, 1 << 107)


def rounded(count: int, coins: Coins) -> int:
    return round(laplace(count, coins))


def alike(count: int, coins: Coins) -> float:
    return noise(coins) * noise(coins)


def correlated(count: int, coins: Coins) -> float:
    x = noise(coins)
    return count * 0.25 + (x - x)


def steps(count: int, coins: Coins) -> float:
    return math.floor(laplace(count, coins) * 4.0) / 4.0


@pytest.mark.points(2)
@pytest.mark.parametrize("mechanism", [rounded, alike, correlated, steps])
def test_what_has_no_impossible_outcome_that_bounds_show_is_undecided(mechanism: Any) -> None:
    assert isinstance(audit(target(dpcert.PureDP(1), mechanism)).verdict, dpcert.Undecided)


def test_a_claim_with_a_delta_is_not_refuted_by_so_rare_an_outcome() -> None:
    assert isinstance(audit(target(dpcert.ApproxDP(1, "1e-30"), laplace)).verdict, dpcert.Undecided)


@pytest.mark.nightly
def test_a_loop_that_rejects_is_refuted_by_an_impossible_outcome() -> None:
    def polar(count: int, coins: Coins) -> float:
        while True:
            x, y = coins.random(), coins.random()
            if x * x + y * y < 1.0:
                return count + x

    verdict = audit(target(dpcert.PureDP(1), polar)).verdict
    assert isinstance(verdict, dpcert.Refuted)
    assert (verdict.q_hi, verdict.event[0] < 1) == (0, verdict.a == 0)  # in [0, 1) on 0, and in [1, 2] on 1
