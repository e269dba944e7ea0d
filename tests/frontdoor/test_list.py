"""`dpcert list`: what ships, by name, with every parameter and its default."""

from typing import Any

import pytest

from dpcert.planning.families import FAMILIES
from dpcert.targets.cases import built_in_case
from dpcert.targets.catalogue import BUILT_IN, MECHANISMS, ZOO
from dpcert.targets.options import Options


def test_the_list_names_all_that_ships_and_its_parameters(inside: Any, check_json: Any) -> None:
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


def test_each_of_the_zoo_names_the_correct_mechanism_and_its_fault(inside: Any) -> None:
    rows = {row["name"]: row for row in inside("list", "--json").document["mechanisms"]}
    for mechanism in ZOO:
        row = rows[mechanism.name]
        assert row["twin"] in {correct.name for correct in MECHANISMS}
        assert row["fault"]
        assert row["expect"] == "refuted"
    for mechanism in MECHANISMS:
        row = rows[mechanism.name]
        assert (row["twin"], row["fault"], row["expect"]) == (None, None, "verified")


def test_the_list_for_a_person_shows_how_to_set_each_parameter(inside: Any) -> None:
    done = inside("list", "--all")
    words = " ".join(done.out.split())
    for mechanism in BUILT_IN.values():
        assert " ".join(f"{mechanism.name}: {mechanism.words} [{mechanism.source}]".split()) in words
        for parameter in mechanism.parameters:
            assert " ".join(f"--set {parameter.name}={parameter.default} {parameter.words}".split()) in words
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines)) <= 80


def test_the_short_list_is_a_table_of_what_is_correct(inside: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    done = inside("list")
    assert max(map(len, done.lines)) <= 100
    named = [line.split()[0] for line in done.lines if line[:1].strip()]
    assert named[: len(MECHANISMS)] == [mechanism.name for mechanism in MECHANISMS]
    assert not {mechanism.name for mechanism in ZOO} & set(named)
    one = inside("list", "geosample-strict").out
    assert "geosample-strict:" in one
    assert "--set epsilon=" in one
    assert "did you mean 'geosample'" in inside("list", "geosampel").refusal()
    assert "leave the others out" in inside("list", "geosample", "--all").refusal()


def test_the_list_of_plans_names_families_and_relations(inside: Any) -> None:
    lines = inside("list", "--plans").lines[1:-1]
    found = {line.split()[0]: line for line in lines}
    assert found.keys() == FAMILIES.keys()
    for name, family in FAMILIES.items():
        assert found[name].endswith(", ".join(family.relations))
        assert ("delta" in found[name]) == (not family.pure)


def test_every_default_can_be_written_as_it_is_listed() -> None:
    for mechanism in BUILT_IN.values():
        defaults = {parameter.name: parameter.default for parameter in mechanism.parameters}
        plain, written = (built_in_case(mechanism, settings, Options()) for settings in ({}, defaults))
        assert dict(plain.subject.parameters) == dict(written.subject.parameters) == defaults
        assert plain.claim().sentence() == written.claim().sentence()
