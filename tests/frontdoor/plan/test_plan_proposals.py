"""Plans of levels, contacts and histograms: small cases need no more than a plan says, and one less is too little."""

import json
from fractions import Fraction
from functools import partial
from math import comb
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.audit.profile import profile
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.compact_costs import exact_ratio, settled
from dpcert.mechanisms.finite_computers.compact_histogram import parts_of
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, least_threshold
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.planning.contacting import beyond
from dpcert.planning.families import proposal_for
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Question

CASES = [
    ("hierarchical-histogram", "levels", 2, "1/2", "ln(3)", "1/100"),
    ("hierarchical-histogram", "levels", 4, "1/4", "1", "1/1000"),
    ("quantile-search", "halvings", 3, "1/2", "ln(3)", "1/1000"),
    ("trie-heavy-hitters", "levels", 2, "1/10", "1", "1/100"),
]


def planned(name: str, epsilon: str, delta: str | None, neighbours: str = "add-remove", **settings: Any) -> Proposal:
    texts = {key: str(value) for key, value in settings.items()}
    return proposal_for(Question(name, epsilon, delta, neighbours, texts))


moved = partial(planned, neighbours="substitute")


@pytest.mark.points(2)
@pytest.mark.parametrize(("name", "word", "rounds", "rate", "epsilon", "delta"), CASES)
def test_people_of_one_label_need_no_more_than_the_plan_says(
    name: str, word: str, rounds: int, rate: str, epsilon: str, delta: str
) -> None:
    found = planned(name, epsilon, delta, rate=rate, **{word: rounds})
    assert found.delta is not None
    lo, hi = map(Fraction, found.delta)
    assert lo <= hi <= Fraction(delta)
    threshold = int(found.answer["threshold"])
    law = sample_threshold_law(rate=Fraction(rate), threshold=threshold)
    ratio = dpcert.Epsilon.of(epsilon).exp_bounds(128)[1]
    needed = Fraction(0)
    for k in (threshold, threshold + 1, threshold + 3):
        for pair in (profile(law(k), law(k - 1)), profile(law(k - 1), law(k))):
            needed = max(needed, pair.power(rounds).delta(ratio))
    assert 0 < needed <= hi
    assert lo == greatest_delta(rate=Fraction(rate), threshold=threshold, ratio=ratio).delta


@pytest.mark.parametrize("name", ["trie-heavy-hitters", "hierarchical-histogram"])
def test_a_few_people_of_any_labels_need_no_more_than_the_plan_says(name: str) -> None:
    found = planned(name, "1", "1/50", rate="1/10", levels=2)
    assert int(found.answer["threshold"]) == 2
    few = dpcert.profile(name, options=dpcert.Options(law_source="closed-form"), **found.answer, n=3).delta_at("1")
    assert 0 < few.hi <= Fraction(found.delta[1])


def test_caught_levels_that_are_not_composed() -> None:
    """At the least threshold of one level, ten levels of people with one label need more than delta."""
    rate, ratio, delta = Fraction(1, 2), Fraction(3), Fraction(1, 1000)
    alone = least_threshold(rate=rate, ratio=ratio, delta=delta)
    found = planned("quantile-search", "ln(3)", "1/1000", rate="1/2", halvings=10)
    assert int(found.answer["threshold"]) > alone
    law = sample_threshold_law(rate=rate, threshold=alone)
    assert profile(law(alone), law(alone - 1)).power(10).delta(ratio) > delta
    assert (found.kind, found.beyond) == ("search", ())


