"""Evidence for certificate.py: round trips, and malformed texts of every kind, each refused in one line."""

import json
import time
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert.audit.certificates import MAX_BYTES, MAX_EMBEDDED, certificate_of, text_of
from dpcert.audit.kernel.certificate import Certificate, Malformed, embed
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.passes import examined
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.errors import DpcertError, Unauditable, one_line
from dpcert.mechanisms.exact.outcome import canonical

SHA = "0" * 64
NO_TEXT = [None, 1, True, [], ["a"], {}]
NO_COUNT = [None, -1, True, False, "1", [1], {}, "0x1"]
NO_FRACTION = [
    None,
    0,
    1,
    "1",
    "0x1",
    "1/2",
    "0x2/0x1",
    "-0x1/0x2",
    "0x2/0x4",
    "0x1/0x0",
    "0X1/0X2",
    ["0x0/0x1"],
]
NO_DIGEST = [None, 0, "", SHA[:-1], SHA + "0", "A" * 64, "g" * 64, "X" * 64, " " + SHA[1:], "٠" * 64, [SHA]]
NO_TEXTS = [None, 1, "a", [], ["a"], {"a": 1}, {"a": None}, {"a": ["b"]}, {"a": "b", "c": 0}]

WRONG: dict[str, list[Any]] = {
    "schema": [*NO_TEXT, "", "dpcert.certificate/3", "dpcert.certificate/2 ", "dpcert.audit/1"],
    "target": NO_TEXT,
    "parameters": NO_TEXTS,
    "epsilon": [
        *NO_TEXT,
        "",
        "one",
        "-1",
        "ln(1/2)",
        "1.0",
        " 1",
        "2/4",
        "0 + ln(3)",
        "ln(3) + 1",
        "inf",
        "0x1/0x2",
    ],
    "delta": NO_FRACTION,
    "neighbours": NO_TEXT,
    "inputs": NO_COUNT,
    "inputs_digest": NO_DIGEST,
    "observes": NO_TEXT,
    "law_source": [*NO_TEXT, "", "Program", "closed form"],
    "max_runs": NO_COUNT,
    "max_tail": NO_FRACTION,
    "max_draws": NO_COUNT,
    "verdict": [*NO_TEXT, "", "Verified", "undecided"],
    "sentence": NO_TEXT,
    "pairs": NO_COUNT,
    "tail": NO_FRACTION,
    "laws": [None, 1, SHA, {}, {SHA: SHA}, *([SHA, wrong] for wrong in NO_DIGEST)],
    "embedded": [1, True, False, "[]", {}, {"denominator": "0x1"}],
    "witness": [0, "", [], [0, 1, []], {}],
    "assumptions": [None, 1, "a", {}, {"a": "b"}, [1], ["a", None], [["a"]]],
    "sources": NO_TEXTS,
    "versions": NO_TEXTS,
}


def malformed(text: str | bytes) -> str:
    """The one line with which a text is refused."""
    with pytest.raises(Malformed) as caught:
        certificate_of(text)
    line = str(caught.value)
    assert line.isprintable()
    assert len(line) < 500
    return line


def edited(certificate: Certificate, **changes: Any) -> str:
    return json.dumps({**json.loads(text_of(certificate)), **changes})


# -- round trips


def test_certificates_are_read_as_they_are_written(verified: Certificate, refuted: Certificate) -> None:
    for certificate in (
        verified,
        refuted,
        replace(verified, embedded=None, parameters={}, assumptions=["x"]),
    ):
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
    assert data["schema"] == "dpcert.certificate/2"


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


def test_both_sources_of_a_law_are_known(verified: Certificate) -> None:
    for source in ("program", "closed-form"):
        certificate = replace(verified, law_source=source)
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


# -- fields


def test_every_field_has_its_wrong_values() -> None:
    assert list(WRONG) == [field.name for field in fields(Certificate)]


@pytest.mark.parametrize("name", WRONG)
def test_refused_field_that_is_missing(name: str, verified: Certificate, refuted: Certificate) -> None:
    for certificate in (verified, refuted):
        data = json.loads(text_of(certificate))
        del data[name]
        assert malformed(json.dumps(data)) == f"missing field {name!r}"


