"""Evidence for certificate.py: round trips, and fields with wrong values, each refused in one line."""

import json
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert.audit.certificates import MAX_EMBEDDED, certificate_of, text_of
from dpcert.audit.kernel.certificate import SOURCES, Certificate, embed
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.outcome import canonical

from .texts import NO_COUNT, NO_DIGEST, SHA, WRONG, edited, malformed


def test_certificates_are_read_as_they_are_written(verified: Certificate, refuted: Certificate) -> None:
    for certificate in (verified, refuted, replace(verified, embedded=None, parameters={}, assumptions=["x"])):
        text = text_of(certificate)
        assert certificate_of(text) == certificate
        assert certificate_of(text.encode()) == certificate
        assert text_of(certificate_of(text)) == text
        assert text.isascii()
        assert text.endswith("}\n")
        assert list(json.loads(text)) == sorted(field.name for field in fields(Certificate))


def test_numbers_are_written_in_hexadecimal(refuted: Certificate) -> None:
    data = json.loads(text_of(replace(refuted, max_tail=Fraction(31, 32), tail=Fraction(0))))
    assert (data["delta"], data["max_tail"], data["tail"]) == ("0x1/0x64", "0x1f/0x20", "0x0/0x1")
    assert data["schema"] == "dpcert.certificate/3"


def test_a_certificate_is_written_one_value_a_line(verified: Certificate) -> None:
    lines = text_of(verified).splitlines()
    assert lines[:3] == ["{", ' "assumptions": [],', ' "delta": "0x0/0x1",']
    assert all(len(line) - len(line.lstrip()) <= 5 for line in lines)


def test_a_certificate_cannot_be_changed(verified: Certificate) -> None:
    certificate: Any = verified
    with pytest.raises(FrozenInstanceError):
        certificate.verdict = "refuted"
    assert not hasattr(certificate, "__dict__")


def test_numbers_may_lie_at_both_ends(verified: Certificate) -> None:
    for end in (Fraction(0), Fraction(1)):
        certificate = replace(verified, delta=end, max_tail=end, tail=end)
        assert certificate_of(text_of(certificate)) == certificate


def test_all_sources_of_laws_are_known(verified: Certificate) -> None:
    certificate = replace(verified, law_source=[*SOURCES])
    assert certificate_of(text_of(certificate)) == certificate


def test_laws_up_to_a_mebibyte_are_embedded() -> None:
    assert MAX_EMBEDDED == 1024 * 1024


@given(
    st.fractions(0, 1),
    st.integers(0, 10**17),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
    st.lists(st.text(max_size=5), max_size=2),
)
def test_any_field_survives_the_round_trip(
    verified: Certificate, delta: Fraction, count: int, texts: dict[str, str], assumptions: list[str]
) -> None:
    certificate = replace(verified, delta=delta, pairs=count, parameters=texts, assumptions=assumptions)
    assert certificate_of(text_of(certificate)) == certificate


def test_an_embedded_law_is_its_weights_as_texts_in_an_order_of_their_own() -> None:
    entries = [(1, 3), (True, 255), (("a", None), 16)]
    expected = [
        ["('a', None)", canonical(("a", None)).hex(), "0x10"],
        ["1", canonical(1).hex(), "0x3"],
        ["True", canonical(True).hex(), "0xff"],
    ]
    for order in (entries, entries[::-1]):
        assert embed(Dist.from_weights(order, 512)) == {"denominator": "0x200", "weights": expected}


def test_every_field_has_its_wrong_values() -> None:
    assert list(WRONG) == [field.name for field in fields(Certificate)]


@pytest.mark.parametrize("name", WRONG)
def test_refused_field_that_is_missing(name: str, verified: Certificate, refuted: Certificate) -> None:
    for certificate in (verified, refuted):
        data = json.loads(text_of(certificate))
        del data[name]
        assert malformed(json.dumps(data)) == f"missing field {name!r}"


