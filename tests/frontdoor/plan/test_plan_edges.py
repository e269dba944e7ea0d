"""`dpcert plan` at the edges: rates near 0 and 1, cut-offs that need no mixing, tiny epsilons, sizes beyond a clip."""

import json
from fractions import Fraction
from math import comb, exp
from pathlib import Path
from typing import Any

import pytest

import dpcert.planning.stability as own
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.planning.clipped import noise_ratio, plan_clipped_l1
from dpcert.planning.families import budget_of, proposal_for
from dpcert.planning.fixed import binomial_at_least, power_bounds
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Question
from dpcert.planning.stability import Lone
from dpcert.targets.cases import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.unbounded.auditing import audit_unbounded
from dpcert.worker.codec import decode, encode

ADDED = ("1", "1e-6", "add-remove")


def written(folder: Path, counts: list[int]) -> str:
    path = folder / "counts.csv"
    path.write_text("".join(f"key{place},{count}\n" for place, count in enumerate(counts)))
    return str(path)


@pytest.mark.nightly
def test_a_rate_near_1_is_planned_and_one_nearer_names_the_tried_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    found = proposal_for(Question("sample-threshold", *ADDED, {"rate": "99/100"}))
    assert found.answer == {"rate": "99/100", "threshold": "3372"}
    monkeypatch.setattr("dpcert.planning.sample_threshold.MOST_THRESHOLD", 3371)
    found = proposal_for(Question("sample-threshold", *ADDED, {"rate": "99/100"}))
    assert (found.answer, found.why) == (None, "the least threshold at this rate, of those up to 3,371")
    found = proposal_for(Question("sample-threshold", "1", "1e-6", "substitute", {"rate": "9/10"}))
    assert (found.answer, found.why) == (None, "the least threshold at this rate, of those up to 200")


def test_a_count_that_needs_more_refutes_without_an_audit_of_all_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: object, **named: object) -> Any:
        raise AssertionError("the premise is audited once, by who asked")

    monkeypatch.setattr("dpcert.unbounded.auditing.decide", never)
    spec = CatalogueSpec("sample-threshold", {"rate": "1/2", "threshold": "3"})
    options = Options(law_source="closed-form", epsilon="ln(2)", delta="1/1000", neighbours="add-remove")
    refutes = audit_unbounded(spec, options, never).refutes
    assert refutes[0].settings["kmax"] == "3"


@pytest.mark.parametrize(("rate", "keys"), [("1/100000", 2.0), ("1e-12", 2 - exp(-0.1))])
def test_a_tiny_rate_is_evaluated_on_great_counts(tmp_path: Path, rate: str, keys: float) -> None:
    file = written(tmp_path, [1, 100, 10**11, 10**18 - 1])
    found = proposal_for(Question("sample-threshold", *ADDED, {"rate": rate}, frequencies=file))
    assert "None" not in " ".join(found.bought)
    assert float(found.utility["keys shown"]) == pytest.approx(keys, abs=1e-5)


def test_expected_values_hold_250_bits_for_many_people_at_a_low_rate() -> None:
    for people, threshold in ((2000, 3), (5000, 30)):
        below = sum(comb(people, v) * 999 ** (people - v) for v in range(threshold))
        found = binomial_at_least(people, Fraction(1, 1000), threshold)
        assert abs(found - (1 - Fraction(below, 1000**people))) < Fraction(1, 2**250)


@pytest.mark.parametrize(("n", "cutoff"), [(1, 5), (3, 9)])
def test_a_cutoff_without_mixing_has_the_least_gamma_tried(
    inside: Any, workers_inside: None, n: int, cutoff: int
) -> None:
    asked = ("plan", "fastsample", "--epsilon", "1", "--neighbours", "counts_differ_by_one", "--set", f"n={n}")
    done = inside(*asked, "--set", f"cutoff={cutoff}", "--json")
    assert (done.status, done.document["kind"], done.document["beyond"]) == (0, "optimum", [])
    assert done.document["answer"]["gamma"] == f"1/{10**100}"
    assert done.document["notes"] == ["a lesser gamma was not tried; with this cut-off it may be private as well"]
    law = fastsample_law(n=n, epsilon=Fraction(1), gamma=Fraction(1, 10**200), at=cutoff)
    laws = [dict(law(count).items()) for count in range(n + 1)]
    below, _ = Epsilon.of("1").exp_bounds(64)
    for a in range(n):
        for p, q in ((laws[a], laws[a + 1]), (laws[a + 1], laws[a])):
            assert all(p[z] <= below * q[z] for z in range(n + 1))


def test_powers_are_bounded() -> None:
    for x in (Fraction(1, 3), Fraction(255, 256), Fraction(1), Fraction(0)):
        for m in (0, 1, 2, 3, 7, 100, 1023):
            lo, hi = power_bounds(x, m, 200)
            assert lo <= x**m <= hi <= lo + Fraction(2 * 10 * m + 1, 1 << 200)


def test_a_search_in_bounds_finds_the_threshold_of_exact_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "SHORT", 0)
    for n, k, gamma, t in ((40, 2, Fraction(0), 0), (60, 3, Fraction(1, 50), 20), (25, 1, Fraction(1, 9), 4)):
        lone = Lone(n=n, k=k, gamma=gamma, t=t)
        exactly = [lone.delta(b) for b in range(n + 1)]
        for b, delta in enumerate(exactly):
            lo, hi = lone.bounds(b)
            assert lo <= delta <= hi <= lo + Fraction(1, 2**400)
            for asked in (delta, delta / 2, delta + Fraction(1, 10**9)):
                assert lone.least(asked) == next(at for at, spent in enumerate(exactly) if spent <= asked)


