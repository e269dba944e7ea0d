"""Evidence for check.py: true certificates are accepted; one falsehood, in any field, and it is rejected."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest

from dpcert import ApproxDP, Refuted, Verified
from dpcert.audit.certificates import certificate_of, text_of
from dpcert.audit.kernel.certificate import Certificate, Malformed
from dpcert.audit.kernel.check import Rejected, check, claim_of
from dpcert.audit.kernel.examine import Examination, name_outcome
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import examined

from .rejections import EMBEDDED, rejected

SHA = "0" * 64
A, B, C = (name_outcome(letter) for letter in "abc")

ALWAYS: dict[str, list[Any]] = {
    "schema": ["dpcert.certificate/1", "dpcert.certificate/2"],
    "target": ["", "tables", "table\n", "\x1b[2J", "\ud800"],
    "parameters": [{}, {"n": "4"}, {"m": "3"}, {"n": "3", "m": "1"}],
    "epsilon": ["0", "ln(3)", "1", "1e9", "ln(2) "],
    "delta": [Fraction(1), Fraction(1, 3**50_000)],
    "neighbours": ["any", "", "custom:element"],
    "inputs": [0, 2, 4],
    "inputs_digest": [SHA],
    "observes": ["outcome and draws", ""],
    "law_source": [[], ["states"], ["paths", "states"], ["paths", "paths"], ["closed-form"]],
    "max_runs": [0, 1, 100_001],
    "max_tail": [Fraction(0), Fraction(1), Fraction(1, 7**40_000)],
    "max_draws": [0, 999_999],
    "sentence": ["", "table is private", "table\r\nverified"],
    "pairs": [0, 2, 3, 6],
    "tail": [Fraction(1, 10**30), Fraction(1, 3**50_000)],
    "sources": [{}, {"table.py": SHA[:-1] + "1"}, {"table.py": SHA, "more.py": SHA}, {"tables.py": SHA}],
    "assumptions": [["believe me"], ["it is sunny", "it is sunny"], ["it is sunny", "believe me"]],
    "versions": [{}, {"python": "2.7"}, {"python": "CPython 3.12", "dpcert": "0.1.0"}, {"python": "CPython 3.11"}],
}
"""Well-formed falsehoods in a field, for a verified and for a refuted certificate."""


VERIFIED: dict[str, list[Any]] = {
    "verdict": ["refuted", "undecided", ""],
    "laws": [[], [SHA] * 3],
    "embedded": [[], [{}], [None, None, None]],
    "witness": [{"a": 0, "b": 1, "event": [A]}],
}
REFUTED: dict[str, list[Any]] = {
    "verdict": ["verified", "undecided", ""],
    "laws": [[], [SHA] * 2],
    "embedded": [[], [{}, {}]],
    "witness": [
        None,
        {"a": 1, "b": 0, "event": [A]},
        {"a": 0, "b": 2, "event": [A]},
        {"a": 0, "b": 0, "event": [A]},
        {"a": 0, "b": 3, "event": [A]},
        {"a": 0, "b": 10**17, "event": [A]},
        {"a": 0, "b": 1, "event": []},
        {"a": 0, "b": 1, "event": [B]},
        {"a": 0, "b": 1, "event": [A, B]},
        {"a": 0, "b": 1, "event": [A, A]},
        {"a": 0, "b": 1, "event": [A, SHA]},
        {"a": 0, "b": 1, "event": [A, B, C]},
    ],
}


def refused(certificate: Certificate, program: Any) -> None:
    with pytest.raises((Malformed, Rejected)) as caught:
        check(certificate_of(text_of(certificate)), program, examined)
    assert str(caught.value).isprintable()


def test_a_true_verified_certificate_is_accepted(verified: Certificate, mild: Any) -> None:
    for certificate in (verified, replace(verified, embedded=None)):
        found = check(certificate_of(text_of(certificate)), mild, examined)
        claim = claim_of(mild, ApproxDP("ln(2)", 0))
        assert found == Verified(claim, 4, Fraction(0), tuple(law.digest() for law in mild.laws))


def test_a_true_refutation_is_accepted(refuted: Certificate, mild: Any) -> None:
    found = check(certificate_of(text_of(refuted)), mild, examined)
    assert isinstance(found, Refuted)
    assert (found.a, found.b, found.event) == (0, 1, ("a",))
    assert (found.p_lo, found.q_hi) == (Fraction(4, 7), Fraction(2, 7))
    assert found.claim.guarantee == ApproxDP("ln(3/2)", "1/100")


def test_tails_are_accepted_as_they_are(Table: Any, certify: Any, tilted: Any) -> None:
    program = Table([tilted(4, 4, whole=9), tilted(4, 4, whole=8), tilted(8, 7, whole=16)])
    certificate = certify(program, ApproxDP("0", "1/4"))
    found = check(certificate, program, examined)
    assert isinstance(found, Verified)
    assert certificate.tail == found.tail == Fraction(1, 9)
    steep = Table([tilted(7, 1, whole=9), tilted(1, 6, whole=8)], inputs=(0, 1))
    found = check(certify(steep, ApproxDP("0", "1/4"), pair=(0, 1), event="a"), steep, examined)
    assert isinstance(found, Refuted)
    assert (found.p_lo, found.q_hi) == (Fraction(7, 9), Fraction(1, 4))


def test_verified_asks_for_every_law_once_and_refuted_for_two(
    verified: Certificate, refuted: Certificate, Table: Any, mild: Any
) -> None:
    program = Table(mild.laws)
    check(verified, program, examined)
    assert program.asked == [0, 1, 2]
    program.asked.clear()
    check(refuted, program, examined)
    assert program.asked == [0, 1]


def test_a_claim_is_about_the_programs_own_scope(mild: Any) -> None:
    claim = claim_of(mild, ApproxDP("1", 0))
    assert (claim.mechanism, claim.parameters, claim.inputs) == ("table", (("n", "3"),), (0, 1, 2))
    assert (claim.neighbours, claim.observes) == (RELATIONS["counts_differ_by_one"], "outcome")
    assert claim.guarantee == ApproxDP("1", 0)


def test_every_field_is_falsified() -> None:
    names = {field.name for field in fields(Certificate)}
    assert ALWAYS.keys() | VERIFIED.keys() == ALWAYS.keys() | REFUTED.keys() == names


@pytest.mark.parametrize("name", [*ALWAYS, *VERIFIED])
def test_caught_falsehood_in_a_verified_certificate(name: str, verified: Certificate, mild: Any) -> None:
    for value in (ALWAYS | VERIFIED)[name]:
        refused(replace(verified, **{name: value}), mild)


@pytest.mark.parametrize("name", [*ALWAYS, *REFUTED])
def test_caught_falsehood_in_a_refutation(name: str, refuted: Certificate, mild: Any) -> None:
    for value in (ALWAYS | REFUTED)[name]:
        refused(replace(refuted, **{name: value}), mild)


ENTRIES = {"sources", "assumptions", "versions"}
NAMED = [name for name in ALWAYS if name not in {"schema", "epsilon", "delta", *ENTRIES}]


@pytest.mark.parametrize("name", NAMED)
def test_a_rejection_says_which_field_differs(
    name: str, verified: Certificate, refuted: Certificate, mild: Any
) -> None:
    for certificate in (verified, refuted):
        for value in ALWAYS[name]:
            line = rejected(replace(certificate, **{name: value}), mild)
            assert line.startswith("parameters " if name == "parameters" else f"{name} is ")
            assert " in the certificate and " in line
            assert line.endswith(" when recomputed")


def test_a_rejection_cuts_long_values(Table: Any, certify: Any, tilted: Any) -> None:
    for length, shown in ((90, "x" * 90), (91, "x" * 60 + "... (91 characters)")):
        program = Table([tilted(1, 1)] * 2, inputs=(0, 1), name="x" * length)
        line = rejected(replace(certify(program, ApproxDP(0, 0)), target="y"), program)
        assert line == f"target is y in the certificate and {shown} when recomputed"


def test_a_rejection_writes_numbers_as_certificates_do(verified: Certificate, mild: Any) -> None:
    line = rejected(replace(verified, tail=Fraction(1, 3)), mild)
    assert line == "tail is 0x1/0x3 in the certificate and 0x0/0x1 when recomputed"


LISTED = {
    "sources": "restore the files that were certified, or audit again",
    "assumptions": "audit again",
    "versions": "use these, or audit again",
}


@pytest.mark.parametrize("made", ["verified", "refuted"])
def test_a_rejection_names_the_entry_that_differs_is_missing_or_is_new(
    made: str, request: pytest.FixtureRequest, mild: Any
) -> None:
    certificate = request.getfixturevalue(made)
    sunny = replace(mild, stated=("it is sunny", "it is warm"))
    there, here = "is assumed in the certificate and not listed", "is not listed in the certificate and assumed"
    for changed, line in (
        ({"assumptions": ["it is sunny"]}, f"assumptions it is warm {here} when recomputed"),
        ({"assumptions": []}, f"assumptions it is sunny {here} when recomputed"),
        ({"assumptions": ["it is sunny", "it is warm", "so"]}, f"assumptions so {there} when recomputed"),
        ({"sources": {}}, f"sources table.py is not listed in the certificate and {'0' * 64} when recomputed"),
        ({"sources": {"table.py": "1" * 64}}, f"sources table.py is {'1' * 64} in the certificate and {'0' * 64} when"),
        ({"sources": {"a.py": SHA, "table.py": SHA}}, f"sources a.py is {SHA} in the certificate and not listed when"),
        (
            {"versions": {"python": "CPython 3.9", "dpcert": "0.1.0"}},
            "versions python is CPython 3.9 in the certificate",
        ),
        ({"versions": {"python": "CPython 3.11"}}, "versions dpcert is not listed in the certificate and 0.1.0 when"),
    ):
        (name,) = changed
        both = {"assumptions": list(sunny.stated), **changed}
        said = rejected(replace(certificate, **both), sunny)
        assert said.startswith(line)
        assert said.endswith(f" when recomputed; {LISTED[name]}")
    for order in (["it is warm", "it is sunny"], ["it is sunny", "it is sunny", "it is warm"]):
        assert rejected(replace(certificate, assumptions=order), sunny).startswith("assumptions is [")
    accepted = check(replace(certificate, assumptions=list(sunny.stated)), sunny, examined)
    assert getattr(accepted, "assumptions", sunny.stated) == sunny.stated


def test_a_changed_file_is_named_before_the_program_is_run(
    verified: Certificate, refuted: Certificate, mild: Any
) -> None:
    for certificate in (verified, refuted):
        program = replace(mild, files={"table.py": "1" * 64, "later.py": SHA}, asked=[])
        assert rejected(certificate, program).startswith("sources table.py is ")
        assert program.asked == []
        found = replace(mild, asked=[])
        assert rejected(replace(certificate, sources={"table.py": SHA, "gone.py": SHA}), found).startswith(
            "sources gone"
        )
        assert found.asked != []


def test_a_file_that_the_run_adds_is_compared_after_it(verified: Certificate, refuted: Certificate, mild: Any) -> None:
    for certificate in (verified, refuted):
        program = replace(mild, asked=[])
        program.sources = lambda program=program: {"table.py": SHA, **({"late.py": SHA} if program.asked else {})}
        assert rejected(certificate, program).startswith("sources late.py is not listed in the certificate")
        assert check(replace(certificate, sources={"table.py": SHA, "late.py": SHA}), program, examined) is not None


def test_an_order_that_leaves_out_a_pair_or_asks_for_nothing_verifies_nothing(verified: Certificate, mild: Any) -> None:
    def all_but_the_last(examination: Examination) -> Iterator[object]:
        for position in range(3):
            examination.hold(position)
        for pair in list(examination.claim.pairs())[:-1]:
            yield examination.pair(*pair)

    for order in (lambda examination: [], all_but_the_last):
        with pytest.raises(Rejected, match=r"^not every pair was examined and within the bound$"):
            check(verified, mild, order)


def test_an_order_that_goes_on_after_a_violation_is_stopped(mild: Any, certify: Any) -> None:
    def endless(examination: Examination) -> Iterator[object]:
        for position in range(3):
            examination.hold(position)
        for pair in examination.claim.pairs():
            examination.pair(*pair)
            yield None
        raise AssertionError

    with pytest.raises(Rejected, match=r"^the pair of inputs 0 and 1 is not within the bound$"):
        check(certify(mild, ApproxDP("ln(199/100)", 0)), mild, endless)


@pytest.mark.parametrize("position", range(3))
def test_caught_digest_of_another_law(position: int, verified: Certificate, mild: Any) -> None:
    laws = list(verified.laws)
    laws[position] = SHA
    assert rejected(replace(verified, laws=laws), mild).startswith("laws is ")


@pytest.mark.parametrize("laws", [lambda x: x[::-1], lambda x: x[:2], lambda x: [*x, x[0]], lambda x: x[:1] * 3])
def test_caught_laws_in_another_order_or_number(
    laws: Callable[[list[str]], list[str]], verified: Certificate, refuted: Certificate, mild: Any
) -> None:
    for certificate in (verified, refuted):
        changed = replace(certificate, laws=laws(certificate.laws))
        if changed != certificate:
            assert rejected(changed, mild).startswith("laws is ")


@pytest.mark.parametrize(
    "edit",
    [
        lambda laws: laws[::-1],
        lambda laws: laws[:-1],
        lambda laws: [*laws, laws[0]],
        lambda laws: [{**laws[0], "denominator": "0x8"}, *laws[1:]],
        lambda laws: [{**laws[0], "tail": "0x0"}, *laws[1:]],
        lambda laws: [{**laws[0], "weights": laws[0]["weights"][::-1]}, *laws[1:]],
        lambda laws: [{**laws[0], "weights": laws[0]["weights"][:-1]}, *laws[1:]],
        lambda laws: json.loads(json.dumps(laws).replace('"0x4"', '"0x5"', 1)),
        lambda laws: json.loads(json.dumps(laws).replace("'a'", "'A'", 1)),
        lambda laws: {"laws": laws},
    ],
)
def test_caught_embedded_law(edit: Callable[[list[Any]], list[Any]], verified: Certificate, mild: Any) -> None:
    assert verified.embedded is not None
    changed = edit(verified.embedded)
    assert changed != verified.embedded
    assert rejected(replace(verified, embedded=changed), mild) == EMBEDDED


def test_caught_embedded_law_with_an_outcome_that_python_takes_for_equal(Table: Any, certify: Any, tilted: Any) -> None:
    program = Table([tilted(1, 1, outcomes=[1, "x"])] * 2, inputs=(0, 1))
    twin = Table([tilted(1, 1, outcomes=[True, "x"])] * 2, inputs=(0, 1))
    certificate = certify(program, ApproxDP(0, 0))
    check(certificate, program, examined)
    assert rejected(replace(certificate, embedded=certify(twin, ApproxDP(0, 0)).embedded), program) == EMBEDDED


def test_caught_embedded_law_nested_out_of_reach(verified: Certificate, mild: Any) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert rejected(replace(verified, embedded=deep), mild) == EMBEDDED
    for depth in (100, 700, 850, 900, 950, 990):
        text = text_of(replace(verified, embedded=["here"])).replace('"here"', "[" * depth + "]" * depth)
        with pytest.raises((Malformed, Rejected)):
            check(certificate_of(text), mild, examined)
