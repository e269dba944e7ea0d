"""Verdicts on counts of any size, also of a program that is faulty beyond them, and GeoSample by its theorem."""

import json
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from bundles import CLOSED, MOVES, SMALL, one

import dpcert.mechanisms.sample_and_threshold.sample_threshold as own
from dpcert import ApproxDP, Epsilon, Options, Refuted, Report, Verified, exact
from dpcert.audit.decide import decide
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.unbounded.geosample import theorem
from dpcert.audit.unbounded.geosample.theorem import FEW, TWO_COUNTS, require_steps
from dpcert.audit.unbounded.theorem import RefutingPair, UnboundedClaim, Unfounded
from dpcert.mechanisms.broken.sample_threshold import threshold_late
from dpcert.mechanisms.finite_computers.geosample import Weights, geosample_law
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.targets.cases import case_of
from dpcert.targets.spec import CatalogueSpec
from dpcert.unbounded.asked import is_unbounded
from dpcert.worker.results import write_certificate


@pytest.mark.nightly
def test_by_default_every_count_is_covered_and_the_least_delta_is_exact(quick: Any) -> None:
    result = one(quick("sample-threshold"))
    claim = result["claim"]
    assert result["verdict"] == "verified"
    assert claim["sentence"].endswith("for counts that differ by one, on all counts")
    assert claim["parameters"]["kmax"] == "all"
    exactly = greatest_delta(rate=Fraction(1, 10), threshold=10, ratio=Fraction(20, 9)).delta
    assert result["delta"]["lo"] == result["delta"]["hi"]
    assert exact(result["delta"]["hi"], "delta") == exactly
    first, second = result["assumptions"]
    assert first.startswith("by the theorem of all counts (docs/explanation/all-counts.md) from 2 finite claims")
    assert second.startswith("above 30 people the program samples and reports as it does up to there")


def test_an_alias_of_a_relation_is_the_relation_on_all_counts() -> None:
    assert Options(neighbours="element") == Options(neighbours="counts_differ_by_one")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["counts_differ_by_one", "add-remove", "substitute"])
def test_a_bundle_of_each_relation_is_accepted_by_sentence(made: dict[str, Path], recheck: Any, name: str) -> None:
    status, line = recheck(made[name])
    assert status == 0
    words = {
        "counts_differ_by_one": "for counts that differ by one, on all counts",
        "add-remove": "for lists one of which is the other without one element, on all lists",
        "substitute": "for lists of one length that differ in one element, on all lists",
    }
    assert line.startswith("accepted: verified: ")
    assert line.endswith(words[name])


@pytest.mark.nightly
def test_each_premise_of_a_bundle_is_a_certificate(made: dict[str, Path], recheck: Any, tmp_path: Path) -> None:
    for name, kinds in (("counts_differ_by_one", 2), ("substitute", 1)):
        premises = json.loads(made[name].read_text())["premises"]
        assert len({premise["target"] for premise in premises}) == kinds == len(premises)
        for premise in premises:
            path = tmp_path / "premise.json"
            path.write_text(json.dumps(premise))
            assert recheck(path)[0] == 0


def test_an_explicit_count_keeps_the_finite_scope(quick: Any) -> None:
    result = one(quick("sample-threshold", "--set", "kmax=9"))
    assert result["claim"]["sentence"].endswith("on the 10 inputs 0 to 9")
    assert result["assumptions"] == []


def test_a_claim_that_a_count_breaks_is_refuted_by_the_least_such_pair(quick: Any) -> None:
    result = one(quick("sample-threshold", "--set", "threshold=2", "--delta", "1/1000"))
    assert (result["verdict"], result["worst"]["a"], result["worst"]["b"]) == ("refuted", 2, 1)
    assert result["notes"][0].startswith("so it is false that sample-threshold(rate=1/10, threshold=2, kmax=all) is ")
    assert one(quick("sample-threshold", "--delta", "0"))["verdict"] == "refuted"


@pytest.mark.nightly
def test_moves_are_refuted_by_two_bins_where_one_bin_is_within(quick: Any, recheck: Any, tmp_path: Path) -> None:
    """At the least delta of one bin, two bins that change need more."""
    rate, ratio = Fraction(1, 4), Fraction(11, 10)
    alone = greatest_delta(rate=rate, threshold=3, ratio=ratio).delta
    claim = ("--set", "rate=1/4", "--set", "threshold=3", "--epsilon", "ln(11/10)")
    delta = ("--delta", f"{alone.numerator}/{alone.denominator}")
    assert one(quick("sample-threshold", *claim, *delta))["verdict"] == "verified"
    refuted = one(quick("sample-threshold", *claim, *delta, *MOVES, "--certificates", tmp_path))
    assert refuted["verdict"] == "refuted"
    assert refuted["claim"]["sentence"].startswith("moved-person(")
    assert recheck(Path(refuted["certificate"]))[0] == 0


