"""Evidence for check.py: certificates of another program, and whole forgeries, are rejected."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from dpcert import ApproxDP, Dist, DpcertError, Epsilon, InputError, Limits, Refuted, Unauditable, Verified
from dpcert.audit.kernel.certificate import Certificate, Malformed, embed
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.examine import OPEN, Answer
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.audit.passes import examined

from .rejections import EMBEDDED, rejected


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("target", {"name": "other"}),
        ("parameters n", {"parameters": (("n", "4"),)}),
        ("parameters n", {"parameters": ()}),
        ("neighbours", {"neighbours": RELATIONS["any"]}),
        ("neighbours", {"neighbours": custom(max)}),
        ("observes", {"observes": "outcome and draws"}),
        ("law_source", {"used": ("closed-form",)}),
        ("max_runs", {"limits": Limits(max_runs=99_999)}),
        ("max_tail", {"limits": Limits(max_tail=Fraction(1, 2))}),
        ("max_draws", {"limits": Limits(max_draws=10)}),
        ("inputs", {"inputs": (0, 1)}),
        ("inputs_digest", {"inputs": (0, 1, 3)}),
        ("inputs_digest", {"inputs": (0, 2, 1)}),
        ("inputs_digest", {"inputs": (0, 1, True)}),
    ],
)
def test_caught_certificate_of_another_program(
    field: str, change: dict[str, Any], verified: Certificate, refuted: Certificate, mild: Any
) -> None:
    for certificate in (verified, refuted):
        assert rejected(certificate, replace(mild, **change)).startswith(f"{field} is ")


def test_caught_program_whose_law_changed(verified: Certificate, refuted: Certificate, mild: Any, tilted: Any) -> None:
    gentle = [*mild.laws[:2], tilted(3, 4, 1, whole=8)]
    assert rejected(verified, replace(mild, laws=gentle)).startswith("laws is ")
    assert isinstance(check(refuted, replace(mild, laws=gentle), examined), Refuted)
    steeper = [tilted(5, 1, 1), *mild.laws[1:]]
    assert rejected(refuted, replace(mild, laws=steeper)).startswith("laws is ")
    line = rejected(verified, replace(mild, laws=steeper))
    assert line == "the pair of inputs 0 and 1 is not within the bound"
    assert rejected(refuted, replace(mild, laws=[mild.laws[1]] * 3)) == "the witness does not violate the bound"


def test_caught_law_over_another_denominator(verified: Certificate, mild: Any, tilted: Any) -> None:
    doubled = [tilted(8, 4, 2), *mild.laws[1:]]
    assert doubled == mild.laws
    assert rejected(verified, replace(mild, laws=doubled)).startswith("laws is ")


@pytest.mark.parametrize("position", [0, 1])
def test_refused_law_that_is_malformed(position: int, verified: Certificate, refuted: Certificate, mild: Any) -> None:
    for law in (None, Dist({}, 1, 0), Dist({}, 7, 0)):
        laws = list(mild.laws)
        laws[position] = law
        for certificate in (verified, refuted):
            with pytest.raises(Unauditable):
                check(certificate, replace(mild, laws=laws), examined)


def test_refused_program_with_repeated_inputs(Table: Any, certify: Any, tilted: Any) -> None:
    """With (0, 0, 1), position 1 is input 0 again: its law beside itself would prove anything of 0 and 1."""
    leaky = Table([tilted(1, 0), tilted(1, 0), tilted(0, 1)], inputs=(0, 0, 1))
    forged = certify(Table([tilted(1, 0), tilted(1, 0)], inputs=(0, 1)), ApproxDP(0, 0))
    with pytest.raises(InputError, match="repeated inputs"):
        check(forged, leaky, examined)


def test_refused_relation_under_a_borrowed_name(verified: Certificate, mild: Any) -> None:
    borrowed = replace(RELATIONS["counts_differ_by_one"], predicate=lambda a, b: {a, b} == {1, 2})
    with pytest.raises(InputError, match="'counts_differ_by_one'"):
        check(verified, replace(mild, neighbours=borrowed), examined)


def test_a_program_that_cannot_be_followed_is_said(verified: Certificate, mild: Any) -> None:
    def stubborn(read: Any, value: Any) -> Answer:
        raise Unauditable("it cannot be followed")

    program = replace(mild)
    program.source = stubborn
    with pytest.raises(Unauditable, match="it cannot be followed"):
        check(verified, program, examined)


def test_caught_forged_verification_of_a_false_claim(mild: Any, certify: Any) -> None:
    for guarantee in (ApproxDP("ln(199/100)", 0), ApproxDP("0", "1/7"), ApproxDP("1/2", "1/100")):
        line = rejected(certify(mild, guarantee), mild)
        assert line == "the pair of inputs 0 and 1 is not within the bound"


def test_caught_forged_verification_at_one_unit_below_the_bound(mild: Any, certify: Any) -> None:
    check(certify(mild, ApproxDP("0", "2/7")), mild, examined)
    rejected(certify(mild, ApproxDP("0", Fraction(2, 7) - Fraction(1, 10**100))), mild)
    rejected(certify(mild, ApproxDP(Epsilon.ln(2 - Fraction(1, 10**100)), 0)), mild)


def test_caught_forged_verification_with_a_tail(Table: Any, certify: Any, tilted: Any) -> None:
    tailed = Table([tilted(4, 4, whole=9)] * 2, inputs=(0, 1))
    line = "the pair of inputs 0 and 1 is not within the bound"
    assert rejected(certify(tailed, ApproxDP("ln(3)", 0)), tailed) == line
    assert rejected(certify(tailed, ApproxDP("0", "1/10")), tailed) == line
    apart = Table([tilted(1, 1), tilted(1, 1), tilted(4, 4, whole=9)], inputs=(0, 1, 5))
    assert rejected(certify(apart, ApproxDP(0, 0)), apart) == OPEN
    certificate = certify(apart, ApproxDP(0, "1/10"))
    assert isinstance(check(certificate, apart, examined), Verified)
    for tail in (Fraction(0), Fraction(1, 10), Fraction(1)):
        assert rejected(replace(certificate, tail=tail), apart).startswith("tail is ")


@pytest.mark.parametrize("inputs", [(), (0,), (0, 2, 4)])
def test_caught_forged_verification_of_an_empty_scope(
    inputs: tuple[int, ...], Table: Any, certify: Any, tilted: Any
) -> None:
    program = Table([tilted(1, 1)] * len(inputs), inputs=inputs)
    assert rejected(certify(program, ApproxDP(0, 0)), program).startswith("the scope is empty: ")


def test_caught_false_tail_of_a_refutation(Table: Any, certify: Any, tilted: Any) -> None:
    program = Table([tilted(7, 1, whole=9), tilted(1, 6, whole=8)], inputs=(0, 1))
    certificate = certify(program, ApproxDP("0", "1/4"), pair=(0, 1), event="a")
    for tail in (Fraction(0), Fraction(1, 9), Fraction(1)):
        assert rejected(replace(certificate, tail=tail), program).startswith("tail is ")
    assert rejected(certify(program, ApproxDP("0", "53/100"), pair=(0, 1), event="a"), program) == (
        "the witness does not violate the bound"
    )


def test_caught_refutation_with_its_inputs_swapped(mild: Any, certify: Any) -> None:
    swapped = certify(mild, ApproxDP("ln(3/2)", "1/100"), pair=(1, 0), event="a")
    assert rejected(swapped, mild) == "the witness does not violate the bound"


def test_caught_refutation_by_inputs_that_are_no_neighbours(mild: Any, certify: Any) -> None:
    far = certify(mild, ApproxDP("ln(3/2)", "1/100"), pair=(0, 2), event="a")
    assert rejected(far, mild) == "the witness names inputs 0 and 2, which are no neighbours"


def test_caught_refutation_with_an_outcome_too_many(mild: Any, certify: Any) -> None:
    guarantee = ApproxDP("ln(3/2)", "1/100")
    assert isinstance(check(certify(mild, guarantee, pair=(0, 1), event="a"), mild, examined), Refuted)
    for event in ("ab", "abc", "b", "c", "aa", "ad"):
        rejected(certify(mild, guarantee, pair=(0, 1), event=event), mild)


def test_caught_verdicts_turned_around(verified: Certificate, refuted: Certificate, mild: Any) -> None:
    as_refuted = replace(verified, verdict="refuted", witness=refuted.witness, laws=refuted.laws, embedded=None)
    assert rejected(as_refuted, mild) == "the witness does not violate the bound"
    as_verified = replace(refuted, verdict="verified", witness=None, laws=verified.laws, embedded=verified.embedded)
    assert rejected(as_verified, mild) == "the pair of inputs 0 and 1 is not within the bound"
    for certificate, verdict in ((verified, "refuted"), (refuted, "verified")):
        line = rejected(replace(certificate, verdict=verdict), mild)
        assert line == f"verdict is {verdict} in the certificate and {certificate.verdict} when recomputed"


def test_a_refutation_may_embed_its_two_laws_and_no_others(refuted: Certificate, mild: Any) -> None:
    laws = [embed(law) for law in mild.laws[:2]]
    assert isinstance(check(replace(refuted, embedded=laws), mild, examined), Refuted)
    for embedded in (laws[::-1], laws[:1], [*laws, laws[0]], [], [[[]]]):
        assert rejected(replace(refuted, embedded=embedded), mild) == EMBEDDED


def test_rejections_are_errors_of_this_project_in_one_line() -> None:
    assert issubclass(Rejected, DpcertError)
    assert not issubclass(Rejected, Malformed)
    assert str(Rejected("two\nlines \ud800")) == "two lines \\ud800"
