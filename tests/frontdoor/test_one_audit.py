"""`dpcert.audit` gives one form of answer, whatever the method, and the method may be named."""

import inspect
from typing import Any

from json_forms import is_result

import dpcert
import dpcert.api

CLAIM: dict[str, Any] = {"guarantee": dpcert.PureDP("ln(2)"), "inputs": [0, 1], "neighbours": "any"}


def test_an_audit_has_one_form_for_every_method() -> None:
    by_coins = dpcert.target(**CLAIM)(lambda bit, coins: bit if coins.below(4) else 1 - bit)
    by_noise = dpcert.target(**CLAIM)(lambda bit, rng: bit + rng.laplace(scale=1) >= 1)
    few, clock = dpcert.Options(samples=4000), dpcert.Options(samples=2000, timing="duration")
    refuted = dpcert.audit(by_coins)
    assert (refuted.method, refuted.source, refuted.reason) == ("exact", "paths", None)
    assert (refuted.witness.a, refuted.witness.b, refuted.witness.p) == (0, 1, "3/4")
    assert refuted.assumptions[0].startswith("the laws were computed in one process only")
    assert refuted.next_step is not None
    assert str(refuted).startswith("refuted    <lambda>")
    assert repr(refuted) == f"<dpcert audit, refuted: {refuted.sentence}>"
    ideal = dpcert.audit(by_noise, method="ideal")
    assert (ideal.verdict, ideal.method, ideal.source) == ("refuted", "ideal", "ideal")
    assert ideal.witness == ideal.result.worst is not None
    assert ideal.sentence.startswith("with ideal noise, ")
    sampled = dpcert.audit(by_coins, method="samples", options=few)
    timed = dpcert.audit(by_coins, method="clock", options=clock)
    assert (sampled.method, sampled.source, type(sampled.seen)) == ("sampling", None, dpcert.Sampled)
    assert (timed.method, timed.verdict, timed.next_step is None) == ("sampling", "undecided", False)
    shipped = dpcert.audit("sample-threshold", threshold=3, rate="1/4", options=dpcert.Options("ln(3)", "1/50"))
    assert (shipped.verdict, shipped.next_step, shipped.seen) == ("verified", None, None)
    assert shipped.sentence.endswith("on all counts")
    assert "theorem" in str(shipped.source)
    for audit in (refuted, ideal, sampled, timed, shipped):
        is_result(audit.as_json())


def test_the_name_of_the_package_is_called_as_the_function() -> None:
    called, defined = (inspect.signature(each).parameters.values() for each in (dpcert.audit, dpcert.api.audit))
    assert [(each.name, each.kind, each.default) for each in called] == [
        (each.name, each.kind, each.default) for each in defined
    ]


def test_what_a_method_cannot_follow_is_undecided_by_name() -> None:
    fails = dpcert.target(**CLAIM)(lambda bit, coins: bit // 0)
    found = dpcert.audit(fails, method="samples", options=dpcert.Options(samples=2000))
    assert (found.verdict, found.method, found.seen) == ("undecided", "sampling", None)
    assert "end in ZeroDivisionError" in str(found.reason)
