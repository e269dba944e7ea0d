"""Evidence for the plans of histograms: the planned noise is the least, and what is released is within its budget."""

import json
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.planning.families import proposal_for
from dpcert.planning.question import Question

NAMES = ["basic-histogram", "keep-heavy"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("epsilon", "k"), [("1", 1), ("ln(25/16)", 2), ("ln(3/2)", 3), ("1/10", 5)])
def test_the_claim_at_the_planned_noise_is_within_the_budget_and_the_next_one_beyond(
    name: str, epsilon: str, k: int
) -> None:
    found = proposal_for(Question(name, epsilon, None, "substitute", {"n": "500", "universe": "9000"}))
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
    paths = [word for name in ("data words.txt", "labels labels.txt") for word in _path(tmp_path, name)]
    out = tmp_path / "out.json"
    done = inside("release", "--plan", tmp_path / "plan.json", *paths, "--out", out, "--budget", budget.path)
    assert done.status == 0
    assert json.loads(out.read_text())["spent"] == {"epsilon": "1", "delta": "0/1"}
    assert budget.spent().rounds == 1


def _path(folder: Path, words: str) -> tuple[str, str]:
    option, name = words.split()
    return f"--{option}", str(folder / name)


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
        proposal_for(Question(name, "1", None, "substitute", settings))
