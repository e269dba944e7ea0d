"""The faults of one-time-rappor and rappor."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.rappor import (
    ONE_TIME_RAPPOR,
    RAPPOR,
    Bits,
    filter_of,
    permanent,
    report,
    reporting_of,
)
from dpcert.mechanisms.mechanism import Expected

one_time_rappor_fault = FaultsOf(ONE_TIME_RAPPOR)
rappor_fault = FaultsOf(RAPPOR)


@one_time_rappor_fault(
    "one-time-rappor-set-bits",
    source="Erlingsson, Pihur and Korolova 2014, with noise where there is something to hide",
    fault="noise on the bits of the filter that are set alone",
    edit=(" if bit else 0", ""),
    defaults={"f": "1/2", "bits": "2", "hashes": "1", "values": "4"},
    expected=Expected(0, 3, [(0, 1)], "3/4", "0"),
)
def one_time_rappor_set_bits(settings: Settings) -> Callable[[int, Coins], Bits]:
    """one-time-rappor with noise on the bits of the filter that are set, and none on the others"""
    at = filter_of(settings)
    return lambda value, coins: tuple(permanent(bit, at.f, coins) if bit else 0 for bit in at.of(value))


@rappor_fault(
    "rappor-redrawn",
    source="Erlingsson, Pihur and Korolova 2014, without what they call memoization",
    fault="permanent bits drawn anew for each report",
    edit=(
        "[permanent(bit, at.filter.f, coins) for _ in range(at.times)]",
        "[permanent(bit, at.filter.f, coins)] * at.times",
    ),
    defaults={"f": "1/2", "p": "1/10", "q": "9/10", "bits": "2", "hashes": "1", "values": "4", "reports": "2"},
    expected=Expected(0, 3, [((0, 1), (0, 1))], "2401/10000", "81/10000"),
)
def rappor_redrawn(settings: Settings) -> Callable[[int, Coins], tuple[Bits, ...]]:
    """rappor with permanent bits that are not: drawn anew for each report"""
    at = reporting_of(settings)

    @summarize
    def answers(bit: int, coins: Coins) -> Bits:
        kept = [permanent(bit, at.filter.f, coins) for _ in range(at.times)]
        return tuple(report(one, at, coins) for one in kept)

    def release(value: int, coins: Coins) -> tuple[Bits, ...]:
        columns = [answers(bit, coins) for bit in at.filter.of(value)]
        return tuple(zip(*columns, strict=True))

    return release
