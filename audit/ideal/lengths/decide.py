"""Verdicts on lists of any length: a claim that holds on some lists, and for which a potential pays on all."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from dpcert.audit.ideal.every_report import EveryReport
from dpcert.audit.ideal.lengths.reading import AnyLength, bound_for_any_length, found_again
from dpcert.audit.ideal.opening import is_at_least
from dpcert.audit.ideal.report import IdealReport
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.meant import OPEN

ANY_LENGTH = "any length"
"""The method of a verdict on lists of any length."""
REMEDY = "; claim the lists that are given alone, without any_length"
Report = TypeVar("Report", bound=IdealReport | EveryReport)


def on_any_length(report: Report, claim: Claim, program: Callable[..., Any], *, epsilon: str | None = None) -> Report:
    """Return the report on a claim about lists of any length, from that on the claim's own inputs.

    What these refute is refuted. With `OPEN` for an epsilon, the claim is of every one.
    """
    if report.verdict != "verified":
        return report
    try:
        found = bound_for_any_length(program, claim.neighbours.name, epsilon=epsilon)
        if not set(report.held) <= set(found.held) or not set(report.left) <= set(found.left):
            raise Unauditable("on lists of any length, another generator is drawn from than on those that are given")
        if not is_within(found, claim, epsilon):
            raise Unauditable(f"on lists of any length, alignments give no bound below {found.bound}")
    except Unauditable as error:
        own: dict[str, Any] = {"epsilon": (report.epsilon[0], None)} if isinstance(report, IdealReport) else {}
        bounds = report.delta[0], Fraction(1)
        return replace(report, verdict="undecided", reason=f"{error}{REMEDY}", delta=bounds, **own)
    more: dict[str, Any] = {}
    if isinstance(report, IdealReport):
        more = {"epsilon": (report.epsilon[0], Epsilon.of(found.bound)), "notes": ()}
    return replace(
        report,
        method=ANY_LENGTH,
        lengths=found.data,
        held=found.held,
        left=found.left,
        delta=(report.delta[0], report.delta[0]),
        alignments=(),
        **more,
    )


def is_within(found: AnyLength, claim: Claim, epsilon: object) -> bool:
    """Whether a bound is within a claim; with `OPEN` for an epsilon, the claim is a multiple of every one."""
    if found.power != int(epsilon == OPEN) and found.bound:
        raise Unauditable("on lists of any length, scales that do not depend on epsilon say nothing of every one")
    return is_at_least(claim.guarantee.epsilon, Epsilon.of(found.bound))


def need_any_length(
    data: Mapping[str, Any], claim: Claim, program: Callable[..., Any], epsilon: Fraction | str | None
) -> AnyLength:
    """Return what data shows of a claim about lists of any length, for which the program is read again.

    Raises: Rejected or NotShown, unless all is within the claim; Unauditable where the program is not followed.
    """
    found = found_again(program, dict(data), epsilon=epsilon)
    if data["relation"] != claim.neighbours.name or not is_within(found, claim, epsilon):
        raise Rejected("lists of any length are not shown to be within the claim")
    return found
