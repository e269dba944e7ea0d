"""Refused inputs of a mechanism: one line that says what its domain is."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def refused_input(
    inside: Callable[..., Any], workers_inside: None, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Ask for a law on an input that must be refused before anything is computed; return the line."""

    def never(*rest: Any, **more: Any) -> None:
        raise AssertionError("a law was computed")

    def run(mechanism: str, text: str, settings: str) -> str:
        options = [part for setting in settings.split() for part in ("--set", setting)]
        found = set()
        for source in ("program", "closed-form"):
            command = ["law", mechanism, "--input", text, *options, "--law-source", source]
            found.add(inside(*command).refusal())
            assert inside(*command, "--json").document["schema"] == "dpcert.error/1"
        (line,) = found
        return str(line)

    monkeypatch.setattr("dpcert.worker.operations.enumerate_law", never)
    monkeypatch.setattr("dpcert.audit.subject.Subject.closed", never)
    return run


@pytest.mark.points(9)
@pytest.mark.parametrize(
    ("mechanism", "settings", "text", "words"),
    [
        ("keep-heavy", "n=2", "[0,0,0]", "[0, 0, 0], which has length 3; needed: a list of 2 labels from 0 to 4; "),
        ("keep-heavy", "n=2", "[0,9]", "in which label 9 at place 1 is above 4; needed: a list of 2 labels"),
        ("keep-heavy", "n=2", "[0,true]", "in which label True at place 1 is of type bool, not int"),
        ("keep-heavy", "n=2", '{"tuple":[0,1]}', "(0, 1), which is of type tuple, not list"),
        ("keep-heavy-sparse", "n=2", "[0,5]", "label 5 at place 1 is above 4"),
        ("sparse-histogram", "n=2", "[0,5]", "label 5 at place 1 is above 4"),
        ("pure-sparse-histogram", "n=2", "[0,1,2]", "which has length 3"),
        ("compact-histogram", "n=1", "[2]", "label 2 at place 0 is above 1"),
        ("basic-histogram", "n=3", "[0,1,3]", "label 3 at place 2 is above 2"),
        ("basic-histogram", "universe=1000", "[0,2,1]", "needed: a list of 1 to 3 labels from 0 to 1, the two between"),
        ("stability-histogram", "n=3 universe=1000", "[0,1000]", "needed: a list of 1 to 3 labels from 0 to 999"),
        ("sample-threshold-histogram", "", "[0,2]", "needed: a list of any number of labels from 0 to 1"),
        ("trie-heavy-hitters", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        ("heavy-hitters", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        ("hierarchical-histogram", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        ("quantile-search", "", "[4]", "needed: a list of any number of labels from 0 to 3"),
        (
            "geosample",
            "n=3",
            "7",
            "7, which is above 3; needed: a count from 0 to 3; write such an integer, or raise n",
        ),
        ("geosample", "n=3", "true", "True, which is of type bool, not int"),
        ("geosample", "n=3", '{"float":"0x1p+0"}', "1.0, which is of type float, not int"),
        ("fastsample", "n=3", "4", "4, which is above 3"),
        ("mixing", "n=3 epsilon=1/2", "4", "4, which is above 3"),
        ("geometric", "n=3", "4", "4, which is above 3"),
        ("randomized-response", "", "2", "2, which is above 1; needed: a bit, 0 or 1"),
        ("randomized-response", "", "false", "False, which is of type bool, not int"),
        ("sample-threshold", "", "-1", "-1, which is below 0; needed: a count >= 0"),
        ("sample-threshold", "", '{"fraction":"1/2"}', "Fraction(1, 2), which is of type Fraction, not int"),
        ("sampled-count", "", "-1", "-1, which is below 0; needed: a count >= 0"),
        ("pws-keys", "imax=9", "-1", "-1, which is below 0; needed: a frequency >= 0"),
        ("pws-frequencies", "imax=9", "-1", "-1, which is below 0; needed: a frequency >= 0"),
    ],
)
def test_refused_input_of_a_mechanism(refused_input: Any, mechanism: str, settings: str, text: str, words: str) -> None:
    line = refused_input(mechanism, text, settings)
    assert line.startswith("dpcert: --input ")
    assert words in line


@pytest.mark.parametrize("fault", ["geosample-floor", "geosample-raises"])
def test_a_fault_refuses_what_the_correct_mechanism_does(inside: Any, workers_inside: None, fault: str) -> None:
    assert "needed: a count from 0 to 2" in inside("law", fault, "--set", "n=2", "--input", "3").refusal()


@pytest.mark.points(3)
@pytest.mark.parametrize(
    ("mechanism", "text"),
    [
        ("geosample", "3"),
        ("keep-heavy", "[4, 0]"),
        ("sample-threshold", "50"),
        ("sample-threshold-histogram", "[0, 1, 1, 1, 1, 1]"),
        ("randomized-response", "1"),
    ],
)
def test_an_input_beyond_the_scope_has_a_law(inside: Any, workers_inside: None, mechanism: str, text: str) -> None:
    done = inside("law", mechanism, "--input", text)
    assert (done.status, done.err) == (0, "")
