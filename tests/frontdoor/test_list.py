"""`dpcert list`: what ships, by name, with every parameter and its default."""

from collections.abc import Callable
from typing import Any

from dpcert.targets.cases import built_in_case
from dpcert.targets.catalogue import BUILT_IN, MECHANISMS, ZOO
from dpcert.targets.options import Options


def test_the_list_names_all_that_ships_and_its_parameters(
    inside: Callable[..., Any], check_json: Callable[..., None]
) -> None:
    done = inside("list", "--json")
    assert (done.status, done.err) == (0, "")
    check_json("list", done.document)
    rows = done.document["mechanisms"]
    assert [row["name"] for row in rows] == list(BUILT_IN)
    for row in rows:
        mechanism = BUILT_IN[row["name"]]
        assert [(p["name"], p["default"]) for p in row["parameters"]] == [
            (parameter.name, parameter.default) for parameter in mechanism.parameters
        ]


def test_each_of_the_zoo_names_the_correct_mechanism_and_its_fault(inside: Callable[..., Any]) -> None:
    rows = {row["name"]: row for row in inside("list", "--json").document["mechanisms"]}
    for mechanism in ZOO:
        row = rows[mechanism.name]
        assert row["twin"] in {correct.name for correct in MECHANISMS}
        assert row["fault"]
        assert row["expect"] == "refuted"
    for mechanism in MECHANISMS:
        row = rows[mechanism.name]
        assert (row["twin"], row["fault"], row["expect"]) == (None, None, "verified")


def test_the_list_for_a_person_shows_how_to_set_each_parameter(inside: Callable[..., Any]) -> None:
    done = inside("list")
    for mechanism in BUILT_IN.values():
        assert f"  {mechanism.name}: {mechanism.words} [{mechanism.source}]" in done.lines
        for parameter in mechanism.parameters:
            assert f"      --set {parameter.name}={parameter.default}  {parameter.words}" in done.lines
    assert (done.status, done.err) == (0, "")


def test_every_default_can_be_written_as_it_is_listed() -> None:
    for mechanism in BUILT_IN.values():
        defaults = {parameter.name: parameter.default for parameter in mechanism.parameters}
        plain, written = (built_in_case(mechanism, settings, Options()) for settings in ({}, defaults))
        assert dict(plain.subject.parameters) == dict(written.subject.parameters) == defaults
        assert plain.claim().sentence() == written.claim().sentence()
