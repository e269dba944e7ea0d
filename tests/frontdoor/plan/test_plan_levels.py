"""Evidence for planning/levels.py: no list of a few people needs more than a plan says, by joint laws of all levels."""

from fractions import Fraction
from typing import Any

import pytest

import dpcert
from dpcert.audit.profile import profile
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta, least_threshold
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.planning.families import proposal_for
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Question

CASES = [
    ("hierarchical-histogram", "levels", 2, "1/2", "ln(3)", "1/100"),
    ("hierarchical-histogram", "levels", 4, "1/4", "1", "1/1000"),
    ("quantile-search", "halvings", 3, "1/2", "ln(3)", "1/1000"),
    ("trie-heavy-hitters", "levels", 2, "1/10", "1", "1/100"),
]


def planned(name: str, epsilon: str, delta: str, **settings: Any) -> Proposal:
    texts = {key: str(value) for key, value in settings.items()}
    return proposal_for(Question(name, epsilon, delta, "add-remove", texts))


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
