"""GeoSample of many counts by the theorem of two counts, beside all pairs one by one."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from bundles import CLOSED, one

from dpcert import ApproxDP, Options, Refuted, Report, Verified
from dpcert.audit.decide import decide
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.unbounded.geosample import theorem
from dpcert.audit.unbounded.geosample.theorem import FEW, TWO_COUNTS, require_steps
from dpcert.audit.unbounded.theorem import RefutingPair, UnboundedClaim, Unfounded
from dpcert.mechanisms.finite_computers.geosample import Weights, geosample_law
from dpcert.targets.cases import case_of
from dpcert.targets.spec import CatalogueSpec
from dpcert.unbounded.asked import is_unbounded

MANY = ("geosample", "--set", f"n={FEW + 50}", *CLOSED)
RATIOS = [Fraction(1, 3), Fraction(1), Fraction(21, 20), Fraction(9, 8), Fraction(3, 2), Fraction(4)]


@pytest.mark.parametrize(("n", "k"), [(2, 1), (5, 3), (9, 1)])
def test_every_pair_of_counts_needs_what_0_and_1_need_alone(n: int, k: int) -> None:
    law, two = geosample_law(n=n, k=k), geosample_law(n=1, k=k)
    for ratio in RATIOS:
        for a, b in ((0, 1), (1, 0)):
            alone = hockey_stick(two(a), two(b), ratio)
            assert all(hockey_stick(law(c + a), law(c + b), ratio) == alone for c in range(n))


def whole(n: int, epsilon: str, delta: str) -> Report:
    options = Options(epsilon=epsilon, delta=delta, law_source="closed-form")
    case = case_of(CatalogueSpec("geosample", {"n": str(n), "epsilon": "1/2"}), options)
    return decide(case.subject, case.guarantee, again=case.subject.digests)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [("ln(5/4)", "0"), ("1/5", "0"), ("0", "1/9"), ("0", "1/10"), ("1/9", "1/100"), ("1/9", "1/10")],
)
def test_its_answers_are_those_of_all_pairs_one_by_one(epsilon: str, delta: str) -> None:
    report, parameters = whole(7, epsilon, delta), {"n": "7", "epsilon": "1/2"}
    claim = UnboundedClaim("geosample", parameters, ApproxDP(epsilon, delta), "counts_differ_by_one", "closed-form")
    found = TWO_COUNTS.search(claim)
    assert isinstance(found, RefutingPair) is not isinstance(report.verdict, Verified)
    if isinstance(found, RefutingPair):
        assert isinstance(report.verdict, Refuted)
        assert found.bounds == (report.delta_lo, report.delta_hi, report.epsilon_lo, report.epsilon_hi)
        assert (report.verdict.witness.a, report.verdict.witness.b) == (found.a, found.b)


def test_many_counts_are_verified_and_the_bundle_is_accepted(quick: Any, recheck: Any, tmp_path: Path) -> None:
    result = one(quick(*MANY, "--certificates", tmp_path))
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form, theorem")
    assert (result["epsilon"]["hi"], result["pairs"]) == ("ln(33/32)", 2 * (FEW + 50))
    assert result["claim"]["sentence"].endswith(f"on the {FEW + 51} inputs 0 to {FEW + 50}")
    path = Path(result["certificate"])
    assert recheck(path) == (0, f"accepted: verified: {result['claim']['sentence']}")
    data = json.loads(path.read_text())
    for edit in ({"delta": "0x1/0x10"}, {"hints": {"n": 1}}, {"parameters": {**data["parameters"], "n": str(FEW)}}):
        path.write_text(json.dumps({**data, **edit}))
        assert recheck(path)[0] != 0


@pytest.mark.parametrize(("epsilon", "slack"), [("1/100", None), ("0.030771658666753", "6.9e-16")])
def test_many_counts_are_refuted_by_the_smallest_pair_of_their_own(
    quick: Any, recheck: Any, tmp_path: Path, epsilon: str, slack: str | None
) -> None:
    result = one(quick(*MANY, "--epsilon", epsilon, "--certificates", tmp_path))
    assert (result["verdict"], result["claim"]["parameters"]["n"]) == ("refuted", str(FEW + 50))
    assert (result["worst"]["a"], result["worst"]["b"], result["worst"]["event"]) == (0, 1, [0])
    assert (result["rounding"] and result["rounding"]["slack"]) == slack
    assert recheck(Path(result["certificate"]))[0] == 0


@pytest.mark.parametrize("other", [Options(), Options(law_source="closed-form", neighbours="any")])
def test_it_is_about_its_own_pairs_by_the_closed_form_alone(other: Options) -> None:
    spec = CatalogueSpec("geosample", {"n": str(FEW + 1), "epsilon": "1/10"})
    assert not is_unbounded(spec, other)
    assert is_unbounded(spec, Options(law_source="closed-form"))


@pytest.mark.parametrize("n", [1, 2, 40])
@pytest.mark.parametrize("k", [1, 5])
def test_caught_weights_that_do_not_fall_evenly_or_sum_to_another_number(n: int, k: int) -> None:
    weights = Weights.of(n=n, k=k)
    require_steps(weights, k)
    wrong = [
        weights._replace(denominator=weights.denominator + 1),
        weights._replace(ends=[*weights.ends[:-1], weights.ends[-1] + 1]),
        weights._replace(interior=[weights.interior[0] + 1, *weights.interior[1:]]),
    ]
    for each in wrong if n > 1 else wrong[:2]:
        with pytest.raises(Unfounded):
            require_steps(each, k)


def test_caught_a_closed_form_of_other_noise(quick: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theorem, "Weights", Other)
    result = one(quick(*MANY))
    assert (result["verdict"], "weights" in result["reason"]) == ("undecided", True)


class Other:
    """The weights of another ratio."""

    @staticmethod
    def of(*, n: int, k: int) -> Weights:
        return Weights.of(n=n, k=k + 1)
