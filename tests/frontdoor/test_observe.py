"""`--observe`: what the draws tell, in the sentence, in the verdict, in the certificate and in the law."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHORT = ("--set", "n=3")


@pytest.fixture
def run(inside: Callable[..., Any], workers_inside: None) -> Callable[..., tuple[int, str]]:
    def call(*arguments: str) -> tuple[int, str]:
        done = inside(*arguments)
        return done.status, done.out

    return call


def result(run: Callable[..., tuple[int, str]], *arguments: str) -> tuple[int, Any]:
    status, text = run("audit", *arguments, "--json")
    return status, json.loads(text)["results"][0]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["geometric", "geosample", "fastsample", "mixing", "basic-histogram"])
def test_the_draws_of_what_ships_tell_nothing(run: Any, name: str) -> None:
    status, found = result(run, name, *SHORT, "--observe", "draws")
    assert status == 0
    assert ", its draws observed, is" in found["claim"]["sentence"]
    unobserved = result(run, name, *SHORT)[1]
    assert (found["epsilon"], found["delta"]) == (unobserved["epsilon"], unobserved["delta"])
    assert "observed" not in unobserved["claim"]["sentence"]


@pytest.mark.nightly
def test_caught_that_the_number_of_draws_tells_how_many_labels_occur(run: Any) -> None:
    status, found = result(run, "stability-histogram", *SHORT, "--observe", "draws")
    assert (status, found["verdict"]) == (1, "refuted")
    assert found["worst"]["q"] == "0/1"


@pytest.mark.points(1)
@pytest.mark.parametrize("name", ["geometric-early-stop", "mixing-early-exit", "geosample-short-draw"])
def test_a_fault_of_the_draws_is_none_of_the_outcome(run: Any, name: str) -> None:
    assert run("audit", name)[0] == 1
    assert run("audit", name, "--observe", "draws")[0] == 1
    assert run("audit", name, "--observe", "outcome")[0] == 0


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "status"), [("geosample", 0), ("stability-histogram", 1)])
def test_a_certificate_with_draws_is_accepted_as_such_alone(run: Any, tmp_path: Path, name: str, status: int) -> None:
    assert run("audit", name, *SHORT, "--observe", "draws", "--certificates", str(tmp_path))[0] == status
    (path,) = tmp_path.iterdir()
    accepted, line = run("recheck", str(path))
    assert accepted == 0
    assert "its draws observed" in line
    certificate = json.loads(path.read_text())
    assert certificate["observes"] == "outcome and draws"
    path.write_text(json.dumps({**certificate, "observes": "outcome"}))
    assert run("recheck", str(path))[0] == 1
    path.write_text(json.dumps({**certificate, "observes": "everything"}))
    assert run("recheck", str(path))[0] == 1


def test_the_law_with_draws_says_what_a_run_costs(run: Any) -> None:
    """Below 15 takes 4 bits, below 3 takes 2, below 2 takes 1, and below 1 none."""
    law = ["law", "geosample", "--input", "1", "--set", "n=2", "--set", "epsilon=1"]
    status, text = run(*law, "--observe", "draws")
    assert status == 0
    assert text.splitlines()[-1] == "note: every run draws 4 bits"
    document = json.loads(run(*law, "--observe", "draws", "--json")[1])
    assert document["bits"] == {"lo": 4, "hi": 4}
    assert document["law"][0] == [{"tuple": [0, {"tuple": [15]}]}, "2/5"]
    assert json.loads(run(*law, "--json")[1]).keys() == {"schema", "law", "tail"}
    early = json.loads(run("law", "geometric-early-stop", "--input", "1", "--json")[1])
    assert early["bits"] == {"lo": 2, "hi": 3}
    assert "note: a run draws from 2 to 3 bits" in run("law", "geometric-early-stop", "--input", "1")[1]


@pytest.mark.parametrize("command", [["audit", "geosample"], ["law", "geosample", "--input", "1"]])
@pytest.mark.usefixtures("workers_inside")
def test_refused_a_closed_form_of_the_draws(inside: Any, command: list[str]) -> None:
    assert "its draws observed" in inside(*command, "--observe", "draws", "--law-source", "closed-form").refusal()
    assert "time" in inside(*command, "--observe", "time").refusal()
