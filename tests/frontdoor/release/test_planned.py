"""Plan, audit and release are one set of parameters, in each family that has both a plan and a release."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import InputError, Plan, seeded_coins
from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.finite_computers.compact_histogram import COMPACT_HISTOGRAM, compact_histogram, ingredients
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probability
from dpcert.planning import families as planning
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Question
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.releasing import families as releasing
from dpcert.releasing.plans import PLANNED, planned
from dpcert.releasing.ready import Ready, Request
from dpcert.targets.cases import case_of
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.result import SeenEvent
from dpcert.worker.results import described

OTHERS = {"privhist", "pure-sparse-histogram"}
"""Planned and released, with parameters that the other one does not have: their plans are refused by name."""
LABELS = ["ant", "bee", "cat"]
COUNTS = [("ant", 1), ("cat", 1)]
SCOPE = {"n", "universe", "users", "most", "dimension", "epsilon"}
"""How many inputs are audited, and the epsilon that is the budget in the one and the noise in the other."""
QUESTIONS: dict[str, tuple[str, str | None, str, dict[str, str]]] = {
    "sample-threshold": ("1", "1e-3", "substitute", {"rate": "1/2"}),
    "heavy-hitters": ("1", "1e-3", "add-remove", {"rate": "1/2"}),
    "trie-heavy-hitters": ("1", "1e-3", "add-remove", {"rate": "1/5", "levels": "3"}),
    "hierarchical-histogram": ("1", "1e-3", "add-remove", {"rate": "1/5", "levels": "3"}),
    "quantile-search": ("1", "1e-3", "add-remove", {"rate": "1/5", "halvings": "3"}),
    "contacted-histogram": ("1", "1e-3", "substitute", {"n": "100", "m": "10"}),
    "stability-histogram": ("2/3", "1/20", "substitute", {"n": "2"}),
    "basic-histogram": ("2/3", None, "substitute", {"n": "2", "universe": "3"}),
    "keep-heavy": ("1/7", None, "substitute", {"n": "2", "universe": "3"}),
    "compact-histogram": ("1/2", None, "substitute", {"n": "2", "universe": "1000", "beta": "1/10"}),
    "pws-keys": ("1/2", "1/100", "counts_differ_by_one", {"q": "1/2", "imax": "9", "bits": "16"}),
    "pws-frequencies": ("1/2", "1/100", "counts_differ_by_one", {"q": "1/2", "imax": "9", "bits": "16"}),
    "sbh": ("2/3", "1/20", "counts_differ_by_one", {}),
    "sbh-sampled": ("2/3", "1/20", "counts_differ_by_one", {"q": "priority:1/9"}),
    "clipped-sum-l1": ("3/2", None, "replace-user", {"clip": "2", "dimension": "3"}),
    "clipped-sum-l2": ("1", "1/100", "replace-user", {"noise": "uncut"}),
}


def ready_by_plan(name: str, path: Path, **changes: str) -> tuple[Proposal, Ready]:
    """Return the proposal for a question about a family, and the release that its plan makes ready."""
    epsilon, delta, neighbours, settings = QUESTIONS[name]
    frequencies = None
    if name.startswith("pws"):
        frequencies = str(path / "counts.csv")
        (path / "counts.csv").write_text("key,frequency\na,3\nb,9\n")
    question = Question(name, epsilon, delta, neighbours, {**settings, **changes}, frequencies=frequencies)
    proposal = planning.proposal_for(question)
    plan = Plan(question, planning.budget_of(question), proposal).as_json()
    release, chosen, spend, lost, relation = planned(plan, None, {}, None, None, None)
    asked = (dpcert.Epsilon.of(spend), Fraction(str(lost)), relation, LABELS)
    return proposal, releasing.ready_for(Request(release, chosen, *asked))


def test_every_family_with_a_plan_and_a_release_is_known() -> None:
    released = {name for name in planning.FAMILIES if name in releasing.FAMILIES or name == "sample-threshold"}
    assert released == PLANNED.keys() | OTHERS
    assert PLANNED.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_release_has_the_parameters_that_were_planned_and_audited(name: str, tmp_path: Path) -> None:
    proposal, ready = ready_by_plan(name, tmp_path)
    assert proposal.answer is not None
    for one in PLANNED[name][1]:
        assert one not in proposal.answer or ready.settings[one] == proposal.answer[one]
    for audit in proposal.answers:
        same = (audit.settings.keys() & ready.settings.keys()) - SCOPE
        assert all(Fraction(audit.settings[key]) == Fraction(ready.settings[key]) for key in same - {"q", "sampler"})
        assert audit.epsilon == str(ready.guarantee.epsilon)


def audited(proposal: Proposal, **changes: str) -> Callable[[Any, Any], Any]:
    """Return the program of the audit, with these settings changed."""
    audit = proposal.answers[0]
    mechanism = next(one for one in MECHANISMS if one.name == audit.name)
    return mechanism.build(mechanism.settings({**audit.settings, **changes})).program


@pytest.mark.parametrize("name", ["stability-histogram", "basic-histogram", "keep-heavy"])
@pytest.mark.parametrize("seed", range(5))
def test_twin_the_planned_noise_is_drawn(name: str, seed: int, tmp_path: Path) -> None:
    """At epsilon = 2/3 noise of a ratio that is no 1 + 2^-k would be less; `words` draws the audited law, tests say."""
    proposal, ready = ready_by_plan(name, tmp_path)
    shown = audited(proposal, sampler="words")([0, 2], seeded_coins(seed))
    found = ready.program(COUNTS, seeded_coins(seed))
    assert tuple(found) == tuple((LABELS[place], count) for place, count in shown)


@pytest.mark.parametrize("epsilon", ["1", "1/2", "1/10"])
@pytest.mark.parametrize("universe", ["3", "1000", str(2**40)])
def test_twin_a_planned_polynomial(
    epsilon: str, universe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The audit names the field of the release, which is greater than the least one for its few labels."""
    _, delta, neighbours, settings = QUESTIONS["compact-histogram"]
    monkeypatch.setitem(QUESTIONS, "compact-histogram", (epsilon, delta, neighbours, settings))
    proposal, ready = ready_by_plan("compact-histogram", tmp_path, universe=universe)
    whole = COMPACT_HISTOGRAM.settings({**proposal.answers[0].settings, "universe": universe})
    family, sampler, empty = ingredients(whole)
    polynomial = compact_histogram(n=2, family=family, sampler=sampler.program, empty=empty)
    shown = polynomial([0, 2], seeded_coins(3))
    assert tuple(ready.program(COUNTS, seeded_coins(3))) == tuple((i, hex(part)) for i, part in enumerate(shown))
    assert ready.settings["universe"] == universe


