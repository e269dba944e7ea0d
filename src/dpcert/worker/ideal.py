"""Cases audited on ideal noise: exact answers about the algorithm that a program with numpy's noise stands for."""

from __future__ import annotations

from typing import Any

from dpcert.audit.ideal.decide import IdealReport, Seen
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.mechanisms.decimals import rounded_text
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.forms import to_json
from dpcert.targets.cases import Case
from dpcert.worker.results import MAX_EVENT, described, undecided_result

ASSUMPTION = "draws are ideal random variables, arithmetic on them is that of real numbers: floats are not looked at"


def ideal_case(case: Case) -> IdealReport:
    """Return what is found of a case on ideal noise.

    Raises: InputError for a case on machine noise; Unauditable naming what is not followed.
    """
    if case.ideal is None:
        given = f"{case.label}, whose noise is that of the machine"
        raise InputError(given=given, needed="a target with ideal noise", remedy='write noise="ideal"')
    return decide_ideal(case.claim(), case.ideal)


def ideal_result(case: Case, report: IdealReport, *, asked_for_certificate: bool = False) -> dict[str, Any]:
    """Return the result of an audit on ideal noise; of a probability, `worst` has the bound that refutes."""
    lo, hi = report.epsilon
    notes = [
        *report.notes,
        *(["no certificate: those of ideal noise are not written"] if asked_for_certificate else []),
    ]
    return {
        **undecided_result(described(case), ""),
        "verdict": report.verdict,
        "reason": report.reason,
        "assumptions": [ASSUMPTION],
        "pairs": report.pairs,
        "tail": "0/1" if report.pairs else "1/1",
        "delta": {"lo": rounded_text(report.delta[0], up=False), "hi": rounded_text(report.delta[1], up=True)},
        "epsilon": {"lo": str(lo), "hi": None if hi is None else str(hi)},
        "worst": None if report.worst is None else _worst(report.worst),
        "notes": notes,
    }


def _worst(seen: Seen) -> dict[str, Any]:
    return {
        "a": to_json(seen.a),
        "b": to_json(seen.b),
        "event": [to_json(outcome) for outcome in seen.event[:MAX_EVENT]],
        "event_size": len(seen.event),
        "p": rounded_text(seen.p[0], up=False),
        "q": rounded_text(seen.q[1], up=True),
    }