NEEDED = {
    "schema": "'dpcert.certificate/2'",
    "target": "a text",
    "parameters": "an object of texts",
    "epsilon": "a text",
    "neighbours": "a text",
    "inputs": "an integer >= 0",
    "inputs_digest": "a SHA-256",
    "observes": "a text",
    "law_source": "'program' or 'closed-form'",
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
    line = "dpcert.certificate/1, written by an older dpcert, where dpcert.certificate/2 was needed: audit again"
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


# -- texts


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "not a certificate: Expecting value: line 1 column 1 (char 0)"),
        ("null", "not a certificate: a JSON NoneType where an object was needed"),
        ("[]", "not a certificate: a JSON list where an object was needed"),
        ('"a"', "not a certificate: a JSON str where an object was needed"),
        ("17", "not a certificate: a JSON int where an object was needed"),
        ("0.5", "not a certificate: the number 0.5: a certificate has no floats"),
        ("-Infinity", "not a certificate: the number -Infinity: a certificate has no floats"),
        (
            "{",
            "not a certificate: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        ("{}", "missing field 'schema'"),
    ],
)
def test_refused_text(text: str, line: str) -> None:
    assert malformed(text) == line
    assert malformed(text.encode()) == line


@pytest.mark.parametrize("number", ["0.5", "1e3", "1E400", "-0.0", "NaN", "Infinity", "-Infinity", "1" * 400 + ".0"])
@pytest.mark.parametrize("name", ["delta", "pairs", "embedded"])
def test_refused_float_wherever_it_stands(number: str, name: str, verified: Certificate) -> None:
    text = edited(verified, **{name: ["here"]})
    line = f"not a certificate: the number {number[:40]}: a certificate has no floats"
    assert malformed(text.replace('"here"', number)) == line


@pytest.mark.parametrize("value", ["1" * 19, "-" + "1" * 18, "9" * 10**6])
def test_refused_long_integer(value: str, verified: Certificate) -> None:
    line = malformed(edited(verified, pairs="here").replace('"here"', value))
    assert line == (f"not a certificate: an integer of {len(value)} digits: numbers are written in hexadecimal text")
    assert certificate_of(edited(verified, pairs=10**18 - 1)).pairs == 10**18 - 1


@pytest.mark.parametrize("name", ["delta", "max_tail", "tail"])
@pytest.mark.parametrize(
    "value",
    ["0x1/0x" + "f" * 10**6, "0x" + "1" * 10**6 + "/0x1", "0x1/0x" + "f" * 99_999, "1" * 10**6],
    ids=["denominator", "numerator", "just-too-long", "decimal"],
)
def test_refused_number_of_a_million_digits(name: str, value: str, verified: Certificate) -> None:
    start = time.process_time()
    assert malformed(edited(verified, **{name: value})).startswith(f"not a certificate: {name} ")
    assert time.process_time() - start < 0.2