@pytest.mark.parametrize("name", ["sbh", "sbh-sampled"])
def test_twin_the_planned_key_has_the_audited_law(name: str, tmp_path: Path) -> None:
    """The noise of the release is clamped further out than that of the audit, where clamping it again gives one law."""
    proposal, ready = ready_by_plan(name, tmp_path)
    own = {key: proposal.answers[0].settings[key] for key in ("epsilon", "threshold")}
    mechanism = next(one for one in MECHANISMS if one.name == name)
    assert Fraction(ready.settings["ratio"]) == dpcert.Epsilon.of(own["epsilon"]).ratio
    built = mechanism.build(mechanism.settings(proposal.answers[0].settings))
    assert built.closed_form is not None
    most = int(proposal.answers[0].settings["most"])
    noise = GeometricMoments(1 / Fraction(ready.settings["ratio"]))
    kept = sampling_probability(ready.settings.get("q", "1"))
    for frequency in (1, 3):
        audited_law = built.closed_form(frequency)
        for value in range(int(own["threshold"]), most):
            assert audited_law.prob(value) == noise.mass(value - frequency) * kept(value)


def test_twin_the_planned_keys_are_drawn(tmp_path: Path) -> None:
    for name in ("pws-keys", "pws-frequencies"):
        proposal, ready = ready_by_plan(name, tmp_path)
        program, coins = audited(proposal), seeded_coins(2)
        shown = [(key, program(count, coins)) for key, count in [("a", 3), ("b", 8)]]
        kept = [(key,) if name == "pws-keys" else (key, value) for key, value in shown if value]
        assert ready.program([("a", 3), ("b", 8)], seeded_coins(2)) == kept