@pytest.mark.parametrize("epsilon", ["1/1000", "1e-6"])
def test_a_threshold_in_the_millions_is_planned(epsilon: str) -> None:
    question = Question("stability-histogram", epsilon, "1e-9", "substitute", {"n": str(10**9)})
    found = proposal_for(question)
    assert found.answer is not None
    lo, hi = (Fraction(text) for text in found.delta)
    assert 0 < hi <= Fraction(1, 10**9)
    assert hi - lo <= Fraction(1, 2**400)
    assert decode(Proposal, json.loads(json.dumps(encode(found)))) == found


def test_labels_shown_are_expected_with_the_noise_that_is_cut_off_and_mixed() -> None:
    for lone, law in (
        (
            Lone(n=12, k=2, gamma=Fraction(1, 7), t=5),
            fastsample_law(n=12, epsilon=Fraction(1, 2), gamma=Fraction(1, 7), at=5),
        ),
        (Lone(n=12, k=2), geosample_law(n=12, k=2)),
    ):
        for frequency in range(1, 13):
            for b in range(14):
                exactly = sum((p for z, p in law(frequency).items() if z > b), Fraction(0))
                assert abs(lone.shown(frequency, b) - exactly) < Fraction(1, 2**200)


def test_the_printed_k_of_fastsample_in_a_histogram_is_said_to_be_printed() -> None:
    asked = {"n": "9", "sampler": "fastsample"}
    found = proposal_for(Question("stability-histogram", "ln(9/4)", "1/20", "substitute", asked))
    assert "with the printed k and cut-off" in found.why
    other = proposal_for(Question("stability-histogram", "ln(9/4)", "1/20", "substitute", {"n": "9"}))
    assert "printed" not in other.why


@pytest.mark.parametrize(("epsilon", "dimension"), [("ln(3)", 1), ("5", 2), ("20", 1)])
def test_no_clip_has_a_lower_error_where_the_noise_jumps(tmp_path: Path, epsilon: str, dimension: int) -> None:
    counts = [1] * 5 + [2, 3, 5] * 4 + [8] * 3 + [13, 13, 40]
    asked, file = {"dimension": str(dimension)}, written(tmp_path, counts)
    question = Question("clipped-sum-l1", epsilon, None, "replace-user", asked, frequencies=file)
    found = proposal_for(question)

    def error(clip: int) -> Fraction:
        alpha = 1 / noise_ratio(Epsilon.of(epsilon), clip=clip, dimension=dimension)
        return sum(max(0, count - clip) for count in counts) + dimension * 2 * alpha / (1 - alpha**2)

    assert error(int(found.answer["clip"])) == min(error(clip) for clip in range(1, 41))


def test_a_printed_clip_beyond_what_is_planned_is_named_and_an_error_is_rounded_up(tmp_path: Path) -> None:
    counts = written(tmp_path, [30_000, 20_000, 17, 1_000_003])
    found = proposal_for(Question("clipped-sum-l1", "1e9", None, "replace-user", frequencies=counts, against="paper"))
    assert found.paper == {"clip": "1000003"}
    assert "the printed threshold is above 10000, up to which clips are planned" in found.bought
    assert "of all up to 10000" in found.why
    assert Fraction(found.utility["mean l1 error, at most"]) >= Fraction(found.utility["items lost by clipping"])


def test_a_clip_is_planned_among_those_that_a_tiny_epsilon_allows() -> None:
    question = Question("clipped-sum-l1", "1e-6", None, "replace-user")
    found = plan_clipped_l1(question, budget_of(question), Frequencies(((10**6, 10**7),), 0))
    clip = int(found.answer["clip"])
    assert f"of all up to {clip}," in found.why
    assert Fraction(1, 2**33) < Fraction(1, 10**6) / clip < Fraction(1, 2**32) * Fraction(1001, 1000)


def test_the_least_noise_that_there_is_is_no_search(inside: Any, workers_inside: None) -> None:
    asked = ("plan", "clipped-sum-l1", "--epsilon", "1e9", "--neighbours", "replace-user", "--set", "clip=2")
    done = inside(*asked, "--against", "paper")
    assert done.status == 0
    assert "optimum: the least noise of a ratio that is an integer or 1 + 1/m, below 2^32" in done.lines
    assert "Theorem 4.2" not in done.out


def test_a_draw_too_long_for_a_law_is_refused_before_one_is_made(inside: Any, workers_inside: None) -> None:
    asked = ("--delta", "1e-6", "--neighbours", "substitute", "--set", "sampler=fastsample", "--epsilon", "1e-9")
    assert "fewer than 20000 bits" in inside("plan", "stability-histogram", *asked).refusal()
    given = ("--set", "sampler=fastsample", "--set", "epsilon=1e-9", "--set", "gamma=1/9")
    assert "fewer than 20000 bits" in inside("audit", "stability-histogram", *given).refusal()


@pytest.mark.parametrize("asked", [{"keys": "100"}, {"size": "1e-9"}])
def test_what_no_parameter_meets_is_said_of_keys_and_of_sizes(tmp_path: Path, asked: dict[str, str]) -> None:
    file = written(tmp_path, [1, 3, 9])
    question = Question("pws-keys", "1", "1e-6", "counts_differ_by_one", asked, frequencies=file)
    found = proposal_for(question)
    assert found.answer is None or "size" in asked
    assert found.why.startswith("the least epsilon" if "keys" in asked else "the greatest tau = 1/j")
