"""RAPPOR whose permanent bits are drawn anew for every report: many reports together show the filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins, summarize
from dpcert.mechanisms.literature.rappor import (
    FILTER,
    RAPPOR,
    REPORTS,
    Bits,
    Reporting,
    permanent,
    report,
    reporting_of,
)
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["RAPPOR_REDRAWN"]


def rappor_redrawn(at: Reporting) -> Callable[[int, Coins], tuple[Bits, ...]]:
    """Release as `rappor` does, but keep or replace each bit once for a report, not once for all."""

    @summarize
    def answers(bit: int, coins: Coins) -> Bits:
        kept = [permanent(bit, at.filter.f, coins) for _ in range(at.times)]
        return tuple(report(one, at, coins) for one in kept)

    def release(value: int, coins: Coins) -> tuple[Bits, ...]:
        columns = [answers(bit, coins) for bit in at.filter.of(value)]
        return tuple(zip(*columns, strict=True))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return replace(RAPPOR.build(settings), closed_form=None, program=rappor_redrawn(reporting_of(settings)))


RAPPOR_REDRAWN = Mechanism(
    name="rappor-redrawn",
    words="rappor with permanent bits that are not: drawn anew for each report",
    source="Erlingsson, Pihur and Korolova 2014, without what they call memoization",
    parameters=(
        Parameter("f", "1/2", REPORTS[0].words),
        Parameter("p", "1/10", REPORTS[1].words),
        Parameter("q", "9/10", REPORTS[2].words),
        Parameter("bits", "2", FILTER[1].words),
        Parameter("hashes", "1", FILTER[2].words),
        Parameter("values", "4", FILTER[3].words),
        Parameter("reports", "2", REPORTS[-1].words),
    ),
    build=_build,
    expect="refuted",
    twin="rappor",
    fault="permanent bits drawn anew for each report",
)