def test_a_delta_between_the_bounds_is_undecided_with_the_gap(quick: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of few points: with more of them the bounds meet."""
    claim = ("--delta", "3.85e-8", *MOVES, *CLOSED)
    assert one(quick("sample-threshold", *claim))["verdict"] == "verified"
    monkeypatch.setattr("dpcert.audit.unbounded.sample_and_threshold.two_bins._MOST_POINTS", 1)
    result = one(quick("sample-threshold", *claim))
    assert result["verdict"] == "undecided"
    assert "3.8469e-8 is needed, by bins of 16 and 53 people and of 15 and 54, and " in result["reason"]
    lo, hi = (exact(result["delta"][side], side) for side in ("lo", "hi"))
    assert lo < Fraction(385, 10**10) < hi


@pytest.mark.nightly
def test_an_irrational_epsilon_and_laws_from_the_closed_form(quick: Any, recheck: Any, tmp_path: Path) -> None:
    result = one(quick("sample-threshold", "--epsilon", "1", *MOVES, *CLOSED, "--certificates", tmp_path))
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form")
    assert result["assumptions"][1].startswith("the law on every count is the closed form's")
    assert recheck(Path(result["certificate"]))[0] == 0


@pytest.mark.nightly
def test_premises_whose_laws_are_rounded_are_accepted(quick: Any, recheck: Any, tmp_path: Path) -> None:
    claim = ("--set", "rate=1/100", "--epsilon", "ln(51/50)", "--delta", "1e-4", *CLOSED)
    result = one(quick("sample-threshold", *claim, "--certificates", tmp_path))
    assert result["verdict"] == "verified"
    assert "rounded down to" in result["notes"][0]
    assert exact(result["tail"], "tail") > 0
    assert recheck(Path(result["certificate"]))[0] == 0


@pytest.mark.parametrize(("delta", "verdict"), [("2.8e-10", "refuted"), ("3.5e-10", "verified")])
def test_hundreds_of_counts_and_people_who_move(quick: Any, delta: str, verdict: str) -> None:
    claim = ("--set", "threshold=100", "--set", "rate=1/2", "--epsilon", "ln(2)", "--delta", delta)
    result = one(quick("sample-threshold", *claim, *MOVES, *CLOSED))
    assert result["verdict"] == verdict


@pytest.mark.nightly
@pytest.mark.parametrize(("more", "verdict"), [((), "verified"), (MOVES, "refuted")])
def test_threshold_480_at_theorem_2s_delta_is_decided(quick: Any, more: tuple[str, ...], verdict: str) -> None:
    """Within the time limit of 30 seconds, with laws from the program."""
    claim = ("--set", "threshold=480", "--set", "rate=1/2", "--epsilon", "ln(2)", "--delta", "4.37518e-37")
    start = process_time()
    assert one(quick("sample-threshold", *claim, *more))["verdict"] == verdict
    assert process_time() - start < 30


@pytest.mark.nightly
def test_the_kernel_refutes_theorem_2_for_people_who_move(quick: Any) -> None:
    """The delta is the printed bound at threshold 445, rounded up to six digits."""
    bins = ("--set", "rate=1/3", "--set", "threshold=445", "--set", "left=849", "--set", "entered=1549")
    result = one(quick("moved-person", *bins, "--epsilon", "ln(3/2)", "--delta", "9.24262e-37", *CLOSED))
    assert result["verdict"] == "refuted"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--neighbours", "any"), "counts_differ_by_one, add-remove or substitute"),
        (("--neighbours", "l1"), "--set kmax=30"),
        (("--observe", "draws"), "how many draws there are tells the count"),
        (("--set", "kmax=every"), "kmax"),
    ],
)
def test_refused_in_one_line(quick: Any, arguments: tuple[str, ...], words: str) -> None:
    done = quick("sample-threshold", *arguments)
    assert done.status == 2
    assert words in done.refusal()


def test_where_no_premises_are_found_it_is_undecided(quick: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.mechanisms.sample_and_threshold.all_counts.MOST", 3)
    result = one(quick("sample-threshold", "--set", "threshold=40", "--delta", "1e-9"))
    assert result["verdict"] == "undecided"
    assert result["reason"].startswith("the search for premises stopped")


@pytest.mark.points(5)
@pytest.mark.parametrize("more", [(), MOVES])
@pytest.mark.parametrize(
    ("epsilon", "delta", "verdict"),
    [
        ("0", "0", "refuted"),
        ("0", "1/2", "verified"),
        ("1/1000", "1/2", "verified"),
        ("1000", "1e-9", "refuted"),
        ("1e9", "1/64", "verified"),
    ],
)
def test_epsilons_near_zero_and_astronomic(
    quick: Any, more: tuple[str, ...], epsilon: str, delta: str, verdict: str
) -> None:
    """At threshold 3 and rate 1/4 three people are shown with probability 1/64, and two never."""
    claim = (*SMALL[:4], "--epsilon", epsilon, "--delta", delta)
    if (more, verdict, epsilon) == (MOVES, "verified", "1e9"):
        claim = (*SMALL[:4], "--epsilon", epsilon, "--delta", "1/60")  # bounds at points are rounded up
    assert one(quick("sample-threshold", *claim, *CLOSED, *more))["verdict"] == verdict


@pytest.mark.nightly
def test_little_is_looked_at_where_laws_are_from_the_program_and_delta_has_room(quick: Any) -> None:
    """The delta of counts of any size, at 90 people, would take minutes to be exact."""
    result = one(quick("sample-threshold", "--epsilon", "1/100", "--delta", "1/2"))
    assert result["verdict"] == "verified"
    exactly = greatest_delta(rate=Fraction(1, 10), threshold=10, ratio=Epsilon.of("1/100").exp_bounds(128)[0])
    assert exactly.reach > 60
    lo, hi = (exact(result["delta"][side], side) for side in ("lo", "hi"))
    assert lo < exactly.delta <= hi


def test_caught_a_certificate_of_some_counts_that_says_all(quick: Any, recheck: Any, tmp_path: Path) -> None:
    """On the counts 0 to 30 the claim holds, on all it is false: a certificate that names kmax=all is of neither."""
    assert one(quick("sample-threshold", *CLOSED, "--epsilon", "ln(91/90)", "--delta", "1/200"))["verdict"] == "refuted"
    case = case_of(
        CatalogueSpec("sample-threshold"), Options(epsilon="ln(91/90)", delta="1/200", law_source="closed-form")
    )
    report = decide(case.subject, case.guarantee, again=case.subject.digests)
    assert report.certificate.verdict == "verified"
    status, line = recheck(write_certificate(tmp_path, report.certificate, case.spec))
    assert (status, "a bundle is needed for kmax=all" in line) == (1, True), line


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `sample-threshold` be the program that leaves the threshold out from 1,000 people on."""

    def swapped(*, rate: Fraction, threshold: int) -> Any:
        return threshold_late.fault.place({"rate": str(rate), "threshold": str(threshold), "late": "1000"})

    monkeypatch.setattr(own, "sample_threshold", swapped)


@pytest.mark.nightly
def test_caught_a_threshold_that_is_left_out_for_crowds(quick: Any, late: None) -> None:
    for more in ((), MOVES):
        result = one(quick("sample-threshold", *SMALL, *more))
        assert result["verdict"] == "undecided"
        assert "no audited count reached line" in result["reason"]
        assert "greater ones may" in result["reason"]


@pytest.fixture
def bundle(made: dict[str, Path]) -> Path:
    return made["counts_differ_by_one"]


def test_caught_at_recheck_too(bundle: Path, recheck: Any, late: None) -> None:
    status, line = recheck(bundle)
    assert status == 1
    assert "sources" in line or "no audited count reached" in line


def test_a_finite_audit_of_it_is_verified_as_far_as_it_says(quick: Any, late: None) -> None:
    result = one(quick("sample-threshold", *SMALL, "--set", "kmax=8"))
    assert result["verdict"] == "verified"
    assert result["unreached"]["lines"]


def test_no_theorem_is_about_a_fault(quick: Any) -> None:
    done = quick("sample-threshold-late", "--set", "kmax=all", "--set", "late=1000", "--set", "threshold=10")
    assert done.status == 2
    assert "no theorem covers every count of sample-threshold-late" in done.refusal()


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