def test_refused_epsilon_of_a_million_digits(verified: Certificate) -> None:
    for value in ("1" * 10**6, "1/" + "1" * 10**6, "ln(" + "1" * 10**6 + ")", "1+" * 10**5 + "1", "1e999999"):
        assert "epsilon" in malformed(edited(verified, epsilon=value))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"assumptions"', '{"pairs": 4, "assumptions"'),
        ('{"assumptions"', '{"delta": "0x0/0x1", "assumptions"'),
        ('"parameters": {', '"parameters": {"n": "3", '),
        ('"sources": {', '"sources": {"table.py": "", '),
        ('{"denominator"', '{"denominator": "0x7", "denominator"'),
    ],
)
def test_refused_repeated_key(before: str, after: str, verified: Certificate) -> None:
    text = edited(verified)
    assert before in text
    assert malformed(text.replace(before, after)) == "not a certificate: an object repeats a key"


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"embedded": [[', '{"embedded": {"a": {"b": [{"c": '])
def test_refused_deep_nesting(opening: str) -> None:
    for times in (1_000, 100_000, 5_000_000 // len(opening)):
        malformed(opening * times)


def test_refused_huge_file(verified: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_BYTES == 64 * 1024 * 1024
    text = text_of(verified)
    monkeypatch.setattr("dpcert.audit.certificates.MAX_BYTES", len(text))
    assert certificate_of(text) == verified
    line = f"a certificate of {len(text) + 1} bytes: at most {len(text)} are read"
    assert malformed(text + " ") == malformed(text.encode() + b" ") == line


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be", "utf-8-sig"])
def test_refused_encoding(encoding: str, verified: Certificate) -> None:
    malformed(text_of(verified).encode(encoding))


@pytest.mark.parametrize("data", [b"\xff", b"\x80{}", b'{"a": "\xc3"}', b'{"a": "\xed\xa0\x80"}', b"\x00", b"{}\x00"])
def test_refused_bytes_that_are_no_utf_8_json(data: bytes) -> None:
    malformed(data)


def test_refused_byte_order_mark(verified: Certificate) -> None:
    malformed("\ufeff" + text_of(verified))
    malformed(b"\xef\xbb\xbf" + text_of(verified).encode())


@pytest.mark.parametrize("end", ["x", "{}", ",", "\x00", "\ufeff", "null"])
def test_refused_text_after_the_end(end: str, verified: Certificate) -> None:
    malformed(text_of(verified) + end)


# -- any edit at all


def reread(text: str | bytes, program: Any) -> Certificate | None:
    """The certificate that a text still is for a program; None where it is refused, in one line."""
    found, line = None, ""
    try:
        certificate = certificate_of(text)
        check(certificate, program, examined)
        found = certificate
    except (Malformed, Rejected, Unauditable) as error:
        line = str(error)
    assert line.isprintable()
    return found


def unchanged(found: Certificate | None, original: Certificate) -> bool:
    """Whether a text was refused, or says what it said before; what is only told to the reader may differ."""
    return found is None or replace(found, assumptions=[], versions={}) == replace(
        original, assumptions=[], versions={}
    )


@given(st.booleans(), st.integers(0, 10**4), st.characters(), st.sampled_from(["put", "insert", "delete"]))
@example(True, 0, "\ufeff", "insert")
def test_one_edited_character_is_refused_or_changes_nothing(
    verified: Certificate, refuted: Certificate, mild: Any, first: bool, place: int, character: str, kind: str
) -> None:
    original = verified if first else refuted
    text = text_of(original)
    place %= len(text)
    rest = text[place:] if kind == "insert" else text[place + 1 :]
    found = reread(text[:place] + ("" if kind == "delete" else character) + rest, mild)
    assert unchanged(found, original)


@given(st.booleans(), st.integers(0, 10**4), st.integers(0, 255))
def test_one_edited_byte_is_refused_or_changes_nothing(
    verified: Certificate, refuted: Certificate, mild: Any, first: bool, place: int, byte: int
) -> None:
    original = verified if first else refuted
    data = bytearray(text_of(original).encode())
    data[place % len(data)] = byte
    assert unchanged(reread(bytes(data), mild), original)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=3),
    max_leaves=5,
)


@given(st.booleans(), st.sampled_from(list(WRONG)), anything)
def test_any_value_in_a_field_is_refused_or_changes_nothing(
    verified: Certificate, refuted: Certificate, mild: Any, first: bool, name: str, value: Any
) -> None:
    original = verified if first else refuted
    found = reread(edited(original, **{name: value}), mild)
    assert unchanged(found if name != "embedded" or value is not None else None, original)


@given(st.text() | st.binary())
def test_any_text_is_refused_in_one_line(text: str | bytes) -> None:
    malformed(text)


def test_refusals_are_errors_of_this_project(tilted: Callable[..., Dist]) -> None:
    assert issubclass(Malformed, DpcertError)
    assert str(Malformed("two\nlines \x1b[31m")) == "two lines \\x1b[31m"
    assert embed(tilted(1, 1, outcomes="ab", whole=4))["denominator"] == "0x4"
