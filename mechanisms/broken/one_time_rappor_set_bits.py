"""One-time RAPPOR that replaces only the bits that are set: a 1 shows that its bit is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.rappor import FILTER, ONE_TIME_RAPPOR, Bits, Filter, filter_of, permanent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter

__all__ = ["ONE_TIME_RAPPOR_SET_BITS"]


def one_time_rappor_set_bits(at: Filter) -> Callable[[int, Coins], Bits]:
    """Release as `one_time_rappor` does, but with the bits that are 0 as they are."""

    def release(value: int, coins: Coins) -> Bits:
        return tuple(permanent(bit, at.f, coins) if bit else 0 for bit in at.of(value))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    program = one_time_rappor_set_bits(filter_of(settings))
    return replace(ONE_TIME_RAPPOR.build(settings), closed_form=None, program=program)


ONE_TIME_RAPPOR_SET_BITS = Mechanism(
    name="one-time-rappor-set-bits",
    words="one-time-rappor with noise on the bits of the filter that are set, and none on the others",
    source="Erlingsson, Pihur and Korolova 2014, with noise where there is something to hide",
    parameters=(
        Parameter("f", "1/2", FILTER[0].words),
        Parameter("bits", "2", FILTER[1].words),
        Parameter("hashes", "1", FILTER[2].words),
        Parameter("values", "4", FILTER[3].words),
    ),
    build=_build,
    expect="refuted",
    twin="one-time-rappor",
    fault="noise on the bits of the filter that are set alone",
)
