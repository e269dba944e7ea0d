"""Evidence for certificate.py: malformed texts of every kind, and edits, are refused in one line."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import Dist, DpcertError, Unauditable
from dpcert.audit.certificates import MAX_BYTES, certificate_of, text_of
from dpcert.audit.kernel.certificate import Certificate, Malformed, embed
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.passes import examined

from .texts import WRONG, edited, malformed


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
        ("{", "not a certificate: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
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


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", ["delta", "max_tail", "tail"])
@pytest.mark.parametrize(
    "value",
    ["0x1/0x" + "f" * 10**6, "0x" + "1" * 10**6 + "/0x1", "0x1/0x" + "f" * 99_999, "1" * 10**6],
    ids=["denominator", "numerator", "just-too-long", "decimal"],
)
def test_refused_number_of_a_million_digits(name: str, value: str, verified: Certificate) -> None:
    assert malformed(edited(verified, **{name: value})).startswith(f"not a certificate: {name} ")


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