def test_twin_the_planned_sample_is_drawn(tmp_path: Path) -> None:
    proposal, ready = ready_by_plan("sample-threshold", tmp_path)
    program = audited(proposal, kmax="12")
    for count in (0, 5, 8):
        shown = enumerate_law(lambda counts, coins: tuple(ready.program(counts, coins)), [("a", count)]).law
        one = enumerate_law(program, count).law
        assert shown == one.map(lambda value: (("a", value),) if value else ())


def test_the_ratio_of_a_planned_sum_is_the_audited_one(tmp_path: Path) -> None:
    proposal, ready = ready_by_plan("clipped-sum-l1", tmp_path)
    spend = dpcert.Epsilon.of(proposal.answers[0].settings["epsilon"])
    assert Fraction(ready.settings["ratio"]) == ratio_within(spend, 2 * 2)


def test_refused_a_planned_ratio_that_the_labels_do_not_allow(tmp_path: Path) -> None:
    """The noise of one item is too little for three."""
    with pytest.raises(InputError, match="for this epsilon and these labels"):
        ready_by_plan("clipped-sum-l1", tmp_path, dimension="1")


@pytest.mark.parametrize("ratio", ["1", "1/2", "3"])
def test_refused_ratios(ratio: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a ratio above 1, at most"):
        dpcert.release(
            "basic-histogram", COUNTS, tmp_path / "out.csv", epsilon=1, labels=LABELS, settings={"ratio": ratio}
        )


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_refused_plans_of_other_programs_say_what_to_do(name: str) -> None:
    plan = {"schema": "dpcert.plan/1", "mechanism": name, "answer": {}, "budget": dict.fromkeys(("epsilon", "delta"))}
    plan["budget"]["neighbours"] = None
    with pytest.raises(InputError, match="release it without the plan"):
        planned(plan, None, {}, None, None, None)


@pytest.mark.usefixtures("workers_inside")
def test_a_refuted_plan_says_the_event_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = described(case_of(CatalogueSpec("randomized-response"), dpcert.Options()))
    undecided = replace(plain, claim=replace(plain.claim, sentence="x is private"), reason="too long")
    refuted = replace(undecided, verdict="refuted", worst=SeenEvent([0, 0], [0, 1], [1], 1, "1/2", "1/8"))
    results = iter((refuted, undecided))
    monkeypatch.setattr("dpcert.run.planning._audited", lambda check, run: next(results))
    with pytest.raises(dpcert.NotBorneOut) as met:
        dpcert.plan("basic-histogram", epsilon="1", neighbours="substitute")
    assert str(met.value) == "x is private: refuted: on [0, 0] an event has probability 0.5, on [0, 1] 0.125"
    assert met.value.remedy.startswith("do not use these parameters; report this line")
    with pytest.raises(dpcert.NotBorneOut, match="x is private: undecided: too long") as met:
        dpcert.plan("basic-histogram", epsilon="1", neighbours="substitute")
    assert met.value.remedy.startswith("raise --time-limit")


def test_a_delta_that_is_spent_whole_is_released(tmp_path: Path) -> None:
    """A delta that six digits, rounded up, would exceed is the guarantee itself."""
    asked = {"epsilon": "ln(4)", "neighbours": "substitute", "settings": {"threshold": "1", "n": "9", "ratio": "2"}}
    found = dpcert.release("stability-histogram", COUNTS, tmp_path / "out.csv", delta="333333333334e-12", **asked)
    assert "(ln(4), 166666666667/500000000000)-" in found.guarantee
