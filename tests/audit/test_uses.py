"""Uses composed in one call: equal to exact powers, in time for thousands of rounds, and what is refused."""

from fractions import Fraction
from typing import Any, cast

import pytest

import dpcert
from dpcert import Dist, Epsilon, InputError, compose
from dpcert.audit.between import Between
from dpcert.audit.composition import Canonical
from dpcert.audit.profile import profile

ONE = profile(Dist.of({0: "5/8", 1: "2/8", 2: "1/8"}), Dist.of({0: "1/8", 1: "3/8", 2: "4/8"}))
PURE = dpcert.PureDP("ln(3)")


def test_exact_twin_of_few_uses() -> None:
    found = compose([ONE, (PURE, 2), ONE])
    exactly = ONE.compose(ONE).compose(Canonical(Epsilon.ln(3), Fraction(0)).at(Fraction(3)).power(2))
    for epsilon in ("0", "ln(2)", "ln(20)"):
        assert found.delta_at(epsilon).lo == found.delta_at(epsilon).hi == exactly.delta_at(Epsilon.of(epsilon)).lo
    assert found.ratio_at("1/10").hi == exactly.least_ratio(Fraction(1, 10))
    answer = found.epsilon_at("1/10")
    assert answer.lo is not None
    assert Epsilon.of(answer.lo).exp_bounds(64)[0] <= exactly.least_ratio(Fraction(1, 10))


def test_a_verdict_stands_for_its_guarantee_and_a_claim_for_its_profile() -> None:
    @dpcert.target(guarantee=PURE, inputs=(0, 1), neighbours="any")
    def response(bit: int, coins: Any) -> int:
        return bit if coins.below(4) else 1 - bit

    verdict = dpcert.audit(response).seen.verdict
    assert isinstance(verdict, dpcert.Verified)
    assert compose([(verdict, 3)]).delta_at("1").hi == compose([(PURE, 3)]).delta_at("1").hi
    claim = dpcert.profile(response)
    assert compose([claim]).delta_at("1").hi == claim.delta_at("1").hi


def test_an_enclosed_profile_gives_both_sides() -> None:
    wide = profile(Dist.of({0: "7/8", 1: "1/8"}), Dist.of({0: "1/8", 1: "7/8"}))
    narrow = profile(Dist.of({0: "3/4", 1: "1/4"}), Dist.of({0: "1/4", 1: "3/4"}))
    answer = compose([(Between(narrow, wide), 2)]).delta_at("ln(2)")
    assert answer.lo == narrow.power(2).delta(2)
    assert answer.hi == wide.power(2).delta(2)
    assert answer.method == "enclosed"


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("times", "delta"), [(30, "1e-6"), (10_000, "1e-5")])
def test_rounds_in_time_and_close(times: int, delta: str) -> None:
    """The profile of sample-threshold took 46 seconds for 30 rounds on a grid that was too fine."""
    one = dpcert.profile("sample-threshold", kmax=30, options=dpcert.Options(law_source="closed-form"))
    together = compose([(one, times)])
    answer = together.epsilon_at(delta)
    assert answer.lo <= answer.hi <= answer.lo * Fraction(101, 100)
    below, above = (together.delta_at(epsilon) for epsilon in (answer.lo, answer.hi))
    assert (below.hi or 0) >= Fraction(delta) >= (above.lo or 0)


def test_refused_uses() -> None:
    with pytest.raises(InputError, match="no pair"):
        compose([])
    with pytest.raises(InputError, match="a str"):
        compose([cast("Any", "twice")])
    with pytest.raises(InputError, match="0 compositions"):
        compose([(ONE, 0)])