NEEDED = {
    "schema": "'dpcert.certificate/3', or else a new audit,",
    "target": "a text",
    "parameters": "an object of texts",
    "epsilon": "a text",
    "neighbours": "a text",
    "inputs": "an integer >= 0",
    "inputs_digest": "a SHA-256",
    "observes": "a text",
    "law_source": "a list of paths, states, floats, vectors, closed-form, ideal, theorem",
    "max_runs": "an integer >= 0",
    "max_draws": "an integer >= 0",
    "verdict": "'verified' or 'refuted'",
    "sentence": "a text",
    "pairs": "an integer >= 0",
    "laws": "a list of SHA-256",
    "embedded": "a list or null",
    "assumptions": "a list of texts",
    "sources": "an object of texts",
    "versions": "an object of texts",
}


@pytest.mark.parametrize("name", NEEDED)
def test_a_refusal_says_which_field_needed_what(name: str, verified: Certificate) -> None:
    assert malformed(edited(verified, **{name: WRONG[name][0]})) == f"field {name!r}: {NEEDED[name]} needed"


def test_a_certificate_of_an_older_version_is_refused_by_its_version_whatever_else_it_says(
    verified: Certificate,
) -> None:
    line = "field 'schema': 'dpcert.certificate/3', or else a new audit, needed"
    for changes in ({}, {"pairs": "many"}, {"unheard": "of"}):
        assert malformed(edited(verified, schema="dpcert.certificate/1", **changes)) == line
    assert malformed('{"schema": "dpcert.certificate/1"}') == line


def test_a_refusal_says_what_a_number_or_a_witness_needed(verified: Certificate, refuted: Certificate) -> None:
    shortest = "field 'epsilon': an epsilon in its shortest form needed"
    assert malformed(edited(verified, epsilon="2/4")) == shortest
    for name in ("delta", "max_tail", "tail"):
        for value in ("-0x1/0x2", "0x3/0x2"):
            assert malformed(edited(verified, **{name: value})) == f"field {name!r}: a number in [0, 1] needed"
    for witness, needed in (
        ([0, 1, []], "a, b and event"),
        ({"a": 0, "b": None, "event": []}, "two positions"),
        ({"a": 0, "b": 1, "event": None}, "an event of SHA-256"),
    ):
        assert malformed(edited(refuted, witness=witness)) == f"field 'witness': {needed} needed"


@pytest.mark.parametrize("name", WRONG)
def test_refused_field_of_another_type(name: str, verified: Certificate, refuted: Certificate) -> None:
    for wrong in WRONG[name]:
        for certificate in (verified, refuted):
            line = malformed(edited(certificate, **{name: wrong}))
            assert f"{name!r}: " in line or f"{name}" in line.partition(": ")[2]


@pytest.mark.parametrize("name", ["extra", "", "Delta", "witness ", "\x1b[31m", "\ud800", "x" * 10**6])
def test_refused_unknown_field(name: str, verified: Certificate) -> None:
    assert malformed(edited(verified, **{name: None})) == one_line(f"unknown field {name[:80]!r}")


@pytest.mark.parametrize(
    "wrong",
    [
        {"a": 0, "b": 1},
        {"a": 0, "b": 1, "event": [SHA], "p": "0x1/0x2"},
        {"a": 0, "b": 1, "Event": [SHA]},
        *({"a": position, "b": 1, "event": [SHA]} for position in NO_COUNT),
        *({"a": 0, "b": position, "event": [SHA]} for position in NO_COUNT),
        *({"a": 0, "b": 1, "event": event} for event in (None, 1, SHA, {SHA: SHA})),
        *({"a": 0, "b": 1, "event": [SHA, wrong]} for wrong in NO_DIGEST),
    ],
)
def test_refused_witness(wrong: Any, refuted: Certificate) -> None:
    assert malformed(edited(refuted, witness=wrong)).startswith("field 'witness': ")


def test_refused_verdict_without_its_witness_or_with_one_too_many(verified: Certificate, refuted: Certificate) -> None:
    line = "field 'witness': one for 'refuted', null for 'verified', needed"
    assert malformed(edited(refuted, witness=None)) == line
    assert malformed(edited(verified, witness=refuted.witness)) == line
    assert malformed(edited(verified, verdict="refuted")) == line
    assert malformed(edited(refuted, verdict="verified")) == line