def test_one_level_is_audited_and_the_next_threshold_refuted() -> None:
    found = planned("heavy-hitters", "1", "1e-6", levels=3)
    (answer,), (beyond,) = found.answers, found.beyond
    assert (answer.name, answer.settings["threshold"]) == ("sample-threshold", found.answer["threshold"])
    assert (beyond.expect, int(beyond.settings["threshold"])) == ("refuted", int(answer.settings["threshold"]) - 1)
    assert (found.kind, found.delta, found.notes) == ("optimum", None, ())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"frontier": True}, "--frontier"),
        ({"neighbours": "substitute"}, "--neighbours substitute"),
        ({"settings": {"threshold": "3"}}, "--set threshold=3"),
        ({"settings": {"levels": "0"}}, "levels"),
        ({"delta": None}, "no --delta"),
    ],
)
def test_refused_questions(changes: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {"mechanism": "trie-heavy-hitters", "epsilon": "1", "delta": "1e-6"}
    with pytest.raises(InputError, match=words):
        proposal_for(Question(**{**asked, "neighbours": "add-remove", **changes}))


def test_refused_frequencies(tmp_path: Any) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("cat,4\n")
    with pytest.raises(InputError, match="prefixes"):
        proposal_for(Question("trie-heavy-hitters", "1", "1e-6", "add-remove", frequencies=str(path)))


@pytest.mark.parametrize(("n", "m"), [(2, 1), (7, 2), (60, 6), (60, 59)])
def test_twin_the_tail_of_a_size_is_bounded_from_above_and_closely(n: int, m: int) -> None:
    for asked in range(m, n + 1):
        exactly = sum(Fraction(comb(n, v) * m**v * (n - m) ** (n - v), n**n) for v in range(asked + 1, n + 1))
        found = beyond(n, m, asked)
        assert exactly <= found <= exactly * (1 + Fraction(1, 2**38))


def test_a_plan_of_contacts_is_private_and_one_contact_fewer_leaves_too_little() -> None:
    found = moved("contacted-histogram", "1", "1/20", n=8, m=1, share="1/2")
    spent = Fraction(found.delta[1])
    (answer,) = found.answers
    assert (answer.name, answer.neighbours, answer.delta) == ("sample-threshold", "substitute", "1/40")
    assert answer.settings == {"rate": "1/8", "threshold": found.answer["threshold"]}
    audited = dpcert.profile("contacted-histogram", **found.answer, options=dpcert.Options(law_source="closed-form"))
    needed = audited.delta_at("1").hi
    assert 0 < needed <= spent <= Fraction(1, 20)
    price = 1 + dpcert.Epsilon.of("1").exp_bounds(64)[0]
    assert price * beyond(8, 1, int(found.answer["asked"]) - 1) > Fraction(1, 40)


def test_the_tail_of_a_billion_people_is_bounded_at_once() -> None:
    """Chernoff's printed bound, exp(-c^2/3), is above it; ten standard deviations beyond the mean."""
    n, m = 10**9, 10**6
    found = beyond(n, m, m + 10 * 1000)
    assert 0 < found < Fraction(1, 10**20) < dpcert.Epsilon.of("100/3").exp_bounds(64)[1] ** -1
    assert beyond(n, m, m + 10 * 1000 - 1) > found


@pytest.mark.nightly
def test_a_plan_of_a_hundred_thousand_people() -> None:
    found = moved("contacted-histogram", "1", "1e-6", n=100_000, m=10_000)
    assert (found.answer["asked"], found.answer["threshold"]) == ("10558", "8")


@pytest.mark.parametrize(("epsilon", "spent"), [("1", "1"), ("2/3", "1/2"), ("ln(2)", "1/2")])
def test_a_plan_of_a_compact_histogram_spends_no_more_than_epsilon(epsilon: str, spent: str) -> None:
    found = moved("compact-histogram", epsilon, None, n=4, universe=1000, beta="1/10")
    assert found.answer["epsilon"] == spent
    at: dict[str, Any] = {"n": 4, "universe": 1000, "epsilon": Fraction(spent), "beta": Fraction(1, 10)}
    chosen, (_, empty) = settled(**at), parts_of(**at)
    law = fastsample_law(n=4, epsilon=chosen.epsilon, gamma=chosen.gamma)
    ratio = exact_ratio(n=4, universe=1000, law=law, zero=empty.law())
    assert ratio <= dpcert.Epsilon.of(epsilon).exp_bounds(64)[0]
    assert "tested at points" in found.notes[0]


@pytest.mark.nightly
def test_plans_are_verified_and_a_compact_one_is_released(tmp_path: Any) -> None:
    (tmp_path / "labels.txt").write_text("a\nb\nc\n")
    (tmp_path / "data.txt").write_text("a\na\nb\nc\n")
    plan = dpcert.plan("compact-histogram", epsilon="1", neighbours="substitute", settings={"n": 4, "universe": 3})
    assert plan.kind == "search"
    found = dpcert.release(None, tmp_path / "data.txt", tmp_path / "out.csv", plan=plan, labels=tmp_path / "labels.txt")
    assert "1, 0)-differentially private" in found.guarantee
    contacts = dpcert.plan("contacted-histogram", epsilon="1", delta="1e-3", neighbours="substitute")
    assert contacts.delta[1] <= Fraction(1, 1000)


NAMES = ["basic-histogram", "keep-heavy"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("epsilon", "k"), [("1", 1), ("ln(25/16)", 2), ("ln(3/2)", 3), ("1/10", 5)])
def test_the_planned_noise_is_within_the_budget_and_the_next_one_beyond(name: str, epsilon: str, k: int) -> None:
    found = moved(name, epsilon, None, n=500, universe=9000)
    assert found.answer["k"] == str(k)
    assert noise_exponent(dpcert.exact(found.answer["epsilon"], "epsilon")) == k
    asked = dpcert.Epsilon.of(epsilon).exp_bounds(64)
    for audits, holds in ((found.answers, True), (found.beyond, False)):
        for audit in audits:
            options = dpcert.Options(law_source="closed-form")
            least = dpcert.profile(name, options=options, **audit.settings).ratio_at(0)
            assert least.hi is not None
            assert (least.hi <= asked[0] if holds else least.hi > asked[1]) is True
    assert len(found.beyond) == (k > 1)


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize("name", NAMES)
def test_a_plan_is_released_within_its_budget(name: str, tmp_path: Path, inside: Any) -> None:
    (tmp_path / "words.txt").write_text("cat\ndog\ncat\n")
    (tmp_path / "labels.txt").write_text("cat\ndog\neel\nfox\n")
    settings = ("--set", "n=3", "--set", "universe=4")
    planned = inside("plan", name, "--epsilon", "1", "--neighbours", "substitute", *settings, "--json")
    (tmp_path / "plan.json").write_text(planned.out)
    budget = dpcert.Budget.create(tmp_path / "budget.json", epsilon=1, delta=0, neighbours="substitute")
    paths = ("--data", tmp_path / "words.txt", "--labels", tmp_path / "labels.txt")
    out = tmp_path / "out.json"
    done = inside("release", "--plan", tmp_path / "plan.json", *paths, "--out", out, "--budget", budget.path)
    assert done.status == 0
    assert json.loads(out.read_text())["spent"] == {"epsilon": "1", "delta": "0/1"}
    assert budget.spent().rounds == 1


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("keep-heavy", {"n": "9", "universe": "9"}, "universe"),
        ("basic-histogram", {"universe": "1"}, "universe"),
        ("keep-heavy", {"beta": "2"}, "beta"),
        ("keep-heavy", {"k": "2"}, "--set k=2"),
    ],
)
def test_refused_settings(name: str, settings: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        moved(name, "1", None, **settings)
